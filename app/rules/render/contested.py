"""Know which words of a document the risks of the same answer are about. Pure.

What a risk calls void or too short is not told again beside it as if it held: a period of it ends on no day
that a reader must heed, and a duty of it binds with a caveat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.rules.draft import Section, Statement
from app.text.expressions import compiled
from app.text.sentences import fold

_SERIOUS: Final = ("high", "medium")  # what a rule calls low is lawful, and only to be known
_OF_TIME: Final = compiled(
    r"\b(?:plazos?|dias?|meses|mes|anos?|horas?|preavis\w+|antelacion|duracion|prorrog\w+|prescri\w+|caduc\w+"
    r"|permanencia|temporal\w*|periodos?|desist\w+|periods?|days?|months?|years?|hours?|notice|term|deadline"
    r"|time|withdraw\w*|durations?)\b"
)

_GOOD_PART: Final = 0.4


@dataclass(frozen=True, slots=True)
class _Passage:
    start: int
    end: int
    of_time: bool
    grave: bool


class Contested:
    """The words that risks of high or medium severity quote."""

    def __init__(self, text: str, risks: Iterable[Statement] = ()) -> None:
        self._passages: list[_Passage] = []
        for risk in risks:
            if risk.section is not Section.RISKS or risk.severity not in _SERIOUS:
                continue
            of_time = _OF_TIME.search(fold(risk.text)) is not None
            for quote in risk.quotes:
                at = text.find(quote) if quote else -1
                if at >= 0:
                    grave = risk.severity == "high"
                    self._passages.append(_Passage(at, at + len(quote), of_time, grave))

    def quotes_time(self, start: int, end: int, *, grave: bool = False) -> bool:
        """Tell whether a risk that speaks of time quotes the length of time at `start:end`.

        With `grave` only what a risk of high severity quotes counts.
        """
        return any(
            one.of_time and one.start <= start and end <= one.end and (one.grave or not grave)
            for one in self._passages
        )

    def covers(self, start: int, end: int, *, grave: bool = False) -> bool:
        """Tell whether a risk quotes a good part of what stands at `start:end`.

        With `grave` only what a risk of high severity quotes counts.
        """
        return any(
            min(one.end, end) - max(one.start, start) > _GOOD_PART * (end - start)
            for one in self._passages
            if one.grave or not grave
        )
