"""Find names of persons and addresses by a document's own structure. Partial by nature, and said to be."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

import re2

from app.platform.data_files import Entry, Filled, Texts, read_file
from app.redaction.view import View, view_of
from app.text import linear

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
    """Find names and addresses in a text.

    Yields `(start, end, type)`: offsets of `text`, half open; type `PERSON` or `ADDRESS`. Spans may overlap.
    """

    def spans(self, text: str) -> Iterable[tuple[int, int, str]]:
        """Return `(start, end, type)` of each name and address."""
        ...


class _Words(Entry):
    """Words around names and addresses; the head of the file explains each list."""

    honorifics: Texts
    initials: Texts
    roles: Texts
    followers: Texts
    titles: Texts
    particles: Texts
    not_names: Texts
    companies: Filled
    streets: Texts
    english_streets: Texts
    units: Texts
    seated: Texts
    kin: Texts
    named_after: Texts
    common: Texts
    places: Texts
    short_titles: Texts
    abbreviations: Texts


@cache
def _words() -> _Words:
    return read_file(Path(__file__).parents[1] / "formats" / "names.toml", _Words)


def any_of(column: str) -> str:
    """Return the patterns of a column of `names.toml` as alternatives, longest first."""
    return "|".join(sorted(getattr(_words(), column), key=lambda word: (-len(word), word)))


_WORD = r"(?:[A-Z]['][A-Z][a-z]+|[A-Z][a-z']+(?:[A-Z][a-z]+)?|[A-Z]{2,}|[A-Z]\.)(?:-[A-Z][A-Za-z']+)*"


@cache
def _name(fewest: int) -> str:
    return rf"{_WORD}(?:[ ](?:(?:{any_of('particles')})[ ]){{0,2}}{_WORD}){{{fewest - 1},6}}"


@cache
def _titled(fewest: int) -> str:
    return rf"(?:(?:{any_of('titles')})\s?){{0,2}}{_name(fewest)}"


@cache
def _person_patterns() -> tuple[re2._Regexp, ...]:
    honorific = (
        rf"(?:^|[^A-Za-z.])(?:(?i:{any_of('honorifics')})\s+)+(?:{any_of('initials')}\s?)?({_titled(1)})"
    )
    # "Sr. de la Fuente": of these forms of address no office follows.
    joined = "(?:de|del|de la|de los|de las)"
    of = rf"(?:^|[^A-Za-z.])(?i:senora?|senorita|sra?\.?|srta\.?)\s+({joined}\s{_name(1)})"
    initial = rf"(?:^|[^A-Za-z.])(?:(?:{any_of('initials')})\s?|M\.\s)({_name(2)})"
    doctor = rf"(?:^|[^A-Za-z.])((?:{any_of('titles')})\s{_name(2)})"
    role = rf"\b(?i:{any_of('roles')})[,:]?\s+(?:(?i:{any_of('honorifics')})\s+)?({_titled(2)})"
    # Beside a company, and beside another person, a name needs nothing else.
    firm = r"(?:\bLtd|\bplc|\bPLC|\bLLC|\bInc\.|\bGmbH|S\.L\.(?:U\.)?|S\.A\.)"
    beside = rf"{firm}\s(?:and|y|e|und|et)\s({_titled(2)})"
    follower = rf"\b({_titled(2)})\s?[,(:]?\s?[(]?(?i:{any_of('followers')})(?:[^A-Za-z]|$)"
    return tuple(
        linear.compile(pattern.encode())
        for pattern in (honorific, of, initial, doctor, role, follower, beside)
    )


@cache
def _address_patterns() -> tuple[re2._Regexp, ...]:
    storey = r"[0-9]{1,2}\.{1,2}(?:\s?[A-Z]\b|a\b|o\b)?"
    unit = rf"(?:,?\s(?:(?i:{any_of('units')})\s?[A-Z0-9]{{0,4}}\b|{storey}))"
    side = r"(?:,?\s(?i:izq|izda|izquierda|dcha|dcho|derecha|centro|int|ext)\b\.?)?"
    sign = r"(?i:n\.{0,3}|n\.?o\.?|num\.?|numero|no\.?|nro\.?|#)\s?"
    floor = r"(?:\.\.(?:\s?[A-Z]\b)?)?"
    number = rf"(?:,?[ ](?:{sign})?[0-9]{{1,4}}[A-Za-z]?\b(?:\s?-\s?[0-9]{{1,4}}\b)?{floor}|,?\ss/n)"
    quarter = r"(?:,?\s(?:Col\.|Colonia|Fracc\.|Barrio|Urb\.)\s[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+){0,3})?"
    code = r"(?:[A-Z]-?)?[0-9]{4,6}(?:-[0-9]{3,4})?(?:[A-Z]{3})?"
    joined = r"(?:[ -](?:de|del|de la|la|las|los|el|of|upon|am|sur|der)){0,2}"
    place = (
        rf"{quarter}(?:,?\s(?:-\s)?(?:(?i:c\.?\s?p\.?:?|cap)\s)?{code}\b"
        rf"(?:,?\s[A-Z][a-z'-]+(?:{joined}[ -][A-Z][a-z]+){{0,3}})?)?"
    )
    unit = rf"(?:{unit}{side})"
    word = r"[A-Z0-9][A-Za-z0-9'.-]*"
    words = rf"(?:(?:{word}|de|del|la|las|los|el|da|do|dos|das|di|des|du|y|i|e)[ ]){{0,8}}"
    # A number alone is a street's name only where a sign stands before the house's.
    signed = rf"{word},?[ ](?:{sign})[0-9]{{1,4}}[A-Za-z]?\b(?:\s?-\s?[0-9]{{1,4}}\b)?"
    house = rf"(?:[A-Z][A-Za-z0-9'.-]*{number}|{signed})"
    street = rf"(?:^|[^A-Za-z])((?i:{any_of('streets')})(?:\s|\b){words}{house}{unit}{{0,4}}{place})"
    town = (
        r"(?:,\s[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?)?"
        r"(?:,?\s(?:[A-Z]{1,2}[0-9][A-Z0-9]?\s[0-9][A-Z]{2}|[A-Z]{2}\s[0-9]{5}(?:-[0-9]{4})?))?"
    )
    flat = r"(?:(?i:flat|apt\.?|apartment|unit|suite|room)\s[A-Z0-9]{1,4},\s)?"
    english = (
        rf"\b({flat}[0-9]{{1,5}}[A-Za-z]?,?\s(?:[A-Z][A-Za-z'.-]*\s){{1,4}}(?i:{any_of('english_streets')})\b"
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
    seated = rf"\b(?i:{any_of('seated')})\s+({named}{number}?{unit}{{0,4}}{place})"
    return tuple(linear.compile(pattern.encode()) for pattern in (street, english, numbered, german, seated))


@cache
def company() -> re.Pattern[str]:
    """Return what follows the name of a company."""
    return re.compile(_words().companies)


@cache
def word_set(column: str) -> frozenset[str]:
    """Return the words of a column of `names.toml`."""
    if column == "particles":
        return frozenset(part for words in _words().particles for part in words.split())
    return frozenset(getattr(_words(), column))


@cache
def given_names() -> frozenset[str]:
    """Return given names without accents, in lower case."""
    lines = (Path(__file__).parents[1] / "formats" / "given_names.txt").read_text("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


def plain_word(word: str) -> str:
    """Return a word in lower case, without full stop and apostrophe."""
    return word.strip(".'").lower()


def _trimmed(view: View, start: int, end: int) -> tuple[int, int] | None:
    """Return the name without words that are none; None where nothing is left or it belongs to a company."""
    words = [(match.start(), match.end()) for match in re.finditer(r"[^ \n]+", view.text[start:end])]
    while words and plain_word(view.text[start + words[0][0] : start + words[0][1]]) in word_set("not_names"):
        words.pop(0)
    for index, (left, right) in enumerate(words):
        word = view.text[start + left : start + right]
        if word[0].isupper() and plain_word(word) in word_set("not_names"):
            if index and word in ("El", "Al") and index + 1 < len(words):
                continue  # "Mohamed El Amrani"
            if index and company().match(view.text, start + words[index - 1][1]):
                return None
            words = words[:index]
            break
    particles = _words().particles
    while words and view.text[start + words[-1][0] : start + words[-1][1]] in particles:
        words.pop()
    if not words:
        return None
    left, right = start + words[0][0], start + words[-1][1]
    if company().match(view.text, end) or right - left < 3:
        return None
    return left, right


_GIVEN = re.compile(r"(?<![A-Za-z0-9.'])([A-Z][a-z]+|[A-Z]{3,})(?:-[A-Z][A-Za-z]+)?(?![A-Za-z0-9'])")
_REGNAL = re.compile(r"[IVX]+\.?")
_NUMBERED = re.compile(r"[ ][IVX]+(?![A-Za-z])")
_ANOTHER = re.compile(r"[ ](?:y|e|i|und|et|and)[ ]([A-Z][A-Za-z]+)")
_BEFORE_GIVEN = re.compile(r"([A-Za-z.'&]+)[ ](?:de[ ])?(?:D\.[ ]|don[ ]|Don[ ])?\Z")
_SURNAMES_FIRST = re.compile(
    r"(?<![A-Za-z0-9])([A-Z]{3,}(?:[ -][A-Z]{2,}){0,3}),[ ]([A-Z]{3,}(?:[ ][A-Z]{2,}){0,2})(?![A-Za-z])"
)


@cache
def _after_given() -> re.Pattern[str]:
    return re.compile(rf"(?:[ -](?:(?:{any_of('particles')})[ ]){{0,2}}{_WORD}){{1,5}}")


def _by_given_names(view: View) -> Iterator[tuple[int, int]]:
    """Yield names that begin with a known given name, and surnames in capitals before one."""
    known, done = given_names(), 0
    for match in _GIVEN.finditer(view.text):
        if match.start() < done or match[1].lower() not in known:
            continue
        rest = _after_given().match(view.text, match.end())
        if rest is None:
            continue
        before = _BEFORE_GIVEN.search(view.text, max(0, match.start() - 40), match.start())
        if before is not None and plain_word(before[1]) in word_set("named_after"):
            continue
        end = rest.end()
        end = next(_each(view, match.start(), end))[1]
        if _NUMBERED.match(view.text, end):
            continue
        words = view.text[match.start() : end].lower()
        last = view.text[match.start() : end].split()[-1]
        if _REGNAL.fullmatch(last) or words.startswith(tuple(word_set("places"))):
            continue
        done = end
        if _JUDGE.search(view.text, max(0, match.start() - 24), match.start()):
            continue
        yield match.start(), end
    for match in _SURNAMES_FIRST.finditer(view.text):
        if match[2].split()[0].lower() in known and match[1].split()[0].lower() not in word_set("not_names"):
            yield match.span()


_JUDGE = re.compile(r"(?:M\.\s?P\.|C\.\s?P\.|[Pp]onente:?|[Pp]onencia de|\bper)\s+\Z")


def _relatives(view: View) -> Iterator[tuple[int, int]]:
    """Yield the given name of somebody's child, wife and so on, which may stand alone."""
    for match in _kin().finditer(view.data):
        start, end = match.span(1)
        if plain_word(view.text[start:end]) in given_names():
            yield start, end


