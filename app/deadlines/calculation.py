"""Compute a period given by unit, regime and rule, and explain the result (decision 035).

Where the caller names no rule, the usual one of the unit applies, and the answer says what the others would
give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from app.deadlines import calendars
from app.deadlines.calendars import REGIONS, Calendar, Computation, Unit, regional_holidays

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
# The body of law that a period is of (decision 035), and the rules that belong to it.
REGIMES: Final[Mapping[str, tuple[Calendar, ...]]] = MappingProxyType(
    {
        "civil": ("civil",),
        "procesal": ("judicial", "judicial_urgent", "contentious"),
        "administrativo": ("administrative",),
        "laboral": ("labour_urgent", "labour"),
        "tributario": ("tax", "administrative"),
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
        "judicial_natural_days": "Días naturales; si el último es inhábil, se prorroga al siguiente hábil",
        "judicial_urgent_days": "Actuaciones urgentes: agosto cuenta; se excluyen sábados, domingos y "
        "festivos",
        "contentious_date_to_date": "De fecha a fecha",
        "contentious_august_excluded": "El plazo no corre en agosto",
        "court_business_days": f"Días hábiles judiciales: {_COURT_OFF}",
        "court_next_business_day": "Último día inhábil: se prorroga al siguiente hábil",
        "labour_business_days": f"Días hábiles del orden social: {_COURT_OFF}",
        "labour_natural_days": "Días naturales; si el último es inhábil, se prorroga al siguiente hábil",
        "labour_date_to_date": "De fecha a fecha",
        "labour_august_counts": "Días hábiles de los procesos urgentes: agosto y Navidad cuentan",
        "administrative_business_days": "Días hábiles: se excluyen sábados, domingos y festivos",
        "administrative_natural_days": "Días naturales",
        "administrative_date_to_date": "De fecha a fecha",
        "administrative_next_business_day": "Último día inhábil: se prorroga al siguiente hábil",
        "tax_business_days": "Días hábiles: se excluyen sábados, domingos y festivos; agosto cuenta",
        "tax_natural_days": "Días naturales",
        "tax_date_to_date": "De fecha a fecha",
        "tax_next_business_day": "Último día inhábil: se prorroga al siguiente hábil",
    }
)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The last day of a period, the rule in words with its article, and what was applied or must be noted.

    `regime` is a key of `REGIMES`; `assumed` is true where the caller named neither a regime nor a rule.
    """

    due: date
    rule: str
    adjustments: tuple[str, ...]
    regime: str
    assumed: bool


def calculate(
    start: date,
    amount: int,
    unit: str,
    *,
    august_off: bool | None,
    region: str | None,
    rule: str | None,
    regime: str | None = None,
) -> Calculation:
    """Compute the last day of a period.

    Args:
        start: The day that triggers the period; it is not counted.
        amount: How many units.
        unit: A key of `UNITS`.
        august_off: Whether August is excluded; `None` where the caller did not say. Then it is excluded in
            the courts (art. 130.2 LEC) and counts in labour matters, whose short periods are mostly those of
            art. 43.4 LRJS and where counting it gives the earlier day.
        region: A key of `REGIONS`, whose holidays are then excluded.
        rule: A key of `RULES`, more specific than `regime`.
        regime: A key of `REGIMES`. Without regime and rule, business days and months are procedural (arts.
            130 and 133 LEC) where August is off and administrative (art. 30 LPAC) where it is not; natural
            days and years are civil (art. 5 CC).

    Raises:
        ValueError: The period is longer than the limits of `calendars.civil`.
    """
    if rule:
        counted = "tax" if regime == "tributario" else RULES[rule]
    elif regime:
        counted = _of_regime(regime, august_off)
    else:
        counted = _default(unit, august_off is not False)
    assumed = rule is None and regime is None
    regime = regime or next(name for name, calendars_ in REGIMES.items() if counted in calendars_)
    holidays = _Holidays(start, region)
    found = calendars.COUNTING[counted](start, amount, UNITS[unit], holidays.days)
    told = [_words(one.key, one.basis) for one in found.rules]
    adjustments = told[1:] + _on_holidays(start, amount, unit, found, counted, holidays)
    if august_off and regime in ("administrativo", "tributario", "civil"):
        adjustments.append("Agosto no es inhábil fuera de los tribunales: no se ha excluido.")
    if rule is None:
        adjustments += _others(start, amount, unit, found, counted, holidays)
    if assumed:
        adjustments.append(f"Se ha supuesto el régimen «{regime}»: indique regime si es otro.")
    return Calculation(found.due, told[0], tuple(adjustments), regime, assumed)


