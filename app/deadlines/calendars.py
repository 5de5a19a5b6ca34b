"""Count time as Spanish law does: civil, judicial and administrative periods, and the holidays behind them.

Pure arithmetic on dates. Regional and local holidays are an input: without them a computed day may be too
early, never too late, which is the safe side for the person who must meet the deadline.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from app.platform.data_files import Entry, Filled, read_file

Unit = Literal["day", "natural_day", "business_day", "week", "month", "year"]
Calendar = Literal[
    "civil", "judicial", "judicial_urgent", "contentious", "labour", "labour_urgent", "administrative", "tax"
]

_HOLIDAYS: Final = Path(__file__).parent / "data" / "holidays_es.toml"
_REGIONS_FILE: Final = Path(__file__).parent / "data" / "regional_es.toml"
_DAY: Final = timedelta(days=1)
# A period longer than this is a slip of the pen, not a deadline; it also bounds the day-by-day loop.
LONGEST_DAYS: Final = 3_660
_LAST_YEAR: Final = 9_000


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of counting and the article it rests on: `key` is stable, `basis` is a citation."""

    key: str
    basis: str


@dataclass(frozen=True, slots=True)
class Computation:
    """The last day of a period, the rules applied in order, and whether the last day was moved forward."""

    due: date
    rules: tuple[Rule, ...]
    rolled: bool = False


CIVIL_DAYS: Final = Rule("civil_days", "art. 5 CC")
CIVIL_AGREED: Final = Rule("civil_agreed_business_days", "art. 5.1 CC")
CIVIL_MONTHS: Final = Rule("civil_date_to_date", "art. 5.1 CC")
TERM_INCLUSIVE: Final = Rule("term_counts_first_day", "art. 5.1 CC")
JUDICIAL_DAYS: Final = Rule("judicial_business_days", "arts. 130.2 y 133.2 LEC")
JUDICIAL_MONTHS: Final = Rule("judicial_date_to_date", "art. 133.3 LEC")
JUDICIAL_ROLL: Final = Rule("judicial_next_business_day", "art. 133.4 LEC")
JUDICIAL_NATURAL: Final = Rule("judicial_natural_days", "arts. 133.1 y 133.4 LEC")
JUDICIAL_URGENT: Final = Rule("judicial_urgent_days", "arts. 131.3 y 133.2 LEC")
CONTENTIOUS_AUGUST: Final = Rule("contentious_august_excluded", "art. 128.2 LJCA")
CONTENTIOUS_MONTHS: Final = Rule("contentious_date_to_date", "arts. 185.1 LOPJ y 5.1 CC")
COURT_DAYS: Final = Rule("court_business_days", "arts. 182, 183 y 185.1 LOPJ")
COURT_ROLL: Final = Rule("court_next_business_day", "art. 185.2 LOPJ")
LABOUR_DAYS: Final = Rule("labour_business_days", "arts. 43.1 y 43.4 LRJS y 130.2 y 133.2 LEC")
LABOUR_NATURAL: Final = Rule("labour_natural_days", "disp. final 4.ª LRJS y arts. 133.1 y 133.4 LEC")
LABOUR_MONTHS: Final = Rule("labour_date_to_date", "disp. final 4.ª LRJS y art. 133.3 LEC")
LABOUR_URGENT: Final = Rule("labour_august_counts", "art. 43.4 LRJS")
ADMINISTRATIVE_DAYS: Final = Rule("administrative_business_days", "art. 30.2 LPAC")
ADMINISTRATIVE_NATURAL: Final = Rule("administrative_natural_days", "art. 30.2 LPAC")
ADMINISTRATIVE_MONTHS: Final = Rule("administrative_date_to_date", "art. 30.4 LPAC")
ADMINISTRATIVE_ROLL: Final = Rule("administrative_next_business_day", "art. 30.5 LPAC")
# Tax procedures have no rule of their own on days: art. 97 b) LGT refers to the general ones.
_TAX: Final[dict[str, Rule]] = {
    rule.key: Rule(rule.key.replace("administrative", "tax"), f"arts. 97 b) LGT y {rule.basis[5:]}")
    for rule in (ADMINISTRATIVE_DAYS, ADMINISTRATIVE_NATURAL, ADMINISTRATIVE_MONTHS, ADMINISTRATIVE_ROLL)
}


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (Meeus, "Astronomical Algorithms", chapter 8)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e, f = b // 4, b % 4, (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


