"""Days, ISO weeks and months of a report's range. Pure."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Literal, get_args

from app.platform.errors import Invalid

Granularity = Literal["day", "week", "month"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)

LONGEST_DAYS = 366
_DEFAULT_DAYS_AGO = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Period:
    """A period of a report: `start` is its first day (a Monday, the first of a month), even before the range.

    `first` and `last` are its days within the range, both inclusive.
    """

    start: date
    first: date
    last: date


def start_of(day: date, granularity: Granularity) -> date:
    """Return the first day of the period that contains `day`."""
    if granularity == "day":
        return day
    if granularity == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1)


def periods(first: date, last: date, granularity: Granularity) -> list[Period]:
    """Return every period that `first` to `last` (both inclusive) touches, in order and without a gap."""
    days = map(date.fromordinal, range(first.toordinal(), last.toordinal() + 1))
    found = []
    for start, group in groupby(days, lambda day: start_of(day, granularity)):
        inside = list(group)
        found.append(Period(start, inside[0], inside[-1]))
    return found


def whole_months(first: date, last: date) -> tuple[date, date] | None:
    """Return first and last day of the whole calendar months within the range; `None` without one."""
    whole = [
        period
        for period in periods(first, last, "month")
        if period.first == period.start
        and period.last.day == monthrange(period.last.year, period.last.month)[1]
    ]
    return (whole[0].first, whole[-1].last) if whole else None


def span(first: date | None, last: date | None, today: date) -> tuple[date, date]:
    """Return the range with defaults filled in: up to today, from 30 days before (decision 038).

    A `last` in the past without a `first` means the 30 days before it.

    Raises:
        Invalid: The range runs backwards or has more than 366 days.
    """
    last = last or today
    if first is None:
        end = min(last, today)
        first = date.min if end - date.min < _DEFAULT_DAYS_AGO else end - _DEFAULT_DAYS_AGO
    if first > last:
        raise Invalid(
            f"from: {first} is after to ({last}).",
            details={"field": "from", "from": str(first), "to": str(last)},
        )
    days = (last - first).days + 1
    if days > LONGEST_DAYS:
        raise Invalid(
            f"from: {first} to {last} is {days} days; the maximum is {LONGEST_DAYS}. Split the range.",
            details={"field": "from", "max": LONGEST_DAYS, "got": days},
        )
    return first, last
