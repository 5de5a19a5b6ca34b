"""Add up the weekly hours of a timetable and compare them with what the law and the document say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from app.rules.consistency.fault import Context, Fault
from app.rules.document import Span
from app.rules.render import wording
from app.text.bilingual import Bilingual

_DAYS = ("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo")
_DAY = rf"(?:{'|'.join(_DAYS)})s?"
_MARK = re.compile(
    rf"\b(?P<half>sabados? alternos?|un sabado (?:de cada dos|si y otro no)|(?:uno de )?cada dos sabados)\b"
    rf"|\b(?P<first>{_DAY}) a (?P<last>{_DAY})\b"
    rf"|\b(?P<list>{_DAY}(?:(?:, | y | e ){_DAY})*)\b"
    r"|\b(?P<from>\d{1,2})(?:[:.h](?P<from_minutes>\d{2}))? ?(?:h\.?|horas)? ?(?:a|-|hasta las|hasta) (?:las "
    r")?"
    r"(?P<to>\d{1,2})[:.h](?P<to_minutes>\d{2})\b"
)
_TIMETABLE = re.compile(r"\b(?:horario|jornada|turno|timetable|cuadrante)s?\b")
_PAUSE = re.compile(r"\b(?:descanso|pausa|comida|bocadillo|comer)\b")
_OWN_WORK = frozenset({"employment", "services", "trade_contract", "remote_work_agreement", "agency"})
_REACH = 420
_FORTY = Decimal(40)


def find_wrong_hours(context: Context) -> Iterator[Fault]:
    """Yield a timetable of more than forty hours a week on the average."""
    if not context.spanish or (context.language == "en" and context.facts.document_language == "en"):
        return
    if context.kind not in _OWN_WORK and context.branch != "laboral":
        return
    source = context.facts.source
    for named in _TIMETABLE.finditer(source.folded):
        window = source.folded[named.start() : named.start() + _REACH]
        worked = _weekly(window)
        if worked is None:
            continue
        hours, sum_of, end = worked
        if hours <= _FORTY or hours > 84:
            continue
        if _PAUSE.search(window[: end + 130]):
            return
        total = wording.plain(hours, context.language)
        employed = context.kind in ("employment", "remote_work_agreement")
        yield Fault(
            "hours",
            "high",
            Bilingual(
                es=f"El horario que se fija suma {total} horas semanales de promedio ({sum_of}), por encima "
                f"del máximo "
                "de 40 horas semanales de promedio anual de la jornada ordinaria"
                + (
                    "."
                    if employed
                    else ", que rige si la prestación es laboral: imponer ese horario es indicio de ello."
                )
                + " El exceso sería de horas extraordinarias.",
                en=f"The timetable adds up to {total} hours a week on average ({sum_of}), above the maximum "
                f"of 40 "
                "a week of ordinary working time"
                + (
                    "."
                    if employed
                    else ", which holds if the work is employment: a fixed timetable points to it."
                )
                + " What exceeds it would be overtime.",
            ),
            Bilingual(
                es="Reducir el horario o compensar el exceso; guardar el registro de jornada y los "
                "cuadrantes.",
                en="Reduce the timetable or compensate the excess; keep the records of working time.",
            ),
            (Span(named.start(), named.start() + end),),
            ("art. 34.1 ET", "art. 35.1 ET"),
        )
        return


def _weekly(window: str) -> tuple[Decimal, str, int] | None:
    """Return the hours of a week, how they add up, and where the timetable ends; None where there is none."""
    days: Decimal | None = None
    worked: dict[tuple[Decimal, str], Decimal] = {}
    seen: set[tuple[str, str]] = set()
    label, end = "", 0
    for mark in _MARK.finditer(window):
        if mark["from"] is None:
            days, label = _days(mark), mark[0]
            continue
        if days is None:
            continue
        span = (
            Decimal(int(mark["to"])) + Decimal(int(mark["to_minutes"])) / 60
            - Decimal(int(mark["from"])) - Decimal(int(mark["from_minutes"] or 0)) / 60
        )  # fmt: skip
        if not 0 < span <= 14 or (end and mark.start() - end > 110):
            break
        if (label, mark[0]) in seen:
            continue
        seen.add((label, mark[0]))
        worked[days, label] = worked.get((days, label), Decimal(0)) + span
        end = mark.end()
    if not worked:
        return None
    # The same days may be named once for the morning and once for the afternoon.
    merged: dict[Decimal, Decimal] = {}
    for (number, _), hours in worked.items():
        merged[number] = merged.get(number, Decimal(0)) + hours
    if any(hours > 14 for hours in merged.values()):
        return None
    total = sum((number * hours for number, hours in merged.items()), Decimal(0))
    shown = " + ".join(f"{_plain(number)} × {_plain(hours)}" for number, hours in merged.items())
    return total, shown, end


def _plain(value: Decimal) -> str:
    return wording.plain(value.quantize(Decimal("0.01")), "es")


def _days(mark: re.Match[str]) -> Decimal:
    if mark["half"]:
        return Decimal("0.5")
    if mark["first"]:
        first, last = (_DAYS.index(_singular(mark[name])) for name in ("first", "last"))
        return Decimal((last - first) % 7 + 1)
    return Decimal(len(re.findall(_DAY, mark["list"])))


def _singular(day: str) -> str:
    return day if day in _DAYS else day.removesuffix("s")
