"""The lease queue: one holder at a time, fenced writes, leases that end, attempts that are counted."""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy import orm
from sqlalchemy.dialects import postgresql

from app.platform import settings
from app.platform.lease_queue import LeaseLost, LeaseQueue, LeaseRenewer, required
from app.platform.postgres import db, rls

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LENGTH = timedelta(minutes=1)
WAITS = (timedelta(minutes=2), timedelta(minutes=10))


class _Base(orm.DeclarativeBase):
    """Tables of these tests alone: no migration makes them."""

    type_annotation_map = db.Base.type_annotation_map


class Task(_Base):
    """With a state, as jobs and audit documents are."""

    __tablename__ = "lease_test_tasks"

    id: orm.Mapped[uuid.UUID] = orm.mapped_column(primary_key=True)
    number: orm.Mapped[int]
    status: orm.Mapped[str]
    attempt: orm.Mapped[int]
    due_at: orm.Mapped[datetime]
    lease_until: orm.Mapped[datetime | None]
    worker: orm.Mapped[str | None]
    done: orm.Mapped[int]


class Parcel(_Base):
    """One moment for both, and a random token, as deliveries are."""

    __tablename__ = "lease_test_parcels"

    id: orm.Mapped[uuid.UUID] = orm.mapped_column(primary_key=True)
    number: orm.Mapped[int]
    next_attempt_at: orm.Mapped[datetime | None]
    claim: orm.Mapped[uuid.UUID | None]
    done: orm.Mapped[int]


class Letter(_Base):
    """One moment for both, and a counter, as letters and logos are."""

    __tablename__ = "lease_test_letters"

    id: orm.Mapped[uuid.UUID] = orm.mapped_column(primary_key=True)
    number: orm.Mapped[int]
    next_attempt_at: orm.Mapped[datetime | None]
    attempts: orm.Mapped[int] = orm.mapped_column(sa.SmallInteger)
    done: orm.Mapped[int]


TASKS = LeaseQueue(
    id=Task.id,
    token=Task.attempt,
    due=Task.due_at,
    status=Task.status,
    until=Task.lease_until,
    worker=Task.worker,
    order=Task.number,
    length=LENGTH,
    waits=WAITS,
    early=timedelta(seconds=5),
)
PARCELS = LeaseQueue(id=Parcel.id, token=Parcel.claim, due=Parcel.next_attempt_at, length=LENGTH, waits=WAITS)
LETTERS = LeaseQueue(
    id=Letter.id, token=Letter.attempts, due=Letter.next_attempt_at, length=LENGTH, waits=WAITS
)
QUEUES = {"state": TASKS, "random token": PARCELS, "counter": LETTERS}
every_queue = pytest.mark.parametrize("queue", QUEUES.values(), ids=QUEUES.keys())
counting_queue = pytest.mark.parametrize("queue", [TASKS, LETTERS], ids=["state", "counter"])


@pytest.fixture(scope="module")
def tables(app: object) -> Iterator[None]:
    url = settings.current().database_url.get_secret_value()
    made = [
        str(sa.schema.CreateTable(table).compile(dialect=postgresql.dialect()))
        for table in _Base.metadata.sorted_tables
    ]
    with psycopg.connect(url) as connection:
        for sql in made:
            connection.execute(sql)  # type: ignore[call-overload]
    yield
    with psycopg.connect(url) as connection:
        for table in _Base.metadata.tables:
            connection.execute(f"DROP TABLE {table}")  # type: ignore[call-overload]


@pytest.fixture(autouse=True)
def empty(tables: None) -> None:
    with db.transaction() as session:
        for table in _Base.metadata.sorted_tables:
            session.execute(table.delete())


