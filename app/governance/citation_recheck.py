"""Check the citations of a text again, with what the service knows of the law today."""

from __future__ import annotations

from collections import Counter
from typing import Any

from app import corpus
from app.citations import extract
from app.platform import clock

_STATUSES = ("verified", "mismatch", "not_found", "derogated", "not_verifiable", "pending")
_BROKEN = ("mismatch", "not_found", "derogated")


def recheck(text: str, jurisdiction: str) -> dict[str, Any]:
    """Return how many of a text's citations get which verdict today.

    Equal citations count once. `jurisdiction` is whose law bare citations are read by; an unknown one is as
    none.
    """
    on = clock.today()
    found = {citation.text: citation for citation in extract(text, jurisdiction)}.values()
    held = corpus.look_up(list(found), on)
    counts = Counter(dict.fromkeys(_STATUSES, 0))
    counts.update(corpus.verify(citation, on, held).status for citation in found)
    return {
        "counts": dict(counts),
        "total": counts.total(),
        "broken": sum(counts[status] for status in _BROKEN),
    }
