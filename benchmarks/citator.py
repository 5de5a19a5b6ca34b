"""The citator on real decisions: citations that resolve, edges by treatment, time of reading and of asking.

    python -m benchmarks.citator --data ../shared/data

Loads the index of the Corte Constitucional and the judgments and codes of the folder, reads them, and counts:
of the distinct decisions of that court that the two Colombian judgments cite, how many are in the index; what
the others are (the same number under another letter, before the index begins, orders that the index does not
list). A table, and one JSON object on the last line.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from app.platform.postgres import rls

_ON = date(2026, 4, 30)
_SOURCES = (
    ("statutes", "es_statutes", "markdown"),
    ("norms", "es_index", "csv"),
    ("statutes", "co_articles.jsonl.gz", "jsonl"),
    ("judgments", "co_index", "csv"),
    ("judgments", "co_judgments", "markdown"),
    ("judgments", "es_judgments", "markdown"),
)


def resolution(data: Path) -> dict[str, Any]:
    """The decisions of the Corte Constitucional that the two judgments cite, against the loaded index."""
    from app import corpus
    from app.citations import extract

    verdicts: dict[str, str] = {}
    why: Counter[str] = Counter()
    consulted: list[float] = []
    for path in sorted((data / "co_judgments").glob("*.txt")):
        cited = [
            citation
            for citation in extract(path.read_text("utf-8"), "CO")
            if any(form.startswith("CO:CC:") for form in citation.canonical)
        ]
        began = time.perf_counter()
        loaded = corpus.look_up(cited, _ON)
        consulted.append((time.perf_counter() - began) * 1000)
        for citation in cited:
            for form in citation.canonical:
                if form in verdicts:
                    continue
                if loaded.judgment(form, {}) is not None:
                    verdicts[form] = "resolved"
                elif loaded.namesake(form) is not None:
                    verdicts[form] = "another letter has the number"
                elif ":A-" in form:
                    verdicts[form] = "an order, which the index does not list"
                else:
                    verdicts[form] = "not in the index"
    why.update(verdicts.values())
    print(f"{'citations of the two judgments':44}{'count':>7}")
    for reason, count in why.most_common():
        print(f"{reason:44}{count:>7}")
    resolved = why["resolved"]
    return {
        "distinct": len(verdicts),
        "resolved": resolved,
        "resolved_share": round(resolved / len(verdicts), 4),
        "unresolved": {reason: count for reason, count in why.items() if reason != "resolved"},
        "consult_ms": [round(one, 1) for one in consulted],
    }


def reading() -> dict[str, Any]:
    """Read everything that was loaded; edges by treatment."""
    import sqlalchemy as sa

    from app import citator
    from app.platform import clock
    from app.platform.postgres import db

    began = time.perf_counter()
    done = citator.read_waiting(clock.now)
    seconds = time.perf_counter() - began
    with db.reading() as session:
        rows = session.execute(
            sa.text("SELECT treatment, count(*) AS edges, sum(times) AS times FROM citator_edges GROUP BY 1")
        ).all()
    print(f"{'treatment':44}{'edges':>7}{'times':>7}")
    for row in sorted(rows, key=lambda row: -row.edges):
        print(f"{row.treatment:44}{row.edges:>7}{row.times:>7}")
    return {
        "judgments": done.judgments,
        "norms": done.norms,
        "edges": done.edges,
        "seconds": round(seconds, 2),
        "treatments": {row.treatment: row.edges for row in rows},
    }


def asking() -> dict[str, float]:
    """Milliseconds of one question, the median of fifty each."""
    from app import citator
    from app.platform.postgres import db

    asked = {
        "validity_article": "artículo 124 de la Ley 599 de 2000",
        "validity_judgment": "Sentencia T-025 de 2004",
        "validity_law": "Ley 30/1992, de 26 de noviembre",
    }
    found: dict[str, float] = {}
    for name, citation in asked.items():
        jurisdiction = "ES" if "1992" in citation else "CO"
        taken: list[float] = []
        for _ in range(50):
            began = time.perf_counter()
            with db.reading() as session:
                authority = citator.resolve(session, citation, jurisdiction)
                assert authority is not None
                standing = citator.standing_of(session, authority, on=_ON).standing
            taken.append((time.perf_counter() - began) * 1000)
        found[name] = round(statistics.median(taken), 2)
        print(f"{citation:44}{standing:>10}{found[name]:>8.2f} ms")
    return found


@rls.as_system()
def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with the sources (../shared/data)")
    data = parser.parse_args().data
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "citator")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        from app import corpus, factory
        from app.platform import clock

        assert factory.tables()
        for kind, name, form in _SOURCES:
            corpus.load(kind, data / name, form, now=clock.now())
        found = {"citations": resolution(data), "reading": reading(), "ms": asking()}
    finally:
        services.stop()
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
