"""Calls by month: none is lost on the way into a month or out of it, and none of another account goes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
import sqlalchemy as sa

from app import usage
from app.governance import account_export
from app.platform import clock, settings
from app.platform.errors import Invalid, NotFound
from app.platform.postgres import db, rls
from app.usage.rollup import Call, insert_calls
from tests.cast import Cast
from tests.throwaway import Addresses, new_database


@pytest.fixture
def months(
    app: object, services: Addresses, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[usage.UsageMonth]]:
    """A database of its own, whose months a test may drop; and those there are."""
    monkeypatch.setenv("DATABASE_URL", new_database(services, f"candado_months_{uuid.uuid4().hex[:8]}"))
    settings.current.cache_clear()
    with db.reading() as session:
        yield usage.months(session)
    monkeypatch.undo()
    settings.current.cache_clear()


def enter(account: uuid.UUID, *days: date) -> None:
    key = uuid.uuid4()
    moments = [datetime(day.year, day.month, day.day, 12, tzinfo=UTC) for day in days]
    with db.transaction() as session:
        calls = [Call(at, account, key, "/api/v1/analyze", 200, 5) for at in moments]
        assert insert_calls(session, calls) == len(days)
        assert insert_calls(session, calls) == 0  # also where it lies in a month: no call counts twice


def places(account: uuid.UUID) -> list[str]:
    """Return the tables that an account's calls are in, by time."""
    query = "SELECT tableoid::regclass::text FROM usage_calls WHERE account_id = :account ORDER BY id"
    with db.reading() as session:
        return list(session.scalars(sa.text(query), {"account": account}))


def test_a_call_lies_in_its_month_and_waits_where_none_is_open(months: list[usage.UsageMonth]) -> None:
    account, today = uuid.uuid4(), clock.today()
    first, last = months[0].month, months[-1].month
    assert [one.attached for one in months] == [True] * 3
    later = (last + timedelta(days=40)).replace(day=1)
    enter(account, date(2020, 5, 1), first - timedelta(days=1), first, later)
    assert places(account) == [
        "usage_calls_before",
        "usage_calls_before",
        f"usage_calls_{first:%Y_%m}",
        "usage_calls_rest",
    ]
    # A month later its month is opened, and takes it along. Once: another worker finds it open.
    for expected in (1, 0):
        opened = db.atomically(
            lambda session: usage.open_months(session, today=first if today < first else today)
        )
        assert opened == expected
    assert places(account)[-1] == f"usage_calls_{later:%Y_%m}"
    # After a long absence all are opened that are missing.
    assert db.atomically(lambda session: usage.open_months(session, today=later)) == 3


def test_a_month_goes_and_comes_back_with_its_calls(months: list[usage.UsageMonth]) -> None:
    account, month = uuid.uuid4(), months[1].month
    enter(account, months[0].month, month, month)
    with db.transaction() as session:
        assert not usage.detach_month(session, month).attached
        with pytest.raises(Invalid, match="detached already"):
            usage.detach_month(session, month)
    assert places(account) == [f"usage_calls_{months[0].month:%Y_%m}"]
    # Row security holds for the table by itself.
    query = sa.text(f"SELECT count(*) FROM usage_calls_{month:%Y_%m}")
    for who, seen in ((account, 2), (uuid.uuid4(), 0)):
        with rls.acting_for(who), db.reading() as session:
            assert session.scalar(query) == seen
    with db.transaction() as session:
        assert usage.attach_month(session, month).attached
        with pytest.raises(Invalid, match="attached already"):
            usage.attach_month(session, month)
        with pytest.raises(NotFound):
            usage.detach_month(session, date(1999, 1, 1))
    assert len(places(account)) == 3


def test_an_export_says_which_months_are_set_aside(months: list[usage.UsageMonth]) -> None:
    with db.transaction() as session:
        assert list(account_export._set_aside(session)) == []
        usage.detach_month(session, months[1].month)
        (warning,) = account_export._set_aside(session)
    assert f"{months[1].month:%Y-%m}" in warning


def test_what_is_over_is_dropped_whole_detached_or_not(months: list[usage.UsageMonth]) -> None:
    account = uuid.uuid4()
    enter(account, *(one.month for one in months))
    with db.transaction() as session:
        usage.detach_month(session, months[0].month)
        # The last day of the second month is not over.
        assert usage.drop_old(session, before=months[2].month - timedelta(days=1)) == [months[0].month]
    with db.transaction() as session:
        assert usage.drop_old(session, before=months[2].month) == [months[1].month]
    assert places(account) == [f"usage_calls_{months[2].month:%Y_%m}"]


def test_a_closed_accounts_calls_are_erased_from_every_month_and_no_others(
    months: list[usage.UsageMonth],
) -> None:
    alice, mallory = uuid.uuid4(), uuid.uuid4()
    # The first row of each partition is at the same place in it: (0,1).
    enter(alice, months[0].month, months[2].month)
    enter(mallory, months[1].month)
    with db.transaction() as session:
        usage.detach_month(session, months[2].month)
    assert db.atomically(lambda session: usage.erase(session, alice)) > 0
    assert places(alice) == []
    assert places(mallory) == [f"usage_calls_{months[1].month:%Y_%m}"]
    with db.transaction() as session:
        usage.attach_month(session, months[2].month)
    assert places(alice) == []


def test_a_request_can_touch_no_month(months: list[usage.UsageMonth], cast: Cast) -> None:
    alice = cast.player("alice")
    for name in ("open", "attach", "detach", "drop", "make"):
        with (
            rls.acting_for(alice.account_id),
            pytest.raises(sa.exc.ProgrammingError) as refused,
            db.transaction() as session,
        ):
            session.execute(sa.text(f"SELECT {name}_usage_month('2026-12-01')"))
        assert isinstance(refused.value.orig, psycopg.errors.InsufficientPrivilege)
