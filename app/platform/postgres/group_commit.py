"""Commit transactions that wait for the same rows together (decision 120).

A transaction that locks a row keeps it until its commit is on disk, so those that want the same row wait for
the disk one after the other. Here they wait in the process instead: while one of them is at the database, the
others gather, and the next takes all of them there as one transaction. Who finds nobody waiting goes at once,
alone, as without this. Locks between processes are the database's, as ever.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final
from weakref import WeakSet

import psycopg

from app.platform.postgres import db, rls
from app.platform.postgres.db import Step

Phases = Sequence[Sequence[Step[Any]]]

# More in one transaction would keep its rows locked for longer than a commit takes.
_MOST: Final = 32


def _closed() -> threading.Lock:
    """Return a lock that is waited for until somebody releases it; an `Event` takes longer to make."""
    made = threading.Lock()
    made.acquire()
    return made


@dataclass(slots=True)
class _Member:
    """A transaction that waits.

    Attributes:
        phases: its steps.
        woken: released when somebody settled it, or when it is to lead.
        group: whom it is to lead, itself included; empty where it was settled.
        alone: whether it is to be run by itself, since its group was refused.
        lost: the answer to its group's commit was lost.
    """

    phases: Phases
    woken: threading.Lock = field(default_factory=_closed)
    group: list[_Member] = field(default_factory=list)
    alone: bool = False
    lost: BaseException | None = None


class GroupCommit:
    """Runs transactions of one trip (`db.at_once`), those that wait for the same rows as one transaction."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # By rows and security context, who waits while somebody is at the database with them.
        self._waiting: dict[Hashable, list[_Member]] = {}
        _made.add(self)

    def run(self, rows: Hashable, phases: Phases) -> None:
        """Run a transaction, in a group with those of other threads that wait for the same rows.

        A group is committed whole or not at all. Where it is refused, each of its transactions is run by
        itself, so that only those are refused that would have been without the others.

        Args:
            rows: names the rows that are locked, such as the id of an account.
            phases: the steps of the transaction, in order. In a group, the first phases of all come before
                the second ones, so that rows are locked in the same order as by one transaction.

        Raises:
            Refused: a requirement was not met; nothing of this transaction was committed.
            OutcomeUnknown: the answer to the commit was lost, of the whole group; each looks for its own.
        """
        key = (rows, rls.current())
        member = _Member(phases)
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting is None:
                self._waiting[key] = []
                member.group = [member]
            else:
                waiting.append(member)
        if not member.group:
            member.woken.acquire()
        if member.group:
            self._lead(key, member)
        if member.lost is not None:
            raise db.OutcomeUnknown from member.lost
        if member.alone:
            db.at_once(*chain.from_iterable(phases))

    def forget(self) -> None:
        """Forget who waits: those threads are another process's."""
        self._lock = threading.Lock()
        self._waiting = {}

    def _lead(self, key: Hashable, leader: _Member) -> None:
        """Run the transactions of a group; afterwards wake them, and whoever is to lead those that came."""
        group = leader.group
        try:
            if len(group) == 1:
                db.at_once(*chain.from_iterable(leader.phases))
            else:
                _run_together(group)
        except BaseException as error:
            # Nobody knows what became of it. The others look for their own, as after a lost connection.
            for one in group[1:]:
                one.lost = error
            raise
        finally:
            with self._lock:
                waiting = self._waiting[key]
                following, self._waiting[key] = waiting[:_MOST], waiting[_MOST:]
                if not following:
                    del self._waiting[key]
            if following:
                following[0].group = following
                following[0].woken.release()
            for one in group[1:]:
                one.woken.release()


_made: WeakSet[GroupCommit] = WeakSet()


def _run_together(group: Sequence[_Member]) -> None:
    """Run the transactions of a group as one.

    Where it cannot be committed, its members are to be run alone. Raises `OutcomeUnknown`.
    """
    most = max(len(one.phases) for one in group)
    steps = [step for phase in range(most) for one in group for step in _phase(one, phase)]
    try:
        db.at_once(*steps)
    except db.OutcomeUnknown as error:
        for one in group:
            one.lost = error
    except (db.Refused, psycopg.Error):
        for one in group:
            one.alone = True


def _phase(member: _Member, number: int) -> Sequence[Step[Any]]:
    return member.phases[number] if number < len(member.phases) else ()


def _forget_after_fork() -> None:
    for one in _made:
        one.forget()


os.register_at_fork(after_in_child=_forget_after_fork)
