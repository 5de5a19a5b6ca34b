"""Skip grammars that cannot find anything in a text: all are asked in one pass.

Most of some ninety expressions find nothing in most texts, and each costs a pass, an encoding of the text and
a turn at the interpreter's lock. RE2's `FilteredRE2` knows which letters an expression cannot do without;
one pass over the text for the letters of all of them leaves under half of the expressions to run.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

import re2

from app.text import linear

_patterns: list[str] = []
_making = Lock()
_filters: dict[int, Any] = {}
# The text that is being read and what may be found in it; only while it is being read.
_prefiltered: ContextVar[tuple[str, frozenset[int]] | None] = ContextVar("prefiltered", default=None)


class Grammar:
    """An expression of RE2's that is skipped where `prefiltered` found that it cannot match."""

    __slots__ = ("_expression", "_index", "_needs")

    def __init__(self, pattern: str, needs: tuple[str, ...]) -> None:
        self._expression = linear.compile(pattern)
        self._needs = needs
        self._index = len(_patterns)
        _patterns.append(pattern)

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


def compile(pattern: str, *, needs: tuple[str, ...] = ()) -> Grammar:
    """Compile an expression for texts that `prefiltered` looks through first.

    Every match holds one of `needs`, where any are named.
    """
    return Grammar(pattern, needs)


@contextmanager
def prefiltered(text: str) -> Iterator[None]:
    """Let grammars that cannot find anything in `text` skip it while the block runs."""
    passed = _prefiltered.get()
    if passed is not None and passed[0] is text:
        yield
        return
    found = _filter().Match(text, True)
    token = _prefiltered.set((text, frozenset(found or ())))
    try:
        yield
    finally:
        _prefiltered.reset(token)


def _filter() -> Any:
    """Return the filter of all expressions; grammars are made when their modules are imported."""
    known = _filters.get(len(_patterns))
    if known is None:
        with _making:
            known = re2.Filter()
            for pattern in _patterns:
                known.Add(pattern)
            known.Compile()
            _filters[len(_patterns)] = known
    return known
