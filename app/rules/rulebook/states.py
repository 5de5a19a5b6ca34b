"""Tell under the law of which state of a federation a document stands, by the words that name it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.rules.document import Document, compile_pattern
from app.rules.rulebook.schema import Law

_GOVERNED: Final = compile_pattern(
    "(governed by|construed (and enforced )?(in accordance with|under)|laws? of|ley(es)? de|se regira)"
    "[^.;]{0,80}"
)
_MOST_MENTIONS: Final = 12


def state_of(document: Document, laws: Sequence[Law]) -> str | None:
    """Return the code of the state whose law a document chooses, else of the one it names most.

    Args:
        document: the document.
        laws: of the states that there are rules of, each with the patterns that name it.
    """
    for clause in document.find_all(_GOVERNED, limit=8):
        for law in laws:
            if any(document.find(name.compiled, clause.start, clause.end) for name in law.names):
                return law.code
    mentions = {
        law.code: sum(len(document.find_all(name.compiled, limit=_MOST_MENTIONS)) for name in law.names)
        for law in laws
    }
    most = max(mentions.values(), default=0)
    named = [code for code, times in mentions.items() if times == most]
    return named[0] if most and len(named) == 1 else None
