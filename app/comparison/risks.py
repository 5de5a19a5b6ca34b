"""Match the risks of two versions: which appeared, which went and which stayed. Pure.

What the rules found is matched by its rule and by the clauses it stands in; what a model found, that has no
rule, by the clauses, the law it rests on and its words. Never by its words alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from app.rules import Severity
from app.text.sentences import fold

# Of 1: how alike two statements without a rule must be to be the same risk.
_SAME_RISK = 0.55
_CLAUSE, _LAW, _WORDS = 0.35, 0.25, 0.4


@dataclass(frozen=True, slots=True)
class Risk:
    """One risk of one version.

    Attributes:
        place: its index among the statements of the analysis.
        key: what found it: a rule, a kind of defect or of inconsistency; "" for a model's.
        severity: its severity.
        clauses: indexes of the changes of the clauses that it quotes, the first quotation's first.
        law: the authorities that it rests on, as they are written.
        text: the statement itself.
        numbers: the figures and dates that it states.
    """

    place: int
    key: str
    severity: Severity | None
    clauses: tuple[int, ...]
    law: frozenset[str]
    text: str = field(repr=False)
    numbers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Stayed:
    """A risk of both versions."""

    before: Risk
    after: Risk

    @property
    def severity_changed(self) -> bool:
        """Whether it became more or less serious."""
        return self.before.severity != self.after.severity

    @property
    def figures_changed(self) -> bool:
        """Whether it is told with other figures."""
        return self.before.numbers != self.after.numbers


@dataclass(frozen=True, slots=True)
class RiskChanges:
    """What became of the risks; each in the order of its analysis, the gravest first."""

    appeared: tuple[Risk, ...]
    went: tuple[Risk, ...]
    stayed: tuple[Stayed, ...]


def match_risks(before: Sequence[Risk], after: Sequence[Risk]) -> RiskChanges:
    """Return which risks of two versions of a document are the same."""
    partner: dict[int, int] = {}
    for pairs in (_by_rule(before, after), _by_likeness(before, after)):
        for old, new in list(pairs):
            if old not in partner.values() and new not in partner:
                partner[new] = old
    stayed = tuple(Stayed(before[partner[new]], after[new]) for new in sorted(partner))
    held = set(partner.values())
    return RiskChanges(
        tuple(one for at, one in enumerate(after) if at not in partner),
        tuple(one for at, one in enumerate(before) if at not in held),
        stayed,
    )


def _by_rule(before: Sequence[Risk], after: Sequence[Risk]) -> Iterator[tuple[int, int]]:
    """Yield the places of risks that the same rule found: first in the same clause, then in any."""
    rules: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, risks in enumerate((before, after)):
        for at, one in enumerate(risks):
            if one.key:
                rules[one.key][side].append(at)
    for old, new in rules.values():
        for same_clause in (True, False):
            for i in old:
                for j in new:
                    if not same_clause or set(before[i].clauses) & set(after[j].clauses):
                        yield i, j


def _by_likeness(before: Sequence[Risk], after: Sequence[Risk]) -> Iterator[tuple[int, int]]:
    """Yield the places of risks of which one at least has no rule, the likeliest pair first."""
    pairs = (
        (_likeness(one, other), i, j)
        for i, one in enumerate(before)
        for j, other in enumerate(after)
        if not (one.key and other.key)
    )
    found = sorted((pair for pair in pairs if pair[0] >= _SAME_RISK), key=lambda pair: -pair[0])
    yield from ((i, j) for _, i, j in found)


def _likeness(one: Risk, other: Risk) -> float:
    clauses = set(one.clauses), set(other.clauses)
    same_clause = bool(clauses[0] & clauses[1]) or not (clauses[0] or clauses[1])
    if not same_clause and clauses[0] and clauses[1]:
        return 0.0
    law = bool(one.law & other.law) or not (one.law or other.law)
    words = fuzz.token_set_ratio(fold(one.text), fold(other.text)) / 100
    return _CLAUSE * same_clause + _LAW * law + _WORDS * words
