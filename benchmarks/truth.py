"""Report how much of the answers to an exam is true: `python -m benchmarks.truth --answers FOLDER`.

The exam asks whether a risk was found. Whether what was said is true of the document and of the law, and
understood by a client, is for a lawyer to read. `python -m benchmarks.exam --law FOLDER --data ROUND --out
ANSWERS` keeps the answers; this command prints what is known of them, and

    --data FOLDER     where the documents are
    --unread FOLDER   writes the statements that nobody has read yet, one file for each document
    --take FILE       keeps a reader's verdicts on them

A reader's FILE is a list of `{"file": NAME, "n": 3, "verdict": "false", "why": "…", "kind": "…"}`, an entry
for each statement of the file that is not true: `false` of this document or in law; `misleading`, which lets
the reader draw a wrong conclusion; `useless`, which is nobody's matter here or was said before; `unclear`, of
which one cannot tell what is meant. A document in which all is true has one entry, `{"file": NAME, "verdict":
"true"}`; one that the file does not name stays unread.

Verdicts stand in `read.json` beside the documents. They hold for the statement as it was read: its section,
text, quotations and law. Once one of these changes, it is unread again. The shares are of what was read. The
last line is a JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

DEVELOPMENT: Final = Path(__file__).with_name("data") / "exam"
VERDICTS: Final = ("false", "misleading", "useless", "unclear")
_KEPT: Final = "read.json"

Statement = Mapping[str, Any]


def key_of(statement: Statement) -> str:
    """Return a short digest of what a reader sees of a statement, but for its lock and severity."""
    quotes = [one["text"] for one in statement["quotes"]]
    law = [one["citation"] for one in statement["authorities"]]
    seen = json.dumps([statement["section"], statement["text"], quotes, law], ensure_ascii=False)
    return hashlib.sha256(seen.encode()).hexdigest()[:12]


@dataclass
class Readings:
    """What readers said of the statements about one document: those read, and the verdict on each fault."""

    read: set[str] = field(default_factory=set)
    faults: dict[str, dict[str, str]] = field(default_factory=dict)

    def verdict(self, statement: Statement) -> str | None:
        """Return the verdict on a statement, `true` where its reader found no fault; `None` if unread."""
        key = key_of(statement)
        if key in self.faults:
            return self.faults[key]["verdict"]
        return "true" if key in self.read else None

    def take(self, statements: Iterable[Statement], verdicts: Mapping[int, Mapping[str, Any]]) -> None:
        """Keep what was said of numbered statements; each other one was found true.

        Raises:
            ValueError: a number that no statement has, or a verdict that does not exist.
        """
        numbered = dict(enumerate(statements, 1))
        for number, said in verdicts.items():
            if number not in numbered:
                raise ValueError(f"no statement has the number {number}")
            if said["verdict"] not in VERDICTS:
                raise ValueError(f"{number}: no such verdict: {said['verdict']}")
        for number, one in numbered.items():
            if number not in verdicts and self.verdict(one) is not None:
                continue
            key = key_of(one)
            self.read.add(key)
            self.faults.pop(key, None)
            if number in verdicts:
                about = {name: one[name] for name in ("section", "lock", "text")}
                said = {name: verdicts[number][name] for name in ("verdict", "kind", "why")}
                self.faults[key] = about | said


def readings(folder: Path) -> dict[str, Readings]:
    """Return what was read of the documents of a folder, by the name of each."""
    path = folder / _KEPT
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {name: Readings(set(one["read"]), one["faults"]) for name, one in kept.items()}


def keep(folder: Path, read: Mapping[str, Readings]) -> None:
    """Write what was read of the documents of a folder."""
    kept = {name: {"read": sorted(one.read), "faults": one.faults} for name, one in sorted(read.items())}
    (folder / _KEPT).write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")


@dataclass
class Column:
    """Verdicts on the statements of some answers, by section and lock."""

    counts: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, answer: Mapping[str, Any], read: Readings) -> None:
        """Count the statements of one answer."""
        for one in answer["statements"]:
            self.counts[one["section"], one["lock"]][read.verdict(one) or "unread"] += 1

    def figures(self) -> dict[str, Any]:
        """Return how many statements there are, how many were read, and the share of each verdict."""
        return _figures(sum(self.counts.values(), Counter()))

    def rows(self) -> list[str]:
        """Return a line for each section, each lock, and all."""
        parts: dict[str, Counter[str]] = defaultdict(Counter)
        for (section, lock), counted in sorted(self.counts.items()):
            parts[section] += counted
            parts[f"[{lock}]"] += counted
            parts["all"] += counted
        width = max(map(len, parts), default=0)
        order = sorted(parts, key=lambda name: (name == "all", name.startswith("["), name))
        return [f"{name:{width}}  {_line(_figures(parts[name]))}" for name in order]


def _figures(counted: Counter[str]) -> dict[str, Any]:
    read = counted.total() - counted["unread"]
    shares = {name: round(counted[name] / read, 3) if read else None for name in VERDICTS}
    return {"statements": counted.total(), "read": read, **shares}


def _line(figures: Mapping[str, Any]) -> str:
    return "  ".join(f"{name} {value}" for name, value in figures.items())


def for_reading(name: str, document: str, answer: Mapping[str, Any], read: Readings) -> str:
    """Return a document and the statements about it that are unread, numbered as in the answer; or ""."""
    unread = [
        (number, one) for number, one in enumerate(answer["statements"], 1) if read.verdict(one) is None
    ]
    if not unread:
        return ""
    lines = [f"# {name}", "## Document", document.strip(), "## Statements", f"kind: {answer['documentKind']}"]
    for number, one in unread:
        about = f" (about {one['about'].removeprefix('s')})" if "about" in one else ""
        lines.append(
            f"[{number}] {one['section']}{about} [{one['lock']}] {one['severity'] or ''}: {one['text']}"
        )
        lines += [f"     quotation: {quote['text']}" for quote in one["quotes"]]
        if one["authorities"]:
            lines.append(f"     law: {'; '.join(law['citation'] for law in one['authorities'])}")
    return "\n".join(lines) + "\n"


def take(entries: Iterable[Mapping[str, Any]], answers: Path, documents: Mapping[str, Path]) -> None:
    """Keep a reader's verdicts on the answers in a folder beside the documents that they are about."""
    said: dict[str, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for one in entries:
        about = said[one["file"].removesuffix(".txt")]
        if "n" in one:
            about[one["n"]] = one
    for name, verdicts in said.items():
        if name not in documents:
            raise SystemExit(f"{name}: there is no such document in --data")
        folder = documents[name].parent
        read = readings(folder)
        answer = json.loads((answers / f"{name}.json").read_text("utf-8"))
        try:
            read.setdefault(name, Readings()).take(answer["statements"], verdicts)
        except ValueError as error:
            raise SystemExit(f"{name}: {error}") from None
        keep(folder, read)


def main() -> None:
    """Keep verdicts, write what is unread, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--answers", type=Path, required=True, help="the folder given to benchmarks.exam --out"
    )
    parser.add_argument("--data", type=Path, default=DEVELOPMENT, help="the documents, in any subfolder")
    parser.add_argument("--unread", type=Path, help="write what nobody has read into this folder")
    parser.add_argument("--take", type=Path, help="a reader's verdicts, as JSON")
    arguments = parser.parse_args()
    documents = {path.stem: path for path in sorted(arguments.data.rglob("*.txt"))}
    if arguments.take:
        take(json.loads(arguments.take.read_text("utf-8")), arguments.answers, documents)
    column = Column()
    for name, path in documents.items():
        kept = arguments.answers / f"{name}.json"
        if not kept.exists():
            continue
        answer = json.loads(kept.read_text("utf-8"))
        read = readings(path.parent).get(name, Readings())
        column.add(answer, read)
        text = for_reading(name, path.read_text("utf-8"), answer, read) if arguments.unread else ""
        if text:
            arguments.unread.mkdir(parents=True, exist_ok=True)
            (arguments.unread / f"{name}.txt").write_text(text, "utf-8")
    print("\n".join(column.rows()))
    print(json.dumps(column.figures()))


if __name__ == "__main__":
    main()
