"""Serve from several hosts and cut one off under load: `python -m benchmarks.hosts` (as root, Linux).

Each host is a network namespace with an address of its own on one bridge: `a` and `b` have a web server of
one process and a worker of one job each, a third has PostgreSQL (which waits for the disk) and Redis, which
both listen on TCP. The clients are beside the stores and ask each host by its address, with an
Idempotency-Key; who gets no answer in fifteen seconds, or a 409 or 503, asks the other host with the same
key, as a load balancer and a client's library do.

First, twenty times: a child key made through `b` is used on `a`, revoked through `b`, and used on `a` again.
Then a key of ten requests a minute asks both hosts by turns, forty times. Then charged analyses and jobs keep
coming, and for each of `--cuts` the cable of a host is pulled for so many seconds (its link is down, nothing
is told to anybody) and put back. At the end each request has to be answered and each accepted job completed,
each charged once. `--limits` gives PostgreSQL the limits of docs/scale.md, by which it lets go of what a host
that is gone holds. Prints counts and one JSON object; exit code 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from app.dev.services import Postgres, Redis
from app.platform.postgres import rls
from benchmarks.job_kills import open_jobs
from benchmarks.protocol import account
from benchmarks.rolling_restart import PATIENCE_S, Load, Process, ask, books
from tests.throwaway import Addresses, new_database

STORES: Final = "10.77.0.1"
HOSTS: Final = {"a": "10.77.0.11", "b": "10.77.0.12"}
PORT: Final = 8000
REVOCATIONS, ASKED_IN_A_MINUTE, RATE = 20, 40, 10
LIMITS: Final = (
    "idle_in_transaction_session_timeout=60s",
    "tcp_keepalives_idle=5",
    "tcp_keepalives_interval=5",
    "tcp_keepalives_count=3",
    "tcp_user_timeout=15s",
)
_BROKEN: Final = (
    "never_answered",
    "jobs_lost",
    "charges_amiss",
    "still_held",
    "revoked_and_served",
    "rate_exceeded_by",
    "used_before_refused",
)


class TcpPostgres(Postgres):
    """PostgreSQL that listens on one address, trusted on the network of the hosts."""

    limits: Sequence[str] = ()

    def _create_cluster(self, initdb: Path) -> None:
        super()._create_cluster(initdb)
        with (self.home / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.77.0.0/24 trust\n")

    def _prepare(self) -> list[str]:
        settings = (f"listen_addresses={STORES}", "port=5432", *self.limits)
        return super()._prepare() + [word for one in settings for word in ("-c", one)]


class TcpRedis(Redis):
    """Redis that listens on one address besides its socket."""

    def _prepare(self) -> list[str]:
        return [*super()._prepare(), "--bind", STORES, "--port", "6379", "--protected-mode", "no"]


class Network:
    """A bridge in this namespace, and a namespace for each host with a cable to it."""

    def __init__(self) -> None:
        self._names = {host: f"candado-{os.getpid()}-{host}" for host in HOSTS}

    def __enter__(self) -> Network:
        for words in (
            "link set lo up",
            "link add br0 type bridge",
            f"addr add {STORES}/24 dev br0",
            "link set br0 up",
        ):
            _ip(words)
        for host, address in HOSTS.items():
            name = self._names[host]
            for words in (
                f"netns add {name}",
                f"link add cable-{host} type veth peer name eth0 netns {name}",
                f"link set cable-{host} master br0 up",
                f"-n {name} addr add {address}/24 dev eth0",
                f"-n {name} link set eth0 up",
                f"-n {name} link set lo up",
            ):
                _ip(words)
        return self

    def __exit__(self, *_: object) -> None:
        for name in self._names.values():
            _ip(f"netns del {name}")

    def within(self, host: str) -> list[str]:
        """Return the words that start a command on a host."""
        return ["ip", "netns", "exec", self._names[host]]

    def cut(self, host: str, seconds: float) -> None:
        """Pull the cable of a host, and put it back after some seconds."""
        _ip(f"link set cable-{host} down")
        try:
            time.sleep(seconds)
        finally:
            _ip(f"link set cable-{host} up")


def _ip(words: str) -> None:
    subprocess.run(["ip", *words.split()], check=True)


class PatientLoad(Load):
    """Clients that ask the other host where one is away, busy with the same key, or without its stores."""

    ASKED_AGAIN = frozenset({409, 503})
    TIMEOUT_S = 15.0

    def __init__(self, key: str) -> None:
        super().__init__(key, [(address, PORT) for address in HOSTS.values()])
        self.longest_s = 0.0
        self._worst = threading.Lock()

    def _ask(self, what: str, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        began = time.monotonic()
        try:
            return super()._ask(what, path, body)
        finally:
            with self._worst:
                self.longest_s = max(self.longest_s, time.monotonic() - began)


def _call(host: str, method: str, path: str, key: str, body: dict[str, Any] | None = None) -> Any:
    """Ask a host; return its status and what it said."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    status, said = ask((HOSTS[host], PORT), method, f"/api/v1{path}", headers, body)
    return status, json.loads(said) if said.startswith(b"{") else {}


