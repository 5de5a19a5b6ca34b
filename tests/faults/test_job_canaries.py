"""Two hundred words in documents, through every way a job can go: afterwards they are nowhere."""

from __future__ import annotations

import base64
import gzip
import json
import os
import resource
import secrets
import subprocess
import sys
import uuid
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from app.platform import crypto, redis_client, settings
from app.platform.postgres import db
from benchmarks.job_kills import children
from tests.cast import LEASE, Cast, Player
from tests.faults.canaries import MARK, found_in, found_in_files, in_the_stores
from tests.faults.server import ROOT, Server, serving
from tests.faults.stores import Stores
from tests.faults.waiting import eventually
from tests.jobs.conftest import desk
from tests.jobs.desk import Desk

__all__ = ["desk"]

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

DOCUMENTS = 10
# How each batch of ten documents behaves, a canary in each of them, how it ends, and how many there are.
WAYS = {
    "SUCCESS": ("completed", 7),
    "FAILURE": ("completed", 3),  # each of its documents becomes an error item
    "FAILURE alone": ("failed", 10),
    "CRASH": ("failed", 2),
    "KILL": ("completed", 3),
    "HANG": ("failed", 2),
    "CANCEL": ("cancelled", 2),
}


def _text(word: str) -> str:
    return LEASE.replace("Tomás", f"{MARK}{secrets.token_hex(6)} {word.partition(' ')[0]}")


def _send(server: Server, player: Player, word: str) -> str:
    if word.endswith("alone"):
        body: dict[str, Any] = {"kind": "analyze", "payload": {"text": _text(word)}}
    else:
        # One kill for each batch: three would end it.
        words = ["KILL", *["SUCCESS"] * (DOCUMENTS - 1)] if word == "KILL" else [word] * DOCUMENTS
        documents = [{"id": str(n), "text": _text(one)} for n, one in enumerate(words)]
        body = {"kind": "analyze_batch", "payload": {"documents": documents, "concurrency": 2}}
    headers = {**player.auth, "Idempotency-Key": f"canary-{uuid.uuid4()}"}
    answer = server.call("POST", "/api/v1/jobs", body, headers)
    assert answer.status == 202, answer
    return str(answer.json()["jobId"])


def test_the_search_finds_what_is_there() -> None:
    canary = f"x {MARK}0123456789ab y".encode()
    for blob in (
        canary,
        base64.b64encode(b"12" + canary),
        base64.urlsafe_b64encode(b"\xff\xfe1" + canary * 3),
        b"..." + zlib.compress(canary) + b"...",
        gzip.compress(canary),
        base64.b64encode(zlib.compress(canary)),
        zlib.compress(base64.b64encode(canary)),
    ):
        assert found_in(blob), blob
    assert not found_in(crypto.seal(crypto.new_key(), canary, context=b""))


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for logs, temporary files and, if there were any, core files."""
    for name in ("logs", "tmp", "cwd"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def test_no_canary_is_left_anywhere(stores: Stores, places: Path) -> None:
    alice = Cast().player(credit=10_000)
    config = settings.current()
    url, redis_url = config.database_url.get_secret_value(), config.redis_url.get_secret_value()
    marks = places / "marks"
    marks.mkdir()
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": config.secret_key.get_secret_value(),
        "LOG_LEVEL": "debug",
    }
    cores_before = set(ROOT.glob("core*"))
    with serving(url, redis_url, places / "logs" / "web.log", LOG_LEVEL="debug") as server:
        sent: dict[str, list[str]] = {
            word: [_send(server, alice, word) for _ in range(count)] for word, (_, count) in WAYS.items()
        }
        for job_id in sent["CANCEL"]:
            assert server.call("DELETE", f"/api/v1/jobs/{job_id}", headers=alice.auth).status == 200
        assert in_the_stores(stores, url, redis_url, places, table="jobs", key=b"job:") == {}
        with (places / "logs" / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.misbehaving_worker", str(marks)],
                cwd=places / "cwd",
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_allow_cores,
            )
        try:
            assert eventually(lambda: _open(alice) == 0, 240), _statuses(alice)
            log_now = (places / "logs" / "worker.log").read_text()
            for job_id in sent["SUCCESS"]:
                job = server.call("GET", f"/api/v1/jobs/{job_id}", headers=alice.auth).json()
                assert job["status"] == "completed", (job["status"], job.get("error"), log_now[-3000:])
                assert MARK in json.dumps(job["result"]), "the owner gets it back"
            assert in_the_stores(stores, url, redis_url, places, table="jobs", key=b"job:") == {}
        finally:
            worker.terminate()
            if worker.wait(60) != 0:
                for pid in children(worker.pid):
                    os.kill(pid, 9)
    for word, (status, count) in WAYS.items():
        found = Counter(_status(job_id) for job_id in sent[word])
        assert found == {status: count}, (word, found, log_now[-3000:])
    assert Counter(_statuses(alice)).keys() >= {"failed JOB_TIMEOUT", "failed ATTEMPTS_EXHAUSTED"}
    assert found_in_files([places]) == {}
    assert set(ROOT.glob("core*")) == cores_before
    assert not [path for path in places.rglob("core*") if path.is_file()]


def _allow_cores() -> None:
    """As on a machine that keeps core files: the worker itself must refuse."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def _statuses(player: Player) -> Counter[str]:
    with db.reading() as session:
        rows = session.scalars(
            sa.text("SELECT status || coalesce(' ' || error_code, '') FROM jobs WHERE account_id = :a"),
            {"a": player.account_id},
        )
        return Counter(rows)


