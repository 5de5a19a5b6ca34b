"""Names of persons and addresses, read off a document's own structure. Partial by nature, and said to be."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import re2

from app.redaction.view import View, view_of

_MOST_NAMES = 400
"""With more names than these, further occurrences are masked only where the structure shows them again."""

NAMES_ARE_PARTIAL = {
    "es": (
        "El enmascaramiento de nombres y domicilios es parcial: se apoya en la estructura del documento "
        "(tratamientos, comparecencias, «con domicilio en») y puede dejar nombres sin enmascarar."
    ),
    "en": (
        "Masking of names and addresses is partial: it relies on the structure of the document (forms of "
        "address, recitals of the parties, “residing at”) and may leave names unmasked."
    ),
}


class NameRecogniser(Protocol):
    """Finds names and addresses in a text.

    Yields `(start, end, type)`: offsets of `text`, half open; type `PERSON` or `ADDRESS`. Spans may overlap.
    """

    def spans(self, text: str) -> Iterable[tuple[int, int, str]]: ...


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parents[1] / "formats" / "names.toml").read_text("utf-8"))


def _any_of(column: str) -> str:
    return "|".join(sorted(_words()[column], key=lambda word: (-len(word), word)))


_WORD = r"(?:[A-Z]['][A-Z][a-z]+|[A-Z][a-z']+(?:[A-Z][a-z]+)?|[A-Z]{2,}|[A-Z]\.)(?:-[A-Z][A-Za-z']+)*"


@cache
def _name(fewest: int) -> str:
    return rf"{_WORD}(?:[ ](?:(?:{_any_of('particles')})[ ]){{0,2}}{_WORD}){{{fewest - 1},6}}"


@cache
def _titled(fewest: int) -> str:
    return rf"(?:(?:{_any_of('titles')})\s?){{0,2}}{_name(fewest)}"


@cache
def _person_patterns() -> tuple[re2._Regexp, ...]:
    honorific = (
        rf"(?:^|[^A-Za-z.])(?:(?i:{_any_of('honorifics')})\s+)+(?:{_any_of('initials')}\s?)?({_titled(1)})"
    )
    initial = rf"(?:^|[^A-Za-z.])(?:(?:{_any_of('initials')})\s?|M\.\s)({_name(2)})"
    doctor = rf"(?:^|[^A-Za-z.])((?:{_any_of('titles')})\s{_name(2)})"
    role = rf"\b(?i:{_any_of('roles')})[,:]?\s+(?:(?i:{_any_of('honorifics')})\s+)?({_titled(2)})"
    follower = rf"\b({_titled(2)})\s?[,(:]?\s?[(]?(?i:{_any_of('followers')})(?:[^A-Za-z]|$)"
    return tuple(re2.compile(pattern.encode()) for pattern in (honorific, initial, doctor, role, follower))


@cache
def _address_patterns() -> tuple[re2._Regexp, ...]:
    unit = rf"(?:,?\s(?:(?i:{_any_of('units')})\s?[A-Z0-9]{{0,4}}\b|[0-9]{{1,2}}\.{{1,2}}\s?[A-Z]?\b))"
    sign = r"(?i:n\.{0,3}|num\.?|numero|no\.?|nro\.?|#)\s?"
    number = rf"(?:,?[ ](?:{sign})?[0-9]{{1,5}}[A-Za-z]?\b(?:\s?-\s?[0-9]{{1,4}}\b)?|,?\ss/n)"
    place = r"(?:,?\s(?:C\.?P\.?\s?)?[0-9]{4,5}(?:\s[A-Z][a-z]+){0,3})?"
    word = r"[A-Z0-9][A-Za-z0-9'.-]*"
    words = rf"(?:(?:{word}|de|del|la|las|los|el|da|do|dos|das|di|des|du|y|i|e)[ ]){{0,8}}"
    street = rf"(?:^|[^A-Za-z])((?i:{_any_of('streets')})(?:\s|\b){words}{word}{number}{unit}{{0,4}}{place})"
    town = r"(?:,\s[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?)?(?:,?\s[A-Z]{1,2}[0-9][A-Z0-9]?\s[0-9][A-Z]{2})?"
    english = (
        rf"\b([0-9]{{1,5}}[A-Za-z]?,?\s(?:[A-Z][A-Za-z'.-]*\s){{1,4}}(?i:{_any_of('english_streets')})\b"
        rf"{unit}{{0,2}}{town})"
    )
    french = r"(?i:rue|avenue|boulevard|place|chemin|quai|impasse|allee)"
    numbered = rf"\b([0-9]{{1,4}}(?:\s(?:bis|ter))?,?\s{french}\s{words}{word}{place})"
    german = (
        r"\b([A-Z][A-Za-z-]*(?:stras+e|str\.|weg|platz|allee|gasse|damm|ufer)\s[0-9]{1,4}[a-z]?\b"
        r"(?:,?\s[0-9]{5}\s[A-Z][a-z]+)?)"
    )
    # After "con domicilio en" a place is an address even without a number.
    named = r"[A-Z][A-Za-z0-9'/.-]*(?:\s(?:[A-Z0-9][A-Za-z0-9'/-]*|de|del|la|las|los|el))*"
    seated = rf"\b(?i:{_any_of('seated')})\s+({named}{number}?{unit}{{0,4}}{place})"
    return tuple(re2.compile(pattern.encode()) for pattern in (street, english, numbered, german, seated))


@cache
def _company() -> re.Pattern[str]:
    return re.compile(_words()["companies"])


@cache
def _not_names() -> frozenset[str]:
    return frozenset(_words()["not_names"])


def _plain(word: str) -> str:
    return word.strip(".'").lower()


def _trimmed(view: View, start: int, end: int) -> tuple[int, int] | None:
    """The name without words that are none; None where nothing is left or it belongs to a company."""
    words = [(match.start(), match.end()) for match in re.finditer(r"[^ \n]+", view.text[start:end])]
    while words and _plain(view.text[start + words[0][0] : start + words[0][1]]) in _not_names():
        words.pop(0)
    for index, (left, right) in enumerate(words):
        word = view.text[start + left : start + right]
        if word[0].isupper() and _plain(word) in _not_names():
            words = words[:index]
            break
    particles = _words()["particles"]
    while words and view.text[start + words[-1][0] : start + words[-1][1]] in particles:
        words.pop()
    if not words:
        return None
    left, right = start + words[0][0], start + words[-1][1]
    if _company().match(view.text, end) or right - left < 3:
        return None
    return left, right


def _persons(view: View) -> Iterator[tuple[int, int]]:
    for index, pattern in enumerate(_person_patterns()):
        for match in pattern.finditer(view.data):
            start, end = match.span(1)
            trimmed = _trimmed(view, start, end)
            # A single word is a surname only after "Sr." and its like.
            if trimmed is not None and (index == 0 or " " in view.text[slice(*trimmed)]):
                yield trimmed


def _again(view: View, persons: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Further occurrences of the full names found, whatever their case."""
    names = {view.text[start:end].casefold() for start, end in persons}
    known = sorted((name for name in names if " " in name), key=len, reverse=True)
    if not known or len(known) > _MOST_NAMES:
        return
    alternatives = "|".join(re2.escape(name).replace(r"\ ", r"\s") for name in known)
    for match in re2.compile(rf"(?i)\b(?:{alternatives})\b".encode()).finditer(view.data):
        if view.text[match.start()].isupper():
            yield match.span()


class StructuralNames:
    """The embedded recogniser: no model, no dictionary of names, only the sentence around them."""

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Names after forms of address and roles or before particulars; addresses by street and number."""
        view = view_of(text)
        persons = set(_persons(view))
        for start, end in persons | set(_again(view, persons)):
            yield (*view.original(start, end), "PERSON")
        for pattern in _address_patterns():
            for match in pattern.finditer(view.data):
                start, end = match.span(1)
                if _plain(view.text[start:end]) not in _not_names():
                    yield (*view.original(start, end), "ADDRESS")
