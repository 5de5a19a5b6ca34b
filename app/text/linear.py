"""Compile regular expressions that are matched in linear time, for text of any characters and for bytes.

They find what `re2` finds. Its own interface costs more than most of the matches that an analysis makes, some
three hundred of a page of text: it converts offsets where nothing was found, counts characters in text that
is ASCII, and asks an expression for its groups whenever a match is asked for one. For text of one byte a
character there is `app.text.expressions`, which converts none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import re2

from app.text.expressions import Match

Words = TypeVar("Words", str, bytes)
Span = tuple[int, int]
_UNANCHORED = re2._Anchor.UNANCHORED
_AT_START = re2._Anchor.ANCHOR_START
_WHOLE = re2._Anchor.ANCHOR_BOTH
_NOWHERE = (-1, -1)
_NONE: tuple[Match, ...] = ()


class LinearExpression(re2._Regexp):  # type: ignore[misc]  # re2 comes without types
    """An expression over `str`, or over `bytes` where its source is bytes, that knows its groups."""

    __slots__ = ("_find", "_groupindex", "_groups")

    def __init__(self, source: str | bytes, options: re2.Options) -> None:
        super().__init__(source, options)
        self._find = self._regexp.Match
        self._groups: int = super().groups
        # By their names in what the source is itself, `str` or bytes.
        self._groupindex: dict[Any, int] = super().groupindex

    @property
    def groups(self) -> int:
        """Return how many groups there are."""
        return self._groups

    @property
    def groupindex(self) -> dict[Any, int]:
        """Return the number of each named group."""
        return self._groupindex

    def search(self, text: Words, pos: int | None = None, endpos: int | None = None) -> Match | None:
        """Return the first match in `text[pos:endpos]`, or None."""
        return self._first(_UNANCHORED, text, pos, endpos)

    def match(self, text: Words, pos: int | None = None, endpos: int | None = None) -> Match | None:
        """Return the match at the beginning of `text[pos:endpos]`, or None."""
        return self._first(_AT_START, text, pos, endpos)

    def fullmatch(self, text: Words, pos: int | None = None, endpos: int | None = None) -> Match | None:
        """Return the match of the whole of `text[pos:endpos]`, or None."""
        return self._first(_WHOLE, text, pos, endpos)

    def finditer(self, text: Words, pos: int | None = None, endpos: int | None = None) -> Iterator[Match]:
        """Return the matches in `text[pos:endpos]`, in order; none overlap."""
        if pos is None and endpos is None:
            # Most find nothing, and then nothing is counted.
            encoded = text.encode() if isinstance(text, str) else text
            spans = self._find(_UNANCHORED, encoded, 0, len(encoded))
            return iter(_NONE) if spans[0] == _NOWHERE else self._all(_UNANCHORED, _Given(text), spans)
        return self._match(_UNANCHORED, text, pos, endpos)

    def _first(self, anchor: object, text: Words, pos: int | None, endpos: int | None) -> Match | None:
        if pos is None and endpos is None:
            encoded = text.encode() if isinstance(text, str) else text
            end = len(encoded)
            spans = self._find(anchor, encoded, 0, end)
            if spans[0] == _NOWHERE:
                return None
            if end == len(text):
                return Match(self, text, 0, end, spans)
            return _Given(text).match(self, spans)
        given = _Given(text, pos, endpos)
        if given.start > given.end:
            return None
        spans = self._find(anchor, given.encoded, given.first, given.last)
        return None if spans[0] == _NOWHERE else given.match(self, spans)

    def _match(
        self, anchor: object, text: Words, pos: int | None = None, endpos: int | None = None
    ) -> Iterator[Match]:
        """Yield every match: what re2's other methods are built on."""
        given = _Given(text, pos, endpos)
        if given.start <= given.end:
            yield from self._all(anchor, given, self._find(anchor, given.encoded, given.first, given.last))

    def _all(self, anchor: object, given: _Given, spans: Sequence[Span]) -> Iterator[Match]:
        """Yield the match at `spans`, the first of a text, and those behind it."""
        start, encoded, last = given.first, given.encoded, given.last
        while spans[0] != _NOWHERE:
            yield given.match(self, spans)
            end = spans[0][1]
            if start == last:
                return
            # After a match of no width at `start`, the next one is looked for a character further on.
            start = start + given.width_at(start) if start == end else end
            spans = self._find(anchor, encoded, start, last)


class _Given:
    """A text that is matched: its bytes, the part of them that is looked at, and characters of offsets."""

    __slots__ = ("_at", "_converts", "_passed", "encoded", "end", "first", "last", "start", "text")

    def __init__(self, text: Any, pos: int | None = None, endpos: int | None = None) -> None:
        length = len(text)
        self.text = text
        self.start = self.first = 0 if pos is None else max(0, min(pos, length))
        self.end = self.last = length if endpos is None else max(0, min(endpos, length))
        self._converts = isinstance(text, str) and not text.isascii()
        self.encoded: bytes = text.encode() if isinstance(text, str) else text
        # How far offsets are converted: `_at` bytes are `_passed` characters.
        self._at = self._passed = 0
        if self._converts and self.start <= self.end:
            self.first = re2._re2.CharLenToBytes(self.encoded, 0, self.start) if self.start else 0
            self.last = (
                len(self.encoded)
                if self.end == length
                else self.first + re2._re2.CharLenToBytes(self.encoded, self.first, self.end - self.start)
            )

    def match(self, expression: LinearExpression, spans: Sequence[Span]) -> Match:
        """Return the match at `spans`, which are given in bytes."""
        if self._converts:
            spans = self._in_characters(spans)
        return Match(expression, self.text, self.start, self.end, spans)

    def width_at(self, offset: int) -> int:
        """Return the bytes of the character at a byte offset."""
        return int(re2._re2.CharLenToBytes(self.encoded, offset, 1)) if self._converts else 1

    def _in_characters(self, spans: Sequence[Span]) -> list[Span]:
        at, passed = self._at, self._passed
        if len(spans) == 1:
            # Most expressions have no groups.
            [(first, last)] = spans
            start = passed + re2._re2.BytesToCharLen(self.encoded, at, first)
            end = start + re2._re2.BytesToCharLen(self.encoded, first, last)
            self._at, self._passed = last, end
            return [(start, end)]
        characters = {-1: -1}
        # One pass over the text for all matches: each begins where the one before it ended, or later.
        for offset in sorted({offset for span in spans for offset in span if offset >= 0}):
            passed += re2._re2.BytesToCharLen(self.encoded, at, offset)
            characters[offset] = passed
            at = offset
        self._at, self._passed = spans[0][1], characters[spans[0][1]]
        return [(characters[start], characters[end]) for start, end in spans]


def compile(source: str | bytes, options: re2.Options | None = None) -> re2._Regexp:
    """Compile `source`, over `str` or `bytes` as it is itself.

    Raises:
        re2.error: when it is no expression.
    """
    return LinearExpression(source, options or re2.Options())
