"""Measure which articles a model is told of: `python -m benchmarks.grounding --law FOLDER|--database URL`.

For each document of the exam (`benchmarks.exam`) the passages that `app.analysis.retrieval` packs are
compared with the articles of its key's `basis`, each counted once a document. `recall`: share of those
articles that are among the passages; `recall_loaded`: of those that are loaded at all. `--without-rules`
shows what search alone brings: clauses and citations ask, no rule, no checklist. `passages`, `tokens`
(by characters) and `ms` are means of a document; `ms` leaves out reading the document and the rules, which an
analysis does in any case.

A database given by its address is only read; its search index must be there (`flask corpus index`). Those who
wrote the rules have seen the documents: with rules the figure is no promise for others.
Last line: one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.exam import DEVELOPMENT, SPAIN
from benchmarks.support import load, use

_Pair = tuple[str, str]


def wanted(key: dict[str, Any]) -> dict[_Pair, str]:
    """Return the articles of a key's bases, by norm in normal form and number, with the basis naming it."""
    from app import corpus
    from app.citations import extract

    found: dict[_Pair, str] = {}
    for one in key["must_find"]:
        for citation in extract(one.get("basis", ""), key["jurisdiction"]):
            for number in corpus.article_numbers(citation):
                if citation.norm:
                    found.setdefault((_norm(citation.norm), number), one["basis"])
    return found


def _norm(key: str) -> str:
    from app import corpus

    known = corpus.norm(key)
    return known.key if known else key


def main() -> None:
    """Load and index the law if asked to, ground every document, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--law", type=Path, help="the folder of laws to load and index")
    parser.add_argument("--database", help="address of a database in which the law is loaded and indexed")
    parser.add_argument("--data", type=Path, default=DEVELOPMENT, help="documents and keys, in any subfolder")
    parser.add_argument("--without-rules", action="store_true", help="what search alone brings")
    parser.add_argument("-v", action="store_true", help="name the articles that were missed")
    arguments = parser.parse_args()
    if (arguments.law is None) == (arguments.database is None):
        parser.error("one of --law and --database is needed")
    if arguments.database:
        use(arguments.database, "redis://localhost:1/0")
        print(json.dumps(_measured(arguments)))
        return
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        use(
            new_database(services.addresses, "grounding"),
            services.addresses.redis_url(1),
            STATEMENT_TIMEOUT_MS="600000",
        )
        load(arguments.law, folders=SPAIN, files=())
        command = [sys.executable, "-m", "flask", "--app", "wsgi", "corpus", "index"]
        subprocess.run(command, check=True, capture_output=True)
        figures = _measured(arguments)
    finally:
        services.stop()
    print(json.dumps(figures))


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from app.analysis import retrieval
    from app.citations import extract
    from app.corpus import key_of
    from app.rules import Brief, Reading, RulesEngine

    loaded = _loaded()
    count: Counter[str] = Counter()
    why: Counter[str] = Counter()
    took = 0.0
    for path, text in _documents(arguments.data):
        key = json.loads(path.read_text("utf-8"))
        code, language = key["jurisdiction"], key["language"]
        reading = Reading(text, code)
        brief = Brief(text, code, key["legalBranch"], language, reading=reading)
        statements = () if arguments.without_rules else RulesEngine().analyse(brief).statements
        cited = extract(text, code)
        began = time.perf_counter()
        grounds = retrieval.ground(
            reading,
            statements,
            cited,
            language,
            date.fromisoformat("2026-11-23"),
            branch=key["legalBranch"],
            with_rules=not arguments.without_rules,
        )
        took += time.perf_counter() - began
        for note in grounds.notes:
            print(f"{path.stem}: {note}")
        told = {
            (key_of(one.key.jurisdiction, one.key.official_id), one.key.number): one.why
            for one in grounds.passages
            if one.key
        }
        asked = wanted(key)
        here = [one for one in asked if one in loaded]
        count["documents"] += 1
        count["articles"] += len(asked)
        count["loaded"] += len(here)
        count["told"] += sum(one in told for one in asked)
        count["passages"] += len(grounds.passages)
        count["tokens"] += sum(one.tokens for one in grounds.passages)
        count["full"] += all(one in told for one in here)
        why.update(told[one] for one in asked if one in told)
        count["judgments"] += sum(one.why == "judgment" for one in grounds.passages)
        right = sum(one in told for one in asked)
        print(f"{path.stem:36} {right:3}/{len(here)}/{len(asked)} of {len(grounds.passages)}", flush=True)
        if arguments.v:
            for one in here:
                if one not in told:
                    print(f"    missed {one[0]} {one[1]} ({asked[one]})")
    documents = max(count["documents"], 1)
    return {
        "documents": count["documents"],
        "without_rules": arguments.without_rules,
        "articles": count["articles"],
        "recall": round(count["told"] / max(count["articles"], 1), 3),
        "recall_loaded": round(count["told"] / max(count["loaded"], 1), 3),
        "complete_documents": count["full"],
        "passages": round(count["passages"] / documents, 1),
        "judgments": round(count["judgments"] / documents, 1),
        "tokens": round(count["tokens"] / documents),
        "ms": round(1000 * took / documents),
        "right_by_origin": dict(why),
    }


def _documents(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*.json")):
        text = path.with_suffix(".txt")
        if text.exists():
            yield path, text.read_text("utf-8")


def _loaded() -> set[_Pair]:
    """Return every article that is loaded."""
    import sqlalchemy as sa

    from app.corpus import key_of
    from app.platform.postgres import db

    sql = (
        "SELECT n.jurisdiction, n.official_id, a.number "
        "FROM corpus_articles a JOIN corpus_norms n ON n.id = a.norm_id"
    )
    with db.reading() as session:
        rows = session.execute(sa.text(sql)).all()
    return {(key_of(row.jurisdiction, row.official_id), row.number) for row in rows}


if __name__ == "__main__":
    main()