def put(queue: LeaseQueue, count: int = 1) -> None:
    """Let rows wait, the first the longest."""
    with db.transaction() as session:
        for number in range(count):
            due = NOW - timedelta(seconds=count - number)
            if queue is TASKS:
                row: Any = Task(status="pending", attempt=0, due_at=due)
            elif queue is PARCELS:
                row = Parcel(next_attempt_at=due)
            else:
                row = Letter(next_attempt_at=due, attempts=0)
            row.id, row.number, row.done = uuid.uuid4(), number, 0
            session.add(row)


def claim(queue: LeaseQueue, now: datetime = NOW, **more: Any) -> Any:
    return db.atomically(lambda session: queue.claim(session, now=now, **more))


def do(work: Callable[[db.Statements], Any]) -> Any:
    return db.atomically(work)


def rows(queue: LeaseQueue) -> list[Any]:
    with db.reading() as session:
        return list(session.execute(sa.select(*queue.id.class_.__table__.columns)).all())


def ending(queue: LeaseQueue) -> dict[str, Any]:
    return {"status": "ready"} if queue is TASKS else {}


@every_queue
def test_claimers_at_the_same_time_share_the_rows_and_double_none(queue: LeaseQueue) -> None:
    put(queue, 40)

    def work(_: int) -> list[int]:
        found = []
        with rls.as_system():
            while (row := claim(queue)) is not None:
                found.append(row.number)
        return found

    with ThreadPoolExecutor(4) as pool:  # they are to see nothing of the test's context
        taken = [number for found in pool.map(work, range(4)) for number in found]
    assert sorted(taken) == list(range(40))


@every_queue
def test_nobody_waits_for_a_claim_that_is_not_committed_yet(queue: LeaseQueue) -> None:
    put(queue, 2)
    with db.together() as first:
        assert queue.claim(first, now=NOW).number == 0
        assert claim(queue).number == 1
        assert claim(queue) is None


@every_queue
def test_a_claim_that_is_rolled_back_never_was(queue: LeaseQueue) -> None:
    put(queue)
    before = rows(queue)

    def break_off(session: db.Statements) -> None:
        assert queue.claim(session, now=NOW) is not None
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        do(break_off)
    assert rows(queue) == before


@every_queue
def test_a_row_is_claimed_again_when_its_lease_ends_and_not_before(queue: LeaseQueue) -> None:
    put(queue)
    first = claim(queue)
    assert claim(queue, NOW + LENGTH - timedelta(microseconds=1)) is None
    second = claim(queue, NOW + LENGTH)
    assert second.id == first.id
    assert queue.lease_of(second) != queue.lease_of(first)


@every_queue
def test_a_former_holder_writes_nothing(queue: LeaseQueue) -> None:
    put(queue)
    late = queue.lease_of(claim(queue))
    after = NOW + LENGTH
    holder = queue.lease_of(claim(queue, after))
    before = rows(queue)
    assert not do(lambda session: queue.renew(session, late, now=after))
    assert not do(lambda session: queue.write(session, late, done=7))
    assert not do(lambda session: queue.release(session, late, due=after))
    assert not do(lambda session: queue.close(session, late, **ending(queue)))
    assert not do(lambda session: queue.delete(session, late))
    assert rows(queue) == before
    assert do(lambda session: queue.write(session, holder, done=7))
    assert rows(queue)[0].done == 7


@every_queue
def test_what_must_not_be_committed_without_the_lease_is_rolled_back(queue: LeaseQueue) -> None:
    put(queue, 2)
    late, other = queue.lease_of(claim(queue)), queue.lease_of(claim(queue))
    claim(queue, NOW + LENGTH)
    before = rows(queue)

    def both(session: db.Statements) -> None:
        assert queue.write(session, other, done=1)
        session.take(required(queue.closing(late, **ending(queue))))

    with pytest.raises(LeaseLost):
        do(both)
    assert rows(queue) == before


@every_queue
def test_a_renewed_lease_ends_later(queue: LeaseQueue) -> None:
    put(queue)
    lease = queue.lease_of(claim(queue))
    assert do(lambda session: queue.renew(session, lease, now=NOW + LENGTH / 2))
    assert claim(queue, NOW + LENGTH) is None
    assert claim(queue, NOW + LENGTH * 1.5) is not None


