"""Find periods that Spanish law fixes and a document names: appeals, defence, withdrawal.

They are data (data/procedural_es.toml). Invariant: a period is offered only to documents that it can govern.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Any, Literal

import re2
from pydantic import Field, PlainValidator

from app import deadlines as calendars
from app.deadlines import Calendar
from app.platform.data_files import Entry, Words, read_entry
from app.rules.facts.keyword_index import KeywordMatcher, KeywordMatches, table
from app.text.expressions import compiled
from app.text.sentences import FoldedText


def _expression(source: object) -> re2._Regexp:
    """Return an expression over folded text, compiled.

    Raises:
        ValueError: when it is none.
    """
    try:
        return compiled(str(source))
    except re2.error as error:
        raise ValueError(f"is no regular expression: {error}") from error


Expression = Annotated[Any, PlainValidator(_expression)]


class ProceduralPeriod(Entry):
    """A period fixed by law: `number` of `unit` under article `basis`, counted by `calendar`.

    `starts` is what it runs from, `minimum` whether a longer one may be agreed, `august` "unsettled" where
    the court recess is disputed, so that no date is computed across it. `requires` and `excludes` are what a
    document must and must not say for the period to govern it.
    """

    key: str
    name_es: str
    name_en: str
    basis: str
    number: int = Field(gt=0)
    unit: calendars.Unit
    calendar: Calendar
    starts: Literal["notification", "effect", "delivery", "knowledge"] = "notification"
    august: Literal["settled", "unsettled"] = "settled"
    minimum: bool = False
    words: Words
    requires: Expression | None = None
    excludes: Expression | None = None


@cache
def procedural_periods() -> tuple[ProceduralPeriod, ...]:
    """Return the periods of data/procedural_es.toml, in file order.

    Raises:
        DataFileError: when an entry is wrong.
    """
    return tuple(
        read_entry(ProceduralPeriod, f"procedural_es.toml: period {raw.get('key', 'without key')}", raw)
        for raw in table("procedural_es.toml")["period"]
    )


@cache
def periods_by_key() -> dict[str, ProceduralPeriod]:
    """Return the same periods by `key`."""
    return {period.key: period for period in procedural_periods()}


def named_periods(source: FoldedText) -> KeywordMatches[str]:
    """Return where the document names periods fixed by law, by their keys.

    Only those count that may govern it at all.
    """
    if source.jurisdiction != "ES":
        return KeywordMatches([], [], [])
    keys = tuple(
        period.key
        for period in procedural_periods()
        if (period.requires is None or period.requires.search(source.folded))
        and (period.excludes is None or not period.excludes.search(source.folded))
    )
    return _vocabulary(keys).find(source.folded)


@lru_cache(maxsize=64)
def _vocabulary(keys: tuple[str, ...]) -> KeywordMatcher[str]:
    return KeywordMatcher([(key, "|".join(periods_by_key()[key].words)) for key in keys])
