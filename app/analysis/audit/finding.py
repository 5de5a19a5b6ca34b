"""Describe, rank and join what node B objects to (decision 020). Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from app.rules import Severity

FindingType = Literal["hallucination", "missing_clause", "weak_reasoning", "citation_error", "other"]

# What became of a finding when node A was asked: it changed its statement, or it did not.
Outcome = Literal["amended", "lowered", "withdrawn", "disputed", "stood_by"]

FINDINGS: tuple[FindingType, ...] = get_args(FindingType)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
DESCRIPTION_MAX = 1_000
# A reader works through a list like this; what comes after would hide what comes before.
MOST = 200


@dataclass(frozen=True, slots=True)
class Grounds:
    """The words that a finding rests on; `citation` names the law, and is empty for the document."""

    words: str
    citation: str = ""

    def __repr__(self) -> str:
        return f"<Grounds of {len(self.words)} characters>"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that node B objects to.

    Attributes:
        type: what is wrong.
        severity: how much it matters.
        description: anonymised as the analysis is, and at most 1,000 characters.
        statement: place of the statement it attacks, from 0; `None` where it concerns the whole.
        grounds: the words that show it, where a model objects.
        outcome: what became of it, where node A was asked or code upheld it.
        answer: why node A stands by its statement.
    """

    type: FindingType
    severity: Severity
    description: str
    statement: int | None = None
    grounds: Grounds | None = None
    outcome: Outcome | None = None
    answer: str = ""

    def __post_init__(self) -> None:
        if len(self.description) > DESCRIPTION_MAX:
            object.__setattr__(self, "description", self.description[: DESCRIPTION_MAX - 1].rstrip() + "…")

    def with_texts(self, change: Callable[[str], str]) -> Finding:
        """Return the finding with its texts changed by `change`."""
        grounds = self.grounds
        return replace(
            self,
            description=change(self.description),
            answer=change(self.answer),
            grounds=grounds
            and replace(grounds, words=change(grounds.words), citation=change(grounds.citation)),
        )

    def on_the_wire(self) -> dict[str, Any]:
        """Return AuditFinding (decisions 020 and 072); `statement` counts from 1."""
        found: dict[str, Any] = {
            "type": self.type,
            "severity": self.severity,
            "description": self.description,
        }
        if self.statement is not None:
            found["statement"] = self.statement + 1
        if self.grounds is not None:
            found["passage"] = {
                "source": "law" if self.grounds.citation else "document",
                "words": self.grounds.words,
                **({"citation": self.grounds.citation} if self.grounds.citation else {}),
            }
        if self.outcome is not None:
            found["outcome"] = self.outcome
        if self.answer:
            found["answer"] = self.answer
        return found


def worst(findings: Iterable[Finding]) -> Severity:
    """Return the severity of the worst finding, `low` where there is none."""
    return max((finding.severity for finding in findings), key=SEVERITIES.index, default="low")


def merged(certain: Iterable[Finding], claimed: Iterable[Finding]) -> tuple[Finding, ...]:
    """Join what code found and what a model claims beyond it, worst first within each, equal ones once.

    A claim about a statement that code attacked on the same ground adds nothing, unless code upheld it.
    """
    found = list(dict.fromkeys(certain))
    known = {(finding.type, finding.statement) for finding in found if finding.statement is not None}
    said = {finding.description.casefold() for finding in found}
    more = [
        finding
        for finding in dict.fromkeys(claimed)
        if ((finding.type, finding.statement) not in known or finding.outcome == "disputed")
        and finding.description.casefold() not in said
    ]
    return tuple([*_ranked(found), *_ranked(more)][:MOST])


def _ranked(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -SEVERITIES.index(finding.severity))
