"""Kill Redis's master under load; what are clients answered? `python -m benchmarks.redis_failover`.

A Redis, its replica and three sentinels; a web server and a worker that ask the sentinels (`REDIS_URL` of the
form `redis+sentinel://…`). Clients ask for charged analyses and jobs all the time, as in
`benchmarks.rolling_restart`. After a while signal 9 ends the master, and the replica takes its place.

Prints what was answered, for how long answers were 5xx, and compares the books at the end: every accepted job
completed, everything charged once, nothing left held. A replica lags behind, so what Redis acknowledged in
the last milliseconds may be lost with its master. Exit code 1 where a charge is amiss or no job is accepted
any more.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from app.platform.postgres import rls
from benchmarks.job_kills import open_jobs
from benchmarks.protocol import account
from benchmarks.rolling_restart import PATIENCE_S, Load, Process, books, free_port
from tests.replicated_redis import Replicated
from tests.throwaway import Throwaway, new_database


@rls.as_system()
def main() -> int:
    """Serve, kill the master, and compare the books."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30, help="of load before and after the master's end")
    parser.add_argument("--down-after", type=int, default=2000, help="milliseconds of silence of a master")
    arguments = parser.parse_args()
    services = Throwaway()
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            stores = Replicated(folder, sentinels=3, down_after_ms=arguments.down_after)
            try:
                found = _run(folder, services, stores, arguments.seconds)
            finally:
                stores.stop()
    finally:
        services.stop()
    for label, value in found.items():
        print(f"{label.replace('_', ' '):28}{value:10}")
    print(json.dumps(found))
    return 1 if found["charges_amiss"] or not found["jobs_accepted_afterwards"] else 0


def _run(folder: Path, services: Throwaway, stores: Replicated, seconds: float) -> dict[str, Any]:
    os.environ |= {
        "DATABASE_URL": new_database(services.addresses, "failover"),
        "REDIS_URL": stores.url(),
        "SECRET_KEY": "b" * 40,
        "RATE_ENTERPRISE": "100000000",
        "LOG_LEVEL": "warning",
    }
    key = account()
    web = Process("web.py", folder, PORT=str(free_port()), WEB_WORKERS="1")
    worker = Process("worker.py", folder, JOB_PROCESSES="1")
    try:
        for one in (web, worker):
            one.start()
        for one in (web, worker):
            one.await_ready()
        with Load(key, [web.port]) as load:
            time.sleep(seconds)
            accepted = len(load.jobs)
            stores.kill_master()
            refused_s = _refused_s(load, seconds)
            accepted_afterwards = len(load.jobs) - accepted
        deadline = time.monotonic() + PATIENCE_S
        while open_jobs() and time.monotonic() < deadline:
            time.sleep(0.2)
        compared = books(load)
    finally:
        for one in (web, worker):
            one.end()
    # Whoever was answered a 5xx was not charged.
    compared["charges_amiss"] = abs(compared["charges"] - load.counts["answers_2xx"])
    counted = ("analyses", "jobs", "asked_again", "answers_2xx", "answers_4xx", "answers_5xx")
    return {
        **{one: load.counts[one] for one in (*counted, "never_answered")},
        "seconds_from_first_to_last_5xx": refused_s,
        "jobs_accepted_afterwards": accepted_afterwards,
        **compared,
    }


def _refused_s(load: Load, seconds: float) -> float:
    """Watch the answers for some seconds; return how long after the first 5xx the last one came."""
    first: float | None = None
    last, known = 0.0, load.counts["answers_5xx"]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.05)
        if load.counts["answers_5xx"] > known:
            known, last = load.counts["answers_5xx"], time.monotonic()
            first = first or last
    return round(last - first, 1) if first is not None else 0.0


if __name__ == "__main__":
    sys.exit(main())
