"""Compute a period given by unit, regime and rule, and explain the result (decision 035).

Where the caller names no rule, the usual one of the unit applies, and the answer says what the others would
give.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Final

from app.deadlines import calendars
from app.deadlines.calendars import (
    REGIONS,
    Calendar,
    Computation,
    Unit,
    has_official_calendar,
    regional_holidays,
)
from app.deadlines.steps import Period, Step, payment_steps, steps_of

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
        "contencioso": ("contentious", "contentious_rights"),
        "administrativo": ("administrative",),
        "laboral": ("labour_urgent", "labour", "civil"),
        "tributario": ("tax", "administrative"),
    }
)
# Windows to pay a tax debt, which are no number of days (art. 62 LGT); the value says whether it is enforced.
PAYMENTS: Final[Mapping[str, bool]] = MappingProxyType({"pago_voluntario": False, "pago_apremio": True})
_YEARS_AHEAD = 12
_LOCAL: Final = "local"
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
        "contentious_august_counts": "Protección de los derechos fundamentales: agosto es hábil; se excluyen "
        "sábados, domingos y festivos",
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
        "tax_voluntary_window": "Pago en período voluntario: hasta el día 20 del mes posterior si se "
        "notifica del 1 al 15, y si no hasta el día 5 del segundo mes posterior",
        "tax_enforced_window": "Pago tras la providencia de apremio: hasta el día 20 del mes si se notifica "
        "del 1 al 15, y si no hasta el día 5 del mes siguiente",
        "contribution_window": "Pago de cuotas reclamadas: hasta el día 5 del mes siguiente si se notifica "
        "del 1 al 15, y si no hasta el día 20 del mes siguiente",
        "contribution_window_next_business_day": "Último día inhábil: hasta el inmediato hábil posterior",
        "tax_window_next_business_day": "Último día inhábil: hasta el inmediato hábil siguiente",
    }
)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The last day of a period, the rule in words with its article, the steps and what must be noted.

    `regime` is a key of `REGIMES`; `assumed` is true where the caller named neither a regime nor a rule.
    """

    due: date
    rule: str
    adjustments: tuple[str, ...]
    steps: tuple[Step, ...]
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
    seat: str | None = None,
    local: Collection[date] = (),
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
        seat: The community of the authority's seat, whose holidays are excluded too (art. 30.6 LPAC).
        local: Municipal holidays to exclude too.

    Raises:
        ValueError: The period is longer than the limits of `calendars.civil`.
    """
    if rule:
        counted = "tax" if regime == "tributario" else RULES[rule]
    elif regime:
        counted = _of_regime(regime, unit, august_off)
    else:
        counted = _default(unit, august_off is not False)
    assumed = rule is None and regime is None
    regime = regime or next(name for name, calendars_ in REGIMES.items() if counted in calendars_)
    holidays = _Holidays(start, region, seat, local)
    asked = Period(start, amount, UNITS[unit], counted, holidays.names)
    found = calendars.COUNTING[counted](start, amount, UNITS[unit], holidays.days)
    told = [_words(one.key, one.basis) for one in found.rules]
    adjustments = told[1:] + _on_holidays(asked, found, holidays)
    if august_off and regime in ("administrativo", "tributario", "civil"):
        adjustments.append("Agosto no es inhábil fuera de los tribunales: no se ha excluido.")
    if rule is None:
        adjustments += _others(regime, unit, asked, found, holidays)
    if assumed:
        adjustments.append(f"Se ha supuesto el régimen «{regime}»: indique regime si es otro.")
    steps = steps_of(asked, found)
    return Calculation(found.due, told[0], tuple(adjustments), steps, regime, assumed)


def calculate_payment(
    notified: date,
    rule: str,
    *,
    region: str | None,
    seat: str | None = None,
    local: Collection[date] = (),
) -> Calculation:
    """Compute the last day to pay a tax debt notified on a day, by a key of `PAYMENTS` (art. 62 LGT)."""
    holidays = _Holidays(notified, region, seat, local)
    found = calendars.tax_payment(notified, enforced=PAYMENTS[rule], holidays=holidays.days)
    told = [_words(one.key, one.basis) for one in found.rules]
    kept = {
        day
        for day in holidays.between(notified, found.due)
        if calendars.tax_payment(notified, enforced=PAYMENTS[rule], holidays=holidays.days - {day}).due
        != found.due
    }
    asked = Period(notified, 1, "month", "tax", holidays.names)
    adjustments = told[1:] + _holidays_told(asked, found, holidays, kept)
    steps = payment_steps(notified, found, holidays.names)
    return Calculation(found.due, told[0], tuple(adjustments), steps, "tributario", assumed=False)


def fits(rule: str, regime: str) -> bool:
    """Tell whether a rule (a key of `RULES` or `PAYMENTS`) belongs to a regime (a key of `REGIMES`)."""
    if rule in PAYMENTS:
        return regime == "tributario"
    return RULES[rule] in REGIMES[regime]


def _of_regime(regime: str, unit: str, august_off: bool | None) -> Calendar:
    if regime == "procesal":
        return "judicial_urgent" if august_off is False else "judicial"
    if regime == "contencioso":
        return "contentious_rights" if august_off is False else "contentious"
    if regime == "laboral":
        # Notice and limitation are periods of the contract, not of a court (arts. 49, 59 and 60 ET).
        if august_off is None and unit in ("naturales", "anios"):
            return "civil"
        return "labour" if august_off else "labour_urgent"
    return REGIMES[regime][0]


def _default(unit: str, august_off: bool) -> Calendar:
    if unit in ("naturales", "anios"):
        return "civil"
    return "judicial" if august_off else "administrative"


def _words(key: str, basis: str) -> str:
    return f"{_TEXT[key]} ({basis})"


def _on_holidays(asked: Period, found: Computation, holidays: _Holidays) -> list[str]:
    """Say which regional and local holidays moved the last day, and which are not known and might have.

    A holiday moved it if the period would end on another day without it.
    """
    if asked.calendar == "civil":
        if asked.unit != "business_day":
            return []  # no holiday is left out of a civil period, regional or not
        return ["Solo se excluyen los festivos nacionales; no los autonómicos ni los locales."]
    count = calendars.COUNTING[asked.calendar]
    kept = {
        day
        for day in holidays.between(asked.start, found.due)
        if count(asked.start, asked.amount, asked.unit, holidays.days - {day}).due != found.due
    }
    return _holidays_told(asked, found, holidays, kept)


def _holidays_told(
    asked: Period, found: Computation, holidays: _Holidays, kept: Collection[date]
) -> list[str]:
    """Name the holidays that moved the last day (`kept`), and say which calendars were known."""
    told: list[str] = []
    for name, days in holidays.sources.items():
        if moved := sorted(day for day in kept if day in days):
            what = "locales" if name == _LOCAL else f"autonómicos tenidos en cuenta ({name})"
            told.append(f"Festivos {what}: {', '.join(day.strftime('%d/%m/%Y') for day in moved)}.")
    if not holidays.regions:
        without = "los autonómicos" if holidays.local else "los festivos locales ni los autonómicos"
        return [*told, f"No se incluyen {without}: no se indicó ccaa."]
    first, last = asked.start.year, found.due.year
    years = f"{first}" if first == last else f"{first} a {last}"
    others = "los demás" if holidays.local else "los demás ni los locales"
    for code in holidays.regions:
        name = REGIONS[code].name
        if last > holidays.last_year:
            told.append(
                f"Los festivos autonómicos ({name}) posteriores a {holidays.last_year} no se han tenido en "
                "cuenta."
            )
        if all(has_official_calendar(code, year) for year in range(first, last + 1)):
            local = "" if holidays.local else " No se incluyen los locales."
            told.append(f"Festivos autonómicos del calendario oficial de {years} ({name}).{local}")
        else:
            told.append(
                f"El calendario oficial de {years} ({name}) no consta: solo los festivos autonómicos que se "
                f"repiten cada año. No se incluyen {others}."
            )
    return told


class _Holidays:
    """The regional and local holidays of the years that a period may reach."""

    def __init__(self, start: date, region: str | None, seat: str | None, local: Collection[date]) -> None:
        self.regions = tuple(dict.fromkeys(code for code in (region, seat) if code))
        self.local = frozenset(local)
        self.last_year = min(start.year + _YEARS_AHEAD, 9_000) - 1
        years = range(start.year, self.last_year + 1)
        self.sources = {
            REGIONS[code].name: frozenset(day for year in years for day in regional_holidays(code, year))
            for code in self.regions
        }
        if self.local:
            self.sources[_LOCAL] = self.local
        self.days = frozenset(day for days in self.sources.values() for day in days)
        self.names = {
            day: "festivo local" if name == _LOCAL else f"festivo en {name}"
            for name, days in self.sources.items()
            for day in days
        }

    def between(self, first: date, last: date) -> list[date]:
        """Return the holidays in a period that fall on a weekday."""
        return sorted(day for day in self.days if first < day <= last and day.weekday() < 5)


def _others(regime: str, unit: str, asked: Period, found: Computation, holidays: _Holidays) -> list[str]:
    """Say what the other rules for the same unit would give, where the day differs."""
    others: dict[str, tuple[Calendar, ...]] = {
        "habiles": ("judicial", "administrative"),
        "naturales": ("civil", "administrative"),
        "meses": ("judicial", "contentious", "administrative", "civil"),
        "anios": ("civil", "judicial"),
    }
    if regime == "laboral":
        others = dict.fromkeys(others, ("labour_urgent", "labour"))
    names: dict[Calendar, str] = {calendar: rule for rule, calendar in RULES.items()} | {
        "labour": "laboral, agosto inhábil",
        "labour_urgent": "laboral, procesos urgentes",
        "judicial_urgent": "procesal, actuaciones urgentes",
    }
    told: list[str] = []
    for other in others[unit]:
        if other == asked.calendar:
            continue
        due = calendars.COUNTING[other](asked.start, asked.amount, asked.unit, holidays.days)
        if due.due != found.due:
            basis = "; ".join(one.basis for one in due.rules)
            told.append(f"Con la regla «{names[other]}» ({basis}) vencería el {due.due:%d/%m/%Y}.")
    return told
