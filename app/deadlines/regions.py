"""Holidays of the autonomous communities, from `data/regional_es.toml`: those that are certain, and no
others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType

from app.deadlines.calendars import easter

_FILE = Path(__file__).parent / "data" / "regional_es.toml"


@dataclass(frozen=True, slots=True)
class Region:
    """A community by its code of ISO 3166-2:ES, without the country."""

    code: str
    name: str
    fixed: tuple[tuple[int, int], ...]
    from_easter: tuple[int, ...]


def _read() -> Mapping[str, Region]:
    raw = tomllib.loads(_FILE.read_text("utf-8"))
    found = {}
    for code, one in raw.items():
        fixed = tuple((int(day[:2]), int(day[3:])) for day in one["fixed"])
        found[code] = Region(code, one["name"], fixed, tuple(one["days_from_easter"]))
    return MappingProxyType(found)


REGIONS: Mapping[str, Region] = _read()


@cache
def regional_holidays(code: str, year: int) -> frozenset[date]:
    """The certain holidays of a community in a year, beyond the national ones."""
    region = REGIONS[code]
    moved = {easter(year) + timedelta(days=days) for days in region.from_easter}
    return frozenset({date(year, month, day) for month, day in region.fixed} | moved)
