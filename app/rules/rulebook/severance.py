"""Compute what the end of an employment contract is worth in Spain: service, daily pay, compensation.

Periods under a year count by months, a begun month as a whole one; a day's pay is a year's pay over 365.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from app.deadlines import add_months
from app.rules.rulebook.quantities import Quantity

# Before this day the compensation for unfair dismissal was forty-five days a year (11th transitional
# provision ET).
_REFORM = date(2012, 2, 12)
_CENT = Decimal("0.01")
_MONTHS = {"month": 12, "quarter": 4, "half_year": 2, "year": 1, "day": 365}
# National minimum wage in euros a month, fourteen payments a year, by the year of its decree.
MINIMUM_WAGE = {
    2019: Decimal(900),
    2020: Decimal(950),
    2021: Decimal(950),
    2022: Decimal(1000),
    2023: Decimal(1080),
    2024: Decimal(1134),
    2025: Decimal(1184),
    2026: Decimal(1221),
}


@dataclass(frozen=True, slots=True)
class Severance:
    """What is due, in euros or whatever the pay was in, and for how many months of service."""

    due: Decimal
    months: int


def service_months(since: date, until: date) -> int:
    """Return the months of service, both days included, a begun month counted as a whole one."""
    end = until + timedelta(days=1)
    months = (end.year - since.year) * 12 + end.month - since.month
    if add_months(since, months) < end:
        months += 1
    return max(months, 0)


def yearly_pay(pay: Quantity) -> Decimal | None:
    """Return the pay of a year, None where it is not said of which period it is.

    A monthly pay counts twelve times, unless its own words say fourteen.
    """
    times = _MONTHS.get(pay.period or "")
    if times is None:
        return None
    if pay.period == "month" and in_fourteen(pay):
        times = 14
    return pay.value * times


def in_fourteen(pay: Quantity) -> bool:
    """Tell whether the words of a pay say that it is paid fourteen times a year."""
    words = pay.quote.lower()
    return ("catorce" in words or "14 pagas" in words or "14 mens" in words) and "prorrat" not in words


def severance(pay: Decimal, since: date, until: date, days: int, most: int | None) -> Severance:
    """Return so many days' pay for each year of service, at most `most` months' pay.

    Args:
        pay: pay of a year, extra payments included.
        since: first day of service.
        until: last day of service.
        days: days' pay for each year.
        most: months' pay that it may not exceed, None for no limit.
    """
    months = service_months(since, until)
    due = pay / 365 * days * months / 12
    if most is not None:
        due = min(due, pay / 12 * most)
    return Severance(due.quantize(_CENT), months)


def unfair_dismissal(pay: Decimal, since: date, until: date) -> Severance:
    """Return the compensation for an unfair dismissal (art. 56.1 ET and its 11th transitional provision)."""
    if since >= _REFORM:
        return severance(pay, since, until, 33, 24)
    before = Decimal(45 * service_months(since, _REFORM - timedelta(days=1))) / 12
    after = Decimal(33 * service_months(_REFORM, until)) / 12
    days = min(before, Decimal(42 * 30)) if before > 720 else min(before + after, Decimal(720))
    return Severance((pay / 365 * days).quantize(_CENT), service_months(since, until))
