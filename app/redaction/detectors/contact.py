"""Electronic mail, and telephone numbers in international form. National forms are in the tables."""

import re
from collections.abc import Iterator

import re2

from app.redaction.finding import Certainty, Finding
from app.redaction.formats import tables
from app.redaction.view import View

_HOST_LABEL = r"[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?"
_EMAIL = re2.compile(
    rf"(?i)[a-z0-9][a-z0-9._%+'\-]*(?:@| ?[\[(](?:at|arroba)[\])] ?)(?:{_HOST_LABEL}\.)+[a-z]{{2,}}".encode()
)
_PLUS = re.compile(r"\+\s?\(?(?=[0-9])")
_ZEROS = re.compile(r"00 ?(?=[1-9])")
_GAP = re.compile(r"[ \t]{0,2}[-./()]{0,2}[ \t]{0,2}")
_MOST_GROUPS = 8
_E164 = 15
_FEWEST = 7


def emails(view: View) -> Iterator[Finding]:
    """Addresses as RFC 5321 allows them without quotes; also with "(at)" or "[arroba]"."""
    for match in _EMAIL.finditer(view.data):
        start, end = match.span()
        yield Finding(start, end, "EMAIL", Certainty.PROVEN, view.text[start:end].casefold())


def _limits(digits: str) -> tuple[int, int]:
    """Fewest and most digits, calling code included, of a number that begins with `digits`."""
    for size in (1, 2, 3):
        calling = tables().calling.get(digits[:size])
        if calling is not None:
            return size + calling.shortest, size + calling.longest
    return _FEWEST, _E164


def _starts(view: View) -> Iterator[tuple[int, int]]:
    """Where an international number may begin: the sign or the zeros, and the first digit after them."""
    for match in _PLUS.finditer(view.text):
        yield match.span()
    for match in _ZEROS.finditer(view.text):
        before = view.text[match.start() - 1] if match.start() else " "
        if not (before.isalnum() or before in ".,/:-+"):
            yield match.span()


def _number(view: View, start: int) -> tuple[int, str]:
    """Where the number whose calling code begins at `start` ends, and its digits; 0 where there is none."""
    digits, previous, best, kept = "", start, 0, ""
    for count, (word_start, word_end) in enumerate(view.words(start, start + 40)):
        word = view.text[word_start:word_end]
        if count == _MOST_GROUPS or not word.isdigit() or not _GAP.fullmatch(view.text, previous, word_start):
            break
        # A trunk zero written in parentheses, "+44 (0)20", is not dialled.
        digits += "" if word == "0" and view.text[word_start - 1] == "(" else word
        fewest, most = _limits(digits)
        if len(digits) > most:
            break
        previous = word_end
        if len(digits) >= fewest:
            best, kept = word_end, digits
    return best, kept


def phones(view: View) -> Iterator[Finding]:
    """Numbers with `+` or `00` and a calling code; the national part is cut where the country's plan ends."""
    for start, first in _starts(view):
        end, digits = _number(view, first)
        if not end:
            continue
        if view.text[start] == "0" and _limits(digits) == (_FEWEST, _E164):
            continue
        opened = start - 1 if start and view.text[start - 1] == "(" else start
        if ")" in view.text[opened:end]:
            start = opened
        yield Finding(start, end, "PHONE", Certainty.PROVEN, digits)
