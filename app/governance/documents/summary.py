"""Totals of a period's records, in constant memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.governance.audit_log import broken_in


@dataclass(slots=True)
class Totals:
    """Numbers of analyses, of credits, and of analyses with a broken citation."""

    analyses: int = 0
    credits: int = 0
    flagged: int = 0


@dataclass(slots=True)
class PeriodSummary:
    """Totals over records, which are added one by one."""

    whole: Totals = field(default_factory=Totals)
    masked: Counter[str] = field(default_factory=Counter)
    locks: Counter[str] = field(default_factory=Counter)
    citations: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    months: dict[str, Totals] = field(default_factory=dict)
    keys: dict[str, Totals] = field(default_factory=dict)
    laws: dict[tuple[str, str], Totals] = field(default_factory=dict)
    modes: dict[str, Totals] = field(default_factory=dict)
    # Positions in the chain.
    first: int = 0
    last: int = 0

    def add(self, seq: int, content: Mapping[str, Any]) -> None:
        """Add one record; records come in the order of the chain."""
        self.first, self.last = self.first or seq, seq
        flagged = broken_in(content) > 0
        shares = (
            self.whole,
            self.months.setdefault(content["finishedAt"][:7], Totals()),
            self.keys.setdefault(content["apiKeyId"], Totals()),
            self.laws.setdefault((content["jurisdiction"], content["legalBranch"]), Totals()),
            self.modes.setdefault(content["mode"], Totals()),
        )
        for share in shares:
            share.analyses += 1
            share.credits += content["credits"]
            share.flagged += flagged
        self.masked.update(content["redactions"])
        self.locks.update(content["locks"])
        self.citations.update(content["citations"])
        self.findings.update(content.get("findings", {}))
        self.models.update(content["models"])
