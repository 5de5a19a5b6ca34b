"""Load the words by which facts are read in Portuguese, French, Italian and German documents.

They stand in `data/languages/<code>/facts.toml` and are read at the first document in that language. What is
read of Spanish and English documents stands with each reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from app.rules.facts.keyword_index import KeywordMatcher, table, vocabulary
from app.text.expressions import compiled
from app.text.tongues import Tongue

READ: Final[tuple[Tongue, ...]] = ("pt", "fr", "it", "de")
"""Languages that are read beside Spanish and English."""

# What joins day, month and year: "3 de fevereiro de 2026", "3. Februar 2026", "1er mars 2026".
_DAY: Final = r"(?P<day>\d{1,2})(?: ?[ºo°]|er|\.)?(?: dias?)?(?: do mes)?(?: de)? {1,3}"
_DAY_IN_WORDS: Final = (
    r"(?P<words>[a-z]{2,14}(?: e [a-z]{2,6}|-[a-z]{2,6})?)(?: dias?)?(?: do mes)?(?: de)? {1,3}"
)
_YEAR: Final = r"(?:,?(?: do ano)?(?: de| del)? {1,3}(?P<year>[12]\d{3}|d(?:ois|eux|uemil)[a-z -]{3,40})\b)?"


@dataclass(frozen=True, slots=True)
class Readers:
    """The expressions of one language, over folded text.

    `dates` have the groups day or words, month and year; `lengths` of figures and of what follows a number in
    words have the group unit; `units` tells by the first that matches what a unit is.
    """

    months: Mapping[str, int]
    dates: tuple[Any, ...]
    place_line: Any
    date_roles: tuple[tuple[str, Any], ...]
    percent_figure: Any
    percent_words: Any
    figure_length: Any
    word_length: Any
    units: tuple[tuple[str, Any], ...]
    purposes: KeywordMatcher[Any]
    periods: KeywordMatcher[Any]


@cache
def readers(tongue: Tongue) -> Readers:
    """Return the expressions of a language, one of `READ`."""
    file = f"languages/{tongue}/facts.toml"
    words = table(file)
    months = {name: number for number, name in enumerate(words["months"], start=1)}
    month = rf"(?P<month>{'|'.join(months)})\b"
    units = dict(vocabulary(file, "units"))
    lengths = "|".join(units[one] for one in ("day", "week", "month", "year", "hour"))
    qualities = "|".join(units[one] for one in ("working", "calendar"))
    unit = rf"(?P<unit>(?:{lengths})\b)(?: (?P<quality>(?:{qualities})\b))?"
    percent = "|".join(words["percent"])
    return Readers(
        months=months,
        dates=(
            compiled(rf"\b{_DAY}{month}{_YEAR}"),
            compiled(rf"\b{_DAY_IN_WORDS}{month}{_YEAR}"),
            compiled(rf"\b{month}(?: de| del)? {{1,3}}(?P<year>[12]\d{{3}})\b"),
        ),
        place_line=compiled(
            r"(?:^|\n) *(?:Fait a |Em )?[A-Z][A-Za-z'-]{2,20}"
            r"(?:[ /-](?:[a-z]{2,4} |[A-Z][A-Za-z'-]{1,20})){0,4}"
            rf"(?:, ?(?:{'|'.join(words['place'])} )?|,? (?:{'|'.join(words['place'])}) )$"
        ),
        date_roles=tuple(
            (role, compiled(rf"(?:^|[^a-z])(?:{cues})(?:[^a-z]|$)"))
            for role, cues in vocabulary(file, "date_roles")
        ),
        percent_figure=compiled(rf"\b(?P<figure>\d{{1,3}}(?:[.,]\d{{1,6}})?) ?\)? ?(?:{percent})(?:\b|$)"),
        percent_words=compiled(rf"^ ?(?:{percent})(?:\b|$)"),
        figure_length=compiled(
            rf"\b(?P<number>\d{{1,4}})(?: ?\( ?(?P<words>[a-z][a-z -]{{1,40}}) ?\))?(?: {{1,3}}|-){unit}"
        ),
        word_length=compiled(rf"^(?: ?\( ?(?P<figure>\d{{1,4}}) ?\))?(?: {{0,3}}|-){unit}"),
        units=tuple((key, compiled(rf"(?:{units[key]})")) for key in units),
        purposes=KeywordMatcher(vocabulary(file, "amount_purposes")),
        periods=KeywordMatcher(vocabulary(file, "amount_periods")),
    )
