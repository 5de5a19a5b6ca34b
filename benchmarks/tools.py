"""What a tool costs beside its HTTP route: `python -m benchmarks.tools`.

One server (granian, two workers, 64 threads each) answers, in turns in the same run: verify_citation as a
route and as a tool in both eras of the protocol, the list of tools, and the health check; each asked by one
caller and by 32. Ratios are of the median time, to the route of the same run and the same number of callers;
the aim for a tool is 1.5. Then the same requests in one process, without a socket, in milliseconds.

Prints tables and, on the last line, one JSON object. Needs wrk (apt-get install wrk).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.platform.postgres import rls
from benchmarks.protocol import Server, account, measure
from tests.throwaway import Throwaway, new_database

WARM_UP_S, ROUNDS, CALLERS = 2, 3, 32
CITED = {"citation": "art. 1902 CC", "jurisdiction": "ES"}
_MODERN, _LEGACY = "2026-07-28", "2025-06-18"
_ROUTE = "route"


@dataclass(frozen=True)
class Plan:
    """A request that is sent again and again; `against` names the one it is compared with."""

    path: str
    body: dict[str, Any] | None = None
    headers: tuple[tuple[str, str], ...] = ()
    against: str = _ROUTE


def _tool(version: str, method: str, params: dict[str, Any]) -> Plan:
    """Return a request of the protocol as a client of `version` sends it."""
    headers = [
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", version),
    ]
    if version == _MODERN:
        headers.append(("Mcp-Method", method))
        if "name" in params:
            headers.append(("Mcp-Name", params["name"]))
        meta = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {**params, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return Plan("/api/mcp", body, tuple(headers))


PLANS = {
    "health check": Plan("/healthz"),
    _ROUTE: Plan("/api/v1/normativa/verify-cita", CITED),
    "tool, 2026-07-28": _tool(_MODERN, "tools/call", {"name": "verify_citation", "arguments": CITED}),
    "tool, 2025-06-18": _tool(_LEGACY, "tools/call", {"name": "verify_citation", "arguments": CITED}),
    "tools/list": _tool(_MODERN, "tools/list", {}),
}


@rls.as_system()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=5, help="length of each round of each request")
    arguments = parser.parse_args()
    wrk = shutil.which("wrk")
    if wrk is None:
        sys.exit("benchmarks.tools: wrk is not installed: apt-get install wrk")
    services = Throwaway()
    try:
        os.environ |= {
            "DATABASE_URL": new_database(services.addresses, "benchmark"),
            "REDIS_URL": services.addresses.redis_url(0),
            "SECRET_KEY": "b" * 40,
            "RATE_ENTERPRISE": "100000000",
            "RATE_MANAGEMENT": "100000000",
            "LOG_LEVEL": "warning",
        }
        key = account()
        found = _rates(wrk, key, arguments.seconds)
        alone = _in_process(key)
    finally:
        services.stop()
    _print(found, alone)


def _rates(wrk: str, key: str, seconds: int) -> dict[str, dict[str, float]]:
    """Return rate and latency of each request and number of callers: the median of the rounds, in turns."""
    measured: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), instant=False) as server:
        for turn in range(ROUNDS + 1):
            for callers in (1, CALLERS):
                for name, plan in PLANS.items():
                    script = _script(Path(folder), key, plan)
                    url = f"http://127.0.0.1:{server.port}{plan.path}"
                    one = measure(wrk, script, url, seconds if turn else WARM_UP_S, connections=callers)
                    if turn:
                        measured.setdefault(f"{name} x{callers}", []).append(one)
    return {
        name: {figure: statistics.median(one[figure] for one in rounds) for figure in rounds[0]}
        for name, rounds in measured.items()
    }


def _script(folder: Path, key: str, plan: Plan) -> Path:
    path = folder / "tool.lua"
    lines = [
        f'wrk.method = "{"POST" if plan.body else "GET"}"',
        f'wrk.headers["Authorization"] = "Bearer {key}"',
        'wrk.headers["Content-Type"] = "application/json"',
        *(f'wrk.headers["{name}"] = "{value}"' for name, value in plan.headers),
        *([f"wrk.body = [==[{json.dumps(plan.body)}]==]"] if plan.body else []),
        "function done(summary, latency)",
        '  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,',
        "    latency:percentile(50), latency:percentile(95),",
        "    summary.errors.status + summary.errors.read + summary.errors.timeout))",
        "end",
    ]
    path.write_text("\n".join(lines))
    return path


def _in_process(key: str, calls: int = 300) -> dict[str, float]:
    """Return the milliseconds of each request by itself, without a socket: the median, in turns."""
    from app.factory import create_app

    client = create_app().test_client()
    taken: dict[str, list[float]] = {name: [] for name in PLANS}
    for number in range(calls + 20):
        for name, plan in PLANS.items():
            headers = {"Authorization": f"Bearer {key}", **dict(plan.headers)}
            began = time.perf_counter()
            response = client.open(
                plan.path, method="POST" if plan.body else "GET", json=plan.body, headers=headers
            )
            if number >= 20:
                taken[name].append((time.perf_counter() - began) * 1000)
            assert response.status_code == 200, response.text
    return {name: statistics.median(times) for name, times in taken.items()}


def _print(found: dict[str, dict[str, float]], alone: dict[str, float]) -> None:
    ratios = {}
    print(f"{'request':<24}{'req/s':>9}{'p50 ms':>9}{'p95 ms':>9}{'p50/route':>11}")
    for name, row in found.items():
        callers = name.rpartition(" ")[2]
        ratios[name] = row["p50_ms"] / found[f"{_ROUTE} {callers}"]["p50_ms"]
        print(f"{name:<24}{row['rps']:>9.0f}{row['p50_ms']:>9.2f}{row['p95_ms']:>9.2f}{ratios[name]:>11.2f}")
    print(f"\n{'in one process':<24}{'ms':>9}{'of route':>11}")
    for name, cost in alone.items():
        print(f"{name:<24}{cost:>9.2f}{cost / alone[_ROUTE]:>11.2f}")
    print(
        json.dumps(
            {
                "requests": {n: {f: round(v, 2) for f, v in row.items()} for n, row in found.items()},
                "ratio_of_p50": {name: round(one, 2) for name, one in ratios.items()},
                "in_process_ms": {name: round(cost, 2) for name, cost in alone.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
