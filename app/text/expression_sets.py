"""Tell in a few passes which of many expressions match a text. Pure.

Most expressions find nothing in most texts, and each costs a pass, an encoding of the text and a turn at the
interpreter's lock. Sets of some thirty (`re2.Set`) tell in one pass each which of them match. Expressions
that can go on in many ways at each letter of any text stay out of the sets, whose automata they would make
many times as large; of those, RE2's `FilteredRE2` knows which letters they cannot do without.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import re2

# Of one set: with hundreds in one, hardly two texts are alike to its automaton, which is then built for each
# anew.
_MOST_IN_SET: Final = 34
_SET_MEMORY: Final = 32 << 20


class ExpressionSets:
    """Expressions of RE2, known by their place in the order given."""

    __slots__ = ("_letters", "_sets", "_wide")

    def __init__(self, patterns: Sequence[str], wide: Collection[int] = ()) -> None:
        """Compile the sets.

        Args:
            patterns: the expressions.
            wide: places of those that stay out of the sets.
        """
        narrow = [place for place in range(len(patterns)) if place not in wide]
        options = re2.Options()
        options.max_mem = _SET_MEMORY
        self._sets: list[tuple[Any, list[int]]] = []
        for first in range(0, len(narrow), _MOST_IN_SET):
            places = narrow[first : first + _MOST_IN_SET]
            made = re2.Set.SearchSet(options)
            for place in places:
                made.Add(patterns[place])
            made.Compile()
            self._sets.append((made, places))
        self._wide = sorted(wide)
        self._letters = re2.Filter() if self._wide else None
        if self._letters is not None:
            for place in self._wide:
                self._letters.Add(patterns[place])
            self._letters.Compile()

    def may_match(self, text: str) -> frozenset[int]:
        """Return the places of the expressions that match `text` and, of the wide ones, of those that may."""
        encoded = text.encode()
        found = [places[one] for made, places in self._sets for one in made.Match(encoded) or ()]
        if self._letters is not None:
            found += [self._wide[one] for one in self._letters.Match(encoded, True) or ()]
        return frozenset(found)
