"""How well two versions of a contract are compared: `python -m benchmarks.compare [-v]`.

Pairs of versions of contracts stand in `benchmarks/data/compare`, each with what a reader expects: which
clauses changed, came, went or moved, which values became which, and which risks came, went or stayed, by the
words that carry them, as somebody judged who read both. Some second versions are written out, others are
made by the edits that stand there. What is not named is expected to be unchanged, and what is told beyond it
counts as wrong. Risks are those that the engine `rules` finds in each version: one that it does not know
counts as missed, and one that it should not have found as told in vain.

Then the time of comparing long texts made of those contracts, and of the worst that a text can be. Prints
what was missed with `-v` and, last, one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

from app.comparison import ClauseChange, RiskChanges, Side, Versions, compare_versions, match_risks, risk_of
from app.platform.data_files import Entry, FromList, Texts, read_entry, read_toml
from app.rules import Brief, Language, RulesEngine, Section, Statement

DATA: Final = Path(__file__).with_name("data") / "compare"
_BASES: Final = Path(__file__).resolve().parents[1] / "tests"
_LONG: Final = 50_000  # characters

_Row = Annotated[tuple[str, ...], FromList]
_Rows = Annotated[tuple[_Row, ...], FromList]


class Pair(Entry):
    """Two versions of a contract, and what a reader expects of their comparison.

    Attributes:
        language: of the contract.
        before: the first version; or `base`, a file below `tests` that holds it.
        base: see `before`.
        after: the second version; or `edits` of the first, each with words of it and what replaces them.
        edits: see `after`.
        changes: clauses that are not unchanged: how, and the words with which they begin in each version.
        either: those of `changes` for which `instead` may stand, as where two clauses change places.
        instead: see `either`.
        joined_is_right: added clauses that may be told as a part of the clause that was split.
        renumbered: clauses of the second version that have another number, by their first words.
        values: values that became others, by their words in each version.
        appeared: words of the second version that carry a risk which the first has not.
        went: words of the first version that carry a risk which the second has not.
        stayed: words of the second version that carry a risk which the first has, too.
    """

    language: Language
    before: str = ""
    base: str = ""
    after: str = ""
    edits: _Rows = ()
    changes: _Rows
    either: _Rows = ()
    instead: _Rows = ()
    joined_is_right: Texts = ()
    renumbered: Texts = ()
    values: _Rows = ()
    appeared: Texts
    went: Texts
    stayed: Texts

    @property
    def versions(self) -> tuple[str, str]:
        """Both texts."""
        before = self.before.strip() or (_BASES / self.base).read_text(encoding="utf-8").strip()
        after = self.after.strip() or before
        for find, put in self.edits:
            assert after.count(find) == 1, f"{find!r} stands {after.count(find)} times"
            after = after.replace(find, put)
        return before, after


@dataclass
class Score:
    """How many were right, and what was missed or told in vain."""

    right: int = 0
    missed: list[str] = field(default_factory=list)
    beyond: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Return the share of what is right in all that was expected or told."""
        total = self.right + len(self.missed) + len(self.beyond)
        return round(self.right / total, 4) if total else 1.0

    def add(self, other: Score) -> None:
        """Add another score."""
        self.right += other.right
        self.missed += other.missed
        self.beyond += other.beyond


def pairs() -> dict[str, Pair]:
    """Return the pairs by their names."""
    return {path.stem: read_entry(Pair, path.name, read_toml(path)) for path in sorted(DATA.glob("*.toml"))}


