"""Apply the judiciaries of every country to one text."""

from collections.abc import Iterator

from app.citations.citation import Finding
from app.citations.grammars.judiciaries_america import AMERICA
from app.citations.grammars.judiciaries_europe import EUROPE
from app.citations.prefilter import GrammarTable

_JUDICIARIES = EUROPE + AMERICA
# By the expression that finds a court in a document of its own country, and in one of another.
_AT_HOME = GrammarTable((one.anchor, one) for one in _JUDICIARIES)
_ABROAD = GrammarTable((one.anchor_abroad, one) for one in _JUDICIARIES)


def decisions(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield decisions of every judiciary that may be meant in a document of `jurisdiction`."""
    found = {id(one) for one in _AT_HOME.of(folded) if one.country == jurisdiction}
    found |= {id(one) for one in _ABROAD.of(folded) if one.country != jurisdiction}
    for judiciary in _JUDICIARIES if found else ():
        if id(judiciary) in found:
            yield from judiciary.decisions(folded, jurisdiction)