def revoke(master: str) -> dict[str, int]:
    """Count the requests that a host served after another had revoked their key."""
    status, made = _call("b", "POST", "/organizations", master, {"name": "hosts"})
    if status != 201:
        raise SystemExit(f"no organization could be made: {status} {made}")
    keys = f"/organizations/{made['organization']['id']}/keys"
    served, refused_before = 0, 0
    for turn in range(REVOCATIONS):
        status, child = _call("b", "POST", keys, master, {"childLabel": f"turn {turn}"})
        if status != 201:
            raise SystemExit(f"no child key could be made: {status} {child}")
        key = child["key"]
        refused_before += _call("a", "GET", "/usage", key)[0] != 200
        told = _call("b", "DELETE", f"{keys}/{child['id']}", master)[0]
        if told not in (200, 204):
            raise SystemExit(f"the key could not be revoked: {told}")
        served += _call("a", "GET", "/usage", key)[0] != 401
    return {"revocations": REVOCATIONS, "revoked_and_served": served, "used_before_refused": refused_before}


def exceed(key: str) -> dict[str, int]:
    """Ask both hosts by turns with a key of few requests a minute; count what they served."""
    statuses = [
        _call("ab"[turn % 2], "POST", "/normativa/search", key, {"query": "fianza"})[0]
        for turn in range(ASKED_IN_A_MINUTE)
    ]
    served = sum(status == 200 for status in statuses)
    return {
        "rate_asked": len(statuses),
        "rate_served": served,
        "rate_refused": sum(status == 429 for status in statuses),
        "rate_exceeded_by": max(0, served - RATE),
    }


def _slow_key() -> str:
    from app import credits, tenancy
    from app.platform import clock, settings
    from app.platform.postgres import db

    with db.transaction() as session:
        made, _ = tenancy.create_account(
            session, name="slow", email=f"{uuid.uuid4()}@example.com", password="not a secret"
        )
        credits.open_balance(session, made.id, low_threshold=0)
        return tenancy.create_key(
            session,
            made.id,
            name="slow",
            tier="standard",
            scopes=("query",),
            prefix=settings.current().key_prefix,
            now=clock.now(),
        ).plaintext


def _run(network: Network, folder: Path, cuts: Sequence[float], limits: bool) -> dict[str, Any]:
    postgres = TcpPostgres(folder / "postgres", folder / "postgres.log", durable=True)
    postgres.limits = LIMITS if limits else ()
    redis = TcpRedis(folder / "redis", folder / "redis.log", durable=True)
    processes: list[Process] = []
    try:
        for service in (redis, postgres):
            service.start()
            service.await_ready()
        os.environ |= {
            "DATABASE_URL": new_database(Addresses(str(folder), postgres.url("postgres"), ""), "hosts"),
            "REDIS_URL": f"redis://{STORES}:6379/0",
            "SECRET_KEY": "b" * 40,
            "RATE_ENTERPRISE": "100000000",
            "RATE_MANAGEMENT": "100000000",
            "RATE_STANDARD": str(RATE),
            "LOG_LEVEL": "warning",
        }
        key, master, slow = account(), account(), _slow_key()
        shared = {"DATABASE_URL": f"postgresql://postgres@{STORES}:5432/hosts"}
        for host, address in HOSTS.items():
            within = network.within(host)
            web = {"PORT": str(PORT), "HOST": "0.0.0.0", "WEB_WORKERS": "1"}
            processes += [
                Process("web.py", folder, host=address, within=within, **web, **shared),
                Process("worker.py", folder, within=within, JOB_PROCESSES="1", **shared),
            ]
        for process in processes:
            process.start()
        for process in processes:
            process.await_ready()
        found = revoke(master) | exceed(slow)
        print(found, flush=True)
        with PatientLoad(key) as load:
            time.sleep(5)
            for turn, seconds in enumerate(cuts):
                host = "ab"[turn % 2]
                before = sum(load.counts[f"answers_{one}xx"] for one in (2, 4, 5))
                network.cut(host, seconds)
                meanwhile = sum(load.counts[f"answers_{one}xx"] for one in (2, 4, 5)) - before
                print(f"{host} was cut off for {seconds:.0f} s: {meanwhile} answers meanwhile", flush=True)
                time.sleep(10)
        deadline = time.monotonic() + PATIENCE_S
        while open_jobs() and time.monotonic() < deadline:
            time.sleep(0.2)
        counted = ("analyses", "jobs", "asked_again", "never_answered")
        return {
            "hosts": len(HOSTS),
            "cuts": len(cuts),
            "seconds_cut": sum(cuts),
            **found,
            **{one: load.counts[one] for one in counted},
            **{name: count for name, count in sorted(load.counts.items()) if name.startswith("answers_")},
            "longest_wait_s": round(load.longest_s, 1),
            **books(load),
        }
    finally:
        for process in processes:
            process.end()
        for service in (postgres, redis):
            service.stop()
            service.wait()


@rls.as_system()
def main() -> int:
    """Build the network, start the hosts, cut them off, and compare the books."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--cuts",
        type=lambda text: [float(one) for one in text.split(",")],
        default=[5.0, 15.0, 40.0],
        help="seconds for which a host is cut off, by commas",
    )
    parser.add_argument("--limits", action="store_true", help="PostgreSQL lets go of hosts that are gone")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        # A network namespace of its own, so that nothing of this machine's network is touched.
        words = ["unshare", "--net", sys.executable, "-m", "benchmarks.hosts", "--inside", *sys.argv[1:]]
        os.execvp(words[0], words)
    folder = Path(tempfile.mkdtemp(prefix="candado-hosts-"))
    folder.chmod(0o711)
    try:
        with Network() as network:
            found = _run(network, folder, arguments.cuts, arguments.limits)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for label, value in found.items():
        print(f"{label.replace('_', ' '):24}{value:10}")
    print(json.dumps(found))
    return 1 if any(found[one] for one in _BROKEN) else 0


if __name__ == "__main__":
    sys.exit(main())