def main() -> None:
    """Compare the pairs, then long texts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-v", action="store_true", help="show what was missed and what was told in vain")
    arguments = parser.parse_args()
    totals = {name: Score() for name in ("clauses", "renumbered", "values", "risks")}
    print(f"{'pair':26} {'clauses':>8} {'renumb.':>8} {'values':>8} {'risks':>8}")
    for name, pair in pairs().items():
        scores = judge(pair)
        print(f"{name:26}" + "".join(f" {scores[each].share:8.2f}" for each in totals))
        for each, score in scores.items():
            totals[each].add(score)
            for word, items in (("missed", score.missed), ("beyond", score.beyond)):
                for item in items if arguments.v else ():
                    print(f"    {each} {word}: {item}")
    figures = {each: score.share for each, score in totals.items()}
    counts = {f"{each}_judged": score.right + len(score.missed) for each, score in totals.items()}
    print(json.dumps({"pairs": len(pairs()), **figures, **counts, **_times()}))


def judge(pair: Pair) -> dict[str, Score]:
    """Compare a pair and return how much of it is right."""
    before, after = pair.versions
    versions = compare_versions(before, after)
    risks = _risks(pair, versions)
    return {
        "clauses": _judged_clauses(pair, versions.changes, before, after),
        "renumbered": _judged_numbers(pair, versions.changes, after),
        "values": _judged_values(pair, versions),
        "risks": risks,
    }


def _judged_clauses(pair: Pair, changes: Sequence[ClauseChange], before: str, after: str) -> Score:
    """Judge by the list of changes, or by the one where `instead` stands for `either`: the better of both."""
    found = [
        (
            one,
            before[one.before.start : one.before.end].strip() if one.before else "",
            after[one.after.start : one.after.end].strip() if one.after else "",
        )
        for one in changes
    ]
    other = [row for row in pair.changes if row not in pair.either] + list(pair.instead)
    scores = [
        _judged_rows(pair, rows, found) for rows in (pair.changes, other if pair.either else pair.changes)
    ]
    return max(scores, key=lambda score: score.share)


def _judged_rows(pair: Pair, rows: Sequence[_Row], found: Sequence[tuple[ClauseChange, str, str]]) -> Score:
    score = Score()
    told = [item for item in found if item[0].change != "unchanged"]
    score.right += len(found) - len(told)
    for change, old, new in rows:
        match = next(
            (
                item
                for item in told
                if item[0].change == change
                and (bool(old), bool(new)) == (bool(item[1]), bool(item[2]))
                and item[1].startswith(old)
                and item[2].startswith(new)
            ),
            None,
        )
        joined = any(new.startswith(words) for words in pair.joined_is_right) and any(
            one.joined and new in text for one, _, text in found
        )
        if match is not None:
            told.remove(match)
        if match is not None or joined:
            score.right += 1
        else:
            score.missed.append(" | ".join((change, old, new)))
    score.beyond += [f"{one.change} | {was[:40]!r} | {text[:40]!r}" for one, was, text in told]
    return score


def _judged_numbers(pair: Pair, changes: Sequence[ClauseChange], after: str) -> Score:
    told = [after[one.after.start : one.after.end] for one in changes if one.renumbered and one.after]
    return _judged(list(pair.renumbered), told, lambda words, text: text.startswith(words))


def _judged_values(pair: Pair, versions: Versions) -> Score:
    told = [
        (" ".join(one.before.quote.split()), " ".join(one.after.quote.split()))
        for one in versions.values
        if one.before and one.after
    ]
    score = Score()
    for row in pair.values:
        match = next((one for one in told if row[0] in one[0] and row[1] in one[1]), None)
        if match is None:
            score.missed.append(" | ".join(row))
        else:
            told.remove(match)
            score.right += 1
    score.beyond += [" | ".join(one) for one in told]
    return score


def _risks(pair: Pair, versions: Versions) -> Score:
    found, statements = compared_risks(pair, versions)
    score = Score()
    stayed = [one.after for one in found.stayed]
    for side, words, told in (
        ("after", pair.appeared, found.appeared),
        ("before", pair.went, found.went),
        ("after", pair.stayed, stayed),
    ):
        quoted = [" ".join((*statements[side][one.place].quotes, one.text)) for one in told]
        score.add(_judged(list(words), quoted, lambda part, text: part.lower() in text.lower()))
    return score


def compared_risks(pair: Pair, versions: Versions) -> tuple[RiskChanges, dict[str, list[Statement]]]:
    """Return what became of the risks that the engine finds, and all its statements of each version."""
    sides: tuple[Side, Side] = ("before", "after")
    statements: dict[str, list[Statement]] = {}
    risks = {}
    for side, text in zip(sides, pair.versions, strict=True):
        draft = RulesEngine().analyse(Brief(text, "ES", "civil", pair.language))
        statements[side] = list(draft.statements)
        risks[side] = [
            risk_of(
                versions,
                side,
                place,
                facts=one.facts,
                severity=one.severity,
                starts=[at for quote in one.quotes if (at := text.find(quote)) >= 0],
                law=one.citations,
                text=one.text,
            )
            for place, one in enumerate(draft.statements)
            if one.section is Section.RISKS
        ]
    return match_risks(risks["before"], risks["after"]), statements


def _judged(expected: list[str], told: list[str], fits: Callable[[str, str], bool]) -> Score:
    score = Score()
    left = list(told)
    for words in expected:
        match = next((one for one in left if fits(words, one)), None)
        if match is None:
            score.missed.append(words)
        else:
            left.remove(match)
            score.right += 1
    score.beyond += [" ".join(one.split())[:110] for one in left]
    return score


def _times() -> dict[str, float]:
    """Return the milliseconds of processor that comparing two texts of 50,000 characters takes."""
    rng = random.Random(7)
    texts = [pair.versions for pair in pairs().values()]
    one, other = (_grown(side, _LONG) for side in zip(*texts, strict=True))
    words = sorted(set(re.findall(r"\w+", one)))

    def babble(count: int) -> str:
        return " ".join(rng.choices(words, k=count))[:_LONG]

    tiny = "\n".join(f"{at % 90 + 1}. {rng.choice(words).capitalize()}" for at in range(4_000))[:_LONG]
    cases = {
        "contracts": (one, other),
        "another_text": (one, babble(9_000)),
        "one_clause": (babble(9_000).replace("\n", " "), babble(9_000).replace("\n", " ")),
        "single_letters": ("a b " * 12_500, "b c " * 12_500),
        "tiny_clauses": (tiny, "\n".join(reversed(tiny.split("\n")))),
        "same_line": ("1. Cláusula igual.\n" * 2_600, "2. Cláusula igual.\n\n" * 2_400),
    }
    found: dict[str, float] = {}
    for name, (left, right) in cases.items():
        started = time.process_time()
        versions = compare_versions(left[:_LONG], right[:_LONG])
        found[f"ms_{name}"] = round((time.process_time() - started) * 1000)
        counted = Counter(change.change for change in versions.changes)
        print(f"  {name:16} {found[f'ms_{name}']:6.0f} ms  {dict(counted)}")
    found["ms_per_10000_characters"] = round(found["ms_contracts"] / (len(one) + len(other)) * 10_000, 1)
    return found


def _grown(texts: Sequence[str], size: int) -> str:
    """Return texts one after the other, again and again, up to a size."""

    def endless() -> Iterator[str]:
        while True:
            yield from texts

    found, length = [], 0
    for text in endless():
        found.append(text)
        length += len(text) + 2
        if length >= size:
            return "\n\n".join(found)[:size]
    raise AssertionError


if __name__ == "__main__":
    main()
