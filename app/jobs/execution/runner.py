"""Execution of one job: claim, decrypt, analyse, store the result, charge.

If the process is killed at any point, nothing is lost or charged twice: finished documents of a batch are
stored encrypted for the next attempt, and only the current attempt can commit the charge.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

import psycopg
import structlog

from app import analysis, usage
from app.jobs import errors, queries, storage
from app.jobs.execution import claims, complete, heartbeat
from app.jobs.execution.claims import Claim
from app.jobs.payload import Payload
from app.jobs.progress import ProgressWriter
from app.platform import clock, crypto, log, redis_client, settings
from app.platform.errors import DomainError, Upstream
from app.platform.lease_queue import LeaseLost
from app.platform.postgres import db, outage, rls
from app.platform.processes import thread_pool

# How long a document waits for a store before the job goes back to the queue, in seconds.
_DOCUMENT_PATIENCE_S = 10.0
# How long a finished job is held on to while the stores are away.
_PATIENCE_S, _PAUSE_S = 60.0, 0.5

_logger = log.logger("jobs")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Answer:
    """The finished documents of a job and the JSON of its result. `repr` shows no text."""

    results: Sequence[analysis.AnalysisResult]
    body: bytes
    keeps_documents: bool = False

    def __repr__(self) -> str:
        return f"<_Answer of {len(self.results)} documents>"


def run(job_id: uuid.UUID, worker: str) -> bool:
    """Execute a job if it can be claimed; return whether it was. Never raises an `Exception`.

    Nothing of the job stays referenced in memory afterwards.

    Args:
        job_id: The job.
        worker: Name of this process, stored in the row while the job runs.
    """
    structlog.contextvars.bind_contextvars(jobId=str(job_id))
    try:
        # Whose it is, the row says.
        with rls.as_system(), db.statements() as session:
            claim = claims.take(session, job_id, worker=worker, now=clock.now())
    except Exception as error:
        # It still waits and the reaper will queue it again, or its lease began unheard and will run out.
        _logger.warning("job not taken", exc_info=error)
        return False
    if claim is None:
        return False
    structlog.contextvars.bind_contextvars(requestId=claim.request_id, attempt=claim.attempt)
    started = time.monotonic()
    with rls.acting_for(claim.account_id), heartbeat.keeping(claim):
        outcome = _run(claim)
    _logger.info(
        "job over",
        outcome=outcome,
        account=str(claim.account_id),
        key=claim.caller.key_prefix,
        kind=claim.kind,
        documents=claim.total,
        ms=round((time.monotonic() - started) * 1000),
    )
    structlog.contextvars.unbind_contextvars("jobId", "requestId", "attempt")
    return True


def _run(claim: Claim) -> str:
    """Execute a claimed job and end it; return the outcome for the log."""
    try:
        if claim.revoked:
            raise _Failure(errors.KEY_REVOKED)
        answer = _work(claim)
        _complete(claim, answer)
    except LeaseLost:
        return "left to another attempt"
    except _Failure as failure:
        return _end(claim, failure.code)
    except Exception as error:
        if _is_passing(error) and not claim.last:
            return _return(claim, error)
        if not isinstance(error, DomainError):
            _logger.error("job failed", exc_info=error)
        return _end(claim, _code(error))
    storage.drop(claim.job_id)
    _meter(claim, sum(one.price for one in answer.results))
    return "completed"


class _Failure(Exception):
    """The job fails with this error code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _meter(claim: Claim, charged: int) -> None:
    """Record the credits spent as usage of the jobs endpoint."""
    if charged:
        usage.record(
            usage.Call(clock.now(), claim.account_id, claim.api_key_id, "/api/v1/jobs", 0, 0, charged)
        )


def _open(claim: Claim) -> tuple[Payload, bytes]:
    try:
        key = storage.unwrap(claim.job_id, "payload", claim.payload_key)
    except crypto.Unreadable:
        raise _Failure(errors.PAYLOAD_LOST) from None
    clear = storage.payload(claim.job_id, key)
    if clear is None:
        raise _Failure(errors.PAYLOAD_LOST)
    return Payload.from_bytes(clear), key


def _work(claim: Claim) -> _Answer:
    payload, key = _open(claim)
    started, on = time.monotonic(), clock.now()
    heartbeat.limit(payload.longest_s(settings.current().analysis_deadline_s))
    if payload.kind == "analyze":
        request = payload.items[0].request
        assert request is not None
        recorder = analysis.ProgressRecorder()
        heartbeat.report(ProgressWriter(claim.job_id, claim.attempt, key, recorder))
        with analysis.recording(recorder):
            results = [analysis.analyse(claim.caller, request, request_id=claim.request_id, on=on)]
        body = analysis.single_answer(results[0], claim.request_id)
    else:
        results = _all(claim, payload, key, on)
        body = analysis.batch_answer(
            claim.job_id,
            results,
            processing_ms=max(1, round((time.monotonic() - started) * 1000)),
            concurrency=payload.concurrency,
            request_id=claim.request_id,
        )
    if claim.caller.attestation:
        # An attestation needs the audit record, which is written with the charge: it is added when the result
        # is read, to these analyses.
        body[queries.ANALYSES] = [
            None if one.failure is not None else str(one.analysis_id) for one in results
        ]
    return _Answer(results, _encode(body), keeps_documents=bool(payload.documents))


