"""Creating a job: a loaded body in, the answer that is kept for repeats out (decisions 025 and 027).

The HTTP route and the tool server, whose tasks are jobs, call this, so both check, hold and repeat alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from app import analysis, credits, idempotency
from app.analysis.api import request_parsing
from app.jobs import queries, queue, submit
from app.jobs.models import Job, Kind
from app.jobs.payload import Payload
from app.platform import clock
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import http
from app.tenancy import Caller

__all__ = ["create"]


def create(
    caller: Caller,
    body: dict[str, Any],
    *,
    raw: dict[str, Any],
    key: str | None,
    request_id: str,
    base_url: str,
) -> tuple[idempotency.StoredAnswer, bool]:
    """Create a job; return the answer (202) and whether it is a repeat.

    Args:
        caller: who pays.
        body: `kind`, and `payload` as the synchronous endpoint takes it.
        raw: the body as it was sent, by which a repeat is recognised.
        key: the Idempotency-Key, if one was sent.
        request_id: goes into the job's audit records.
        base_url: where this service is reached, without a slash at the end.

    Raises:
        Invalid: naming the field of the payload that is wrong (400 or 422, 404 for an unknown document).
        TooManyPending: the key has as many waiting jobs as it may have (429).
        InsufficientCredits: or `SpendCapReached` (402); then nothing is held.
    """
    kind: Kind = body["kind"]
    with _as_payload():
        loaded = _LOADERS[kind](body["payload"])

    def work(claim: idempotency.Claim | None) -> idempotency.StoredAnswer:
        if claim is not None and claim.free:
            # The job exists and only the answer that told of it is lost: it must not be made twice.
            with db.reading() as session:
                found = queries.created_under(session, caller.account_id, kind, claim.key, caller=caller)
                return _created(found)
        with _as_payload():
            payload = _payload(caller, kind, loaded)
        now = clock.now()

        def write(session: db.Statements) -> Job:
            job = submit.accept(
                session,
                caller,
                payload,
                request_id=request_id,
                base_url=base_url,
                now=now,
                idempotency_key=key,
            )
            if claim is not None:
                session.take(idempotency.completing(claim, now=now))
            return job

        try:
            job = db.atomically(write)
        except credits.SpendCapReached as reached:
            analysis.announce_cap(caller, reached.details or {}, now)
            raise
        queue.enqueue([job])
        return _created(job)

    return idempotency.once(caller, f"POST /api/v1/jobs {kind}", key, raw, work)


_LOADERS: Mapping[Kind, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "analyze": request_parsing.load_job_request,
    "analyze_batch": request_parsing.load_job_batch,
}


def _payload(caller: Caller, kind: Kind, loaded: dict[str, Any]) -> Payload:
    if kind == "analyze":
        return Payload.single(request_parsing.job_request_of(caller, loaded))
    found = request_parsing.job_batch_of(caller, loaded)
    return Payload(kind, found.items, found.worst_case, found.concurrency)


@contextmanager
def _as_payload() -> Iterator[None]:
    """Name the fields of an error as those of `payload`."""
    try:
        yield
    except Invalid as error:
        details = error.details or {}
        field = f"payload.{details['field']}" if "field" in details else "payload"
        message = f"payload.{error.message}" if "field" in details else error.message
        if "errors" in details:
            wrong = [{**one, "field": f"payload.{one['field']}"} for one in details["errors"]]
            details = {**details, "errors": wrong}
        raise Invalid(
            message, code=error.code, status=error.status, details={**details, "field": field}
        ) from None


def _created(job: Job) -> idempotency.StoredAnswer:
    body = {
        "jobId": str(job.id),
        "status": "pending",
        "createdAt": clock.iso(job.created_at),
        "pollUrl": job.poll_url,
    }
    return idempotency.StoredAnswer(202, {}, http.encode(body))
