"""Read the name that a text gives to a law right behind its number, or the number behind its name. Pure.

"Ley 25.326 de Defensa del Consumidor" joins the number of one law to the name of another: which of the two is
meant nobody can tell, so `verify` has to know that they disagree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from app.citations.name_index import NormName, vocabulary

_NUMBERED = re.compile(r"[A-Z]{2}:[a-z-]+:[\w.-]+(?:/\d{4})?")
# Behind a number: "… de Propiedad Horizontal", "…, de 8 de abril, sobre …", "… (Código Civil)".
_DATE = r"(?:,?\s{1,2}(?:de|del)\s\d{1,2}[o\xba\xb0]?\sde\s[a-z]{4,10}(?:\s(?:de|del)\s\d{4})?)?"
_DIRECTLY = re.compile(
    rf"{_DATE},?\s{{1,2}}(?=(?:de|del|da|do|das|dos|sobre|general|reguladora)\s)", re.IGNORECASE
)
_IN_BRACKETS = re.compile(rf"{_DATE},?\s{{1,2}}\((?:(?:la|el|a|o)\s)?", re.IGNORECASE)
_SHORTEST, _LONGEST = 12, 160
# "Ley de Defensa del Consumidor 25.326", "Ley de Contrato de Trabajo (Ley N° 20.744)": laws without a year.
_NUMBER_BEHIND = re.compile(
    r"\s{1,2}\(?(?:ley\s{1,2})?(?:n[\xbao\xb0.]{1,2}\s{0,2})?(\d{1,2}\.\d{3})\b(?!/)", re.IGNORECASE
)
_OWN_NUMBER = re.compile(r"\d\.?\d{3}$")
_WITHOUT_YEAR = frozenset({"AR", "CL", "UY", "PE"})


@cache
def _tails(jurisdiction: str) -> Mapping[str, NormName]:
    """Return the only law so called by what stands behind "Ley" in its name ("de propiedad horizontal")."""
    return MappingProxyType(
        {
            name.partition(" ")[2]: entries[0]
            for name, entries in vocabulary(jurisdiction).names.items()
            if len(entries) == 1 and name.startswith(("ley ", "lei ")) and len(name) > _SHORTEST
        }
    )


def _longest(lowered: str, start: int, names: Mapping[str, object]) -> str:
    """Return the longest of `names` that the text has at `start` and that ends with a word; "" for none."""
    words = " ".join(lowered[start : start + _LONGEST].split())
    ends = [match.start() for match in re.finditer(r"$|[^\w.]|\.(?=\W|$)", words)]
    return next((words[:end] for end in reversed(ends) if words[:end] in names), "")


def given_name(folded: str, norm: str | None, jurisdiction: str, end: int) -> str:
    """Return the normal form of the law whose name stands behind the number of `norm`; "" for none.

    Args:
        folded: The text without accents.
        norm: The normal form of the law cited.
        jurisdiction: The country whose names hold.
        end: Where the citation ends.
    """
    country = (norm or "").partition(":")[0]
    if not norm or not _NUMBERED.fullmatch(norm) or country != jurisdiction:
        return ""
    behind = folded[end : end + 40 + _LONGEST]
    lowered = behind.lower()
    directly = _DIRECTLY.match(behind)
    if directly:
        tails = _tails(jurisdiction)
        name = _longest(lowered, directly.end(), tails)
        return tails[name].norm if len(name) >= _SHORTEST else ""
    bracket = _IN_BRACKETS.match(behind)
    if bracket:
        names = vocabulary(jurisdiction).names
        name = _longest(lowered, bracket.end(), names)
        alone = len(name) >= _SHORTEST and lowered[bracket.end() + len(name) :].lstrip().startswith(")")
        return names[name][0].norm if alone and len(names[name]) == 1 else ""
    return ""


def given_number(folded: str, norm: str | None, jurisdiction: str, end: int) -> str:
    """Return the law whose number stands behind the name of `norm`, where laws have no year; "" for none."""
    if jurisdiction not in _WITHOUT_YEAR or not norm or not norm.startswith(f"{jurisdiction}:ley:"):
        return ""
    if _OWN_NUMBER.search(folded, max(0, end - 10), end):
        return ""  # "art. 7 de la ley 23.928 (ley 25.561)": two laws, each by its number
    found = _NUMBER_BEHIND.match(folded, end)
    number = found[1].replace(".", "") if found else ""
    return f"{jurisdiction}:ley:{number}" if number and not norm.endswith(f":{number}") else ""
