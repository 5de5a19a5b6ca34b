"""Restart web and workers under load, one after the other: `python -m benchmarks.rolling_restart`.

Two web servers on ports of their own and two workers share one PostgreSQL and one Redis. Clients ask for
charged analyses and jobs all the time, each with an Idempotency-Key; who finds a server gone asks the other
with the same key, as a load balancer does, and is told of no restart before. In each turn one web server and
one worker get SIGTERM, are waited for and are started again, and the next turn comes when both are back.

At the end every request must have been answered once and with no 5xx, every accepted job must have been
completed, and each be charged exactly once. With `--pgbouncer` every process reaches PostgreSQL over TCP
through a PgBouncer in transaction mode (apt-get install pgbouncer). Prints each count, the most
connections, and one JSON object; exit code 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import parse_qs, urlsplit

import psycopg

from app.platform.postgres import rls
from benchmarks.job_kills import children, open_jobs
from benchmarks.protocol import LEASE, ROOT, account
from tests.throwaway import Throwaway, new_database

CALLERS: Final = 3
PAUSE_S: Final = 0.1
JOB_EVERY_S: Final = 0.5
PATIENCE_S: Final = 300.0
_BROKEN: Final = ("answers_5xx", "answers_4xx", "never_answered", "jobs_lost", "charges_amiss", "still_held")


class Process:
    """A web server or a worker, started again and again; `within` are words before its command."""

    def __init__(
        self,
        program: str,
        folder: Path,
        *,
        host: str = "127.0.0.1",
        within: Sequence[str] = (),
        **environment: str,
    ) -> None:
        self._command = [*within, sys.executable, program]
        self._host = host
        self._log = folder / f"{program}-{uuid.uuid4().hex[:6]}.log"
        self._environment = {**os.environ, **environment}
        self.port = int(environment.get("PORT", 0))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; `await_ready` waits for it."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def await_ready(self) -> None:
        """Wait until the server answers, or until the worker has processes that take jobs."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if self._answers() if self.port else self._has_children():
                return
            time.sleep(0.1)
        raise SystemExit(f"{self._command[-1]} did not start: {self._log.read_text('utf-8')[-2000:]}")

    def stop(self) -> float:
        """Send SIGTERM and wait; return how many seconds it took to end."""
        assert self._process is not None
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(PATIENCE_S)
        return time.monotonic() - began

    def process_id(self) -> int:
        """Return the number of the process, the parent of those that do the work."""
        assert self._process is not None
        return self._process.pid

    def end(self) -> None:
        """Stop it, if it runs, and whatever it leaves behind."""
        if self._process is None:
            return
        try:
            self.stop()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _answers(self) -> bool:
        try:
            return ask((self._host, self.port), "GET", "/readyz", {}, None)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def _has_children(self) -> bool:
        assert self._process is not None
        return any(title.startswith("job-") for title in children(self._process.pid).values())


