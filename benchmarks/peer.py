"""The charged request beside LiteLLM's proxy with limits in Redis: `python -m benchmarks.peer`.

Both serve in the same run, two web processes each, asked in turns by `wrk`: rounds of an empty Flask
endpoint; our sandbox; our charged, idempotent, metered analyze with an engine that takes no time; LiteLLM's
chat completion with an answer that it makes up itself, a key, and a limit of that key in Redis; our analyze
with the engine `rules` and the first 2,700 characters of a lease. Each text is another one. LiteLLM keeps no
ledger here and analyses nothing.

LiteLLM is installed by this command into an environment of its own below the user's cache, at a fixed
version, with the packages that make it faster. On a machine that others share, requests per second say
little; what counts is the processor time of a request, user and system, of the web processes and of the
stores, and the ratio of two figures of one round. Prints each with its range over the rounds and, on the last
line, one JSON object. Needs wrk (apt-get install wrk).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
import venv
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.platform.postgres import rls
from benchmarks import protocol
from benchmarks.exam import DEVELOPMENT
from tests.throwaway import Throwaway, new_database

VERSION = "1.106.12"
PACKAGES = (f"litellm[proxy]=={VERSION}", "opentelemetry-api", "opentelemetry-sdk", "httptools", "uvloop")
CALLERS, FEW, ROUNDS, START_S, WARM_UP_S = 32, 2, 5, 500, 2
LEASE, LEASE_CHARACTERS = DEVELOPMENT / "5" / "alquiler_piso_gijon.txt", 2_700
_KEY, _TICK_MS = "sk-benchmark", 1000 / os.sysconf("SC_CLK_TCK")
# What is put in the place of `_NUMBER` makes each text another one.
_NUMBER = "900"

_CONFIG = """
model_list:
  - model_name: instant
    litellm_params: {model: openai/instant, api_key: none, mock_response: "Nothing."}
litellm_settings:
  cache: true
  cache_params: {type: redis, supported_call_types: []}
general_settings:
  custom_auth: peer_key.authenticate
"""
_AUTHENTICATION = f"""
from litellm.proxy._types import UserAPIKeyAuth


async def authenticate(request, api_key):
    if api_key != "{_KEY}":
        raise ValueError("unknown key")
    return UserAPIKeyAuth(api_key="benchmark", rpm_limit=100_000_000)
"""


@dataclass(frozen=True)
class Work:
    """What is asked of a server: its name, process, address, headers and body."""

    server: Callable[[], int]
    port: int
    path: str
    headers: Mapping[str, str]
    body: str | None
    idempotent: bool = False


@rls.as_system()
def main() -> None:
    """Start both, measure them in turns, print the figures and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=5, help="length of each round of each endpoint")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many rounds")
    arguments = parser.parse_args()
    wrk = shutil.which("wrk")
    if wrk is None:
        sys.exit("benchmarks.peer: wrk is not installed: apt-get install wrk")
    program = _installed()
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
        stores = services.processes()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            instant, rules = (protocol.Server(folder, instant=one) for one in (True, False))
            with instant, rules, _litellm(program, folder, services.addresses.redis_url(1)) as (peer, port):
                works = _works(instant, rules, peer, port)
                _check(works)
                taken = _measure(wrk, folder, works, stores, arguments.seconds, arguments.rounds)
    finally:
        services.stop()
    _print(taken)


def _works(instant: protocol.Server, rules: protocol.Server, peer: int, port: int) -> dict[str, Work]:
    ours = {"Authorization": f"Bearer {protocol.account()}", "Content-Type": "application/json"}
    theirs = {"Authorization": f"Bearer {_KEY}", "Content-Type": "application/json"}
    short = json.dumps({"text": protocol.LEASE}, ensure_ascii=False)
    lease = json.dumps({"text": LEASE.read_text("utf-8")[:LEASE_CHARACTERS]}, ensure_ascii=False)
    chat = {"model": "instant", "messages": [{"role": "user", "content": protocol.LEASE}]}
    return {
        "empty": Work(instant.process_id, instant.port, "/benchmark/empty", ours, None),
        "sandbox": Work(instant.process_id, instant.port, "/api/v1/sandbox/analyze", ours, "{}"),
        "analyze, instant engine": Work(
            instant.process_id, instant.port, "/api/v1/analyze", ours, short, idempotent=True
        ),
        "LiteLLM": Work(
            lambda: peer, port, "/v1/chat/completions", theirs, json.dumps(chat, ensure_ascii=False)
        ),
        "analyze, lease by rules": Work(
            rules.process_id, rules.port, "/api/v1/analyze", ours, lease, idempotent=True
        ),
    }