_Month = Annotated[int, Field(ge=1, le=12)]
_Day = Annotated[int, Field(ge=1, le=31)]
_FromEaster = Annotated[int, Field(ge=-60, le=70)]


class _Fixed(Entry):
    month: _Month
    day: _Day
    name_es: Filled
    name_en: Filled


class _Movable(Entry):
    days_from_easter: _FromEaster
    name_es: Filled
    name_en: Filled


class _Holidays(Entry):
    """Holidays kept in all of Spain."""

    fixed: list[_Fixed]
    movable: list[_Movable]


class _RegionEntry(Entry):
    """Holidays of an autonomous community; `fixed` as "MM-DD"."""

    name: Filled
    fixed: list[Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]]
    days_from_easter: list[_FromEaster]


@cache
def _holiday_rules() -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    rules = read_file(_HOLIDAYS, _Holidays)
    fixed = tuple((entry.month, entry.day) for entry in rules.fixed)
    return fixed, tuple(entry.days_from_easter for entry in rules.movable)


@cache
def national_holidays(year: int) -> frozenset[date]:
    """Return the holidays of `year` kept in all of Spain (data/holidays_es.toml), without regional ones."""
    fixed, movable = _holiday_rules()
    days = {date(year, month, day) for month, day in fixed}
    return frozenset(days | {easter(year) + timedelta(days=offset) for offset in movable})


@dataclass(frozen=True, slots=True)
class Region:
    """An autonomous community by its code of ISO 3166-2:ES without the country, with its certain holidays."""

    code: str
    name: str
    fixed: tuple[tuple[int, int], ...]
    from_easter: tuple[int, ...]


def _read_regions() -> Mapping[str, Region]:
    raw = read_file(_REGIONS_FILE, dict[str, _RegionEntry])
    found = {}
    for code, one in raw.items():
        fixed = tuple((int(day[:2]), int(day[3:])) for day in one.fixed)
        found[code] = Region(code, one.name, fixed, tuple(one.days_from_easter))
    return MappingProxyType(found)


REGIONS: Mapping[str, Region] = _read_regions()


@cache
def regional_holidays(code: str, year: int) -> frozenset[date]:
    """Return the certain holidays of a community in a year, beyond the national ones.

    Args:
        code: A key of `REGIONS`.
        year: A year of the Gregorian calendar.
    """
    region = REGIONS[code]
    moved = {easter(year) + timedelta(days=days) for days in region.from_easter}
    return frozenset({date(year, month, day) for month, day in region.fixed} | moved)


