"""Days, ISO weeks, months; defaults and limits of a range."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.platform.errors import Invalid
from app.usage.periods import GRANULARITIES, Granularity, periods, span, start_of, whole_months

TODAY = date(2026, 9, 30)


@given(st.dates(), st.integers(0, 365), st.sampled_from(GRANULARITIES))
def test_every_day_of_the_range_is_in_one_period(first: date, days: int, granularity: Granularity) -> None:
    last = date.fromordinal(min(first.toordinal() + days, date.max.toordinal()))
    found = periods(first, last, granularity)
    assert found[0].first == first
    assert found[-1].last == last
    for before, after in pairwise(found):
        assert before.last + timedelta(days=1) == after.first == after.start
    for period in found:
        assert period.start <= period.first <= period.last
        assert start_of(period.last, granularity) == period.start
        if granularity == "week":
            assert period.start.isoweekday() == 1
        if granularity == "month":
            assert period.start.day == 1


def test_a_week_that_began_before_the_range_keeps_its_monday() -> None:
    (week,) = periods(date(2026, 9, 30), date(2026, 10, 4), "week")
    assert (week.start, week.first, week.last) == (
        date(2026, 9, 28),
        date(2026, 9, 30),
        date(2026, 10, 4),
    )


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (None, None, (date(2026, 8, 31), TODAY)),
        (date(2026, 9, 1), None, (date(2026, 9, 1), TODAY)),
        (None, date(2026, 6, 30), (date(2026, 5, 31), date(2026, 6, 30))),
        (None, date(2026, 10, 2), (date(2026, 8, 31), date(2026, 10, 2))),
        (None, date.min, (date.min, date.min)),
    ],
)
def test_what_is_not_given_is_the_last_thirty_days(
    first: date | None, last: date | None, expected: tuple[date, date]
) -> None:
    assert span(first, last, TODAY) == expected


def test_a_leap_year_fits_and_one_day_more_does_not() -> None:
    assert span(date(2024, 1, 1), date(2024, 12, 31), TODAY)
    with pytest.raises(Invalid) as caught:
        span(date(2024, 1, 1), date(2025, 1, 1), TODAY)
    assert caught.value.details == {"field": "from", "max": 366, "got": 367}


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (date(2026, 1, 1), date(2026, 1, 31), (date(2026, 1, 1), date(2026, 1, 31))),
        (date(2026, 1, 2), date(2026, 3, 30), (date(2026, 2, 1), date(2026, 2, 28))),
        (date(2025, 11, 21), date(2026, 11, 21), (date(2025, 12, 1), date(2026, 10, 31))),
        (date(2024, 2, 1), date(2024, 2, 28), None),
        (date(2026, 1, 2), date(2026, 2, 27), None),
        (date.min, date.min, None),
        (date(9999, 12, 1), date.max, (date(9999, 12, 1), date.max)),
    ],
)
def test_whole_months_are_those_that_lie_in_the_range_from_end_to_end(
    first: date, last: date, expected: tuple[date, date] | None
) -> None:
    assert whole_months(first, last) == expected


def test_a_range_does_not_run_backwards() -> None:
    with pytest.raises(Invalid) as caught:
        span(date(2026, 9, 2), date(2026, 9, 1), TODAY)
    assert (caught.value.status, caught.value.details) == (
        400,
        {"field": "from", "from": "2026-09-02", "to": "2026-09-01"},
    )
