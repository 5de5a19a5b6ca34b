"""Sit rounds of unseen questions about the law of several countries, by country and by who asks.

`benchmarks.retrieval` is the command; `benchmarks/data/search/README.md` says how a round is written.
"""

from __future__ import annotations

import gzip
import json
import statistics
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

ROUNDS: Final = Path(__file__).with_name("data") / "search"
COUNTRIES: Final = ("ar", "cl", "co", "mx")
_ON: Final = date(2026, 4, 30)
_DEPTH = 100

# The official id of a norm and the number of an article.
Key = tuple[str, str]


def sit(folder: Path, law: Path, verbose: bool) -> dict[str, Any]:
    """Index what is loaded, ask every question of a round; return the figures of all and of each group.

    Args:
        folder: Has `questions.json`.
        law: The folder of the law that is loaded already, for the names that its laws have there.
        verbose: Print what was not found in the first place.

    Raises:
        SystemExit: A question accepts an article that the loaded law does not have.
    """
    from app.platform import clock, settings
    from app.search import indexing
    from app.search.embeddings import build

    questions = json.loads((folder / "questions.json").read_text("utf-8"))
    wanted = _wanted(questions, law)
    indexing.index(now=clock.now)
    for name in _without_entries():
        print(f"no article stands in an entry of the index of subjects: {name}")
    config = settings.current()
    words_alone = config.model_copy(update={"embedding_engine": "none"})
    figures: dict[str, Any] = _figures(questions, wanted, words_alone, verbose)
    if config.embedding_engine != "none":
        build.embed(config, now=clock.now)
        figures["fused"] = _figures(questions, wanted, config, verbose)
    return figures


def _without_entries() -> Iterator[str]:
    """Yield the laws of the index of subjects of which no entry marks an article."""
    import sqlalchemy as sa

    from app.platform.postgres import db
    from app.search import subject_index

    with db.reading() as session:
        there = set(
            session.execute(
                sa.text("SELECT DISTINCT stem FROM search_postings WHERE stem LIKE 'subject %'")
            ).scalars()
        )
    for country in ("ES", *(code.upper() for code in COUNTRIES)):
        for name, marks in subject_index.laws(country).items():
            if there.isdisjoint(marks):
                yield f"{country} {name}"


def _figures(
    questions: Sequence[Mapping[str, Any]], wanted: Sequence[set[Key]], config: Any, verbose: bool
) -> dict[str, Any]:
    from app.platform.postgres import db
    from app.search import ranking, statute_search

    places: dict[str, list[int | None]] = defaultdict(list)
    taken: list[float] = []
    for question, accepted in zip(questions, wanted, strict=True):
        began = time.perf_counter()
        asked = ranking.prepare(
            question["question"], jurisdiction=question["country"], kind="article", config=config
        )
        with db.reading() as session:
            found = statute_search.search(session, asked, day=_ON, most=_DEPTH).found
        taken.append((time.perf_counter() - began) * 1000)
        place = next(
            (at for at, one in enumerate(found, start=1) if (one.official_id, one.number) in accepted), None
        )
        for group in _groups(question):
            places[group].append(place)
        if verbose and place != 1:
            first = f"{found[0].norm_title[:40]} {found[0].number}" if found else "nothing"
            print(f"{question['id']}: {place or '-'} {question['question']!r} {accepted} before: {first}")
    groups = {group: _shares(of_group) for group, of_group in sorted(places.items())}
    return {
        **groups.pop("all"),
        "p50_ms": round(statistics.median(taken), 1),
        "groups": groups,
    }


def _groups(question: Mapping[str, Any]) -> Iterator[str]:
    yield from ("all", question["country"], question["register"])
    yield f"{'ES' if question['country'] == 'ES' else 'America'} {question['register']}"


def _shares(places: Sequence[int | None]) -> dict[str, float | int]:
    count = len(places)
    return {
        "questions": count,
        "first": round(sum(place == 1 for place in places) / count, 4),
        "ten": round(sum(place is not None and place <= 10 for place in places) / count, 4),
        "mrr": round(sum(1 / place for place in places if place) / count, 4),
    }


def _wanted(questions: Sequence[Mapping[str, Any]], law: Path) -> list[set[Key]]:
    """Return the articles that each question accepts, by the ids under which they are loaded."""
    import sqlalchemy as sa

    from app.citations import provisions_opened
    from app.platform.postgres import db

    with db.reading() as session:
        loaded = session.execute(
            sa.text(
                "SELECT n.jurisdiction, n.official_id, n.title, a.number "
                "FROM corpus_norms n JOIN corpus_articles a ON a.norm_id = n.id"
            )
        ).all()
    there = {(row.official_id, row.number) for row in loaded}
    ids = {(row.jurisdiction, row.title): row.official_id for row in loaded}
    named = {
        short: ids[short.partition(":")[0], title]
        for short, title in _titles(law)
        if (short.partition(":")[0], title) in ids
    }
    wanted: list[set[Key]] = []
    missing: list[str] = []
    for question in questions:
        accepted: set[Key] = set()
        for one in question["accepted"]:
            opened = provisions_opened(f"Artículo {one['article']}")
            numbers = {one["article"], *(opened.numbers if opened else ())}
            found = {(named.get(one["boe"], one["boe"]), number) for number in numbers} & there
            accepted |= found
            missing += [] if found else [f"{one['boe']}#{one['article']}"]
        wanted.append(accepted)
    if missing:
        raise SystemExit(f"the law has no article {sorted(set(missing))}")
    return wanted


def _titles(law: Path) -> Iterator[tuple[str, str]]:
    """Yield the short names of laws in the files of articles ("CO:CST") with their titles."""
    for country in COUNTRIES:
        seen: set[str] = set()
        with gzip.open(law / f"{country}_articles.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                short = row["id"].partition("#")[0]
                if short not in seen:
                    seen.add(short)
                    yield short, row["law"]


def table(figures: Mapping[str, Any]) -> None:
    """Print the shares of each group."""
    columns = ("questions", "first", "ten", "mrr")
    for label, of_kind in (("words", figures), ("fused", figures.get("fused"))):
        if not of_kind:
            continue
        print(f"{label:18}" + "".join(f"{name:>11}" for name in columns))
        for group, shares in (*of_kind["groups"].items(), ("all", of_kind)):
            print(f"{group:18}" + "".join(f"{shares[name]:>11}" for name in columns))


def record(name: str, authors: str, figures: Mapping[str, Any]) -> None:
    """Add the figures of a first sitting to `rounds.jsonl`; `authors` says who wrote the questions."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    row = {"round": name, "date": time.strftime("%Y-%m-%d"), "commit": commit, "authors": authors, **figures}
    with (ROUNDS / "rounds.jsonl").open("a", encoding="utf-8") as rounds:
        rounds.write(json.dumps(row) + "\n")
