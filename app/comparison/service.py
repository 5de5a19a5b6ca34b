"""Compare two versions for a caller: analyse both, charge once, keep the answer for a day (decision 080)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from app import analysis, branding, documents, governance, idempotency
from app.analysis import AnalysisRequest, AnalysisResult
from app.comparison import kept, storage
from app.comparison.answer import Compared, PageAt, answer_fields
from app.comparison.errors import SameVersions
from app.comparison.kept import KeptComparison, KeptVersion
from app.comparison.versions import Side, compare_versions
from app.platform import clock, log, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.platform.processes import thread_pool
from app.tenancy import Caller
from app.text.bilingual import Language

# A comparison is priced as one deep analysis: each version is an analysis at mode standard (decision 080).
CREDITS = analysis.price("deep")

_logger = log.logger("comparison")


@dataclass(frozen=True, slots=True)
class Version:
    """One version to compare: its text and, of an uploaded document, what was read of it."""

    text: DocumentText
    document_ref: uuid.UUID | None = None
    reading: documents.Reading | None = field(default=None, repr=False)

    def page_at(self, offset: int) -> int | None:
        """Return the page on which an offset of the text stands, if it is known."""
        return self.reading.page_at(offset) if self.reading is not None else None

    @property
    def source(self) -> analysis.Source | None:
        """The upload, for the pages of quotations and doubts about how it was read."""
        if self.document_ref is None or self.reading is None:
            return None
        return analysis.Source(self.document_ref, self.reading)

    def keep(self) -> KeptVersion:
        """Return what is kept of it."""
        media_type = self.reading.media_type if self.reading is not None else None
        return KeptVersion(self.text.reveal(), self.document_ref, media_type)


def compare_and_charge(
    caller: Caller,
    before: Version,
    after: Version,
    asked: AnalysisRequest,
    *,
    request_id: str,
    base_url: str,
    claim: idempotency.Claim | None = None,
) -> dict[str, Any]:
    """Analyse both versions, compare them, charge once and keep the answer; return it.

    Args:
        caller: who pays.
        before: the version that was.
        after: the version that is.
        asked: jurisdiction, branch, language and role for both; its text and mode are not used.
        request_id: the request's id, for the audit records.
        base_url: where this service is reached, without a slash at the end.
        claim: the idempotency claim to complete; a free one (charged before, its answer lost) costs nothing.

    Raises:
        SameVersions: both have the same words (422); raised before any work.
        InsufficientCredits: the balance does not cover the price (402); raised before any work.
        OutputWithheld: a policy withholds one of the analyses (422); nothing is charged.
        ModelFailed: or `ModelUnavailable`: a model does not answer (502, 503); nothing is charged.
    """
    if before.text.reveal().split() == after.text.reveal().split():
        raise SameVersions
    started_at, started = clock.now(), time.monotonic()
    comparison_id, config = uuid.uuid4(), settings.current()
    with analysis.credit_hold(caller, CREDITS, now=started_at, ttl_s=config.hold_ttl_s, claim=claim) as hold:
        requests = [
            replace(asked, text=one.text, mode="standard", source=one.source) for one in (before, after)
        ]
        one = partial(
            analysis.analyse, caller, request_id=request_id, on=started_at, charged=hold is not None
        )
        with thread_pool.ContextPool(len(requests), thread_name_prefix="compare") as pool:
            results = list(pool.map(one, requests))
        answer = _answer(before, after, results, asked)
        results = [_of_answer(result, answer["analysis"]) for result in results]
        answer |= {
            "comparisonId": str(comparison_id),
            "requestId": request_id,
            "creditsCharged": sum(result.price for result in results),
            "processingMs": max(1, round((time.monotonic() - started) * 1000)),
            "reportUrl": f"{base_url}/api/v1/compare/{comparison_id}/report",
        }
        _keep_and_settle(
            caller,
            comparison_id,
            answer,
            (before, after),
            results,
            language=asked.language,
            hold=hold,
            claim=claim,
        )
    _logger.info(
        "compared",
        comparisonId=str(comparison_id),
        account=str(caller.account_id),
        key=caller.key_prefix,
        characters=len(before.text) + len(after.text),
        ms=answer["processingMs"],
    )
    return answer


def _answer(
    before: Version, after: Version, results: Sequence[AnalysisResult], asked: AnalysisRequest
) -> dict[str, Any]:
    pages: dict[Side, PageAt] = {"before": before.page_at, "after": after.page_at}
    # Computing, as an analysis is: one thread of a process at a time.
    with analysis.CPU_LOCK:
        versions = compare_versions(
            before.text.reveal(), after.text.reveal(), results[1].answer["jurisdiction"]
        )
        compared = Compared.of(versions, results[0], results[1], asked.language)
        return answer_fields(compared, pages, wire_name=settings.current().wire_name)


def _of_answer(result: AnalysisResult, text: str) -> AnalysisResult:
    """Return a result whose audit record has the hash of the text that is given: that of the comparison."""
    assert result.record is not None
    entry = replace(result.record.entry, analysis_hash=governance.content_hash(text))
    return replace(result, record=replace(result.record, entry=entry))


def _keep_and_settle(
    caller: Caller,
    comparison_id: uuid.UUID,
    answer: dict[str, Any],
    versions: tuple[Version, Version],
    results: Sequence[AnalysisResult],
    *,
    language: Language,
    hold: uuid.UUID | None,
    claim: idempotency.Claim | None,
) -> None:
    """Store the sealed answer, then charge and write its row in one transaction; on failure drop it again."""
    config, now = settings.current(), clock.now()
    expires_at = now + timedelta(hours=config.comparison_hours)
    answer["expiresAt"] = clock.iso(expires_at)
    author = branding.attribution_of(caller).author(config.service_name)
    sealed = KeptComparison(answer, versions[0].keep(), versions[1].keep(), language, author)
    key = storage.new_key(comparison_id)
    storage.put(comparison_id, key.clear, sealed.as_bytes(), ttl_s=round(config.comparison_hours * 3600))
    refs = [one.document_ref for one in versions if one.document_ref is not None]
    row = {
        "id": comparison_id,
        "account_id": caller.account_id,
        "api_key_id": caller.key_id,
        "request_id": answer["requestId"],
        **{name: answer["counts"][name] for name in ("added", "removed", "changed", "moved", "unchanged")},
        **{f"risks_{name}": len(answer["risks"][name]) for name in ("appeared", "went", "stayed")},
        "credits_charged": answer["creditsCharged"] if hold is not None else 0,
        "created_at": now,
        "expires_at": expires_at,
        "data_key": key.wrapped,
    }
    reference = analysis.ChargeReference("compare", "comparison", comparison_id, "comparison of two versions")
    try:
        if refs:
            # The report is made of the uploaded files, as long as it can be asked for.
            with db.transaction() as session:
                documents.keep_until(
                    session, caller, refs, user=comparison_id, until=expires_at, at_most=expires_at, now=now
                )
        analysis.settle(caller, results, reference, hold=hold, claim=claim, after=[kept.inserting(row)])
    except db.OutcomeUnknown:
        # It may have been charged: what was charged stays readable.
        raise
    except BaseException:
        storage.drop(comparison_id)
        if refs:
            _release(caller, comparison_id)
        raise


def _release(caller: Caller, comparison_id: uuid.UUID) -> None:
    try:
        with db.transaction() as session:
            documents.release(session, caller.account_id, user=comparison_id)
    except Exception as error:
        # They expire with the time that was asked for; the first failure is the one to report.
        _logger.warning("documents of a failed comparison kept on", exc_info=error)
