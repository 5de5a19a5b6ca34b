"""One period asked for by its unit: which rule governs it, when it ends, and what moved its end.

Where the caller names no rule, the usual one of the unit is taken, and what another would give is told
beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from app.deadlines import calendars
from app.deadlines.calendars import Calendar, Computation, Unit
from app.deadlines.regions import REGIONS, regional_holidays

UNITS: Final[Mapping[str, Unit]] = MappingProxyType(
    {"habiles": "business_day", "naturales": "natural_day", "meses": "month", "anios": "year"}
)
RULES: Final[Mapping[str, Calendar]] = MappingProxyType(
    {
        "civil": "civil",
        "procesal": "judicial",
        "contencioso": "contentious",
        "laboral_urgente": "labour_urgent",
        "administrativo": "administrative",
    }
)
_YEARS_AHEAD = 12
_COURT_OFF: Final = "se excluyen sábados, domingos, festivos, agosto y del 24 de diciembre al 6 de enero"
_TEXT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "civil_days": "Días naturales, sin contar el inicial ni excluir los inhábiles",
        "civil_agreed_business_days": "Días hábiles pactados",
        "civil_date_to_date": "De fecha a fecha, sin excluir los inhábiles",
        "judicial_business_days": f"Días hábiles procesales: {_COURT_OFF}",
        "judicial_date_to_date": "De fecha a fecha",
        "judicial_next_business_day": "Último día inhábil: se prorroga al siguiente hábil",
        "contentious_date_to_date": "De fecha a fecha",
        "contentious_august_excluded": "El plazo no corre en agosto",
        "court_business_days": f"Días hábiles judiciales: {_COURT_OFF}",
        "court_next_business_day": "Último día inhábil: se prorroga al siguiente hábil",
        "labour_august_counts": "Días hábiles de los procesos urgentes: agosto y Navidad cuentan",
        "administrative_business_days": "Días hábiles: se excluyen sábados, domingos y festivos",
        "administrative_natural_days": "Días naturales",
        "administrative_date_to_date": "De fecha a fecha",
        "administrative_next_business_day": "Último día inhábil: se prorroga al siguiente hábil",
    }
)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The last day, the rule in words with its article, and what was applied or is to be minded."""

    due: date
    rule: str
    adjustments: tuple[str, ...]


def calculate(
    start: date, amount: int, unit: str, *, august_off: bool, region: str | None, rule: str | None
) -> Calculation:
    """When a period of `amount` `unit` (keys of `UNITS`) that runs from `start` ends.

    `rule` is a key of `RULES`. Without it: business days are procedural (arts. 130 and 133 LEC) where August
    is off
    and administrative (art. 30 LPAC) where it is not; months the same; natural days and years civil (art. 5
    CC).
    Raises ValueError where the period is out of range.
    """
    counted = RULES[rule] if rule else _default(unit, august_off)
    holidays = _Holidays(start, region)
    found = calendars.COUNTING[counted](start, amount, UNITS[unit], holidays.days)
    told = [_words(one.key, one.basis) for one in found.rules]
    adjustments = told[1:]
    if region and (kept := holidays.between(start, found.due)):
        days = ", ".join(day.strftime("%d/%m/%Y") for day in kept)
        adjustments.append(f"Festivos autonómicos tenidos en cuenta ({REGIONS[region].name}): {days}.")
    if counted != "civil" or unit == "habiles":
        adjustments.append(
            "No se incluyen los festivos locales" + (" ni los autonómicos." if region is None else ".")
        )
    if rule is None:
        adjustments += _others(start, amount, unit, found, counted, holidays)
    return Calculation(found.due, told[0], tuple(adjustments))


def _default(unit: str, august_off: bool) -> Calendar:
    if unit in ("naturales", "anios"):
        return "civil"
    return "judicial" if august_off else "administrative"


def _words(key: str, basis: str) -> str:
    return f"{_TEXT[key]} ({basis})"


class _Holidays:
    """The regional holidays of the years that a period may reach."""

    def __init__(self, start: date, region: str | None) -> None:
        self.days: frozenset[date] = frozenset()
        if region:
            years = range(start.year, min(start.year + _YEARS_AHEAD, 9_000))
            self.days = frozenset(day for year in years for day in regional_holidays(region, year))

    def between(self, first: date, last: date) -> list[date]:
        """Those within a period that fall on a weekday."""
        return sorted(day for day in self.days if first < day <= last and day.weekday() < 5)


def _others(
    start: date, amount: int, unit: str, found: Computation, counted: Calendar, holidays: _Holidays
) -> list[str]:
    """What another rule for the same unit would give, where it differs."""
    others: dict[str, tuple[Calendar, ...]] = {
        "habiles": ("judicial", "administrative"),
        "naturales": ("civil", "administrative"),
        "meses": ("judicial", "contentious", "administrative", "civil"),
        "anios": ("civil", "judicial"),
    }
    names = {calendar: rule for rule, calendar in RULES.items()}
    told: list[str] = []
    for other in others[unit]:
        if other == counted:
            continue
        due = calendars.COUNTING[other](start, amount, UNITS[unit], holidays.days)
        if due.due != found.due:
            basis = "; ".join(one.basis for one in due.rules)
            told.append(f"Con la regla «{names[other]}» ({basis}) vencería el {due.due:%d/%m/%Y}.")
    return told
