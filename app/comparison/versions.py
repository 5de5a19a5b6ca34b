"""Read two versions of a text and tell what became of their clauses and values. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.comparison.changes import ClauseChange, compare_clauses, place_at
from app.comparison.risks import Risk
from app.comparison.values import ValueChange, changed_values
from app.rules import Severity, extract_facts, numbers

Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Versions:
    """What became of the clauses and values of a text. `repr` shows no text."""

    changes: tuple[ClauseChange, ...] = field(repr=False)
    values: tuple[ValueChange, ...] = field(repr=False)
    _places: Mapping[Side, tuple[list[int], list[int]]] = field(repr=False)

    def clauses_at(self, side: Side, offsets: Iterable[int]) -> tuple[int, ...]:
        """Return the indexes of the changes of the clauses that hold `offsets` of a version, each once."""
        starts, indexes = self._places[side]
        found = (bisect_right(starts, offset) - 1 for offset in offsets)
        return tuple(dict.fromkeys(indexes[at] for at in found if at >= 0))


def compare_versions(before: str, after: str, jurisdiction: str = "ES") -> Versions:
    """Compare two versions of a text under the law of `jurisdiction` (ISO 3166-1 alpha-2)."""
    old, new = extract_facts(before, jurisdiction), extract_facts(after, jurisdiction)
    changes = compare_clauses(old, new)
    places: dict[Side, tuple[list[int], list[int]]] = {}
    for side in ("before", "after"):
        found = place_at(changes, side)
        places[side] = (list(found), list(found.values()))
    return Versions(changes, changed_values(changes, old, new), places)


def risk_of(
    versions: Versions,
    side: Side,
    place: int,
    *,
    facts: Mapping[str, str],
    severity: Severity | None,
    starts: Iterable[int],
    law: Iterable[str],
    text: str,
) -> Risk:
    """Describe a statement about a risk so that it can be matched.

    Args:
        versions: the clauses of both versions.
        side: of which version it is.
        place: its index among the statements of the analysis.
        facts: what the statement says in values: its rule, defect or kind of inconsistency.
        severity: its severity.
        starts: where the words that it quotes begin in that version.
        law: the authorities that it rests on.
        text: the statement.
    """
    key = next(
        (
            f"{name} {facts[name].split()[0]}"
            for name in ("rule", "clause", "defect", "inconsistency")
            if facts.get(name)
        ),
        "",
    )
    return Risk(place, key, severity, versions.clauses_at(side, starts), frozenset(law), text, numbers(text))
