"""Read a weekly timetable: "lunes a viernes de 9:00 a 14:00 y de 16:00 a 20:00, sábados alternos de 9 a 13".

Read only where it can be added up without doubt: shifts, opening hours and summer hours are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final

import re2

from app.rules.document import Document, Span, compile_pattern
from app.text import linear

_DAYS: Final = {
    b"lunes": 0, b"martes": 1, b"miercoles": 2, b"jueves": 3, b"viernes": 4, b"sabado": 5, b"domingo": 6,
    b"monday": 0, b"tuesday": 1, b"wednesday": 2, b"thursday": 3, b"friday": 4, b"saturday": 5, b"sunday": 6,
}  # fmt: skip
_DAY: Final = (
    rb"(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
)
_CLOCK: Final = rb"(\d{1,2})(?:[:_h](\d{2}))?(?: ?(?:h|horas|hrs?|am)\b_?)?"
_TOKEN: Final = linear.compile(
    rb"\b(?P<from>" + _DAY + rb")\s*(?:a|-|al|hasta|to|through)\s*(?:el\s+)?(?P<to>" + _DAY + rb")\b"
    rb"|\b(?P<every_other>(?:sabados?|domingos?|saturdays?)\s+(?:alternos?|si\s+y\s+otro\s+no)"
    rb"|(?:un|uno)\s+(?:sabado\s+)?(?:de\s+)?(?:cada\s+dos)(?:\s+sabados)?"
    rb"|(?:every\s+(?:other|second)|alternate)\s+saturdays?"
    rb"|(?:un\s+)?sabados?\s+(?:de\s+cada\s+dos|si[, ]+sabado\s+no))"
    rb"|\b(?P<day>" + _DAY + rb")\b"
    rb"|\b(?:de\s+|desde\s+(?:las\s+)?|from\s+|las\s+)?"
    + _CLOCK
    + rb"\s*(?:a|-|hasta|to|until|y\s+las)\s*(?:las\s+)?"
    + _CLOCK
)
# What makes a timetable ambiguous, or none of the worker's.
_NOT_A_WEEK: Final = compile_pattern(
    "turnos?\\b|rotativ|rotatori|verano|\\bjulio\\b|\\bagosto\\b|intensiv|"
    "horario (comercial|de apertura|al publico)|atencion al (publico|cliente|usuario)|"
    "apertura|visitas?\\b|\\bo bien\\b|opcional|shifts?\\b|opening hours|"
    "flexib|invierno|campana|alternativ|fichaje de prueba|entre las"
)
_BREAK: Final = linear.compile(
    rb"(?:pausa|descanso|comida|comer|almuerzo|bocadillo|desayuno|break|lunch)[^.;]{0,40}?\b"
    rb"(?:(?P<minutes>\d{2})\s*(?:minutos|minutes|min\b)|(?P<half>media\s+hora|half\s+an\s+hour)|"
    rb"(?P<one>una\s+hora|1\s+hora|an\s+hour|one\s+hour))"
    rb"|\b(?:(?P<minutes2>\d{2})\s*(?:minutos|minutes|min\b)|(?P<half2>media\s+hora)|(?P<one2>una\s+hora|1\s+hora))"
    rb"[^.;]{0,30}?(?:pausa|descanso|comida|comer|almuerzo|bocadillo|desayuno|break|lunch)"
)
_APART: Final = 160  # characters between two entries of one timetable
_FEWEST, _MOST = Decimal(1), Decimal(14)  # hours of a stretch of work that is believed


@dataclass(frozen=True, slots=True)
class Timetable:
    """Hours of work a week, on the longest day, and between the end of one day and the start of the next."""

    week: Decimal
    day: Decimal
    rest: Decimal | None
    span: Span


@dataclass(slots=True)
class _Entries:
    """What stands in one timetable: the stretches of each day, and how many weeks of two a day counts."""

    stretches: dict[tuple[int, bool], list[tuple[int, int]]]
    start: int
    end: int


def weekly_timetable(document: Document) -> Timetable | None:
    """Return the first timetable of the document that gives at least three days of work, or None."""
    for entries in _groups(document):
        found = _added_up(document, entries)
        if found is not None:
            return found
    return None


def _groups(document: Document) -> Iterator[_Entries]:
    """Yield the timetables of the document: days and hours that stand near each other."""
    days: list[tuple[int, bool]] = []
    loose: list[tuple[int, int]] = []  # hours told before their days: "de 9 a 14, de lunes a viernes"
    fresh = False  # whether hours have followed the days at hand
    entries = _Entries({}, 0, 0)
    last = -_APART - 1
    for match in _TOKEN.finditer(document.folded):
        if match.start() - last > _APART:
            if entries.stretches:
                yield entries
            entries, days, loose, fresh = _Entries({}, match.start(), match.end()), [], [], False
        last = entries.end = match.end()
        named = _days(match)
        if named:
            if loose:
                _add(entries, named, loose)
                loose, days, fresh = [], named, True
                continue
            days = named if fresh else [*days, *named]
            fresh = False
            continue
        stretch = _stretch(match)
        if stretch is None:
            continue
        if days:
            _add(entries, days, [stretch])
            fresh = True
        else:
            loose.append(stretch)
    if entries.stretches:
        yield entries


def _days(match: re2._Match) -> list[tuple[int, bool]]:
    """Return the days that a match names, each with whether it is worked every other week."""
    if match.group(b"from"):
        first, last = _day(match.group(b"from")), _day(match.group(b"to"))
        return [(at, False) for at in range(first, last + 1)] if first <= last else []
    if match.group(b"every_other"):
        return [(6 if b"domingo" in match.group(b"every_other") else 5, True)]
    return [(_day(match.group(b"day")), False)] if match.group(b"day") else []


def _day(word: bytes) -> int:
    return _DAYS[word] if word in _DAYS else _DAYS[word.rstrip(b"s")]


def _stretch(match: re2._Match) -> tuple[int, int] | None:
    """Return a stretch of work in minutes of the day; one that ends after midnight ends after 24 hours."""
    clock = match.groups()[-4:]
    first = int(clock[0]) * 60 + int(clock[1] or 0)
    last = int(clock[2]) * 60 + int(clock[3] or 0)
    if first >= 24 * 60 or last > 24 * 60 or (clock[1] is None and clock[3] is None and int(clock[2]) > 24):
        return None
    return (first, last if last > first else last + 24 * 60)


def _add(entries: _Entries, days: list[tuple[int, bool]], stretches: list[tuple[int, int]]) -> None:
    for day in days:
        entries.stretches.setdefault(day, []).extend(stretches)


def _added_up(document: Document, entries: _Entries) -> Timetable | None:
    """Return the hours of a timetable; None where it is no week of one worker."""
    worked = {day for day, _ in entries.stretches}
    if len(worked) < 3:
        return None
    around = document.sentence(Span(entries.start, entries.end))
    if document.find(_NOT_A_WEEK, max(around.start, entries.start - 120), around.end) is not None:
        return None
    off = _pause(document, around)
    week = longest = Decimal(0)
    for (_, every_other), stretches in entries.stretches.items():
        stretches.sort()
        if any(b[0] < a[1] for a, b in pairwise(stretches)):
            return None
        lengths = [Decimal(last - first) / 60 for first, last in stretches]
        if not all(_FEWEST <= length <= _MOST for length in lengths):
            return None
        hours = sum(lengths, Decimal(0)) - (off if len(lengths) == 1 else 0)
        longest = max(longest, hours)
        week += hours / 2 if every_other else hours
    return Timetable(week, longest, _rest(entries), Span(entries.start, entries.end))


def _rest(entries: _Entries) -> Decimal | None:
    """Return the hours between the end of a day and the start of the next, None where no two days follow."""
    first = {day: stretches[0][0] for (day, _), stretches in entries.stretches.items()}
    last = {day: stretches[-1][1] for (day, _), stretches in entries.stretches.items()}
    gaps = [first[(day + 1) % 7] + 24 * 60 - last[day] for day in last if (day + 1) % 7 in first]
    return Decimal(min(gaps)) / 60 if gaps else None


def _pause(document: Document, sentence: Span) -> Decimal:
    """Return the hours of a pause that the timetable names, which are taken not to be worked."""
    match = _BREAK.search(document.folded, sentence.start, min(sentence.end + 160, len(document.folded)))
    if match is None:
        return Decimal(0)
    minutes = match.group(b"minutes") or match.group(b"minutes2")
    if minutes:
        return Decimal(int(minutes)) / 60
    return Decimal("0.5") if match.group(b"half") or match.group(b"half2") else Decimal(1)
