"""One execution and one charge for each key, whatever races, fails or dies (decision 025)."""

from __future__ import annotations

import threading
import time

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from app import idempotency
from app.idempotency import claims, leases
from app.idempotency.errors import ClaimLost, KeyReused, StillRunning
from app.platform import clock, redis_client, settings
from app.platform.postgres import db
from app.platform.processes.thread_pool import ContextPool
from tests.cast import Cast, Player

ROUTE = "POST /test"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=12,
)


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


class Work:
    """Counts how often it ran; completes its claim as a charging transaction would."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.runs = 0
        self.free = 0
        self._seconds = seconds
        self._lock = threading.Lock()

    def __call__(self, claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        with self._lock:
            self.runs += 1
            self.free += bool(claim and claim.free)
        time.sleep(self._seconds)
        if claim is not None:
            with db.together() as session:
                session.take(idempotency.completing(claim, now=clock.now()))
        return idempotency.StoredAnswer(200, {"X-A": "b"}, f"run {self.runs} «ñ»".encode())


def _once(
    player: Player, key: str | None, work: Work, body: dict[str, object] | None = None
) -> tuple[bytes, bool]:
    stored, replayed = idempotency.once(Cast.caller(player), ROUTE, key, body or {"a": 1}, work)
    return stored.body, replayed


def test_fifty_callers_run_once_and_get_equal_bytes(alice: Player) -> None:
    work = Work(seconds=0.2)
    with ContextPool(50) as pool:
        answers = list(pool.map(lambda _: _once(alice, "same-key-1", work), range(50)))
    assert work.runs == 1
    assert len({body for body, _ in answers}) == 1
    assert sum(not replayed for _, replayed in answers) == 1


def test_without_a_key_every_call_runs(alice: Player) -> None:
    work = Work()
    assert [_once(alice, None, work)[1] for _ in range(3)] == [False] * 3
    assert work.runs == 3


def test_another_body_under_the_same_key_is_a_conflict(alice: Player) -> None:
    work = Work()
    _once(alice, "same-key-2", work, {"a": {"b": [1, 2]}})
    with pytest.raises(KeyReused):
        _once(alice, "same-key-2", work, {"a": {"b": [2, 1]}})
    assert work.runs == 1


def test_one_tenants_key_is_not_anothers(cast: Cast, alice: Player) -> None:
    work = Work()
    _once(alice, "same-key-3", work)
    assert _once(cast.player("mallory"), "same-key-3", work, {"other": 1})[1] is False
    assert work.runs == 2


def test_a_failure_frees_the_key(alice: Player) -> None:
    def fails(_: idempotency.Claim | None) -> idempotency.StoredAnswer:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        idempotency.once(Cast.caller(alice), ROUTE, "same-key-4", {"a": 1}, fails)
    work = Work()
    assert _once(alice, "same-key-4", work, {"another": "body"})[1] is False


def test_a_lost_answer_runs_again_free_and_once(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_S", 0.2)
    work = Work()
    _once(alice, "same-key-5", work)
    redis_client.client().flushdb()
    time.sleep(0.25)
    again = Work(seconds=0.1)
    with ContextPool(10) as pool:
        answers = list(pool.map(lambda _: _once(alice, "same-key-5", again), range(10)))
    assert (again.runs, again.free) == (1, 1)
    assert len({body for body, _ in answers}) == 1


def test_a_key_of_a_process_that_died_is_taken_over_and_the_dead_cannot_charge(alice: Player) -> None:
    digest = claims.body_hash({"a": 1})
    with db.transaction() as session:
        dead = claims.begin(
            session, alice.account_id, ROUTE, "same-key-6", digest, now=clock.now(), lease_s=-1
        )
    work = Work()
    assert _once(alice, "same-key-6", work)[1] is False
    assert work.runs == 1
    with pytest.raises(ClaimLost), db.together() as session:
        session.take(idempotency.completing(dead, now=clock.now()))


def test_a_repeat_gives_up_after_the_stated_wait(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    short = settings.load(
        idempotency_wait_s=0.1,
        **{
            name: getattr(settings.current(), name).get_secret_value()
            for name in ("database_url", "redis_url", "secret_key")
        },
    )
    monkeypatch.setattr("app.idempotency.execution.settings.current", lambda: short)
    started, finish = threading.Event(), threading.Event()

    def slow(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        started.set()
        finish.wait(10)
        return Work()(claim)

    with ContextPool(1) as pool:
        first = pool.submit(idempotency.once, Cast.caller(alice), ROUTE, "same-key-7", {"a": 1}, slow)
        started.wait(10)
        with pytest.raises(StillRunning):
            _once(alice, "same-key-7", Work())
        finish.set()
        assert first.result()[1] is False


def test_a_lease_is_kept_alive_while_its_work_runs(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_S", 0.3)
    monkeypatch.setattr(leases.RENEWER, "every_s", 0.05)
    monkeypatch.setattr(leases.RENEWER, "_thread", None)
    work = Work(seconds=1.0)
    with ContextPool(5) as pool:
        list(pool.map(lambda _: _once(alice, "same-key-8", work), range(5)))
    assert work.runs == 1


def test_after_a_day_the_key_is_new(alice: Player) -> None:
    work = Work()
    _once(alice, "same-key-9", work)
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE idempotency_records SET expires_at = now() - interval '1 s' WHERE account_id = :a"
            ),
            {"a": alice.account_id},
        )
    assert _once(alice, "same-key-9", work, {"new": "body"})[1] is False
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE idempotency_records SET expires_at = now() - interval '1 s' WHERE account_id = :a"
            ),
            {"a": alice.account_id},
        )
        assert idempotency.sweep(session, now=clock.now()) >= 1


def test_the_kept_answer_is_not_readable_in_redis(alice: Player) -> None:
    _once(alice, "same-key-10", Work())
    (name,) = redis_client.client().keys("answer:*")
    assert b"run" not in redis_client.client().get(name)
    assert 0 < redis_client.client().ttl(name) <= 24 * 3600


@given(body=st.dictionaries(st.text(st.characters(codec="utf-8")), JSON, max_size=4))
def test_key_order_does_not_matter_at_any_depth(body: dict[str, object]) -> None:
    def turned(value: object) -> object:
        if isinstance(value, dict):
            return {k: turned(v) for k, v in reversed(value.items())}
        return [turned(item) for item in value] if isinstance(value, list) else value

    again = turned(body)
    assert isinstance(again, dict)
    assert claims.body_hash(body) == claims.body_hash(again)


@pytest.mark.parametrize(
    ("header", "good"),
    [
        ("a" * 7, False),
        ("a" * 8, True),
        ("a" * 200, True),
        ("a" * 201, False),
        ("", False),
        ("ñandúñandú", False),
        ("with space", False),
        ("abcdefgh\n", False),
        ("6f1c2b1e-8a54-4c0e-9a2f-5a1d7c3e9b10", True),
    ],
)
def test_the_form_of_the_header(header: str, good: bool) -> None:
    if good:
        assert idempotency.key_of(header) == header
    else:
        with pytest.raises(Exception, match="Idempotency-Key"):
            idempotency.key_of(header)
