"""Transactions that wait for the same rows share a commit, and each is refused for its own reasons alone."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from app.platform.postgres import db, rls
from app.platform.postgres.db import Step
from app.platform.postgres.group_commit import GroupCommit

ACCOUNT = uuid.UUID(int=1)
SECONDS = 20


def _step(name: str) -> Step[None]:
    return Step("SELECT 1", {"name": name}, lambda _: None)


class _Database:
    """Stands for `db.at_once`: its first transaction waits until `open` is set; `answer` may raise."""

    def __init__(self) -> None:
        self.trips: list[list[str]] = []
        self.reached, self.open = threading.Event(), threading.Event()
        self.answer: Callable[[list[str]], None] = lambda _: None

    def at_once(self, *steps: Step[Any]) -> list[Any]:
        names = [step.values["name"] for step in steps]
        self.trips.append(names)
        if len(self.trips) == 1:
            self.reached.set()
            assert self.open.wait(SECONDS)
        self.answer(names)
        return []


class _Caller(threading.Thread):
    """Runs one transaction of two phases, in the context of an account."""

    def __init__(self, commits: GroupCommit, name: str, account: uuid.UUID = ACCOUNT) -> None:
        super().__init__(daemon=True)
        self._commits, self._name, self._account = commits, name, account
        self.outcome: BaseException | str = "waits"

    def run(self) -> None:
        rls.enter(self._account)
        try:
            self._commits.run("balance", [[_step(f"{self._name}1")], [_step(f"{self._name}2")]])
            self.outcome = "committed"
        except (db.Refused, psycopg.Error, KeyboardInterrupt) as error:
            self.outcome = error


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> _Database:
    made = _Database()
    monkeypatch.setattr(db, "at_once", made.at_once)
    return made


def _gathered(database: _Database, names: str, commits: GroupCommit) -> list[_Caller]:
    """Start callers, all but the first while the first is at the database; return them when all are done."""
    first, *others = (_Caller(commits, name) for name in names)
    first.start()
    assert database.reached.wait(SECONDS)
    for number, one in enumerate(others, start=1):
        one.start()
        until = time.monotonic() + SECONDS
        while sum(map(len, commits._waiting.values())) < number and time.monotonic() < until:
            time.sleep(0.001)
    database.open.set()
    for one in (first, *others):
        one.join(SECONDS)
    assert not commits._waiting
    return [first, *others]


def test_who_finds_nobody_goes_alone_and_the_others_together(database: _Database) -> None:
    callers = _gathered(database, "abcd", GroupCommit())
    assert [one.outcome for one in callers] == ["committed"] * 4
    # The first phases of all before the second ones: rows are locked in the order of one transaction.
    assert database.trips == [["a1", "a2"], ["b1", "c1", "d1", "b2", "c2", "d2"]]


def test_only_who_would_be_refused_alone_is_refused(database: _Database) -> None:
    def answer(names: list[str]) -> None:
        if "c1" in names:
            raise db.Refused

    database.answer = answer
    outcomes = [one.outcome for one in _gathered(database, "abcd", GroupCommit())]
    assert [outcomes[0], outcomes[1], outcomes[3]] == ["committed"] * 3
    assert isinstance(outcomes[2], db.Refused)
    assert sorted(database.trips[2:]) == [["b1", "b2"], ["c1", "c2"], ["d1", "d2"]]


def test_an_error_of_one_is_not_the_others(database: _Database) -> None:
    def answer(names: list[str]) -> None:
        if "b1" in names:
            raise psycopg.errors.CheckViolation

    database.answer = answer
    outcomes = [one.outcome for one in _gathered(database, "abc", GroupCommit())]
    assert [type(one) for one in outcomes] == [str, psycopg.errors.CheckViolation, str]


@pytest.mark.parametrize("error", [db.OutcomeUnknown, KeyboardInterrupt])
def test_an_answer_that_is_lost_is_lost_for_each_of_the_group(
    database: _Database, error: type[BaseException]
) -> None:
    def answer(names: list[str]) -> None:
        if len(names) > 2:
            raise error

    database.answer = answer
    outcomes = [one.outcome for one in _gathered(database, "abcd", GroupCommit())]
    assert outcomes[0] == "committed"
    # Who leads has what came to it; the others know no more than that nobody knows.
    assert isinstance(outcomes[1], error)
    assert all(isinstance(one, db.OutcomeUnknown) for one in outcomes[2:])
    assert len(database.trips) == 2  # nothing was tried again


def test_a_failure_of_the_first_does_not_hold_up_the_others(database: _Database) -> None:
    def answer(names: list[str]) -> None:
        if names == ["a1", "a2"]:
            raise db.Refused

    database.answer = answer
    outcomes = [one.outcome for one in _gathered(database, "abc", GroupCommit())]
    assert [type(one) for one in outcomes] == [db.Refused, str, str]
    assert outcomes[1:] == ["committed", "committed"]


def test_accounts_do_not_wait_for_each_other(database: _Database) -> None:
    commits = GroupCommit()
    first, other = _Caller(commits, "a"), _Caller(commits, "b", uuid.UUID(int=2))
    first.start()
    assert database.reached.wait(SECONDS)
    other.start()
    other.join(SECONDS)
    assert other.outcome == "committed"
    assert first.outcome == "waits"
    database.open.set()
    first.join(SECONDS)
    assert first.outcome == "committed"


def test_no_more_than_some_share_a_commit(database: _Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.platform.postgres.group_commit._MOST", 2)
    callers = _gathered(database, "abcdef", GroupCommit())
    assert {one.outcome for one in callers} == {"committed"}
    assert [len(names) // 2 for names in database.trips] == [1, 2, 2, 1]
