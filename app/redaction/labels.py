"""Find labels that announce a value, and where the value after them begins."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import re2

from app.redaction.formats import Format, key_of_label, label_words, tables
from app.redaction.view import View
from app.text import linear

# Short labels that are safe in lower case, and dotted with blanks; any other of up to three letters ("ti",
# "sin", "ce") must be capitals, and "C.I. N.º" must not read as "CIN".
_UNMISTAKABLE = frozenset(
    {
        "dni",
        "nif",
        "nie",
        "cif",
        "rut",
        "run",
        "ruc",
        "nit",
        "rfc",
        "cbu",
        "cpf",
        "ssn",
        "tel",
        "tlf",
        "cel",
        "fax",
        "nir",
        "cuit",
        "cuil",
        "curp",
        "iban",
        "cnpj",
        "cups",
    }
)
_JOINT = r"[\s.\-/]{1,3}"
# Between label and value: signs, "n.º", "number", "is", "sob o"; possessive, so one pass whatever the text.
_CONNECTOR = re.compile(
    r"(?:[\s:;#=\"'*\[({|>_-]|\)(?=[\s:;-])"
    r"|(?:numeros?|numbers?|numer|nummer|nums?|nros?|nrs?|nos?|ns?)(?![A-Za-z0-9])\.{0,3}"
    r"|(?:de|del|la|el|is|are|of|the|sob|o|con|with|est|lautet|vigente|siguiente|personal|actual|espanol|espanola)"
    r"(?![A-Za-z0-9])){0,12}+",
    re.IGNORECASE,
)


class Label(NamedTuple):
    """A label in the view; `value` is where its value would begin."""

    start: int
    end: int
    value: int
    key: str
    formats: tuple[tuple[Format, bool], ...]


def _pattern_of(words: str) -> str:
    """Return a pattern for a label; an acronym may be dotted, and dotted with blanks."""
    if words.isalpha() and len(words) <= 5:
        dotted = [words, "[.]".join(words)]
        if words in _UNMISTAKABLE:
            dotted += ["[.]?".join(words), "[.] ?".join(words)]
        return "|".join(dotted)
    return _JOINT.join(re.escape(part) for part in words.split())


@cache
def _scanner() -> re2._Regexp:
    alternatives = "|".join(_pattern_of(words) for words in label_words())
    options = re2.Options()
    options.case_sensitive = False
    options.longest_match = False
    return linear.compile(rf"\b(?:{alternatives})s?[.]?(?:[^A-Za-z]|$)".encode(), options)


def labels_in(view: View) -> Iterator[Label]:
    """Yield every label of the view in order, with the formats it may announce."""
    known = tables().labels
    for match in _scanner().finditer(view.data):
        start, end = match.span()
        # The sign after the label was matched with it, except at the end of the text.
        end -= not view.text[end - 1].isalpha()
        words = view.text[start:end]
        key = key_of_label(words)
        if key not in known:
            key = key[:-1]
        if key not in known:
            continue
        if len(key) <= 3 and key not in _UNMISTAKABLE and not words.isupper():
            continue
        connector = _CONNECTOR.match(view.text, end)
        yield Label(start, end, connector.end() if connector else end, key, known[key])
