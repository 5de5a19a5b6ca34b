"""Two hundred words in uploaded files and in their names: whatever becomes of them, they are nowhere."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import secrets
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.platform import settings
from tests.cast import LEASE, Cast, Player
from tests.faults.canaries import MARK, found_in, found_in_files, in_the_stores
from tests.faults.server import ROOT, Answer, Server, serving
from tests.faults.stores import Stores
from tests.faults.waiting import eventually

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

# What becomes of an upload, and how many there are; each has one canary in its name and more in its words.
WAYS = {
    "kept": 20,
    "large": 10,  # more than the half megabyte from which a part would be written to a file
    "deleted": 10,
    "analysed": 10,
    "repeated": 10,
    "in a job": 10,
    "in a batch": 10,
    "broken": 10,
    "unknown": 5,
    "too large": 5,
}
FORMATS = ("txt", "md", "html", "rtf", "eml")


def _canary() -> str:
    return f"{MARK}{secrets.token_hex(6)}"


def _file(ending: str, size: int = 0) -> bytes:
    text = LEASE.replace("Tomás", _canary())
    body = {
        "html": f"<html><head><title>{_canary()}</title></head><body><p>{text}</p></body></html>",
        "rtf": "{\\rtf1\\ansi " + text.encode("ascii", "replace").decode() + "}",
        "eml": f"From: a@example.com\r\nTo: b@example.com\r\nSubject: {_canary()}\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n",
    }.get(ending, text)
    return (body + " words" * (size // 6)).encode()


def _upload(server: Server, player: Player, data: bytes, name: str, **headers: str) -> Answer:
    boundary = secrets.token_hex(16)
    part = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    body = part.encode() + data + f"\r\n--{boundary}--\r\n".encode()
    sent = {**player.auth, **headers, "Content-Type": f"multipart/form-data; boundary={boundary}"}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    try:
        connection.request("POST", "/api/v1/documents", body, sent)
        response = connection.getresponse()
        return Answer(response.status, dict(response.getheaders()), response.read())
    except (OSError, http.client.HTTPException):
        return Answer(0, {}, b"")
    finally:
        connection.close()


def _go(server: Server, alice: Player, way: str, number: int) -> None:
    """Upload a file, and do with it what `way` says."""
    ending = FORMATS[number % len(FORMATS)] if way == "kept" else "txt"
    data, name = _file(ending, 700_000 if way == "large" else 0), f"{_canary()}.{ending}"
    if way == "broken":
        data, name = b"%PDF-1.7\n" + b"\x00\xff\x01" * 99 + data, f"{_canary()}.pdf"
    elif way == "unknown":
        data = b"\x00\xff\x01" * 99 + data
    elif way == "too large":
        data += b"." * 20_100_000
    keyed = {"Idempotency-Key": f"canary-{uuid.uuid4()}"} if way == "repeated" else {}
    answer = _upload(server, alice, data, name, **keyed)
    assert name.encode() not in answer.body
    if way in ("broken", "unknown", "too large"):
        assert answer.status in (413, 415, 422), (way, answer)
        return
    # Formats that this server reads are kept; another is refused, and leaves as little.
    assert answer.status == 201 or (ending not in ("txt", "md") and answer.status == 415), (way, answer)
    if answer.status != 201:
        return
    ref = answer.json()["documentRef"]
    if way == "deleted":
        assert server.call("DELETE", f"/api/v1/documents/{ref}", headers=alice.auth).status == 200
    elif way == "repeated":
        assert _upload(server, alice, data, name, **keyed).json()["documentRef"] == ref
    elif way == "analysed":
        body: dict[str, Any] = {"documentRef": ref}
        found = server.call("POST", "/api/v1/analyze", body, alice.auth)
        assert MARK in json.dumps(found.json()), "the owner gets it back"
    elif way in ("in a job", "in a batch"):
        body = (
            {"kind": "analyze", "payload": {"documentRef": ref}}
            if way == "in a job"
            else {
                "kind": "analyze_batch",
                "payload": {"documents": [{"documentRef": ref}, {"text": "short"}]},
            }
        )
        assert server.call("POST", "/api/v1/jobs", body, alice.auth).status == 202


def test_no_canary_of_an_upload_is_left_anywhere(
    stores: Stores, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = Cast().player(credit=10_000)
    config = settings.current()
    url, redis_url = config.database_url.get_secret_value(), config.redis_url.get_secret_value()
    places = tmp_path / "places"
    for name in ("logs", "tmp"):
        (places / name).mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(places / "tmp"))
    cores_before = set(ROOT.glob("core*"))
    assert sum(WAYS.values()) * 2 == 200, "a canary in each name and one in each file, at least"
    seen: set[bytes] = set()
    stop = threading.Event()

    def watch() -> None:
        # What is written for a moment only is at rest for that moment.
        while not stop.is_set():
            for folder, _, names in os.walk(places / "tmp"):
                for name in names:
                    with contextlib.suppress(OSError):
                        seen.update(found_in((Path(folder) / name).read_bytes()))
            time.sleep(0.05)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with serving(
            url, redis_url, places / "logs" / "web.log", LOG_LEVEL="debug", RATE_MANAGEMENT="100000"
        ) as server:
            asked = [(way, number) for way, count in WAYS.items() for number in range(count)]
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda one: _go(server, alice, *one), asked))
            _killed_while_reading(server, alice)
            found = in_the_stores(stores, url, redis_url, places, table="documents", key=b"document:")
            assert found == {}
    finally:
        stop.set()
        watcher.join()
    assert seen == set(), "nothing was in a temporary file while it was read"
    assert found_in_files([places]) == {}
    assert set(ROOT.glob("core*")) == cores_before
    assert not [path for path in places.rglob("core*") if path.is_file()]


def _killed_while_reading(server: Server, alice: Player) -> None:
    """Signal 9 to the web workers while they read files; the parent starts new ones."""
    with ThreadPoolExecutor(4) as pool:
        flying = [
            pool.submit(_upload, server, alice, _file("txt", 700_000), f"{_canary()}.txt") for _ in range(8)
        ]
        time.sleep(0.3)
        assert server.kill_workers()
        assert 0 in {one.result().status for one in flying}, "some were cut off"
    assert eventually(lambda: _upload(server, alice, _file("txt"), "a.txt").status == 201, 60)