@every_queue
def test_a_row_given_back_waits_until_it_is_due(queue: LeaseQueue) -> None:
    put(queue)
    lease = queue.lease_of(claim(queue, worker="w") if queue is TASKS else claim(queue))
    due = NOW + timedelta(hours=1)
    assert do(lambda session: queue.release(session, lease, due=due, done=3))
    assert claim(queue, due - timedelta(seconds=6)) is None
    found = claim(queue, due)
    assert found.done == 3
    assert queue.lease_of(found) != lease
    assert not do(lambda session: queue.renew(session, lease, now=due))


@every_queue
def test_what_has_ended_is_nobodys(queue: LeaseQueue) -> None:
    put(queue)
    lease = queue.lease_of(claim(queue))
    assert do(lambda session: queue.close(session, lease, done=9, **ending(queue)))
    assert claim(queue, NOW + timedelta(days=1)) is None
    (row,) = rows(queue)
    assert row.done == 9
    assert getattr(row, (queue.until or queue.due).key) is None
    if queue is PARCELS:
        assert row.claim is None
    if queue is TASKS:
        assert (row.status, row.worker) == ("ready", None)
        assert not do(lambda session: queue.close(session, lease, status="failed"))


@every_queue
def test_a_holder_deletes_its_row(queue: LeaseQueue) -> None:
    put(queue, 2)
    lease = queue.lease_of(claim(queue))
    assert do(lambda session: queue.delete(session, lease))
    assert [row.number for row in rows(queue)] == [1]


@every_queue
def test_conditions_narrow_a_claim_and_a_write(queue: LeaseQueue) -> None:
    put(queue, 3)
    found = claim(queue, where="t.number >= %(least)s", values={"least": 1}, done=5)
    assert (found.number, found.done) == (1, 5)
    lease = queue.lease_of(found)
    assert not do(lambda session: queue.write(session, lease, where="t.done < %(set_done)s", done=4))
    assert do(lambda session: queue.write(session, lease, where="t.done < %(set_done)s", done=6))
    with pytest.raises(KeyError):
        claim(queue, nothing_of_the_table=1)


def test_the_pauses_grow_and_the_last_attempt_is_the_last() -> None:
    assert TASKS.attempts == 3
    assert [TASKS.retry_at(attempt, NOW) for attempt in (1, 2, 3)] == [NOW + WAITS[0], NOW + WAITS[1], None]


@counting_queue
def test_a_row_over_which_every_attempt_died_is_claimed_no_more_and_can_be_ended(queue: LeaseQueue) -> None:
    put(queue, 2)
    now = NOW
    for attempt in (1, 2, 3):
        found = claim(queue, now, where="t.number = 0")
        assert queue.lease_of(found).token == attempt
        assert do(lambda session, now=now: queue.lock_exhausted(session, now=now)) is None
        now += LENGTH
    assert claim(queue, now, where="t.number = 0") is None

    def end(session: db.Statements) -> Any:
        row = queue.lock_exhausted(session, now=now)
        # Another that looks at the same time finds it locked, and does not wait.
        assert do(lambda other: queue.lock_exhausted(other, now=now)) is None
        assert queue.close(session, queue.lease_of(row), **ending(queue))
        return row

    assert do(end).number == 0
    assert do(lambda session: queue.lock_exhausted(session, now=now)) is None
    assert claim(queue, now).number == 1


def test_rows_that_are_to_end_for_other_reasons_are_found_with_the_exhausted() -> None:
    put(TASKS, 2)
    found = do(
        lambda session: TASKS.lock_exhausted(session, now=NOW, or_where="t.number = %(n)s", values={"n": 1})
    )
    assert found.number == 1


def test_a_stop_after_the_last_attempt_costs_a_row_nothing() -> None:
    put(TASKS)
    for _ in range(4):
        lease = TASKS.lease_of(claim(TASKS))
        assert do(lambda session, lease=lease: TASKS.release(session, lease, due=NOW))
    assert rows(TASKS)[0].attempt == 4


