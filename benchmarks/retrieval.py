"""Measure the recall of search, on questions seen and unseen, its time, and HNSW against exact comparison.

    python -m benchmarks.retrieval --data ../shared/data/retrieval_es_dev.jsonl --passages 300000

Loads the Spanish statutes and Colombian codes beside the questions into its own database, indexes
them, and asks every question of all 57 laws. `hit@k` counts a question whose first k results have one
of its articles; `recall@k` is the mean share of its articles (some have two). The English questions are ours
(benchmarks/data/retrieval_en.json). The rows without the thesaurus show what it does; the concepts in it were
written by people who had seen these questions, the situations and most of the doctrine by one who had not.

The rows `unseen` are the sixty questions of benchmarks/data/retrieval_unseen_es.json: twenty in a jurist's
doctrine, twenty in a client's words, twenty in English. They were written without sight of the code and its
data. They are a reported set: who improves the search does not read them, or writes new ones.

With EMBEDDING_ENGINE=openai and a key in the environment, vectors are made too: rows `vectors` and `fused`
follow. `--passages` adds passages made of the real ones to the same jurisdiction and measures the time again;
where no vectors are made, a block of the index is copied with its passages from 75,000 on, so that a search
reads as much as in a corpus of that size.
Their vectors are nine parts that of the article they are made of and one part that of the other, as their
words are. PostgreSQL counts how often the index of vectors is read: once for a search and never for the
exact comparison, otherwise the command ends in an error.

    python -m benchmarks.retrieval --data benchmarks/data/search/2 --law ../shared/data [--record 2] [-v]

A folder is a round of questions of several countries (`benchmarks/data/search/README.md`). The law of all of
them is loaded by the product's own loader and every question is asked as the API asks it, on 30 April 2026.
`first`, `ten`: the share of questions of which the first, or one of the first ten articles, is accepted.
Questions are only once unseen: the figures of a round are those of its first sitting, in
`benchmarks/data/search/rounds.jsonl`; `--record NAME` adds a line. Last line: one JSON object.
"""

import argparse
import json
import os
import resource
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from app.platform.postgres import rls
from benchmarks import retrieval_rounds
from benchmarks.support import load, use
from tests.throwaway import Throwaway, new_database

if TYPE_CHECKING:
    from benchmarks import law_articles

_COPY_POSTINGS = """
    INSERT INTO search_postings (jurisdiction, kind, stem, block, postings)
    SELECT jurisdiction, kind, stem, :at, postings FROM search_postings
    WHERE jurisdiction = 'ES' AND kind = 'article' AND block = 0
    """
_COPY_PASSAGES = """
    WITH copied AS MATERIALIZED (
        SELECT ordinal, passage_id, gen_random_uuid() AS id FROM search_entries
        WHERE jurisdiction = 'ES' AND kind = 'article' AND ordinal < :block
    ), added AS (
        INSERT INTO corpus_passages (jurisdiction, id, kind, norm_id, version_id, place, title, path, heading,
            text, indexed_at)
        SELECT 'ES', c.id, 'article', p.norm_id, p.version_id, p.place, p.title, p.path, p.heading, p.text,
            p.indexed_at
        FROM copied c JOIN corpus_passages p ON p.jurisdiction = 'ES' AND p.id = c.passage_id
    )
    INSERT INTO search_entries (jurisdiction, kind, ordinal, passage_id)
    SELECT 'ES', 'article', ordinal + :offset, id FROM copied
    """

_ENGLISH = Path(__file__).parent / "data" / "retrieval_en.json"
_UNSEEN = Path(__file__).parent / "data" / "retrieval_unseen_es.json"
_LAW = Path("../shared/data")
_DEPTH = 100
# Without vectors so many passages are made and indexed, a whole block of the index; then it is copied.
_MADE = 75_000
_STOPS = (300_000, 1_000_000)


def _figures(
    questions: Sequence[dict[str, Any]],
    keys: dict[uuid.UUID, str],
    answer: Callable[[dict[str, Any]], Sequence[uuid.UUID]],
) -> dict[str, float]:
    hit1 = hit10 = share10 = reciprocal = 0.0
    for question in questions:
        wanted = set(question["relevant"])
        places = [
            place
            for place, found in enumerate(answer(question)[:_DEPTH], start=1)
            if keys.get(found) in wanted
        ]
        hit1 += bool(places and places[0] == 1)
        hit10 += bool(places and places[0] <= 10)
        share10 += sum(place <= 10 for place in places) / len(wanted)
        reciprocal += 1 / places[0] if places else 0
    count = len(questions)
    return {
        "hit@1": round(hit1 / count, 4),
        "hit@10": round(hit10 / count, 4),
        "recall@10": round(share10 / count, 4),
        "mrr": round(reciprocal / count, 4),
    }