@cache
def _kin() -> re2._Regexp:
    return linear.compile(rf"\b(?i:{any_of('kin')}),?\s([A-Z][a-z]+)\b".encode())


def _persons(view: View) -> Iterator[tuple[int, int]]:
    yield from _relatives(view)
    for start, end in _by_given_names(view):
        trimmed = _trimmed(view, start, end)
        if trimmed is not None and " " in view.text[slice(*trimmed)]:
            yield trimmed
    for index, pattern in enumerate(_person_patterns()):
        for match in pattern.finditer(view.data):
            start, end = match.span(1)
            trimmed = _trimmed(view, start, end)
            # A single word is a surname only after "Sr." and its like.
            if trimmed is not None and (index < 2 or " " in view.text[slice(*trimmed)]):
                yield trimmed


def _each(view: View, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the name, or the two of "Ana Gil y Luis Paz"; "Ramón y Cajal" is one."""
    for other in _ANOTHER.finditer(view.text, start, end):
        if other[1].lower() in given_names():
            yield start, other.start()
            yield from _each(view, other.start(1), end)
            return
    yield start, end


_GOES_ON = re.compile(r"(?:,|,?[ ](?:y|e|i|and|und|et))[ ][A-Z]")
_LISTED = re.compile(
    rf"(?:,?[ ](?:y|e|i|and|und|et)[ ]|,[ ])"
    rf"({_WORD}(?:[ ](?:(?:de|del|de la|da|dos|van|von)[ ])?{_WORD}){{1,3}})"
)
_MOST_LISTED = 20


def _beside(view: View, persons: Collection[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield names of two words or more that go on a list of persons.

    For instance "Ana Gil, Xulio Pumares y Brais Noriega".
    """
    starts = {start for start, _ in persons}
    for _, person in persons:
        for _ in range(_MOST_LISTED):
            match = _LISTED.match(view.text, person)
            if match is None or match.start(1) in starts:
                break
            first = plain_word(match[1].split()[0])
            trimmed = _trimmed(view, *match.span(1))
            if (
                trimmed is None
                or trimmed[0] != match.start(1)
                or " " not in view.text[slice(*trimmed)]
                or first in word_set("named_after")
                or first in word_set("common")
                or not (match[0][0] == " " or first in given_names() or _GOES_ON.match(view.text, trimmed[1]))
            ):
                break
            yield trimmed
            person = trimmed[1]


class StructuralNames:
    """The embedded recogniser: no model, no dictionary of names, only the sentence around them."""

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield names after forms of address and roles or before particulars, and addresses.

        Addresses are known by street and number.
        """
        view = view_of(text)
        persons = {one for found in _persons(view) for one in _each(view, *found)}
        for start, end in persons | set(_beside(view, persons)):
            yield (*view.original(start, end), "PERSON")
        for pattern in _address_patterns():
            for match in pattern.finditer(view.data):
                start, end = match.span(1)
                if plain_word(view.text[start:end]) not in word_set("not_names"):
                    yield (*view.original(start, end), "ADDRESS")
