"""Tell which of two acts of one name is meant, where the later one took its place: "Ley Concursal". Pure.

Today the name alone means the act in force. The earlier one is meant where the text cites that by its number
and never the later one, or where no year in the text is as late as the later one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from app.citations.citation import NO_IDS, Mention

# Of each act in force the one whose name it took.
_EARLIER: Final[Mapping[str, str]] = MappingProxyType({"ES:rdleg:1/2020": "ES:ley:22/2003"})
# Names that both bore; all else names one of them.
_SHARED: Final = re.compile(r"(?:ley concursal|l\.?\s?c\.?)", re.IGNORECASE)
# Articles that the earlier one alone had, right before its name: "art. 178 bis de la Ley Concursal".
_EARLIER_ALONE: Final = re.compile(r"\b(?:5|71|172|176|178)\s?bis\b[^;:\n]{0,30}$")
_BEFORE: Final = 44
_YEARS: Final = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d)")


def of_their_day(folded: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions, those by a shared name as the act that the text means by it.

    Args:
        folded: The text without accents.
        mentions: Norms that it names, in any order.
    """
    norms = {norm for one in mentions for norm in one.norms}
    found = list(mentions)
    for later, earlier in _EARLIER.items():
        if later not in norms:
            continue
        shared = [
            place
            for place, one in enumerate(found)
            if one.norms == (later,) and _SHARED.fullmatch(folded[one.start : one.end])
        ]
        otherwise = sum(later in one.norms for one in found) > len(shared)
        if not shared:
            continue
        year = int(later.rpartition("/")[2])
        said = [int(match[0]) for match in _YEARS.finditer(folded)]
        all_of_them = not otherwise and (earlier in norms or bool(said and max(said) < year))
        for place in shared:
            start = found[place].start
            if all_of_them or _EARLIER_ALONE.search(folded, max(0, start - _BEFORE), start):
                found[place] = replace(found[place], norms=(earlier,), ids=NO_IDS)
    return found
