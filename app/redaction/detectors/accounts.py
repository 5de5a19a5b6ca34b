"""Find international bank account numbers (ISO 13616), however they are grouped."""

import re
from collections.abc import Iterator

from app.redaction.finding import Certainty, Finding
from app.redaction.iban import iban_agrees, iban_structure
from app.redaction.view import View

_GAP = re.compile(r"[ \t]?[-./]?[ \t]?\n?[ \t]?")
_ABOUT_A_BANK = re.compile(
    r"iban|cuenta|account|konto|conta|compte|conto|banc|bank|bic\b|swift|transfer|ingres|abon|domicili",
    re.IGNORECASE,
)
_LOOK_BACK = 60
# Three literal searches are quicker than one pattern: most of a text is letters.
_LITERALS = (re.compile("A99"), re.compile("A 99"), re.compile("A-99"))


def _end_of(view: View, start: int, length: int) -> int | None:
    """Return where `length` letters and digits end exactly at the end of a word; None if they do not."""
    counted, previous = 0, start
    for word_start, word_end in view.words(start, start + 3 * length):
        if counted and _GAP.fullmatch(view.text, previous, word_start) is None:
            return None
        counted += word_end - word_start
        previous = word_end
        if counted >= length:
            return word_end if counted == length else None
    return None


def _heads(view: View) -> Iterator[int]:
    """Yield where two letters and two digits begin a word, as in an IBAN.

    There may be a sign between them, or "IBAN" glued before.
    """
    text, kinds = view.text, view.kinds
    for pattern in _LITERALS:
        for match in pattern.finditer(kinds):
            start = match.start() - 1
            before = kinds[max(0, start - 1) : start]
            if (
                start >= 0
                and kinds[start] == "A"
                and (before not in ("A", "9") or text.endswith("IBAN", 0, start))
            ):
                yield start


def accounts(view: View) -> Iterator[Finding]:
    """Find IBANs.

    Those with wrong check digits count where the words before speak of a bank.
    """
    text = view.text
    for start in _heads(view):
        country = text[start : start + 2]
        if not (country.isupper() or country.islower()):
            continue
        structure = iban_structure(country.upper())
        if structure is None:
            continue
        length, form = structure
        end = _end_of(view, start, length)
        if end is None:
            continue
        compact = "".join(filter(str.isalnum, text[start:end])).upper()
        if iban_agrees(compact):
            yield Finding(start, end, "IBAN", Certainty.PROVEN, compact)
        elif form.fullmatch(compact) and _ABOUT_A_BANK.search(text[max(0, start - _LOOK_BACK) : start]):
            yield Finding(start, end, "IBAN", Certainty.LABELLED, compact)
