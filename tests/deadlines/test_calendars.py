"""Counting of periods against the labelled cases and the articles they rest on."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.deadlines import calendars
from app.rules.facts.time.procedural import periods_by_key, procedural_periods

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "plazos_es.json"
DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


def labelled_cases() -> list[dict[str, object]]:
    if not CASES.exists():
        pytest.skip(f"labelled periods are not beside this checkout: {CASES.name}")
    return list(json.loads(CASES.read_text(encoding="utf-8")))


def last_day(key: str, start: date, holidays: tuple[date, ...] = ()) -> date:
    if key in {"apremio_pago", "liquidacion_voluntaria"}:
        return calendars.tax_payment(start, enforced=key == "apremio_pago", holidays=holidays).due
    if key == "personal_cc":
        return calendars.civil(start, 5, "year").due
    period = periods_by_key()[key]
    return calendars.COUNTING[period.calendar](start, period.number, period.unit, holidays).due


@pytest.mark.parametrize(
    ("notified", "due"),
    [
        (date(2026, 10, 15), date(2026, 11, 5)),
        (date(2026, 10, 16), date(2026, 11, 20)),
        # The 5th of December 2026 is a Saturday; the 8th is a holiday of the State, the 7th is not.
        (date(2026, 11, 2), date(2026, 12, 7)),
        (date(2026, 12, 31), date(2027, 1, 20)),
    ],
)
def test_claimed_contributions_are_paid_by_the_5th_or_the_20th_of_the_next_month(
    notified: date, due: date
) -> None:
    assert calendars.contribution_payment(notified).due == due


def test_every_labelled_case_ends_on_the_labelled_day() -> None:
    checked = 0
    for case in labelled_cases():
        holidays = tuple(date.fromisoformat(day) for day in case.get("holidays", ()))  # type: ignore[attr-defined]
        for start, end in case["vectors"]:  # type: ignore[attr-defined]
            due = last_day(str(case["id"]), date.fromisoformat(start), holidays)
            assert due == date.fromisoformat(end), (case["id"], start)
            checked += 1
    assert checked >= 17


def test_the_table_of_periods_says_what_the_labelled_cases_say() -> None:
    cases = {str(case["id"]): case for case in labelled_cases()}
    for period in procedural_periods():
        case = cases[period.key]
        assert (period.number, period.unit) == (case["n"], case["unit"]), period.key
        article = str(case["norm"]).partition("#")[2]
        assert article in period.basis, period.key


@pytest.mark.parametrize(
    ("year", "easter"),
    [
        (1818, "1818-03-22"),
        (2000, "2000-04-23"),
        (2024, "2024-03-31"),
        (2026, "2026-04-05"),
        (2038, "2038-04-25"),
    ],
)
def test_easter_falls_where_the_church_puts_it(year: int, easter: str) -> None:
    assert calendars.easter(year).isoformat() == easter


def test_national_holidays_of_2026_are_ten_and_hold_good_friday() -> None:
    days = calendars.national_holidays(2026)
    assert len(days) == 10
    assert date(2026, 4, 3) in days
    assert date(2026, 12, 6) in days
    assert date(2026, 3, 19) not in days  # regional


def test_months_run_date_to_date_and_stop_at_the_last_day_of_a_shorter_month() -> None:
    assert calendars.civil(date(2026, 1, 31), 1, "month").due == date(2026, 2, 28)
    assert calendars.civil(date(2024, 2, 29), 1, "year").due == date(2025, 2, 28)


def test_civil_days_are_natural_and_the_last_is_not_moved() -> None:
    # Art. 5 CC: 10 days from 31 December end on a Saturday, and stay there.
    assert calendars.civil(date(2025, 12, 31), 10, "day").due == date(2026, 1, 10)


def test_a_term_counts_its_first_day() -> None:
    computation = calendars.term_end(date(2026, 9, 1), 5, "year")
    assert computation.due == date(2031, 8, 31)
    assert [rule.basis for rule in computation.rules] == ["art. 5.1 CC"]


def test_a_claim_before_the_administrative_courts_skips_august() -> None:
    assert calendars.contentious(date(2026, 7, 10), 2, "month").due == date(
        2026, 10, 13
    )  # 10th is a Saturday, 12th a holiday
    computation = calendars.contentious(date(2026, 8, 5), 2, "month")
    assert computation.due == date(2026, 11, 2)  # 31 October is a Saturday, 1 November a holiday and a Sunday
    assert calendars.CONTENTIOUS_AUGUST in computation.rules


def test_regional_holidays_are_an_input() -> None:
    without = calendars.administrative(date(2026, 3, 18), 5, "business_day").due
    assert without == date(2026, 3, 25)
    assert calendars.administrative(date(2026, 3, 18), 5, "business_day", {date(2026, 3, 19)}).due == date(
        2026, 3, 26
    )


def test_dismissal_runs_in_august_and_ordinary_court_time_does_not() -> None:
    start = date(2026, 7, 30)
    assert calendars.labour_urgent(start, 20, "business_day").due == date(2026, 8, 27)
    assert calendars.judicial(start, 20, "business_day").due == date(2026, 9, 25)


@pytest.mark.parametrize("number", [0, -1, 10**6])
def test_a_period_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="out of range"):
        calendars.civil(date(2026, 1, 1), number, "day")


@given(DAYS, st.integers(1, 60), st.sampled_from(["day", "business_day", "month"]))
def test_a_longer_period_never_ends_sooner(start: date, number: int, unit: calendars.Unit) -> None:
    for count in calendars.COUNTING.values():
        assert start < count(start, number, unit, ()).due <= count(start, number + 1, unit, ()).due


@given(DAYS, st.integers(1, 40))
def test_a_day_in_court_is_a_working_day_outside_the_recess(start: date, number: int) -> None:
    due = calendars.judicial(start, number, "business_day").due
    assert due.weekday() < 5
    assert not calendars.is_court_recess(due)
    assert not calendars.is_holiday(due)


@given(DAYS, st.integers(1, 12))
def test_more_holidays_never_bring_the_last_day_forward(start: date, number: int) -> None:
    holidays = frozenset(start + timedelta(days=step) for step in range(1, 9))
    for count in calendars.COUNTING.values():
        assert (
            count(start, number, "business_day", holidays).due >= count(start, number, "business_day", ()).due
        )
