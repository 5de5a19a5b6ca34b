"""How many planted faults the deterministic auditor finds: `python -m benchmarks.node_b [--data FILE]`.

Sound analyses are those of the engine `rules` over a set of documents; none should draw an objection. Then
200 faults of eight kinds are planted, one at a time and at random places, each as a careless or inventive
node A would make it, and the auditor is asked. `found` is the share of faults that draw at least one finding
more than the untouched analysis did; `false_alarms` is the share of untouched statements that draw one.

Then 200 more are planted that look supported (`benchmarks.faults`), in the same statements taken for a
model's: their quotations stand in the document and their authorities exist, but they say another figure,
party, duty or article. `code` counts those that draw a finding or cost the statement its lock; `reader` what
node B's model adds that code did not find; both their false alarms on the untouched statements. The reader
is simulated over a vendor's protocol (`tests.simulated_models`, honest) unless `--auditor` names a vendor
whose key is set. Two checks of code were written after faults of the
second set had been read: its figures are those of development.

Without `--database` no law is loaded, so that code cannot hold a statement against the article it rests on,
which is where most faults of modality, polarity and validity show. `--database` is the address of one in
which the law is loaded; the second table is then of statements judged by it, as in an analysis.

`--data` takes JSON lines of `{"text", "jurisdiction"?, "branch"?, "language"?}` in place of our documents.
Prints two tables and, on the last line, one JSON object. Needs no service but that database.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from app.analysis.audit import Case, Finding, auditor, challenge
from app.analysis.audit.checks import find_objections
from app.analysis.checks import locks
from app.analysis.checks.citation_checker import (
    NOTHING_LOADED,
    check,
    check_by_registry,
    collect_document,
    collect_statements,
    look_up,
)
from app.analysis.llm import Model
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import protected_spans
from app.redaction import redact
from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Draft, Section, Statement
from app.text.bilingual import Language
from benchmarks import engines, faults
from benchmarks.support import use

FAULTS = 200
ON = date(2026, 11, 21)


@dataclass(frozen=True)
class Sound:
    """A document as node A sees it, and the analysis of it that is taken to be right."""

    brief: Brief
    draft: Draft


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="JSON lines of documents, in place of our own")
    parser.add_argument("--database", help="address of a database in which the law is loaded, for the second")
    parser.add_argument("--seed", type=int, default=7)
    engines.add_arguments(parser)
    parser.set_defaults(auditor="openai")
    arguments = parser.parse_args()
    if not arguments.replay and not any(os.environ.get(f"{one}_API_KEY") for one in ("OPENAI", "ANTHROPIC")):
        arguments.simulated = arguments.simulated or "honest"
    with engines.chosen(parser, arguments):
        use(arguments.database or "postgresql://nowhere/none", "unix:///nowhere")
        _measure(arguments)


def _measure(arguments: argparse.Namespace) -> None:
    sound = [_analysed(*one) for one in _documents(arguments.data)]
    chance = random.Random(arguments.seed)

    statements = sum(len(one.draft.statements) for one in sound)
    before = {id(one): _audited(one, one.draft) for one in sound}
    alarms = sum(
        finding.statement is not None or finding.type != "citation_error"
        for found in before.values()
        for finding in found
    )

    planted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    kinds = list(_KINDS)
    tries = 0
    while planted.total() < FAULTS and tries < FAULTS * 50:
        tries += 1
        kind = kinds[planted.total() % len(kinds)]
        one = chance.choice(sound)
        faulty = _KINDS[kind](one, chance)
        if faulty is None:
            continue
        planted[kind] += 1
        found[kind] += bool(Counter(_audited(one, faulty)) - Counter(before[id(one)]))
    _print(planted, found, alarms, statements, len(sound))
    looks_supported = _plant_supported(sound, chance, arguments.auditor, bool(arguments.database))
    looks_supported.show()
    share = found.total() / planted.total() if planted else 0.0
    print(
        json.dumps(
            {
                "found": round(share, 4),
                "false_alarms": round(alarms / statements if statements else 0.0, 4),
                "planted": planted.total(),
                "analyses": len(sound),
                "statements": statements,
                "by_fault": {kind: round(found[kind] / count, 4) for kind, count in planted.items()},
                "supported": looks_supported.figures(),
            }
        )
    )


@dataclass
class Readings:
    """What code and a reader said of faults that look supported, and of statements that are right."""

    planted: Counter[str] = field(default_factory=Counter)
    code: Counter[str] = field(default_factory=Counter)
    reader: Counter[str] = field(default_factory=Counter)
    statements: int = 0
    code_alarms: int = 0
    reader_alarms: int = 0

    def show(self) -> None:
        """Print the table."""
        print(f"\n{'fault that looks supported':<32}{'planted':>9}{'code':>8}{'reader':>8}{'share':>8}")
        for kind, count in self.planted.items():
            both = self.code[kind] + self.reader[kind]
            print(f"{kind:<32}{count:>9}{self.code[kind]:>8}{self.reader[kind]:>8}{both / count:>8.0%}")
        print(
            f"untouched: {self.code_alarms} alarms of code and {self.reader_alarms} of the reader "
            f"on {self.statements} statements"
        )

    def figures(self) -> dict[str, float | int]:
        """Return the shares."""
        total, statements = self.planted.total() or 1, self.statements or 1
        return {
            "planted": self.planted.total(),
            "code": round(self.code.total() / total, 4),
            "reader_adds": round(self.reader.total() / total, 4),
            "code_false_alarms": round(self.code_alarms / statements, 4),
            "reader_false_alarms": round(self.reader_alarms / statements, 4),
        }


def _plant_supported(sound: Sequence[Sound], chance: random.Random, engine: str, loaded: bool) -> Readings:
    """Plant faults that look supported, one at a time, and ask code and the reader."""
    model = auditor(engine)
    assert model is not None
    read, kinds = Readings(), list(faults.KINDS)
    before: dict[int, tuple[list[Finding], list[_Said], list[str]]] = {}
    # A rule's word is taken for its basis; here every statement is a model's.
    drafts = {
        id(one): replace(
            one.draft, statements=tuple(replace(said, origin="model") for said in one.draft.statements)
        )
        for one in sound
    }
    for one in sound:
        before[id(one)] = _read(one, drafts[id(one)], model, loaded)
        certain, more, _ = before[id(one)]
        read.statements += len(one.draft.statements)
        read.code_alarms += sum(finding.statement is not None for finding in certain)
        read.reader_alarms += sum(number is not None for number, _ in more)
    for _ in range(FAULTS * 50):
        if read.planted.total() >= FAULTS:
            break
        kind = kinds[read.planted.total() % len(kinds)]
        one = chance.choice(sound)
        statements = list(drafts[id(one)].statements)
        place = chance.randrange(len(statements))
        faulty = _wrong(statements[place], faults.KINDS[kind], chance)
        if faulty is None:
            continue
        statements[place] = faulty
        faulty_draft = replace(drafts[id(one)], statements=tuple(statements))
        certain, more, held = _read(one, faulty_draft, model, loaded)
        sure, added, locks_before = before[id(one)]
        read.planted[kind] += 1
        if _kinds_of(certain) - _kinds_of(sure) or _ORDER[held[place]] < _ORDER[locks_before[place]]:
            read.code[kind] += 1
        elif any(said[0] == place for said in more if said not in added):
            read.reader[kind] += 1
    return read


# What the reader objects to: the place of a statement, and why.
_Said = tuple[int | None, str]
# Of what a reader of the answer takes a statement for.
_ORDER = {"withdrawn": 0, "L4": 1, "L2-J": 2, "L2-J-V": 2, "L1": 2, "L5-C": 3}


def _kinds_of(findings: Sequence[Finding]) -> Counter[tuple[str, str, int | None]]:
    """Count findings by what they are about: one that only quotes the changed statement is no new one."""
    return Counter((one.type, one.severity, one.statement) for one in findings)


def _wrong(statement: Statement, plant: faults.Plant, chance: random.Random) -> Statement | None:
    raw = {
        "text": statement.text,
        "quotes": list(statement.quotes),
        "citations": list(statement.citations),
    }
    made = plant(raw, chance)
    if made is None:
        return None
    return replace(statement, text=made["text"], citations=tuple(made["citations"]))


def _read(
    one: Sound, draft: Draft, model: Model, loaded: bool
) -> tuple[list[Finding], list[_Said], list[str]]:
    """Return what code finds, what the reader adds, and each statement's lock."""
    case = _case(one, draft, loaded=loaded)
    read = challenge(case, model, deadline=time.monotonic() + 600)
    assert read.opinion is not None
    known = {finding.statement for finding in read.certain}
    more = [
        (one.objection.statement, one.objection.reason)
        for one in read.opinion.objections
        if one.objection.statement not in known
    ]
    held = ["withdrawn" if judged.withdrawn else judged.lock.value for judged in case.judged]
    return list(read.certain), more, held


