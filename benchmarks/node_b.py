"""How many planted faults the deterministic auditor finds: `python -m benchmarks.node_b [--data FILE]`.

Sound analyses are those of the engine `rules` over a set of documents; none should draw an objection. Then
200 faults of eight kinds are planted, one at a time and at random places, each as a careless or inventive
node A would make it, and the auditor is asked. `found` is the share of faults that draw at least one finding
more than the untouched analysis did; `false_alarms` is the share of untouched statements that draw one.

`--data` takes JSON lines of `{"text", "jurisdiction"?, "branch"?, "language"?}` in place of our documents.
Prints a table and, on the last line, one JSON object. Needs no service.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from app.analysis.audit import Case, Finding
from app.analysis.audit.checks import find_objections
from app.analysis.checks import locks
from app.analysis.checks.citation_checker import check_by_registry
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import protected_spans
from app.redaction import redact
from app.rules import RulesEngine
from app.rules.brief import Brief
from app.rules.draft import Draft, Section, Statement
from app.text.bilingual import Language

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
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
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
    brief, finder = one.brief, QuoteFinder(one.brief.text)
    findings = check_by_registry(brief.text, draft.statements, brief.jurisdiction, ON, finder)
    judged = locks.judge(draft.statements, finder, findings)
    apart = check_by_registry("", one.draft.statements, brief.jurisdiction, ON, finder)
    case = Case(
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
    return find_objections(case)


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
    false = alarms / statements if statements else 0.0
    print(f"{'all':<32}{planted.total():>9}{found.total():>8}{share:>8.1%}")
    print(f"untouched: {alarms} alarms on {statements} statements of {analyses} analyses")
    print(
        json.dumps(
            {
                "found": round(share, 4),
                "false_alarms": round(false, 4),
                "planted": planted.total(),
                "analyses": analyses,
                "statements": statements,
                "by_fault": {kind: round(found[kind] / count, 4) for kind, count in planted.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
