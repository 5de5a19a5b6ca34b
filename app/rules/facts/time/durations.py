"""Read lengths of time: a number in figures, in words or in both, and its unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.rules.facts.tongues import readers
from app.text.expressions import compiled
from app.text.numerals import read_numeral
from app.text.sentences import FoldedText

DeadlineUnit = Literal["hour", "day", "natural_day", "business_day", "week", "month", "year", "window"]

_UNIT: Final = (
    r"(?P<unit>(?:full |clear |consecutive |calendar |natural |business |working )?(?:days?|weeks?|months?"
    r"|years?|hours?)\b"
    r"|(?:dias?|mes(?:es)?|anos?|anualidades|semanas?|horas?)\b)"
    r"(?: (?P<quality>naturales|natural|habiles|habil|laborables|laborable|calendario|corridos|corrido"
    r"|consecutivos))?"
)
_FIGURE: Final = compiled(
    rf"\b(?P<number>\d{{1,4}}|\d\.\d{{3}})(?: ?\( ?(?P<words>[a-z][a-z -]{{1,40}}) ?\))?(?: {{1,3}}|-){_UNIT}"
)
_AFTER_WORDS: Final = compiled(rf"^(?: ?\( ?(?P<figure>\d{{1,4}}) ?\))?(?: {{0,3}}|-){_UNIT}")


@dataclass(frozen=True, slots=True)
class Length:
    """`number` of `unit` ("day" is unqualified) at `start:end`; `mismatch` where words and figures differ."""

    start: int
    end: int
    number: int
    unit: DeadlineUnit
    mismatch: bool


def lengths(source: FoldedText) -> Iterator[Length]:
    """Yield every length of time above zero in order, none overlapping."""
    folded = source.folded
    found: list[Length] = []
    words = readers(source.tongue) if source.foreign else None
    figures, after_words = (words.figure_length, words.word_length) if words else (_FIGURE, _AFTER_WORDS)
    for match in figures.finditer(folded):
        number = int(match["number"].replace(".", ""))
        spelt = read_numeral(match["words"], source.language) if match["words"] and not words else None
        mismatch = spelt is not None and spelt != number
        found.append(Length(match.start(), match.end(), number, _unit_of(match, source), mismatch))
    for written_numbers in source.numerals:
        for numeral in written_numbers:
            match = after_words.match(folded[numeral.end : numeral.end + 60])
            if match is None or (
                numeral.value == 1
                and match["unit"].startswith("dia")
                and match["figure"] is None
                and match["quality"] is None
            ):
                continue
            written = int(match["figure"]) if match["figure"] else numeral.value
            found.append(
                Length(
                    numeral.start,
                    numeral.end + match.end(),
                    written,
                    _unit_of(match, source),
                    written != numeral.value,
                )
            )
    found.sort(key=lambda item: (item.start, -item.end))
    end = 0
    for item in found:
        if item.start >= end and item.number > 0:
            end = item.end
            yield item


def _unit_of(match: Any, source: FoldedText) -> DeadlineUnit:
    """Return the unit that a length is written in, in the language of its document."""
    if not source.foreign:
        return _unit(match)
    kinds = dict(readers(source.tongue).units)
    unit, quality = match["unit"], match["quality"] or match["unit"]
    found = next(key for key in ("day", "week", "month", "year", "hour") if kinds[key].fullmatch(unit))
    if found == "day" and kinds["working"].match(quality):
        return "business_day"
    if found == "day" and kinds["calendar"].match(quality):
        return "natural_day"
    return found  # type: ignore[return-value]


def _unit(match: Any) -> DeadlineUnit:
    words = f"{match['unit']} {match['quality'] or ''}"
    if "dia" in words or "day" in words:
        if any(mark in words for mark in ("habil", "laborable", "business", "working")):
            return "business_day"
        if any(mark in words for mark in ("natural", "calendar", "corrido")):
            return "natural_day"
        return "day"
    for mark, unit in (
        ("mes", "month"),
        ("month", "month"),
        ("an", "year"),
        ("year", "year"),
        ("seman", "week"),
        ("week", "week"),
    ):
        if mark in words:
            return unit  # type: ignore[return-value]
    return "hour"
