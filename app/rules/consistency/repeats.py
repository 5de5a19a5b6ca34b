"""Leave out of what was found in a document what a statement about it says already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from app.rules.draft import Section, Statement

_FIGURE = re.compile(r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?|\d{3,}(?:[.,]\d{1,2})?")
_ARTICLE = re.compile(r"arts?\. (\d+)")
_OVERLAP = 24  # characters
_ENOUGH = 2


def leave_out_repeats(added: Sequence[Statement], told: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return `added`, risks each with its advice, without what a risk of `told` says.

    Two risks say the same where they give the same two figures, or rest on the same article and either give
    one figure or quote the same words.
    """
    risks = [one for one in told if one.section is Section.RISKS]
    repeated = {
        one.facts["inconsistency"]
        for one in added
        if one.section is Section.RISKS and any(_same(one, other) for other in risks)
    }
    return tuple(one for one in added if one.facts.get("inconsistency") not in repeated)


def _same(one: Statement, other: Statement) -> bool:
    shared = len(_figures(one) & _figures(other))
    if shared >= _ENOUGH:
        return True
    if not _articles(one) & _articles(other):
        return False
    return shared > 0 or any(_overlap(a, b) for a in one.quotes for b in other.quotes)


def _figures(statement: Statement) -> set[str]:
    return {re.sub(r"[.,]00$|[.,](?=\d{3})", "", figure) for figure in _FIGURE.findall(statement.text)}


def _articles(statement: Statement) -> set[tuple[str, str]]:
    """Return the article and the law of each citation."""
    return {
        (number[1], cite.split()[-1])
        for cite in statement.citations
        if (number := _ARTICLE.search(cite)) is not None
    }


def _overlap(one: str, other: str) -> bool:
    short, long = sorted((" ".join(one.split()), " ".join(other.split())), key=len)
    if short in long:
        return True
    return any(short[at : at + _OVERLAP] in long for at in range(0, max(len(short) - _OVERLAP, 0), 6))
