"""What is written of an examined document when it is charged: metadata, never text."""

from __future__ import annotations

import hashlib
import unicodedata
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
        analysed: Analysis,
        *,
        charged: bool,
        request_id: str,
        started_at: datetime,
        finished_at: datetime,
    ) -> AuditRecord:
        request = analysed.request
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
            models=analysed.models,
            versions={"engine": analysed.draft.engine, **_prompts(analysed)},
            redactions=analysed.redactions,
            citations=citation_findings.counts(analysed.checks),
            locks=analysed.report.levels,
            credits=request.price if charged else 0,
            document_hash=request.text.fingerprint(),
            document_characters=len(request.text),
            analysis_hash=content_hash(analysed.report.markdown),
            findings=analysed.audit.counts() if analysed.audit else {},
        )
        return cls(entry, len(analysed.report.review_flags))

    def as_plain(self) -> dict[str, Any]:
        """As JSON has it, for a record that must rest between two attempts of a job."""
        return {"flags": self.flags, "entry": {name: _plain(v) for name, v in asdict(self.entry).items()}}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> AuditRecord:
        entry = dict(plain["entry"])
        for name in ("analysis_id", "account_id", "api_key_id"):
            entry[name] = uuid.UUID(entry[name])
        for name in ("started_at", "finished_at"):
            entry[name] = datetime.fromisoformat(entry[name])
        return cls(governance.Entry(**{**entry, "models": tuple(entry["models"])}), plain["flags"])


def content_hash(analysis: str) -> str:
    """SHA-256 (hex) of the analysis text, NFC and trimmed (decision 036)."""
    return hashlib.sha256(unicodedata.normalize("NFC", analysis).strip().encode()).hexdigest()


def _prompts(analysed: Analysis) -> dict[str, str]:
    """The versions of the instructions that models were given, as the modules name them."""
    found = (module.partition(" prompt ") for module in analysed.draft.modules)
    return {f"{node} prompt": version for node, word, version in found if word}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value
