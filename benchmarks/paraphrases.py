"""How many of their own defects rules know in other words: `python -m benchmarks.paraphrases [-v]`.

Authors who had read the title and the law of a rule, and neither its patterns nor its examples, wrote what
documents say where a lawyer must raise it: `[rule id]` with `es` and `en`, in TOML files. A passage counts as
known where the rule's clause is found in it: `requires` and figures, which another part of a document states,
are not asked. It measures words, not law; a rule that knows all its passages may still be met by lawful ones
(`benchmarks.exam` counts those).

Passages are unseen once. The share of a first run is in `benchmarks/data/paraphrases/sittings.jsonl`
(`--record` adds a line); a rule that was mended by its passages is measured by new ones. Prints a row for
each file of rules and, last, one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app.platform.data_files import Entry, Words, read_file
from app.rules import Document
from app.rules.rulebook.loader import rulebook
from app.rules.rulebook.risks import matches

DATA: Final = Path(__file__).with_name("data") / "paraphrases"


class Passages(Entry):
    """What documents say where a rule must be raised, by language."""

    es: Words = ()
    en: Words = ()


def passages(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the id of a rule, a language and a passage, file after file."""
    for path in sorted(folder.rglob("*.toml")):
        for rule, row in read_file(path, dict[str, Passages]).items():
            for language, words in (("es", row.es), ("en", row.en)):
                for text in words:
                    yield rule, language, text


def main() -> None:
    """Measure the passages of a folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="TOML files, in any subfolder")
    parser.add_argument("--record", metavar="NAME", help="add the figures to sittings.jsonl under this name")
    parser.add_argument("-v", action="store_true", help="show the passages that were not known")
    arguments = parser.parse_args()
    risks = {risk.id: risk for risk in rulebook().risks}
    known: dict[str, list[bool]] = defaultdict(list)
    unknown_rules: set[str] = set()
    for rule, language, text in passages(arguments.data):
        if rule not in risks:
            unknown_rules.add(rule)  # deleted or renamed since the passage was written
            continue
        found = bool(matches(Document(text), risks[rule]))
        known[f"{rule} {language}"].append(found)
        if arguments.v and not found:
            print(f"{rule}: {text}")
    by_prefix: dict[str, list[bool]] = defaultdict(list)
    for name, marks in known.items():
        by_prefix[name.partition("_")[0]] += marks
    for prefix, marks in sorted(by_prefix.items()):
        print(f"{prefix:24} {len(marks):5} passages   known {sum(marks) / len(marks):.2f}")
    figures = {
        "rules": len({name.split()[0] for name in known}),
        "passages": sum(map(len, known.values())),
        "known_es": _share(known, "es"),
        "known_en": _share(known, "en"),
        "rules_without_any_known": sum(
            not any(marks) for name, marks in known.items() if name.endswith("es")
        ),
        "of_rules_that_are_gone": len(unknown_rules),
    }
    if arguments.record:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True
        ).stdout
        row = {"sitting": arguments.record, "date": time.strftime("%Y-%m-%d"), "commit": commit.strip()}
        with (DATA / "sittings.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row | figures) + "\n")
    print(json.dumps(figures))


def _share(known: dict[str, list[bool]], language: str) -> float | None:
    marks = [one for name, row in known.items() if name.endswith(f" {language}") for one in row]
    return round(sum(marks) / len(marks), 3) if marks else None


if __name__ == "__main__":
    main()
