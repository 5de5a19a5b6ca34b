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
    "civil",
    "judicial",
    "judicial_urgent",
    "contentious",
    "contentious_rights",
    "labour",
    "labour_urgent",
    "administrative",
    "tax",
]

_HOLIDAYS: Final = Path(__file__).parent / "data" / "holidays_es.toml"
_REGIONS_FILE: Final = Path(__file__).parent / "data" / "regional_es.toml"
_OFFICIAL_FILE: Final = Path(__file__).parent / "data" / "official_es.toml"
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
    """The last day of a period and the rules applied in order.

    `nominal` is the last day before it was moved to a business day, and `due` itself where nothing moved it.
    """

    due: date
    rules: tuple[Rule, ...]
    nominal: date

    @property
    def rolled(self) -> bool:
        """Tell whether the last day was moved forward."""
        return self.due != self.nominal


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
CONTENTIOUS_RIGHTS: Final = Rule("contentious_august_counts", "art. 128.2 LJCA")
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
TAX_VOLUNTARY: Final = Rule("tax_voluntary_window", "art. 62.2 LGT")
TAX_ENFORCED: Final = Rule("tax_enforced_window", "art. 62.5 LGT")
CONTRIBUTIONS: Final = Rule("contribution_window", "art. 33.3 LGSS")
CONTRIBUTIONS_ROLL: Final = Rule("contribution_window_next_business_day", "art. 33.3 LGSS")
TAX_WINDOW_ROLL: Final = Rule("tax_window_next_business_day", "arts. 62.2 y 62.5 LGT")
# Until Ley Orgánica 14/2022 took effect, art. 182.1 LOPJ closed the courts on 24 and 31 December alone.
_CHRISTMAS_RECESS_FROM: Final = date(2023, 1, 12)
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
_MonthDay = Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]


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
    fixed: list[_MonthDay]
    days_from_easter: list[_FromEaster]


@cache
def _holiday_rules() -> _Holidays:
    return read_file(_HOLIDAYS, _Holidays)


@cache
def national_holidays(year: int) -> Mapping[date, str]:
    """Return the holidays of `year` kept in all of Spain and their Spanish names, without regional ones."""
    rules = _holiday_rules()
    fixed = {date(year, one.month, one.day): one.name_es for one in rules.fixed}
    moved = {easter(year) + timedelta(days=one.days_from_easter): one.name_es for one in rules.movable}
    return MappingProxyType(fixed | moved)


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
def _official() -> Mapping[tuple[str, int], frozenset[date]]:
    raw = read_file(_OFFICIAL_FILE, dict[str, dict[str, list[_MonthDay]]])
    return MappingProxyType(
        {
            (code, int(year)): frozenset(date(int(year), int(day[:2]), int(day[3:])) for day in days)
            for year, communities in raw.items()
            for code, days in communities.items()
        }
    )


def has_official_calendar(code: str, year: int) -> bool:
    """Tell whether the official calendar of a community for a year is in data/official_es.toml."""
    return (code, year) in _official()


@cache
def regional_holidays(code: str, year: int) -> frozenset[date]:
    """Return the holidays of a community in a year, beyond the national ones.

    Those of its official calendar where that is known, else those that recur every year.

    Args:
        code: A key of `REGIONS`.
        year: A year of the Gregorian calendar.
    """
    official = _official().get((code, year))
    if official is not None:
        return official
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
    """Tell whether `day` is in August, or from 24 December to 6 January (arts. 130.2 LEC and 183 LOPJ).

    Before Ley Orgánica 14/2022, of Christmas only 24 and 31 December (former art. 182.1 LOPJ).
    """
    if day.month == 8:
        return True
    if day < _CHRISTMAS_RECESS_FROM:
        return (day.month, day.day) in ((12, 24), (12, 31))
    return (day.month, day.day) >= (12, 24) or (day.month, day.day) <= (1, 6)


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


def _to_business_day(
    nominal: date, closed: Callable[[date], bool], rules: tuple[Rule, ...], roll: Rule
) -> Computation:
    """Return a period that ends on `nominal`, or on the next day that is not `closed` by the rule `roll`."""
    due = nominal
    while closed(due):
        due += _DAY
    return Computation(due, rules if due == nominal else (*rules, roll), nominal)


def _on(due: date, *rules: Rule) -> Computation:
    """Return a period whose last day is not moved."""
    return Computation(due, rules, due)


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
        return _on(_add(start, number, unit), CIVIL_MONTHS)
    if unit == "business_day":
        return _on(_count(start, number, _offices_closed(())), CIVIL_AGREED)
    return _on(start + timedelta(days=number * (7 if unit == "week" else 1)), CIVIL_DAYS)


def _add(start: date, number: int, unit: Unit) -> date:
    return add_months(start, number * (12 if unit == "year" else 1))


def term_end(start: date, number: int, unit: Unit) -> Computation:
    """Return the last day of a term whose first day is `start`: 5 years from 1 September end on 31 August."""
    _check(start, number, unit)
    return _on(civil(start, number, unit).due - _DAY, TERM_INCLUSIVE)


