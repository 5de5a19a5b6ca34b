"""Tell a computed period step by step: the first day counted, what was left out, what moved the last day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from app.deadlines import calendars
from app.deadlines.calendars import Calendar, Computation, Unit

_DAY: Final = timedelta(days=1)
_WEEKDAYS: Final = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_UNITS: Final[Mapping[Unit, tuple[str, str]]] = MappingProxyType(
    {
        "business_day": ("día hábil", "días hábiles"),
        "natural_day": ("día natural", "días naturales"),
        "month": ("mes", "meses"),
        "year": ("año", "años"),
    }
)
# Where the law says that the day of notification is not counted, for days and for months or years.
_BEGINS: Final[Mapping[Calendar, tuple[str, str]]] = MappingProxyType(
    {
        "civil": ("art. 5.1 CC", "art. 5.1 CC"),
        "judicial": ("art. 133.1 LEC", "art. 133.1 LEC"),
        "judicial_urgent": ("art. 133.1 LEC", "art. 133.1 LEC"),
        "contentious": ("arts. 185.1 LOPJ y 5.1 CC", "arts. 46.1 LJCA y 5.1 CC"),
        "contentious_rights": ("arts. 185.1 LOPJ y 5.1 CC", "arts. 185.1 LOPJ y 5.1 CC"),
        "labour": ("disp. final 4.ª LRJS y art. 133.1 LEC", "disp. final 4.ª LRJS y art. 133.1 LEC"),
        "labour_urgent": ("disp. final 4.ª LRJS y art. 133.1 LEC", "disp. final 4.ª LRJS y art. 133.1 LEC"),
        "administrative": ("art. 30.3 LPAC", "art. 30.4 LPAC"),
        "tax": ("arts. 97 b) LGT y 30.3 LPAC", "arts. 97 b) LGT y 30.4 LPAC"),
    }
)
_RECESS: Final[frozenset[Calendar]] = frozenset({"judicial", "contentious", "labour"})
# Who may still file on the morning of the next business day.
_GRACE: Final[Mapping[Calendar, str]] = MappingProxyType(
    {
        "judicial": "art. 135.5 LEC",
        "judicial_urgent": "art. 135.5 LEC",
        "contentious": "disp. final 1.ª LJCA y art. 135.5 LEC",
        "contentious_rights": "disp. final 1.ª LJCA y art. 135.5 LEC",
        "labour": "art. 45.1 LRJS",
        "labour_urgent": "art. 45.1 LRJS",
    }
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a computation: the day it arrives at, in words, and the article it rests on."""

    day: date
    text: str
    basis: str


@dataclass(frozen=True, slots=True)
class Period:
    """A period that was counted: from when, how much, by which calendar and without which days.

    `named` gives the regional and local holidays their names.
    """

    start: date
    amount: int
    unit: Unit
    calendar: Calendar
    named: Mapping[date, str]


def steps_of(period: Period, found: Computation) -> tuple[Step, ...]:
    """Return the steps by which `found` follows from `period`."""
    by_days = period.unit in ("business_day", "natural_day")
    first = period.start + _DAY
    if period.calendar == "contentious" and not by_days and period.start.month == 8:
        first = date(period.start.year, 9, 1)
        text = f"Notificado en agosto, que no corre: el cómputo empieza el {_long(first)}."
        told = [Step(first, text, calendars.CONTENTIOUS_AUGUST.basis)]
    else:
        text = f"El {_long(period.start)} no se cuenta: el cómputo empieza el {_long(first)}."
        told = [Step(first, text, _BEGINS[period.calendar][not by_days])]
    told.append(_counted(period, found))
    if found.rolled:
        told.append(_moved(period, found))
    if period.calendar in _GRACE:
        told.append(_grace(period, found.due))
    return tuple(told)


def payment_steps(notified: date, found: Computation, named: Mapping[date, str]) -> tuple[Step, ...]:
    """Return the steps of a window of art. 62 LGT for a debt notified on a day."""
    half = "del 1 al 15" if notified.day <= 15 else "del 16 al último día"
    basis = found.rules[0].basis
    told = [Step(found.nominal, f"Notificada {half} del mes: hasta el {_long(found.nominal)}.", basis)]
    if found.rolled:
        told.append(_moved(Period(notified, 1, "month", "tax", named), found))
    return tuple(told)


def _counted(period: Period, found: Computation) -> Step:
    basis = found.rules[0].basis
    amount = f"{period.amount} {_UNITS[period.unit][period.amount != 1]}"
    if period.unit == "business_day":
        text = f"Se cuentan {amount}, hasta el {_long(found.nominal)}."
        if left_out := _left_out(period, found.nominal):
            text += f" No se cuentan: {left_out}."
    elif period.unit == "natural_day":
        text = f"Se cuentan {amount}, sin excluir ninguno: hasta el {_long(found.nominal)}."
    else:
        without = ""
        if calendars.CONTENTIOUS_AUGUST in found.rules:
            without, basis = " sin contar agosto", f"{basis}; {calendars.CONTENTIOUS_AUGUST.basis}"
        text = f"De fecha a fecha, {amount}{without}: hasta el {_long(found.nominal)}."
        if found.nominal.day < period.start.day and not (without and period.start.month == 8):
            text += f" En ese mes no hay día {period.start.day}: es el último."
    return Step(found.nominal, text, basis)


def _moved(period: Period, found: Computation) -> Step:
    why = _closed_because(period, found.nominal)
    text = f"El {_short(found.nominal)} es inhábil ({why}): se prorroga al {_long(found.due)}."
    return Step(found.due, text, found.rules[-1].basis)


def _grace(period: Period, due: date) -> Step:
    day = due + _DAY
    while _closed_because(period, day):
        day += _DAY
    text = f"El escrito se admite hasta las 15:00 del día hábil siguiente, el {_long(day)}."
    return Step(day, text, _GRACE[period.calendar])


def _left_out(period: Period, last: date) -> str:
    """Return the days not counted up to `last`: weekends as a number, the others by name."""
    weekends, runs = 0, list[tuple[date, date, str]]()
    day = period.start + _DAY
    while day < last:
        why = _closed_because(period, day)
        if why in ("sábado", "domingo"):
            weekends += 1
        elif why:
            if runs and runs[-1][2] == why and (day - runs[-1][1]).days == 1:
                runs[-1] = (runs[-1][0], day, why)
            else:
                runs.append((day, day, why))
        day += _DAY
    told = [f"{weekends} {'sábado o domingo' if weekends == 1 else 'sábados y domingos'}"] if weekends else []
    for first, end, why in runs:
        days = _short(first) if first == end else f"del {_short(first)} al {_short(end)}"
        told.append(f"{days} ({why})")
    return "; ".join(told)


def _closed_because(period: Period, day: date) -> str | None:
    if period.calendar in _RECESS and calendars.is_court_recess(day):
        return "agosto" if day.month == 8 else "días inhábiles de Navidad"
    if day.weekday() >= 5:
        return _WEEKDAYS[day.weekday()]
    return calendars.national_holidays(day.year).get(day) or period.named.get(day)


def _short(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def _long(day: date) -> str:
    return f"{_WEEKDAYS[day.weekday()]} {day:%d/%m/%Y}"
