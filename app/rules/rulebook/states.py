"""Tell under the law of which state of a federation a document stands, by the words that name it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from app.rules.document import Document, Expression, Span, compile_pattern
from app.rules.rulebook.schema import Law

_GOVERNED: Final = compile_pattern(
    "(governed (by|in accordance with|under)|(construed|interpreted)( and (enforced|governed|interpreted))? "
    "(in accordance with|under|by)|laws? of|ley(es)? de|se regira)[^.;]{0,120}"
)
# What stands right before the name of the state whose law is chosen.
_LAW_OF: Final = compile_pattern(
    "(laws? of|(ley(es)?|legislacion|derecho) del?) (the |l[ao]s? )?"
    "((state|commonwealth|estado|provincia) (of|del?) )?(the |l[ao]s? )?"
)
_CHOOSES: Final = compile_pattern(
    "governed (by|in accordance with|under) |(construed|interpreted)[^.;]{0,30} (with|under|by) |"
    "se regira por "
)
# "New York law governs": the name stands before.
_RULES: Final = "('s)? law (shall |will )?(govern|appl|control)[a-z]*"
_DENIED: Final = compile_pattern("\\b(not|never|no) ([a-z]+ ){0,2}$|excluding[^.;]{0,30}$")
_NOT_APPLIED: Final = compile_pattern("(does|do|shall|will) not (apply|govern)|no (se aplica|rige)")
_GAP, _REACH = 4, 60
_MOST_MENTIONS: Final = 12

_NAMES: Final = (
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|"
    "illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|"
    "mississippi|missouri|montana|nebraska|nevada|new (hampshire|jersey|mexico|york)|(north|south) "
    "(carolina|dakota)|ohio|oklahoma|oregon|pennsylvania|rhode island|tennessee|texas|utah|vermont|"
    "(west )?virginia|washington|wisconsin|wyoming|district of columbia"
)
_STATE: Final = compile_pattern(f"\\b({_NAMES})\\b")
# The names of a state and of its chief towns, and how their addresses begin their postal code.
_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "california": (
            "california\\b|ca 9\\d{4}|los angeles|san (francisco|diego|jose|bernardino|mateo)|sacramento|"
            "oakland|long beach|fresno|santa (clara|monica|ana)|palo alto|irvine|anaheim|chula vista|berkeley"
        ),
        "new york": "new york\\b|ny 1\\d{4}|brooklyn|manhattan|buffalo\\b|syracuse\\b|yonkers|albany\\b",
        "texas": "texas\\b|tx 7\\d{4}|houston|dallas|austin\\b|san antonio|fort worth|el paso\\b|plano\\b",
        "delaware": "delaware\\b|de 19[789]\\d{2}|wilmington|dover\\b",
    }
)
_NOT_THERE: Final = compile_pattern(
    "^[a-z]*,? (corporation|corp\\b|company|limited|llc|l_l_c|inc\\b|lp\\b|partnership|bank|avenue|ave\\b|"
    "street|st\\b|road|boulevard|blvd|drive|law\\b|laws\\b|rules?\\b|courts?\\b|conflict)"
)
_PEOPLE: Final = compile_pattern("^ (residents?|consumers?|employees?|tenants?|workers?)\\b")
_DWELLS: Final = compile_pattern(
    "\\b(premises|apartment|dwelling|house|unit|property|residents? of|place is|place of (work|performance)|"
    "(works?|worked|working|workplace|reside[sd]?|residing|lives?|living|performed|employed|home|territory)\\b[^.;]{0,60}"
    "\\b(in|at|is|from))\\b"
)
# Where somebody is taken on to work: "at our Oakland office", and the addressee of a letter.
_SITE: Final = compile_pattern(
    "^[a-z]* (office|store|warehouse|facility|plant|site|branch|campus|location|hospital|clinic|"
    "restaurant|shop)s?\\b"
)
_ADDRESSEE: Final = compile_pattern("^[^;]{0,40}\\b\\d{5}\\b[^;]{0,100}\\bdear\\b")
_BEHIND_STATE: Final = 24
_BEHIND_ADDRESS: Final = 200
_COMPANY: Final = compile_pattern(
    "delaware (law|general corporation law|corporation|limited|statutory)|"
    "(incorporated|organi[sz]ed|formed|existing)[^.;]{0,60}delaware"
)
_A_COMPANY: Final = "delaware company"


def state_of(document: Document, laws: Sequence[Law]) -> str | None:
    """Return the code of the state whose law a document chooses, else of the one it names most.

    None where it chooses the law of one of which there are no rules.

    Args:
        document: the document.
        laws: of the states that there are rules of, each with the patterns that name it.
    """
    named: list[str]
    for clause in document.find_all(_GOVERNED, limit=8):
        start = _chosen(document, clause)
        if start is None:
            continue
        named = [law.code for law in laws if any(_at(document, one.compiled, start) for one in law.names)]
        if named:
            return named[0]
        if _at(document, _STATE, start):
            return None
    mentions = {
        law.code: sum(len(document.find_all(name.compiled, limit=_MOST_MENTIONS)) for name in law.names)
        for law in laws
    }
    most = max(mentions.values(), default=0)
    named = [code for code, times in mentions.items() if times == most]
    return named[0] if most and len(named) == 1 else None


def stands_under(document: Document, state: str) -> bool:
    """Tell whether the law of a state of the United States applies to a document by what it says.

    It chooses that law, or is worked, lived in or performed there; its company was formed there, for
    the law of companies, if no other law is chosen. That the name of the state stands in it is not enough.

    Args:
        document: the document.
        state: as `Risk.under` names it.
    """
    name = state.removesuffix(" company")
    own = compile_pattern(f"\\b{name}\\b")
    starts = [_chosen(document, clause) for clause in document.find_all(_GOVERNED, limit=8)]
    chosen = [start for start in starts if start is not None and _at(document, _STATE, start)]
    if any(_at(document, own, start) for start in chosen):
        return True
    if not chosen and document.find(compile_pattern(f"\\b{name}{_RULES}")) is not None:
        return True
    if state == _A_COMPANY:
        return not chosen and document.find(_COMPANY) is not None
    place = compile_pattern(f"\\b({_PLACES[name]})")
    return any(_is_there(document, mention) for mention in document.find_all(place, limit=_MOST_MENTIONS))


def _chosen(document: Document, clause: Span) -> int | None:
    """Return where the name of the state begins whose law a clause chooses, None if it chooses none."""
    if _DENIED.span(document.folded[max(clause.start - 24, 0) : clause.start]) is not None:
        return None
    if document.find(_NOT_APPLIED, clause.start, clause.end) is not None:
        return None
    law = document.find(_LAW_OF, clause.start, clause.end)
    by = document.find(_CHOOSES, clause.start, clause.end)
    if by is not None and (law is None or _at(document, _STATE, by.end)):
        return by.end
    return law.end if law is not None else None


def _at(document: Document, name: Expression, start: int) -> bool:
    """Tell whether a name begins at a place, or behind an article there."""
    found = document.find(name, start, start + _REACH)
    return found is not None and found.start - start <= _GAP


def _is_there(document: Document, mention: Span) -> bool:
    """Tell whether where a place is named, somebody lives or works there or a contract is performed."""
    behind = document.folded[mention.end : mention.end + _BEHIND_STATE]
    if _NOT_THERE.span(behind) is not None:
        return False
    if _PEOPLE.span(behind) is not None or _SITE.span(behind) is not None:
        return True
    if _ADDRESSEE.span(document.folded[mention.end : mention.end + _BEHIND_ADDRESS]) is not None:
        return True
    position, last = document.sentence(mention).start, None
    while (found := document.find(_DWELLS, position, mention.start)) is not None:
        position, last = found.end, found
    return last is not None and document.find(_STATE, last.end, mention.start) is None