class Load:
    """Clients that ask all the time, and what they were answered.

    `servers` are ports of this machine, or hosts and ports. An answer whose status is in `ASKED_AGAIN` is
    counted, and asked for again with the same key.
    """

    ASKED_AGAIN: frozenset[int] = frozenset()
    TIMEOUT_S = 60.0

    def __init__(self, key: str, servers: Sequence[int | tuple[str, int]]) -> None:
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._servers = [("127.0.0.1", one) if isinstance(one, int) else one for one in servers]
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._analyse, daemon=True) for _ in range(CALLERS)]
        self._threads.append(threading.Thread(target=self._submit, daemon=True))
        self._lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.jobs: list[str] = []

    def __enter__(self) -> Self:
        for one in self._threads:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for one in self._threads:
            one.join()

    def _analyse(self) -> None:
        while not self._over.wait(PAUSE_S):
            self._ask("analyses", "/api/v1/analyze", {"text": LEASE})

    def _submit(self) -> None:
        while not self._over.wait(JOB_EVERY_S):
            answer = self._ask("jobs", "/api/v1/jobs", {"kind": "analyze", "payload": {"text": LEASE}})
            if answer is not None:
                self.jobs.append(answer["jobId"])

    def _ask(self, what: str, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Ask one server, and another where it is gone; count what comes of it."""
        headers = {**self._headers, "Idempotency-Key": uuid.uuid4().hex}
        deadline = time.monotonic() + PATIENCE_S
        with self._lock:
            self.counts[what] += 1
            first = self.counts[what]
        for attempt in range(10**6):
            server = self._servers[(first + attempt) % len(self._servers)]
            try:
                status, said = ask(server, "POST", path, headers, body, timeout=self.TIMEOUT_S)
            except (OSError, http.client.HTTPException):
                self._count("asked_again")
                if time.monotonic() > deadline:
                    self._count("never_answered")
                    return None
                time.sleep(0.05)
                continue
            self._count(f"answers_{status // 100}xx")
            if status in self.ASKED_AGAIN and time.monotonic() < deadline:
                self._count(f"answers_{status}")
                time.sleep(0.2)
                continue
            return json.loads(said) if status < 300 else None
        return None

    def _count(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1


def ask(
    server: tuple[str, int],
    method: str,
    path: str,
    headers: dict[str, str],
    body: dict[str, Any] | None,
    *,
    timeout: float = 60,
) -> tuple[int, bytes]:
    """Ask a server, given by host and port; return the status and the body of its answer."""
    asked = http.client.HTTPConnection(*server, timeout=timeout)
    try:
        asked.request(method, path, None if body is None else json.dumps(body), headers)
        answer = asked.getresponse()
        return answer.status, answer.read()
    finally:
        asked.close()


class Watch:
    """The most connections that PostgreSQL had, looked at after each turn."""

    def __init__(self) -> None:
        self.connections = 0

    def look(self) -> None:
        """Look once."""
        self.connections = max(self.connections, int(_rows("SELECT count(*) FROM pg_stat_activity")[0][0]))


def _rows(sql: str) -> list[Any]:
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.reading() as session:
        return [tuple(row) for row in session.execute(sa.text(sql)).all()]


def _restart(
    webs: list[Process], workers: list[Process], restarts: int, minutes: float, watch: Watch
) -> list[float]:
    """Restart each in turn, beginning no turn after some minutes; return the seconds that each turn took."""
    took: list[float] = []
    until = time.monotonic() + minutes * 60
    for turn in range(restarts):
        began = time.monotonic()
        if took and began > until:
            break
        pair = (webs[turn % len(webs)], workers[turn % len(workers)])
        for one in pair:
            one.stop()
            one.start()
        for one in pair:
            one.await_ready()
        watch.look()
        took.append(time.monotonic() - began)
        print(f"restart {turn + 1} of {restarts}: {took[-1]:.0f} s", flush=True)
    return took


def books(load: Load) -> dict[str, int]:
    """Compare what was answered with what the ledger and the jobs say."""
    charges = Counter(
        row[0] for row in _rows("SELECT reference_id FROM credit_ledger WHERE kind = 'consumption'")
    )
    completed = {str(row[0]) for row in _rows("SELECT id FROM jobs WHERE status = 'completed'")}
    wanted = load.counts["analyses"] + len(load.jobs)
    return {
        "jobs_lost": sum(one not in completed for one in load.jobs),
        "jobs_tried_again": int(_rows("SELECT count(*) FROM jobs WHERE attempt > 1")[0][0]),
        "charges": sum(charges.values()),
        "charges_amiss": abs(sum(charges.values()) - wanted) + sum(one > 1 for one in charges.values()),
        "still_held": int(_rows("SELECT coalesce(sum(held), 0) FROM credit_balances")[0][0]),
    }


# The start-up parameter `options`, which PgBouncer 1.18 does not pass on, as a query of each new connection.
_SETTINGS: Final = {
    "role": rls.APP_ROLE,
    "statement_timeout": "15000",
    "TimeZone": "UTC",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",
}
_CONNECT: Final = "SELECT " + ", ".join(
    f"set_config(''{name}'', ''{value}'', false)" for name, value in _SETTINGS.items()
)


@contextmanager
def pgbouncer(database_url: str, folder: Path) -> Iterator[str]:
    """Run PgBouncer in transaction mode before a database; give the address to reach it by over TCP."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        sys.exit("benchmarks: pgbouncer is not installed: apt-get install pgbouncer")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    parts = urlsplit(database_url)
    name, user = parts.path.lstrip("/"), parts.username or "postgres"
    host = parse_qs(parts.query).get("host", [parts.hostname or ""])[0]
    (folder / "users.txt").write_text(f'"{user}" "{parts.password or ""}"\n', "utf-8")
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n{name} = host={host} dbname={name} user={user} connect_query='{_CONNECT}'\n"
        "[pgbouncer]\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\nauth_file = {folder}/users.txt\n"
        f"pool_mode = transaction\nmax_client_conn = 500\ndefault_pool_size = 20\nunix_socket_dir =\n"
        "ignore_startup_parameters = extra_float_digits,options\n",
        "utf-8",
    )
    folder.chmod(0o755)
    as_nobody = ["setpriv", "--reuid=nobody", "--clear-groups"] if os.geteuid() == 0 else []
    with (folder / "pgbouncer.log").open("ab") as log:
        process = subprocess.Popen(
            [*as_nobody, program, str(folder / "pgbouncer.ini")], stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        bounced = f"{parts.scheme}://{user}@127.0.0.1:{port}/{name}"
        with psycopg.connect(bounced.replace("+psycopg", "")) as connection:
            found = connection.execute("SELECT current_user").fetchone()
        if found != (rls.APP_ROLE,):
            raise SystemExit(f"through PgBouncer row-level security does not hold: the role is {found}")
        yield bounced
    finally:
        process.terminate()
        process.wait(20)


@rls.as_system()
def main() -> int:
    """Restart under load, and compare the books."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--restarts", type=int, default=20, help="turns of one web server and one worker")
    parser.add_argument("--minutes", type=float, default=120, help="begin no turn later than this")
    parser.add_argument("--pgbouncer", action="store_true", help="reach PostgreSQL through PgBouncer")
    arguments = parser.parse_args()
    services = Throwaway()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            url = new_database(services.addresses, "rolling")
            os.environ |= {
                "DATABASE_URL": url,
                "REDIS_URL": services.addresses.redis_url(0),
                "SECRET_KEY": "b" * 40,
                "RATE_ENTERPRISE": "100000000",
                "LOG_LEVEL": "warning",
            }
            key = account()
            if arguments.pgbouncer:
                with pgbouncer(url, folder) as bounced:
                    found = _run(folder, key, arguments, bounced)
            else:
                found = _run(folder, key, arguments, url)
    finally:
        services.stop()
    for label, value in found.items():
        print(f"{label.replace('_', ' '):24}{value:10}")
    print(json.dumps(found))
    return 1 if any(found[one] for one in _BROKEN) else 0


def _run(folder: Path, key: str, arguments: argparse.Namespace, url: str) -> dict[str, Any]:
    webs = [
        Process("web.py", folder, PORT=str(free_port()), WEB_WORKERS="1", DATABASE_URL=url) for _ in range(2)
    ]
    workers = [Process("worker.py", folder, JOB_PROCESSES="1", DATABASE_URL=url) for _ in range(2)]
    watch = Watch()
    try:
        for one in (*webs, *workers):
            one.start()
        for one in (*webs, *workers):
            one.await_ready()
        with Load(key, [one.port for one in webs]) as load:
            took = _restart(webs, workers, arguments.restarts, arguments.minutes, watch)
        deadline = time.monotonic() + PATIENCE_S
        while open_jobs() and time.monotonic() < deadline:
            time.sleep(0.2)
        found = books(load)
    finally:
        for one in (*webs, *workers):
            one.end()
    counted = (
        "analyses",
        "jobs",
        "asked_again",
        "answers_2xx",
        "answers_4xx",
        "answers_5xx",
        "never_answered",
    )
    return {
        "restarts": len(took),
        **{one: load.counts[one] for one in counted},
        **found,
        "most_connections": watch.connections,
        "longest_turn_s": round(max(took), 1),
    }


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
