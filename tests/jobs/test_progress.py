"""Progress of a running job: whose it is, how long it rests, and that the job does not depend on it."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from app import analysis, jobs
from app.analysis import progress as recording
from app.jobs import storage
from app.jobs.execution import heartbeat, runner
from app.platform import clock, redis_client
from app.platform.postgres import db
from tests.cast import LEASE, Player
from tests.jobs.desk import Desk

Analyse = Callable[..., Any]


def _job(job_id: uuid.UUID) -> jobs.Job:
    with db.reading() as session:
        job = session.get(jobs.Job, job_id)
        assert job is not None
        session.expunge(job)
        return job


def test_what_a_worker_reports_is_read_while_it_works(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the heartbeat, whose thread writes; afterwards there is nothing."""
    job_id = desk.accept(alice)
    seen: list[analysis.Progress | None] = []
    plain = analysis.analyse

    def slowly(*given: Any, **named: Any) -> Any:
        recording.stage("law")
        recording.sources_found(41)
        until = time.monotonic() + 5
        while (now := jobs.progress_of(_job(job_id))) is None and time.monotonic() < until:
            time.sleep(0.05)
        seen.append(now)
        return plain(*given, **named)

    monkeypatch.setattr("app.analysis.analyse", slowly)
    assert desk.run(job_id)
    assert seen[0] is not None
    assert (seen[0].stage, seen[0].sources_found) == ("law", 41)
    assert desk.row(job_id).status == "completed"
    assert jobs.progress_of(_job(job_id)) is None
    assert [name for name in desk.names(job_id) if name.startswith("progress")] == []


def test_a_retry_begins_again_and_the_superseded_attempt_shows_nothing(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    first, recorder = desk.reporter(desk.taken(job_id))
    recorder.change(stage="judging", statements_judged=30)
    first.write()
    shown = jobs.progress_of(_job(job_id))
    assert shown is not None
    assert shown.statements_judged == 30
    desk.forward(seconds=21)
    desk.reap()
    assert jobs.progress_of(_job(job_id)) is None, "it waits again"
    second, again = desk.reporter(desk.taken(job_id))
    assert jobs.progress_of(_job(job_id)) is None, "the new attempt has told nothing"
    recorder.change(statements_judged=31)
    first.write()
    assert jobs.progress_of(_job(job_id)) is None
    again.change(stage="drafting")
    second.write()
    recorder.change(statements_judged=32)
    first.write()
    shown = jobs.progress_of(_job(job_id))
    assert shown is not None
    assert (shown.stage, shown.statements_judged) == ("drafting", 0)


def test_a_lost_lease_ends_the_writing(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    claim = desk.taken(job_id)
    writer, recorder = desk.reporter(claim)
    writer.write()
    assert desk.names(job_id) == ["payload", "progress:1"]
    running = heartbeat._ActiveJob(claim, time.monotonic() + 60, writer)
    heartbeat._renew([running])
    assert desk.names(job_id) == ["payload", "progress:1"], "it is held"
    runner.give_back(claim, due=clock.now(), now=clock.now())
    heartbeat._renew([running])
    assert desk.names(job_id) == ["payload"]
    recorder.change(stage="judging")
    heartbeat._check(running)
    assert desk.names(job_id) == ["payload"]


def test_what_rests_is_sealed_and_expires(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    writer, recorder = desk.reporter(desk.taken(job_id))
    recorder.change(stage="judging", statements_judged=30)
    writer.write()
    name = f"job:{job_id.hex}:progress:1"
    rest = redis_client.client().get(name)
    assert isinstance(rest, bytes)
    for word in (b"judging", b"statements", b"30,"):
        assert word not in rest
    assert 0 < redis_client.client().ttl(name) <= 30  # type: ignore[operator]
    # Of another attempt or job it opens nothing.
    redis_client.client().set(f"job:{job_id.hex}:progress:2", rest)
    key = _job(job_id).payload_key
    assert key is not None
    assert storage.progress(job_id, 2, key) is None
    assert storage.progress(uuid.uuid4(), 1, key) is None
    # What stands there and is none of ours is not believed.
    redis_client.client().set(name, b"{}")
    assert jobs.progress_of(_job(job_id)) is None
    storage.keep_progress(job_id, 1, storage.unwrap(job_id, "payload", key), b'{"stage": "x"}', ttl_s=9)
    assert jobs.progress_of(_job(job_id)) is None


def test_what_has_not_changed_is_not_written_again(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = desk.accept(alice)
    writer, recorder = desk.reporter(desk.taken(job_id))
    written: list[bytes] = []
    monkeypatch.setattr(storage, "keep_progress", lambda *given, **_: written.append(given[3]))
    now = [100.0]
    monkeypatch.setattr("app.jobs.progress.time.monotonic", lambda: now[0])
    for _ in range(10):
        writer.write()
    assert len(written) == 1
    recorder.change(parts=4)
    recorder.change(more_read=1)
    writer.write()
    assert len(written) == 2, "what changed in between is written at once"
    now[0] += 11
    writer.write()
    assert len(written) == 3, "before it expires"


def test_with_redis_away_the_job_works_and_progress_is_absent(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = desk.accept(alice)
    tried = []

    def away(*_: Any, **__: Any) -> Any:
        tried.append(1)
        raise redis_client.Unavailable("away")

    plain = analysis.analyse

    def slowly(*given: Any, **named: Any) -> Any:
        time.sleep(1.3)
        assert jobs.progress_of(_job(job_id)) is None
        return plain(*given, **named)

    monkeypatch.setattr("app.analysis.analyse", slowly)
    monkeypatch.setattr(storage, "keep_progress", away)
    monkeypatch.setattr(storage, "progress", away)
    assert desk.run(job_id)
    assert desk.row(job_id).status == "completed"
    assert len(tried) == 2, "one try to write, then a rest, and one to read"


def test_ended_jobs_and_batches_have_none(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    claim = desk.taken(job_id)
    writer, _ = desk.reporter(claim)
    writer.write()
    assert jobs.progress_of(_job(job_id)) is not None
    runner._end(claim, "MODEL_ERROR")
    assert jobs.progress_of(_job(job_id)) is None
    cancelled = desk.accept(alice)
    with db.transaction() as session:
        jobs.cancel(session, alice.account_id, cancelled, now=clock.now())
    assert jobs.progress_of(_job(cancelled)) is None
    batch = desk.accept(alice, LEASE, LEASE)
    desk.taken(batch)
    assert jobs.progress_of(_job(batch)) is None
