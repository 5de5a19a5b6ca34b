"""The sum of the parts is the whole, and both are what the rows say, for any calls and any question."""

from __future__ import annotations

import csv
import io
import math
import uuid
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import tenancy, usage
from app.platform.postgres import db
from app.usage import csv_export
from app.usage.histogram import BOUNDS
from app.usage.models import BUCKETS
from app.usage.periods import GRANULARITIES, start_of
from app.usage.rollup import insert_calls
from tests.cast import Cast

NEW_YEAR = date(2026, 1, 1)
KEY = uuid.UUID(int=1)
MASTER, FIRST_CHILD, SECOND_CHILD, SOLO = range(4)
ENDPOINTS = ["/api/v1/analyze", "/api/v1/usage", "/api/v1/jobs/{id}"]
SOME = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])

CALLS = st.lists(
    st.tuples(
        st.integers(0, 70 * 24 * 60),  # minutes after the new year
        st.sampled_from([MASTER, FIRST_CHILD, SECOND_CHILD, SOLO]),
        st.sampled_from(ENDPOINTS),
        st.sampled_from([200, 200, 400, 429, 500]),
        st.integers(0, 5_000),
        st.integers(0, 2),
    ),
    max_size=60,
)


Drawn = list[tuple[int, int, str, int, int, int]]


@dataclass(frozen=True)
class Asked:
    """A question before there is an account to ask it of; which of its keys, and whose organization's."""

    first: date
    last: date
    granularity: usage.Granularity
    key: int | None
    endpoint: str | None
    organization: str | None


@st.composite
def questions(draw: st.DrawFn) -> Asked:
    first = NEW_YEAR + timedelta(days=draw(st.integers(-3, 60)))
    organization = draw(st.sampled_from([None, "alive", "deleted", "empty"]))
    of_it = {"alive": [MASTER, FIRST_CHILD], "deleted": [FIRST_CHILD]}
    return Asked(
        first,
        first + timedelta(days=draw(st.integers(0, 100))),
        draw(st.sampled_from(GRANULARITIES)),
        draw(st.sampled_from([None, *(of_it.get(organization, []) if organization else range(4))])),
        draw(st.sampled_from([None, *ENDPOINTS, "/unknown"])),
        organization,
    )


@dataclass(frozen=True)
class House:
    """An account with an organization of a master and two child keys, one without any, and a solo key."""

    account_id: uuid.UUID
    keys: tuple[uuid.UUID, ...]
    organizations: dict[str, uuid.UUID]


def _house(state: str | None = "alive") -> House:
    """`state` is what became of the organization: its master is a solo key again when it is deleted."""
    house = House(
        uuid.uuid4(),
        tuple(uuid.uuid4() for _ in range(4)),
        {"alive": uuid.uuid4(), "empty": uuid.uuid4()},
    )
    house.organizations["deleted"] = house.organizations["alive"]
    with db.transaction() as session:
        session.add(tenancy.Account(id=house.account_id, name="House"))
        session.flush()
        for name in ("alive", "empty"):
            session.add(
                tenancy.Organization(
                    id=house.organizations[name], account_id=house.account_id, name=f"Firm {name}"
                )
            )
        session.flush()
        for number, key_id in enumerate(house.keys):
            child = number in (FIRST_CHILD, SECOND_CHILD)
            master = number == MASTER and state != "deleted"
            session.add(
                tenancy.ApiKey(
                    id=key_id,
                    account_id=house.account_id,
                    name=f"key {number}",
                    key_prefix="svc_12345678",
                    key_hash=key_id.bytes,
                    role="child" if child else "master" if master else "solo",
                    tier="standard",
                    scopes=["analyze"],
                    organization_id=house.organizations["alive"] if child or master else None,
                    parent_key_id=house.keys[MASTER] if child else None,
                )
            )
            session.flush()
    return house


