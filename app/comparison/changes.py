"""What became of each clause between two versions of a text. Pure.

Invariant: the words of all changes, in the order of one version, are that version, code point by code point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from app.comparison.clauses.splitting import Clause, split_clauses
from app.comparison.clauses.words import Run, diff_words
from app.rules import Facts

if TYPE_CHECKING:
    from app.comparison.clauses.alignment import Pair

Change = Literal["added", "removed", "changed", "moved", "unchanged"]
Joined = Literal["split", "merged"]
CHANGES: tuple[Change, ...] = get_args(Change)
JOINED: tuple[Joined, ...] = get_args(Joined)

# What is told of clauses that differ in a sign or a word of many.
_ALMOST = 0.99


@dataclass(frozen=True, slots=True)
class Place:
    """Where a clause stands in one version: `text[start:end]`, the white space behind it included.

    `number` and `heading` are those of its first part, "" where it has none; `noun` is the folded word before
    the number, such as "articulo".
    """

    start: int
    end: int
    number: str
    heading: str
    noun: str


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """What became of one clause.

    Attributes:
        change: `moved` where it stands elsewhere among the others, whether its words changed or not.
        before: where it stood; `None` where it was added.
        after: where it stands; `None` where it was removed.
        runs: its words, equal, inserted and deleted.
        similarity: the share of words that both have, from 0 to 1; 1 only where they have the same.
        renumbered: whether its number is another one. That alone is no change.
        joined: whether it was split into several clauses, or merged from several.
        coarse: whether a part of it was too long to be compared word by word.
    """

    change: Change
    before: Place | None
    after: Place | None
    runs: tuple[Run, ...] = field(repr=False)
    similarity: float
    renumbered: bool = False
    joined: Joined | None = None
    coarse: bool = False

    @property
    def rewritten(self) -> bool:
        """Whether both versions have it, with different words."""
        return self.before is not None and self.after is not None and self.similarity < 1

    @property
    def place(self) -> Place:
        """Where it stands, or stood if it was removed."""
        found = self.after or self.before
        assert found is not None
        return found


def compare_clauses(before: Facts, after: Facts) -> tuple[ClauseChange, ...]:
    """Return what became of each clause of two versions whose facts were read.

    In the order of `after`; a removed clause follows what it stood behind.
    """
    # Loaded when it compares: commands that read the tables of all packages need no numpy.
    from app.comparison.clauses.alignment import align

    one, other = before.source.text, after.source.text
    old, new = split_clauses(before), split_clauses(after)
    return tuple(_change(pair, one, other, old, new) for pair in align(one, other, old, new))


def count_changes(changes: Sequence[ClauseChange]) -> dict[str, int]:
    """Return how many clauses have each change, and how many were renumbered."""
    found = Counter(one.change for one in changes)
    return {**{name: found[name] for name in CHANGES}, "renumbered": sum(one.renumbered for one in changes)}


def _change(pair: Pair, one: str, other: str, old: Sequence[Clause], new: Sequence[Clause]) -> ClauseChange:
    before, after = _place(old, pair.before), _place(new, pair.after)
    if before is None:
        assert after is not None
        return ClauseChange("added", None, after, (Run("insert", other[after.start : after.end]),), 0.0)
    was = one[before.start : before.end]
    if after is None:
        return ClauseChange("removed", before, None, (Run("delete", was),), 0.0)
    found = diff_words(was, other[after.start : after.end])
    same = _words(one, old, pair.before) == _words(other, new, pair.after)
    joined: Joined | None = None
    if max(len(pair.before), len(pair.after)) > 1:
        joined = "split" if len(pair.after) > 1 else "merged"
    change: Change = "moved" if pair.moved else "unchanged" if same and joined is None else "changed"
    similarity = 1.0 if same else min(found.similarity, _ALMOST)
    renumbered = before.number != after.number
    return ClauseChange(change, before, after, found.runs, similarity, renumbered, joined, found.coarse)


def _place(clauses: Sequence[Clause], held: range) -> Place | None:
    if not held:
        return None
    first, last = clauses[held.start], clauses[held.stop - 1]
    return Place(first.start, last.end, first.number, first.heading, first.noun)


def _words(text: str, clauses: Sequence[Clause], held: range) -> str:
    """Return the words of clauses without their numbers, each white space one blank."""
    parts = (text[max(one.label_end, one.start) : one.end] for one in (clauses[at] for at in held))
    return " ".join(word for part in parts for word in part.split())


def place_at(changes: Sequence[ClauseChange], side: Literal["before", "after"]) -> Mapping[int, int]:
    """Return for each clause of a version where it begins and its index in `changes`, in order."""
    found: Iterator[tuple[int, int]] = (
        (place.start, index)
        for index, one in enumerate(changes)
        if (place := one.before if side == "before" else one.after) is not None
    )
    return dict(sorted(found))
