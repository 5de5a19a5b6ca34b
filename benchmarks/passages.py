"""How many defects rules know in a stranger's words: `python -m benchmarks.passages [--country FR] [--fit]`.

Each author of `app/rules/data/passages` is left out once: the passages of all others are what is known, and
those of this one are asked, each among the rules of the first kind of document of its own rule. Where a
country has one author, each third of the passages of every rule is left out once: the voice is known then,
and the figures are better than a stranger's would be.

`patterns`: share of the passages in which the patterns of their rule find its clause. `proposed`: share that
is proposed to a rule with the same first article, exceptions heard. `known`: either. `lawful_patterns` and
`lawful_proposed`: the same of lawful passages on the same subject, for any rule: what must stay low; they
were written to tempt, and a document has few of them. Conditions on the whole document and figures are not
asked.

`--fit` prints the coefficients of the curve that `passages.index` makes a probability with. An author's
passages are unseen once, before they are added: what patterns knew of them then is in
`benchmarks/data/passages/sittings.jsonl` (`--record`). Last line: one JSON object.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from app.rules import Document
from app.rules.clause_types import exemplars
from app.rules.clause_types.part_words import PartWords
from app.rules.passages import passage_index, texts, training
from app.rules.passages.index import Index, Likeness
from app.rules.passages.texts import Passage
from app.rules.reading import Reading
from app.rules.rulebook.loader import SPAIN, rulebook
from app.rules.rulebook.resemblance import least
from app.rules.rulebook.risks import excepted, matches
from app.rules.rulebook.schema import Risk

SOUND: Final = Path(__file__).parents[1] / "tests" / "rules" / "texts"
_THIRDS: Final = 3
SITTINGS: Final = Path(__file__).with_name("data") / "passages" / "sittings.jsonl"


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of one passage of an author who was left out."""

    passage: Passage
    known: bool
    likeness: Likeness | None
    right: bool
    excepted: bool

    @property
    def proposed(self) -> bool:
        like = self.likeness
        if like is None or self.excepted:
            return False
        return like.probability >= least("en" if self.passage.language == "en" else "es", few=like.few)


def voices(passages: Sequence[Passage]) -> list[str]:
    """Return for each passage what is left out with it: its author, or where there is one a third of them."""
    if len({one.author for one in passages}) > 1:
        return [one.author for one in passages]
    places: Counter[tuple[str, bool]] = Counter()
    found = []
    for one in passages:
        found.append(str(places[one.rule, one.lawful] % _THIRDS))
        places[one.rule, one.lawful] += 1
    return found


def ask(passages: Sequence[Passage], risks: dict[str, Risk]) -> Iterator[Asked]:
    """Yield what becomes of each passage where all of its voice are left out."""
    voice = voices(passages)
    for left_out in sorted(set(voice)):
        others = [one for one, mine in zip(passages, voice, strict=True) if mine != left_out]
        index = Index(training.train(others, "").partition(b"\n")[2])
        for one, mine in zip(passages, voice, strict=True):
            rule = risks.get(one.rule)
            if mine != left_out or rule is None or not rule.kinds:
                continue
            among = {risk.id: risk.basis[0].cite for risk in risks.values() if rule.kinds[0] in risk.kinds}
            document = Document(one.text)
            words = PartWords(document.folded, [(0, len(document.folded))], one.language)
            [like] = index.nearest(words, among, among)
            found = None if like is None else risks[like.rule]
            right = found is not None and found.basis[0].cite == rule.basis[0].cite
            barred = found is not None and excepted(document, found, document.whole)
            yield Asked(one, bool(matches(document, rule)), like, right, barred)


def without_defect(risks: dict[str, Risk]) -> list[Likeness]:
    """Return what the parts of documents that have no defect are like, each among the rules of its kind."""
    found: list[Likeness | None] = []
    index = passage_index(SPAIN)
    assert index is not None
    for path in sorted(SOUND.glob("*.txt")):
        if not re.search("fair|lawful", path.stem):
            continue
        reading = Reading(path.read_text("utf-8"), SPAIN)
        kind, document = reading.recognition.id, reading.document
        among = {risk.id: risk.basis[0].cite for risk in risks.values() if kind in risk.kinds}
        found += index.nearest(document.part_words, among, among)
    return [like for like in found if like is not None]


