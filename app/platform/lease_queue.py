"""Lease queue over the rows of a PostgreSQL table.

A worker that claims a row holds it until its lease ends, at a moment in time. The holder may push that
moment ahead; once it has passed, the row can be claimed again, so that nothing is lost with a process
that was killed. Every claim changes the row's fencing token, and all that a holder writes names the token: a
holder that wakes up after another claim writes nothing. No transaction stays open while the work is done.

Each user keeps its own table and names the columns that the queue may use (decision 048).
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Generic, TypeVar

from sqlalchemy.dialects.postgresql import UUID
from sqlalchemy.orm import InstrumentedAttribute

from app.platform import log
from app.platform.postgres.db import Statements, Step

# States of a row in a table that has a column for them; every other state is an end.
WAITING, LEASED = "pending", "running"

_logger = log.logger("leases")
T = TypeVar("T")
Column = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class Lease:
    """A claimed row: its primary key, and the fencing token of the claim."""

    id: uuid.UUID
    token: int | uuid.UUID


class LeaseLost(Exception):
    """The row was claimed again or has ended: nothing of the former holder's transaction may be committed."""


def required(step: Step[bool]) -> Step[None]:
    """Return `step` so that reading it raises `LeaseLost` where it touched no row."""

    def read(row: Any) -> None:
        if row is None:
            raise LeaseLost

    return Step(step.sql, step.values, read)


