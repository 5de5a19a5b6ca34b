"""Credits are never overspent, and the balance is always the sum of the ledger."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from app import credits
from app.credits.errors import HoldExpired, InsufficientCredits
from app.platform import clock
from app.platform.errors import Invalid, NotFound
from app.platform.postgres import db
from app.platform.processes.thread_pool import ContextPool
from tests.cast import Cast, Player


def _hold(player: Player, amount: int, ttl_s: int = 60) -> uuid.UUID:
    with db.transaction() as session:
        return credits.hold(
            session, player.account_id, amount, api_key_id=player.key_id, now=clock.now(), ttl_s=ttl_s
        )


def _capture(player: Player, hold: uuid.UUID, amount: int) -> int:
    with db.together() as session:
        (charge,) = session.take(
            credits.capturing(
                player.account_id,
                hold,
                amount,
                now=clock.now(),
                operation="analyze",
                reference_type="test",
                reference_id="1",
            )
        )
    return int(charge.balance)


def _release(player: Player, hold: uuid.UUID) -> None:
    with db.transaction() as session:
        credits.release(session, player.account_id, hold)


def _ledger_sum(player: Player) -> int:
    with db.reading() as session:
        return int(
            session.execute(
                sa.text("SELECT coalesce(sum(amount), 0) FROM credit_ledger WHERE account_id = :a"),
                {"a": player.account_id},
            ).scalar_one()
        )


def test_a_hundred_and_fifty_callers_at_once_hold_exactly_what_there_is(cast: Cast) -> None:
    alice = cast.player(credit=40)

    def attempt(_: int) -> bool:
        try:
            _capture(alice, _hold(alice, 1), 1)
        except InsufficientCredits:
            return False
        return True

    with ContextPool(12) as pool:
        granted = sum(pool.map(attempt, range(150)))
    assert granted == 40
    assert cast.balance(alice) == credits.Balance(0, 0, 20)
    assert _ledger_sum(alice) == 0


def test_a_capture_below_the_hold_gives_the_rest_back(cast: Cast) -> None:
    alice = cast.player(credit=10)
    hold = _hold(alice, 6)
    assert cast.balance(alice).available == 4
    assert _capture(alice, hold, 2) == 8
    assert cast.balance(alice) == credits.Balance(8, 0, 20)


def test_a_capture_of_nothing_writes_no_row(cast: Cast) -> None:
    alice = cast.player(credit=10)
    assert _capture(alice, _hold(alice, 6), 0) == 10
    assert cast.balance(alice) == credits.Balance(10, 0, 20)


def test_a_hold_is_captured_once(cast: Cast) -> None:
    alice = cast.player(credit=10)
    hold = _hold(alice, 1)
    _capture(alice, hold, 1)
    with pytest.raises(HoldExpired):
        _capture(alice, hold, 1)
    assert cast.balance(alice).balance == 9


def test_more_than_was_held_cannot_be_captured(cast: Cast) -> None:
    alice = cast.player(credit=10)
    hold = _hold(alice, 1)
    with pytest.raises(HoldExpired):
        _capture(alice, hold, 2)
    assert cast.balance(alice) == credits.Balance(10, 1, 20)


def test_mallory_cannot_capture_or_release_alices_hold(cast: Cast) -> None:
    alice, mallory = cast.player("alice", credit=10), cast.player("mallory", credit=10)
    hold = _hold(alice, 3)
    with pytest.raises(HoldExpired):
        _capture(mallory, hold, 3)
    _release(mallory, hold)
    assert cast.balance(alice).held == 3


def test_a_hold_that_expired_cannot_be_captured_and_is_swept(cast: Cast) -> None:
    alice = cast.player(credit=10)
    hold = _hold(alice, 4, ttl_s=-1)
    with pytest.raises(HoldExpired):
        _capture(alice, hold, 4)
    with db.transaction() as session:
        assert credits.release_expired(session, now=clock.now() + timedelta(seconds=1)) >= 1
    assert cast.balance(alice) == credits.Balance(10, 0, 20)
    _release(alice, hold)
    assert cast.balance(alice).held == 0


def test_the_ledger_cannot_be_rewritten(cast: Cast) -> None:
    alice = cast.player(credit=10)
    for statement in (
        "UPDATE credit_ledger SET amount = 99 WHERE account_id = :a",
        "DELETE FROM credit_ledger WHERE account_id = :a",
    ):
        with pytest.raises(sa.exc.IntegrityError, match="append-only"), db.transaction() as session:
            session.execute(sa.text(statement), {"a": alice.account_id})


def test_the_database_itself_refuses_a_negative_balance(cast: Cast) -> None:
    alice = cast.player(credit=10)
    with pytest.raises(sa.exc.IntegrityError), db.transaction() as session:
        session.execute(
            sa.text("UPDATE credit_balances SET balance = -1 WHERE account_id = :a"), {"a": alice.account_id}
        )


@pytest.mark.parametrize("amount", [0, -5, 1_000_000_001])
def test_a_grant_of_nothing_or_too_much_is_refused(cast: Cast, amount: int) -> None:
    alice = cast.player()
    with pytest.raises(Invalid), db.transaction() as session:
        credits.grant(session, alice.account_id, amount, now=clock.now())


def test_an_unknown_account_has_no_credits(cast: Cast) -> None:
    with pytest.raises(NotFound), db.reading() as session:
        credits.balance(session, uuid.uuid4())


@hypothesis_settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.tuples(st.sampled_from(["hold", "capture", "release"]), st.integers(1, 5)), max_size=25)
)
def test_whatever_happens_balance_and_holds_agree_with_the_ledger(
    cast: Cast, steps: list[tuple[str, int]]
) -> None:
    alice = cast.player(credit=12)
    held: dict[uuid.UUID, int] = {}
    for step, amount in steps:
        if step == "hold":
            try:
                held[_hold(alice, amount)] = amount
            except InsufficientCredits:
                assert amount > cast.balance(alice).available
        elif held:
            hold, reserved = held.popitem()
            if step == "capture":
                _capture(alice, hold, min(amount, reserved))
            else:
                _release(alice, hold)
        now = cast.balance(alice)
        assert now.held == sum(held.values())
        assert now.balance == _ledger_sum(alice) >= 0
