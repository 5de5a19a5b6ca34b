"""What becomes of an accepted job when workers, keys, models and stores fail it (decision 027)."""

from __future__ import annotations

import time
import uuid
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from app import analysis, tenancy
from app.analysis import pipeline
from app.analysis.errors import ModelFailed, ModelUnavailable
from app.jobs import errors, queue, storage
from app.jobs.execution import claims, complete, runner
from app.platform import clock, crypto, redis_client
from app.platform.lease_queue import LeaseLost
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.jobs.desk import WORKER, Desk


def test_a_dead_workers_job_goes_to_another_after_its_lease(cast: Cast, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    assert desk.take(job_id) is not None
    desk.reap()
    assert desk.row(job_id).status == "running", "its lease is not over"
    desk.forward(seconds=21)
    desk.lose()
    desk.reap()
    row = desk.row(job_id)
    assert (row.status, row.attempt, row.lease_until, row.worker) == ("pending", 1, None, None)
    assert desk.queued() == [str(job_id)]
    assert desk.run(job_id)
    assert (desk.row(job_id).status, desk.row(job_id).attempt) == ("completed", 2)
    assert desk.charged(alice) == (1, 1)
    assert [event["type"] for event in desk.events(alice)] == ["analysis.completed"]


def test_a_worker_known_to_be_dead_is_not_waited_for(alice: Player, desk: Desk) -> None:
    from app.jobs.execution import reaper

    job_id, other = desk.accept(alice), desk.accept(alice)
    desk.take(job_id, "dead")
    desk.take(other, "alive")
    reaper.release_worker("dead")
    assert (desk.row(job_id).status, desk.row(other).status) == ("pending", "running")


def test_a_worker_that_wakes_up_late_writes_nothing(cast: Cast, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    sleeper = desk.take(job_id)
    assert sleeper is not None
    late = runner._work(sleeper)
    desk.forward(seconds=21)
    desk.reap()
    assert desk.run(job_id)
    first = desk.row(job_id)
    with pytest.raises(LeaseLost):
        runner._complete(sleeper, late)
    with pytest.raises(LeaseLost):
        db.atomically(lambda session: complete.fail(session, sleeper, "JOB_TIMEOUT", now=clock.now()))
    with db.statements() as session:
        assert not claims.renew(session, sleeper, now=clock.now())
        assert not claims.give_back(session, sleeper, due=clock.now(), now=clock.now())
        claims.progress(session, sleeper, 0)
    assert desk.row(job_id) == first
    assert desk.names(job_id) == ["result:2"]
    assert desk.charged(alice) == (1, 1)
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (99, 0)


def test_a_job_is_taken_once_however_often_it_is_queued(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    queue.enqueue([desk.row(job_id)] * 2)
    assert [desk.run(job_id) for _ in range(3)] == [True, False, False]
    assert desk.charged(alice) == (1, 1)


def test_three_attempts_and_no_fourth(cast: Cast, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    for attempt in (1, 2, 3):
        claim = desk.take(job_id)
        assert claim is not None
        assert claim.attempt == attempt
        desk.forward(seconds=21)
        desk.reap()
    row = desk.row(job_id)
    assert (row.status, row.error_code, row.payload_key) == ("failed", "ATTEMPTS_EXHAUSTED", None)
    assert desk.names(job_id) == []
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)
    [event] = desk.events(alice)
    assert (event["type"], event["error"]["code"]) == ("analysis.failed", "ATTEMPTS_EXHAUSTED")
    desk.reap()
    assert len(desk.events(alice)) == 1


def test_a_job_given_back_by_its_third_worker_ends(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    for _ in range(3):
        claim = desk.take(job_id)
        assert claim is not None
        runner.give_back(claim, due=clock.now(), now=clock.now())
    assert not desk.run(job_id)
    desk.reap()
    assert desk.row(job_id).error_code == "ATTEMPTS_EXHAUSTED"


def test_a_job_that_waited_too_long_ends_uncharged(cast: Cast, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    desk.forward(hours=24, seconds=1)
    assert not desk.run(job_id)
    desk.reap()
    assert (desk.row(job_id).status, desk.row(job_id).error_code) == ("failed", "JOB_EXPIRED")
    assert cast.balance(alice).held == 0
    assert [event["error"]["code"] for event in desk.events(alice)] == ["JOB_EXPIRED"]


def test_the_hold_lives_as_long_as_the_job_may(cast: Cast, alice: Player, desk: Desk) -> None:
    from app import credits

    job_id = desk.accept(alice, *([LEASE] * 5))
    desk.forward(hours=23, minutes=59)
    db.atomically(lambda session: credits.release_expired(session, now=clock.now()))
    assert cast.balance(alice).held == 5
    claim = desk.take(job_id)
    assert claim is not None
    # Its last attempt may go on for three rounds of the analysis deadline and a minute.
    answer = runner._work(claim)
    desk.forward(seconds=3 * 90 + 60)
    db.atomically(lambda session: credits.release_expired(session, now=clock.now()))
    runner._complete(claim, answer)
    assert desk.charged(alice) == (5, 1)


def test_a_queue_that_was_lost_is_filled_again(alice: Player, desk: Desk) -> None:
    kept, lost = desk.accept(alice), desk.accept(alice)
    desk.lose(lost)
    desk.reap()
    assert desk.queued() == [str(kept)], "too early to call it lost"
    desk.forward(seconds=16)
    desk.reap()
    assert desk.queued() == [str(kept), str(lost)]
    desk.forward(seconds=16)
    desk.reap()
    assert desk.queued() == [str(kept), str(lost)]


def test_a_flushed_redis_ends_jobs_as_lost_with_their_event(cast: Cast, alice: Player, desk: Desk) -> None:
    jobs_of_alice = [desk.accept(alice) for _ in range(3)]
    redis_client.client().flushdb()
    desk.forward(seconds=16)
    desk.reap()
    assert desk.queued() == [str(job_id) for job_id in jobs_of_alice]
    for job_id in jobs_of_alice:
        assert desk.run(job_id)
        assert desk.row(job_id).error_code == "PAYLOAD_LOST"
        assert desk.row(job_id).payload_key is None
    assert [event["error"]["code"] for event in desk.events(alice)] == ["PAYLOAD_LOST"] * 3
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_a_payload_that_was_altered_is_lost(alice: Player, desk: Desk) -> None:
    job_id, other = desk.accept(alice), desk.accept(alice)
    name = f"job:{job_id.hex}:payload"
    taken = redis_client.client().get(f"job:{other.hex}:payload")
    assert taken is not None
    redis_client.client().set(name, taken)
    desk.run(job_id)
    assert desk.row(job_id).error_code == "PAYLOAD_LOST"


def test_a_key_revoked_before_the_job_began_ends_it_uncharged(cast: Cast, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE api_keys SET revoked_at = now() WHERE id = :id"), {"id": alice.key_id}
        )
    desk.run(job_id)
    assert (desk.row(job_id).status, desk.row(job_id).error_code) == ("failed", "KEY_REVOKED")
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_a_child_whose_master_was_revoked_is_revoked(cast: Cast, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(cast.child(alice))
    with db.transaction() as session:
        tenancy.revoke_key(session, alice.key_id, now=clock.now())
    desk.run(job_id)
    assert desk.row(job_id).error_code == "KEY_REVOKED"


def test_a_key_that_expired_since_does_not_stop_what_was_accepted(
    cast: Cast, alice: Player, desk: Desk
) -> None:
    job_id = desk.accept(alice)
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE api_keys SET expires_at = now() WHERE id = :id"), {"id": alice.key_id}
        )
    desk.run(job_id)
    assert desk.row(job_id).status == "completed"


def _failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def analyse(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(pipeline, "analyse", analyse)


def test_a_model_that_gives_nothing_usable_fails_the_job_at_once(
    cast: Cast, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = desk.accept(alice)
    _failing(monkeypatch, ModelFailed("The model gave nothing usable."))
    desk.run(job_id)
    assert (desk.row(job_id).status, desk.row(job_id).error_code) == ("failed", "MODEL_ERROR")
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)


def test_a_model_that_is_away_is_asked_again_later(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = desk.accept(alice)
    with monkeypatch.context() as patch:
        _failing(patch, ModelUnavailable("No model answers."))
        desk.run(job_id)
        assert desk.row(job_id).status == "pending"
        assert not desk.run(job_id), "it is not due yet"
        desk.forward(seconds=15)
        desk.run(job_id)
        assert (desk.row(job_id).status, desk.row(job_id).attempt) == ("pending", 2)
    desk.forward(seconds=30)
    desk.lose()
    desk.reap()
    assert desk.queued() == [str(job_id)]
    desk.run(job_id)
    assert desk.row(job_id).status == "completed"


def test_a_model_that_stays_away_fails_the_job(
    cast: Cast, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = desk.accept(alice)
    _failing(monkeypatch, ModelUnavailable("No model answers."))
    for _ in range(3):
        desk.run(job_id)
        desk.forward(minutes=1)
    assert (desk.row(job_id).status, desk.row(job_id).error_code) == ("failed", "MODEL_UNAVAILABLE")
    assert cast.balance(alice).held == 0


def test_an_unexpected_error_fails_the_job_and_is_not_quoted(
    cast: Cast, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    job_id = desk.accept(alice)
    _failing(monkeypatch, RuntimeError("Herrero Vidal"))
    desk.run(job_id)
    row = desk.row(job_id)
    assert (row.status, row.error_code) == ("failed", "INTERNAL_ERROR")
    [event] = desk.events(alice)
    assert "Herrero" not in capfd.readouterr().err + str(row) + str(event)
    assert cast.balance(alice).held == 0


def test_an_unexpected_error_in_one_document_of_a_batch_leaves_the_others(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pipeline.analyse

    def fragile(request: Any, **more: Any) -> Any:
        if "Expediente 1" in request.text.reveal():
            raise RuntimeError(request.text.reveal())
        return real(request, **more)

    monkeypatch.setattr(pipeline, "analyse", fragile)
    job_id = desk.accept(alice, *(f"{LEASE} Expediente {n}." for n in range(3)))
    desk.run(job_id)
    assert (desk.row(job_id).status, desk.row(job_id).credits_charged) == ("completed", 2)


def test_documents_that_are_through_are_not_done_again(
    cast: Cast, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first worker dies after two of four documents."""
    seen: list[str] = []
    real = analysis.analyse_item

    def counting(caller: Any, item: Any, **more: Any) -> Any:
        if len(seen) == 2:
            raise _Killed
        seen.append(item.id)
        return real(caller, item, **more)

    monkeypatch.setattr(analysis, "analyse_item", counting)
    job_id = desk.accept(alice, *(f"{LEASE} Expediente {n}." for n in range(4)))
    claim = desk.take(job_id)
    assert claim is not None
    with pytest.raises(_Killed):
        runner._work(claim)
    assert len(seen) == 2
    assert desk.row(job_id).done <= 2
    kept = set(seen)
    seen.append("past the kill")
    desk.forward(seconds=21)
    desk.reap()
    desk.run(job_id)
    assert set(seen[3:]) == {"0", "1", "2", "3"} - kept
    row = desk.row(job_id)
    assert (row.status, row.attempt, row.done, row.credits_charged) == ("completed", 2, 4, 4)
    assert desk.charged(alice) == (4, 1)
    with db.reading() as session:
        records = session.scalar(
            sa.text("SELECT count(*) FROM audit_records WHERE account_id = :a"), {"a": alice.account_id}
        )
    assert records == 4


class _Killed(BaseException):
    """Stands for a kill in the middle of the work."""


def test_progress_is_seen_while_a_batch_runs(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int]] = []
    real = analysis.analyse_item

    def looking(caller: Any, item: Any, **more: Any) -> Any:
        """The last document is not begun before the others are seen to be through."""
        deadline = time.monotonic() + 20
        while item.id == "5" and desk.row(job_id).done < 5 and time.monotonic() < deadline:
            time.sleep(0.01)
        row = desk.row(job_id)
        seen.append((row.status, row.done))
        return real(caller, item, **more)

    monkeypatch.setattr(analysis, "analyse_item", looking)
    job_id = desk.accept(alice, *([LEASE] * 6))
    desk.run(job_id)
    assert {status for status, _ in seen} == {"running"}
    assert (seen[0][1], seen[-1][1]) == (0, 5)
    assert desk.row(job_id).done == 6


def test_a_commit_whose_acknowledgement_was_lost_is_a_commit(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, broken = db.atomically, []

    def breaking(work: Any) -> Any:
        found = real(work)
        if desk.row(job_id).status == "completed" and not broken:
            broken.append(True)
            raise psycopg.OperationalError("the connection broke after the commit")
        return found

    job_id = desk.accept(alice)
    monkeypatch.setattr(db, "atomically", breaking)
    assert desk.run(job_id)
    monkeypatch.undo()
    assert broken
    assert desk.names(job_id) == ["result:1"]
    assert desk.charged(alice) == (1, 1)


def test_while_the_database_is_away_a_finished_job_waits(
    alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []
    real = complete.complete

    def away(*arguments: Any, **more: Any) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise psycopg.OperationalError("no connection")
        real(*arguments, **more)

    monkeypatch.setattr(complete, "complete", away)
    monkeypatch.setattr(runner, "_PAUSE_S", 0.01)
    job_id = desk.accept(alice)
    desk.run(job_id)
    assert len(tries) == 3
    assert (desk.row(job_id).status, desk.row(job_id).attempt) == ("completed", 1)


def test_low_credits_are_told_by_the_job_that_brings_them_down(cast: Cast, desk: Desk) -> None:
    poor = cast.player(credit=20)
    desk.run(desk.accept(poor))
    assert [event["balance"] for event in desk.events(poor, "credits.low")] == [19]


def test_keys_of_what_came_in_go_with_the_end_and_keys_of_results_with_their_time(
    alice: Player, desk: Desk
) -> None:
    job_id = desk.accept(alice)
    row = desk.row(job_id)
    assert storage.unwrap(job_id, "payload", row.payload_key)
    with pytest.raises(crypto.Unreadable):
        storage.unwrap(job_id, "result", row.payload_key)
    with pytest.raises(crypto.Unreadable):
        storage.unwrap(uuid.uuid4(), "payload", row.payload_key)
    assert 24 * 3600 < redis_client.client().ttl(f"job:{job_id.hex}:payload") < 25 * 3600
    desk.run(job_id)
    row = desk.row(job_id)
    assert (row.payload_key, desk.names(job_id)) == (None, ["result:1"])
    assert redis_client.client().ttl(f"job:{job_id.hex}:result:1") <= 24 * 3600
    desk.forward(hours=24)
    desk.reap()
    assert desk.row(job_id).result_key is None


def test_what_rq_keeps_is_the_id_and_nothing_else(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    entry = redis_client.client().hgetall(f"rq:job:{job_id}")
    assert entry[b"description"] == str(job_id).encode()
    import json
    import zlib

    assert json.loads(zlib.decompress(entry[b"data"])) == [queue.ENTRY, None, [], {}]
    words = b" ".join(entry.values())
    assert not [word for word in LEASE.split() if len(word) > 8 and word.encode() in words]


def test_rows_of_ended_jobs_are_forgotten_in_time(alice: Player, desk: Desk) -> None:
    from app import jobs

    old = desk.accept(alice)
    desk.run(old)
    desk.forward(days=1)
    desk.reap()
    waiting = desk.accept(alice)
    assert db.atomically(lambda s: jobs.forget(s, before=clock.now())) >= 1
    with db.reading() as session:
        left = session.scalars(
            sa.text("SELECT id FROM jobs WHERE account_id = :a"), {"a": alice.account_id}
        ).all()
    assert left == [waiting]


def test_the_entry_point_of_the_queue_resolves(alice: Player, desk: Desk) -> None:
    from rq.utils import import_attribute

    assert callable(import_attribute(queue.ENTRY))


def test_every_code_of_a_failure_has_a_sentence() -> None:
    named = [value for name, value in vars(errors).items() if name.isupper() and isinstance(value, str)]
    assert set(named) <= set(errors.MEANING)
    assert errors.meaning("UNHEARD_OF") == errors.MEANING["INTERNAL_ERROR"]


def test_the_worker_name_is_in_the_row_while_it_runs(alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    desk.take(job_id)
    assert desk.row(job_id).worker == WORKER