def test_a_lease_that_ran_out_is_handed_back_to_those_that_wait() -> None:
    put(TASKS, 2)
    late = TASKS.lease_of(claim(TASKS, worker="w"))
    assert do(lambda session: TASKS.reap(session, now=NOW)) is None
    now = NOW + LENGTH
    found = do(lambda session: TASKS.reap(session, now=now, done=2))
    assert (found.number, found.status, found.worker, found.lease_until) == (0, "pending", None, None)
    assert (found.due_at, found.attempt, found.done) == (now, 1, 2)
    assert do(lambda session: TASKS.reap(session, now=now)) is None
    assert not do(lambda session: TASKS.close(session, late, status="ready"))
    # Who holds the lock of the row may end it while it waits.
    assert do(lambda session: session.take(TASKS.closing(late, waiting=True, status="failed"))) == [True]


def test_the_leases_of_a_dead_worker_end_at_once() -> None:
    put(TASKS, 3)
    for worker in ("dead", "dead", "alive"):
        assert claim(TASKS, worker=worker).worker == worker
    assert do(lambda session: TASKS.expire_leases_of(session, "dead", now=NOW)) == 2
    assert do(lambda session: TASKS.expire_leases_of(session, "dead", now=NOW)) == 0
    assert [claim(TASKS).number for _ in range(2)] == [0, 1]
    assert claim(TASKS) is None


def test_the_first_in_order_goes_first_and_clocks_may_differ_a_little() -> None:
    put(TASKS, 2)
    with db.transaction() as session:
        for number, due in enumerate((NOW, NOW - timedelta(minutes=1))):
            session.execute(sa.update(Task).where(Task.number == number).values(due_at=due))
    assert claim(TASKS, NOW - timedelta(seconds=6)).number == 1
    assert claim(TASKS, NOW - timedelta(seconds=6)) is None
    assert claim(TASKS, NOW - timedelta(seconds=5)).number == 0


class Renewals:
    """What a renewer was asked to do."""

    def __init__(self) -> None:
        self.renewed: list[list[str]] = []
        self.checked: list[str] = []
        self.failing = False

    def renew(self, held: list[str]) -> None:
        self.renewed.append(list(held))
        if self.failing:
            raise ConnectionError

    def seen(self, count: int) -> bool:
        deadline = time.monotonic() + 20
        while len(self.renewed) < count and time.monotonic() < deadline:
            time.sleep(0.005)
        return len(self.renewed) >= count


def test_leases_are_renewed_while_they_are_held() -> None:
    found = Renewals()
    renewer = LeaseRenewer("test lease", found.renew, every_s=0.01)
    with renewer.keeping("a"), renewer.keeping("b"):
        assert found.seen(2)
        assert sorted(found.renewed[-1]) == ["a", "b"]
        assert [one.name for one in threading.enumerate()].count("test lease") == 1
    time.sleep(0.05)
    after = len(found.renewed)
    time.sleep(0.1)
    assert len(found.renewed) == after


def test_a_renewal_that_fails_is_tried_again_soon() -> None:
    found = Renewals()
    found.failing = True
    renewer = LeaseRenewer(
        "failing lease", found.renew, every_s=0.05, check=found.checked.append, check_every_s=0.01
    )
    with renewer.keeping("a"):
        assert found.seen(3)
    assert "a" in found.checked


def test_a_child_process_renews_nothing_of_its_parents() -> None:
    found = Renewals()
    renewer = LeaseRenewer("parent lease", found.renew, every_s=0.01)
    with renewer.keeping("a"):
        assert found.seen(1)
        child = os.fork()
        if not child:
            renewer.every_s = 0.01
            before = len(found.renewed)
            with renewer.keeping("b"):
                right = found.seen(before + 1) and found.renewed[-1] == ["b"]
            os._exit(0 if right else 1)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
