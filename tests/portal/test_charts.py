"""Geometry of charts, and the pace of spending."""

from __future__ import annotations

import re
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.portal.web.display.charts import HEIGHT, WIDTH, chart, rounded_up
from app.usage.burn_rate import burn_rate

MONDAY = date(2026, 11, 16)


def days(*values: int | None) -> list[tuple[date, int | None]]:
    return [(MONDAY + timedelta(days=number), value) for number, value in enumerate(values)]


@given(st.integers(0, 10**12))
def test_the_axis_ends_above_every_value_at_a_number_with_a_whole_half(value: int) -> None:
    ceiling = rounded_up(value)
    assert value <= ceiling <= max(2, 2 * value)
    assert ceiling % 2 == 0


@given(st.lists(st.integers(0, 10**9), max_size=400))
def test_bars_lie_inside_the_picture(values: list[int]) -> None:
    drawn = chart(days(*values))
    bars = re.findall(r"M([\d.]+) 100v-([\d.]+)h([\d.]+)V100z", drawn.bars + drawn.weekend_bars)
    assert len(bars) == sum(value > 0 for value in values)
    for left, high, wide in (map(float, bar) for bar in bars):
        column = WIDTH / len(values)
        assert left // column == (left + wide - 0.01) // column
        assert 0 <= left <= left + wide <= WIDTH
        assert high <= HEIGHT


def test_columns_too_narrow_to_point_at_are_left_out() -> None:
    assert len(chart(days(*[1] * 124)).columns) == 124
    year = chart(days(*[1] * 366))
    assert not year.columns
    assert year.bars.count("M") + year.weekend_bars.count("M") == 366


def test_a_line_stops_where_nothing_was_measured() -> None:
    drawn = chart(days(10, None, 5, 10))
    assert drawn.line == "M37.5 0.0h.01M187.5 50.0L262.5 0.0"
    assert chart(days(None, None)).line == ""


def test_the_period_before_shares_the_scale() -> None:
    drawn = chart(days(1, 1), days(40, 20))
    assert drawn.ceiling == 40
    assert drawn.before == "M75.0 0.0L225.0 50.0"


def test_the_first_and_the_last_day_are_written_under_the_axis() -> None:
    drawn = chart(days(*range(31)))
    assert drawn.ticks == [MONDAY + timedelta(days=n) for n in (0, 10, 20, 30)]
    assert chart(days(7)).ticks == [MONDAY]
    assert chart([]).ticks == []


def test_the_peak_is_the_first_of_the_highest_and_none_of_nothing() -> None:
    drawn = chart(days(3, 9, 9))
    assert drawn.peak == (MONDAY + timedelta(days=1), 9)
    assert drawn.lowest == 3
    assert chart(days(0, None)).peak is None
    week = chart(days(1, 1, 1, 1, 1, 1, 1))
    assert (week.bars.count("M"), week.weekend_bars.count("M")) == (5, 2)


def test_a_new_account_is_measured_from_its_first_charge() -> None:
    today = MONDAY + timedelta(days=29)
    found = burn_rate([(MONDAY + timedelta(days=n), 10 if n >= 27 else 0) for n in range(30)], today)
    assert (found.spent, found.days) == (30, 3)
    assert found.lasts_days(105) == 10
    assert found.lasts_days(0) == 0


def test_credits_that_are_not_spent_last_without_an_end() -> None:
    assert burn_rate([(MONDAY, 0)], MONDAY).lasts_days(100) is None
    assert burn_rate([(MONDAY, 1)], MONDAY).lasts_days(10**6) is None
