"""GET /api/v1/audit/export: complete, in order, signed, and one account's alone."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from flask.testing import FlaskClient

from app import governance
from app.governance.chain import GENESIS, digest
from app.platform import clock
from tests.cast import LEASE, Cast
from tests.contract.exports import PATH, export, lines
from tests.portal.conftest import analysed


def test_every_page_is_signed_with_a_published_key(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    analysed(alice)
    answer = export(client, alice)
    time, _, signature = answer.headers["X-Service-Export-Signature"].partition(",v1=")
    kid = answer.headers["X-Service-Export-Signer-Key-Id"]
    [jwk] = [k for k in client.get("/api/v1/attestations/keys").get_json()["keys"] if k["kid"] == kid]
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(jwk["x"] + "="))
    signed = hashlib.sha256(time.removeprefix("t=").encode() + b"." + answer.data).digest()
    public.verify(base64.urlsafe_b64decode(signature + "=="), signed)
    changed = answer.data.replace(b"MX", b"ES", 1)
    other = hashlib.sha256(time.removeprefix("t=").encode() + b"." + changed).digest()
    with pytest.raises(InvalidSignature):
        public.verify(base64.urlsafe_b64decode(signature + "=="), other)


def test_pages_give_each_record_once_in_the_order_of_the_chain(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    # A clock that steps back does not break the order.
    for days in (5, 3, 9, 1, 7):
        analysed(alice, ago=timedelta(days=days))
    seen: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    for _ in range(4):
        answer = export(client, alice, limit=2, **cursor)
        seen += lines(answer)
        cursor = {"cursor": answer.headers["X-Service-Export-Next-Cursor"]}
        if answer.headers["X-Service-Export-Has-More"] == "false":
            break
    assert [row["seq"] for row in seen] == [1, 2, 3, 4, 5]
    previous = GENESIS
    for row in seen:
        assert row["previousHash"] == previous
        previous = digest(previous, row["seq"], row["content"]) or ""
        assert row["hash"] == previous
    assert lines(export(client, alice, **cursor)) == []
    analysed(alice)
    assert [row["seq"] for row in lines(export(client, alice, **cursor))] == [6]


def test_all_kinds_in_one_export(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    done = client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth).get_json()
    rows = lines(export(client, alice, type="redaction,analysis,event"))
    kinds = [row["type"] for row in rows]
    assert kinds == sorted(kinds)
    [record] = [row for row in rows if row["type"] == "analysis"]
    assert record["content"]["requestId"] == done["requestId"]
    masked = [row["fieldType"] for row in rows if row["type"] == "redaction"]
    assert len(masked) == sum(record["content"]["redactions"].values()) > 0
    assert "Herrero" not in json.dumps(rows)
    paged: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    more = "true"
    while more == "true":
        answer = export(client, alice, type="redaction,analysis,event", limit=1, **cursor)
        paged += lines(answer)
        cursor = {"cursor": answer.headers["X-Service-Export-Next-Cursor"]}
        more = answer.headers["X-Service-Export-Has-More"]
    assert paged == rows


def test_the_form_that_siems_read(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    entry = analysed(alice, citations={"verified": 1, "not_found": 2})
    [event] = lines(export(client, alice, format="ocsf"))
    assert (event["class_uid"], event["category_uid"], event["type_uid"]) == (6003, 6, 600301)
    assert event["metadata"]["version"] == "1.6.0"
    assert event["metadata"]["uid"] == str(entry.analysis_id)
    assert event["time"] == int(entry.finished_at.timestamp() * 1000)
    assert event["severity_id"] == 3
    assert event["actor"]["user"]["credential_uid"] == str(alice.key_id)
    assert {"actor", "api", "src_endpoint", "activity_id", "severity_id"} <= set(event)
    assert event["unmapped"]["content"]["citations"]["not_found"] == 2


def test_filters_by_time(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player()
    for days in (9, 5, 1):
        analysed(alice, ago=timedelta(days=days))
    since = clock.iso(clock.now() - timedelta(days=6))
    until = clock.iso(clock.now() - timedelta(days=2))
    assert [row["seq"] for row in lines(export(client, alice, since=since, until=until))] == [2]


def test_children_and_strangers(client: FlaskClient, cast: Cast) -> None:
    alice, mallory = cast.player(), cast.player("mallory")
    child = cast.child(alice)
    for player in (alice, child):
        assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=player.auth).status_code == 200
    own = lines(export(client, child, type="analysis,redaction"))
    assert {row["content"]["apiKeyId"] for row in own if row["type"] == "analysis"} == {str(child.key_id)}
    assert len(lines(export(client, alice))) == 2
    assert lines(export(client, mallory)) == []
    cursor = export(client, alice, limit=1).headers["X-Service-Export-Next-Cursor"]
    for player, query in ((mallory, {}), (child, {}), (alice, {"type": "event"})):
        refused = client.get(PATH, query_string={"cursor": cursor, **query}, headers=player.auth)
        assert (refused.status_code, refused.get_json()["details"]["field"]) == (400, "cursor")
    assert client.get(PATH).status_code == 401


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"type": "everything"}, "type"),
        ({"format": "csv"}, "format"),
        ({"limit": "0"}, "limit"),
        ({"limit": "10001"}, "limit"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}, "since"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": "e30.AAAA"}, "cursor"),
        ({"cursor": "..."}, "cursor"),
    ],
)
def test_wrong_parameters_are_named(
    client: FlaskClient, cast: Cast, query: dict[str, str], field: str
) -> None:
    answer = client.get(PATH, query_string=query, headers=cast.player().auth)
    assert (answer.status_code, answer.get_json()["details"]["field"]) == (400, field)


def test_a_signature_is_refused_for_any_other_body() -> None:
    assert governance.export.signed_bytes(1, b"a") != governance.export.signed_bytes(11, b"a"[1:])
    assert len(governance.export.signed_bytes(1, b"a")) == 32
