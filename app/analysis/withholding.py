"""Withhold an analysis with a broken citation where the enforcement policy says so (decision 058)."""

from __future__ import annotations

import uuid

import psycopg
import sqlalchemy as sa

from app import webhooks
from app.analysis.checks.citation_findings import BROKEN
from app.analysis.pipeline import Analysis
from app.platform import clock, log
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.tenancy import Caller

_logger = log.logger("analysis")
# Namespace of the ids of events: a document of a request is announced once, however often it is tried.
_EVENTS = uuid.UUID("9b0c5b0e-6a53-4c0e-8f6e-2f7a1d0c4e55")
# Citations that the error names at most.
_NAMED = 50


class OutputWithheld(Invalid):
    """422: the policy that holds for the key withholds outputs with a broken citation; nothing is charged."""

    code = "OUTPUT_WITHHELD_BY_POLICY"
    status = 422


def enforce(caller: Caller, analysed: Analysis, *, analysis_id: uuid.UUID, request_id: str) -> None:
    """Raise where the caller's policy withholds this analysis, and publish `output.withheld`.

    Call it before anything is charged. Code decided the verdicts; a model has no say in it.

    Raises:
        OutputWithheld: With the broken citations of the client's own document in its details.
    """
    policy = caller.enforcement
    broken = [item for item in analysed.checks if item.verdict.status in BROKEN]
    if not policy.enabled or not broken:
        return
    _announce(caller, analysed, len(broken), analysis_id=analysis_id, request_id=request_id)
    own = [
        {"citation": item.citation.text, "status": item.verdict.status} for item in broken if item.in_document
    ]
    raise OutputWithheld(
        f"The enforcement policy of this {_WHOSE[policy.scope or 'user']} withholds analyses with a broken "
        f"citation; this one has {len(broken)}. You were not charged. Correct the citations and send the "
        "document again, or ask the account's owner about the policy.",
        details={
            "policy": {"scope": policy.scope, "version": policy.version},
            "broken": len(broken),
            "citations": own[:_NAMED],
        },
    )


_WHOSE = {"api_key": "key", "organization": "organization", "user": "account"}


def _announce(
    caller: Caller, analysed: Analysis, broken: int, *, analysis_id: uuid.UUID, request_id: str
) -> None:
    request = analysed.request
    event_id = uuid.uuid5(_EVENTS, f"{caller.key_id} {request_id} {request.text.fingerprint()}")
    payload = {
        "analysisId": str(analysis_id),
        "requestId": request_id,
        "jurisdiction": request.jurisdiction,
        "legalBranch": request.branch,
        "mode": request.mode,
        "policyVersion": caller.enforcement.version,
        "broken": broken,
    }
    try:
        with db.transaction() as session:
            webhooks.publish(
                session,
                caller.account_id,
                "output.withheld",
                payload,
                now=clock.now(),
                api_key_id=caller.key_id,
                event_id=event_id,
            )
    except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
        # The caller is owed the refusal whatever becomes of the news.
        _logger.warning("a withheld output was not announced", exc_info=error)
