"""/api/v1/documents (decision 078)."""

from __future__ import annotations

import io
import tempfile
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from werkzeug import Request, formparser

from app import documents, factory, usage
from app.documents import operations, uploads
from app.platform import clock, redis_client, settings
from app.platform.postgres import db, rls
from tests.cast import LEASE, Cast, Player
from tests.documents.files import PATH, send, uploaded

FIELDS = {
    "documentRef", "mediaType", "pages", "characters", "language", "ocr", "warnings", "expiresAt",
    "requestId",
}  # fmt: skip


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def ahead() -> Iterator[Any]:
    """Turns the clock: `ahead(minutes=5)`."""
    by = timedelta()

    def turn(**more: float) -> None:
        nonlocal by
        by += timedelta(**more)

    clock.install(lambda: datetime.now(UTC) + by)
    yield turn
    clock.install(None)


def _names() -> list[str]:
    return sorted(name.decode() for name in redis_client.client().scan_iter("document:*"))


def _rows(player: Player) -> int:
    with db.reading() as session:
        return int(
            session.scalar(
                sa.text("SELECT count(*) FROM documents WHERE account_id = :a"), {"a": player.account_id}
            )
            or 0
        )


def _sweep() -> None:
    with rls.as_system():
        factory._sweep_uploads()


def test_an_upload_tells_what_was_read_and_until_when_it_is_kept(client: FlaskClient, alice: Player) -> None:
    before = datetime.now(UTC)
    response = send(client, alice)
    assert response.status_code == 201, response.text
    made = response.get_json()
    assert set(made) == FIELDS
    assert uuid.UUID(made["documentRef"])
    assert (made["mediaType"], made["characters"], made["pages"]) == ("text/plain", len(LEASE), None)
    assert (made["ocr"], made["warnings"]) == (False, [])
    left = datetime.fromisoformat(made["expiresAt"]) - before
    assert timedelta(minutes=59) < left < timedelta(minutes=61)
    assert response.headers["X-RateLimit-Limit"] == "1000"
    again = client.get(f"{PATH}/{made['documentRef']}", headers=alice.auth)
    assert again.status_code == 200
    assert {**again.get_json(), "requestId": made["requestId"]} == made


def test_an_upload_is_free_and_counts_once_against_the_tier(
    app: Flask, client: FlaskClient, cast: Cast
) -> None:
    slow = cast.player(tier="standard", credit=0)
    remaining = [int(send(client, slow).headers["X-RateLimit-Remaining"]) for _ in range(2)]
    assert remaining == [9, 8]
    for _ in range(8):
        assert send(client, slow).status_code == 201
    assert send(client, slow).status_code == 429
    ref = uuid.uuid4()
    assert client.get(f"{PATH}/{ref}", headers=slow.auth).status_code == 404, "management has its own limit"
    assert (cast.balance(slow).balance, cast.balance(slow).held) == (0, 0)


def test_usage_names_the_routes(client: FlaskClient, alice: Player) -> None:
    made = uploaded(client, alice)
    client.get(f"{PATH}/{made['documentRef']}", headers=alice.auth)
    while usage.drain("documents"):
        pass
    with db.reading() as session:
        found = session.scalars(
            sa.text("SELECT endpoint FROM usage_calls WHERE account_id = :a"), {"a": alice.account_id}
        )
        assert sorted(found) == ["/api/v1/documents", "/api/v1/documents/{document_ref}"]


def test_deleting_ends_it_at_once(client: FlaskClient, alice: Player) -> None:
    ref = uploaded(client, alice)["documentRef"]
    assert _names()
    response = client.delete(f"{PATH}/{ref}", headers=alice.auth)
    assert (response.status_code, response.get_json()) == (200, {"deletedDocumentRef": ref})
    assert (_names(), _rows(alice)) == ([], 0)
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 404
    assert client.delete(f"{PATH}/{ref}", headers=alice.auth).status_code == 404


