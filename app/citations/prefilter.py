"""Skip grammars that cannot find anything in a text: sets of them are asked first (`app.text`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from app.text import linear
from app.text.expression_sets import ExpressionSets

T = TypeVar("T")

_patterns: list[str] = []
# Numbers of the expressions that are in no set.
_wide: set[int] = set()
_making = Lock()
_filters: dict[int, ExpressionSets] = {}
# The text that is being read and what may be found in it; only while it is being read.
_prefiltered: ContextVar[tuple[str, frozenset[int]] | None] = ContextVar("prefiltered", default=None)
_NOTHING: Final[Iterator[Any]] = iter(())


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
        if (
            passed is not None
            and passed[0] is text
            and (
                self._index not in passed[1]
                or (self._needs and not any(letters in text for letters in self._needs))
            )
        ):
            return _NOTHING
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


class GrammarTable(Generic[T]):
    """Grammars with what belongs to each, of which those that cannot match a text are passed over at once."""

    __slots__ = ("_items", "_places")

    def __init__(self, items: Iterable[tuple[Grammar, T]]) -> None:
        self._items: list[T] = []
        self._places: dict[int, list[int]] = {}
        for place, (grammar, item) in enumerate(items):
            self._items.append(item)
            self._places.setdefault(grammar._index, []).append(place)

    def of(self, text: str) -> Sequence[T]:
        """Return, in order, what belongs to the grammars that may match `text`."""
        passed = _prefiltered.get()
        if passed is None or passed[0] is not text:
            return self._items
        found = passed[1] & self._places.keys()
        return [
            self._items[place] for place in sorted(chain.from_iterable(self._places[one] for one in found))
        ]


@contextmanager
def prefiltered(text: str) -> Iterator[None]:
    """Let grammars that cannot find anything in `text` skip it while the block runs."""
    passed = _prefiltered.get()
    if passed is not None and passed[0] is text:
        yield
        return
    token = _prefiltered.set((text, _filter().may_match(text)))
    try:
        yield
    finally:
        _prefiltered.reset(token)


def _filter() -> ExpressionSets:
    """Return the sets of all expressions; grammars are made when their modules are imported."""
    known = _filters.get(len(_patterns))
    if known is None:
        with _making:
            known = _filters[len(_patterns)] = ExpressionSets(_patterns, _wide)
    return known
