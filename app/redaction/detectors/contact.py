"""Find e-mail addresses, also spelled out, telephone numbers, and addresses of the internet.

Usual national forms of telephone numbers are in the tables.
"""

import ipaddress
import re
from collections.abc import Iterator
from functools import cache

from app.redaction.detectors.identifiers import is_other_thing
from app.redaction.finding import Certainty, Finding
from app.redaction.formats import Format, at_home, national_phones, tables
from app.redaction.view import View
from app.text import linear

_HOST_LABEL = r"[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?"
_EMAIL = linear.compile(
    rf"(?i)[a-z0-9][a-z0-9._%+'#\-]*(?:@|&#(?:0*64|x0*40);?|&commat;|%40| ?[\[(](?:at|arroba)[\])] ?)"
    rf"(?:{_HOST_LABEL}\.)+[a-z]{{2,}}".encode()
)
_PLUS = re.compile(r"\+\s?\(?(?=[0-9])")
_ZEROS = re.compile(r"00 ?(?=[1-9])")
_GAP = re.compile(r"[ \t]{0,2}[-./()]{0,2}[ \t]{0,2}")
_MOST_GROUPS = 14
_E164 = 15
_FEWEST = 7


_PIECE = r"[a-z0-9][a-z0-9_+%-]{0,40}"
_SAID_DOT = (
    r"(?:\s(?:punto|dot|ponto|point|punkt)\s|\s?[\[({<]\s?(?:punto|dot|ponto|point|punkt|[.])\s?[\])}>]\s?)"
)
_SAID_SIGN = r"(?:\s(?:guion\sbajo|guion|barra\sbaja|underscore|dash|hyphen)\s)"
_SAID_AT = (
    r"(?:\s?@\s?|\s(?:arroba|chiocciola|arobase|klammeraffe)\s|\s?[\[({<]\s?(?:at|arroba|a|@)\s?[\])}>]\s?)"
)
_LOCAL = rf"{_PIECE}(?:(?:[.]|{_SAID_DOT}|{_SAID_SIGN}){_PIECE}){{0,4}}"
_DOMAIN = rf"{_PIECE}(?:(?:[.]|\s[.]\s|{_SAID_DOT}|{_SAID_SIGN}){_PIECE}){{0,4}}"
_SPELLED = linear.compile(
    rf"(?i)\b({_LOCAL}(?:{_SAID_AT}{_DOMAIN}(?:[.]|\s[.]\s|{_SAID_DOT})[a-z]{{2,15}}"
    # "at" by itself is a word of the sentence unless a dot is said as well.
    rf"|\sat\s{_DOMAIN}{_SAID_DOT}[a-z]{{2,15}}))\b".encode()
)
# What stands before "at" where it is no sign: "reach me at", "or at".
_BEFORE_AT = re.compile(
    r"(?:available|or|and|me|us|him|her|them|it|is|are|was|be|mail|email|out|look|contact|address)\sat\s"
)


def emails(view: View) -> Iterator[Finding]:
    """Yield addresses as RFC 5321 allows them without quotes, also when spelled out.

    For instance "ana arroba bufete punto es", "ana[at]b.es".
    """
    for match in _EMAIL.finditer(view.data):
        start, end = match.span()
        yield Finding(start, end, "EMAIL", Certainty.PROVEN, view.text[start:end].casefold())
    place = 0
    while (match := _SPELLED.search(view.data, place)) is not None:
        start, end = match.span(1)
        spelled = view.text[start:end].casefold()
        if _BEFORE_AT.match(spelled):
            place = start + spelled.index(" at") + 1
            continue
        yield Finding(start, end, "EMAIL", Certainty.PROVEN, spelled)
        place = end


_DOTTED = linear.compile(
    rb"(?:^|[^0-9A-Za-z.])([0-9]{1,3}(?:(?:[.]|[ ][.][ ]|[ ]?[\[({][.][\])}][ ]?)[0-9]{1,3}){3})"
    rb"(?:[^0-9A-Za-z.]|[.](?:[^0-9]|$)|$)"
)
_AROUND_DOTS = re.compile(r"[ \[\](){}]")
_COLONS = linear.compile(
    rb"(?:^|[^0-9A-Za-z:.])([0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:[.][0-9]{1,3}){0,3})(?:[^0-9A-Za-z:]|$)"
)
_NUMBERING = re.compile(
    r"(?:(?:\A|\n)[ \t]*|(?:clausula|apartado|punto|epigrafe|seccion|articulo|art[.]|parrafo|numeral|anexo"
    r"|section|clause|paragraph|article|version|v[.]|ver[.]|release|capitulo|chapter|numero|num[.])[ ]?)\Z",
    re.IGNORECASE,
)