def _documents(path: Path | None) -> Iterator[tuple[str, str, str, Language]]:
    if path is not None:
        for line in path.read_text("utf-8").splitlines():
            if line.strip():
                raw = json.loads(line)
                yield (
                    raw["text"],
                    raw.get("jurisdiction", "ES"),
                    raw.get("branch", raw.get("legalBranch", "civil")),
                    raw.get("language", "es"),
                )
        return
    from tests.rules import documents

    for text in documents.DOCUMENTS.values():
        if len(text) > 400:
            yield text, "ES", "civil", "es"
            yield text, "ES", "mercantil", "en"


def _analysed(text: str, jurisdiction: str, branch: str, language: Language) -> Sound:
    masked = redact(text, jurisdiction=jurisdiction, protected=protected_spans(text, jurisdiction))
    brief = Brief(masked.text, jurisdiction, branch, language)
    return Sound(brief, RulesEngine().analyse(brief))


def _audited(one: Sound, draft: Draft) -> list[Finding]:
    """The auditor's findings about a draft of this document."""
    return find_objections(_case(one, draft))


def _case(one: Sound, draft: Draft, *, loaded: bool = False) -> Case:
    brief, finder = one.brief, QuoteFinder(one.brief.text)
    collected = collect_statements(collect_document(brief.text, brief.jurisdiction), draft.statements, finder)
    law = look_up(collected, ON) if loaded else NOTHING_LOADED
    findings = check(collected, law, ON, finder)
    judged = locks.judge(draft.statements, finder, findings)
    apart = check_by_registry("", one.draft.statements, brief.jurisdiction, ON, finder)
    return Case(
        document=brief.text,
        jurisdiction=brief.jurisdiction,
        branch=brief.branch,
        language=brief.language,
        draft=draft,
        judged=judged,
        checks=findings.checks,
        cited={**apart.authorities, **findings.authorities},
        reference=one.draft,
    )


