"""Tell which amounts, dates, periods and parties changed between two versions. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.comparison.changes import ClauseChange, Place
from app.rules import Facts, StatedValue, read_values


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One value that is another one now, that came, or that went.

    `clause` is the index of the change of its clause. Of `before` and `after` at most one is `None`.
    """

    before: StatedValue | None
    after: StatedValue | None
    clause: int

    @property
    def either(self) -> StatedValue:
        """The new value, or the old one where it went."""
        found = self.after or self.before
        assert found is not None
        return found


class _Values:
    """The values of one version, found by where they stand."""

    def __init__(self, facts: Facts) -> None:
        found = read_values(facts)
        self.parties = [one for one in found if one.kind == "party"]
        self._others = [one for one in found if one.kind != "party"]
        self._starts = [one.start for one in self._others]

    def within(self, place: Place | None) -> list[StatedValue]:
        """Return the values of a clause, those of parties left out."""
        if place is None:
            return []
        return self._others[bisect_left(self._starts, place.start) : bisect_left(self._starts, place.end)]


def changed_values(changes: Sequence[ClauseChange], before: Facts, after: Facts) -> tuple[ValueChange, ...]:
    """Return the values that differ, in the order of `changes`; a party's at the clause that names it.

    A value that only moved to another clause is none.
    """
    old, new = _Values(before), _Values(after)
    found: list[ValueChange] = []
    for index, one in enumerate(changes):
        if one.similarity < 1:
            was, is_ = old.within(one.before), new.within(one.after)
            found += (ValueChange(a, b, index) for a, b in _paired(was, is_))
    found = _without_moved(found)
    found += _parties(changes, old.parties, new.parties)
    return tuple(sorted(found, key=lambda one: one.clause))


def _paired(
    old: Sequence[StatedValue], new: Sequence[StatedValue]
) -> Iterator[tuple[StatedValue | None, StatedValue | None]]:
    """Yield what differs between the values of a clause, each with what it became."""
    left, right = _without_common(old, new)
    # What is for the same matter first; then what is of the same kind and unit; then of the same kind.
    for key in (_matter, _unit, _kind):
        waiting: dict[object, list[StatedValue]] = defaultdict(list)
        for one in left:
            waiting[key(one)].append(one)
        pairs: list[tuple[StatedValue, StatedValue]] = []
        for other in right:
            if waiting[key(other)]:
                pairs.append((waiting[key(other)].pop(0), other))
        yield from pairs
        left = [one for one in left if all(one is not a for a, _ in pairs)]
        right = [one for one in right if all(one is not b for _, b in pairs)]
    yield from ((one, None) for one in left)
    yield from ((None, one) for one in right)


def _matter(one: StatedValue) -> object:
    return one.kind, one.role, one.unit


def _unit(one: StatedValue) -> object:
    return one.kind, one.unit


def _kind(one: StatedValue) -> object:
    return one.kind


def _without_common(
    old: Sequence[StatedValue], new: Sequence[StatedValue]
) -> tuple[list[StatedValue], list[StatedValue]]:
    """Return the values that only one of two lists has."""
    common = Counter(map(_value, old)) & Counter(map(_value, new))

    def rest(values: Sequence[StatedValue]) -> Iterator[StatedValue]:
        known = common.copy()
        for one in values:
            if known[_value(one)]:
                known[_value(one)] -= 1
            else:
                yield one

    return list(rest(old)), list(rest(new))


def _value(one: StatedValue) -> tuple[str, str, str]:
    return one.kind, one.value, one.unit


def _without_moved(found: Iterable[ValueChange]) -> list[ValueChange]:
    """Return changes without values that went from one clause and came in another."""
    kept = list(found)
    gone = Counter(_matter_and_value(one.before) for one in kept if one.before and not one.after)
    come = Counter(_matter_and_value(one.after) for one in kept if one.after and not one.before)
    both = gone & come
    left = {"gone": both.copy(), "come": both.copy()}
    result = []
    for one in kept:
        if one.before is None or one.after is None:
            side = left["gone" if one.after is None else "come"]
            key = _matter_and_value(one.either)
            if side[key]:
                side[key] -= 1
                continue
        result.append(one)
    return result


def _matter_and_value(one: StatedValue) -> tuple[str, str, str, str]:
    return one.kind, one.value, one.unit, one.role


def _parties(
    changes: Sequence[ClauseChange], old: Sequence[StatedValue], new: Sequence[StatedValue]
) -> Iterator[ValueChange]:
    """Yield the parties that were exchanged, came or went, by their part."""
    parts: dict[str, tuple[list[StatedValue], list[StatedValue]]] = {}
    for side, values in enumerate((old, new)):
        for one in values:
            parts.setdefault(one.role, ([], []))[side].append(one)
    # The same name in another part is no other person, and its part is told by the words.
    known = ({_name(one) for one in old}, {_name(one) for one in new})
    for was, is_ in parts.values():
        left = [one for one in was if _name(one) not in known[1]]
        right = [one for one in is_ if _name(one) not in known[0]]
        for at in range(max(len(left), len(right))):
            before = left[at] if at < len(left) else None
            after = right[at] if at < len(right) else None
            yield ValueChange(before, after, _clause_of(changes, before, after))


def _name(one: StatedValue) -> str:
    return " ".join(one.value.casefold().split())


def _clause_of(changes: Sequence[ClauseChange], before: StatedValue | None, after: StatedValue | None) -> int:
    """Return the index of the change that holds a value."""
    for index, one in enumerate(changes):
        place, value = (one.after, after) if after is not None else (one.before, before)
        if place is not None and value is not None and place.start <= value.start < place.end:
            return index
    return 0
