"""Make the record that is written of an analysis when it is charged: metadata, never text."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from app import governance
from app.analysis import citation_findings
from app.analysis.pipeline import Analysis
from app.tenancy import Caller


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """The audit trail's entry, and how many flags for review the report carries."""

    entry: governance.Entry
    flags: int

    @classmethod
    def of(
        cls,
        caller: Caller,
        analysis_id: uuid.UUID,
        analysis: Analysis,
        *,
        charged: bool,
        request_id: str,
        started_at: datetime,
        finished_at: datetime,
    ) -> AuditRecord:
        """Make the record of `analysis`; its price is 0 where it is not `charged`."""
        request = analysis.request
        entry = governance.Entry(
            analysis_id=analysis_id,
            account_id=caller.account_id,
            api_key_id=caller.key_id,
            request_id=request_id,
            started_at=started_at,
            finished_at=finished_at,
            jurisdiction=request.jurisdiction,
            branch=request.branch,
            language=request.language,
            mode=request.mode,
            models=analysis.models,
            versions={"engine": analysis.draft.engine, **_prompts(analysis)},
            redactions=analysis.redactions,
            citations=citation_findings.counts(analysis.checks),
            locks=analysis.report.levels,
            credits=request.price if charged else 0,
            document_hash=request.text.fingerprint(),
            document_characters=len(request.text),
            analysis_hash=governance.content_hash(analysis.report.markdown),
            findings=analysis.audit.counts() if analysis.audit else {},
        )
        return cls(entry, len(analysis.report.review_flags))

    def as_plain(self) -> dict[str, Any]:
        """Return the record as JSON has it, to rest between two attempts of a job."""
        return {"flags": self.flags, "entry": {name: _plain(v) for name, v in asdict(self.entry).items()}}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> AuditRecord:
        """Return the record that `as_plain` gave."""
        entry = dict(plain["entry"])
        for name in ("analysis_id", "account_id", "api_key_id"):
            entry[name] = uuid.UUID(entry[name])
        for name in ("started_at", "finished_at"):
            entry[name] = datetime.fromisoformat(entry[name])
        return cls(governance.Entry(**{**entry, "models": tuple(entry["models"])}), plain["flags"])


def _prompts(analysis: Analysis) -> dict[str, str]:
    """Return the versions of the instructions that models were given, as the modules name them."""
    found = (module.partition(" prompt ") for module in analysis.draft.modules)
    return {f"{node} prompt": version for node, word, version in found if word}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value