# The faults. Each gives a draft with one fault planted, or `None` where the draft offers no place for it.

Fault = Callable[[Sound, random.Random], Draft | None]
_ARTICLE = re.compile(r"(?<=art\. )\d+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DATE = re.compile(r"\b\d{1,2} de [a-z]+ de \d{4}|\b\d{1,2} [A-Z][a-z]+ \d{4}")


def _change(
    one: Sound,
    chance: random.Random,
    fits: Callable[[Statement], bool],
    make: Callable[[Statement], Statement | None],
) -> Draft | None:
    places = [place for place, statement in enumerate(one.draft.statements) if fits(statement)]
    chance.shuffle(places)
    for place in places:
        changed = make(one.draft.statements[place])
        if changed is not None and changed != one.draft.statements[place]:
            statements = list(one.draft.statements)
            statements[place] = changed
            return replace(one.draft, statements=tuple(statements))
    return None


def _changed_article(one: Sound, chance: random.Random) -> Draft | None:
    def make(statement: Statement) -> Statement | None:
        citations = list(statement.citations)
        at = chance.randrange(len(citations))
        match = _ARTICLE.search(citations[at])
        if not match:
            return None
        number = max(1, int(match[0]) + chance.choice((-20, -7, -3, 3, 8, 25, 140)))
        citations[at] = citations[at][: match.start()] + str(number) + citations[at][match.end() :]
        return replace(statement, citations=tuple(citations))

    return _change(one, chance, lambda statement: bool(statement.citations), make)


_REPEALED = (
    "art. 12 de la Ley 22/2003, de 9 de julio, Concursal",
    "art. 43 de la Ley 30/1992, de 26 de noviembre",
    "art. 8 de la Ley 26/1984, de 19 de julio",
    "art. 4 de la Ley Orgánica 15/1999, de 13 de diciembre",
    "art. 100 del Real Decreto Legislativo 1/1994, de 20 de junio",
    "art. 55 del Real Decreto Legislativo 1/1995, de 24 de marzo",
)
_FOREIGN = (
    "artículo 1602 del Código Civil colombiano",
    "art. 1545 del Código Civil de Chile",
    "artículo 62 del Código Sustantivo del Trabajo de Colombia",
    "art. 2224 del Código Civil Federal de México",
    "art. 1361 del Código Civil peruano",
    "42 U.S.C. § 1983",
)
_NO_JUDGMENTS = (
    "STS 99871/2024, de 31 de octubre",
    "STC 4711/2019",
    "STS 12345/2021, de 2 de marzo",
    "SAP Madrid 98765/2020",
    "STSJ Cataluña 45678/2018",
)


def _added(choices: Sequence[str]) -> Fault:
    def plant(one: Sound, chance: random.Random) -> Draft | None:
        return _change(
            one,
            chance,
            lambda statement: (
                statement.section in (Section.RISKS, Section.REASONING, Section.RECOMMENDATIONS)
            ),
            lambda statement: replace(statement, citations=(*statement.citations, chance.choice(choices))),
        )

    return plant


def _altered_quotation(one: Sound, chance: random.Random) -> Draft | None:
    def make(statement: Statement) -> Statement | None:
        quotes = list(statement.quotes)
        at = chance.randrange(len(quotes))
        words = quotes[at].split(" ")
        numbers = [place for place, word in enumerate(words) if _NUMBER.search(word)]
        if numbers and chance.random() < 0.5:
            place = chance.choice(numbers)
            words[place] = _NUMBER.sub(
                lambda match: str(int(match[0][0]) % 9 + 1) + match[0][1:], words[place], 1
            )
        else:
            words.insert(chance.randrange(1, len(words)), "no" if chance.random() < 0.7 else "nunca")
        quotes[at] = " ".join(words)
        return replace(statement, quotes=tuple(quotes))

    return _change(
        one,
        chance,
        lambda s: (
            any(len(quote.split()) >= 4 for quote in s.quotes) and all(len(q.split()) >= 4 for q in s.quotes)
        ),
        make,
    )


def _dropped_clause(one: Sound, chance: random.Random) -> Draft | None:
    missing = [s for s in one.draft.statements if s.section is Section.CLAUSES_MISSING]
    if not missing:
        return None
    gone = chance.choice(missing)
    return replace(one.draft, statements=tuple(s for s in one.draft.statements if s is not gone))


def _contradicted(section: Section, pattern: re.Pattern[str]) -> Fault:
    def plant(one: Sound, chance: random.Random) -> Draft | None:
        def make(statement: Statement) -> Statement | None:
            match = pattern.search(statement.text)
            if not match:
                return None
            wrong = _NUMBER.sub(lambda number: _other(number[0], chance), match[0], 1)
            text = statement.text[: match.start()] + wrong + statement.text[match.end() :]
            return replace(statement, text=text)

        return _change(one, chance, lambda statement: statement.section is section, make)

    return plant


def _other(number: str, chance: random.Random) -> str:
    if len(number) <= 2:  # a day of the month
        return str(int(number) % 27 + 1 + (int(number) % 27 == int(number) - 1))
    first = chance.choice([digit for digit in "123456789" if digit != number[0]])
    return first + number[1:]


_KINDS: dict[str, Fault] = {
    "changed article number": _changed_article,
    "repealed law": _added(_REPEALED),
    "altered quotation": _altered_quotation,
    "judgment that does not exist": _added(_NO_JUDGMENTS),
    "law of another country": _added(_FOREIGN),
    "dropped mandatory clause": _dropped_clause,
    "date contradicted": _contradicted(Section.DATES, _DATE),
    "amount contradicted": _contradicted(Section.AMOUNTS, re.compile(r"\d[\d.,]*\d|\d")),
}


def _print(planted: Counter[str], found: Counter[str], alarms: int, statements: int, analyses: int) -> None:
    print(f"{'fault':<32}{'planted':>9}{'found':>8}{'share':>8}")
    for kind, count in planted.items():
        print(f"{kind:<32}{count:>9}{found[kind]:>8}{found[kind] / count:>8.0%}")
    share = found.total() / planted.total() if planted else 0.0
    print(f"{'all':<32}{planted.total():>9}{found.total():>8}{share:>8.1%}")
    print(f"untouched: {alarms} alarms on {statements} statements of {analyses} analyses")


if __name__ == "__main__":
    main()
