"""Loading the corpus: rates, memory, sizes, and what a load killed with signal 9 leaves.

    python -m benchmarks.corpus --data ../shared/data [--kills 8]

Every source of the folder is loaded by a process of its own into an empty database; `MB` is how much its peak
memory exceeds that of a process that loads nothing. Then the largest source of each kind is loaded again from
nothing while its process is killed at random moments, and every row compared with the unbroken load. A table,
and one JSON object on the last line; exit code 1 when a killed load ends with other rows.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from app.platform.postgres import rls

_SOURCES = (
    ("statutes", "es_statutes", "markdown", "articles"),
    ("statutes", "eu", "markdown", "articles"),
    ("norms", "es_index", "csv", "norms"),
    ("statutes", "co_articles.jsonl.gz", "jsonl", "articles"),
    ("judgments", "co_index", "csv", "judgments"),
    ("judgments", "co_judgments", "markdown", "passages"),
    ("judgments", "es_judgments", "markdown", "passages"),
)
_KILLED = (
    ("statutes", "es_statutes", "markdown"),
    ("statutes", "co_articles.jsonl.gz", "jsonl"),
    ("judgments", "co_index", "csv"),
)
_TABLES = ("norms", "articles", "versions", "judgments", "passages")


def _child(kind: str, path: str, form: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.corpus", "--load", kind, path, form],
        stdout=subprocess.PIPE,
        text=True,
    )


def _load(kind: str, path: str, form: str) -> None:
    """In a process of its own: load, and print what it took."""
    from app import corpus, factory
    from app.platform import clock
    from app.platform.postgres import db

    assert factory.tables()
    db.ping()
    resting = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("ready", flush=True)
    if kind == "nothing":
        return
    began = time.perf_counter()
    report = corpus.load(kind, Path(path), form, now=clock.now())
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        json.dumps(
            {
                "records": report.records,
                "seconds": seconds,
                "mb": (peak - resting) / 1024,
                "written": dict(report.written),
                "skipped": dict(report.skipped),
                "notes": dict(report.notes),
            }
        )
    )


def _rows() -> dict[str, str]:
    """A fingerprint of every table of the corpus, without the moments of loading."""
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.reading() as session:
        return {
            table: str(
                session.scalar(
                    sa.text(
                        "SELECT count(*) || ' ' || coalesce(md5(string_agg(md5((to_jsonb(t) - 'loaded_at'"
                        f" - 'read_at')::text), '' ORDER BY t.id)), '') FROM corpus_{table} t"
                    )
                )
            )
            for table in _TABLES
        }


def _clear() -> None:
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.transaction() as session:
        for table in ("corpus_judgments", "corpus_norms", "corpus_loads"):
            session.execute(sa.text(f"DELETE FROM {table}"))


def _sizes() -> dict[str, float]:
    """Megabytes by table with its indexes, partitions added to their table."""
    import sqlalchemy as sa

    from app.platform.postgres import db

    sql = """
        SELECT coalesce(parent.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid)) / 1e6 AS mb,
            sum(pg_indexes_size(c.oid)) / 1e6 AS indexes
        FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
        LEFT JOIN pg_class parent ON parent.oid = i.inhparent
        WHERE c.relkind = 'r' AND c.relname LIKE 'corpus\\_%' GROUP BY 1 ORDER BY 1
        """
    with db.reading() as session:
        found = session.execute(sa.text(sql)).all()
    return {row.name: round(float(row.mb), 1) for row in found} | {
        "indexes": round(sum(float(row.indexes) for row in found), 1)
    }


def rates(data: Path) -> dict[str, Any]:
    """Load every source that is there, each in a process of its own."""
    found: dict[str, Any] = {}
    print(f"{'source':34}{'records':>9}{'rows':>8}{'seconds':>9}{'rows/s':>9}{'MB':>7}  skipped")
    for kind, name, form, unit in _SOURCES:
        path = data / name
        if not path.exists():
            continue
        process = _child(kind, str(path), form)
        lines = process.communicate()[0].splitlines()
        assert process.returncode == 0, name
        took = json.loads(lines[-1])
        rows = took["written"].get(unit, 0)
        per_second = rows / took["seconds"]
        left_out = ", ".join(f"{count} {reason}" for reason, count in took["skipped"].items()) or "none"
        print(
            f"{kind + ' ' + name:34}{took['records']:>9}{rows:>8}{took['seconds']:>9.2f}{per_second:>9.0f}"
            f"{took['mb']:>7.1f}  {left_out}"
        )
        found[f"{kind}_{name.partition('.')[0]}"] = {
            "records": took["records"],
            unit: rows,
            "seconds": round(took["seconds"], 2),
            "per_second": round(per_second),
            "peak_mb": round(took["mb"], 1),
            "skipped": took["skipped"],
            "notes": took["notes"],
        }
    return found


def kills(data: Path, most: int, seed: int) -> dict[str, Any]:
    """Load while being killed; whether the rows are those of an unbroken load, and how often it was
    killed.
    """
    chance = random.Random(seed)
    found: dict[str, Any] = {}
    for kind, name, form in _KILLED:
        path = data / name
        if not path.exists():
            continue
        _clear()
        process = _child(kind, str(path), form)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        began = time.perf_counter()
        process.communicate()
        assert process.returncode == 0
        whole_s = time.perf_counter() - began
        unbroken = _rows()
        _clear()
        killed = 0
        while True:
            process = _child(kind, str(path), form)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            try:
                process.communicate(timeout=chance.random() * whole_s / 3 if killed < most else None)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                killed += 1
        same = _rows() == unbroken
        print(f"{kind + ' ' + name:34} killed {killed} times, rows {'equal' if same else 'DIFFER'}")
        found[f"{kind}_{name.partition('.')[0]}"] = {"kills": killed, "equal": same}
    return found


@rls.as_system()
def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with the sources (../shared/data)")
    parser.add_argument("--kills", type=int, default=8, help="kills of each load at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.load:
        _load(*asked.load)
        return 0
    if asked.data is None:
        parser.error("--data is needed")
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "corpus")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        os.environ["STATEMENT_TIMEOUT_MS"] = "600000"
        loads = rates(asked.data)
        sizes = _sizes()
        for name, size in sizes.items():
            print(f"{name:34}{size:>9.1f} MB")
        broken = kills(asked.data, asked.kills, asked.seed)
    finally:
        services.stop()
    print(json.dumps({"loads": loads, "mb": sizes, "kills": broken}))
    return 0 if all(one["equal"] for one in broken.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
