"""What a period's records come to: sums by what a reader asks for, in memory that does not grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.governance.audit_log import broken_in


@dataclass(slots=True)
class Share:
    """Of a month, a key, a jurisdiction…: its analyses, their credits, and those with a broken citation."""

    analyses: int = 0
    credits: int = 0
    flagged: int = 0


@dataclass(slots=True)
class Digest:
    """Sums over records, given one by one to `add`."""

    whole: Share = field(default_factory=Share)
    masked: Counter[str] = field(default_factory=Counter)
    locks: Counter[str] = field(default_factory=Counter)
    citations: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    months: dict[str, Share] = field(default_factory=dict)
    keys: dict[str, Share] = field(default_factory=dict)
    laws: dict[tuple[str, str], Share] = field(default_factory=dict)
    modes: dict[str, Share] = field(default_factory=dict)
    # Positions in the chain.
    first: int = 0
    last: int = 0

    def add(self, seq: int, content: Mapping[str, Any]) -> None:
        """Take in one record; records come in the order of the chain."""
        self.first, self.last = self.first or seq, seq
        flagged = broken_in(content) > 0
        shares = (
            self.whole,
            self.months.setdefault(content["finishedAt"][:7], Share()),
            self.keys.setdefault(content["apiKeyId"], Share()),
            self.laws.setdefault((content["jurisdiction"], content["legalBranch"]), Share()),
            self.modes.setdefault(content["mode"], Share()),
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
