"""The audit trail is a chain: no record changes, disappears or is slipped in unnoticed."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
import sqlalchemy as sa

from app import governance
from app.platform import clock
from app.platform.postgres import db
from app.platform.processes.thread_pool import ContextPool
from tests.cast import Cast, Player


def _append(player: Player, **changed: Any) -> str:
    values: dict[str, Any] = {
        "analysis_id": uuid.uuid4(),
        "account_id": player.account_id,
        "api_key_id": player.key_id,
        "request_id": "req_test",
        "started_at": clock.now(),
        "finished_at": clock.now(),
        "jurisdiction": "ES",
        "branch": "civil",
        "language": "es",
        "mode": "standard",
        "models": ("rules",),
        "versions": {"engine": "1"},
        "redactions": {"ES_DNI": 2},
        "citations": {"verified": 1},
        "locks": {"L1": 3},
        "credits": 1,
        "document_hash": "0" * 64,
        "document_characters": 600,
        "analysis_hash": "1" * 64,
    }
    step = governance.appending(governance.Entry(**{**values, **changed}))
    return str(db.atomically(lambda session: session.take(step))[0])


def _verdict(player: Player) -> Any:
    with db.reading() as session:
        return governance.verify_chain(session, player.account_id)


def _tamper(statement: str, player: Player) -> None:
    """As somebody with full rights on the database could: the trigger is no wall against its owner."""
    with db.transaction() as session:
        session.execute(sa.text("SET LOCAL ROLE NONE"))
        session.execute(sa.text("ALTER TABLE audit_records DISABLE TRIGGER append_only"))
        session.execute(sa.text(statement), {"a": player.account_id})
        session.execute(sa.text("ALTER TABLE audit_records ENABLE TRIGGER append_only"))


def test_an_untouched_chain_is_valid_and_ends_in_its_head(cast: Cast) -> None:
    alice = cast.player()
    assert _verdict(alice).valid
    hashes = [_append(alice) for _ in range(5)]
    verdict = _verdict(alice)
    assert (verdict.valid, verdict.records, verdict.head) == (True, 5, hashes[-1])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_records SET content = content || '{\"credits\": 0}' WHERE account_id = :a AND seq = 2",
        "UPDATE audit_records SET seq = seq + 10 WHERE account_id = :a AND seq = 3",
        "UPDATE audit_records SET previous_hash = repeat('f', 64) WHERE account_id = :a AND seq = 3",
        "DELETE FROM audit_records WHERE account_id = :a AND seq = 2",
        "DELETE FROM audit_records WHERE account_id = :a AND seq = 4",
        "DELETE FROM audit_records WHERE account_id = :a",
    ],
)
def test_any_tampering_breaks_the_chain(cast: Cast, statement: str) -> None:
    alice = cast.player()
    for _ in range(4):
        _append(alice)
    _tamper(statement, alice)
    assert not _verdict(alice).valid


def test_one_tenants_chain_does_not_touch_anothers(cast: Cast) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    for _ in range(3):
        _append(alice)
        _append(mallory)
    _tamper("UPDATE audit_records SET hash = repeat('f', 64) WHERE account_id = :a", mallory)
    assert _verdict(alice).valid
    assert not _verdict(mallory).valid


def test_appends_at_once_leave_no_gap(cast: Cast) -> None:
    alice = cast.player()
    with ContextPool(8) as pool:
        list(pool.map(lambda _: _append(alice), range(40)))
    verdict = _verdict(alice)
    assert (verdict.valid, verdict.records) == (True, 40)


def test_records_refuse_change(cast: Cast) -> None:
    alice = cast.player()
    _append(alice)
    with pytest.raises(sa.exc.IntegrityError, match="append-only"), db.transaction() as session:
        session.execute(sa.text("DELETE FROM audit_records WHERE account_id = :a"), {"a": alice.account_id})