def _check(works: Mapping[str, Work]) -> None:
    """Ask each once: a server that answers with an error is quick."""
    for name, work in works.items():
        asked = http.client.HTTPConnection("127.0.0.1", work.port, timeout=60)
        body = work.body.encode() if work.body else None
        asked.request("POST" if body else "GET", work.path, body, dict(work.headers))
        answer = asked.getresponse()
        said = answer.read()
        if answer.status != 200:
            sys.exit(f"benchmarks.peer: {name} answered {answer.status}: {said[:500]!r}")


def _measure(
    wrk: str, folder: Path, works: Mapping[str, Work], stores: list[int], seconds: int, rounds: int
) -> dict[str, list[dict[str, float]]]:
    """Return the figures of every round of each work, the works in turns."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            url = f"http://127.0.0.1:{work.port}{work.path}"
            length = seconds if turn else WARM_UP_S
            trees = [work.server(), *stores]
            before = [_processor_ms(root) for root in trees]
            many = protocol.measure(wrk, _script(folder, work), url, length, connections=CALLERS)
            spent = [_processor_ms(root) - was for root, was in zip(trees, before, strict=True)]
            requests = many["rps"] * length
            few = protocol.measure(wrk, _script(folder, work), url, max(1, length // 2), connections=FEW)
            if turn and not requests:
                sys.exit(
                    f"benchmarks.peer: no request of {name} ended within a round: lengthen it (--seconds)"
                )
            if turn:
                web, *rest = (one / requests for one in spent)
                found[name].append(
                    {"rps": many["rps"], "web_ms": web, "stores_ms": sum(rest), "p50_few_ms": few["p50_ms"]}
                )
    return found


def _script(folder: Path, work: Work) -> Path:
    """Write the script of wrk: each request with another text and, where it has one, another key."""
    path = folder / "peer.lua"
    lines = [f'wrk.method = "{"POST" if work.body else "GET"}"']
    lines += [f'wrk.headers["{name}"] = "{value}"' for name, value in work.headers.items()]
    lines += [
        f'local run, number = "{uuid.uuid4().hex}", 0',
        "local thread = 0",
        'function setup(one) one:set("id", thread); thread = thread + 1 end',
    ]
    if work.body:
        before, found, after = work.body.partition(_NUMBER)
        number = "(100 + number % 9900)" if found else "''"
        lines += [
            f"local before, after = [==[{before}]==], [==[{after}]==]",
            "function request()",
            "  number = number + 1",
            *(['  wrk.headers["Idempotency-Key"] = run .. "-" .. id .. "-" .. number'] * work.idempotent),
            f"  return wrk.format(nil, nil, nil, before .. {number} .. after)",
            "end",
        ]
    lines += [
        "function done(summary, latency)",
        '  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,',
        "    latency:percentile(50), latency:percentile(95), summary.errors.status + summary.errors.read",
        "    + summary.errors.timeout))",
        "end",
    ]
    path.write_text("\n".join(lines), "utf-8")
    return path


def _processor_ms(root: int) -> float:
    """Return the processor time of a process and all below it, user and system, in milliseconds."""
    parents: dict[int, int] = {}
    spent: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # It has ended.
        process = int(stat.parent.name)
        parents[process] = int(fields[1])
        spent[process] = int(fields[11]) + int(fields[12])
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        total += spent.get(process, 0)
        waiting += [child for child, parent in parents.items() if parent == process]
    return total * _TICK_MS


def _installed() -> Path:
    """Install LiteLLM where it is not yet; return its program."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = cache / "candado-benchmarks" / f"litellm-{VERSION}"
    if not (place / "complete").exists():
        print(f"installing LiteLLM {VERSION} into {place}", flush=True)
        shutil.rmtree(place, ignore_errors=True)
        venv.create(place, with_pip=True)
        install = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True)
        # Byte code is written now, not by the servers while they are measured.
        subprocess.run([str(place / "bin/python"), "-m", "compileall", "-q", str(place / "lib")], check=False)
        (place / "complete").touch()
    return place / "bin/litellm"


