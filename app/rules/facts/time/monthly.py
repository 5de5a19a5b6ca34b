"""Read days that come back every month: "los cinco primeros días de cada mes"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.text.expressions import compiled
from app.text.numerals import read_numeral
from app.text.sentences import FoldedText

_RECURRING: Final = compiled(
    r"(?:dentro de )?los (?P<a>\w{2,7}|\d{1,2})(?: ?\( ?(?P<a2>\d{1,2}) ?\))? primeros dias"
    r"(?: (?P<q1>habiles|naturales|laborables))? (?:de cada|del) mes"
    r"|(?:dentro de )?los primeros (?P<b>\w{2,7}|\d{1,2})(?: ?\( ?(?P<b2>\d{1,2}) ?\))? dias"
    r"(?: (?P<q2>habiles|naturales|laborables))? (?:de cada|del) mes"
    r"|entre (?:los dias|el dia|el) (?P<c>\w{2,10}|\d{1,2})(?: ?\(\d{1,2}\))? (?:y|al?)(?: el| dia| el dia)? "
    r"(?P<d>\w{2,10}|\d{1,2})(?: ?\(\d{1,2}\))?,?(?: ambos inclusive,?)? de cada mes"
    r"|(?:el|los) dias? (?P<e>\w{2,10}|\d{1,2})(?: ?\( ?\d{1,2} ?\))? de cada mes"
    r"|(?:the )?first (?P<f>\w{3,8}|\d{1,2})(?: ?\( ?\d{1,2} ?\))? (?:(?P<q3>business|working"
    r"|calendar) )?days "
    r"of (?:each|every)(?: calendar)? month"
    r"|(?:the )?(?P<g>\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|tenth|fifteenth"
    r"|twentieth)(?: ?\( ?\d{1,2}(?:st|nd|rd|th)? ?\))?(?: (?:calendar )?day)? of (?:each"
    r"|every)(?: calendar)? month"
)
_ORDINAL_DAYS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "tenth": 10,
    "fifteenth": 15, "twentieth": 20, "primero": 1, "uno": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MonthlyDays:
    """From day `first` to day `last` of each month, at `start:end`; `business` counts working days."""

    start: int
    end: int
    first: int
    last: int
    business: bool


def monthly_days(source: FoldedText) -> Iterator[MonthlyDays]:
    """Yield every such expression in order; days beyond 31 are left out."""
    for match in _RECURRING.finditer(source.folded):
        first, last = 1, None
        words = match["a2"] or match["a"] or match["b2"] or match["b"] or match["f"]
        if words is not None:
            last = _day(words, source)
        elif match["c"] is not None:
            first, last = _day(match["c"], source) or 0, _day(match["d"], source)
        else:
            last = _day(match["e"] or match["g"], source)
            first = last or 0
        if last is None or not 0 < first <= last <= 31:
            continue
        quality = match["q1"] or match["q2"] or match["q3"]
        business = quality in {"habiles", "laborables", "business", "working"}
        yield MonthlyDays(match.start(), match.end(), first, last, business)


def _day(words: str, source: FoldedText) -> int | None:
    digits = words.rstrip("stndrh")
    if digits.isdigit():
        return int(digits)
    return _ORDINAL_DAYS.get(words) or read_numeral(words, source.language)
