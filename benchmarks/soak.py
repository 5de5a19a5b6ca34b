"""Serve at a low, steady rate for half an hour and see whether anything grows: `python -m benchmarks.soak`.

A web server with two processes and a worker are asked in turn for analyses of the examined documents, with a
new Idempotency-Key or with one that was used before, for checks of a citation, searches of the law, answers
of the sandbox and jobs, and for what is refused (a wrong key, a body that is none). Every ten seconds:
resident memory, its own share (PSS) and open files of each process, connections of PostgreSQL and of Redis.

Prints the mean of the second quarter of the time and of the last, since the first fills caches; exit code 1
where a process grew by more than a tenth and 20 MB, connections or files grew, or an answer was a 5xx.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final

import psycopg
import redis

from app.platform.postgres import rls
from benchmarks.exam import DEVELOPMENT
from benchmarks.job_kills import children
from benchmarks.protocol import account
from benchmarks.rolling_restart import Process, free_port
from tests.throwaway import Throwaway, new_database

SAMPLE_S: Final = 10.0
# More than the allocator's own ups and downs, in MB and as a part of what there was.
GROWN_MB: Final = 20
GROWN: Final = 0.1
_CHARACTERS: Final = 4_000


class Load:
    """One client that asks for one thing after another at a steady rate, and counts what it is answered."""

    def __init__(self, port: int, key: str, per_second: float) -> None:
        self._port, self._pause_s = port, 1 / per_second
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._documents = [
            path.read_text("utf-8")[:_CHARACTERS] for path in sorted(DEVELOPMENT.glob("*/*.txt"))
        ]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask_all, daemon=True)
        self.answers: Counter[str] = Counter()

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _requests(self) -> Iterator[tuple[str, str, dict[str, str], bytes | None]]:
        """Yield method, path, headers and body of what to ask for next, without end."""
        last, body = "", dict[str, Any]()
        for number in count():
            text = self._documents[number % len(self._documents)]
            match number % 8:
                case 0 | 4:
                    last = uuid.uuid4().hex
                    body = {"text": text, "mode": "deep" if number % 16 == 4 else "standard"}
                    yield "POST", "/api/v1/analyze", {"Idempotency-Key": last}, _json(body)
                case 1:
                    yield "POST", "/api/v1/analyze", {"Idempotency-Key": last}, _json(body)
                case 2:
                    check: dict[str, Any] = {"citation": "art. 36.1 LAU", "claim_text": text[:200]}
                    yield "POST", "/api/v1/normativa/verify-cita", {}, _json(check)
                case 3:
                    yield "POST", "/api/v1/normativa/search", {}, _json({"query": text[:80]})
                case 5:
                    job: dict[str, Any] = {"kind": "analyze", "payload": {"text": text}}
                    yield "POST", "/api/v1/jobs", {"Idempotency-Key": uuid.uuid4().hex}, _json(job)
                case 6:
                    yield "POST", "/api/v1/sandbox/analyze", {}, b"{}"
                case 7:
                    wrong: dict[str, str] = {"Authorization": "Bearer svc_none"} if number % 16 == 7 else {}
                    yield "POST", "/api/v1/analyze", wrong, b"{"

    def _ask_all(self) -> None:
        for method, path, headers, body in self._requests():
            if self._over.wait(self._pause_s):
                return
            asked = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
            try:
                asked.request(method, path, body, {**self._headers, **headers})
                answer = asked.getresponse()
                answer.read()
                self.answers[f"{path.removeprefix('/api/v1/')} {answer.status}"] += 1
            except (OSError, http.client.HTTPException) as error:
                self.answers[f"{path.removeprefix('/api/v1/')} {type(error).__name__}"] += 1
            finally:
                asked.close()


def _json(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def _memory_mb(process: int) -> tuple[float, float]:
    """Return the resident memory of a process and its own share of it."""
    fields = dict(
        line.split(":", 1)
        for line in Path(f"/proc/{process}/smaps_rollup").read_text("utf-8").splitlines()[1:]
    )
    resident, share = (int(fields[name].split()[0]) / 1024 for name in ("Rss", "Pss"))
    return resident, share


def _sample(roots: Mapping[str, int], url: str, redis_url: str) -> dict[str, float]:
    """Measure every process below `roots` and the connections to both stores."""
    found: dict[str, float] = {}
    for name, root in roots.items():
        named = [(name, root)]
        named += [
            (f"{name}: {title} {at}", one)
            for at, (one, title) in enumerate(sorted(children(root).items()), 1)
        ]
        for label, process in named:
            try:
                resident, share = _memory_mb(process)
                found[f"{label} RSS MB"], found[f"{label} PSS MB"] = resident, share
                found[f"{label} files"] = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
            except OSError:
                continue  # It ends.
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        row = connection.execute("SELECT count(*) FROM pg_stat_activity WHERE datname IS NOT NULL").fetchone()
        found["connections of PostgreSQL"] = row[0] if row else 0
    with redis.Redis.from_url(redis_url) as store:
        found["connections of Redis"] = store.info("clients")["connected_clients"]
    return found


def _run(
    folder: Path, url: str, redis_url: str, arguments: argparse.Namespace
) -> tuple[list[dict[str, float]], Load]:
    web = Process("web.py", folder, PORT=str(free_port()), WEB_WORKERS="2")
    worker = Process("worker.py", folder, JOB_PROCESSES="1")
    samples = []
    with rls.as_system():
        key = account()
    try:
        for one in (web, worker):
            one.start()
        for one in (web, worker):
            one.await_ready()
        roots = {"web": web.process_id(), "worker": worker.process_id()}
        began = time.monotonic()
        with Load(web.port, key, arguments.rate) as load:
            while (elapsed_s := time.monotonic() - began) < arguments.minutes * 60:
                time.sleep(SAMPLE_S)
                samples.append(_sample(roots, url, redis_url))
                if len(samples) % 30 == 0:
                    print(f"{elapsed_s / 60:.0f} min: {samples[-1]}", flush=True)
    finally:
        for one in (web, worker):
            one.end()
    return samples, load


def _grown(samples: list[dict[str, float]]) -> dict[str, tuple[float, float]]:
    """Return of each figure its mean in the second quarter of the time and in the last."""
    columns: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for name, value in sample.items():
            columns[name].append(value)
    quarters = {}
    for name, values in columns.items():
        quarter = len(values) // 4
        if quarter:
            quarters[name] = (
                statistics.mean(values[quarter : 2 * quarter]),
                statistics.mean(values[-quarter:]),
            )
    return quarters


def main() -> int:
    """Serve, measure and tell what grew."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30, help="how long")
    parser.add_argument("--rate", type=float, default=1.0, help="requests a second")
    arguments = parser.parse_args()
    services = Throwaway()
    try:
        with tempfile.TemporaryDirectory() as name:
            url, redis_url = new_database(services.addresses, "soak"), services.addresses.redis_url(0)
            os.environ |= {
                "DATABASE_URL": url,
                "REDIS_URL": redis_url,
                "SECRET_KEY": "b" * 40,
                "RATE_ENTERPRISE": "100000000",
                "LOG_LEVEL": "warning",
            }
            samples, load = _run(Path(name), url, redis_url, arguments)
    finally:
        services.stop()
    failed = sum(
        number for name, number in load.answers.items() if not name[-3:].isdigit() or name[-3] == "5"
    )
    grown = []
    print(f"{'':44}{'2nd quarter':>12}{'last':>10}")
    for name, (before, after) in sorted(_grown(samples).items()):
        print(f"{name:44}{before:12.1f}{after:10.1f}")
        if " MB" in name:
            more = after - before > max(GROWN_MB, GROWN * before)
        else:
            more = after - before > 2
        grown += [name] * more
    print(f"answers: {dict(sorted(load.answers.items()))}")
    print(json.dumps({"minutes": arguments.minutes, "grown": grown, "failed": failed}))
    return 1 if grown or failed else 0


if __name__ == "__main__":
    sys.exit(main())