def _times(questions: Sequence[dict[str, Any]], ask: Callable[[dict[str, Any]], Any]) -> dict[str, float]:
    """Milliseconds of a search with a process that is warm, of the first round, and of the very first."""
    taken: list[list[float]] = [[] for _ in range(3)]
    for of_turn in taken:
        for question in questions:
            began = time.perf_counter()
            ask(question)
            of_turn.append((time.perf_counter() - began) * 1000)
    warm = sorted(ms for of_turn in taken[1:] for ms in of_turn)
    return {
        "p50_ms": round(statistics.median(warm), 1),
        "p95_ms": round(warm[int(len(warm) * 0.95)], 1),
        "cold_p50_ms": round(statistics.median(taken[0]), 1),
        "first_ms": round(taken[0][0], 1),
    }


def run(file: Path, passages: int) -> dict[str, Any]:
    """Measure; the keys are those of the last line."""
    from app.platform import clock, settings
    from app.platform.postgres import db
    from app.search import indexing, ranking, thesaurus
    from app.search.embeddings import build
    from app.search.index_cache import INDEX_CACHE
    from benchmarks import law_articles

    config = settings.current()
    folder = file.parent
    questions = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line]
    written = json.loads(_ENGLISH.read_text("utf-8"))
    english = [{**one, "query": written[one["qid"]]} for one in questions if one["qid"] in written]
    spanish = list(law_articles.spanish(folder / "es_statutes"))
    articles = [*spanish, *law_articles.colombian(folder / "co_articles.jsonl.gz")]
    keys = {one.passage_id: one.key for one in spanish}
    result: dict[str, Any] = {"questions": len(questions), "english": len(english)}

    def ask(one: dict[str, Any], kind: str = "fused") -> Sequence[uuid.UUID]:
        asked = ranking.prepare(one["query"], jurisdiction="ES", kind="article", config=config)
        with db.reading() as session:
            if kind == "words":
                return ranking.by_words(session, asked, None)
            if kind == "vectors":
                return ranking.by_vectors(session, asked)
            return [hit.passage_id for hit in ranking.rank(session, asked, day=None)]

    def measured(label: str, size: int) -> None:
        INDEX_CACHE.clear()
        times = _times(questions, ask)
        times |= {"memory_mb": _memory(), **_megabytes()}
        print(f"{label}: {size} passages, " + ", ".join(f"{name} {value}" for name, value in times.items()))
        result[f"{label}_passages"] = size
        result.update({f"{label}_{name}": value for name, value in times.items()})

    unseen = json.loads(_UNSEEN.read_text("utf-8"))
    if missing := {one for question in unseen for one in question["relevant"]} - set(keys.values()):
        sys.exit(f"the law has no article {sorted(missing)}")

    def asked_of(label: str, asked: Sequence[dict[str, Any]], kind: str) -> None:
        found = _figures(asked, keys, partial(ask, kind=kind))
        print(f"{label:28s} " + " ".join(f"{value:7.3f}" for value in found.values()))
        result.update({f"{label}_{name}": value for name, value in found.items()})

    began = time.perf_counter()
    law_articles.put(articles)
    loaded = time.perf_counter()
    indexing.index(now=clock.now)
    indexed = time.perf_counter()
    result["index_per_s"] = round(len(articles) / (indexed - loaded))
    print(f"loaded in {loaded - began:.1f} s, {result['index_per_s']} passages indexed a second")
    kinds = ["words"]
    if config.embedding_engine != "none":
        build.embed(config, now=clock.now)
        result["embed_s"] = round(time.perf_counter() - indexed, 1)
        kinds += ["vectors", "fused"]

    print(f"{'':28s} {'hit@1':>7s} {'hit@10':>7s} {'rec@10':>7s} {'MRR':>7s}")
    understand = thesaurus.understand
    nothing = cast(
        Any, lambda *_: thesaurus.Understood((), frozenset(), frozenset(), personal=False, sure=1.0)
    )
    for kind in kinds:
        asked_of(kind, questions, kind)
        thesaurus.understand = nothing
        asked_of(f"{kind}_without_thesaurus", questions, kind)
        asked_of(f"{kind}_unseen_without_thesaurus", unseen, kind)
        thesaurus.understand = understand
        asked_of(f"{kind}_english", english, kind)
        for words in ("doctrine", "lay", "english"):
            asked_of(f"{kind}_unseen_{words}", [one for one in unseen if one["kind"] == words], kind)
        asked_of(f"{kind}_unseen", unseen, kind)

    thesaurus.understand = nothing
    measured("small_without_thesaurus", len(articles))
    thesaurus.understand = understand
    measured("small", len(articles))
    if config.embedding_engine != "none":
        result["hnsw_recall@10"] = _hnsw(questions)
        print(f"HNSW recall@10 against exact: {result['hnsw_recall@10']}")
    if passages > len(articles):
        made = passages if config.embedding_engine != "none" else min(passages, _MADE)
        added = made - len(articles)
        law_articles.put(one for one, _, _ in law_articles.grown(spanish, added))
        began = time.perf_counter()
        indexing.index(now=clock.now)
        result["made_index_per_s"] = round(added / (time.perf_counter() - began))
        measured("made_words", made)
        for stop in (*(one for one in _STOPS if made < one < passages), passages):
            if stop > made:
                measured(f"copied_{stop}_words", _copied(stop))
        if config.embedding_engine != "none":
            began = time.perf_counter()
            model = _mixed(spanish, added)
            result["large_written_s"] = round(time.perf_counter() - began, 1)
            began = time.perf_counter()
            build.serve(("ES", "article"), model, config.embedding_dimensions, config.embedding_index_mb)
            result["large_hnsw_build_s"] = round(time.perf_counter() - began, 1)
            measured("large", passages)
            result["large_hnsw_recall@10"] = _hnsw(questions)
            print(f"HNSW recall@10 against exact: {result['large_hnsw_recall@10']}")
    return result


