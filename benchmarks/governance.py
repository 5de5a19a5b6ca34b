"""Governance: what attestation and log cost an analysis, the signed export, and the log's tree at size.

    python -m benchmarks.governance [--leaves 10000000] [--records 20000] [--rounds 200] [--export 1000000]

Uses a throw-away PostgreSQL. The cost per analysis is given as a share of one charged `POST /analyze` through
the test client in the same run; a share below .05 is the aim. The tree is made from entries like the log's
own, batch by batch; its tiles are kept in a file, as the service keeps them in tables, so that the memory
told is what a round of the log needs. The export is of as many records as are asked for, page by page; what
is told is how much the process grew, and the resident size at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import resource
import sqlite3
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg

from app import credits, governance, tenancy
from app.governance import attestation, export, outputs, signing_keys
from app.governance.transparency import log, merkle, tiles
from app.platform import clock, settings
from app.platform.postgres import db, rls
from tests.throwaway import Throwaway, new_database

LEASE = (
    "CONTRATO DE ARRENDAMIENTO DE VIVIENDA. En Madrid, a 1 de septiembre de 2026. REUNIDOS: de una parte, "
    "D. Tomás Herrero Vidal, con DNI 12345678Z, en adelante el ARRENDADOR; de otra, Dña. Lucía Prado Sanz, "
    "en adelante la ARRENDATARIA. PRIMERA.- Duración. El contrato tendrá una duración de un año. SEGUNDA.- "
    "Renta. La renta será de 900 euros mensuales. TERCERA.- Fianza de 1.800 euros (art. 36 LAU). "
)


def median_ms(work: Callable[[], Any], rounds: int) -> float:
    """Return the median of `rounds` calls in milliseconds, after a tenth of them to warm up."""
    for _ in range(max(1, rounds // 10)):
        work()
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def entry(account_id: uuid.UUID, key_id: uuid.UUID) -> governance.Entry:
    """Make the record of an analysis as large as a usual one."""
    now = clock.now()
    return governance.Entry(
        analysis_id=uuid.uuid4(),
        account_id=account_id,
        api_key_id=key_id,
        request_id=f"req_{uuid.uuid4()}",
        started_at=now,
        finished_at=now,
        jurisdiction="ES",
        branch="civil",
        language="es",
        mode="standard",
        models=("rules",),
        versions={"engine": "rules"},
        redactions={"ES_DNI": 2, "EMAIL": 1},
        citations={"verified": 3, "not_verifiable": 1},
        locks={"L1": 7, "L4": 2, "L5-C": 1},
        credits=1,
        document_hash="ab" * 32,
        document_characters=1234,
        analysis_hash="cd" * 32,
    )


def per_analysis(found: dict[str, Any], rounds: int, records: int, exported: int) -> None:
    """Measure an analysis, its attestation, and its share of a round of the log; then the export."""
    from app.factory import create_app

    app = create_app()
    client = app.test_client()
    with db.transaction() as session:
        account, _ = tenancy.create_account(
            session, name="bench", email=f"{uuid.uuid4()}@example.com", password="correct horse battery"
        )
        credits.open_balance(session, account.id, low_threshold=0)
        credits.grant(session, account.id, 1_000_000, now=clock.now())
        tenancy.set_options(session, account.id, attestation=True)
        made = tenancy.create_key(
            session,
            account.id,
            name="bench",
            tier="enterprise",
            scopes=("analyze", "query", "mcp"),
            prefix=settings.current().key_prefix,
            now=clock.now(),
        )
    auth = {"Authorization": f"Bearer {made.plaintext}"}

    def analyse() -> None:
        assert client.post("/api/v1/analyze", json={"text": LEASE * 3}, headers=auth).status_code == 200

    found["analyze_ms"] = median_ms(analyse, rounds)
    with rls.as_system(), db.transaction() as session:
        while governance.append_round(session, now=clock.now()):
            pass
        record = governance.records(session, account.id, limit=1)[0]
        signer = signing_keys.signer(session, "attestation", at=clock.now())
    found["attest_ms"] = median_ms(lambda: attestation.attest(record.content, record.hash, signer), rounds)
    with rls.as_system(), db.transaction() as session:
        for _ in range(records):
            session.take(governance.appending(entry(account.id, made.row.id)))
    began = time.perf_counter()
    with rls.as_system(), db.transaction() as session:
        appended = governance.append_round(session, now=clock.now())
    assert appended is not None
    found["log_ms_per_record"] = (time.perf_counter() - began) * 1000 / appended.entries
    found["share_of_an_analysis"] = (found["attest_ms"] + found["log_ms_per_record"]) / found["analyze_ms"]
    with rls.acting_for(account.id), db.reading() as session:
        newest = governance.records(session, account.id, limit=1)[0]
        found["proof_ms"] = median_ms(lambda: outputs.proof_of(session, newest), rounds)
        began = time.perf_counter()
        verdict = governance.check_account(session, account.id)
        found["check_account_us_per_record"] = (time.perf_counter() - began) * 1e6 / verdict.logged
        assert verdict.intact
    _many_records(account.id, made.row.id, exported)
    selection = export.RecordSelection(account.id, None, None, None)
    cursor, size, count = None, 0, 0
    peak, began = resident_mb(), time.perf_counter()
    found["export_rss_before_mb"] = peak
    with rls.acting_for(account.id):
        while True:
            with db.transaction() as session:
                page = export.export(
                    session,
                    selection,
                    kinds=("analysis",),
                    form="jsonl",
                    cursor=cursor,
                    limit=10_000,
                    now=clock.now(),
                )
            size, count, cursor = size + len(page.body), count + page.count, page.cursor
            peak = max(peak, resident_mb())
            if not page.more:
                break
    seconds = time.perf_counter() - began
    found["export_mb_per_s"] = size / 1e6 / seconds
    found["export_records"] = count
    found["export_records_per_s"] = count / seconds
    found["export_rss_peak_mb"] = peak


def _many_records(account_id: uuid.UUID, key_id: uuid.UUID, records: int) -> None:
    """Fill a trail up to `records`, past the function that chains: the export reads rows and checks none."""
    content = json.dumps(entry(account_id, key_id).content())
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            """
            INSERT INTO audit_records
                (id, account_id, seq, at, api_key_id, kind, request_id, previous_hash, hash, content)
            SELECT gen_random_uuid(), %(account)s, seq, now(), %(key)s, 'analysis', 'req_' || seq,
                   encode(sha256(seq::text::bytea), 'hex'), encode(sha256(seq::text::bytea), 'hex'),
                   %(content)s::jsonb
            FROM generate_series(
                (SELECT max(seq) + 1 FROM audit_records WHERE account_id = %(account)s), %(records)s
            ) AS seq
            """,
            {"account": account_id, "key": key_id, "content": content, "records": records},
        )
        # As autovacuum does within a minute.
        connection.execute("ANALYZE audit_records")


def resident_mb() -> float:
    """Return the resident size of this process."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


