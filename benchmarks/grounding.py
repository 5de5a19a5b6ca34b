"""Measure which articles a model is told of: `python -m benchmarks.grounding --law FOLDER|--database URL`.

For each document of the exam (`benchmarks.exam`) the passages that `app.analysis.retrieval` packs are
compared with the articles of its key's `basis`, each counted once a document. `recall`: share of those
articles that are among the passages; `recall_loaded`: of those that are loaded at all. `--without-rules`
shows what search alone brings: clauses and citations ask, no rule, no checklist. `passages`, `tokens`
(by characters) and `ms` are means of a document; `ms` leaves out reading the document and the rules, which an
analysis does in any case. `right_per_1000_tokens` are the articles told for a thousand tokens.

`above`: the same recall of the bases of the law above that of the document, the Union's, and how many of the
passages are of it. `span_recall`, after LegalBench-RAG (Pipitone and Alami 2024): the part cited ("art. 28.3
RGPD": its paragraph 3, where it can be told apart; else the article) is the span; the mean over all loaded
bases of the share of its characters that is told. `span_precision`: those characters in all that are told.
A key may name words of an article themselves (`basis_law`, `basis_article`, `basis_words`: identifier, number
and a sentence of it). Of those, and they alone are spans that a person chose, `words`: how many there are and
how many stand in a loaded version; the mean share of their characters that is told, how many are told whole,
and the share of all characters told that are theirs.

Documents are only once unseen. `--record NAME` adds the figures as that round to
`benchmarks/data/exam/grounding.jsonl`, with date and commit; `sight` there says `first`, or `seen` for
documents that had been sat before.

A database given by its address is only read; its search index must be there (`flask corpus index`). Those who
wrote the rules have seen the documents: with rules the figure is no promise for others.
Last line: one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.exam import DEVELOPMENT, SPAIN, commit
from benchmarks.support import load, use

if TYPE_CHECKING:
    from app.analysis.retrieval import Passage

_Pair = tuple[str, str]
_UNION = ("eu_en",)
_Texts = dict[_Pair, list[str]]
ROUNDS = DEVELOPMENT / "grounding.jsonl"


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


def parts(key: dict[str, Any]) -> dict[_Pair, set[str]]:
    """Return the paragraphs that a key's bases cite, by article; empty for one that is cited whole."""
    from app import corpus
    from app.citations import extract

    found: dict[_Pair, set[str]] = {}
    for one in key["must_find"]:
        for citation in extract(one.get("basis", ""), key["jurisdiction"]):
            for number in corpus.article_numbers(citation):
                if citation.norm:
                    cited = found.setdefault((_norm(citation.norm), number), set())
                    cited.update({(citation.pinpoint or "").partition(".")[0]} - {""})
    return found


def spans(text: str, paragraphs: set[str]) -> list[tuple[int, int]]:
    """Return where numbered paragraphs of an article stand; the whole article where one cannot be found."""
    found = []
    for paragraph in paragraphs:
        mark = r"(?m)^\W*(?:{}[.)]|\({}\))\s"
        begin = re.search(mark.format(*[re.escape(paragraph)] * 2), text)
        if begin is None:
            return [(0, len(text))]
        following = str(int(paragraph) + 1) if paragraph.isdigit() else chr(ord(paragraph[0]) + 1)
        end = re.compile(mark.format(*[re.escape(following)] * 2)).search(text, begin.end())
        found.append((begin.start(), end.start() if end else len(text)))
    return found or [(0, len(text))]


def _seen(text: str, passage: str) -> int | None:
    """Return how many characters of an article, from its beginning, a passage tells; `None`: not this one."""
    at = passage.find(text[:60])
    return None if at < 0 else min(len(text), len(passage) - at)


def sentences(key: dict[str, Any]) -> list[tuple[_Pair, str]]:
    """Return the words of law that a key quotes as bases, each with its article."""
    from app import corpus

    found = []
    for one in key["must_find"]:
        words, number = one.get("basis_words"), corpus.article_number(str(one.get("basis_article", "")))
        if words and number:
            code = "EU" if one["basis_law"][:1] == "3" else key["jurisdiction"]
            found.append(((_norm(corpus.key_of(code, one["basis_law"])), number), words))
    return list(dict.fromkeys(found))


def _quoted(
    sentences: Sequence[tuple[_Pair, str]], told_of: Mapping[_Pair, Passage], loaded: _Texts
) -> Counter[str]:
    """Return how many characters of quoted words are told, and how many there are."""
    from app.analysis.support.quote_finder import QuoteFinder

    count: Counter[str] = Counter()
    told: dict[_Pair, set[int]] = {}
    for article, words in sentences:
        count["words"] += 1
        for text in loaded.get(article, ()):
            place = QuoteFinder(text).find(words)
            if place is None:
                continue
            until = _seen(text, told_of[article].source.text) if article in told_of else 0
            covered = range(place.start, min(place.end, until or 0))
            told.setdefault(article, set()).update(covered)
            count["words_loaded"] += 1
            count["words_whole"] += len(covered) == place.end - place.start
            count["words_share"] += round(1_000_000 * len(covered) / (place.end - place.start))
            break
    count["words_characters"] = sum(map(len, told.values()))
    return count


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
    parser.add_argument("--record", metavar="NAME", help="add the figures to grounding.jsonl as this round")
    parser.add_argument("--seen", action="store_true", help="record that they were sat before")
    parser.add_argument("-v", action="store_true", help="name the articles that were missed")
    arguments = parser.parse_args()
    if (arguments.law is None) == (arguments.database is None):
        parser.error("one of --law and --database is needed")
    if arguments.database:
        use(arguments.database, "redis://localhost:1/0")
        _tell(arguments, _measured(arguments))
        return
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        use(
            new_database(services.addresses, "grounding"),
            services.addresses.redis_url(1),
            STATEMENT_TIMEOUT_MS="600000",
        )
        load(arguments.law, folders=SPAIN, files=_UNION)
        command = [sys.executable, "-m", "flask", "--app", "wsgi", "corpus", "index"]
        subprocess.run(command, check=True, capture_output=True)
        figures = _measured(arguments)
    finally:
        services.stop()
    _tell(arguments, figures)