def fits(rule: str, regime: str) -> bool:
    """Tell whether a rule (a key of `RULES`) belongs to a regime (a key of `REGIMES`)."""
    return RULES[rule] in REGIMES[regime]


def _of_regime(regime: str, august_off: bool | None) -> Calendar:
    if regime == "procesal":
        return "judicial_urgent" if august_off is False else "judicial"
    if regime == "laboral":
        return "labour" if august_off else "labour_urgent"
    return REGIMES[regime][0]


def _default(unit: str, august_off: bool) -> Calendar:
    if unit in ("naturales", "anios"):
        return "civil"
    return "judicial" if august_off else "administrative"


def _words(key: str, basis: str) -> str:
    return f"{_TEXT[key]} ({basis})"


def _on_holidays(
    start: date, amount: int, unit: str, found: Computation, counted: Calendar, holidays: _Holidays
) -> list[str]:
    """Say which regional holidays moved the last day, and which are not known and might have.

    A holiday moved it if the period would end on another day without it.
    """
    if counted == "civil":
        if unit != "habiles":
            return []  # no holiday is left out of a civil period, regional or not
        return ["Solo se excluyen los festivos nacionales; no los autonómicos ni los locales."]
    if holidays.region is None:
        return ["No se incluyen los festivos locales ni los autonómicos: no se indicó ccaa."]
    name, told = REGIONS[holidays.region].name, []
    kept = [
        day
        for day in holidays.between(start, found.due)
        if calendars.COUNTING[counted](start, amount, UNITS[unit], holidays.days - {day}).due != found.due
    ]
    if kept:
        days = ", ".join(day.strftime("%d/%m/%Y") for day in kept)
        told.append(f"Festivos autonómicos tenidos en cuenta ({name}): {days}.")
    years = f"{start.year}" if start.year == found.due.year else f"{start.year} a {found.due.year}"
    if not holidays.known_in(found.due.year):
        last = holidays.last_year
        told.append(f"Los festivos autonómicos ({name}) posteriores a {last} no se han tenido en cuenta.")
    if holidays.days:
        told.append(
            f"El calendario oficial de {years} ({name}) no consta: solo los festivos autonómicos que se "
            "repiten cada año. No se incluyen los demás ni los locales."
        )
    else:
        told.append(f"No consta ningún festivo autonómico ({name}): no se incluyen, ni los locales.")
    return told


class _Holidays:
    """The regional holidays of the years that a period may reach."""

    def __init__(self, start: date, region: str | None) -> None:
        self.region = region
        self.last_year = min(start.year + _YEARS_AHEAD, 9_000) - 1
        self.days: frozenset[date] = frozenset()
        if region:
            years = range(start.year, min(start.year + _YEARS_AHEAD, 9_000))
            self.days = frozenset(day for year in years for day in regional_holidays(region, year))

    def known_in(self, year: int) -> bool:
        """Tell whether the recurring holidays were computed for a year."""
        return not self.days or year <= self.last_year

    def between(self, first: date, last: date) -> list[date]:
        """Return the holidays in a period that fall on a weekday."""
        return sorted(day for day in self.days if first < day <= last and day.weekday() < 5)


def _others(
    start: date, amount: int, unit: str, found: Computation, counted: Calendar, holidays: _Holidays
) -> list[str]:
    """Say what the other rules for the same unit would give, where the day differs."""
    others: dict[str, tuple[Calendar, ...]] = {
        "habiles": ("judicial", "administrative"),
        "naturales": ("civil", "administrative"),
        "meses": ("judicial", "contentious", "administrative", "civil"),
        "anios": ("civil", "judicial"),
    }
    if counted in ("labour", "labour_urgent"):
        others = dict.fromkeys(others, ("labour_urgent", "labour"))
    names: dict[Calendar, str] = {calendar: rule for rule, calendar in RULES.items()} | {
        "labour": "laboral, agosto inhábil",
        "labour_urgent": "laboral, procesos urgentes",
        "judicial_urgent": "procesal, actuaciones urgentes",
    }
    told: list[str] = []
    for other in others[unit]:
        if other == counted:
            continue
        due = calendars.COUNTING[other](start, amount, UNITS[unit], holidays.days)
        if due.due != found.due:
            basis = "; ".join(one.basis for one in due.rules)
            told.append(f"Con la regla «{names[other]}» ({basis}) vencería el {due.due:%d/%m/%Y}.")
    return told
