"""Accounts share the workers: a thousand jobs of one do not stand before the one job of another."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
import redis
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from rq.exceptions import DequeueTimeout

from app.jobs import fair_queue, queue
from app.jobs.execution.worker import JobWorker
from app.platform import redis_client, settings
from tests.cast import LEASE, Cast, Player
from tests.jobs.desk import Desk

BIG, SMALL, OTHER = (uuid.UUID(int=number) for number in (1, 2, 3))


@dataclass(frozen=True)
class Entry:
    """As much of a job as the queue is told."""

    account_id: uuid.UUID
    weight: int = 1
    id: uuid.UUID = field(default_factory=uuid.uuid4)


@pytest.fixture
def connection(cast: Cast) -> Iterator[redis.Redis]:
    made = redis.Redis.from_url(settings.current().redis_url.get_secret_value())
    yield made
    made.close()


def _take(connection: redis.Redis) -> str | None:
    """As a worker does that does not wait."""
    found = fair_queue.FairQueue.lmove(connection, queue.of(connection).key, None)
    return None if found is None else found[1].decode()


def _all(connection: redis.Redis) -> list[str]:
    return list(iter(lambda: _take(connection), None))  # type: ignore[arg-type]


def test_a_small_accounts_job_does_not_wait_for_a_big_ones_thousand(connection: redis.Redis) -> None:
    queue.enqueue(Entry(BIG, 50) for _ in range(1_000))
    assert _take(connection) is not None
    small = Entry(SMALL)
    queue.enqueue([small])
    taken = [_take(connection) for _ in range(2)]
    assert str(small.id) in taken, "at most one job that was ready is taken before it"
    assert len(_all(connection)) == 998


def test_accounts_take_turns_by_documents_and_each_in_its_own_order(connection: redis.Redis) -> None:
    batches = [Entry(BIG, 10) for _ in range(30)]
    singles = [Entry(SMALL) for _ in range(100)]
    queue.enqueue([*batches, *singles])
    whose = {str(entry.id): entry for entry in (*batches, *singles)}
    taken = [whose[name] for name in _all(connection)]
    assert [entry for entry in taken if entry.account_id == BIG] == batches
    assert [entry for entry in taken if entry.account_id == SMALL] == singles
    for upto in range(1, 100, 7):
        served: Counter[uuid.UUID] = Counter()
        for entry in taken[:upto]:
            served[entry.account_id] += entry.weight
        assert abs(served[BIG] - served[SMALL]) <= 20, "two batches of ten: one ready, one more in turn"


def test_who_was_quiet_has_saved_nothing_up(connection: redis.Redis) -> None:
    queue.enqueue(Entry(BIG) for _ in range(300))
    for _ in range(200):
        _take(connection)
    late, again = [Entry(SMALL) for _ in range(50)], [Entry(BIG) for _ in range(10)]
    queue.enqueue([*late, *again])
    taken = _all(connection)[:40]
    small = sum(name in {str(entry.id) for entry in late} for name in taken)
    assert 18 <= small <= 21


@given(
    sent=st.lists(st.tuples(st.sampled_from([BIG, SMALL, OTHER]), st.integers(1, 50)), max_size=40),
    seed=st.integers(0, 99),
)
@hypothesis_settings(max_examples=30)
def test_whatever_is_sent_and_taken_in_between_each_is_taken_once(
    configured: object, sent: list[tuple[uuid.UUID, int]], seed: int
) -> None:
    client, pace, taken = redis_client.client(), random.Random(seed), []
    client.flushdb()
    entries = [Entry(account, weight) for account, weight in sent]
    for entry in entries:
        queue.enqueue([entry])
        while pace.random() < 0.4 and (name := _take(client)):
            taken.append(name)
    waiting = [entry.id for entry in entries if str(entry.id) not in taken]
    assert queue.missing(waiting) == []
    taken += _all(client)
    assert sorted(taken) == sorted(str(entry.id) for entry in entries)
    assert queue.missing(waiting) == waiting
    assert not client.exists(fair_queue.BACKLOG, fair_queue.SHARES, queue.of(client).key), (
        "nothing is left behind"
    )


def test_many_workers_that_wait_get_each_job_once(connection: redis.Redis) -> None:
    key = queue.of(connection).key

    def worker(_: int) -> list[str]:
        mine: list[str] = []
        with redis.Redis.from_url(settings.current().redis_url.get_secret_value()) as own:
            try:
                while (found := fair_queue.FairQueue.lmove(own, key, 1)) is not None:
                    mine.append(found[1].decode())
            except DequeueTimeout:
                return mine
        raise AssertionError("a worker that waits ends with a timeout")

    entries = [Entry(random.choice([BIG, SMALL]), 3) for _ in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(worker, number) for number in range(8)]
        queue.enqueue(entries[:100])
        for entry in entries[100:]:
            queue.enqueue([entry])
        taken = [name for one in found for name in one.result()]
    assert sorted(taken) == sorted(str(entry.id) for entry in entries)


def test_a_worker_that_died_before_the_next_could_follow_stops_nobody(desk: Desk, alice: Player) -> None:
    first, second = desk.accept(alice), desk.accept(alice)
    # It took one, by RQ's own means, and was gone.
    assert redis_client.client().lpop("rq:queue:jobs") == str(first).encode()
    assert redis_client.client().llen("rq:queue:jobs") == 0
    desk.reap()
    assert redis_client.client().lrange("rq:queue:jobs", 0, -1) == [str(second).encode()]


def test_a_cancelled_job_gives_its_place_to_the_next(desk: Desk, alice: Player) -> None:
    made = [desk.accept(alice) for _ in range(3)]
    queue.remove(made[1])
    queue.remove(made[0])
    assert desk.queued() == [str(made[2])]
    assert redis_client.client().llen("rq:queue:jobs") == 1


def test_a_work_horse_does_the_small_accounts_job_among_the_first(
    cast: Cast, desk: Desk, alice: Player, connection: redis.Redis
) -> None:
    bob = cast.player("bob")
    batches = [desk.accept(alice, LEASE, LEASE) for _ in range(12)]
    single = desk.accept(bob)
    JobWorker("fair", connection).work(burst=True)
    done = sorted([*batches, single], key=lambda job_id: desk.row(job_id).completed_at)
    assert done.index(single) <= 1
    assert [job_id for job_id in done if job_id != single] == batches
    assert (desk.charged(alice)[0], desk.charged(bob)[0]) == (24, 1)