@contextmanager
def _litellm(program: Path, folder: Path, redis_url: str) -> Iterator[tuple[int, int]]:
    """Serve LiteLLM's proxy while the block runs; give its process and port."""
    (folder / "config.yaml").write_text(_CONFIG, "utf-8")
    (folder / "peer_key.py").write_text(_AUTHENTICATION, "utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    without = ("DATABASE_URL", "REDIS_URL", "PYTHONDONTWRITEBYTECODE")
    environment = {
        **{name: value for name, value in os.environ.items() if name not in without},
        "LITELLM_MASTER_KEY": f"sk-{uuid.uuid4().hex}{uuid.uuid4().hex}",
        "REDIS_URL": redis_url,
        "LITELLM_LOG": "ERROR",
        "LITELLM_MODE": "PRODUCTION",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    # On a busy machine its workers are loaded for longer than their supervisor waits by itself.
    command = [
        str(program), "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(port),
        "--num_workers", "2", "--timeout_worker_healthcheck", str(START_S),
    ]  # fmt: skip
    log = folder / "litellm.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        _await(port, "/health/liveliness", log)
        yield process.pid, port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


def _await(port: int, path: str, log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        try:
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            asked.request("GET", path)
            if asked.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    raise SystemExit(f"LiteLLM did not start; its words: {log.read_text('utf-8', 'replace')[-2000:]}")


def _print(taken: Mapping[str, list[dict[str, float]]]) -> None:
    print(f"{'':<26}{'req/s':>18}{'CPU ms web':>20}{'CPU ms stores':>20}{'p50 ms at 2':>18}")
    for name, rounds in taken.items():
        shown = (
            _range([one[field] for one in rounds]) for field in ("rps", "web_ms", "stores_ms", "p50_few_ms")
        )
        print(f"{name:<26}" + "".join(f"{one:>20}" for one in shown))
    ratios = {
        "rate of analyze to LiteLLM": _ratio(taken, "analyze, instant engine", "LiteLLM", "rps"),
        "CPU of LiteLLM to analyze, stores included": _ratio(
            taken, "LiteLLM", "analyze, instant engine", "cpu"
        ),
        "rate of analyze to empty": _ratio(taken, "analyze, instant engine", "empty", "rps"),
        "rate of sandbox to empty": _ratio(taken, "sandbox", "empty", "rps"),
        "rate of a lease by rules to LiteLLM": _ratio(taken, "analyze, lease by rules", "LiteLLM", "rps"),
        "CPU of LiteLLM to a lease by rules": _ratio(taken, "LiteLLM", "analyze, lease by rules", "cpu"),
        "added p50 at 2 callers, to LiteLLM's": _ratio(taken, "analyze, instant engine", "LiteLLM", "added"),
    }
    print()
    for name, values in ratios.items():
        print(f"{name:<46}{_range(values):>24}")
    print(
        json.dumps(
            {
                "litellm": VERSION,
                "rounds": len(next(iter(taken.values()))),
                "figures": {
                    name: {
                        field: round(statistics.median(one[field] for one in rounds), 3)
                        for field in rounds[0]
                    }
                    for name, rounds in taken.items()
                },
                "ratios": {
                    name: [round(one, 3) for one in (statistics.median(values), min(values), max(values))]
                    for name, values in ratios.items()
                },
            },
            ensure_ascii=False,
        )
    )


def _ratio(taken: Mapping[str, list[dict[str, float]]], one: str, other: str, figure: str) -> list[float]:
    """Return the ratio of each round."""

    def value(name: str, turn: int) -> float:
        found = taken[name][turn]
        if figure == "cpu":
            return found["web_ms"] + found["stores_ms"]
        if figure == "added":
            return max(0.001, found["p50_few_ms"] - taken["empty"][turn]["p50_few_ms"])
        return found[figure]

    return [value(one, turn) / value(other, turn) for turn in range(len(taken[one]))]


def _range(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f}-{max(values):.2f})"


if __name__ == "__main__":
    main()