def ip_addresses(view: View) -> Iterator[Finding]:
    """Yield addresses of IPv4 and IPv6.

    Four numbers at the head of a line or after "cláusula" are a numbering. Brackets or blanks may stand
    around the dots, as where somebody wanted no link to be made of it.
    """
    for pattern in (_DOTTED, _COLONS):
        for match in pattern.finditer(view.data):
            start, end = match.span(1)
            spelled = _AROUND_DOTS.sub("", view.text[start:end])
            try:
                ipaddress.ip_address(spelled)
            except ValueError:
                continue
            before = view.text[max(0, start - 24) : start]
            if len(spelled) > 2 and not (pattern is _DOTTED and _NUMBERING.search(before)):
                yield Finding(start, end, "IP_ADDRESS", Certainty.PERSONAL, spelled.casefold())


# Figures in groups with any signs between.
_GROUPS = linear.compile(
    rb"(?:^|[^0-9A-Za-z.,/+-])"
    rb"([(]?[0-9]{1,9}[)]?(?:[ ]?[-./_~*|,][ ]?[(]?[0-9]{1,9}[)]?|[ ]{1,2}[(]?[0-9]{1,9}[)]?){1,12})"
)
_CALLED = re.compile(
    r"(?:tel|telf|telefono|telefonos|tlf|tlfno|tfno|movil|moviles|celular|cel|fono|fax|phone|telephone|mobile|cell|whatsapp"
    r"|llam\w{1,5}|call|ring|dial|reach|contact\w{0,6}|marcar|marque|telefone|telemovel|telefon\w{0,6}|handy|portable"
    r"|cellulare)\b[^0-9\n;]{0,30}\Z",
    re.IGNORECASE,
)
_DATE_LIKE = re.compile(r"(?:[0-3]?\d[-./][01]?\d[-./](?:\d\d){1,2}|\d{4}[-./]\d\d?[-./]\d\d?)")
_FEWEST_SPOKEN, _MOST_SPOKEN = 7, 13


def loose_phones(view: View, jurisdiction: str) -> Iterator[Finding]:
    """Yield telephone numbers whatever stands between their figures.

    After a word that says so; without one, where the jurisdiction's plan fits and signs other than blanks are
    used.
    """
    plans = _plans(jurisdiction)
    for match in _GROUPS.finditer(view.data):
        start, end = match.span(1)
        if end - start < _FEWEST_SPOKEN:
            continue
        spelled = view.text[start:end]
        digits = "".join(filter(str.isdigit, spelled))
        if not _FEWEST_SPOKEN <= len(digits) <= _MOST_SPOKEN:
            continue
        if _CALLED.search(view.text[max(0, start - 48) : start]):
            certainty = Certainty.PERSONAL
        elif (
            any(sign in spelled for sign in "./-_~*|")
            and "," not in spelled
            and any(fmt.shape.fullmatch(digits) and fmt.verdict(digits) is not False for fmt in plans)
        ):
            certainty = Certainty.LABELLED_SHAPE
        else:
            continue
        if not _DATE_LIKE.fullmatch(spelled) and not is_other_thing(view, start, end):
            yield Finding(start, end, "PHONE", certainty, digits)


@cache
def _plans(jurisdiction: str) -> tuple[Format, ...]:
    return tuple(fmt for fmt in national_phones() if at_home(fmt.country, jurisdiction))


def _limits(digits: str) -> tuple[int, int]:
    """Return fewest and most digits, calling code included, of a number that begins with `digits`."""
    for size in (1, 2, 3):
        calling = tables().calling.get(digits[:size])
        if calling is not None:
            return size + calling.shortest, size + calling.longest
    return _FEWEST, _E164


def _starts(view: View) -> Iterator[tuple[int, int]]:
    """Yield where an international number may begin.

    Each is the place of the sign or the zeros, and of the first digit after them.
    """
    for match in _PLUS.finditer(view.text):
        yield match.span()
    for match in _ZEROS.finditer(view.text):
        before = view.text[match.start() - 1] if match.start() else " "
        if not (before.isalnum() or before in ".,/:-+"):
            yield match.span()


def _number(view: View, start: int) -> tuple[int, str]:
    """Return where the number whose calling code begins at `start` ends, and its digits.

    The end is 0 where there is none.
    """
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
    """Yield numbers with `+` or `00` and a calling code.

    The national part is cut where the country's plan ends.
    """
    for start, first in _starts(view):
        end, digits = _number(view, first)
        if not end:
            continue
        if view.text[start] == "0" and _limits(digits) == (_FEWEST, _E164):
            continue
        opened = start - 1 if start and view.text[start - 1] == "(" else start
        if ")" in view.text[opened:end]:
            start = opened
        # Nothing but a telephone number has a sign; that a part of it looks like a date does not count.
        certainty = Certainty.PERSONAL if "+" in view.text[start:end] else Certainty.PROVEN
        yield Finding(start, end, "PHONE", certainty, digits)
