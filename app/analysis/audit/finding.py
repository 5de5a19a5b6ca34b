"""Describe, rank and join what node B objects to (decision 020). Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from app.rules import Severity

FindingType = Literal["hallucination", "missing_clause", "weak_reasoning", "citation_error", "other"]

FINDINGS: tuple[FindingType, ...] = get_args(FindingType)
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
DESCRIPTION_MAX = 1_000
# A reader works through a list like this; what comes after would hide what comes before.
MOST = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that node B objects to.

    Attributes:
        type: what is wrong.
        severity: how much it matters.
        description: anonymised as the analysis is, and at most 1,000 characters.
        statement: place of the statement it attacks, from 0; `None` where it concerns the whole.
    """

    type: FindingType
    severity: Severity
    description: str
    statement: int | None = None

    def __post_init__(self) -> None:
        if len(self.description) > DESCRIPTION_MAX:
            object.__setattr__(self, "description", self.description[: DESCRIPTION_MAX - 1].rstrip() + "…")


def worst(findings: Iterable[Finding]) -> Severity:
    """Return the severity of the worst finding, `low` where there is none."""
    return max((finding.severity for finding in findings), key=SEVERITIES.index, default="low")


def merged(certain: Iterable[Finding], claimed: Iterable[Finding]) -> tuple[Finding, ...]:
    """Join what code found and what a model claims beyond it, worst first within each, equal ones once.

    A claim about a statement that code attacked on the same ground adds nothing.
    """
    found = list(dict.fromkeys(certain))
    known = {(finding.type, finding.statement) for finding in found if finding.statement is not None}
    said = {finding.description.casefold() for finding in found}
    more = [
        finding
        for finding in dict.fromkeys(claimed)
        if (finding.type, finding.statement) not in known and finding.description.casefold() not in said
    ]
    return tuple([*_ranked(found), *_ranked(more)][:MOST])


def _ranked(findings: list[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -SEVERITIES.index(finding.severity))
