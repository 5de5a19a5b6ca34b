"""Sit the exam of documents with keys: `python -m benchmarks.exam --law FOLDER [--data FOLDER] [--deep]`.

Each NAME.txt is sent to `POST /api/v1/analyze` with the law of Spain loaded, and the answer is compared with
NAME.json, which lawyers who had read neither rules nor answers wrote from the law:

    {"jurisdiction", "legalBranch", "language", "kind",
     "must_find": [{"id", "risk", "basis": "art. 53.1.b ET", "pattern": "regular expression"}],
     "must_not_alarm": ["words of a lawful clause"], "citations": [{"citation", "expected"}],
     "deadlines": [{"what", "dates": ["2026-08-24"]}], "facts": [{"role", "value"}],
     "false_locks": ["pattern"]}

`risks`: share of what must be found that a statement of the section of risks matches, one statement for at
most two; `based`: the same, where it also names the article. `alarms`: share of lawful clauses that a risk of
high or medium severity quotes. `citations`: share with the verdict expected, one broken verdict for another
being right. `deadlines`: share whose date the answer states. `false_statements`: statements that must not be
made. `length`: words of the answer, of those of the document, over documents of more than 600 words.
`kinds`: share of documents whose kind was recognised: one that the key names by its id in `kinds`, or any
where it names none. `truth`: what readers said of the statements made, as far as they were read
(`benchmarks.truth`).

Documents are only once unseen: the figures of a round are those of its first sitting, in
`benchmarks/data/exam/rounds.jsonl`; `--record NAME` adds a line to it. Last line: one JSON object.

By default the engine `rules` sits it. A model does with `--engine openai` (or `anthropic`) and the vendor's
key in the environment; `benchmarks.engines` says what else may be chosen. The table is the same, and the last
line adds the tokens that it cost.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import time
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from app.rules.render import wording
from app.rules.rulebook.loader import rulebook
from benchmarks import engines, truth
from benchmarks.protocol import account
from benchmarks.support import load, use

DEVELOPMENT: Final = Path(__file__).with_name("data") / "exam"
SPAIN: Final = ("es_statutes", "es_statutes_more", "eu")
_BROKEN: Final = frozenset({"mismatch", "not_found", "derogated"})
_LONG: Final = 600  # words
_ARTICLE: Final = re.compile(r"\d+(?:\.\d+)*")


@dataclass
class Marks:
    """Points got and points possible, by what was asked."""

    got: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)

    def add(self, what: str, got: int, of: int) -> None:
        self.got[what] += got
        self.of[what] += of

    def __iadd__(self, other: Marks) -> Marks:
        self.got += other.got
        self.of += other.of
        return self

    def share(self, what: str) -> float | None:
        return round(self.got[what] / self.of[what], 3) if self.of[what] else None

    def __str__(self) -> str:
        return "  ".join(f"{what} {self.got[what]}/{of}" for what, of in self.of.items())


def mark(key: Mapping[str, Any], document: str, answer: Mapping[str, Any]) -> Marks:
    """Return the marks of one answer against its key."""
    marks = Marks()
    said = [(one["section"], _whole(one)) for one in answer["statements"]]
    risks = [text for section, text in said if section == "risks"]
    _mark_risks(marks, key["must_find"], risks)
    alarming = [
        _folded(words)
        for one in answer["statements"]
        if one["section"] == "risks" and one["severity"] in ("high", "medium")
        for words in (one["text"], *(quote["text"] for quote in one["quotes"]))
    ]
    lawful = [_folded(words)[:60] for words in key.get("must_not_alarm", [])]
    marks.add("alarms", sum(any(one in text for text in alarming) for one in lawful), len(lawful))
    cited = key.get("citations", [])
    checks = answer["citationChecks"]["checks"]
    marks.add("citations", sum(_checked(one, checks) for one in cited), len(cited))
    dated = [one for one in key.get("deadlines", []) if one.get("dates")]
    stated = sum(any(_states(answer["analysis"], day) for day in one["dates"]) for one in dated)
    marks.add("deadlines", stated, len(dated))
    false = key.get("false_locks", [])
    texts = [text for _, text in said]
    made = [one for one in false if any(re.search(one, text, re.IGNORECASE) for text in texts)]
    marks.add("false_statements", len(made), len(false))
    marks.missed += [f"false: {one}" for one in made]
    marks.add("kinds", _recognised(key, answer["documentKind"]), 1)
    if len(document.split()) > _LONG:
        marks.add("length", len(answer["analysis"].split()), len(document.split()))
    return marks


def _mark_risks(marks: Marks, wanted: list[Mapping[str, Any]], risks: list[str]) -> None:
    uses: Counter[int] = Counter()
    found = based = 0
    for one in wanted:
        place = next(
            (
                at
                for at, text in enumerate(risks)
                if uses[at] < 2 and re.search(one["pattern"], text, re.IGNORECASE)
            ),
            None,
        )
        if place is None:
            marks.missed.append(f"{one['id']} ({one.get('basis', '')})")
            continue
        uses[place] += 1
        found += 1
        number = _ARTICLE.search(one.get("basis", "").split(",")[0])
        article = number[0].split(".")[0] if number else None
        based += bool(article and re.search(rf"(?<![\d.]){article}(?!\d)", risks[place]))
    marks.add("risks", found, len(wanted))
    marks.add("based", based, len(wanted))


def _recognised(key: Mapping[str, Any], kind: str) -> bool:
    """Whether the answer names a kind that the key names by its id, or any kind where the key names none."""
    named = {one.id: one.name for one in rulebook(key["jurisdiction"]).kinds}
    wanted = key.get("kinds") or list(named)
    return any(kind in (named[one].es, named[one].en) for one in wanted)


def _whole(statement: Mapping[str, Any]) -> str:
    """A statement's text with its authorities."""
    return " ".join([statement["text"], *(one["citation"] for one in statement["authorities"])])


