"""Tell which words an expression needs: a text in which they do not stand holds no match of it.

What is told is a list of sets of words: of each set, one word at least stands in every match. White space of
any kind and length counts as one blank, so that a word may be a phrase. An expression of which nothing is
told may match anything. It is told too whether a match may hold a full stop: one that holds none has all of
its words in one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

Words = frozenset[bytes]

_MOST_SPELLINGS = 8
"""Spellings of one place that are told apart ("arrendador(a|es|as)?")."""
_FEWEST_LETTERS = 3
"""Of a word that is worth looking for: shorter ones stand in every text."""
_MOST_WORDS = 64
"""Words of one set: where any of so many will do, one of them mostly stands there."""
_BLANK = rb"\s+"
_PLAIN = re.compile(rb"[a-z0-9_](?:[a-z0-9_,]|\\s\+(?=[a-z0-9_]))*")
_REPEATERS = (b"*", b"+", b"?", b"{")
_ZERO_WIDTH = frozenset(b"bBAz")
_CLASSES = frozenset(b"dDwWS")
_STOP = ord(".")
_STOPS = frozenset(b"DWS")
"""Of the classes, those that a full stop is of."""
_SPACE = b" \t\n\f\r"
_EMPTY: Words = frozenset((b"",))


class _UnknownError(Exception):
    """Something in an expression that is not read here."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What is known of a part of an expression.

    Attributes:
        spellings: all that it matches, where that is few; None where it is not.
        needs: sets of words of which each has one in every match.
    """

    spellings: Words | None
    needs: tuple[Words, ...] = ()

    def all_needs(self) -> tuple[Words, ...]:
        """Return the sets, that of its spellings with them."""
        if self.spellings is None or min(map(len, self.spellings)) < _FEWEST_LETTERS:
            return self.needs
        return (*self.needs, self.spellings)


_ANYTHING = _Part(None)
_NOTHING = _Part(_EMPTY)


@dataclass(frozen=True, slots=True)
class Needs:
    """What every match of an expression has.

    Attributes:
        sets: sets of words of which each has one in every match; none where nothing is told.
        within_sentence: that no match holds a full stop, and that what stands before and behind a sentence
            decides nothing: the expression may be looked for sentence by sentence.
    """

    sets: tuple[Words, ...] = ()
    within_sentence: bool = False


def read_needs(expression: bytes) -> Needs:
    """Return what every match of an expression has.

    Args:
        expression: as RE2 reads it, over text in lower case.
    """
    reader = _Reader(expression)
    try:
        return Needs(tuple(dict.fromkeys(reader.read().all_needs())), not reader.crosses)
    except (_UnknownError, ValueError, IndexError):
        return Needs()


def required_words(expression: bytes) -> tuple[Words, ...]:
    """Return sets of words of which each has one in every match of an expression; none if it tells none."""
    return read_needs(expression).sets


class _Reader:
    """Read an expression from left to right.

    Raises `_UnknownError`, `ValueError` or `IndexError` where it is not understood.

    Attributes:
        crosses: that a match may hold a full stop, or depends on where the text begins or ends.
    """

    def __init__(self, expression: bytes) -> None:
        self._expression = expression
        self._at = 0
        self.crosses = False

    def read(self) -> _Part:
        """Return what is known of the whole expression."""
        part = self._alternatives()
        if self._at != len(self._expression):
            raise _UnknownError
        return part

    def _next(self) -> int:
        """Return the byte at hand, 0 at the end."""
        return self._expression[self._at] if self._at < len(self._expression) else 0

    def _alternatives(self) -> _Part:
        parts = [self._sequence()]
        while self._next() == ord("|"):
            self._at += 1
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else _one_of(parts)

    def _sequence(self) -> _Part:
        parts = []
        while self._next() not in (0, ord("|"), ord(")")):
            words = self._plain_words()
            parts.append(_Part(frozenset((words,))) if words else self._repeated(self._item()))
        return _in_turn(parts)

    def _plain_words(self) -> bytes:
        """Return the letters and blanks at hand as far as nothing repeats them: most of an expression."""
        found = _PLAIN.match(self._expression, self._at)
        if found is None:
            return b""
        words = found[0]
        if self._expression[found.end() : found.end() + 1] in _REPEATERS:
            words = words[: -len(_BLANK) if words.endswith(_BLANK) else -1]
        self._at += len(words)
        return words.replace(_BLANK, b" ")

    def _item(self) -> _Part:
        sign = self._next()
        self._at += 1
        match chr(sign):
            case "(":
                return self._group()
            case "[":
                return _Part(self._class())
            case "\\":
                return self._escaped()
            case ".":
                self.crosses = True
                return _ANYTHING
            case "^" | "$":
                self.crosses = True
                return _NOTHING
            case "*" | "+" | "?" | "{":
                raise _UnknownError
        return _Part(frozenset((_letter(sign),)))

    def _group(self) -> _Part:
        if self._next() == ord("?"):
            # Groups with names or flags are not read: rules have none.
            if self._expression[self._at : self._at + 2] != b"?:":
                raise _UnknownError
            self._at += 2
        part = self._alternatives()
        if self._next() != ord(")"):
            raise _UnknownError
        self._at += 1
        return part

    def _escaped(self) -> _Part:
        sign = self._expression[self._at]
        self._at += 1
        if sign in _ZERO_WIDTH:
            self.crosses |= sign != ord("b")
            return _NOTHING
        if sign in _CLASSES:
            self.crosses |= sign in _STOPS
            return _ANYTHING
        if sign in b"sntfr":
            return _Part(frozenset((b" ",)))
        if chr(sign).isalnum():
            raise _UnknownError
        self.crosses |= sign == _STOP
        return _Part(frozenset((_letter(sign),)))

    def _class(self) -> Words | None:
        """Return the signs of a class if they are few, else None."""
        expression, signs, few, stop = self._expression, set[bytes](), True, False
        denied = expression[self._at] == ord("^")
        if denied:
            few = False
            self._at += 1
        first = self._at
        while expression[self._at] != ord("]") or self._at == first:
            sign = expression[self._at]
            if sign == ord("["):
                if expression[self._at + 1] == ord(":"):
                    raise _UnknownError
            elif sign == ord("\\"):
                self._at += 1
                sign = expression[self._at]
                if chr(sign).isalnum():
                    few = few and sign in b"sntfr"
                    stop |= sign in _STOPS
                    sign = ord(" ")
            elif expression[self._at + 1] == ord("-") and expression[self._at + 2] != ord("]"):
                few = False
                self._at += 2
                stop |= sign <= _STOP <= expression[self._at]
            stop |= sign == _STOP
            signs.add(_letter(sign))
            self._at += 1
        self._at += 1
        self.crosses |= stop != denied
        return frozenset(signs) if few and len(signs) <= _MOST_SPELLINGS else None

    def _repeated(self, part: _Part) -> _Part:
        """Return what is known of a part that what follows it repeats."""
        least, most = 1, 1
        match chr(self._next()):
            case "*":
                least, most = 0, 2
            case "+":
                most = 2
            case "?":
                least = 0
            case "{":
                end = self._expression.index(b"}", self._at)
                low, comma, high = self._expression[self._at + 1 : end].partition(b",")
                if not low.isdigit() or not (high.isdigit() or not high):
                    raise _UnknownError
                least = int(low)
                most = int(high) if high else 2 if comma else least
                self._at = end
            case _:
                return part
        self._at += 1
        if self._next() == ord("?"):
            self._at += 1
        if chr(self._next()) in "*+?{" and self._next():
            raise _UnknownError
        blank = part.spellings == frozenset((b" ",))
        if most == 1 or (blank and most):
            # Any number of blanks is one.
            if least:
                return part
            return _ANYTHING if part.spellings is None else _Part(part.spellings | _EMPTY)
        return _Part(None, part.all_needs()) if least else _ANYTHING


def _letter(sign: int) -> bytes:
    if sign >= 0x80:
        raise _UnknownError
    return b" " if sign in _SPACE else bytes((sign,))


def _one_of(parts: Sequence[_Part]) -> _Part:
    """Return what is known of alternatives."""
    spellings = _union(part.spellings for part in parts)
    if spellings is not None and len(spellings) <= _MOST_SPELLINGS:
        return _Part(spellings)
    needed = _union(_best(part.all_needs()) for part in parts)
    return _Part(None, (needed,) if needed is not None and len(needed) <= _MOST_WORDS else ())


def _union(sets: Iterable[Words | None]) -> Words | None:
    """Return all words of sets; None where one of them is None."""
    found: set[bytes] = set()
    for one in sets:
        if one is None:
            return None
        found |= one
    return frozenset(found)


def _best(needs: Sequence[Words]) -> Words | None:
    """Return the set that fewest texts have a word of, as far as length and number tell."""
    return max(needs, key=lambda words: min(map(len, words)) - len(words) / 8, default=None)


def _in_turn(parts: Sequence[_Part]) -> _Part:
    """Return what is known of parts that follow each other."""
    needs: list[Words] = []
    run, whole = _EMPTY, True
    for part in parts:
        together = None
        if part.spellings is not None and len(run) * len(part.spellings) <= _MOST_SPELLINGS:
            together = frozenset([_joined(*pair) for pair in product(run, part.spellings)])
        if together is None:
            needs += _Part(run).all_needs()
            whole = False
            # What has too many spellings to be joined with what was before may be joined with what follows.
            together = part.spellings if part.spellings is not None else _EMPTY
        needs += part.needs
        run = together
    if whole:
        return _Part(run, tuple(needs))
    return _Part(None, (*needs, *_Part(run).all_needs()))


def _joined(before: bytes, after: bytes) -> bytes:
    """Return one after the other, where two blanks are one."""
    return before + (after[1:] if before.endswith(b" ") and after.startswith(b" ") else after)
