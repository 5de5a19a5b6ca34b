"""Part what a claim says of a document from what it says of an article. Pure.

Source: decision 102. "The fine is a day's wage, and lexcit does not allow more than a fifth of it": the first
clause is the document's, the second restates the article. A claim's authority stands in it as `lexcit`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from app.analysis.support.grammar import OUTSIDERS
from app.analysis.support.words import (
    Token,
    alike,
    concepts_of,
    everyday,
    is_content,
    read,
    synonyms_of,
    word_set,
)
from app.text.sentences import fold

_TURN: Final = re.compile(
    r"[,;:]\s*(?:(?:y|e|pero|aunque|cuando|mientras(?: que)?|pese a que|a pesar de que|si bien"
    r"|and|but|while|whereas|although|though|yet|when)\b)|[.;](?=\s|$)"
)
_SUBORDINATE: Final = re.compile(
    r"\s*(?:aunque|si bien|pese a que|a pesar de que|although|though|while|whereas)\b"
)
_SENTENCE_END: Final = re.compile(r"[.;](?=\s|$)")
_NAMING: Final = word_set("claiming") | word_set("frame") | word_set("weak") | word_set("reporting")
# Of what a claim says of the document, the share that its quotation has at least, from so many words on.
_TOLD: Final = 0.34
_FEWEST: Final = 3


class ClaimParts(NamedTuple):
    """What a claim says of the document, and what of its authority; `law` is empty where they are one."""

    document: str
    law: str


def parts_of(claim: str) -> ClaimParts:
    """Return the two parts of a claim in which the authority is written `lexcit`."""
    folded = fold(claim)
    at = folded.find("lexcit")
    if at < 0:
        return ClaimParts(claim, "")
    cuts = [0, *(match.start() for match in _TURN.finditer(folded)), len(folded)]
    if _SUBORDINATE.match(folded) and (comma := folded.find(",")) > 0:
        cuts = sorted({*cuts, comma})
    start = max(cut for cut in cuts if cut <= at)
    if start == 0:
        end = min(cut for cut in cuts if cut > at)
        return ClaimParts(claim[end:], claim[:end]) if claim[end:].strip(" .") else ClaimParts("", "")
    stop = _SENTENCE_END.search(folded, at)
    end = stop.start() if stop else len(folded)
    return ClaimParts(claim[:start] + claim[end:], claim[start:end])


def is_told(said: str, own: str) -> bool:
    """Tell whether the words quoted speak of what a claim says of the document.

    Args:
        said: that part of the claim.
        own: the words that it quotes.
    """
    claimed, written = read(said).tokens, read(own).tokens
    telling = [
        at
        for at, concepts in enumerate(concepts_of(claimed))
        if is_content(claimed[at])
        and claimed[at].text not in _NAMING
        and not any(c.startswith("party:") and c.removeprefix("party:") not in OUTSIDERS for c in concepts)
    ]
    if len(telling) < _FEWEST:
        return True
    figures, known = read(said).values, read(own).values
    told = sum(any(one.is_said_by(other) for other in known) for one in figures)
    told += sum(_stands(claimed, at, written) for at in telling)
    return told >= _TOLD * len(telling)


def _stands(claimed: Sequence[Token], at: int, written: Sequence[Token]) -> bool:
    own, common, same = concepts_of(claimed)[at], everyday(claimed)[at], synonyms_of(claimed[at])
    return any(
        alike(claimed[at].text, one.text) or own & concepts or common & about or same & synonyms_of(one)
        for one, concepts, about in zip(written, concepts_of(written), everyday(written), strict=True)
        if is_content(one)
    )
