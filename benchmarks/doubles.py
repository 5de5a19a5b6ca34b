"""Measure how a model's statements are told from those of the rules: `python -m benchmarks.doubles`.

The risks that lawyers wrote as keys of the exam (`benchmarks.exam`) stand for statements of a model: each
with its `basis`, without a quotation, where it is in the language of the answer. Of those whose `pattern` a
risk of the rules meets (`known`), `doubled` counts those that `app.analysis.draft.merge` leaves out, and
`elsewhere` those left out for another risk; of those that no risk of the rules meets (`new`), `lost` counts
what is left out all the same. A model also quotes, which a key does not: with quotations more doubles are
found. Last line: one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.analysis.draft import merge
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Brief, Draft, RulesEngine, Section, Statement
from benchmarks.exam import DEVELOPMENT

# Words that no English sentence of a key has.
_SPANISH = re.compile(r"\b(?:el|la|los|que|de|del|sin)\b")


def main() -> None:
    """Draft every document by the rules, merge its key, print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DEVELOPMENT, help="documents and keys, in any subfolder")
    parser.add_argument("-v", action="store_true", help="name what was lost or left out for another risk")
    arguments = parser.parse_args()
    counted: Counter[str] = Counter()
    for path in sorted(arguments.data.rglob("*.json")):
        text, key = path.with_suffix(".txt"), json.loads(path.read_text("utf-8"))
        if text.exists() and key.get("jurisdiction") == "ES" and key.get("language", "es") == "es":
            counted += _measured(text.read_text("utf-8"), key, verbose=arguments.v)
    print(json.dumps(dict(sorted(counted.items()))))


def _measured(document: str, key: Mapping[str, Any], *, verbose: bool) -> Counter[str]:
    counted: Counter[str] = Counter()
    floor = RulesEngine().analyse(Brief(document, "ES", key.get("legalBranch") or "civil", "es"))
    finder = QuoteFinder(document)
    for wanted in key["must_find"]:
        if not _SPANISH.search(wanted["risk"]):
            continue
        statement = Statement(Section.RISKS, wanted["risk"], (), (wanted.get("basis", ""),))
        proposed = Draft("model", "model", "", "", (statement,), len(document), len(document))
        twin = merge.merge(floor, proposed, finder, "ES", "es").same.get(statement)
        met = [
            one
            for one in floor.statements
            if one.section is Section.RISKS
            and re.search(wanted["pattern"], " ".join((one.text, *one.citations)), re.IGNORECASE)
        ]
        counted["known" if met else "new"] += 1
        if twin is None:
            continue
        what = "lost" if not met else "doubled" if twin in met else "elsewhere"
        counted[what] += 1
        if verbose and what != "doubled":
            print(f"{what}: {wanted['risk'][:160]} | {twin.text[:160]}")
    return counted


if __name__ == "__main__":
    main()
