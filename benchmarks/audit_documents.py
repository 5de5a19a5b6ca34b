"""The audit document of a year: how long it takes to make, how much memory, how large it is.

    python -m benchmarks.audit_documents [--records 100000]

Fills the trail of one account in a throw-away PostgreSQL, one analysis every five minutes, orders the
document of the whole time and makes it in a process of its own, as a worker does.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import time
import uuid
from datetime import timedelta

import psycopg

from app import credits, governance, tenancy
from app.governance.chain import GENESIS, canonical
from app.platform import clock, redis_client, settings
from app.platform.postgres import db, rls
from tests.throwaway import Throwaway, new_database

_COPY = """
    COPY audit_records (id, account_id, seq, at, api_key_id, request_id, content, previous_hash, hash)
    FROM STDIN
    """


def _account() -> tuple[uuid.UUID, uuid.UUID]:
    with db.transaction() as session:
        account, _ = tenancy.create_account(
            session, name="Benchmark", email="benchmark@example.com", password=uuid.uuid4().hex
        )
        credits.open_balance(session, account.id, low_threshold=0)
        key = tenancy.create_key(
            session,
            account.id,
            name="benchmark",
            tier="enterprise",
            scopes=("analyze",),
            prefix="svc",
            now=clock.now(),
        )
        return account.id, key.row.id


def _fill(account_id: uuid.UUID, key_id: uuid.UUID, records: int) -> None:
    dice, before, previous = random.Random(7), GENESIS, GENESIS
    began = clock.now().replace(microsecond=0) - timedelta(minutes=5 * records)
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        with connection.cursor().copy(_COPY) as copy:
            for seq in range(1, records + 1):
                at = began + timedelta(minutes=5 * seq)
                entry = governance.Entry(
                    analysis_id=uuid.UUID(int=dice.getrandbits(128)),
                    account_id=account_id,
                    api_key_id=key_id,
                    request_id=f"req_{uuid.UUID(int=dice.getrandbits(128))}",
                    started_at=at - timedelta(seconds=2),
                    finished_at=at,
                    jurisdiction=dice.choice(("ES", "MX", "CO")),
                    branch=dice.choice(("civil", "mercantil", "laboral")),
                    language="es",
                    mode=dice.choice(("standard", "standard", "deep")),
                    models=("rules",),
                    versions={"engine": "rules", "promptA": "3", "promptB": "2"},
                    redactions={"ES_DNI": dice.randint(0, 4), "EMAIL": dice.randint(0, 2)},
                    citations={
                        "verified": dice.randint(0, 9), "mismatch": 0, "not_verifiable": dice.randint(0, 3),
                        "not_found": int(dice.random() < 0.05), "derogated": int(dice.random() < 0.02),
                    },
                    locks={"L1": dice.randint(0, 12), "L2-J": 1, "L2-J-V": 0, "L4": 3, "L5-C": 1},
                    credits=dice.choice((1, 2)),
                    document_hash=dice.randbytes(32).hex(),
                    document_characters=dice.randint(50, 50_000),
                    analysis_hash=dice.randbytes(32).hex(),
                    findings={"citation_error high": 1} if dice.random() < 0.1 else {},
                )  # fmt: skip
                hashed = canonical(entry.content())
                digest = hashlib.sha256(f"{previous}:{seq}:{hashed}".encode()).hexdigest()
                copy.write_row(
                    (
                        entry.analysis_id,
                        account_id,
                        seq,
                        at,
                        key_id,
                        entry.request_id,
                        hashed,
                        previous,
                        digest,
                    )
                )
                before, previous = previous, digest
        connection.execute(
            "INSERT INTO audit_heads (account_id, seq, previous_hash, hash) VALUES (%s, %s, %s, %s)",
            (account_id, records, before, previous),
        )
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE audit_records")


def measure(records: int) -> dict[str, object]:
    """Order and make one document; its figures."""
    account_id, key_id = _account()
    _fill(account_id, key_id, records)
    today = clock.today()
    began = time.monotonic()
    with db.transaction() as session:
        ordered = governance.order(
            session,
            account_id,
            today - timedelta(minutes=5 * records) - timedelta(days=1),
            today,
            key_id=None,
            flagged=False,
            language="es",
            now=clock.now(),
        )
    order_ms = round((time.monotonic() - began) * 1000)
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(0 if governance.make_due("benchmark") else 1)
    _, status, used = os.wait4(child, 0)
    seconds = time.monotonic() - began
    with db.reading() as session:
        made = governance.find(session, account_id, ordered.id)
        return {
            "records": made.records,
            "status": made.status,
            "order_ms": order_ms,
            "seconds": round(seconds, 1),
            "cpu_seconds": round(used.ru_utime + used.ru_stime, 1),
            "peak_mb": used.ru_maxrss // 1024,
            "before_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "file_mb": round(made.size / 1e6, 1),
            "exit": status,
        }


@rls.as_system()
def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=100_000)
    wanted = options.parse_args()
    with contextlib.ExitStack() as stack:
        stores = Throwaway()
        stack.callback(stores.stop)
        os.environ.update(
            DATABASE_URL=new_database(stores.addresses, "audit_documents"),
            REDIS_URL=stores.addresses.redis_url(0),
            SECRET_KEY="k" * 40,
        )
        settings.current.cache_clear()
        stack.callback(redis_client.close)
        stack.callback(db.dispose)
        print(json.dumps(measure(wanted.records)))


if __name__ == "__main__":
    main()