def _tell(arguments: argparse.Namespace, figures: dict[str, Any]) -> None:
    """Print the figures, and record them where that was asked for."""
    if arguments.record:
        row = {
            "round": arguments.record,
            "date": time.strftime("%Y-%m-%d"),
            "commit": commit(),
            "sight": "seen" if arguments.seen else "first",
            **figures,
        }
        with ROUNDS.open("a", encoding="utf-8") as rounds:
            rounds.write(json.dumps(row) + "\n")
    print(json.dumps(figures))


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from app.analysis import retrieval
    from app.citations import extract
    from app.corpus import key_of
    from app.rules import Brief, Reading, RulesEngine

    loaded = _loaded()
    count: Counter[str] = Counter()
    why: Counter[str] = Counter()
    took = covered = 0.0
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
            (key_of(one.key.jurisdiction, one.key.official_id), one.key.number): one
            for one in grounds.passages
            if one.key
        }
        asked, cited_parts = wanted(key), parts(key)
        here = [one for one in asked if one in loaded]
        count["documents"] += 1
        count["articles"] += len(asked)
        count["loaded"] += len(here)
        count["told"] += sum(one in told for one in asked)
        count["passages"] += len(grounds.passages)
        count["tokens"] += sum(one.tokens for one in grounds.passages)
        count["full"] += all(one in told for one in here)
        why.update(told[one].why for one in asked if one in told)
        count += _quoted(sentences(key), told, loaded)
        above = [one for one in here if not one[0].startswith(f"{code}:")]
        count["above"] += len(above)
        count["above_told"] += sum(one in told for one in above)
        count["above_passages"] += sum(
            one.key is not None and one.key.jurisdiction != code for one in grounds.passages
        )
        count["characters"] += sum(len(one.source.text) for one in grounds.passages)
        for one in here:
            texts = loaded[one]
            seen = [(text, _seen(text, told[one].source.text)) for text in texts] if one in told else []
            text, told_to = max(
                ((text, most) for text, most in seen if most is not None),
                key=lambda pair: pair[1],
                default=(texts[0], 0),
            )
            places = spans(text, cited_parts[one])
            of = sum(end - begin for begin, end in places)
            right_characters = sum(max(0, min(end, told_to) - begin) for begin, end in places)
            covered += right_characters / of if of else 0.0
            count["span_characters"] += right_characters
        count["judgments"] += sum(one.why == "judgment" for one in grounds.passages)
        right = sum(one in told for one in asked)
        print(f"{path.stem:36} {right:3}/{len(here)}/{len(asked)} of {len(grounds.passages)}", flush=True)
        if arguments.v:
            for one in here:
                if one not in told:
                    print(f"    missed {one[0]} {one[1]} ({asked[one]})")
    documents = max(count["documents"], 1)
    quoted = max(count["words_loaded"], 1)
    words = {
        "given": count["words"],
        "loaded": count["words_loaded"],
        "recall": round(count["words_share"] / 1_000_000 / quoted, 3),
        "whole": round(count["words_whole"] / quoted, 3),
        "precision": round(count["words_characters"] / max(count["characters"], 1), 3),
    }
    return {
        "documents": count["documents"],
        "without_rules": arguments.without_rules,
        "articles": count["articles"],
        "recall": round(count["told"] / max(count["articles"], 1), 3),
        "recall_loaded": round(count["told"] / max(count["loaded"], 1), 3),
        "span_recall": round(covered / max(count["loaded"], 1), 3),
        "span_precision": round(count["span_characters"] / max(count["characters"], 1), 3),
        **({"words": words} if count["words"] else {}),
        "above": {
            "loaded": count["above"],
            "recall_loaded": round(count["above_told"] / max(count["above"], 1), 3),
            "passages": round(count["above_passages"] / documents, 1),
        },
        "complete_documents": count["full"],
        "passages": round(count["passages"] / documents, 1),
        "judgments": round(count["judgments"] / documents, 1),
        "tokens": round(count["tokens"] / documents),
        "right_per_1000_tokens": round(1000 * count["told"] / max(count["tokens"], 1), 3),
        "ms": round(1000 * took / documents),
        "right_by_origin": dict(why),
    }


def _documents(folder: Path) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.rglob("*.json")):
        text = path.with_suffix(".txt")
        if text.exists():
            yield path, text.read_text("utf-8")


def _loaded() -> _Texts:
    """Return every article that is loaded, with the words of its versions."""
    import sqlalchemy as sa

    from app.corpus import key_of
    from app.platform.postgres import db

    sql = (
        "SELECT n.jurisdiction, n.official_id, a.number, v.text FROM corpus_articles a "
        "JOIN corpus_norms n ON n.id = a.norm_id JOIN corpus_versions v ON v.article_id = a.id "
        "WHERE a.occurrence = 1 ORDER BY v.in_force_from DESC NULLS LAST"
    )
    with db.reading() as session:
        rows = session.execute(sa.text(sql)).all()
    found: dict[_Pair, list[str]] = {}
    for row in rows:
        found.setdefault((key_of(row.jurisdiction, row.official_id), row.number), []).append(row.text)
    return found


if __name__ == "__main__":
    main()
