"""Kill work-horses, workers and both at random moments under load: `python -m benchmarks.job_kills`.

Two workers with two work-horses each do jobs that keep coming. Signal 9 goes to one work-horse, to one worker
(its children are left behind), or to a worker with all its children, in turn; a worker that was killed is
started again, as a supervisor would. At the end every accepted job must have ended, with one event, charged
once if it completed and not at all if it failed. What a killed process had in hand is followed to its end:
`recovered_within_60_s` is the share that ended within a minute. Exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from app.platform.postgres import rls

TARGETS = ("work-horse", "worker", "both")
WORKERS = 2
# Jobs in flight or waiting that the load keeps up.
LOAD = 6
PATIENCE_S = 180.0


class Spawner:
    """Starts workers in milliseconds: a process that has loaded everything forks them."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.job_kills", "--spawn"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "JOB_PROCESSES": "2", "LOG_LEVEL": "error"},
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def start(self) -> int:
        """A new worker's process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("start\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def stop(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


def _spawn() -> None:
    """The spawner's own life: a worker for each line, all of them ended with the input."""
    from app import analysis, factory

    analysis.warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    started = []
    print("ready", flush=True)
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os._exit(factory.create_worker().run())
        started.append(pid)
        print(pid, flush=True)
    for pid in started:
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            continue


def children(pid: int) -> dict[int, str]:
    """The children of a worker and what they are called."""
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return {int(child): Path(f"/proc/{child}/comm").read_text().strip() for child in found}
    except OSError:
        return {}


class Load:
    """Accepts jobs all the time, so that some always run and some wait."""

    def __init__(self, player: Any) -> None:
        from app import tenancy
        from app.platform import clock, settings
        from app.platform.postgres import db

        self.accepted: dict[uuid.UUID, int] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        with db.statements() as session:
            self._caller = tenancy.identify(
                session, player.key, prefix=settings.current().key_prefix, now=clock.now()
            )

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @rls.as_system()
    def _go_on(self) -> None:
        while not self._over.wait(0.02):
            if open_jobs() < LOAD:
                self.accept()

    def accept(self) -> None:
        from app import analysis, jobs
        from app.platform import clock
        from app.platform.confidential import DocumentText
        from app.platform.postgres import db
        from tests.cast import LEASE

        request = analysis.AnalysisRequest(DocumentText((LEASE + "\n") * 12))
        if len(self.accepted) % 2:
            payload = jobs.Payload.single(request)
        else:
            items = [analysis.BatchItem(str(number), request) for number in range(3)]
            payload = jobs.Payload.several(items, concurrency=2)
        made = db.atomically(
            lambda session: jobs.accept(
                session,
                self._caller,
                payload,
                request_id=f"req_{uuid.uuid4()}",
                base_url="https://api.example.com",
                now=clock.now(),
            )
        )
        self.accepted[made.id] = payload.worst_case
        jobs.enqueue([made])


def kill_and_count(kills: int, *, seed: int = 1) -> dict[str, Any]:
    """The proof, on the stores of the current settings. `lost`, `charged_twice` and the like must be 0."""
    from tests.cast import Cast

    chance = random.Random(seed)
    alice = Cast().player(credit=1_000_000)
    hit: dict[uuid.UUID, float] = {}
    spawner = Spawner()
    try:
        workers = [spawner.start() for _ in range(WORKERS)]
        with Load(alice) as load:
            _await(lambda: bool(running()), "no worker takes jobs")
            for number in range(kills):
                time.sleep(chance.uniform(0.2, 1.6))
                _kill(TARGETS[number % 3], workers, spawner, chance, hit)
        _await(lambda: open_jobs() == 0, "accepted jobs did not end")
    finally:
        spawner.stop()
    return {"kills": kills, "jobs": len(load.accepted), **_books(alice, load.accepted, hit)}


def _kill(
    target: str, workers: list[int], spawner: Spawner, chance: random.Random, hit: dict[uuid.UUID, float]
) -> None:
    # A worker that has just begun has nothing in hand that could be lost.
    _await(lambda: all(len(_horses(pid)) == 2 for pid in workers), "a worker has no work-horses")
    victim = chance.randrange(WORKERS)
    pid = workers[victim]
    before = running()
    if target == "work-horse":
        doomed = [chance.choice(_horses(pid))]
    elif target == "worker":
        doomed = [pid]
    else:
        doomed = [pid, *children(pid)]
    for one in doomed:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue
    now = time.monotonic()
    # Whose hands they were in is known to the dead only: all that ran are followed, most were not touched.
    for job_id in before:
        hit.setdefault(job_id, now)
    if target != "work-horse":
        workers[victim] = spawner.start()


