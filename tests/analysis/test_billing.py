"""A charge of one trip to the database is made whole or not at all (decision 084)."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import credits, governance, idempotency
from app.analysis import billing
from app.analysis.result import AnalysisResult, AuditRecord
from app.credits.errors import HoldExpired
from app.idempotency import claims
from app.idempotency.errors import ClaimLost
from app.platform import clock
from app.platform.postgres import db, pg_pipeline, rls
from app.tenancy import Caller
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/analyze"


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The statements of each trip to the database, but for those that name the tenant."""
    real = pg_pipeline.exchange
    made: list[list[str]] = []

    def exchanged(connection: Any, statements: Sequence[Any], **more: Any) -> Any:
        made.append([sql.split()[0] for sql, _ in statements if "set_config" not in sql])
        return real(connection, statements, **more)

    monkeypatch.setattr(pg_pipeline, "exchange", exchanged)
    return made


def _claim(caller: Caller, amount: int = 1) -> idempotency.Claim:
    with db.statements() as session:
        return claims.begin(
            session,
            caller.account_id,
            PATH,
            uuid.uuid4().hex,
            b"body",
            now=clock.now(),
            lease_s=20,
            taking=billing.holding(caller, amount),
        )


def _result(caller: Caller) -> AnalysisResult:
    """An analysis that succeeded: of it a charge reads the record alone."""
    entry = governance.Entry(
        analysis_id=uuid.uuid4(), account_id=caller.account_id, api_key_id=caller.key_id,
        request_id="req_billing", started_at=clock.now(), finished_at=clock.now(), jurisdiction="ES",
        branch="civil", language="es", mode="standard", models=("rules",), versions={},
        redactions={"ES_DNI": 1},
        citations=dict.fromkeys(
            ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending"), 0
        ),
        locks={}, credits=1, document_hash="0" * 64, document_characters=1, analysis_hash="0" * 64,
    )  # fmt: skip
    return cast(AnalysisResult, SimpleNamespace(record=AuditRecord(entry, 0)))


def _settle(caller: Caller, hold: uuid.UUID, claim: idempotency.Claim) -> None:
    reference = billing.ChargeReference("analyze", "analysis", uuid.uuid4(), "analyze (standard)")
    billing.settle(caller, [_result(caller)], reference, hold=hold, claim=claim)


def _rows(player: Player) -> tuple[int, int, int]:
    """How many charges, audit records and redactions the account has."""
    counted = (
        "(SELECT count(*) FROM credit_ledger WHERE account_id = :a AND kind = 'consumption')",
        "(SELECT count(*) FROM audit_records WHERE account_id = :a)",
        "(SELECT count(*) FROM redaction_events WHERE account_id = :a)",
    )
    with db.reading() as session:
        found = session.execute(sa.text(f"SELECT {', '.join(counted)}"), {"a": player.account_id}).one()
    return cast(tuple[int, int, int], tuple(found))


@pytest.fixture
def caller(alice: Player) -> Caller:
    return Cast.caller(alice)


def test_a_charge_takes_one_trip_and_writes_everything(
    cast: Cast, alice: Player, caller: Caller, trips: list[list[str]]
) -> None:
    claim = _claim(caller)
    assert len(trips) == 1
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 1)
    trips.clear()
    _settle(caller, claim.taken.id, claim)
    assert len(trips) == 1
    assert "COMMIT" not in trips[0]
    assert _rows(alice) == (1, 1, 1)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (99, 0)
    with db.statements() as session:
        again = claims.begin(
            session, caller.account_id, PATH, claim.key, b"body", now=clock.now(), lease_s=20
        )
    assert again.outcome is claims.Outcome.REPLAY


def test_a_hold_that_is_gone_leaves_nothing_written(cast: Cast, alice: Player, caller: Caller) -> None:
    claim = _claim(caller)
    with db.statements() as session:
        credits.release(session, caller.account_id, claim.taken.id)
    with pytest.raises(HoldExpired):
        _settle(caller, claim.taken.id, claim)
    assert _rows(alice) == (0, 0, 0)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_a_claim_and_a_hold_that_a_crash_undid_leave_nothing_written(
    cast: Cast, alice: Player, caller: Caller
) -> None:
    claim = _claim(caller)
    with db.statements() as session:
        claims.forget(session, claim)
        credits.release(session, caller.account_id, claim.taken.id)
    with pytest.raises((HoldExpired, ClaimLost)):
        _settle(caller, claim.taken.id, claim)
    assert _rows(alice) == (0, 0, 0)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)
    # Who asks again is charged once.
    again = _claim(caller)
    _settle(caller, again.taken.id, again)
    assert (cast.balance(alice).balance, _rows(alice)) == (99, (1, 1, 1))


def test_a_claim_that_another_took_over_leaves_nothing_written(
    cast: Cast, alice: Player, caller: Caller
) -> None:
    claim = _claim(caller)
    with db.statements() as session:
        later = clock.now() + timedelta(seconds=60)
        other = claims.begin(session, caller.account_id, PATH, claim.key, b"body", now=later, lease_s=20)
    assert other.outcome is claims.Outcome.RUN
    with pytest.raises(ClaimLost):
        _settle(caller, claim.taken.id, claim)
    assert _rows(alice) == (0, 0, 0)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 1)


