"""Files that tests upload."""

from __future__ import annotations

import io
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import LEASE, Player

PATH = "/api/v1/documents"


def send(
    client: FlaskClient,
    player: Player,
    data: bytes | str = LEASE,
    name: str = "lease.txt",
    *,
    headers: dict[str, str] | None = None,
) -> TestResponse:
    """Upload a file as a client does."""
    clear = data.encode() if isinstance(data, str) else data
    return client.post(
        PATH, data={"file": (io.BytesIO(clear), name)}, headers={**player.auth, **(headers or {})}
    )


def uploaded(client: FlaskClient, player: Player, data: bytes | str = LEASE, name: str = "lease.txt") -> Any:
    """What an upload answered."""
    response = send(client, player, data, name)
    assert response.status_code == 201, response.text
    return response.get_json()
