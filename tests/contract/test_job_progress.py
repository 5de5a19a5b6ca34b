"""GET /api/v1/jobs/{id} while the job is open: its progress, and waiting for a change (decision 074)."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.jobs import long_poll, storage
from app.jobs.execution import claims
from app.platform import redis_client
from app.platform.postgres import db
from tests import simulated_models
from tests.cast import LEASE, Cast, Player
from tests.contract.conftest import Use
from tests.jobs.conftest import alice, desk
from tests.jobs.desk import Desk
from tests.vendors_server import Vendors
from tests.vendors_wire import Asked, Reply

__all__ = ["alice", "desk"]

PATH = "/api/v1/jobs"
LONG = f"{LEASE}\n\n" + "".join(
    f"{number}. Entrega número {number}. El arrendador entrega la pieza número {number} en diez días.\n\n"
    for number in range(1, 5_000)
)


def _ask(client: FlaskClient, player: Player, job_id: object, query: str = "", **headers: str) -> Any:
    return client.get(f"{PATH}/{job_id}{query}", headers={**player.auth, **headers})


def _current(client: FlaskClient, player: Player, job_id: object) -> Any:
    return _ask(client, player, job_id).get_json()["progress"].get("current")


@contextmanager
def _running(desk: Desk, job_id: uuid.UUID) -> Iterator[None]:
    """Let a worker work on the job in another thread."""
    thread = threading.Thread(target=desk.run, args=(job_id,))
    thread.start()
    try:
        yield
    finally:
        thread.join(60)
        assert not thread.is_alive()


def test_a_long_document_shows_its_stages_and_parts_and_no_word_of_it(
    app: Flask, alice: Player, desk: Desk, server: Vendors, use: Use
) -> None:
    """500,000 characters through a model that takes its time, watched as a client watches."""
    use(
        NODE_A_ENGINE="openai", NODE_B_ENGINE="openai", ANALYSIS_DEADLINE_S="120", MODEL_ATTEMPT_S="60",
        PART_CHARACTERS="100000",
    )  # fmt: skip
    text = LONG[:499_000]
    assert len(text) > 400_000

    def unhurried(asked: Asked) -> Reply:
        time.sleep(0.8)
        return simulated_models.honest(asked)

    server.character = unhurried
    job_id = desk.accept(alice, text, mode="deep")
    client, seen, etags, raw = app.test_client(), [], [""], ""
    with _running(desk, job_id):
        until = time.monotonic() + 100
        while time.monotonic() < until:
            answer = _ask(client, alice, job_id, "?wait=5", **{"If-None-Match": etags[-1]})
            if answer.status_code == 304:
                continue
            job = answer.get_json()
            if job["status"] not in ("pending", "running"):
                break
            assert answer.headers["ETag"] != etags[-1], "an answer is another than the one that was seen"
            etags.append(answer.headers["ETag"])
            raw += answer.text
            if "current" in job["progress"]:
                seen.append(job["progress"]["current"])
    assert job["status"] == "completed", job["error"]
    assert set(job["progress"]) == {"done", "total"}
    stages = list(dict.fromkeys(one["stage"] for one in seen))
    order = [*seen[-1]["stages"]]
    assert stages == [one for one in order if one in stages]
    assert {"drafting", "auditing"} <= set(stages)
    parts = [one for one in seen if one["parts"] > 1]
    assert parts, "read in parts"
    assert len({one["partsRead"] for one in parts}) > 1, "one after another"
    assert seen[-1]["partsRead"] == seen[-1]["parts"] >= 5
    before = [one for one in seen if one["stage"] in ("reading", "law", "drafting")]
    assert {one["statementsJudged"] for one in before} == {0}, "what is drafted is not counted"
    assert seen[-1]["statementsJudged"] > 0
    for words in ("arrend", "Tomás", "pieza", "12345678Z", "lease", "fianza"):
        assert words not in raw


def test_only_who_may_open_the_job_sees_its_progress(
    client: FlaskClient, cast: Cast, alice: Player, desk: Desk
) -> None:
    job_id = desk.accept(alice)
    writer, recorder = desk.reporter(desk.taken(job_id))
    recorder.change(stage="drafting", sources_found=7)
    writer.write()
    assert _current(client, alice, job_id) == {
        "stage": "drafting",
        "stages": ["reading", "drafting", "judging"],
        "partsRead": 0,
        "parts": 1,
        "sourcesFound": 7,
        "statementsJudged": 0,
    }
    [entry] = client.get(PATH, headers=alice.auth).get_json()["jobs"]
    assert set(entry["progress"]) == {"done", "total"}
    child = cast.child(alice)
    began = time.monotonic()
    for stranger in (cast.player("mallory"), child):
        assert _ask(client, stranger, job_id, "?wait=10").status_code == 404
    assert time.monotonic() - began < 5, "a stranger is not kept waiting"


def test_with_redis_away_an_open_job_is_answered_without_progress(
    client: FlaskClient, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = desk.accept(alice)
    writer, _ = desk.reporter(desk.taken(job_id))
    writer.write()

    def away(*_: Any, **__: Any) -> Any:
        raise redis_client.Unavailable("away")

    monkeypatch.setattr(storage, "progress", away)
    answer = _ask(client, alice, job_id)
    assert (answer.status_code, answer.get_json()["progress"]) == (200, {"done": 0, "total": 1})


def test_a_client_waits_until_the_job_is_another(app: Flask, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    writer, recorder = desk.reporter(desk.taken(job_id))
    writer.write()
    client = app.test_client()
    etag = _ask(client, alice, job_id).headers["ETag"]
    known = _ask(client, alice, job_id, **{"If-None-Match": etag})
    assert (known.status_code, known.text, known.headers["ETag"]) == (304, "", etag)
    # A proxy that compresses makes a weak tag of it.
    weak = _ask(client, alice, job_id, **{"If-None-Match": f'"another", W/{etag}'})
    assert weak.status_code == 304
    began = time.monotonic()
    unchanged = _ask(client, alice, job_id, "?wait=1", **{"If-None-Match": etag})
    assert unchanged.status_code == 304
    assert 1 <= time.monotonic() - began < 4
    # Without a tag it waits for another state than the present one.
    for headers in ({"If-None-Match": etag}, {}):
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(_ask, app.test_client(), alice, job_id, "?wait=20", **headers)
            time.sleep(0.8)
            assert not asked.done()
            recorder.change(more_parts=1)
            writer.write()
            answer = asked.result(5)
        assert answer.status_code == 200
        assert answer.get_json()["progress"]["current"]["parts"] == recorder.now.parts
        etag = answer.headers["ETag"]
    # What has changed meanwhile is told at once.
    recorder.change(stage="judging")
    writer.write()
    began = time.monotonic()
    assert _ask(client, alice, job_id, "?wait=20", **{"If-None-Match": etag}).status_code == 200
    assert time.monotonic() - began < 3


def test_who_waits_is_told_of_the_end_with_the_result(app: Flask, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(_ask, app.test_client(), alice, job_id, "?wait=20")
        time.sleep(0.3)
        assert desk.run(job_id)
        job = asked.result(20).get_json()
        while job["status"] != "completed":
            job = _ask(app.test_client(), alice, job_id, "?wait=20").get_json()
    assert job["result"]["statements"]
    began = time.monotonic()
    ended = _ask(app.test_client(), alice, job_id, "?wait=20", **{"If-None-Match": "*"})
    assert (ended.status_code, "ETag" in ended.headers) == (200, False)
    assert time.monotonic() - began < 5, "nothing changes any more"


def test_no_more_wait_than_there_are_seats(
    app: Flask, alice: Player, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond them the answer comes at once, so that no number of waiting clients stops the others."""
    seats = threading.BoundedSemaphore(1)
    monkeypatch.setattr(long_poll, "_seats", lambda: seats)
    job_id = desk.accept(alice)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(_ask, app.test_client(), alice, job_id, "?wait=3")
        time.sleep(1)
        began = time.monotonic()
        second = _ask(app.test_client(), alice, job_id, "?wait=20")
        assert second.status_code == 200
        assert time.monotonic() - began < 2
        assert not first.done()
        assert first.result(10).status_code == 200
    assert seats.acquire(blocking=False), "the seat is free again"


@pytest.mark.parametrize("wait", ["21", "-1", "x", "1.5", "%00"])
def test_a_wrong_wait_is_named(client: FlaskClient, alice: Player, desk: Desk, wait: str) -> None:
    answer = _ask(client, alice, desk.accept(alice), f"?wait={wait}")
    assert (answer.status_code, answer.get_json()["details"]["field"]) == (400, "wait")


def test_a_batch_shows_the_documents_done(client: FlaskClient, alice: Player, desk: Desk) -> None:
    job_id = desk.accept(alice, LEASE, LEASE, LEASE)
    claim = desk.taken(job_id)
    db.atomically(lambda session: claims.progress(session, claim, 2))
    assert _ask(client, alice, job_id).get_json()["progress"] == {"done": 2, "total": 3}
