"""Documents of long periods: ordered, made by a worker whatever dies, complete, sealed, forgotten in time."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import uuid
from collections.abc import Iterator
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
import rfc8785
import sqlalchemy as sa
from pypdf import PdfReader

from app import branding, governance
from app.dev.system_packages import PDF
from app.governance.documents import audit_document, export_requests, leases, pdf_worker
from app.governance.documents.attachments import AttachmentWriter
from app.governance.models import AuditDocument
from app.platform import clock, redis_client, settings
from app.platform.errors import Conflict, Exhausted, Invalid, NotFound, Upstream
from app.platform.postgres import db, rls
from tests.cast import Cast, Player
from tests.portal.conftest import analysed

pytestmark = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture(autouse=True)
def nothing_waits(app: object) -> Iterator[None]:
    """What another test left would be made first."""
    yield
    with db.transaction() as session:
        session.execute(sa.delete(AuditDocument))


def ordered(player: Player, *, days: int = 30, flagged: bool = False, language: Any = "en") -> AuditDocument:
    today = clock.today()
    with rls.acting_for(player.account_id), db.transaction() as session:
        return governance.order(
            session,
            player.account_id,
            today - timedelta(days=days),
            today,
            key_id=None,
            flagged=flagged,
            language=language,
            now=clock.now(),
        )


def found(player: Player, document: AuditDocument) -> AuditDocument:
    with rls.acting_for(player.account_id), db.reading() as session:
        one = governance.find(session, player.account_id, document.id)
        session.expunge(one)
        return one


def file(player: Player, document: AuditDocument) -> bytes:
    parts = governance.file_of(found(player, document), now=clock.now())
    assert parts is not None
    return b"".join(parts)


def text_of(raw: bytes) -> str:
    pages = PdfReader(io.BytesIO(raw)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


def age(document: AuditDocument, **columns: timedelta) -> None:
    """Move moments of the row into the past."""
    with db.transaction() as session:
        row = session.get_one(AuditDocument, document.id)
        for name, by in columns.items():
            setattr(row, name, getattr(row, name) - by)


def test_a_worker_makes_what_was_ordered(alice: Player) -> None:
    entries = [analysed(alice, ago=timedelta(days=days)) for days in (40, 9, 8)]
    document = ordered(alice)
    assert (document.status, document.records) == ("pending", 2)
    assert governance.file_of(document, now=clock.now()) is None
    assert governance.make_due("w1")
    made = found(alice, document)
    assert (made.status, made.records, made.attempt, made.stage) == ("ready", 2, 1, None)
    raw = file(alice, document)
    assert len(raw) == made.size
    reader = PdfReader(io.BytesIO(raw))
    xmp = reader.trailer["/Root"]["/Metadata"].get_data().decode()
    assert 'pdfaid:part="3"' in xmp
    assert 'pdfaid:conformance="U"' in xmp
    related = [one.get_object() for one in reader.trailer["/Root"]["/AF"]]
    assert [(one["/UF"], one["/AFRelationship"]) for one in related] == [
        ("audit_records.json", "/Source"),
        ("audit_records.csv", "/Alternative"),
    ]
    text = text_of(raw)
    for words in (
        "3 hashes were recomputed",
        "2 to 3, 2 records",
        entries[1].document_hash,
        "Commercial law",
        "ES_DNI × 2",
        "verified × 3",
        "test key",
        "Deep",
        "2 credits",
        "rules",
    ):
        assert words in text, words
    assert not governance.make_due("w1"), "nothing is left to do"


def test_the_attached_records_prove_the_chain_and_open_in_a_spreadsheet(alice: Player) -> None:
    for days in (3, 2, 1):
        analysed(alice, ago=timedelta(days=days), citations={"verified": days, "not_found": 1})
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE api_keys SET name = '=HYPERLINK(1)' WHERE id = :id"), {"id": alice.key_id}
        )
    document = ordered(alice)
    governance.make_due("w1")
    attached = PdfReader(io.BytesIO(file(alice, document))).attachments
    records = json.loads(attached["audit_records.json"][0])["records"]
    previous = "0" * 64
    for record in records:
        canonical = rfc8785.dumps(record["content"]).decode()
        digest = hashlib.sha256(f"{previous}:{record['seq']}:{canonical}".encode()).hexdigest()
        assert (record["previousHash"], record["hash"]) == (previous, digest)
        previous = digest
    sheet = list(csv.DictReader(io.StringIO(attached["audit_records.csv"][0].decode("utf-8-sig"))))
    assert [row["record_sha256"] for row in sheet] == [record["hash"] for record in records]
    assert sheet[0]["citations"] == "verified=3; not_found=1"
    assert sheet[0]["key_name"] == "'=HYPERLINK(1)"


def test_of_a_long_period_paper_lists_what_is_flagged_and_the_files_hold_everything(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_document, "LISTED_MAX", 2)
    entries = [
        analysed(
            alice, ago=timedelta(days=9 - n), citations={"verified": 1, "not_found": int(n in (0, 2, 5, 6))}
        )
        for n in range(8)
    ]
    document = ordered(alice)
    governance.make_due("w1")
    raw = file(alice, document)
    text = text_of(raw)
    assert "the newest 2 of the 4 with a broken citation; all 8 of the period" in text
    assert text.count("Hash of the record ") == 2
    assert len(json.loads(PdfReader(io.BytesIO(raw)).attachments["audit_records.json"][0])["records"]) == 8
    assert entries[0].request_id not in text


def test_what_is_held_of_a_long_period_does_not_grow_with_it() -> None:
    content = {
        "finishedAt": "2026-01-01T00:00:00Z", "startedAt": "2026-01-01T00:00:00Z", "apiKeyId": "k",
        "analysisId": "a", "requestId": "r", "jurisdiction": "ES", "legalBranch": "civil", "language": "es",
        "mode": "deep", "models": ["rules"], "versions": {}, "locks": {"L1": 1}, "redactions": {},
        "citations": {"not_found": 1}, "findings": {}, "credits": 2, "documentCharacters": 9,
        "documentHash": "d", "analysisHash": "a",
    }  # fmt: skip
    collected = audit_document.PeriodRecords(AttachmentWriter({}))
    for seq in range(1, 5_001):
        record = SimpleNamespace(
            id=uuid.UUID(int=seq), seq=seq, at=clock.now(), content=content, previous_hash="p", hash="h"
        )
        collected.consider(record, None)
    assert not collected.complete
    assert [record.seq for record in collected.listed] == list(range(4_751, 5_001))
    assert len(collected._all) + len(collected._flagged) <= 4 * audit_document.LISTED_MAX
    assert collected.digest.whole.analyses == collected.digest.whole.flagged == 5_000


def test_what_a_dead_worker_had_goes_on_with_another_and_the_dead_one_writes_no_more(alice: Player) -> None:
    analysed(alice)
    document = ordered(alice)
    dead = db.atomically(lambda session: leases.take(session, worker="dead", now=clock.now()))
    assert dead is not None
    assert not governance.make_due("w2"), "its lease still runs"
    governance.release("dead")
    assert governance.make_due("w2")
    assert (found(alice, document).status, found(alice, document).attempt) == ("ready", 2)
    kept = pdf_worker.file_store.keep(dead.id, dead.attempt, b"%PDF late", ttl_s=60)
    assert not db.atomically(
        lambda session: leases.complete(session, dead, kept, records=0, expires=clock.now(), now=clock.now())
    )
    assert not db.atomically(lambda session: leases.QUEUE.renew(session, dead.lease, now=clock.now()))
    assert file(alice, document).startswith(b"%PDF-1.7")


def test_three_workers_that_died_over_it_end_it_and_it_can_be_made_again(alice: Player) -> None:
    analysed(alice)
    document = ordered(alice)
    for number in range(leases.QUEUE.attempts):
        assert db.atomically(lambda session: leases.take(session, worker="w", now=clock.now())), number
        governance.release("w")
    assert not governance.make_due("w4")
    failed = found(alice, document)
    assert (failed.status, failed.error_code) == ("failed", "ATTEMPTS_EXHAUSTED")
    with rls.acting_for(alice.account_id), db.transaction() as session:
        anew = governance.again(session, alice.account_id, document.id, now=clock.now())
    with pytest.raises(NotFound):
        found(alice, document)
    assert governance.make_due("w4")
    assert found(alice, anew).status == "ready"
    with rls.acting_for(alice.account_id), db.transaction() as session, pytest.raises(Conflict):
        governance.again(session, alice.account_id, anew.id, now=clock.now())


def test_a_worker_that_is_told_to_stop_gives_back_what_it_has(alice: Player) -> None:
    analysed(alice)
    document = ordered(alice)
    assert governance.make_due("w1", stopping=lambda: True)
    assert found(alice, document).status == "pending"
    assert governance.make_due("w2")
    assert found(alice, document).status == "ready"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (redis_client.Unavailable("away"), "pending", None),
        (Upstream("busy"), "pending", None),
        (RuntimeError("a client's words"), "failed", "INTERNAL_ERROR"),
        (Invalid("too many", code="TOO_MANY_RECORDS"), "failed", "TOO_MANY_RECORDS"),
    ],
)
def test_what_passes_is_tried_again_and_what_does_not_is_said(
    alice: Player,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    error: Exception,
    status: str,
    code: str | None,
) -> None:
    def fails(*_: object, **__: object) -> bytes:
        raise error

    monkeypatch.setattr(pdf_worker, "period_document", fails)
    document = ordered(alice)
    assert governance.make_due("w1")
    ended = found(alice, document)
    assert (ended.status, ended.error_code) == (status, code)
    assert not governance.make_due("w1"), "it rests before the next attempt"
    assert "a client's words" not in capfd.readouterr().err


def test_progress_is_told_while_it_is_made(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        analysed(alice)
    monkeypatch.setattr(pdf_worker, "_TELL_EVERY_S", 0.0)
    heard: list[tuple[str, int, int]] = []
    whole = leases.progress

    def listening(session: Any, claim: Any, stage: Any, done: int, total: int) -> bool:
        heard.append((stage, done, total))
        return whole(session, claim, stage, done, total)

    monkeypatch.setattr(leases, "progress", listening)
    ordered(alice)
    governance.make_due("w1")
    assert heard == [("chain", 3, 3), ("pages", 0, 0)]


def test_a_broken_chain_is_said_on_paper(alice: Player) -> None:
    analysed(alice)
    forged = analysed(alice)
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(
            "UPDATE audit_records SET content = jsonb_set(content, '{credits}', '9') WHERE id = %s",
            [forged.analysis_id],
        )
    document = ordered(alice, language="es")
    governance.make_due("w1")
    text = text_of(file(alice, document))
    assert f"el contenido del registro de la posición 2 ({forged.analysis_id}) no es el de su huella" in text
    assert "2: contenido cambiado" in text


def test_it_bears_the_partners_name_and_the_words_of_its_language(cast: Cast, alice: Player) -> None:
    with db.transaction() as session:
        body = {
            "branding": "partner",
            "partner_brand_name": "Bufete Aldaba",
            "partner_legal_name": "Aldaba SLP",
        }
        branding.save(session, cast.caller(alice), body, now=clock.now())
    analysed(alice)
    document = ordered(alice, language="es")
    governance.make_due("w1")
    raw = file(alice, document)
    text = text_of(raw)
    for words in ("Bufete Aldaba", "Aldaba SLP", "Cómo comprobarlo", "verificada × 3", "Profundo"):
        assert words in text, words
    assert PdfReader(io.BytesIO(raw)).trailer["/Root"]["/Lang"] == "es"


def test_the_file_is_sealed_and_neither_store_alone_shows_it(alice: Player) -> None:
    analysed(alice)
    document = ordered(alice)
    governance.make_due("w1")
    names = list(redis_client.client().scan_iter(match="audit:*"))
    assert len(names) == found(alice, document).parts
    for name in names:
        sealed = redis_client.client().get(name)
        assert isinstance(sealed, bytes)
        assert b"%PDF" not in sealed
        assert 0 < redis_client.client().ttl(name) <= 24 * 3600
    other = ordered(alice, days=3)
    governance.make_due("w1")
    mixed = found(alice, document)
    mixed.file_key = found(alice, other).file_key
    assert governance.file_of(mixed, now=clock.now()) is None, "a key opens its own document only"


def test_its_key_is_destroyed_when_its_time_is_over_and_the_row_later(alice: Player) -> None:
    document = ordered(alice)
    governance.make_due("w1")
    age(document, expires_at=timedelta(hours=25))
    assert governance.file_of(found(alice, document), now=clock.now()) is None
    db.atomically(lambda session: governance.sweep(session, now=clock.now()))
    assert (found(alice, document).status, found(alice, document).file_key) == ("expired", None)
    age(document, completed_at=timedelta(days=31))
    db.atomically(lambda session: governance.sweep(session, now=clock.now()))
    with pytest.raises(NotFound):
        found(alice, document)


def test_one_that_nobody_takes_within_a_day_fails(alice: Player) -> None:
    document = ordered(alice)
    age(document, created_at=timedelta(days=1, seconds=1))
    db.atomically(lambda session: governance.sweep(session, now=clock.now()))
    assert (found(alice, document).status, found(alice, document).error_code) == ("failed", "NOT_TAKEN")


def test_the_same_order_is_made_once_and_too_many_are_refused(alice: Player) -> None:
    first = ordered(alice)
    assert ordered(alice).id == first.id
    ordered(alice, flagged=True)
    ordered(alice, language="es")
    with pytest.raises(Exhausted):
        ordered(alice, days=2)


def test_a_period_with_more_than_a_document_holds_is_refused(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_requests, "RECORDS_MAX", 2)
    for _ in range(3):
        analysed(alice)
    with pytest.raises(Invalid, match="at most 2 analyses") as refused:
        ordered(alice)
    assert (refused.value.status, refused.value.details) == (422, {"max": 2})


def test_days_in_the_wrong_order_and_a_strangers_key_are_refused(cast: Cast, alice: Player) -> None:
    mallory = cast.player("mallory")
    for first, last, key, error in (
        (date(2026, 2, 1), date(2026, 1, 1), None, Invalid),
        (date(2026, 1, 1), date(2026, 2, 1), mallory.key_id, NotFound),
        (date(2026, 1, 1), date(2026, 2, 1), uuid.uuid4(), NotFound),
    ):
        with rls.acting_for(alice.account_id), db.transaction() as session, pytest.raises(error):
            governance.order(
                session,
                alice.account_id,
                first,
                last,
                key_id=key,
                flagged=False,
                language="es",
                now=clock.now(),
            )


def test_a_document_holds_the_accounts_own_records_and_mallory_cannot_find_it(
    cast: Cast, alice: Player
) -> None:
    mallory = cast.player("mallory")
    theirs = analysed(mallory)
    mine = analysed(alice)
    document = ordered(alice)
    governance.make_due("w1")
    attached = PdfReader(io.BytesIO(file(alice, document))).attachments["audit_records.json"][0].decode()
    assert str(mine.analysis_id) in attached
    assert str(theirs.analysis_id) not in attached
    with rls.acting_for(mallory.account_id), db.reading() as session:
        assert list(governance.listing(session, mallory.account_id)) == []
        with pytest.raises(NotFound):
            governance.find(session, mallory.account_id, document.id)


def test_of_a_long_chain_the_stretch_around_an_analysis_is_recomputed(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.governance import chain
    from app.governance.documents import sync_export

    for _ in range(9):
        analysed(alice)
    monkeypatch.setattr(sync_export, "CHAIN_MAX", 5)
    monkeypatch.setattr(chain, "STRETCH", 2)
    with rls.acting_for(alice.account_id):
        text = text_of(governance.analysis_document(alice.account_id, 5, language="en", now=clock.now()))
        assert "Intact between positions 3 and 7 of 9: 5 hashes were recomputed" in text
        assert "5 of 9" in text
        assert (
            governance.period_at_once(
                alice.account_id,
                clock.today(),
                clock.today(),
                key_id=None,
                flagged=False,
                language="en",
                now=clock.now(),
            )
            is None
        )
        with db.reading() as session:
            for seq in (1, 2, 8, 9):
                assert governance.verify_chain(session, alice.account_id, around=seq).valid
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("DELETE FROM audit_records WHERE account_id = %s AND seq = 4", [alice.account_id])
    with rls.acting_for(alice.account_id), db.reading() as session:
        assert not governance.verify_chain(session, alice.account_id, around=5).valid
        assert not governance.verify_chain(session, alice.account_id, around=7).valid
        assert governance.verify_chain(session, alice.account_id, around=8).valid