def test_only_the_uploading_key_finds_it(client: FlaskClient, cast: Cast, alice: Player) -> None:
    child = cast.child(alice)
    sibling = Player("sibling", alice.account_id, "", "", *cast.key(alice.account_id))
    mallory = cast.player("mallory")
    of_master = uploaded(client, alice)["documentRef"]
    of_child = uploaded(client, child)["documentRef"]
    readers = [(of_master, child), (of_master, sibling), (of_child, alice), (of_child, sibling)]
    unknown = client.get(f"{PATH}/{uuid.uuid4()}", headers=alice.auth)
    for ref, reader in [*readers, (of_master, mallory), (of_child, mallory)]:
        for method in ("GET", "DELETE"):
            response = client.open(f"{PATH}/{ref}", method=method, headers=reader.auth)
            assert response.status_code == 404
            told = {**response.get_json(), "requestId": ""}
            assert told == {**unknown.get_json(), "requestId": ""}, "as if it were not there"
    assert client.get(f"{PATH}/{of_child}", headers=child.auth).status_code == 200


def test_a_key_without_the_scope_may_not_upload(client: FlaskClient, cast: Cast) -> None:
    response = send(client, cast.player(scopes=("query",)))
    assert (response.status_code, response.get_json()["code"]) == (401, "SCOPE_REQUIRED")


def test_after_its_time_it_is_gone_and_the_sweep_takes_the_key(
    client: FlaskClient, alice: Player, ahead: Any
) -> None:
    ref = uploaded(client, alice)["documentRef"]
    ahead(minutes=59)
    _sweep()
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 200
    ahead(minutes=2)
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 404, "before any sweep"
    assert _rows(alice) == 1
    _sweep()
    assert (_rows(alice), _names()) == (0, [])


def test_a_document_that_redis_lost_is_gone(client: FlaskClient, alice: Player) -> None:
    ref = uploaded(client, alice)["documentRef"]
    redis_client.client().delete(f"document:{uuid.UUID(ref).hex}:reading:0")
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 404
    assert client.delete(f"{PATH}/{ref}", headers=alice.auth).status_code == 200


def test_everything_in_redis_has_a_time_to_live(client: FlaskClient, alice: Player) -> None:
    uploaded(client, alice, LEASE * 3_000)
    names = _names()
    assert len(names) > 4, "a large file is stored in pieces"
    assert all(0 < redis_client.client().ttl(name) <= 3600 for name in names)


@pytest.mark.parametrize(
    ("data", "got"),
    [
        ({}, "none"),
        ({"document": (io.BytesIO(b"x"), "x.txt")}, "one in another part"),
        ({"file": "text without a file name"}, "none"),
        ({"file": [(io.BytesIO(b"x"), "x.txt"), (io.BytesIO(b"y"), "y.txt")]}, "2"),
        ({"file": (io.BytesIO(b"x"), "x.txt"), "more": (io.BytesIO(b"y"), "y.txt")}, "2"),
    ],
)
def test_anything_but_one_file_is_refused_by_name(
    client: FlaskClient, alice: Player, data: dict[str, Any], got: str
) -> None:
    sent = {"data": data, "content_type": "multipart/form-data"}
    response = client.post(PATH, **sent, headers=alice.auth)
    assert response.status_code == 400, response.text
    body = response.get_json()
    assert body["code"] == "VALIDATION_ERROR"
    assert body["error"].startswith("file: ")
    assert body["error"].endswith(f"got {got}.")
    assert body["details"]["errors"][0]["field"] == "file"
    assert _rows(alice) == 0


