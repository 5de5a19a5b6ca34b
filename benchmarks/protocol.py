"""What the request protocol costs: `python -m benchmarks.protocol`.

One server (granian, two workers, 64 threads each) answers, in turns in the same run: an empty Flask JSON
endpoint; the sandbox; a charged, idempotent, metered analyze with an instant engine; the same with the engine
`rules`. Asked by `wrk` over 32 connections. Ratios are against the empty endpoint of the same run. Then each
stage by itself, in microseconds, in one process.

Prints tables and, on the last line, one JSON object. Needs wrk (apt-get install wrk).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.platform.postgres import rls
from tests.throwaway import Throwaway, new_database

ROOT = Path(__file__).resolve().parents[1]
LEASE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. En Madrid, a 1 de septiembre de 2026. De una parte, D. Tomás "
    "Herrero Vidal, con DNI 12345678Z, arrendador; de otra, Dña. Lucía Prado Sanz, arrendataria. La renta "
    "será de 900 euros mensuales y la fianza de una mensualidad (art. 36 LAU). El contrato tendrá una "
    "duración de un año."
)
WARM_UP_S, ROUNDS, START_S = 2, 3, 400


@rls.as_system()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=6, help="length of each round of each endpoint")
    arguments = parser.parse_args()
    wrk = shutil.which("wrk")
    if wrk is None:
        sys.exit("benchmarks.protocol: wrk is not installed: apt-get install wrk")
    services = Throwaway()
    try:
        os.environ |= {
            "DATABASE_URL": new_database(services.addresses, "benchmark"),
            "REDIS_URL": services.addresses.redis_url(0),
            "SECRET_KEY": "b" * 40,
            "RATE_ENTERPRISE": "100000000",
            "RATE_SANDBOX": "100000000",
            "LOG_LEVEL": "warning",
        }
        key = account()
        rates = _rates(wrk, key, arguments.seconds)
        stages = _stages(key)
    finally:
        services.stop()
    _print(rates, stages)


def account() -> str:
    from app import credits, tenancy
    from app.platform import clock
    from app.platform.postgres import db

    with db.transaction() as session:
        account, _ = tenancy.create_account(
            session, name="benchmark", email=f"{uuid.uuid4()}@example.com", password="not a secret"
        )
        credits.open_balance(session, account.id, low_threshold=0)
        credits.grant(session, account.id, 1_000_000_000, now=clock.now())
        made = tenancy.create_key(
            session,
            account.id,
            name="benchmark",
            tier="enterprise",
            scopes=tenancy.SCOPES,
            prefix="svc",
            now=clock.now(),
        )
    return made.plaintext


def _rates(wrk: str, key: str, seconds: int) -> dict[str, dict[str, float]]:
    """Requests per second and latency of each endpoint: the median of the rounds, endpoints in turns."""
    body = json.dumps({"text": LEASE}, ensure_ascii=False)
    found: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        instant, rules = Server(Path(folder), instant=True), Server(Path(folder), instant=False)
        plans = {
            "empty": (instant, "/benchmark/empty", None, False),
            "sandbox": (instant, "/api/v1/sandbox/analyze", "{}", False),
            "analyze, instant engine": (instant, "/api/v1/analyze", body, True),
            "analyze, rules engine": (rules, "/api/v1/analyze", body, True),
        }
        for turn in range(ROUNDS + 1):
            for name, (server, path, sent, idempotent) in plans.items():
                with server:
                    script = _script(Path(folder), key, sent, idempotent=idempotent)
                    length = WARM_UP_S if turn == 0 else seconds
                    measured = measure(wrk, script, f"http://127.0.0.1:{server.port}{path}", length)
                if turn:
                    found.setdefault(name, []).append(measured)
    return {
        name: {figure: statistics.median(one[figure] for one in rounds) for figure in rounds[0]}
        for name, rounds in found.items()
    }


class Server:
    """Granian, started for a round and gone after it, so that no other server shares the cores."""

    def __init__(self, folder: Path, *, instant: bool) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._log = folder / f"web-{instant}.log"
        self._target = "benchmarks.protocol_app:instant" if instant else "benchmarks.protocol_app:rules"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        command = [
            sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1",
            "--port", str(self.port), "--workers", "2", "--blocking-threads", "64", "--factory", self._target,
        ]  # fmt: skip
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                command, cwd=ROOT, stdout=output, stderr=output, start_new_session=True
            )
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                probe = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
                probe.request("GET", "/readyz")
                if probe.getresponse().status == 200:
                    return self
            except OSError:
                if self._process.poll() is not None:
                    break
            time.sleep(0.1)
        # Nobody leaves what was not entered.
        self.__exit__()
        raise SystemExit(f"the server did not start; its words: {self._log.read_text()[-2000:]}")

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            # Its workers were still being loaded.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(20)

    def process_id(self) -> int:
        """Return the process of the server, the parent of its workers."""
        assert self._process is not None
        return self._process.pid


def _script(folder: Path, key: str, body: str | None, *, idempotent: bool) -> Path:
    """A wrk script: the method, the key, the body, and a new Idempotency-Key for each request."""
    path = folder / "request.lua"
    lines = [
        f'wrk.method = "{"POST" if body else "GET"}"',
        f'wrk.headers["Authorization"] = "Bearer {key}"',
        'wrk.headers["Content-Type"] = "application/json"',
    ]
    if body:
        lines.append(f"wrk.body = [==[{body}]==]")
    if idempotent:
        lines += [
            f'local run = "{uuid.uuid4().hex}"',
            "local number = 0",
            "local thread = 0",
            'function setup(thread_) thread_:set("id", thread); thread = thread + 1 end',
            "function request()",
            "  number = number + 1",
            '  wrk.headers["Idempotency-Key"] = run .. "-" .. (id or 0) .. "-" .. number',
            "  return wrk.format()",
            "end",
        ]
    lines += [
        "function done(summary, latency)",
        '  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,',
        "    latency:percentile(50), latency:percentile(95), summary.errors.status + summary.errors.read",
        "    + summary.errors.timeout))",
        "end",
    ]
    path.write_text("\n".join(lines))
    return path


def measure(wrk: str, script: Path, url: str, seconds: int, *, connections: int = 32) -> dict[str, float]:
    """Ask `url` for some seconds; return requests per second and latencies. Fails where any request did."""
    done = subprocess.run(
        [
            wrk,
            "-t",
            str(min(2, connections)),
            "-c",
            str(connections),
            "-d",
            f"{seconds}s",
            "--timeout",
            "20s",
            "-s",
            str(script),
            url,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"RESULT (\d+) (\d+) ([\d.]+) ([\d.]+) (\d+)", done.stdout)
    assert found, done.stdout
    requests, microseconds, p50, p95, failed = (float(part) for part in found.groups())
    assert not failed, f"{failed:.0f} of {requests:.0f} requests failed: {done.stdout}"
    return {"rps": requests / microseconds * 1e6, "p50_ms": p50 / 1000, "p95_ms": p95 / 1000}


def _stages(key: str) -> dict[str, float]:
    """Each stage of a charged request by itself: median microseconds over 400 calls."""
    from app import credits, governance, idempotency, usage
    from app.analysis.request import AnalysisRequest
    from app.branding.attribution import PLAIN
    from app.idempotency import answer_cache, claims
    from app.platform import clock, ratelimit, redis_client
    from app.platform.confidential import DocumentText
    from app.platform.postgres import db
    from app.tenancy import identify

    redis_client.client().flushdb()
    with db.statements() as session:
        caller = identify(session, key, prefix="svc", now=clock.now())
    digest = claims.body_hash({"text": LEASE})
    stored = idempotency.StoredAnswer(200, {}, b"x" * 8000)

    def authenticate() -> None:
        with db.statements() as session:
            identify(session, key, prefix="svc", now=clock.now())

    def limit() -> None:
        ratelimit.limiter().hit("benchmark", 100_000_000)

    def idempotent() -> None:
        with db.statements() as session:
            claim = claims.begin(
                session, caller.account_id, "benchmark", uuid.uuid4().hex, digest,
                now=clock.now(), lease_s=20,
            )  # fmt: skip
            session.take(claims.completing(claim, now=clock.now()))
        answer_cache.remember(claim.token, claim.data_key, stored)

    def hold_and_capture() -> None:
        with db.statements() as session:
            hold = credits.hold(
                session, caller.account_id, 1, api_key_id=caller.key_id, now=clock.now(), ttl_s=60
            )
            session.take(
                credits.capturing(
                    caller.account_id, hold, 1,
                    now=clock.now(), operation="analyze", reference_type="benchmark", reference_id="1",
                )
            )  # fmt: skip

    entry: dict[str, Any] = {
        "account_id": caller.account_id, "api_key_id": caller.key_id, "request_id": "benchmark",
        "started_at": clock.now(), "finished_at": clock.now(), "jurisdiction": "ES", "branch": "civil",
        "language": "es", "mode": "standard", "models": ("x",), "versions": {}, "redactions": {},
        "citations": {}, "locks": {}, "credits": 1, "document_hash": "0" * 64, "document_characters": 1,
        "analysis_hash": "0" * 64,
    }  # fmt: skip

    def audit() -> None:
        with db.statements() as session:
            session.take(governance.appending(governance.Entry(analysis_id=uuid.uuid4(), **entry)))

    def meter() -> None:
        usage.record(usage.Call(clock.now(), caller.account_id, caller.key_id, "/api/v1/analyze", 200, 20, 1))

    def examine() -> None:
        from app.analysis.pipeline import analyse

        analyse(AnalysisRequest(DocumentText(LEASE)), mask_names=False, on=clock.now(), attribution=PLAIN)

    stages: dict[str, Callable[[], None]] = {
        "authentication": authenticate,
        "limit": limit,
        "idempotency (claim, complete, keep)": idempotent,
        "hold and capture": hold_and_capture,
        "audit record": audit,
        "metering": meter,
        "examination (rules engine)": examine,
    }
    return {name: _median_us(stage) for name, stage in stages.items()}


def _median_us(stage: Callable[[], None], calls: int = 400) -> float:
    taken = []
    for number in range(calls + 20):
        began = time.perf_counter()
        stage()
        if number >= 20:
            taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1e6


def _print(rates: dict[str, dict[str, float]], stages: dict[str, float]) -> None:
    floor = rates["empty"]["rps"]
    print(f"{'endpoint':<28}{'req/s':>9}{'of empty':>10}{'p50 ms':>9}{'p95 ms':>9}{'p95/p50':>9}")
    for name, row in rates.items():
        print(
            f"{name:<28}{row['rps']:>9.0f}{row['rps'] / floor:>10.1%}{row['p50_ms']:>9.1f}"
            f"{row['p95_ms']:>9.1f}{row['p95_ms'] / row['p50_ms']:>9.1f}"
        )
    print(f"\n{'stage':<40}{'median µs':>10}")
    for name, cost in stages.items():
        print(f"{name:<40}{cost:>10.0f}")
    ratios = {name: round(row["rps"] / floor, 4) for name, row in rates.items()}
    print(
        json.dumps(
            {
                "endpoints": {n: {f: round(v, 2) for f, v in row.items()} for n, row in rates.items()},
                "ratio_to_empty": ratios,
                "stages_us": {name: round(cost) for name, cost in stages.items()},
            },
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main()
