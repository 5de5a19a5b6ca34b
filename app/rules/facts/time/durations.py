"""Read lengths of time: a number in figures, in words or in both, and its unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

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
    for match in _FIGURE.finditer(folded):
        number = int(match["number"].replace(".", ""))
        spelt = read_numeral(match["words"], source.language) if match["words"] else None
        mismatch = spelt is not None and spelt != number
        found.append(Length(match.start(), match.end(), number, _unit(match), mismatch))
    for written_numbers in source.numerals:
        for numeral in written_numbers:
            match = _AFTER_WORDS.match(folded[numeral.end : numeral.end + 60])
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
                    numeral.start, numeral.end + match.end(), written, _unit(match), written != numeral.value
                )
            )
    found.sort(key=lambda item: (item.start, -item.end))
    end = 0
    for item in found:
        if item.start >= end and item.number > 0:
            end = item.end
            yield item


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
