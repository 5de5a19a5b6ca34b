"""Periods that Spanish law fixes and a document may name: appeals, defence, withdrawal.

They are data (data/procedural_es.toml). Invariant: a period is offered only to documents that it can govern.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from app import deadlines as calendars
from app.deadlines import Calendar
from app.rules.facts.keyword_index import Cues, Found, table
from app.text.sentences import Reading, compiled


@dataclass(frozen=True, slots=True)
class ProceduralPeriod:
    """A period fixed by law: `number` of `unit` under article `basis`, counted by `calendar`.

    `starts` is what it runs from, `minimum` whether a longer one may be agreed, `august` "unsettled" where
    the court recess is disputed, so that no date is computed across it.
    """

    key: str
    name_es: str
    name_en: str
    basis: str
    number: int
    unit: calendars.Unit
    calendar: Calendar
    starts: str
    august: str
    minimum: bool
    words: tuple[str, ...]
    requires: Any | None
    excludes: Any | None


@cache
def procedural_periods() -> tuple[ProceduralPeriod, ...]:
    """The table of data/procedural_es.toml, in file order."""
    return tuple(
        ProceduralPeriod(
            key=entry["key"],
            name_es=entry["name_es"],
            name_en=entry["name_en"],
            basis=entry["basis"],
            number=entry["number"],
            unit=entry["unit"],
            calendar=entry["calendar"],
            starts=entry.get("starts", "notification"),
            august=entry.get("august", "settled"),
            minimum=entry.get("minimum", False),
            words=tuple(entry["words"]),
            requires=compiled(entry["requires"]) if "requires" in entry else None,
            excludes=compiled(entry["excludes"]) if "excludes" in entry else None,
        )
        for entry in table("procedural_es.toml")["period"]
    )


@cache
def periods_by_key() -> dict[str, ProceduralPeriod]:
    """The same periods by `key`."""
    return {period.key: period for period in procedural_periods()}


def named_periods(reading: Reading) -> Found[str]:
    """Where the document names periods fixed by law (their keys), of those that may govern it at all."""
    if reading.jurisdiction != "ES":
        return Found([], [], [])
    keys = tuple(
        period.key
        for period in procedural_periods()
        if (period.requires is None or period.requires.search(reading.folded))
        and (period.excludes is None or not period.excludes.search(reading.folded))
    )
    return _vocabulary(keys).find(reading.folded)


@lru_cache(maxsize=64)
def _vocabulary(keys: tuple[str, ...]) -> Cues[str]:
    return Cues([(key, "|".join(periods_by_key()[key].words)) for key in keys])
