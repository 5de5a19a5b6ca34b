"""Tell laws that a text names for having amended another, or for being gone: they are no antecedents."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from app.citations import prefilter
from app.citations.citation import Mention

# "Modificado por el art. 28 de la Ley 789": an amending law is no antecedent.
_AMENDED_BY = prefilter.compile(
    r"(?i)\b(?:(?:modificad|reformad|subrogad|adicionad|sustituid|redactad|introducid|anadid|alterad|aditad)[oa]s?"
    r"\s{1,2}(?:por|pel[oa]|en\s{1,2}virtud\s{1,2}de)\s{1,2}|"
    r"(?:redaccion|version|redaccao|texto|reforma|modificacion)\s{1,2}(?:vigente\s{1,2}|actual\s{1,2})?"
    r"(?:dad[oa]|introducid[oa]|operad[oa]|resultante|derivad[oa]|llevada\s{1,2}a\s{1,2}cabo)\s{1,2}"
    r"(?:por|de|tras|mediante|pel[oa])\s{1,2}|tras\s{1,2}la\s{1,2}(?:reforma|entrada\s{1,2}en\s{1,2}vigor)\s{1,2}de\s"
    r"|as\s{1,2}(?:amended|inserted|substituted)\s{1,2}by\s{1,2}|modifie[a-z]{0,2}\s{1,2}par\s{1,2}|"
    r"issu[a-z]{0,2}\s{1,2}de\s|(?:come\s{1,2})?modificat[oaie]\s{1,2}d(?:al|a|all)\b|geandert\s{1,2}durch\s{1,2})"
)
_AMENDING = 60
# "La Ley 17.838, que dejó de regir", "(hoy derogada)": a law named whole for being gone is no antecedent.
_GONE_BEHIND = re.compile(
    r"[,\s(]{1,3}(?:(?:hoy|ya|que|pues|y|luego|despues|actualmente|entonces|fue|quedo|esta|estaba|ha\s{1,2}sido|"
    r"habia\s{1,2}sido)\s{1,2}){0,4}"
    r"(?:(?:derogad|reemplazad|sustituid|abrogad|substituid|revogad)[oa]|dejo\s{1,2}de\s{1,2}(?:regir|estar))\b",
    re.IGNORECASE,
)
# "El texto anterior a la Ley 21.081", "según lo dejó la Ley 21.398", "tras los cambios de la Ley 19.670".
_CHANGED_BY = re.compile(
    r"\b(?:(?:anterior|previ[oa])(?:es)?\s{1,2}a|(?:lo|la|los|las)\s{1,2}(?:dejo|cambio|modifico|reformo|fijo)|"
    r"(?:tras|desde|por)\s{1,2}(?:los\s{1,2}cambios|las?\s{1,2}(?:modificacion|reforma)(?:es)?)\s{1,2}de)\s{1,2}"
    r"(?:la|el)\s{1,2}$|(?:\(|texto\s{1,2}|,\s)(?:segun|conf(?:orme|\.))\s{1,2}(?:la\s{1,2})?$",
    re.IGNORECASE,
)
_CHANGED_WITHIN = 40


def amending_laws(folded: str, starts: Sequence[int]) -> frozenset[int]:
    """Return where laws begin that stand right behind "modificado por"."""
    found: set[int] = set()
    for match in _AMENDED_BY.finditer(folded):
        at = bisect_left(starts, match.end())
        if at < len(starts) and starts[at] <= match.end() + _AMENDING:
            found.add(starts[at])
    return frozenset(found)


def laws_in_passing(folded: str, mentions: Sequence[Mention]) -> frozenset[int]:
    """Return where numbered laws begin that are named for being repealed, or for having changed another."""
    return frozenset(
        one.start
        for one in mentions
        if one.cites
        and (
            _GONE_BEHIND.match(folded, one.end)
            or _CHANGED_BY.search(folded, max(0, one.start - _CHANGED_WITHIN), one.start)
        )
    )
