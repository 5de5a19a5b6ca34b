"""Leave out findings that tell a reader what another one tells already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from app.rules.document import Document, Span
from app.rules.rulebook.comparisons import Comparison
from app.rules.rulebook.defect_words import subject
from app.rules.rulebook.schema import Risk

# From this share of the longer words of the shorter title, two rules on one article are about one matter.
_LIKE: Final = 0.4
_RANK: Final = {"high": 0, "medium": 1, "low": 2}


class _Finding(Protocol):
    @property
    def risk(self) -> Risk: ...
    @property
    def spans(self) -> tuple[Span, ...]: ...
    @property
    def comparison(self) -> Comparison: ...
    @property
    def alike(self) -> bool: ...


_Found = TypeVar("_Found", bound=_Finding)


def told_once(document: Document, findings: Sequence[_Found]) -> list[_Found]:
    """Return findings without those whose matter another one tells on the same article and sentences.

    Rules of other countries than Spain were written by several authors, and some say the same in other words.
    What a pattern met goes before what is only alike, what is grave before the rest. Two defects of one
    sentence stay two: their titles have few words in common.
    """
    told: list[_Found] = []
    for one in sorted(
        findings,
        key=lambda one: (
            one.alike, _RANK[one.risk.severity], not one.risk.critical, _of_a_directive(one),
        ),
    ):  # fmt: skip
        heard = [
            document.sentence(span) for other in told if _on_one_matter(one, other) for span in _places(other)
        ]
        places = [document.sentence(span) for span in _places(one)]
        if not places or not all(any(a.start < b.end and b.start < a.end for b in heard) for a in places):
            told.append(one)
    kept = set(map(id, told))
    return [one for one in findings if id(one) in kept]


def _places(finding: _Finding) -> tuple[Span, ...]:
    """Return where a finding stands: its words, or the figure that it compares."""
    return finding.spans or tuple(one.span for one in finding.comparison.evidence)


def _of_a_directive(finding: _Finding) -> bool:
    return finding.risk.basis[0].celex[5:6] == "L"


def _on_one_matter(one: _Finding, other: _Finding) -> bool:
    if one.risk.section != other.risk.section:
        return False
    first, second = (
        [(basis.norm, basis.article) for basis in finding.risk.basis] for finding in (one, other)
    )
    if not first or not second:
        return False
    # A directive binds no private party: the law of the country that carries it out is told.
    carried_out = _of_a_directive(one) and not _of_a_directive(other)
    if not carried_out and not (first[0] in second or second[0] in first):
        return False
    words, others = subject(one.risk.title.es), subject(other.risk.title.es)
    return len(words & others) >= _LIKE * max(1, min(len(words), len(others)))