def test_a_charge_that_falls_below_the_threshold_is_announced_with_it(
    alice: Player, caller: Caller, trips: list[list[str]]
) -> None:
    with db.transaction() as session:
        credits.set_threshold(session, caller.account_id, 100)
    for _ in range(2):
        claim = _claim(caller)
        trips.clear()
        _settle(caller, claim.taken.id, claim)
    # The second is one trip again.
    assert len(trips) == 1
    assert _rows(alice) == (2, 2, 2)
    with db.reading() as session:
        told = session.scalar(
            sa.text("SELECT count(*) FROM events WHERE account_id = :a AND type = 'credits.low'"),
            {"a": alice.account_id},
        )
    assert told == 1


def test_a_claim_that_is_not_won_holds_nothing(cast: Cast, alice: Player, caller: Caller) -> None:
    claim = _claim(caller)
    with db.statements() as session:
        other = claims.begin(
            session, caller.account_id, PATH, claim.key, b"body", now=clock.now(), lease_s=20,
            taking=billing.holding(caller, 1),
        )  # fmt: skip
    assert (other.outcome, other.taken) == (claims.Outcome.WAIT, None)
    assert cast.balance(alice).held == 1


def test_what_the_balance_does_not_cover_is_not_held_with_the_claim(
    cast: Cast, alice: Player, caller: Caller
) -> None:
    assert _claim(caller, 101).taken is None
    assert cast.balance(alice).held == 0


def test_another_price_than_was_held_is_held_anew(cast: Cast, alice: Player, caller: Caller) -> None:
    claim = _claim(caller, 2)
    with billing.credit_hold(caller, 1, now=clock.now(), ttl_s=60, claim=claim) as hold:
        assert hold != claim.taken.id
        assert cast.balance(alice).held == 1


def test_a_tenant_holds_nothing_of_another(cast: Cast, alice: Player, caller: Caller) -> None:
    mallory = cast.player("mallory")
    now = clock.now()
    with rls.acting_for(mallory.account_id), db.statements() as session:
        step = credits.holding(
            alice.account_id, 1, api_key_id=alice.key_id, now=now, ttl_s=60, when=db.Condition("true", {})
        )
        assert session.take(step) == [None]
    assert cast.balance(alice).held == 0


@pytest.mark.parametrize(
    "body",
    [{"text": "Demasiado corto."}, {"documentRef": str(uuid.uuid4())}, {"text": LEASE, "jurisdiction": "XX"}],
)
def test_a_request_that_is_refused_after_its_claim_holds_nothing(
    client: FlaskClient, cast: Cast, alice: Player, body: dict[str, str]
) -> None:
    headers = {**alice.auth, "Idempotency-Key": uuid.uuid4().hex}
    answer = client.post(PATH, json=body, headers=headers)
    assert answer.status_code in (400, 404, 422), answer.text
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_a_key_that_fails_in_its_work_holds_nothing(
    client: FlaskClient, cast: Cast, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("in the middle of the work")

    monkeypatch.setattr("app.analysis.pipeline.analyse", broken)
    headers = {**alice.auth, "Idempotency-Key": uuid.uuid4().hex}
    assert client.post(PATH, json={"text": LEASE}, headers=headers).status_code == 500
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_an_analysis_with_a_key_makes_four_trips(
    client: FlaskClient, alice: Player, trips: list[list[str]]
) -> None:
    """Who calls; claim and hold; the law that is cited; everything that a success writes."""

    def one() -> Any:
        headers = {**alice.auth, "Idempotency-Key": uuid.uuid4().hex}
        return client.post(PATH, json={"text": LEASE}, headers=headers)

    assert one().status_code == 200
    trips.clear()
    assert one().status_code == 200
    assert len(trips) == 4, trips


def test_charges_that_wait_for_one_another_are_each_made_once(
    cast: Cast, alice: Player, caller: Caller, trips: list[list[str]]
) -> None:
    wrong = 5
    claimed = [_claim(caller) for _ in range(16)]
    with db.statements() as session:
        credits.release(session, caller.account_id, claimed[wrong].taken.id)
    trips.clear()
    start = threading.Barrier(len(claimed))
    outcomes: dict[int, HoldExpired | None] = {}

    def charge(number: int) -> None:
        rls.enter(caller.account_id)
        start.wait(20)
        try:
            _settle(caller, claimed[number].taken.id, claimed[number])
            outcomes[number] = None
        except HoldExpired as error:
            outcomes[number] = error

    threads = [threading.Thread(target=charge, args=(number,)) for number in range(len(claimed))]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert isinstance(outcomes.pop(wrong), HoldExpired)
    assert outcomes == dict.fromkeys(set(range(len(claimed))) - {wrong})
    done = len(claimed) - 1
    assert _rows(alice) == (done, done, done)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100 - done, 0)
    with db.reading() as session:
        assert governance.verify_chain(session, caller.account_id).valid
