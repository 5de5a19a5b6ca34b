"""Endpoints /api/v1/jobs."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Response, request

from app import analysis, idempotency, jobs
from app.analysis.api import request_parsing
from app.jobs import examples, long_poll, operations, schemas
from app.platform import clock
from app.platform.postgres import db
from app.platform.web import http, openapi, public_address
from app.tenancy.guard import caller, require_key

routes = openapi.Routes("jobs", __name__, url_prefix="/api/v1", description="Jobs: asynchronous analyses.")

# Described in the OpenAPI document by name: `payload` is loaded by its kind.
PAYLOADS = request_parsing.JOB_PAYLOADS

_STATES = {
    name: {"summary": name, "value": job}
    for name, job in (
        ("pending", examples.PENDING),
        ("running", examples.ANALYSING),
        ("running, a batch", examples.RUNNING),
        ("completed", examples.completed(request_parsing.EXAMPLE_ANSWER)),
        ("failed", examples.FAILED),
        ("cancelled", examples.CANCELLED),
        ("result expired", examples.EXPIRED),
    )
}
_SEEN = {
    "in": "header",
    "name": "If-None-Match",
    "description": "`ETag` of the answer that you have, while the job is open.",
    "schema": {"type": "string"},
}
_TAGGED = {
    "ETag": {"description": "Of an open job, tells this state from others.", "schema": {"type": "string"}}
}
_POSTED = {**openapi.RATE_HEADERS, **openapi.REPLAYED_HEADER}


@routes.route("/jobs", methods=["POST"])
@require_key("analyze", window="work")
@routes.arguments(schemas.JobCreate, example=examples.REQUEST)
@routes.response(202, schemas.JobCreated, headers=_POSTED, example=examples.CREATED)
@openapi.fails(
    routes, 400, 401, 402, 404, 409, 413, 415, 422, 429, 500, 503,
    examples={
        400: examples.UNKNOWN_KIND,
        404: examples.UNKNOWN_DOCUMENT,
        422: examples.TOO_SHORT,
        429: examples.TOO_MANY_PENDING,
    },
)  # fmt: skip
@routes.doc(operationId="createJob", parameters=[openapi.IDEMPOTENCY_KEY])
def create(body: dict[str, Any]) -> Response:
    """Submit a job

    `payload` is validated at once, as by the synchronous endpoint, except that a document may have up to
    500,000 characters. A document costs 1 credit (2 at mode deep) for every 50,000 characters begun. The
    worst case is reserved, and charged only when the job completes. Poll `pollUrl` for the result, or
    register a webhook. Documents and result are stored encrypted: the documents until the job ends, the
    result until it expires, and as long an uploaded document (`documentRef`), which comments and pages of the
    result refer to. A key can have 1,000 pending jobs.
    """
    stored, replayed = operations.create(
        caller(),
        body,
        raw=http.json_body(),
        key=idempotency.key_of(request.headers.get("Idempotency-Key")),
        request_id=http.request_id(),
        base_url=public_address.base(),
    )
    return http.replayable(stored.status, stored.headers, stored.body, replayed=replayed)


@routes.route("/jobs", methods=["GET"])
@require_key("analyze")
@routes.arguments(schemas.JobQuery, location="query")
@routes.response(200, schemas.JobList, headers=openapi.RATE_HEADERS, example=examples.LIST)
@openapi.fails(routes, 400, 401, 429, 500, 503)
@routes.doc(operationId="listJobs")
def index(query: dict[str, Any]) -> Response:
    """List the jobs of the key

    Newest first, without results.
    """
    me, now = caller(), clock.now()
    with db.reading() as session:
        found = jobs.listing(
            session,
            me.account_id,
            me.key_id,
            status=query.get("status"),
            limit=query["limit"],
        )
        return http.answer({"jobs": [_entry(job, now) for job in found]})


@routes.route("/jobs/<uuid:job_id>", methods=["GET"])
@require_key("analyze")
@routes.arguments(schemas.JobWait, location="query")
@routes.response(200, schemas.Job, headers={**openapi.RATE_HEADERS, **_TAGGED}, examples=_STATES)
@routes.alt_response(
    304,
    description="The open job is as the client has it, by `If-None-Match`.",
    headers={**openapi.RATE_HEADERS, **_TAGGED},
)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503, examples={404: examples.UNKNOWN})
@routes.doc(operationId="getJob", parameters=[_SEEN])
def show(query: dict[str, Any], job_id: uuid.UUID) -> Response:
    """Get a job

    `progress` says how many documents are done and, while an analysis runs, its stage with some counts:
    never anything that has not been judged. With `wait`, the answer comes when the job is no longer as
    `If-None-Match` says, or as it was when you asked, at the latest after so many seconds. `result` is what
    the synchronous endpoint would have returned; it is available until `resultExpiresAt`.
    """
    me = caller()

    def look() -> _Shown:
        with db.reading() as session:
            job = jobs.find(session, me.account_id, job_id, caller=me)
        return _Shown.of(job)

    has = request.if_none_match.contains_weak if request.if_none_match else None
    shown = long_poll.until_changed(look, has, query["wait"])
    if shown.etag is None:
        return http.answer(_job(shown.job))
    known = has is not None and has(shown.etag)
    response = Response(status=304) if known else http.answer({**shown.state, "result": None})
    response.set_etag(shown.etag)
    return response


@routes.route("/jobs/<uuid:job_id>", methods=["DELETE"])
@require_key("analyze")
@routes.response(200, schemas.Job, headers=openapi.RATE_HEADERS, example=examples.CANCELLED)
@openapi.fails(
    routes, 401, 404, 409, 429, 500, 503,
    examples={404: examples.UNKNOWN, 409: examples.NOT_PENDING},
)  # fmt: skip
@routes.doc(operationId="cancelJob")
def cancel(job_id: uuid.UUID) -> Response:
    """Cancel a pending job

    The reserved credits are released at once. 409 if the job has already started.
    """
    me = caller()
    with db.transaction() as session:
        job = jobs.cancel(session, me.account_id, job_id, now=clock.now(), caller=me)
    jobs.discard(job.id)
    return http.answer(_job(job))


@dataclass(frozen=True, slots=True)
class _Shown:
    """An open job as its answer shows it with the entity tag of that, or one that has ended, with none."""

    job: jobs.Job
    state: dict[str, Any]
    etag: str | None

    @classmethod
    def of(cls, job: jobs.Job) -> _Shown:
        state = _state(job, clock.now())
        if job.status not in ("pending", "running"):
            return cls(job, state, None)
        now = jobs.progress_of(job)
        if now is not None:
            state["progress"]["current"] = _current(now)
        return cls(job, state, hashlib.sha256(http.encode(state)).hexdigest()[:32])


def _current(now: analysis.Progress) -> dict[str, Any]:
    return {
        "stage": now.stage,
        "stages": now.stages,
        "partsRead": now.parts_read,
        "parts": now.parts,
        "sourcesFound": now.sources_found,
        "statementsJudged": now.statements_judged,
    }


def _job(job: jobs.Job) -> dict[str, Any]:
    now = clock.now()
    result = jobs.result(job, now=now)
    state = _state(job, now)
    # A result that Redis lost before its time is as gone as one whose time is over.
    gone = job.status == "completed" and result is None
    return {**state, "resultExpired": gone, "result": result}


def _entry(job: jobs.Job, now: datetime) -> dict[str, Any]:
    state = _state(job, now)
    return {
        **state,
        "id": state["jobId"],
        "created_at": state["createdAt"],
        "started_at": state["startedAt"],
        "completed_at": state["completedAt"],
        "credits_charged": state["creditsCharged"],
        "error_code": job.error_code,
    }


def _state(job: jobs.Job, now: datetime) -> dict[str, Any]:
    code = job.error_code
    return {
        "jobId": str(job.id),
        "kind": job.kind,
        "status": job.status,
        "progress": {"done": job.done, "total": job.total},
        "createdAt": clock.iso(job.created_at),
        "startedAt": clock.iso(job.started_at) if job.started_at else None,
        "completedAt": clock.iso(job.completed_at) if job.completed_at else None,
        "creditsCharged": job.credits_charged,
        "error": {"code": code, "message": jobs.meaning(code)} if code else None,
        "resultExpiresAt": clock.iso(job.result_expires_at) if job.result_expires_at else None,
        "resultExpired": jobs.expired(job, now=now),
    }
