"""Skip grammars that cannot find anything in a text: all are asked in a few passes.

Most of two hundred expressions find nothing in most texts, and each costs a pass, an encoding of the text
and a turn at the interpreter's lock. Sets of some thirty of them (`re2.Set`) tell in one pass which of them
match, so that the others are not run. Expressions that can go on in many ways at each letter of any text stay
out of the sets, whose automata they would make many times as large; of those, RE2's `FilteredRE2` knows which
letters they cannot do without.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import re2

from app.text import linear

# Of one set: with all in one, hardly two texts are alike to its automaton, which is then built for each anew.
_MOST_IN_SET: Final = 34
_SET_MEMORY: Final = 32 << 20

_patterns: list[str] = []
# Numbers of the expressions that are in no set.
_wide: set[int] = set()
_making = Lock()
_filters: dict[int, _Filter] = {}
# The text that is being read and what may be found in it; only while it is being read.
_prefiltered: ContextVar[tuple[str, frozenset[int]] | None] = ContextVar("prefiltered", default=None)


@dataclass(frozen=True, slots=True)
class _Filter:
    """What tells of a text which expressions may match it.

    Attributes:
        sets: sets of expressions, each with their numbers.
        letters: the filter of those that are in no set, by their letters.
        wide: their numbers.
    """

    sets: tuple[tuple[Any, tuple[int, ...]], ...]
    letters: Any
    wide: tuple[int, ...]

    def passed(self, text: str) -> frozenset[int]:
        """Return the numbers of the expressions that may match `text`."""
        encoded = text.encode()
        found = [numbers[place] for one, numbers in self.sets for place in one.Match(encoded) or ()]
        found += [self.wide[place] for place in self.letters.Match(encoded, True) or ()]
        return frozenset(found)


class Grammar:
    """An expression of RE2's that is skipped where `prefiltered` found that it cannot match."""

    __slots__ = ("_expression", "_index", "_needs")

    def __init__(self, pattern: str, needs: tuple[str, ...], *, wide: bool) -> None:
        self._expression = linear.compile(pattern)
        self._needs = needs
        self._index = len(_patterns)
        _patterns.append(pattern)
        if wide:
            _wide.add(self._index)

    def finditer(self, text: str, *span: int) -> Iterator[Any]:
        """Return the matches in `text`, none where the filter found that there are none."""
        # Asked for each grammar of each text: `_hopeless` is written out.
        passed = _prefiltered.get()
        if passed is not None and passed[0] is text:
            if self._index not in passed[1]:
                return iter(())
            if self._needs and not any(letters in text for letters in self._needs):
                return iter(())
        found: Iterator[Any] = self._expression.finditer(text, *span)
        return found

    def search(self, text: str) -> Any:
        """Return the first match in `text`, or `None`."""
        return None if self._hopeless(text) else self._expression.search(text)

    def match(self, text: str) -> Any:
        """Return the match at the beginning of `text`, or `None`."""
        return self._expression.match(text)

    def fullmatch(self, text: str) -> Any:
        """Return the match of all of `text`, or `None`."""
        return self._expression.fullmatch(text)

    def _hopeless(self, text: str) -> bool:
        passed = _prefiltered.get()
        if passed is None or passed[0] is not text:
            return False
        if self._index not in passed[1]:
            return True
        return bool(self._needs) and not any(letters in text for letters in self._needs)


def compile(pattern: str, *, needs: tuple[str, ...] = (), wide: bool = False) -> Grammar:
    """Compile an expression for texts that `prefiltered` looks through first.

    Args:
        pattern: the expression.
        needs: every match holds one of them, where any are named.
        wide: whether it stays out of the sets, since at most letters of any text a match of it goes on.
    """
    return Grammar(pattern, needs, wide=wide)


@contextmanager
def prefiltered(text: str) -> Iterator[None]:
    """Let grammars that cannot find anything in `text` skip it while the block runs."""
    passed = _prefiltered.get()
    if passed is not None and passed[0] is text:
        yield
        return
    token = _prefiltered.set((text, _filter().passed(text)))
    try:
        yield
    finally:
        _prefiltered.reset(token)


def _filter() -> _Filter:
    """Return the filter of all expressions; grammars are made when their modules are imported."""
    known = _filters.get(len(_patterns))
    if known is None:
        with _making:
            known = _filters[len(_patterns)] = _made()
    return known


def _made() -> _Filter:
    narrow = [number for number in range(len(_patterns)) if number not in _wide]
    options = re2.Options()
    options.max_mem = _SET_MEMORY
    sets = []
    for first in range(0, len(narrow), _MOST_IN_SET):
        numbers = tuple(narrow[first : first + _MOST_IN_SET])
        made = re2.Set.SearchSet(options)
        for number in numbers:
            made.Add(_patterns[number])
        made.Compile()
        sets.append((made, numbers))
    letters, wide = re2.Filter(), tuple(sorted(_wide))
    for number in wide:
        letters.Add(_patterns[number])
    letters.Compile()
    return _Filter(tuple(sets), letters, wide)