def test_another_kind_of_body_is_415(client: FlaskClient, alice: Player) -> None:
    for sent in ({"json": {"text": LEASE}}, {"data": LEASE.encode(), "content_type": "text/plain"}, {}):
        response = client.post(PATH, headers=alice.auth, **sent)
        assert (response.status_code, response.get_json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    packed = send(client, alice, headers={"Content-Encoding": "gzip"})
    assert packed.status_code == 415
    broken = client.post(PATH, data=b"--x\r\nnothing", content_type="multipart/form-data", headers=alice.auth)
    assert broken.status_code == 400


def test_twenty_megabytes_are_read_and_a_byte_more_is_413(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "BYTES_MAX", 1_000)
    assert send(client, alice, "x" * 1_000).status_code == 201
    for size in (1_001, 500_000):
        response = send(client, alice, "x" * size)
        assert response.status_code == 413
        body = response.get_json()
        assert (body["code"], body["details"]["field"], body["details"]["max"]) == (
            "PAYLOAD_TOO_LARGE", "file", 1_000,
        )  # fmt: skip
        assert "Split the document" in body["error"]


def test_a_file_may_be_larger_than_other_bodies(client: FlaskClient, alice: Player) -> None:
    most = settings.current().max_body_bytes
    assert most < operations.BYTES_MAX
    response = client.post("/api/v1/analyze", json={"text": "x" * most}, headers=alice.auth)
    assert response.status_code == 413
    # Refused for what it is, not for its size.
    assert send(client, alice, b"\x00" * (most + 1), "a.bin").status_code == 415


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [(b"", 422, "DOCUMENT_EMPTY"), (b"\x00\xff\xfe\x01" * 99, 415, "DOCUMENT_TYPE_UNSUPPORTED")],
)
def test_an_unreadable_file_is_refused_with_a_code(
    client: FlaskClient, alice: Player, data: bytes, status: int, code: str
) -> None:
    response = send(client, alice, data, "a.txt")
    assert (response.status_code, response.get_json()["code"]) == (status, code)
    assert (_rows(alice), _names()) == (0, [])


def test_the_name_of_the_file_is_nowhere(
    client: FlaskClient, alice: Player, capfd: pytest.CaptureFixture[str]
) -> None:
    name = f"secret-{uuid.uuid4().hex}"
    answers = [
        send(client, alice, LEASE, f"{name}.txt"),
        send(client, alice, b"%PDF-1.7", f"{name}.pdf"),
        send(client, alice, LEASE, f"a.{name}"),
        send(client, alice, LEASE, f"../{name}/x.txt"),
    ]
    said = "".join(answer.text + str(answer.headers) for answer in answers) + "".join(capfd.readouterr())
    redis = redis_client.client()
    rest = b"".join(bytes(key) + bytes(redis.dump(key) or b"") for key in redis.scan_iter())
    with db.reading() as session:
        rows = str(session.execute(sa.text("SELECT d.* FROM documents d")).all())
    assert name not in said + rows
    assert name.encode() not in rest


