"""Issue placeholders, one per value, and find them again in any text.

A placeholder is `[TYPE_n]`, or `[TYPE_nb]`, `[TYPE_nc]` … for further spellings of the same value. Two
placeholders, or a placeholder and a passage of the document, never share a key; the key is what remains of
the bracketed words without case, blanks and signs, so a model may change those and the value still returns.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

_LONGEST = 60
# One pass: at most `_LONGEST` characters are read after each bracket.
_BRACKETED = re.compile(rf"\[([^\[\]]{{1,{_LONGEST}}})\]")
_SIGNS = re.compile(r"[\W_]+")
_AROUND = 400
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Unless: TypeAlias = Callable[[str, str], bool]


def _key(words: str) -> str:
    return _SIGNS.sub("", words).casefold()


def _stem(kind: str, number: int) -> str:
    """Return the key of `[KIND_number]`."""
    return f"{kind.replace('_', '').lower()}{number}"


def _suffix(index: int) -> str:
    """Return the suffix of a number: none for 0, then b, c, … z, ba, bb and so on."""
    suffix = ""
    while index:
        index, digit = divmod(index, 26)
        suffix = _LETTERS[digit] + suffix
    return suffix


class Issuer:
    """Issuer of placeholders for a document and what is told beside it; it remembers what they stand for.

    Invariant: of the text made by replacing each value with its placeholder, `restored` makes the document.
    """

    __slots__ = ("_by_value", "_numbers", "_reserved", "_spellings", "values")

    def __init__(self) -> None:
        self._reserved: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._by_value: dict[tuple[str, str, str], str] = {}
        self._spellings: dict[tuple[str, str], tuple[int, int]] = {}
        self.values: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Issuer({len(self.values)} placeholders)"

    def reserve(self, document: str) -> None:
        """Issue nothing from now on that already looks like a placeholder in `document`."""
        self._reserved.update(_key(match[1]) for match in _BRACKETED.finditer(document))

    def issue(self, kind: str, key: str, spelling: str) -> str:
        """Return the placeholder of a value: `key` is its normal form, `spelling` how it is written here."""
        exact = (kind, key, spelling)
        if exact in self._by_value:
            return self._by_value[exact]
        number, spellings = self._spellings.get((kind, key)) or (self._next_number(kind), 0)
        stem = _stem(kind, number)
        while (name := stem + _suffix(spellings)) in self._reserved:
            spellings += 1
        placeholder = f"[{kind}_{number}{_suffix(spellings)}]"
        self._spellings[kind, key] = (number, spellings + 1)
        self._by_value[exact] = placeholder
        self.values[name] = spelling
        return placeholder

    def _next_number(self, kind: str) -> int:
        number = self._numbers.get(kind, 0) + 1
        while _stem(kind, number) in self._reserved:
            number += 1
        self._numbers[kind] = number
        return number


def _pieces(text: str, values: Mapping[str, str], unless: Unless | None) -> Iterator[str]:
    done = 0
    for match in _BRACKETED.finditer(text):
        value = values.get(_key(match[1]))
        if value is None:
            continue
        # Only as much is looked at on either side as a word has.
        if unless is not None and unless(
            text[max(0, match.start() - _AROUND) : match.start()], text[match.end() : match.end() + _AROUND]
        ):
            continue
        start = match.start()
        # Markdown escapes brackets in pairs; a lone backslash before one belongs to the document.
        if start > done and text[start - 1] == "\\" and match[1].endswith("\\"):
            start -= 1
        yield text[done:start]
        yield value
        done = match.end()
    yield text[done:]


def restored(text: str, values: Mapping[str, str], unless: Unless | None = None) -> str:
    """Return `text` with every known placeholder replaced by its value; unknown ones stay as they are.

    So do those of which `unless(before, after)` says so, given the text on either side of them.
    """
    return "".join(_pieces(text, values, unless)) if "[" in text else text
