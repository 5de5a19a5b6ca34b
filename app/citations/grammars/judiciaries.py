"""Apply the judiciaries of every country to one text."""

from collections.abc import Iterator

from app.citations.citation import Finding
from app.citations.grammars.judiciaries_america import AMERICA
from app.citations.grammars.judiciaries_europe import EUROPE

_JUDICIARIES = EUROPE + AMERICA
# Filters are made when their modules are imported, as those of all grammars.
_ANCHORS = [(one.anchor, one.anchor_abroad) for one in _JUDICIARIES]


def decisions(folded: str, jurisdiction: str) -> Iterator[Finding]:
    """Yield decisions of every judiciary that may be meant in a document of `jurisdiction`."""
    for judiciary in _JUDICIARIES:
        yield from judiciary.decisions(folded, jurisdiction)