def test_an_upload_is_never_written_to_a_temporary_file(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("a temporary file was opened")

    for opener in ("TemporaryFile", "SpooledTemporaryFile", "NamedTemporaryFile"):
        monkeypatch.setattr(tempfile, opener, refuse)
    monkeypatch.setattr(formparser, "SpooledTemporaryFile", refuse)
    with pytest.raises(AssertionError, match="temporary"):
        # What the library does by itself with a part of that size.
        Request({"wsgi.input": io.BytesIO()})._get_file_stream(1_000_000, "text/plain")
    uploaded(client, alice, LEASE * 1_500)


def test_a_repeat_gets_the_first_document(client: FlaskClient, alice: Player) -> None:
    keyed = {"Idempotency-Key": "upload-once-1"}
    first = send(client, alice, headers=keyed)
    second = send(client, alice, headers=keyed)
    assert (first.get_json(), first.status_code) == (second.get_json(), second.status_code)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert _rows(alice) == 1
    other = send(client, alice, LEASE + " ", headers=keyed)
    assert (other.status_code, other.get_json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")
    assert send(client, alice, headers={"Idempotency-Key": "short"}).status_code == 400


def test_a_child_does_not_meet_the_answer_of_its_master(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    keyed = {"Idempotency-Key": "upload-once-2"}
    sibling = Player("sibling", alice.account_id, "", "", *cast.key(alice.account_id))
    refs = {
        send(client, player, headers=keyed).get_json()["documentRef"]
        for player in (alice, cast.child(alice), sibling)
    }
    assert len(refs) == 3


def test_a_repeat_whose_answer_is_lost_reads_the_file_again(client: FlaskClient, alice: Player) -> None:
    keyed = {"Idempotency-Key": "upload-once-3"}
    first = send(client, alice, headers=keyed).get_json()["documentRef"]
    redis_client.client().delete(*redis_client.client().keys("answer:*"))
    second = send(client, alice, headers=keyed)
    assert second.status_code == 201
    assert second.get_json()["documentRef"] != first


def test_a_key_may_have_so_many_documents(
    client: FlaskClient, cast: Cast, alice: Player, monkeypatch: pytest.MonkeyPatch, ahead: Any
) -> None:
    monkeypatch.setattr(uploads, "DOCUMENTS_MAX", 3)
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: send(client.application.test_client(), alice).status_code, range(6)))
    assert sorted(found) == [201] * 3 + [429] * 3
    refused = send(client, alice)
    assert refused.get_json()["code"] == "DOCUMENT_LIMIT"
    assert refused.get_json()["details"] == {"limit": 3, "documents": 3}
    assert refused.headers["Retry-After"]
    assert len({name.split(":")[1] for name in _names()}) == 3, "nothing is left of those refused"
    assert send(client, cast.child(alice)).status_code == 201, "another key has its own"
    ahead(minutes=61)
    assert send(client, alice).status_code == 201, "what has expired does not count"


def test_an_account_may_take_up_so_much(
    client: FlaskClient, cast: Cast, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = settings.current().model_copy(update={"document_account_mb": 1})
    monkeypatch.setattr(settings, "current", lambda: small)
    assert send(client, alice, "x" * 400_000).status_code == 201
    for player in (alice, cast.child(alice)):
        refused = send(client, player, "x" * 400_000)
        assert (refused.status_code, refused.get_json()["code"]) == (429, "DOCUMENT_LIMIT")
    assert send(client, alice).status_code == 201
    assert send(client, cast.player("mallory"), "x" * 400_000).status_code == 201


def test_two_users_keep_a_document_until_the_last_of_them(
    app: Flask, client: FlaskClient, cast: Cast, alice: Player, ahead: Any
) -> None:
    ref = uuid.UUID(uploaded(client, alice)["documentRef"])
    caller, first, second = cast.caller(alice), uuid.uuid4(), uuid.uuid4()

    def until() -> timedelta:
        with db.reading() as session:
            return documents.find(session, caller, ref).expires_at - start

    start = clock.now()
    hour = timedelta(hours=1)
    with db.transaction() as session:
        for user, hours in ((first, 5), (second, 3)):
            documents.keep_until(
                session, caller, [ref, uuid.uuid4()], user=user,
                until=start + hours * hour, at_most=start + 2 * hours * hour, now=start,
            )  # fmt: skip
    assert until() == 5 * hour
    lives = [redis_client.client().ttl(name) for name in _names()]
    assert all(35_000 < seconds <= 36_000 for seconds in lives), lives
    with db.transaction() as session:
        documents.release(session, alice.account_id, user=first)
    assert until() == 3 * hour
    with db.transaction() as session:
        documents.settle(session, alice.account_id, user=second, until=start + 2 * hour)
        documents.settle(session, alice.account_id, user=first, until=start + 9 * hour)
    assert until() == 2 * hour, "who let go of it does not keep it again"
    ahead(minutes=119)
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 200
    with db.transaction() as session:
        documents.release(session, alice.account_id, user=second)
    assert client.get(f"{PATH}/{ref}", headers=alice.auth).status_code == 404


def test_nobody_keeps_the_document_of_another_key(client: FlaskClient, cast: Cast, alice: Player) -> None:
    made = uploaded(client, alice)
    later = clock.now() + timedelta(hours=9)
    for player in (cast.child(alice), cast.player("mallory")):
        with db.transaction() as session:
            documents.keep_until(
                session, cast.caller(player), [uuid.UUID(made["documentRef"])], user=uuid.uuid4(),
                until=later, at_most=later, now=clock.now(),
            )  # fmt: skip
    found = client.get(f"{PATH}/{made['documentRef']}", headers=alice.auth).get_json()
    assert found["expiresAt"] == made["expiresAt"]