def add_months(start: date, months: int) -> date:
    """Add months from date to date (art. 5.1 CC): the same day, or the last day of a shorter month."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def is_holiday(day: date, holidays: Collection[date] = ()) -> bool:
    """Tell whether `day` is a Saturday, a Sunday, a national holiday or one of `holidays`."""
    return day.weekday() >= 5 or day in holidays or day in national_holidays(day.year)


def is_court_recess(day: date) -> bool:
    """Tell whether `day` is in August, or from 24 December to 6 January (arts. 130.2 LEC and 183 LOPJ)."""
    return day.month == 8 or (day.month, day.day) >= (12, 24) or (day.month, day.day) <= (1, 6)


def _court_closed(holidays: Collection[date]) -> Callable[[date], bool]:
    return lambda day: is_court_recess(day) or is_holiday(day, holidays)


def _offices_closed(holidays: Collection[date]) -> Callable[[date], bool]:
    return lambda day: is_holiday(day, holidays)


def _count(start: date, days: int, closed: Callable[[date], bool]) -> date:
    day = start
    while days > 0:
        day += _DAY
        if not closed(day):
            days -= 1
    return day


def _roll(day: date, closed: Callable[[date], bool]) -> date:
    while closed(day):
        day += _DAY
    return day


def _check(start: date, number: int, unit: Unit) -> None:
    longest = {"month": 1_200, "year": 100, "week": LONGEST_DAYS // 7}.get(unit, LONGEST_DAYS)
    if not 0 < number <= longest or start.year >= _LAST_YEAR:
        raise ValueError(f"a period of {number} {unit} from {start.isoformat()} is out of range")


def civil(start: date, number: int, unit: Unit) -> Computation:
    """Return the last day of a civil period that runs from `start` (art. 5 CC).

    Days are natural and `start` itself is not counted; months and years run from date to date; a last day
    that falls on a holiday is not moved. Business days, where a contract agrees on them, skip Saturdays,
    Sundays and national holidays.

    Raises:
        ValueError: The period is not within 1 to 3,660 days, 1,200 months or 100 years.
    """
    _check(start, number, unit)
    if unit in {"month", "year"}:
        return Computation(add_months(start, number * (12 if unit == "year" else 1)), (CIVIL_MONTHS,))
    if unit == "business_day":
        return Computation(_count(start, number, _offices_closed(())), (CIVIL_AGREED,))
    return Computation(start + timedelta(days=number * (7 if unit == "week" else 1)), (CIVIL_DAYS,))


def term_end(start: date, number: int, unit: Unit) -> Computation:
    """Return the last day of a term whose first day is `start`: 5 years from 1 September end on 31 August."""
    _check(start, number, unit)
    return Computation(civil(start, number, unit).due - _DAY, (TERM_INCLUSIVE,))


def judicial(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of the civil courts served on `start` (arts. 130 and 133 LEC)."""
    _check(start, number, unit)
    closed = _court_closed(holidays)
    if unit in {"month", "year"}:
        nominal = add_months(start, number * (12 if unit == "year" else 1))
        due = _roll(nominal, closed)
        return Computation(due, (JUDICIAL_MONTHS, JUDICIAL_ROLL)[: 1 + (due != nominal)], due != nominal)
    if unit == "natural_day":
        nominal = start + timedelta(days=number)
        due = _roll(nominal, closed)
        return Computation(due, (JUDICIAL_NATURAL, JUDICIAL_ROLL)[: 1 + (due != nominal)], due != nominal)
    due = _count(start, number * (5 if unit == "week" else 1), closed)
    return Computation(due, (JUDICIAL_DAYS,))


