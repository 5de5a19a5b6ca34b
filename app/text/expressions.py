"""Compile regular expressions that are matched in linear time, for text of one byte a character.

`re2` works on bytes. Its own interface to `str` encodes as UTF-8 and counts characters before each offset,
which cost more than most matches over the few words around a fact. What readers of facts match is ASCII and a
few signs that Windows-1252 has, so here a byte is a character, and offsets need no translation.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import cache

import re2

_UNANCHORED = re2._Anchor.UNANCHORED
_AT_START = re2._Anchor.ANCHOR_START
_WHOLE = re2._Anchor.ANCHOR_BOTH
_NOWHERE = (-1, -1)
_ENCODING, _EURO, _UNDEFINED = "cp1252", "\x80", b"\x81"


def _encode_others(error: UnicodeError) -> tuple[bytes, int]:
    """Encode what Latin-1 lacks as Windows-1252, or as a byte that stands for nothing where that lacks it."""
    assert isinstance(error, UnicodeEncodeError)
    others = error.object[error.start : error.end]
    return b"".join(one.encode(_ENCODING, "ignore") or _UNDEFINED for one in others), error.end


_OTHERS = "candado.others"
codecs.register_error(_OTHERS, _encode_others)


def _encoded(text: str) -> bytes:
    """Return `text` in Windows-1252: one byte for each character, whatever it is."""
    if text.isascii():
        return text.encode()
    # Python encodes Latin-1 ten times as fast; of what it lacks, documents hold the euro sign alone.
    return text.replace("€", _EURO).encode("latin-1", _OTHERS)


class Match(re2._Match):  # type: ignore[misc]  # re2 comes without types
    """A match of an expression of this module, which looks nothing up to tell where its groups are."""

    __slots__ = ()

    def start(self, group: int = 0) -> int:
        """Return where a group starts; -1 where it took no part."""
        start: int = self._spans[group][0]
        return start

    def end(self, group: int = 0) -> int:
        """Return where a group ends; -1 where it took no part."""
        end: int = self._spans[group][1]
        return end

    def span(self, group: int = 0) -> tuple[int, int]:
        """Return where a group is; (-1, -1) where it took no part."""
        span: tuple[int, int] = self._spans[group]
        return span

    def __getitem__(self, group: int | str | bytes) -> str | None:
        span = self._spans[group if isinstance(group, int) else self._regexp.groupindex[group]]
        return None if span == _NOWHERE else self._text[span[0] : span[1]]

    def group(self, *groups: int | str | bytes) -> str | tuple[str | None, ...] | None:
        """Return the words of a group, by default the whole match, or of several."""
        if len(groups) > 1:
            return tuple(self[one] for one in groups)
        return self[groups[0] if groups else 0]


class Expression(re2._Regexp):  # type: ignore[misc]  # re2 comes without types
    """An expression over `str` of one byte a character, that knows its groups.

    re2 makes their table anew whenever a match is asked for one.
    """

    __slots__ = ("_find", "_groupindex", "_groups")

    def __init__(self, source: str, options: re2.Options) -> None:
        options.encoding = re2.Options.Encoding.LATIN1
        super().__init__(source.encode(_ENCODING), options)
        self._find = self._regexp.Match
        self._groups: int = super().groups
        self._groupindex = {name.decode("ascii"): number for name, number in super().groupindex.items()}

    @property
    def groups(self) -> int:
        """Return how many groups there are."""
        return self._groups

    @property
    def groupindex(self) -> dict[str, int]:
        """Return the number of each named group."""
        return self._groupindex

    def search(self, text: str, pos: int | None = None, endpos: int | None = None) -> Match | None:
        """Return the first match in `text[pos:endpos]`, or None."""
        return self._first(_UNANCHORED, text, pos, endpos)

    def match(self, text: str, pos: int | None = None, endpos: int | None = None) -> Match | None:
        """Return the match at the beginning of `text[pos:endpos]`, or None."""
        return self._first(_AT_START, text, pos, endpos)

    def fullmatch(self, text: str, pos: int | None = None, endpos: int | None = None) -> Match | None:
        """Return the match of the whole of `text[pos:endpos]`, or None."""
        return self._first(_WHOLE, text, pos, endpos)

    def _first(self, anchor: object, text: str, pos: int | None, endpos: int | None) -> Match | None:
        """Return the first match, or None."""
        start, end = 0, len(text)
        if pos is not None or endpos is not None:
            start, end = _limits(text, pos, endpos)
            if start > end:
                return None
        spans = self._find(anchor, text.encode() if text.isascii() else _encoded(text), start, end)
        return None if spans[0] == _NOWHERE else Match(self, text, start, end, spans)

    def _match(
        self, anchor: object, text: str, pos: int | None = None, endpos: int | None = None
    ) -> Iterator[Match]:
        """Yield every match: what `finditer` and all that is built on it ask for."""
        start, end = _limits(text, pos, endpos)
        encoded, find = _encoded(text), self._find
        while start <= end:
            spans = find(anchor, encoded, start, end)
            if spans[0] == _NOWHERE:
                return
            yield Match(self, text, start, end, spans)
            # After a match of no width at `start`, the next one is looked for a character further on.
            start = max(spans[0][1], start + 1)


def _limits(text: str, pos: int | None, endpos: int | None) -> tuple[int, int]:
    """Return the part of `text` that is looked at, as `re` cuts it."""
    # Asked before most matches: written out, since `min` and `max` take as long as all of this.
    end = len(text)
    start = 0 if pos is None or pos <= 0 else min(pos, end)
    if endpos is not None and endpos < end:
        end = endpos if endpos > 0 else 0
    return start, end


@cache
def compiled(source: str) -> re2._Regexp:
    """Compile `source` as a linear-time expression with room for the larger vocabularies.

    Raises:
        re2.error: when it is no expression.
    """
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    return Expression(source, options)


def group_span(match: re2._Match, group: str) -> tuple[int, int]:
    """Return the offsets of a named group (re2 knows them by number only); (-1, -1) where it took no part."""
    start, end = match.span(match.re.groupindex[group])
    return start, end