def _mixed(spanish: Sequence["law_articles.Article"], added: int) -> str:
    """Write a vector of every Spanish passage under a model of its own; return its name, not yet served."""
    import numpy as np
    import sqlalchemy as sa

    from app.platform.postgres import db
    from app.search.embeddings import vectors
    from benchmarks import law_articles

    with db.transaction() as session:
        rows = session.execute(
            sa.text(
                "SELECT passage_id, embedding::real[] AS parts FROM search_vectors WHERE jurisdiction = 'ES'"
            )
        )
        real = {row.passage_id: np.array(row.parts, np.float32) for row in rows}
        name: str = session.execute(
            sa.text(
                "INSERT INTO search_models (model, jurisdiction, kind, dimensions, passages, made_at) "
                "SELECT model || '-grown', jurisdiction, kind, dimensions, passages, made_at "
                "FROM search_models WHERE jurisdiction = 'ES' RETURNING model"
            )
        ).scalar_one()
    batch = list(real.items())
    for made, article, other in law_articles.grown(list(spanish), added):
        mixed = 0.9 * real[article.passage_id] + 0.1 * real[other.passage_id]
        batch.append((made.passage_id, mixed / np.linalg.norm(mixed)))
        if len(batch) >= 5_000:
            with db.transaction() as session:
                vectors.write(session, ("ES", "article"), name, batch)
            batch = []
    with db.transaction() as session:
        vectors.write(session, ("ES", "article"), name, batch)
    return name


def _hnsw(questions: Sequence[dict[str, Any]]) -> float:
    """The share of the ten nearest, by exact comparison, that the index finds."""
    shares = []
    for one in questions:
        quick, scans = _nearest(one["query"], accurate=False)
        exact, none = _nearest(one["query"], accurate=True)
        if exact:
            if (scans, none) != (1, 0):
                sys.exit(
                    f"the index of vectors was read {scans} times, for the exact comparison {none} times"
                )
            shares.append(len(set(quick) & set(exact)) / len(exact))
    return round(sum(shares) / len(shares), 4)


def _nearest(query: str, *, accurate: bool) -> tuple[list[uuid.UUID], int]:
    """The ten nearest, and how often the index was read for them."""
    import sqlalchemy as sa

    from app.platform import settings
    from app.platform.postgres import db
    from app.search import ranking

    counted = sa.text(
        "SELECT coalesce(sum(pg_stat_get_xact_numscans(indexrelid)), 0) FROM pg_stat_user_indexes "
        "WHERE relname = 'search_vectors_es' AND indexrelname LIKE 'hnsw%'"
    )
    asked = ranking.prepare(query, jurisdiction="ES", kind="article", config=settings.current())
    with db.reading() as session:
        before = session.execute(counted).scalar_one()
        found = list(ranking.by_vectors(session, asked, accurate=accurate)[:10])
        return found, int(session.execute(counted).scalar_one() - before)


