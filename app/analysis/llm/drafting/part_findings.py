"""Put together what was found in the parts of a long document: each thing once, where it stands. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from app.analysis.llm.drafting.document_parts import Part
from app.analysis.llm.drafting.proposal import ITEMS_MAX, Proposal
from app.rules import Section, Statement
from app.text.sentences import FoldedText, fold

_WORD = re.compile(r"\w{4,}")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
# Share of the words of two statements that both have, from which on they say the same.
_SAME = 0.8
# A quotation that stands elsewhere too is told with its sentence, up to so many characters.
_SENTENCE = 600
_SEVERITIES = (None, "low", "medium", "high")


def anchored(found: Proposal, part: Part, source: FoldedText) -> Proposal:
    """Return a part's findings with quotations that are looked up where the part has them.

    A quotation is looked for in the whole document, from its beginning: words that an earlier part has too
    are told with the sentence that they stand in.

    Args:
        found: what was answered about the part.
        part: the part.
        source: the whole.
    """
    whole = source.text.lower()
    if len(whole) != len(source.text):
        return found  # letters whose small form is longer would move every offset

    def place(quote: str) -> str:
        words = quote.lower()
        at = whole.find(words, part.start, part.end)
        if at < 0 or whole.find(words) == at:
            return quote
        first, last = source.sentence(at)[0], source.sentence(at + len(quote) - 1)[1]
        longer = source.text[first:last].strip()
        # A sentence that is repeated word for word says the same in each place.
        return longer if len(longer) <= _SENTENCE else quote

    return replace(
        found,
        statements=tuple(
            replace(one, quotes=tuple(dict.fromkeys(map(place, one.quotes)))) for one in found.statements
        ),
    )


def merged(parts: Sequence[Proposal], whole: Proposal) -> Proposal:
    """Return the findings of the parts and of the whole as one.

    What is missing is told by the reading of the whole alone, and so are kind and summary. Statements of two
    parts that say the same are one, with the quotations and authorities of both.
    """
    told: dict[tuple[Section, frozenset[str]], list[int]] = defaultdict(list)
    kept: list[Statement] = []
    words: list[frozenset[str]] = []
    moved: dict[str, Statement] = {}
    for part in parts:
        before = len(kept)
        for one in part.statements:
            if one.section is Section.CLAUSES_MISSING:
                continue
            issue, of_issue = one.facts.get("issue", ""), "part" in one.facts
            if of_issue and issue in moved:
                # What a later part says of an issue is said of the earlier one that is the same.
                one = replace(one, facts={**one.facts, "issue": moved[issue].facts["issue"]})
            said, place = _words(one.text), told[one.section, frozenset(_FIGURE.findall(one.text))]
            twin = next(
                (
                    at
                    for at in place
                    if at < before and _alike(said, words[at]) and _of_one_issue(one, kept[at])
                ),
                None,
            )
            if twin is not None:
                if issue and not of_issue:
                    moved[issue] = kept[twin]
                kept[twin] = _both(kept[twin], one)
                continue
            place.append(len(kept))
            kept.append(one)
            words.append(said)
    missing = (one for one in whole.statements if one.section is Section.CLAUSES_MISSING)
    # Two issues may have the same advice.
    once = {(one, one.facts.get("issue") if "part" in one.facts else None): one for one in (*kept, *missing)}
    return Proposal(whole.kind, whole.summary, tuple(once.values()))


def _of_one_issue(one: Statement, other: Statement) -> bool:
    """Tell whether two statements are whole ones, or the same part of one issue."""
    if "part" not in one.facts and "part" not in other.facts:
        return ("issue" in one.facts) == ("issue" in other.facts)
    return one.facts == other.facts


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one == other or len(one & other) >= _SAME * len(one | other)


def _both(one: Statement, other: Statement) -> Statement:
    return replace(
        one,
        quotes=tuple(dict.fromkeys((*one.quotes, *other.quotes)))[:ITEMS_MAX],
        citations=tuple(dict.fromkeys((*one.citations, *other.citations)))[:ITEMS_MAX],
        severity=max(one.severity, other.severity, key=_SEVERITIES.index),
        reason=one.reason or other.reason,
    )
