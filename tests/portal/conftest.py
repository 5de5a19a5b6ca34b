"""People in front of the portal: a browser without scripts, and what they may be."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import governance
from app.platform import clock
from app.platform.postgres import db
from app.tenancy.members import Role, add_member
from tests.cast import Cast, Player

_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class PortalClient:
    """Opens pages and sends the forms on them, token included."""

    def __init__(self, client: FlaskClient, player: Player) -> None:
        self.client, self.player = client, player

    def get(self, path: str, **options: object) -> TestResponse:
        return self.client.get(path, **options)

    def token(self, path: str) -> str:
        found = _TOKEN.search(self.get(path, follow_redirects=True).text)
        assert found, f"{path} has no form"
        return found[1]

    def send(self, path: str, form: dict[str, object], *, on: str | None = None) -> TestResponse:
        """Post `form` to `path`, with the token of the page `on` (the same address by default)."""
        return self.client.post(path, data={"csrf_token": self.token(on or path), **form})

    def sign_in(self, email: str | None = None, password: str | None = None, path: str = "") -> TestResponse:
        return self.send(
            path or "/portal/sign-in",
            {"email": email or self.player.email, "password": password or self.player.password},
        )

    def sign_out(self) -> TestResponse:
        return self.send("/portal/sign-out", {}, on="/portal/")

    @property
    def cookie(self) -> str | None:
        found = self.client.get_cookie("session")
        return found.value if found else None


def tight(page: str) -> str:
    """Drop the whitespace beside tags and collapse the rest: to find elements however a page is laid out."""
    return re.sub(r"\s*(<|>)\s*", r"\1", re.sub(r"\s+", " ", page))


@pytest.fixture
def stranger(app: Flask, cast: Cast) -> Callable[[Player], PortalClient]:
    """Somebody with a fresh browser who has not signed in; speaks English."""

    def make(player: Player) -> PortalClient:
        client = app.test_client()
        client.set_cookie("language", "en")
        return PortalClient(client, player)

    return make


@pytest.fixture
def member(stranger: Callable[[Player], PortalClient]) -> Callable[[Player], PortalClient]:
    """Somebody signed in."""

    def make(player: Player) -> PortalClient:
        visitor = stranger(player)
        assert visitor.sign_in().status_code == 303
        return visitor

    return make


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def mallory(cast: Cast) -> Player:
    return cast.player("mallory")


def colleague(player: Player, role: Role) -> Player:
    """Another member of the player's account."""
    email = f"{role}-{uuid.uuid4().hex[:10]}@example.com"
    with db.transaction() as session:
        add_member(session, player.account_id, email=email, password=player.password, role=role)
    return Player(role, player.account_id, email, player.password, player.key_id, player.key)


def analysed(
    player: Player, *, ago: timedelta = timedelta(), citations: dict[str, int] | None = None
) -> governance.Entry:
    """Leave the record of an analysis in the player's trail."""
    at: datetime = clock.now() - ago
    entry = governance.Entry(
        analysis_id=uuid.uuid4(),
        account_id=player.account_id,
        api_key_id=player.key_id,
        request_id=f"req_{uuid.uuid4()}",
        started_at=at,
        finished_at=at,
        jurisdiction="MX",
        branch="mercantil",
        language="es",
        mode="deep",
        models=("rules",),
        versions={"engine": "rules"},
        redactions={"ES_DNI": 2, "EMAIL": 1},
        citations=citations if citations is not None else {"verified": 3, "not_verifiable": 1},
        locks={"L1": 7, "L2-J": 0, "L2-J-V": 0, "L4": 2, "L5-C": 1},
        credits=2,
        document_hash="ab" * 32,
        document_characters=1234,
        analysis_hash="cd" * 32,
    )
    with db.transaction() as session:
        session.take(governance.appending(entry))
    return entry