@dataclass(frozen=True)
class LeaseQueue:
    """The columns of a table that make its rows a queue.

    A table has one of two layouts. With `status` and `until`, a row waits as `pending` from `due` on and is
    leased as `running` up to `until`. Without them, `due` is both: the moment of the next attempt, or the end
    of the lease while there is one; it is null once the row has ended.

    The rows that a method returns have every column of the table as an attribute. `where` and `assign` are
    SQL in which the table is named `t`; their values are given by name in `values`, those of `changes` by
    column.

    Attributes:
        id: Primary key.
        token: Fencing token: an integer that counts claims, or a UUID where attempts are counted elsewhere.
        due: Moment from which a waiting row may be claimed.
        length: How long a claim or a renewal lasts.
        waits: Pauses after the first, second, … failed attempt; one attempt more than these is made.
        status: State of the row, `None` in the second layout.
        until: End of the lease, `None` in the second layout.
        worker: Name of the holder's process, for `expire_leases_of`.
        order: Which row is claimed first; `due` by default.
        early: With `status`: how long before `due` a row may be claimed, because machines' clocks differ.
    """

    id: Column
    token: Column
    due: Column
    length: timedelta
    waits: tuple[timedelta, ...]
    status: Column | None = None
    until: Column | None = None
    worker: Column | None = None
    order: Column | None = None
    early: timedelta = timedelta()

    @property
    def attempts(self) -> int:
        """Return how many attempts a row gets."""
        return 1 + len(self.waits)

    def retry_at(self, attempt: int, now: datetime) -> datetime | None:
        """Return when to try again after the `attempt`-th (from 1) failed; `None` when it was the last."""
        return now + self.waits[attempt - 1] if attempt < self.attempts else None

    def lease_of(self, row: Any) -> Lease:
        """Return the lease of a row that `claim` returned."""
        return Lease(getattr(row, self.id.key), getattr(row, self.token.key))

    def claim(
        self,
        session: Statements,
        *,
        now: datetime,
        worker: str | None = None,
        where: str = "",
        assign: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> Any:
        """Claim one row and return it; `None` when there is none. Rows that others lock are passed over."""
        step = self.claiming(now=now, worker=worker, where=where, assign=assign, values=values, **changes)
        return session.take(step)[0]

    def claiming(
        self,
        *,
        now: datetime,
        worker: str | None = None,
        where: str = "",
        assign: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> Step[Any]:
        """Return the step of `claim`."""
        changed, given = self._changes(changes)
        leased = [f"{self._until} = %(q_until)s", f"{self.token.key} = {self._next_token}", *changed]
        if self.status is not None:
            leased.append(f"{self.status.key} = '{LEASED}'")
        if self.worker is not None:
            leased.append(f"{self.worker.key} = %(q_worker)s")
        if assign:
            leased.append(assign)
        order = (self.order or self.due).key
        sql = f"""
            WITH next AS (
                SELECT t.{self.id.key} AS id FROM {self._table} t WHERE ({self._claimable}){_and(where)}
                ORDER BY t.{order} LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            UPDATE {self._table} t SET {", ".join(leased)} FROM next WHERE t.{self.id.key} = next.id
            RETURNING {self._columns}
            """  # noqa: S608 (names of columns, from the mapped class)
        given |= {
            "q_now": now,
            "q_soon": now + self.early,
            "q_until": now + self.length,
            "q_worker": worker,
            "q_attempts": self.attempts,
            **(values or {}),
        }
        return Step(sql, given, _whole_row)

    def renew(self, session: Statements, lease: Lease, *, now: datetime) -> bool:
        """Push the end of a lease ahead; return `False` when it is no longer held."""
        step = self._updating(lease, [f"{self._until} = %(q_until)s"], {"q_until": now + self.length})
        return bool(session.take(step)[0])

    def write(
        self,
        session: Statements,
        lease: Lease,
        *,
        where: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> bool:
        """Change columns of a held row, such as its progress; return `False` when it is no longer held."""
        changed, given = self._changes(changes)
        step = self._updating(lease, changed, {**given, **(values or {})}, where=where)
        return bool(session.take(step)[0])

    def release(
        self,
        session: Statements,
        lease: Lease,
        *,
        due: datetime,
        where: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> bool:
        """Let the row wait until `due` for another claim; return `False` when it is no longer held."""
        return bool(session.take(self.releasing(lease, due=due, where=where, values=values, **changes))[0])

    def releasing(
        self,
        lease: Lease,
        *,
        due: datetime,
        where: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> Step[bool]:
        """Return the step of `release`."""
        changed, given = self._changes(changes)
        given = {**given, **(values or {}), "q_due": due}
        return self._updating(lease, [*self._waits_again, *changed], given, where=where)

    def close(
        self,
        session: Statements,
        lease: Lease,
        *,
        where: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> bool:
        """End the row, with `changes`; return `False` when it is no longer held."""
        return bool(session.take(self.closing(lease, where=where, values=values, **changes))[0])

    def closing(
        self,
        lease: Lease,
        *,
        waiting: bool = False,
        where: str = "",
        values: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> Step[bool]:
        """Return the step of `close`; with `waiting` it also ends a row that waits again after this lease."""
        changed, given = self._changes(changes)
        ended = [f"{self._until} = NULL", *self._nobody, *changed]
        given = {**given, **(values or {})}
        return self._updating(lease, ended, given, where=where, waiting=waiting)

    def delete(self, session: Statements, lease: Lease) -> bool:
        """Delete the row; return `False` when it is no longer held."""
        sql = f"""
            DELETE FROM {self._table} t WHERE {self._fence} AND {self._leased} RETURNING t.{self.id.key}
            """  # noqa: S608 (as above)
        return bool(session.take(Step(sql, {"q_id": lease.id, "q_token": lease.token}, _is_there))[0])

    def reap(self, session: Statements, *, now: datetime, **changes: Any) -> Any:
        """Let one row whose lease ran out wait again, and return it; `None` when there is none.

        For tables with `status` whose users must hear of it; others are claimed past their lease as they are.
        """
        changed, given = self._changes(changes)
        sql = f"""
            WITH expired AS (
                SELECT t.{self.id.key} AS id FROM {self._table} t
                WHERE {self._expired} AND t.{self.token.key} < %(q_attempts)s
                ORDER BY t.{self._until} LIMIT 1 FOR UPDATE SKIP LOCKED
            )
            UPDATE {self._table} t SET {", ".join([*self._waits_again, *changed])}
            FROM expired WHERE t.{self.id.key} = expired.id
            RETURNING {self._columns}
            """  # noqa: S608 (as above)
        return session.one(sql, {**given, "q_now": now, "q_due": now, "q_attempts": self.attempts})

    def lock_exhausted(
        self,
        session: Statements,
        *,
        now: datetime,
        or_where: str = "",
        values: Mapping[str, Any] | None = None,
    ) -> Any:
        """Lock one row whose last attempt never ended, and return it; `None` when there is none.

        Its lease ran out and it has had all its attempts, so no claim takes it; the caller ends it in the
        same transaction. `or_where` adds rows that are to end for other reasons.
        """
        exhausted = f"({self._expired} AND t.{self.token.key} >= %(q_attempts)s)"
        sql = f"""
            SELECT {self._columns} FROM {self._table} t
            WHERE {f"{exhausted} OR ({or_where})" if or_where else exhausted}
            ORDER BY t.{(self.order or self.due).key} LIMIT 1 FOR UPDATE SKIP LOCKED
            """  # noqa: S608 (as above)
        return session.one(sql, {"q_now": now, "q_attempts": self.attempts, **(values or {})})

    def expire_leases_of(self, session: Statements, worker: str, *, now: datetime) -> int:
        """End the leases of a process that is known to be dead; return how many there were."""
        assert self.worker is not None
        sql = f"""
            UPDATE {self._table} t SET {self._until} = %(q_now)s
            WHERE t.{self.worker.key} = %(q_worker)s AND {self._leased} AND t.{self._until} > %(q_now)s
            """  # noqa: S608 (as above)
        return session.run(sql, {"q_worker": worker, "q_now": now})

    @cached_property
    def _table(self) -> str:
        return str(self.id.class_.__table__.name)

    @cached_property
    def _columns(self) -> str:
        # Each by name: what "*" means would change under statements that are prepared.
        return ", ".join(f"t.{column.name}" for column in self.id.class_.__table__.columns)

    @cached_property
    def _counts(self) -> bool:
        """Whether the token counts the attempts."""
        return not isinstance(self.token.type, UUID)

    @cached_property
    def _until(self) -> str:
        return (self.until or self.due).key

    @cached_property
    def _next_token(self) -> str:
        return f"t.{self.token.key} + 1" if self._counts else "gen_random_uuid()"

    @cached_property
    def _leased(self) -> str:
        return "true" if self.status is None else f"t.{self.status.key} = '{LEASED}'"

    @cached_property
    def _expired(self) -> str:
        return f"{self._leased} AND t.{self._until} <= %(q_now)s"

    @cached_property
    def _claimable(self) -> str:
        left = f" AND t.{self.token.key} < %(q_attempts)s" if self._counts else ""
        if self.status is None:
            return f"t.{self.due.key} <= %(q_now)s{left}"
        waits = f"t.{self.status.key} = '{WAITING}' AND t.{self.due.key} <= %(q_soon)s"
        return f"({waits}) OR ({self._expired}{left})"

    @cached_property
    def _fence(self) -> str:
        return f"t.{self.id.key} = %(q_id)s AND t.{self.token.key} = %(q_token)s"

    @cached_property
    def _nobody(self) -> list[str]:
        """Assignments that leave the row without a holder. A token that counts goes on counting."""
        found = [] if self._counts else [f"{self.token.key} = NULL"]
        return found if self.worker is None else [*found, f"{self.worker.key} = NULL"]

    @cached_property
    def _waits_again(self) -> list[str]:
        found = [f"{self.due.key} = %(q_due)s", *self._nobody]
        if self.status is not None:
            found += [f"{self.status.key} = '{WAITING}'", f"{self._until} = NULL"]
        return found

    def _changes(self, changes: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
        """Return assignments to the columns that `changes` names, and their values."""
        columns = self.id.class_.__table__.columns
        assigned = [f"{columns[name].name} = %(set_{name})s" for name in changes]
        return assigned, {f"set_{name}": value for name, value in changes.items()}

    def _updating(
        self,
        lease: Lease,
        assigned: Sequence[str],
        values: Mapping[str, Any],
        *,
        where: str = "",
        waiting: bool = False,
    ) -> Step[bool]:
        state = self._leased
        if waiting and self.status is not None:
            state = f"t.{self.status.key} IN ('{WAITING}', '{LEASED}')"
        sql = f"""
            UPDATE {self._table} t SET {", ".join(assigned)} WHERE {self._fence} AND {state}{_and(where)}
            RETURNING t.{self.id.key}
            """  # noqa: S608 (as above)
        return Step(sql, {**values, "q_id": lease.id, "q_token": lease.token}, _is_there)


def _and(where: str) -> str:
    return f" AND ({where})" if where else ""


def _whole_row(row: Any) -> Any:
    return row


def _is_there(row: Any) -> bool:
    return row is not None


class LeaseRenewer(Generic[T]):
    """Renews the leases that this process holds, from one background thread.

    The thread starts with the first lease. A lease that cannot be renewed is left to run out: fencing keeps
    its holder from writing. One instance for each kind of lease, made when its module is imported.

    Args:
        name: Name of the thread.
        renew: Renews all leases that are held; called every `every_s` seconds while there are any.
        check: Called for each lease that is held every `check_every_s` seconds; it may end the process.
    """

    def __init__(
        self,
        name: str,
        renew: Callable[[list[T]], None],
        *,
        every_s: float = 5.0,
        check: Callable[[T], None] | None = None,
        check_every_s: float = 0.5,
    ) -> None:
        self.every_s = every_s
        self._name = name
        self._renew = renew
        self._check = check
        self._check_every_s = check_every_s
        self._lock = threading.Lock()
        self._held: dict[int, T] = {}
        self._thread: threading.Thread | None = None
        os.register_at_fork(after_in_child=self._after_fork)

    @contextmanager
    def keeping(self, lease: T) -> Iterator[None]:
        """Renew `lease` while the block runs."""
        key = id(lease)
        with self._lock:
            self._held[key] = lease
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            with self._lock:
                self._held.pop(key, None)

    def _run(self) -> None:
        pause, renewed = threading.Event(), time.monotonic()
        while not pause.wait(min(self.every_s, self._check_every_s) if self._check else self.every_s):
            with self._lock:
                held = list(self._held.values())
            try:
                if self._check is not None:
                    for lease in held:
                        self._check(lease)
                    if held and time.monotonic() - renewed < self.every_s:
                        continue
                if held:
                    self._renew(held)
                # Not after a failure: then the next look tries again.
                renewed = time.monotonic()
            except Exception as error:
                _logger.warning("leases not renewed", kind=self._name, count=len(held), exc_info=error)

    def _after_fork(self) -> None:
        # The thread is the parent's, and the lock may have been held by it.
        self._lock = threading.Lock()
        self._held = {}
        self._thread = None
