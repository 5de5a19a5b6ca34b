"""What an analysis tells the bus (decision 029): figures, in the transaction that charges."""

from __future__ import annotations

import json

from flask.testing import FlaskClient

from app import webhooks
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

BROKEN = LEASE + " Conforme al artículo 9999 del Código Civil."


def _events(player: Player, event: str) -> list[dict[str, object]]:
    with db.reading() as session:
        page = webhooks.events(session, player.account_id, types=(event,), limit=9)
    return [{**row.payload, "key": row.api_key_id} for row in page.rows]


def test_broken_citations_and_flags_are_told_once_and_without_words(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    headers = {**alice.auth, "Idempotency-Key": "announce-1"}
    answers = [client.post("/api/v1/analyze", json={"text": BROKEN}, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    checks = answers[0].get_json()["citationChecks"]
    assert checks["anyBroken"]
    (told,) = _events(alice, "citation.broken")
    assert (told["counts"], told["total"]) == (checks["counts"], checks["total"])
    assert (told["key"], told["requestId"]) == (alice.key_id, answers[0].get_json()["requestId"])
    (flagged,) = _events(alice, "analysis.flagged")
    assert isinstance(flagged["flags"], int)
    assert flagged["flags"] >= 1
    assert "9999" not in json.dumps([told, flagged], default=str)


def test_nothing_is_told_where_nothing_is_broken_or_charged(client: FlaskClient, cast: Cast) -> None:
    alice, poor = cast.player(), cast.player("poor", credit=0)
    assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).status_code == 200
    assert client.post("/api/v1/analyze", json={"text": BROKEN}, headers=poor.auth).status_code == 402
    assert _events(alice, "citation.broken") == _events(poor, "citation.broken") == []
