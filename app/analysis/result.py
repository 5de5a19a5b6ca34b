"""Hold what became of one document: its answer and audit record, or why it failed.

An audit record is metadata, never text.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from app import governance
from app.analysis.answer.report import Report
from app.analysis.checks import citation_findings
from app.analysis.pipeline import Analysis
from app.tenancy import Caller

FailureCode = Literal["VALIDATION_ERROR", "MODEL_ERROR", "UNKNOWN_ERROR", "OUTPUT_WITHHELD_BY_POLICY"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a document of a batch has no analysis (decision 026).

    Attributes:
        error: one sentence for the client.
        code: the kind of failure.
        http_status: the status that the document alone would have been answered with.
    """

    error: str
    code: FailureCode
    http_status: int


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """Result of one document: an analysis or a failure. `repr` shows no text.

    Attributes:
        answer: the fields that a single answer and an item of a batch have in common, as JSON has them;
            empty where the document failed.
        record: what is written when it is charged; `None` where it failed.
        failure: why it failed; `None` where it did not.
        report: the finished report; `None` where it failed or where an earlier attempt of a job made it.
        document_id: the id that its sender gave it in a batch.
    """

    answer: Mapping[str, Any] = field(default_factory=dict)
    record: AuditRecord | None = None
    failure: Failure | None = None
    report: Report | None = None
    document_id: str | None = None

    def __repr__(self) -> str:
        return f"<AnalysisResult {self.failure.code if self.failure else 'success'}>"

    @property
    def analysis_id(self) -> uuid.UUID:
        """The id of the analysis. Only a success has one."""
        assert self.record is not None, "a document that failed has no analysis"
        return self.record.entry.analysis_id

    @property
    def price(self) -> int:
        """Credits that the document costs, 0 where it failed.

        The answer to a free re-run names them again, though nothing is charged.
        """
        return int(self.answer["creditsCharged"]) if self.answer else 0

    @property
    def processing_ms(self) -> int:
        """Milliseconds that the analysis took, 0 where it failed."""
        return int(self.answer["processingMs"]) if self.answer else 0

    def with_processing_ms(self, processing_ms: int) -> AnalysisResult:
        """Return the result with the time that the whole request took."""
        return replace(self, answer={**self.answer, "processingMs": processing_ms})

    def with_attestation(self, attestation: Mapping[str, Any]) -> AnalysisResult:
        """Return the result with the signed attestation of its analysis."""
        return replace(self, answer={**self.answer, "attestation": dict(attestation)})

    def as_item(self) -> dict[str, Any]:
        """Return the item of a batch's answer: a success or an error (decision 026)."""
        if self.failure is not None:
            return {
                "id": self.document_id,
                "status": "error",
                "error": self.failure.error,
                "code": self.failure.code,
                "httpStatus": self.failure.http_status,
            }
        return {"id": self.document_id, "status": "success", **self.answer}

    def as_plain(self) -> dict[str, Any]:
        """Return the result as JSON has it, to rest sealed until its batch is whole."""
        return {"answer": self.as_item(), "record": self.record.as_plain() if self.record else None}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> AnalysisResult:
        """Return the result that `as_plain` gave, but for its report."""
        item, record = dict(plain["answer"]), plain["record"]
        document_id, status = item.pop("id"), item.pop("status")
        if status == "error":
            failure = Failure(item["error"], item["code"], item["httpStatus"])
            return cls(failure=failure, document_id=document_id)
        return cls(item, AuditRecord.from_plain(record), document_id=document_id)


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
        tokens: Mapping[str, Mapping[str, int]],
    ) -> AuditRecord:
        """Make the record of `analysis`; its price is 0 where it is not `charged`.

        `tokens` are those of models, by stage and kind; empty where none was asked.
        """
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
            tokens=tokens,
            own_engines=analysis.own,
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
        for name in ("models", "own_engines"):
            # A job that began before a field was there has none of it.
            entry[name] = tuple(entry.get(name, ()))
        return cls(governance.Entry(**entry), plain["flags"])


def _prompts(analysis: Analysis) -> dict[str, str]:
    """Return the versions of the instructions that models were given, as the modules name them."""
    found = (module.partition(" prompt ") for module in analysis.draft.modules)
    return {f"{node} prompt": version for node, word, version in found if word}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value