def _question(house: House, asked: Asked) -> usage.ReportQuery:
    with db.reading() as session:
        return usage.ask_of_account(
            session,
            house.account_id,
            today=NEW_YEAR,
            first=asked.first,
            last=asked.last,
            granularity=asked.granularity,
            api_key_id=None if asked.key is None else house.keys[asked.key],
            endpoint=asked.endpoint,
            organization_id=house.organizations[asked.organization] if asked.organization else None,
        )


@dataclass(frozen=True)
class Row:
    """A call as it stands in `usage_calls`."""

    day: date
    api_key_id: uuid.UUID
    endpoint: str
    status: int
    latency_ms: int
    credits: int


def _enter(house: House, drawn: Drawn, cut: int) -> None:
    midnight = datetime(2026, 1, 1, tzinfo=UTC)
    calls = [
        usage.Call(midnight + timedelta(minutes=m), house.account_id, house.keys[key], *rest)
        for m, key, *rest in drawn
    ]
    # In two batches that overlap, the second one twice over: each call counts once all the same.
    with db.transaction() as session:
        insert_calls(session, calls[:cut])
    with db.transaction() as session:
        assert insert_calls(session, calls[cut // 2 :] * 2) == len(calls) - min(cut, len(calls))


def _rows(question: usage.ReportQuery, house: House | None = None, asked: Asked | None = None) -> list[Row]:
    """Asked of the raw rows, one by one, in the plainest way."""
    members = set(house.keys) if house else set()
    if house and asked and asked.organization:
        numbers = {"alive": [MASTER, FIRST_CHILD, SECOND_CHILD], "deleted": [FIRST_CHILD, SECOND_CHILD]}
        members = {house.keys[number] for number in numbers.get(asked.organization, [])}
    with db.reading() as session:
        found = session.execute(
            sa.text(
                "SELECT (at AT TIME ZONE 'UTC')::date, api_key_id, endpoint, status, latency_ms, credits "
                "FROM usage_calls WHERE account_id = :a"
            ),
            {"a": question.account_id},
        )
        rows = [Row(*row) for row in found]
    return [
        row
        for row in rows
        if question.first <= row.day <= question.last
        and question.api_key_id in (None, row.api_key_id)
        and (house is None or row.api_key_id in members)
        and question.endpoint in (None, row.endpoint)
    ]


def _counts(rows: list[Row]) -> tuple[int, int, int, int]:
    return (
        len(rows),
        sum(row.status >= 400 for row in rows),
        sum(row.status == 429 for row in rows),
        sum(row.credits for row in rows),
    )


def _four(figures: object) -> tuple[int, ...]:
    return tuple(getattr(figures, name) for name in ("calls", "errors", "rate_limited", "credits"))


def _check_latency(found: int, rows: list[Row], share: float) -> None:
    if not rows:
        assert found == 0
        return
    exact = sorted(row.latency_ms for row in rows)[math.ceil(share * len(rows)) - 1]
    assert bisect_right(BOUNDS, found) == bisect_right(BOUNDS, exact)


@SOME
@given(CALLS, questions(), st.integers(0, 60))
def test_every_part_is_what_the_rows_say_and_the_parts_sum_to_the_whole(
    cast: Cast, drawn: Drawn, asked: Asked, cut: int
) -> None:
    house = _house(asked.organization)
    _enter(house, drawn, cut)
    question = _question(house, asked)
    rows = _rows(question, house, asked)
    with db.reading() as session:
        report = usage.report(session, question)

    assert _four(report.totals) == _counts(rows)
    _check_latency(report.totals.latency_p50_ms, rows, 0.5)
    _check_latency(report.totals.latency_p95_ms, rows, 0.95)

    assert {item.api_key_id for item in report.by_key} == {row.api_key_id for row in rows}
    for key in report.by_key:
        assert _four(key) == _counts([row for row in rows if row.api_key_id == key.api_key_id])
    assert {endpoint for endpoint, _ in report.by_endpoint} == {row.endpoint for row in rows}
    for endpoint, figures in report.by_endpoint:
        part = [row for row in rows if row.endpoint == endpoint]
        assert _four(figures) == _counts(part)
        _check_latency(figures.latency_p95_ms, part, 0.95)
    for start, figures in report.buckets:
        part = [row for row in rows if start_of(row.day, question.granularity) == start]
        assert _four(figures) == _counts(part)
        _check_latency(figures.latency_p95_ms, part, 0.95)

    for parts in (report.by_key, [f for _, f in report.by_endpoint], [f for _, f in report.buckets]):
        assert [sum(column) for column in zip((0,) * 4, *map(_four, parts), strict=True)] == list(
            _four(report.totals)
        )
    days = (question.last - question.first).days + 1
    if question.granularity == "day":
        assert len(report.buckets) == days

    with db.reading() as session:
        bare = usage.report(session, question, busiest=0, endpoints=False)
    assert (bare.totals, bare.buckets) == (report.totals, report.buckets)
    assert (bare.by_key, bare.by_endpoint) == ([], [])


def _months(account: uuid.UUID) -> tuple[list[sa.Row[Any]], list[sa.Row[Any]]]:
    """What the roll-up by month holds, and what it should: sums of days."""
    names = ("calls", "errors", "rate_limited", "credits", *BUCKETS)
    with db.reading() as session:
        held, due = (
            session.execute(sa.text(f"SELECT {statement} ORDER BY 1, 2, 3, 4"), {"a": account}).all()
            for statement in (
                f"grain, month, api_key_id, endpoint, {', '.join(names)} FROM usage_months "
                "WHERE account_id = :a",
                "grain, date_trunc('month', day::timestamp)::date, api_key_id, endpoint, "
                + ", ".join(f"sum({name})" for name in names)
                + " FROM usage_days WHERE account_id = :a GROUP BY 1, 2, 3, 4",
            )
        )
    return list(held), list(due)


@SOME
@given(CALLS, st.integers(0, 60))
def test_months_are_the_sums_of_their_days(cast: Cast, drawn: Drawn, cut: int) -> None:
    house = _house()
    _enter(house, drawn, cut)
    held, due = _months(house.account_id)
    assert held == due


def test_a_month_that_falls_short_of_its_days_is_made_anew(cast: Cast) -> None:
    alice, bob = (cast.player().account_id for _ in range(2))
    moments = [datetime(2026, month, day, tzinfo=UTC) for month in (3, 4, 5) for day in (1, 28)]
    for account in (alice, bob):
        with db.transaction() as session:
            insert_calls(session, [usage.Call(at, account, KEY, ENDPOINTS[0], 200, 5, 1) for at in moments])
    # As if processes that know no months had entered some of alice's calls.
    with db.transaction() as session:
        for statement in (
            "DELETE FROM usage_months WHERE account_id = :a AND month IN ('2026-03-01', '2026-04-01')",
            "UPDATE usage_months SET calls = 1, ms_03 = NULL WHERE account_id = :a AND month = '2026-05-01'",
        ):
            session.execute(sa.text(statement), {"a": alice})
    mended = []
    while not mended or mended[-1]:
        mended.append(db.atomically(lambda session: usage.repair(session, today=date(2026, 5, 20))))
    assert mended == [True, True, False]
    for account, months in ((alice, {4, 5}), (bob, {3, 4, 5})):
        held, due = _months(account)
        assert held == [row for row in due if row[1].month in months]


def test_the_rows_of_an_organization_that_fall_short_of_its_sub_keys_are_made_anew(cast: Cast) -> None:
    alice, bob = _house(), _house()
    moments = [datetime(2026, 5, day, hour, tzinfo=UTC) for day in (17, 19, 20) for hour in range(3)]
    for house in (alice, bob):
        for key in house.keys:
            with db.transaction() as session:
                insert_calls(
                    session,
                    [usage.Call(at, house.account_id, key, ENDPOINTS[0], 200, 5, 1) for at in moments],
                )
    whole = {house.account_id: _all_rows(house.account_id) for house in (alice, bob)}
    # As if processes that know no such rows had entered alice's calls of the last two days.
    with db.transaction() as session:
        for statement in (
            "DELETE FROM usage_days WHERE account_id = :a AND grain > 3 AND day >= '2026-05-19'",
            "UPDATE usage_months SET calls = 6, credits = 6, ms_03 = 6 WHERE account_id = :a AND grain > 3",
        ):
            session.execute(sa.text(statement), {"a": alice.account_id})
    assert _all_rows(alice.account_id) != whole[alice.account_id]
    mended = []
    while not mended or mended[-1]:
        mended.append(db.atomically(lambda session: usage.repair(session, today=date(2026, 5, 20))))
    assert mended == [True, True, False]
    for house in (alice, bob):
        assert _all_rows(house.account_id) == whole[house.account_id]


def _all_rows(account: uuid.UUID) -> list[list[sa.Row[Any]]]:
    with db.reading() as session:
        return [
            list(
                session.execute(
                    sa.text(f"SELECT * FROM {table} WHERE account_id = :a ORDER BY 1, 2, 3, 4, 5"),
                    {"a": account},
                )
            )
            for table in ("usage_days", "usage_months")
        ]


@SOME
@given(CALLS, questions(), st.integers(1, 4))
def test_the_sheet_is_what_the_rows_say_however_it_is_paged(
    cast: Cast, drawn: Drawn, asked: Asked, page: int
) -> None:
    house = _house(asked.organization)
    _enter(house, drawn, len(drawn))
    question = _question(house, asked)
    rows = _rows(question, house, asked)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(csv_export, "_PAGE", page)
        lines = list(csv.reader(io.StringIO(b"".join(usage.export_csv(question)).decode())))
    assert lines[0] == ["period_start", "api_key_id", "key_prefix", "endpoint", "calls", "errors"]
    calls: Counter[tuple[str, str, str]] = Counter()
    errors: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        cell = (str(start_of(row.day, question.granularity)), str(row.api_key_id), row.endpoint)
        calls[cell] += 1
        errors[cell] += row.status >= 400
    assert [(line[0], line[1], line[3], int(line[4]), int(line[5])) for line in lines[1:]] == [
        (*cell, calls[cell], errors[cell]) for cell in sorted(calls)
    ]


def test_a_call_at_midnight_belongs_to_the_day_that_begins(cast: Cast) -> None:
    account = uuid.uuid4()
    for moment in (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 2, 28, 23, 59, 59, 999_999, tzinfo=UTC)):
        with db.transaction() as session:
            insert_calls(session, [usage.Call(moment, account, KEY, ENDPOINTS[0], 200, 5)])
    with db.reading() as session:
        report = usage.report(session, usage.ReportQuery(account, date(2026, 2, 28), date(2026, 3, 1)))
    assert [figures.calls for _, figures in report.buckets] == [1, 1]


def test_old_rows_go_and_the_figures_stay(cast: Cast) -> None:
    account = uuid.uuid4()
    kept_from = datetime(2021, 5, 1, tzinfo=UTC)
    moments = [kept_from + timedelta(hours=n) for n in range(-30, 3)]
    with db.transaction() as session:
        insert_calls(session, [usage.Call(at, account, KEY, ENDPOINTS[0], 200, 5) for at in moments])
    gone = []
    while not gone or gone[-1]:
        with db.transaction() as session:
            gone.append(usage.forget(session, before=kept_from, limit=12))
    assert gone == [12, 12, 6, 0]
    question = usage.ReportQuery(account, date(2021, 4, 1), date(2021, 5, 2))
    assert len(_rows(question)) == 3
    with db.reading() as session:
        assert usage.report(session, question).totals.calls == 33