def judicial(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of the civil courts served on `start` (arts. 130 and 133 LEC)."""
    _check(start, number, unit)
    closed = _court_closed(holidays)
    if unit in {"month", "year"}:
        return _to_business_day(_add(start, number, unit), closed, (JUDICIAL_MONTHS,), JUDICIAL_ROLL)
    if unit == "natural_day":
        return _to_business_day(start + timedelta(days=number), closed, (JUDICIAL_NATURAL,), JUDICIAL_ROLL)
    return _on(_count(start, number * (5 if unit == "week" else 1), closed), JUDICIAL_DAYS)


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
    return Computation(found.due, tuple(rules[rule] for rule in found.rules), found.nominal)


def contentious(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of the administrative courts notified on `start` (art. 128.2 LJCA).

    August does not run. Notified in August, the first day counted is 1 September; a period of months that
    meets August is longer by that month.
    """
    _check(start, number, unit)
    closed = _court_closed(holidays)
    if unit not in {"month", "year"}:
        days = _count(start, number * (5 if unit == "week" else 1), closed)
        return _on(days, COURT_DAYS, CONTENTIOUS_AUGUST)
    months = number * (12 if unit == "year" else 1)
    origin = date(start.year, 8, 31) if start.month == 8 else start
    nominal, augusts = add_months(origin, months), -1
    while augusts < (met := _augusts_met(origin, nominal)):
        augusts = met
        nominal = add_months(origin, months + augusts)
    rules = (CONTENTIOUS_MONTHS, CONTENTIOUS_AUGUST) if augusts or start.month == 8 else (CONTENTIOUS_MONTHS,)
    return _to_business_day(nominal, closed, rules, COURT_ROLL)


def _augusts_met(origin: date, last: date) -> int:
    """Count the Augusts that begin after `origin` and not after `last`."""
    return sum(origin < date(year, 8, 1) <= last for year in range(origin.year, last.year + 1))


def contentious_rights(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period for the protection of fundamental rights: August counts."""
    return _with_august(start, number, unit, holidays, CONTENTIOUS_RIGHTS, COURT_ROLL)


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
        return _on(_count(start, number * (5 if unit == "week" else 1), closed), rule)
    nominal = start + timedelta(days=number) if unit == "natural_day" else _add(start, number, unit)
    return _to_business_day(nominal, closed, (rule,), roll)


def administrative(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of an administrative period notified on `start` (art. 30 LPAC): business days."""
    _check(start, number, unit)
    closed = _offices_closed(holidays)
    if unit in {"day", "business_day"}:
        return _on(_count(start, number, closed), ADMINISTRATIVE_DAYS)
    if unit in {"natural_day", "week"}:
        nominal, rule = start + timedelta(days=number * (7 if unit == "week" else 1)), ADMINISTRATIVE_NATURAL
    else:
        nominal, rule = _add(start, number, unit), ADMINISTRATIVE_MONTHS
    return _to_business_day(nominal, closed, (rule,), ADMINISTRATIVE_ROLL)


def tax(start: date, number: int, unit: Unit, holidays: Collection[date] = ()) -> Computation:
    """Return the last day of a period of a tax procedure: as administrative ones (art. 97 b) LGT)."""
    found = administrative(start, number, unit, holidays)
    return Computation(found.due, tuple(_TAX[rule.key] for rule in found.rules), found.nominal)


def tax_payment(notified: date, *, enforced: bool, holidays: Collection[date] = ()) -> Computation:
    """Return the last day to pay a tax assessment (art. 62.2 LGT) or an `enforced` debt (art. 62.5 LGT)."""
    if notified.year >= _LAST_YEAR:
        raise ValueError(f"a period from {notified.isoformat()} is out of range")
    first_half = notified.day <= 15
    month = add_months(notified.replace(day=1), (0 if first_half else 1) + (0 if enforced else 1))
    nominal = month.replace(day=20 if first_half else 5)
    rule = TAX_ENFORCED if enforced else TAX_VOLUNTARY
    return _to_business_day(nominal, _offices_closed(holidays), (rule,), TAX_WINDOW_ROLL)


def contribution_payment(notified: date, holidays: Collection[date] = ()) -> Computation:
    """Return the last day to pay what the Treasury of Social Security claims (art. 33.3 LGSS)."""
    if notified.year >= _LAST_YEAR:
        raise ValueError(f"a period from {notified.isoformat()} is out of range")
    nominal = add_months(notified.replace(day=1), 1).replace(day=5 if notified.day <= 15 else 20)
    return _to_business_day(nominal, _offices_closed(holidays), (CONTRIBUTIONS,), CONTRIBUTIONS_ROLL)


COUNTING: Final[dict[Calendar, Callable[[date, int, Unit, Collection[date]], Computation]]] = {
    "civil": lambda start, number, unit, _: civil(start, number, unit),
    "judicial": judicial,
    "judicial_urgent": judicial_urgent,
    "contentious": contentious,
    "contentious_rights": contentious_rights,
    "labour": labour,
    "labour_urgent": labour_urgent,
    "administrative": administrative,
    "tax": tax,
}
