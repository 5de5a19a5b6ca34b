"""Fixtures of the tests of OAuth."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import tenancy
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.mcp.assistant import rpc
from tests.oauth.browser import Assistant, signed_in

CONNECT = "/api/mcp/connect"


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def mallory(cast: Cast) -> Player:
    return cast.player("mallory")


@pytest.fixture
def browser(app: Flask, alice: Player) -> FlaskClient:
    """A browser in which alice has signed in."""
    return signed_in(app, alice)


@pytest.fixture
def assistant(client: FlaskClient, alice: Player) -> Assistant:
    """A registered client."""
    return Assistant(client)


def grant_key(player: Player) -> tenancy.ApiKey:
    """The key of the player's only grant."""
    with db.reading() as session:
        [found] = [key for key in tenancy.keys_of(session, player.account_id) if key.issued_to]
        session.expunge(found)
        return found


def listing(client: FlaskClient, token: str | None) -> TestResponse:
    """Ask the OAuth endpoint for its tools."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return rpc(client, None, "tools/list", path=CONNECT, headers=headers)