def _memory() -> int:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * resource.getpagesize() / 1e6)


def _megabytes() -> dict[str, int]:
    """Return what the index of Spanish articles takes on disk, with its own indexes."""
    import sqlalchemy as sa

    from app.platform.postgres import db

    with db.reading() as session:
        return {
            f"{name}_mb": round(
                session.execute(
                    sa.text("SELECT pg_total_relation_size(CAST(:name AS regclass))"),
                    {"name": f"{of}_{name}_es"},
                ).scalar_one()
                / 1e6
            )
            for of, name in (
                ("search", "postings"), ("search", "entries"), ("search", "vectors"), ("corpus", "passages"),
            )
        }  # fmt: skip


def _copied(passages: int) -> int:
    """Copy the first block of the Spanish index, and the passages behind it, until there are so many.

    What a search reads is as long as in an index of that size; only the words are no longer new.

    Returns:
        The ordinals there are; those of one block may stand for nothing.
    """
    import sqlalchemy as sa

    from app.platform.postgres import db
    from app.search.postings import BLOCK

    spain = "jurisdiction = 'ES' AND kind = 'article'"
    with db.reading() as session:
        size: int = session.execute(sa.text(f"SELECT size FROM search_shelves WHERE {spain}")).scalar_one()
    if size < BLOCK:
        sys.exit(f"{size} passages are no block of {BLOCK}")
    while size < passages:
        at = -(-size // BLOCK)
        with db.transaction() as session:
            db.take_longer(session, 3_600)
            values = {"block": BLOCK, "offset": at * BLOCK}
            session.execute(sa.text(_COPY_POSTINGS), {"at": at})
            session.execute(sa.text(_COPY_PASSAGES), values)
            size = (at + 1) * BLOCK
            session.execute(sa.text(f"UPDATE search_shelves SET size = :size WHERE {spain}"), {"size": size})
    with db.transaction() as session:
        session.execute(sa.text("ANALYZE search_postings"))
        session.execute(sa.text("ANALYZE search_entries"))
    return size


def _sit(chosen: argparse.Namespace) -> dict[str, Any]:
    if chosen.database:
        use(chosen.database, "unix:///nowhere")
        return retrieval_rounds.sit(chosen.data, chosen.law, chosen.v)
    services = Throwaway()
    try:
        use(new_database(services.addresses, "retrieval"), services.addresses.redis_url(0))
        load(chosen.law, files=retrieval_rounds.COUNTRIES)
        return retrieval_rounds.sit(chosen.data, chosen.law, chosen.v)
    finally:
        services.stop()


@rls.as_system()
def main() -> None:
    """Sit a round, or measure the Spanish questions of a file; print tables and the JSON line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with a round, or the file beside the law"
    )
    parser.add_argument("--passages", type=int, default=0, help="of a file: grow the corpus to so many")
    parser.add_argument("--law", type=Path, default=_LAW, help="of a round: the folder of the law")
    parser.add_argument("--database", help="of a round: a database in which the law is loaded already")
    parser.add_argument("--record", metavar="NAME", help="of a round: add the figures to rounds.jsonl")
    parser.add_argument(
        "--authors", default="written without sight of the code and its data", help="who wrote the questions"
    )
    parser.add_argument("-v", action="store_true", help="of a round: print what was not found first")
    chosen = parser.parse_args()
    if chosen.data.is_dir():
        figures = _sit(chosen)
        retrieval_rounds.table(figures)
        if chosen.record:
            retrieval_rounds.record(chosen.record, chosen.authors, figures)
        print(json.dumps(figures))
        return
    if not (chosen.data.parent / "es_statutes").is_dir():
        sys.exit(f"{chosen.data.parent} has no folder es_statutes")
    services = Throwaway()
    try:
        url = new_database(services.addresses, "retrieval")
        os.environ.update(
            DATABASE_URL=url,
            REDIS_URL=services.addresses.redis_url(0),
            SECRET_KEY="k" * 40,
            STATEMENT_TIMEOUT_MS="600000",
        )
        print(json.dumps(run(chosen.data, chosen.passages)))
    finally:
        services.stop()


if __name__ == "__main__":
    main()