def _checked(wanted: Mapping[str, Any], checks: list[Mapping[str, Any]]) -> bool:
    """Whether a citation of the document got the verdict expected, or one broken verdict for another."""
    begins = _folded(wanted["citation"].split(",")[0])[:18]
    expected = wanted["expected"]
    broken = any(one in expected for one in _BROKEN)
    return any(
        begins in _folded(one["citation"])
        and (one["status"] in expected or (broken and one["status"] in _BROKEN))
        for one in checks
    )


def _states(analysis: str, day: str) -> bool:
    return any(one in analysis for one in (day, wording.day(day, "es"), wording.day(day, "en")))


def _folded(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.lower())
    return " ".join("".join(one for one in letters if unicodedata.category(one) != "Mn").split())


def main() -> None:
    """Load the law, sit every document of the folder, print the marks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--law", type=Path, help="the folder of laws to load")
    parser.add_argument("--database", help="address of a database in which the law is loaded already")
    parser.add_argument("--data", type=Path, default=DEVELOPMENT, help="documents and keys, in any subfolder")
    parser.add_argument("--deep", action="store_true", help="ask for mode deep")
    parser.add_argument("--record", metavar="NAME", help="add the figures to rounds.jsonl as this round")
    parser.add_argument("--out", type=Path, help="keep the answers in this folder")
    parser.add_argument("-v", action="store_true", help="name what was missed")
    engines.add_arguments(parser)
    arguments = parser.parse_args()
    if (arguments.law is None) == (arguments.database is None):
        parser.error("one of --law and --database is needed")
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        with engines.chosen(parser, arguments):
            use(
                arguments.database or new_database(services.addresses, "exam"),
                services.addresses.redis_url(1),
                RATE_ENTERPRISE="1000000",
            )
            if arguments.law:
                load(arguments.law, folders=SPAIN, files=())
            figures = _sit(arguments)
    finally:
        services.stop()
    if arguments.record:
        _record(arguments.record, figures)
    print(json.dumps(figures))


def _sit(arguments: argparse.Namespace) -> dict[str, Any]:
    from app import analysis
    from app.factory import create_app
    from app.platform.postgres import rls

    client = create_app().test_client()
    analysis.warm_up()
    with rls.as_system():
        key = account()
    total, missed, documents, took, column = Marks(), 0, 0, 0.0, truth.Column()
    for path in sorted(arguments.data.rglob("*.json")):
        text = path.with_suffix(".txt")
        if not text.exists():
            continue
        wanted, document = json.loads(path.read_text("utf-8")), text.read_text("utf-8")
        body = {"text": document, "mode": "deep" if arguments.deep else "standard"}
        body |= {
            name: wanted[name] for name in ("jurisdiction", "legalBranch", "language") if wanted.get(name)
        }
        began = time.perf_counter()
        answer = client.post("/api/v1/analyze", json=body, headers={"Authorization": f"Bearer {key}"})
        took += time.perf_counter() - began
        if answer.status_code != 200:
            raise SystemExit(f"{path.stem}: {answer.status_code} {answer.text[:300]}")
        if arguments.out:
            arguments.out.mkdir(parents=True, exist_ok=True)
            (arguments.out / path.name).write_text(
                json.dumps(answer.get_json(), ensure_ascii=False, indent=1)
            )
        marks = mark(wanted, document, answer.get_json())
        column.add(answer.get_json(), truth.readings(path.parent).get(path.stem, truth.Readings()))
        print(f"{path.stem:32} {marks}", flush=True)
        if arguments.v:
            for one in marks.missed:
                print(f"    missed {one}")
        total += marks
        documents, missed = documents + 1, missed + len(marks.missed)
    print(f"{'all':32} {total}", *column.rows(), sep="\n")
    shares = {what: total.share(what) for what in total.of}
    figures = {
        "documents": documents,
        **shares,
        "truth": column.figures(),
        "ms_per_document": round(1000 * took / max(documents, 1)),
    }
    spent = client.get("/api/v1/usage", headers={"Authorization": f"Bearer {key}"}).get_json()
    return figures | ({"tokens": spent["tokens"]} if "tokens" in spent else {})


def commit() -> str:
    """Return the short name of the commit that is checked out."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _record(name: str, figures: Mapping[str, Any]) -> None:
    row = {
        "round": name,
        "date": time.strftime("%Y-%m-%d"),
        "commit": commit(),
        "countries": ["ES"],
        **figures,
    }
    with (DEVELOPMENT / "rounds.jsonl").open("a", encoding="utf-8") as rounds:
        rounds.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
