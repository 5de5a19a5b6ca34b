"""Jobs per second through one work-horse, against empty RQ jobs in the same run: `python -m benchmarks.jobs`.

A job is everything it is in earnest but the analysis itself, which answers what was found out once before:
taken with a lease, its documents unsealed, its result sealed, charged with audit record and event in one
transaction, taken out of the queue. An empty RQ job is a function that does nothing, through RQ's own
workers. Deliveries of webhooks per second of one sender come from `benchmarks.deliveries`. A table, and one
JSON object on the last line; `ratio` is ours against RQ's worker that does not fork either.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import logging
import os
import pstats
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from app.platform.postgres import rls

COUNT, ROUNDS = 1_500, 3
WAYS = ("ours", "simple", "fork")


def nothing() -> None:
    """The empty job."""


def measure(way: str, count: int, *, profile: bool = False) -> float:
    """Jobs per second of one process that finds `count` of them in the queue."""
    fill = {"ours": _fill_ours}.get(way, _fill_rq)
    fill(count)
    command = [sys.executable, "-m", "benchmarks.jobs", "--work", way, "--count", str(count)]
    done = subprocess.run(
        [*command, *(["--profile"] if profile else [])],
        stdout=subprocess.PIPE,
        stderr=None if profile else subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return float(done.stdout.strip().splitlines()[-1])


def _fill_ours(count: int) -> None:
    from app import analysis, jobs, tenancy
    from app.platform import clock, settings
    from app.platform.confidential import DocumentText
    from app.platform.postgres import db
    from tests.cast import LEASE, Cast

    alice = Cast().player(credit=count)
    with db.statements() as session:
        caller = tenancy.identify(session, alice.key, prefix=settings.current().key_prefix, now=clock.now())
    payload = jobs.Payload.single(analysis.AnalysisRequest(DocumentText(LEASE)))
    _more_than_a_thousand()
    made = [
        db.atomically(
            lambda session: jobs.accept(
                session,
                caller,
                payload,
                request_id="req_benchmark",
                base_url="https://api.example.com",
                now=clock.now(),
            )
        )
        for _ in range(count)
    ]
    jobs.enqueue(made)


def _more_than_a_thousand() -> None:
    """One key may have a thousand pending jobs; the benchmark is not about that."""
    from app.jobs import submit

    submit.PENDING_MAX = 10**9


def _fill_rq(count: int) -> None:
    from rq import Queue
    from rq.serializers import JSONSerializer

    from app.platform import redis_client

    queue = Queue("empty", connection=redis_client.client(), serializer=JSONSerializer)
    queue.enqueue_many([Queue.prepare_data(nothing, result_ttl=0, description="empty") for _ in range(count)])


def _work(way: str, count: int, profile: bool) -> None:
    """In a process of its own: do what is in the queue and print how many a second."""
    import redis

    from app.platform import settings

    logging.getLogger("rq").setLevel(logging.WARNING)
    connection = redis.Redis.from_url(settings.current().redis_url.get_secret_value())
    worker = _ours(connection) if way == "ours" else _rq(way, connection)
    profiler = cProfile.Profile()
    if profile:
        profiler.enable()
    began = time.perf_counter()
    worker.work(burst=True, **({} if way == "ours" else {"logging_level": "WARNING"}))
    seconds = time.perf_counter() - began
    if profile:
        profiler.disable()
        pstats.Stats(profiler, stream=sys.stderr).sort_stats("tottime").print_stats(45)
    print(count / seconds)


def _rq(way: str, connection: Any) -> Any:
    from rq import SimpleWorker, Worker
    from rq.serializers import JSONSerializer

    kind = SimpleWorker if way == "simple" else Worker
    return kind(["empty"], connection=connection, serializer=JSONSerializer, log_job_description=False)


def _ours(connection: Any) -> Any:
    from app import branding, factory
    from app.analysis import AnalysisRequest, pipeline
    from app.jobs.execution.worker import JobWorker
    from app.platform import clock, log
    from app.platform.confidential import DocumentText
    from tests.cast import LEASE

    assert factory.tables()
    log.configure("warning")
    request = AnalysisRequest(DocumentText(LEASE))
    found = pipeline.analyse(request, mask_names=False, on=clock.now(), attribution=branding.Attribution())
    pipeline.__dict__["analyse"] = lambda *_, **__: found
    return JobWorker("benchmark", connection)


def _ended(count: int) -> None:
    """Every job was charged once and left its result."""
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.reading() as session:
        row = session.execute(
            sa.text(
                "SELECT count(*) FILTER (WHERE status = 'completed' AND result_key IS NOT NULL) AS ended, "
                "(SELECT -sum(amount) FROM credit_ledger WHERE kind = 'consumption') AS charged, "
                "(SELECT count(*) FROM events WHERE type = 'analysis.completed') AS told FROM jobs"
            )
        ).one()
    assert tuple(row) == (count, count, count), row


def _services(*, durable: bool) -> Any:
    """A PostgreSQL and a Redis for this run, their addresses in the environment; `stop()` ends them."""
    from app.platform.postgres import db
    from tests.throwaway import Throwaway, new_database

    os.environ["SECRET_KEY"] = "x" * 32
    if not durable:
        services = Throwaway()
        os.environ["DATABASE_URL"] = new_database(services.addresses, "jobs")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        return services
    from tests.faults.stores import Stores

    stores = Stores(Path(tempfile.mkdtemp(prefix="candado-jobs-")) / "stores")
    os.environ["DATABASE_URL"] = stores.postgres.url("postgres")
    os.environ["REDIS_URL"] = stores.redis.url()
    db.upgrade(os.environ["DATABASE_URL"])
    return stores


@rls.as_system()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=COUNT, help="jobs in each round")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--durable", action="store_true", help="stores that sync to disk, as in production")
    parser.add_argument("--profile", action="store_true", help="where one round of ours spends its time")
    parser.add_argument("--work", choices=WAYS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        _work(asked.work, asked.count, asked.profile)
        return
    from benchmarks import deliveries

    services = _services(durable=asked.durable)
    try:
        if asked.profile:
            measure("ours", asked.count, profile=True)
            return
        # Interleaved, so that what else the machine does meets all alike.
        rates: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(asked.rounds):
            for way in WAYS:
                rates[way].append(measure(way, asked.count if way != "fork" else asked.count // 5))
        _ended(asked.count * asked.rounds)
        best = {way: round(max(found), 1) for way, found in rates.items()}
        sent = deliveries.measure(1_500, 8)
    finally:
        services.stop()
    print(f"{'one process, best of ' + str(asked.rounds):44}{'per second':>12}")
    for way, title in (
        ("ours", "no-op analysis job, leased, sealed, charged"),
        ("simple", "empty RQ job, SimpleWorker"),
        ("fork", "empty RQ job, Worker (a fork for each)"),
    ):
        print(f"{title:44}{best[way]:12.0f}")
    print(f"{'webhook delivery, one sender':44}{sent['per_second']:12.0f}")
    found = {
        "jobs_per_second": best["ours"],
        "empty_rq_per_second": best["simple"],
        "empty_rq_forked_per_second": best["fork"],
        "ratio": round(best["ours"] / best["simple"], 3),
        "ratio_forked": round(best["ours"] / best["fork"], 3),
        "deliveries_per_second": sent["per_second"],
        "jobs": asked.count,
        "rounds": asked.rounds,
        "durable": asked.durable,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