def judicial_urgent(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of urgent acts, in which August counts (arts. 131.3 and 133.2 LEC)."""
    return _with_august(start, number, unit, holidays, JUDICIAL_URGENT, JUDICIAL_ROLL)


def labour(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a labour-court period outside art. 43.4 LRJS: August is off."""
    found = judicial(start, number, unit, holidays)
    rules = {
        JUDICIAL_DAYS: LABOUR_DAYS, JUDICIAL_NATURAL: LABOUR_NATURAL, JUDICIAL_MONTHS: LABOUR_MONTHS,
        JUDICIAL_ROLL: COURT_ROLL,
    }  # fmt: skip
    return Computation(found.due, tuple(rules[rule] for rule in found.rules), found.rolled)


def contentious(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of the administrative courts notified on `start` (art. 128.2 LJCA).

    August does not run. Notified in August, the first day counted is 1 September; a period of months that
    meets August is longer by that month.
    """
    _check(start, number, unit)
    closed = _court_closed(holidays)
    if unit not in {"month", "year"}:
        days = _count(start, number * (5 if unit == "week" else 1), closed)
        return Computation(days, (COURT_DAYS, CONTENTIOUS_AUGUST))
    months = number * (12 if unit == "year" else 1)
    origin = date(start.year, 8, 31) if start.month == 8 else start
    nominal, augusts = add_months(origin, months), -1
    while augusts < (met := _augusts_met(origin, nominal)):
        augusts = met
        nominal = add_months(origin, months + augusts)
    rules = (CONTENTIOUS_MONTHS, CONTENTIOUS_AUGUST) if augusts or start.month == 8 else (CONTENTIOUS_MONTHS,)
    due = _roll(nominal, closed)
    return Computation(due, (*rules, COURT_ROLL) if due != nominal else rules, due != nominal)


def _augusts_met(origin: date, last: date) -> int:
    """Count the Augusts that begin after `origin` and not after `last`."""
    return sum(origin < date(year, 8, 1) <= last for year in range(origin.year, last.year + 1))


def labour_urgent(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of art. 43.4 LRJS, as dismissal: August and Christmas count."""
    return _with_august(start, number, unit, holidays, LABOUR_URGENT, COURT_ROLL)


def _with_august(
    start: date, number: int, unit: Unit, holidays: Collection[date], rule: Rule, roll: Rule
) -> Computation:
    """Return the last day of a court period in which only Saturdays, Sundays and holidays are off."""
    _check(start, number, unit)
    closed = _offices_closed(holidays)
    if unit in {"day", "business_day", "week"}:
        return Computation(_count(start, number * (5 if unit == "week" else 1), closed), (rule,))
    if unit == "natural_day":
        nominal = start + timedelta(days=number)
    else:
        nominal = add_months(start, number * (12 if unit == "year" else 1))
    due = _roll(nominal, closed)
    return Computation(due, (rule, roll)[: 1 + (due != nominal)], due != nominal)


def administrative(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of an administrative period notified on `start` (art. 30 LPAC): business days."""
    _check(start, number, unit)
    closed = _offices_closed(holidays)
    if unit in {"day", "business_day"}:
        return Computation(_count(start, number, closed), (ADMINISTRATIVE_DAYS,))
    if unit in {"natural_day", "week"}:
        nominal, rule = start + timedelta(days=number * (7 if unit == "week" else 1)), ADMINISTRATIVE_NATURAL
    else:
        nominal, rule = add_months(start, number * (12 if unit == "year" else 1)), ADMINISTRATIVE_MONTHS
    due = _roll(nominal, closed)
    return Computation(due, (rule, ADMINISTRATIVE_ROLL)[: 1 + (due != nominal)], due != nominal)


def tax(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of a tax procedure: as administrative ones (art. 97 b) LGT)."""
    found = administrative(start, number, unit, holidays)
    return Computation(found.due, tuple(_TAX[rule.key] for rule in found.rules), found.rolled)


def tax_payment(notified: date, *, enforced: bool, holidays: Collection[date] = ()) -> Computation:
    """Return the last day to pay a tax assessment (art. 62.2 LGT) or an `enforced` debt (art. 62.5 LGT)."""
    first_half = notified.day <= 15
    month = add_months(notified.replace(day=1), (0 if first_half else 1) + (0 if enforced else 1))
    nominal = month.replace(day=20 if first_half else 5)
    due = _roll(nominal, _offices_closed(holidays))
    rule = (
        Rule("tax_enforced_window", "art. 62.5 LGT")
        if enforced
        else Rule("tax_voluntary_window", "art. 62.2 LGT")
    )
    return Computation(due, (rule,), due != nominal)


COUNTING: Final[dict[Calendar, Callable[[date, int, Unit, Collection[date]], Computation]]] = {
    "civil": lambda start, number, unit, _: civil(start, number, unit),
    "judicial": judicial,
    "judicial_urgent": judicial_urgent,
    "contentious": contentious,
    "labour": labour,
    "labour_urgent": labour_urgent,
    "administrative": administrative,
    "tax": tax,
}