def _all(claim: Claim, payload: Payload, key: bytes, on: datetime) -> list[analysis.AnalysisResult]:
    """Analyse every document of a batch, in order, except those that an earlier attempt finished."""
    done = {
        place: analysis.AnalysisResult.from_plain(json.loads(clear))
        for place, clear in storage.documents(claim.job_id, key).items()
    }
    _tell(claim, len(done))

    def one(place: int) -> tuple[int, analysis.AnalysisResult]:
        item = payload.items[place]
        found = analysis.analyse_item(
            claim.caller,
            item,
            request_id=claim.request_id,
            on=on,
            patience_s=_DOCUMENT_PATIENCE_S,
        )
        _keep(claim, key, place, found)
        return place, found

    waiting = [place for place in range(len(payload.items)) if place not in done]
    with thread_pool.ContextPool(payload.concurrency, thread_name_prefix="job") as pool:
        futures = [pool.submit(one, place) for place in waiting]
        try:
            for future in as_completed(futures):
                place, found = future.result()
                done[place] = found
                _tell(claim, len(done))
        except BaseException:
            # A store stays away: the rest is left to another attempt, what is through is kept for it.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [done[place] for place in range(len(payload.items))]


def _keep(claim: Claim, key: bytes, place: int, found: analysis.AnalysisResult) -> None:
    clear = _encode(found.as_plain())
    ttl_s = round(settings.current().job_lifetime_hours * 3600)
    try:
        storage.keep_document(claim.job_id, key, place, clear, ttl_s=ttl_s)
    except redis_client.Unavailable as error:
        # It is in memory; another attempt, should there be one, will have to do it again.
        _logger.warning("document not kept for another attempt", exc_info=error)


def _tell(claim: Claim, done: int) -> None:
    try:
        db.atomically(lambda session: claims.progress(session, claim, done))
    except Exception as error:
        if not db.is_unavailable(error):
            raise
        _logger.warning("progress not written", exc_info=error)


def _complete(claim: Claim, answer: _Answer) -> None:
    """Store the result, then charge and end the job; retry while a store is unavailable."""
    key = storage.new_key(claim.job_id, "result")
    hours = settings.current().job_result_hours

    def keep() -> None:
        storage.keep_result(claim.job_id, claim.attempt, key.clear, answer.body, ttl_s=round(hours * 3600))

    def write() -> None:
        now = clock.now()
        db.atomically(
            lambda session: complete.complete(
                session,
                claim,
                answer.results,
                result_key=key.wrapped,
                expires=now + timedelta(hours=hours),
                now=now,
                keeps_documents=answer.keeps_documents,
            )
        )

    _patiently(keep)
    try:
        _patiently(write)
    except (LeaseLost, psycopg.errors.UniqueViolation):
        # Perhaps by ourselves: a commit whose acknowledgement was lost is a commit, its records are there.
        if _patiently(lambda: db.atomically(lambda session: claims.completed(session, claim))):
            return
        storage.drop_result(claim.job_id, claim.attempt)
        raise


def _patiently(step: Callable[[], T]) -> T:
    """Retry `step` for up to a minute while a store is unavailable. The lease fences off other attempts."""
    give_up = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return step()
        except Exception as error:
            if not _is_store_away(error) or time.monotonic() > give_up:
                raise
            _logger.warning("a store is away; the finished job waits", exc_info=error)
            time.sleep(_PAUSE_S)


def _return(claim: Claim, error: Exception) -> str:
    """Release the job for another attempt after a pause."""
    _logger.warning("attempt given up", exc_info=error)
    now = clock.now()
    return give_back(claim, due=claims.QUEUE.retry_at(claim.attempt, now) or now, now=now)


def give_back(claim: Claim, *, due: datetime, now: datetime) -> str:
    """Release the job for another attempt; return the outcome for the log. Never raises."""
    try:
        db.atomically(lambda session: claims.give_back(session, claim, due=due, now=now))
    except Exception as error:
        _logger.warning("job left to its lease", exc_info=error)
    return "given back"


def _end(claim: Claim, code: str) -> str:
    try:
        _patiently(
            lambda: db.atomically(lambda session: complete.fail(session, claim, code, now=clock.now()))
        )
    except LeaseLost:
        return "left to another attempt"
    except Exception as error:
        _logger.error("job left to its lease", exc_info=error, code=code)
        return "left to its lease"
    storage.drop(claim.job_id)
    return f"failed: {code}"


def _is_store_away(error: BaseException) -> bool:
    return isinstance(error, redis_client.Unavailable) or outage.is_transient(error)


def _is_passing(error: Exception) -> bool:
    """Return whether a later attempt may succeed, because a store or a model is unavailable."""
    return _is_store_away(error) or (isinstance(error, Upstream) and error.status == 503)


def _code(error: Exception) -> str:
    if _is_store_away(error):
        return "DEPENDENCY_UNAVAILABLE"
    if isinstance(error, DomainError) and error.code in errors.MEANING:
        return error.code
    return errors.INTERNAL_ERROR


def _encode(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
