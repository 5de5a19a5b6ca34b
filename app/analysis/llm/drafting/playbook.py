"""Tell a model what to look for in such a document, and what code has found in this one. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from app.rules import Brief, Reading, Section, Statement
from app.text.bilingual import pick

# Characters of each list: some three and four thousand tokens.
_MOST_PLAYBOOK, _MOST_FINDINGS, _MOST_OF_ONE = 12_000, 16_000, 400
_SLOT: Final = re.compile(r"\{[^{}]*\}")
_GRAVITY: Final = {"high": 0, "medium": 1, "low": 2}
_TOLD: Final = (
    Section.RISKS,
    Section.DEADLINES,
    Section.AMOUNTS,
    Section.CLAUSES_MISSING,
    Section.REASONING,
)


def playbook(brief: Brief) -> str:
    """Return what lawyers look for in documents of this kind: defects, clauses, questions, gravest first.

    What the rules found in this one is left out. Empty where the kind of document is not known.
    """
    reading = brief.reading
    if reading is None or reading.recognition.kind is None:
        return ""
    return "\n".join(_within(_points(brief, reading), _MOST_PLAYBOOK))


def findings(brief: Brief) -> str:
    """Return what the rules found and computed, with its law; it stands in the answer in any case."""
    return "\n".join(_within(map(_finding, _told(brief.findings)), _MOST_FINDINGS))


def _points(brief: Brief, reading: Reading) -> Iterator[str]:
    language, rules, recognition = brief.language, reading.rules, reading.recognition
    found = {one.facts.get("rule") for one in brief.findings}
    risks = [one for one in rules.risks_of.get(recognition.id, ()) if one.id not in found]
    for risk in sorted(risks, key=lambda one: _GRAVITY[one.severity]):
        title = _SLOT.sub("…", risk.title.in_(language))
        yield f"- {title} ({'; '.join(basis.cite for basis in risk.basis)})"
    wanted = pick(language, "Cláusula esperable", "Clause to be expected")
    for clause in rules.clauses:
        if recognition.id in clause.expected:
            yield f"- {wanted}: {clause.name.in_(language)}"
    for item in rules.checklist:
        if item.applies(brief.branch, recognition.id, recognition.family):
            yield f"- {item.question.in_(language)}"


def _told(statements: Iterable[Statement]) -> Iterator[Statement]:
    for section in _TOLD:
        yield from (one for one in statements if one.section is section)


def _finding(one: Statement) -> str:
    text = one.text if len(one.text) <= _MOST_OF_ONE else one.text[: _MOST_OF_ONE - 1].rstrip() + "…"
    law = f" ({'; '.join(one.citations)})" if one.citations else ""
    return f"- {one.section.value}: {text}{law}"


def _within(lines: Iterable[str], most: int) -> Iterator[str]:
    for line in dict.fromkeys(lines):
        most -= len(line) + 1
        if most < 0:
            return
        yield line