def _horses(pid: int) -> list[int]:
    return [child for child, title in children(pid).items() if title.startswith("job-")]


def _await(met: Any, complaint: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not met():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.05)


def running() -> dict[uuid.UUID, int]:
    """The jobs that run now, with the number of their attempt."""
    return dict(_rows("SELECT id, attempt FROM jobs WHERE status = 'running'"))


def open_jobs() -> int:
    return int(_rows("SELECT count(*) FROM jobs WHERE status IN ('pending', 'running')")[0][0])


def _rows(sql: str, **values: Any) -> list[Any]:
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.reading() as session:
        return [tuple(row) for row in session.execute(sa.text(sql), values).all()]


def _books(alice: Any, accepted: dict[uuid.UUID, int], hit: dict[uuid.UUID, float]) -> dict[str, Any]:
    from tests.cast import Cast

    mine = {"a": alice.account_id}
    ended = {
        row[0]: row
        for row in _rows(
            "SELECT id, status, credits_charged, attempt, completed_at, error_code FROM jobs "
            "WHERE account_id = :a",
            **mine,
        )
    }
    charges: dict[str, list[int]] = {}
    for job_id, amount in _rows(
        "SELECT reference_id, -amount FROM credit_ledger WHERE account_id = :a AND kind = 'consumption'",
        **mine,
    ):
        charges.setdefault(job_id, []).append(amount)
    told = dict(
        _rows(
            "SELECT payload->>'jobId', count(*) FROM events WHERE account_id = :a "
            "AND type IN ('analysis.completed', 'analysis.failed') GROUP BY 1",
            **mine,
        )
    )
    records = _rows("SELECT count(*) FROM audit_records WHERE account_id = :a", **mine)[0][0]
    completed = [job_id for job_id, row in ended.items() if row[1] == "completed"]
    failed = [row for row in ended.values() if row[1] == "failed"]
    balance = Cast.balance(alice)
    again = [row for row in ended.values() if row[3] > 1]
    since = time.monotonic() - _now_there().timestamp()
    # From the kill to the job's end, for those that needed another attempt because of one.
    took = [row[4].timestamp() + since - hit[row[0]] for row in again if row[0] in hit]
    return {
        "completed": len(completed),
        "failed": len(failed),
        "failed_for_other_reasons": sum(row[5] != "ATTEMPTS_EXHAUSTED" for row in failed),
        "lost": len(set(accepted) - set(ended)) + sum(row[1] not in _ENDS for row in ended.values()),
        "charged_twice": sum(len(found) > 1 for found in charges.values()),
        "charged_wrongly": sum(charges.get(str(job_id)) != [accepted[job_id]] for job_id in completed)
        + sum(str(row[0]) in charges for row in failed),
        "told_other_than_once": sum(told.get(str(job_id)) != 1 for job_id in accepted),
        "audit_records_amiss": records - sum(accepted[job_id] for job_id in completed),
        "ledger_amiss": 1_000_000 - balance.balance - sum(sum(found) for found in charges.values()),
        "still_held": balance.held,
        "needed_another_attempt": len(again),
        "recovered_within_60_s": round(sum(seconds <= 60 for seconds in took) / len(took), 3)
        if took
        else 1.0,
        "median_recovery_s": round(sorted(took)[len(took) // 2], 1) if took else 0.0,
        "longest_recovery_s": round(max(took, default=0.0), 1),
    }


_ENDS = ("completed", "failed")
PROMISES = (
    "lost", "charged_twice", "charged_wrongly", "told_other_than_once", "audit_records_amiss", "ledger_amiss",
    "still_held", "failed_for_other_reasons",
)  # fmt: skip


def kept(found: dict[str, Any]) -> bool:
    """Whether every promise was kept."""
    return not any(found[name] for name in PROMISES) and found["recovered_within_60_s"] >= 0.95


def _now_there() -> Any:
    from app.platform import clock

    return clock.now()


@rls.as_system()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spawn", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.spawn:
        _spawn()
        return 0
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "job_kills")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        found = kill_and_count(asked.kills, seed=asked.seed)
    finally:
        services.stop()
    for name, value in found.items():
        print(f"{name.replace('_', ' '):28}{value:10}")
    print(json.dumps(found))
    return 0 if kept(found) else 1


if __name__ == "__main__":
    sys.exit(main())
