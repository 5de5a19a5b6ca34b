"""Read the amounts, percentages and dates of a text as values that can be compared. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from app.rules.facts.money.amounts import extract_amounts
from app.rules.facts.time.dates import extract_dates
from app.text.bilingual import Language
from app.text.sentences import FoldedText


@dataclass(frozen=True, slots=True)
class Figures:
    """`money` and `percentages` without their currency or purpose; `dates` as `YYYY-MM-DD`."""

    money: frozenset[Decimal]
    percentages: frozenset[Decimal]
    dates: frozenset[str]

    def __or__(self, other: Figures) -> Figures:
        return Figures(
            self.money | other.money, self.percentages | other.percentages, self.dates | other.dates
        )

    def beyond(self, other: Figures) -> tuple[str, ...]:
        """Return what this has and `other` has not, as words for a reader."""
        return (
            *(f"{value.normalize():f}" for value in sorted(self.money - other.money)),
            *(f"{value.normalize():f} %" for value in sorted(self.percentages - other.percentages)),
            *sorted(self.dates - other.dates),
        )

    def __bool__(self) -> bool:
        return bool(self.money or self.percentages or self.dates)


NO_FIGURES = Figures(frozenset(), frozenset(), frozenset())


_NUMBER = re.compile(r"\d+(?:[.,’']\d{3})*(?:[.,]\d{1,2})?(?!\d)")
_LANGUAGES: tuple[Language, ...] = ("es", "en")


def figures(text: str, jurisdiction: str = "ES") -> Figures:
    """Return the figures that `text` states.

    Both values count where an amount is written in figures and, differently, in words.

    Read as Spanish and as English: a sentence is too short to tell, and a figure that is meant in neither
    way is found in no other text either.
    """
    values, dates = [], set()
    for language in _LANGUAGES:
        source = FoldedText(text, jurisdiction)
        source.__dict__["languages"] = (language,)
        for item in extract_amounts(source):
            values += [(item.kind, value) for value in (item.value, item.words_value) if value is not None]
        for dated in extract_dates(source):
            dates |= {dated.iso, *dated.readings} - {None}
    return Figures(
        frozenset(value for kind, value in values if kind != "percentage"),
        frozenset(value for kind, value in values if kind == "percentage"),
        frozenset(date for date in dates if date),
    )


def numbers(text: str) -> frozenset[str]:
    """Return the bare numbers of a text, without separators of thousands and without cents of zero.

    A thousand may be written `1.000`, `1,000` or `1000`: all three are `1000`.
    """
    return frozenset(_bare(match[0]) for match in _NUMBER.finditer(text))


def _bare(written: str) -> str:
    whole, mark, cents = written, "", ""
    if len(written) > 3 and written[-3] in ".," and written[-2:].isdigit():
        whole, mark, cents = written[:-3], ".", written[-2:]
    digits = "".join(character for character in whole if character.isdigit())
    return digits if not mark or cents == "00" else f"{digits}.{cents}"