def _open(player: Player) -> int:
    found = _statuses(player)
    return found["pending"] + found["running"]


def _status(job_id: str) -> str:
    with db.reading() as session:
        return str(session.scalar(sa.text("SELECT status FROM jobs WHERE id = :i"), {"i": job_id}))


def test_fifteen_minutes_after_the_end_no_live_key_opens_what_is_left(
    app: Flask, desk: Desk, cast: Cast
) -> None:
    alice = cast.player(credit=1_000)
    text = _text("nobody")
    completed, failed, cancelled, exhausted = (desk.accept(alice, text, text) for _ in range(4))
    claim = desk.take(exhausted)
    assert claim is not None
    left = _sealed()
    assert len(left) == 4
    assert _opened(left) == 4, "as long as they wait, their keys open them"
    desk.run(completed)
    with db.transaction() as session:
        from app import jobs

        jobs.cancel(session, alice.account_id, cancelled, now=desk_now())
    redis_client.client().delete(f"job:{failed.hex}:payload")
    desk.run(failed)
    for _ in range(3):
        desk.forward(seconds=21)
        desk.reap()
        desk.take(exhausted)
    desk.forward(seconds=21)
    desk.reap()
    assert [desk.row(j).status for j in (completed, failed, cancelled, exhausted)] == [
        "completed",
        "failed",
        "cancelled",
        "failed",
    ]
    # What a backup of Redis may still hold of them, and what Redis itself does.
    desk.forward(minutes=15)
    desk.reap()
    assert _opened(left) == 0
    assert f"job:{cancelled.hex}:payload" in _sealed(), "nobody discarded it, and yet it is noise"
    results = {name: blob for name, blob in _sealed().items() if ":result:" in name}
    assert len(results) == 1
    assert _opened(results) == 1, "a result can be read until it expires"
    desk.forward(hours=24)
    desk.reap()
    assert _opened({**left, **results}) == 0
    with db.reading() as session:
        live = session.scalar(
            sa.text(
                "SELECT count(*) FROM jobs WHERE id = ANY(:ids) "
                "AND (payload_key IS NOT NULL OR result_key IS NOT NULL)"
            ),
            {"ids": [completed, failed, cancelled, exhausted]},
        )
    assert live == 0


def desk_now() -> Any:
    from app.platform import clock

    return clock.now()


def _sealed() -> dict[str, bytes]:
    client = redis_client.client()
    return {
        name.decode(): client.get(name) for name in client.keys("job:*") if client.type(name) == b"string"
    }


def _opened(sealed: dict[str, bytes]) -> int:
    """How many of them some key of some row opens, whoever's it is."""
    with db.reading() as session:
        rows = session.execute(sa.text("SELECT id, attempt, payload_key, result_key FROM jobs")).all()
    wrapping = crypto.service_key(settings.current().secret_key.get_secret_value(), "jobs")
    keys = []
    for row in rows:
        for part, wrapped in (("payload", row.payload_key), ("result", row.result_key)):
            if wrapped is not None:
                try:
                    clear = crypto.unseal(wrapping, bytes(wrapped), context=row.id.bytes + part.encode())
                except crypto.Unreadable:
                    continue
                keys.append((row.id, row.attempt, clear))
    opened = 0
    for blob in sealed.values():
        for job_id, attempt, key in keys:
            contexts = [job_id.bytes + b"payload", job_id.bytes + b"result:%d" % attempt]
            if any(_opens(key, blob, context) for context in contexts):
                opened += 1
                break
    return opened


def _opens(key: bytes, blob: bytes, context: bytes) -> bool:
    try:
        return MARK.encode() in crypto.unseal(key, blob, context=context)
    except crypto.Unreadable:
        return False