def fit(asked: Sequence[Asked], sound: Sequence[Likeness]) -> list[float]:
    """Return the coefficients of the curve, in the order of `Likeness.amounts`.

    Args:
        asked: passages of authors who were left out.
        sound: what parts of documents without a defect are like; most parts of a document are of this sort,
            so each counts five times.
    """
    rows = [(one, one.likeness) for one in asked if one.likeness is not None and not one.excepted]
    amounts = np.array([like.amounts for _, like in rows] + [like.amounts for like in sound])
    wanted = np.array([one.right and not one.passage.lawful for one, _ in rows] + [False] * len(sound), float)
    times = np.array([1.0] * len(rows) + [5.0] * len(sound))
    factors = np.zeros(amounts.shape[1])
    for _ in range(40):
        said = 1 / (1 + np.exp(-amounts @ factors))
        spread = times * said * (1 - said)
        curvature = (amounts * spread[:, None]).T @ amounts + np.eye(len(factors)) * 1e-3
        factors -= np.linalg.solve(curvature, amounts.T @ (times * (said - wanted)))
    return [round(float(one), 2) for one in factors]


def main() -> None:
    """Ask the passages of every author, print the shares."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="a folder of passages, instead of those of the country")
    parser.add_argument("--country", default=SPAIN, metavar="CODE", help="whose rules are asked (ES)")
    parser.add_argument("--fit", action="store_true", help="print the coefficients of the curve")
    parser.add_argument("--record", metavar="NAME", help="add the figures to sittings.jsonl under this name")
    parser.add_argument(
        "-v", action="store_true", help="show passages that nothing knew, and lawful ones taken"
    )
    arguments = parser.parse_args()
    subject = exemplars.passages_of(arguments.country)
    if subject is None:
        parser.error(f"there are no passages of {arguments.country}")
    risks = {risk.id: risk for risk in rulebook(arguments.country).risks if risk.about_clauses}
    passages = texts.read(arguments.data or subject.folder)
    asked = list(ask(passages, risks))
    figures: dict[str, object] = {
        "authors": len({one.author for one in passages}),
        "rules": len({one.rule for one in passages}),
        "passages": len(passages),
    }
    for language in dict.fromkeys(one.language for one in passages):
        own = [one for one in asked if one.passage.language == language]
        defects = [one for one in own if not one.passage.lawful]
        figures[language] = {
            "patterns": _share(one.known for one in defects),
            "proposed": _share(one.proposed and one.right for one in defects),
            "known": _share(one.known or (one.proposed and one.right) for one in defects),
            "proposed_wrongly": _share(one.proposed and not one.right for one in defects),
            "lawful_patterns": _share(one.known for one in own if one.passage.lawful),
            "lawful_proposed": _share(one.proposed for one in own if one.passage.lawful),
        }
    if arguments.v:
        for one in asked:
            if one.proposed if one.passage.lawful else not (one.known or (one.proposed and one.right)):
                print(f"{'lawful ' if one.passage.lawful else ''}{one.passage.rule}: {one.passage.text}")
    if arguments.fit:
        print("curve", fit(asked, without_defect(risks) if arguments.country == SPAIN else ()))
    by_area: Counter[str] = Counter()
    for one in asked:
        if not one.passage.lawful:
            area = one.passage.rule.removeprefix(f"{arguments.country.lower()}_").partition("_")[0]
            by_area[area] += 1
            by_area[f"{area} known"] += one.known or (one.proposed and one.right)
    for area in sorted(name for name in by_area if not name.endswith(" known")):
        print(f"{area:24} {by_area[area]:5} passages   known {by_area[f'{area} known'] / by_area[area]:.2f}")
    if arguments.record:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True
        ).stdout
        row = {"sitting": arguments.record, "date": time.strftime("%Y-%m-%d"), "commit": commit.strip()}
        with SITTINGS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row | figures) + "\n")
    print(json.dumps(figures))


def _share(marks: Iterator[bool]) -> float | None:
    every = list(marks)
    return round(sum(every) / len(every), 3) if every else None


if __name__ == "__main__":
    main()