class TileFile:
    """Tiles in a file."""

    def __init__(self, folder: str) -> None:
        self._file = sqlite3.connect(Path(folder) / "tiles")
        self._file.execute(
            "CREATE TABLE tiles (level INTEGER, place INTEGER, hashes BLOB, PRIMARY KEY (level, place)) "
            "WITHOUT ROWID"
        )

    def get(self, level: int, index: int) -> bytes:
        """Return a tile."""
        query = "SELECT hashes FROM tiles WHERE level = ? AND place = ?"
        (hashes,) = self._file.execute(query, (level, index)).fetchone()
        return bytes(hashes)

    def put(self, grown: Mapping[tuple[int, int], bytes]) -> None:
        """Store tiles that are new or grew."""
        rows = [(level, index, hashes) for (level, index), hashes in grown.items()]
        self._file.executemany("INSERT OR REPLACE INTO tiles VALUES (?, ?, ?)", rows)
        self._file.commit()

    def reader(self) -> tiles.TileReader:
        """Return a reader with nothing read yet."""
        return tiles.TileReader(self.get)


def tree(found: dict[str, Any], leaves: int, folder: str) -> None:
    """Measure a tree of many leaves: growing it, its root, a proof and a proof's check."""
    stored, before = TileFile(folder), resident_mb()
    began, peak = time.perf_counter(), before
    size, batch = 0, 20_000
    while size < leaves:
        count = min(batch, leaves - size)
        entries = [hashlib.sha256(number.to_bytes(8, "big")).digest() for number in range(size, size + count)]
        stored.put(tiles.extend(size, entries, stored.get))
        size, peak = size + count, max(peak, resident_mb())
    seconds = time.perf_counter() - began
    found["tree_leaves"] = leaves
    found["tree_seconds"] = seconds
    found["tree_leaves_per_s"] = leaves / seconds
    found["tree_rss_grown_mb"] = peak - before
    root = merkle.root(stored.reader(), leaves)
    found["tree_root_ms"] = median_ms(lambda: merkle.root(stored.reader(), leaves), 20)
    found["tree_proof_ms"] = median_ms(
        lambda: merkle.inclusion_proof(stored.reader(), leaves // 3, leaves), 20
    )
    proof = merkle.inclusion_proof(stored.reader(), leaves // 3, leaves)
    leaf = merkle.leaf_hash(hashlib.sha256((leaves // 3).to_bytes(8, "big")).digest())
    found["tree_proof_check_ms"] = median_ms(
        lambda: merkle.root_of_inclusion(leaf, leaves // 3, leaves, proof), 20
    )
    assert merkle.root_of_inclusion(leaf, leaves // 3, leaves, proof) == root
    found["tree_consistency_ms"] = median_ms(
        lambda: merkle.consistency_proof(stored.reader(), leaves // 2 + 1, leaves), 20
    )


@rls.as_system()
def main() -> None:
    """Run the measurements and print them, the last line as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--leaves", type=int, default=10_000_000)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--export", type=int, default=1_000_000)
    chosen = parser.parse_args()
    found: dict[str, Any] = {"log_batch": log.BATCH}
    with tempfile.TemporaryDirectory() as folder:
        tree(found, chosen.leaves, folder)
    with contextlib.ExitStack() as stack:
        stores = Throwaway()
        stack.callback(stores.stop)
        os.environ.update(
            DATABASE_URL=new_database(stores.addresses, "candado_benchmark"),
            REDIS_URL=stores.addresses.redis_url(0),
            SECRET_KEY="benchmark" * 4,
            LOG_LEVEL="error",
        )
        settings.current.cache_clear()
        stack.callback(db.dispose)
        per_analysis(found, chosen.rounds, chosen.records, chosen.export)
    for name, value in found.items():
        print(f"{name:30} {value:,.4f}" if isinstance(value, float) else f"{name:30} {value:,}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
