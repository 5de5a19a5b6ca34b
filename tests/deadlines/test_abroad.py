"""Periods of other countries: their calendars, what counts, and when a last day moves."""

from __future__ import annotations

from datetime import date

import pytest

from app.deadlines import abroad
from app.deadlines.operations import PeriodBody, compute_period
from app.platform.errors import Invalid

CODES = ("AR", "CL", "CO", "GB", "MX", "PE", "PT")


def test_the_countries_have_a_calendar_of_this_year_and_the_next() -> None:
    assert tuple(abroad.countries()) == CODES
    for code, country in abroad.countries().items():
        for days in country.calendars.values():
            years = {date.fromisoformat(day).year for day in days}
            assert years == {2026, 2027}, code
            assert list(days) == sorted(set(days)), code
        assert {one.holidays for one in country.regime} <= set(country.calendars)
        assert {"civil", "procesal"} <= set(abroad.regimes(code))


@pytest.mark.parametrize(
    ("code", "regime", "start", "amount", "unit", "due"),
    [
        # Written out by hand from the articles that the answer names.
        ("MX", "administrativo", "2026-09-10", 5, "habiles", "2026-09-18"),  # 16 September is left out
        ("MX", "tributario", "2026-11-12", 3, "habiles", "2026-11-18"),  # so is the third Monday of November
        ("MX", "laboral", "2026-03-02", 2, "meses", "2026-05-01"),  # a month is thirty days (art. 736 LFT)
        ("MX", "administrativo", "2026-01-31", 1, "meses", "2026-03-02"),  # no 31 February
        ("CO", "procesal", "2026-12-18", 3, "habiles", "2027-01-14"),  # vacancia, Epiphany on the 11th
        ("CO", "civil", "2026-03-01", 30, "naturales", "2026-03-31"),
        ("CO", "administrativo", "2026-06-05", 1, "habiles", "2026-06-09"),  # Corpus Christi on the 8th
        ("AR", "procesal", "2026-12-30", 2, "habiles", "2027-02-01"),  # the feria of January does not run
        ("AR", "civil", "2026-08-31", 1, "meses", "2026-09-30"),
        ("CL", "procesal", "2026-07-14", 3, "habiles", "2026-07-18"),  # Saturday counts, 16 July does not
        ("CL", "administrativo", "2026-07-14", 3, "habiles", "2026-07-20"),
        ("PE", "procesal", "2026-07-22", 3, "habiles", "2026-07-30"),  # 23, 28 and 29 July are holidays
        ("PE", "civil", "2026-07-13", 15, "naturales", "2026-07-30"),  # the 28th moves on (art. 183.5 CC)
        ("PT", "procesal", "2026-12-18", 10, "naturales", "2027-01-11"),  # suspended 22 December to 3 January
        ("PT", "administrativo", "2026-06-03", 2, "habiles", "2026-06-08"),  # Corpus Christi on the 4th
        ("GB", "procesal", "2026-12-22", 3, "habiles", "2026-12-29"),
        ("GB", "civil", "2026-01-31", 1, "meses", "2026-02-28"),
    ],
)  # fmt: skip
def test_a_period_ends_as_the_law_of_its_country_counts(
    code: str, regime: str, start: str, amount: int, unit: str, due: str
) -> None:
    found = abroad.count(code, date.fromisoformat(start), amount, unit, regime=regime)
    assert found.due.isoformat() == due
    assert found.steps[-1].day == found.due


def test_a_regime_that_is_not_named_is_assumed_and_said() -> None:
    found = abroad.count("CO", date(2026, 3, 2), 5, "habiles", regime=None)
    assert (found.regime, found.assumed) == ("procesal", True)
    assert "Se ha supuesto" in found.adjustments[-1]


def test_years_without_a_calendar_are_said() -> None:
    found = abroad.count("PE", date(2028, 3, 2), 5, "habiles", regime="procesal")
    assert any("Solo constan los festivos de 2026 y 2027" in told for told in found.adjustments)


def test_a_local_holiday_does_not_count() -> None:
    plain = abroad.count("CL", date(2026, 3, 2), 1, "habiles", regime="administrativo")
    with_local = abroad.count(
        "CL", date(2026, 3, 2), 1, "habiles", regime="administrativo", local=[date(2026, 3, 3)]
    )
    assert (plain.due, with_local.due) == (date(2026, 3, 3), date(2026, 3, 4))


def test_a_period_beyond_the_longest_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        abroad.count("MX", date(2026, 1, 1), 3_661, "habiles", regime="civil")


@pytest.mark.parametrize("code", ["ES", "MX", "PE", "PT", "GB"])
def test_a_period_that_ends_behind_the_last_day_of_the_calendar_is_a_mistake_of_who_asks(code: str) -> None:
    asked = {"jurisdiction": code, "fechaBase": "9999-12-30", "cantidad": 5, "tipoComputo": "habiles"}
    with pytest.raises(Invalid, match="too long"):
        compute_period(PeriodBody().load(asked))
