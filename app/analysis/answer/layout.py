"""Lay out the statements of an analysis: risks with what to do, time limits and sums, then an inventory."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from app.analysis.checks.locks import JudgedStatement
from app.analysis.sanitize import Cleaner, prose
from app.rules import Lock, Section, Severity, Statement, without_opening
from app.text.bilingual import Language, pick
from app.text.sentences import FoldedText

HEADINGS: dict[Section, tuple[str, str]] = {
    Section.RISKS: ("Riesgos", "Risks"),
    Section.PARTIES: ("Partes", "Parties"),
    Section.DATES: ("Fechas", "Dates"),
    Section.AMOUNTS: ("Importes", "Amounts"),
    Section.DEADLINES: ("Plazos", "Time limits"),
    Section.OBLIGATIONS: ("Obligaciones", "Obligations"),
    Section.CLAUSES_PRESENT: ("Cláusulas presentes", "Clauses present"),
    Section.CLAUSES_MISSING: ("Cláusulas que faltan", "Clauses missing"),
    Section.REASONING: ("Razonamiento", "Reasoning"),
    Section.CITATIONS: ("Citas comprobadas", "Citations checked"),
    Section.RECOMMENDATIONS: ("Recomendaciones", "Recommendations"),
}
_SEVERITY: dict[Severity, tuple[str, str]] = {
    "high": ("Alto", "High"),
    "medium": ("Medio", "Medium"),
    "low": ("Bajo", "Low"),
}
# What the document says of itself: told with few of the words it was read from.
_INVENTORY = (Section.AMOUNTS, Section.PARTIES, Section.DATES, Section.CLAUSES_PRESENT)
# What a recommendation may belong to, by the fact that both carry.
ADVISED = (Section.RISKS, Section.DEADLINES, Section.CLAUSES_MISSING)
# What a model argues about a risk, in the order in which it stands under it, with its label.
PARTS: Mapping[str, tuple[str, str]] = {
    "rule": ("Regla", "Rule"),
    "application": ("En este documento", "In this document"),
    "missing_fact": ("Falta saber", "Missing fact"),
    "recommendation": ("Qué hacer", "What to do"),
}
# A longer quotation is cut for reading; the lock was earned on the whole of it.
_QUOTE_SHOWN = 280
_QUOTE_SHORT = 130
_CLAUSE_END = re.compile(r"[,;] ")
_GLANCE = 70
_ADVICE = "recommendation"
_PLACES = {part: place for place, part in enumerate(PARTS)}
_WHOLE = 5  # risks that are explained in the text however many there are
_FEW = 3  # and where there is no room
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
# How a rule of `app/rules/data` begins the sentence with the day that a period ends on.
_COUNTED = re.compile(r"(?:Contad|Counted|Falta un dato|A datum is missing|Desde el|From)")
# Whatever way it begins, it names a day with its year.
_NAMES_A_DAY = re.compile(r"\b\d{1,2} (?:de )?[a-z]{3,10} (?:de )?(?:19|20)\d\d\b", re.IGNORECASE)
_FEW_BASES = 2  # authorities beside a statement of which only the first sentence is written


class Detail(IntEnum):
    """How much of the statements is written, from all to what nobody should miss.

    `SHORT_QUOTES`: one short quotation each. `NO_INVENTORY`: neither clauses present nor obligations.
    `BRIEF`: of medium and low risks the first sentence, the basis and (medium ones) what to do; neither
    parties nor figures whose meaning is not sure, nor citations without a fault. `ESSENTIAL`: no quotations,
    no missing clauses. `HEADS`: also of high risks, but for the first ones, only the first sentence, the
    basis and what to do. `TERSE`: of every risk the first sentence and the chief bases, of a time limit also
    the sentence with the last day or the missing datum, why and what to do about the first risks only, and no
    dates. `BARE`: of every risk the first sentence and its chief basis, what to do about the first three.
    """

    FULL = 0
    SHORT_QUOTES = 1
    NO_INVENTORY = 2
    BRIEF = 3
    ESSENTIAL = 4
    HEADS = 5
    TERSE = 6
    BARE = 7


# From which detail on what to do about a risk is left out.
_ADVISED_UNTIL: Mapping[Severity | None, Detail] = {"low": Detail.BRIEF, "medium": Detail.ESSENTIAL}
# From which detail on a section is left out.
_LEFT_OUT: Mapping[Section, Detail] = {
    Section.CLAUSES_PRESENT: Detail.NO_INVENTORY,
    Section.OBLIGATIONS: Detail.NO_INVENTORY,
    Section.PARTIES: Detail.BRIEF,
    Section.REASONING: Detail.ESSENTIAL,
    Section.CLAUSES_MISSING: Detail.ESSENTIAL,
    Section.DATES: Detail.TERSE,
}


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of all sections, the lock of each statement written, and what the page is without.

    `left_out` statements are not written, of `shortened` ones stands the first sentence.
    """

    lines: tuple[str, ...]
    locks: tuple[Lock, ...]
    left_out: int
    shortened: int

    @property
    def words(self) -> int:
        """Return how many words the lines have."""
        return count_words(self.lines)


def section_called(heading: str) -> Section | None:
    """Return the section that has this heading in Spanish or English; `None` for any other heading."""
    return next((section for section, names in HEADINGS.items() if heading in names), None)


def severity_called(word: str) -> Severity | None:
    """Return the severity that is written so before a risk, in Spanish or English; `None` for other words."""
    return next((severity for severity, names in _SEVERITY.items() if word in names), None)


def count_words(lines: Iterable[str]) -> int:
    """Return how many words, parted by white space, some lines have."""
    return sum(len(line.split()) for line in lines)


def lay_out(
    judged: Sequence[JudgedStatement], clean: Cleaner, language: Language, room: int | None = None
) -> Layout:
    """Write the statements by section.

    Args:
        judged: the statements, in the order of the page.
        clean: makes their texts harmless and puts identifiers back.
        language: of the answer.
        room: the most words that they may take. Quotations and lesser risks are shortened and the inventory
            left out to keep to it; every risk, time limit and sum and the advice on what is gravest are
            always written. `None` for no limit.
    """
    for detail in Detail:
        page = _page(judged, clean, language, detail)
        if room is None or page.words <= room:
            break
    return page


def _page(judged: Sequence[JudgedStatement], clean: Cleaner, language: Language, detail: Detail) -> Layout:
    sections: dict[Section, list[JudgedStatement]] = defaultdict(list)
    advice: dict[tuple[str, str], list[JudgedStatement]] = defaultdict(list)
    heads = {key_of(one.statement.facts) for one in judged if is_head(one.statement)}
    for one in judged:
        key = key_of(one.statement.facts)
        if _is_said_of_a_head(one.statement) and key is not None and key in heads:
            advice[key].append(one)
        else:
            sections[one.statement.section].append(one)
    lines: list[str] = []
    locks: list[Lock] = []
    shortened = 0
    for section in Section:
        rows = [one for one in sections[section] if not _is_left_out(one, detail)]
        if not rows or detail >= _LEFT_OUT.get(section, len(Detail)):
            continue
        locks += [one.lock for one in rows]
        lines += [f"## {pick(language, *HEADINGS[section])}", ""]
        for place, row in enumerate(rows):
            brief = _is_brief(row, place, detail)
            shortened += brief
            lines.append(_bullet(row, place, clean, language, detail, brief=brief))
            if detail >= Detail.TERSE and (place >= _explained(detail) or section is Section.DEADLINES):
                continue
            # Two statements of one rule share its advice: it stands with the first.
            key = key_of(row.statement.facts) or ("", "")
            for tip in sorted(advice.pop(key, ()), key=lambda one: _PLACES[_part(one.statement)]):
                if brief and detail >= _ADVISED_UNTIL.get(row.statement.severity, len(Detail)):
                    continue
                if _part(tip.statement) != _ADVICE and (brief or detail >= Detail.ESSENTIAL):
                    continue
                locks.append(tip.lock)
                lines.append(_said_of(tip, row.statement, clean, language))
        lines.append("")
    return Layout(tuple(lines), tuple(locks), len(judged) - len(locks), shortened)


def _is_left_out(item: JudgedStatement, detail: Detail) -> bool:
    """Tell whether a statement is not written: a figure of no known part, or a citation without a fault."""
    statement = item.statement
    if detail < Detail.BRIEF:
        return False
    if statement.section in (Section.AMOUNTS, Section.DEADLINES):
        return statement.facts.get("role") == "other" and "until" not in statement.facts
    return statement.section is Section.CITATIONS and statement.severity is None


def _is_brief(item: JudgedStatement, place: int, detail: Detail) -> bool:
    """Tell whether of a statement, the `place`-th of its section, only the first sentence is written."""
    if item.statement.section is not Section.RISKS:
        return detail >= Detail.TERSE and item.statement.section in (Section.DEADLINES, Section.CITATIONS)
    if detail >= Detail.TERSE:
        return True
    if item.statement.severity == "high":
        return detail >= Detail.HEADS and place >= _WHOLE
    return detail >= Detail.BRIEF


def _explained(detail: Detail) -> int:
    """Return how many risks are explained in the text however many there are."""
    return _FEW if detail >= Detail.BARE else _WHOLE


def _first_sentence(text: str) -> str:
    """Return the first sentence of a text, the whole where it has one."""
    limits = FoldedText(text).limits
    return text[: limits[1]].rstrip() if len(limits) > 1 else text


def _last_day(text: str) -> str:
    """Return, after a space, the sentence of a time limit that tells its last day or what it lacks."""
    limits = FoldedText(text).limits
    sentences = [text[start:end].strip() for start, end in pairwise((*limits, len(text)))][1:]
    dated = [one for one in sentences if _NAMES_A_DAY.search(one)]
    counted = [one for one in sentences if _COUNTED.match(one)]
    found = next((one for one in dated if one in counted), "") or next(iter([*dated[-1:], *counted[-1:]]), "")
    return f" {found}" if found else ""


def key_of(facts: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the rule, the clause, the defect or the issue that a statement with these facts is about."""
    return next(
        (
            (name, facts[name])
            for name in ("rule", "clause", "defect", "inconsistency", "issue")
            if name in facts
        ),
        None,
    )


def is_head(statement: Statement) -> bool:
    """Tell whether others may be told under a statement: a risk, a period or a missing clause."""
    return statement.section in ADVISED and "part" not in statement.facts


def _is_said_of_a_head(statement: Statement) -> bool:
    return statement.section is Section.RECOMMENDATIONS or "part" in statement.facts


def _part(statement: Statement) -> str:
    return statement.facts.get("part", _ADVICE)


def _said_of(item: JudgedStatement, head: Statement, clean: Cleaner, language: Language) -> str:
    """Return the line of what is said about the risk above it, `head`."""
    statement = item.statement
    said = statement.text if statement.origin == "model" else without_opening(statement.text, head.text)
    clean = clean.of(statement.origin)
    label = pick(language, *PARTS[_part(statement)])
    words = [
        pick(language, f"«{shown}»", f"“{shown}”")
        for one in item.quotations
        if one.literal and (shown := clean.document_words(one.words))
    ]
    return " ".join((f"- *{label}:*", clean.engine_text(said), *words, f"[{item.lock.value}]"))


def _bullet(
    item: JudgedStatement, place: int, clean: Cleaner, language: Language, detail: Detail, *, brief: bool
) -> str:
    """Return the line of a statement, the `place`-th of its section."""
    statement = item.statement
    clean = clean.of(statement.origin)
    severity = f"**{pick(language, *_SEVERITY[statement.severity])}.** " if statement.severity else ""
    text = clean.engine_text(statement.text)
    if brief:
        text = _first_sentence(text) + (_last_day(text) if statement.section is Section.DEADLINES else "")
    parts = [f"- {severity}{text}"]
    parts += [pick(language, f"«{words}»", f"“{words}”") for words in _quotations(item, clean, text, detail)]
    terse = brief and detail >= Detail.TERSE
    if statement.reason and item.lock is Lock.L5C and not (terse and place >= _explained(detail)):
        reason = clean.engine_text(statement.reason)
        if reason not in text:
            parts.append(f"{pick(language, 'Motivo', 'Reason')}: {reason}")
    if statement.citations:
        few = 1 if detail >= Detail.BARE else _FEW_BASES
        named = statement.citations[:few] if terse else statement.citations
        cited = "; ".join(clean.engine_text(c) for c in named)
        parts.append(f"({pick(language, 'Base', 'Basis')}: {cited})")
    parts.append(f"[{item.lock.value}]")
    if item.disputed:
        said = Cleaner(clean.restore, clean.language, "model").engine_text(item.disputed)
        parts.append(f"*{pick(language, 'Discutida', 'Disputed')}:* {said}")
    return " ".join(parts)


def _quotations(item: JudgedStatement, clean: Cleaner, text: str, detail: Detail) -> list[str]:
    """Return the words that stand beside a statement: only such as were found."""
    statement = item.statement
    if detail >= Detail.ESSENTIAL or (statement.section in _INVENTORY and item.lock is not Lock.L1):
        return []
    room = _QUOTE_SHOWN if detail is Detail.FULL else _QUOTE_SHORT
    shown = []
    of_law = (one.words for one in item.quotations if one.literal)
    for words in (*(evidence.text for evidence in item.evidence), *of_law):
        if words in statement.text and words not in statement.quotes:
            continue
        if statement.section in _INVENTORY and statement.section is not Section.PARTIES:
            words = _around(words, statement.text)
        harmless = clean.document_words(words)
        # A party is quoted by being named; elsewhere the words stand beside what they prove.
        if statement.section is Section.PARTIES and harmless.casefold() in text.casefold():
            continue
        if len(harmless) > room:
            # Disarmed again: what was whole may be cut in two.
            harmless = prose(harmless[: room - 1].rstrip() + "…")
        shown.append(harmless)
    return shown if detail is Detail.FULL else shown[:1]


def _around(words: str, text: str) -> str:
    """Return some words of a quotation, whole ones: about the first figure that the statement says too.

    Where a comma or a semicolon behind the figure ends a clause in time, they end there.
    """
    if len(words) <= _GLANCE:
        return words
    figures = {_digits(figure) for figure in _FIGURE.findall(text)}
    at, behind = next(
        (found.span() for found in _FIGURE.finditer(words) if _digits(found[0]) in figures), (0, 0)
    )
    start = max(at - _GLANCE // 2, 0)
    end = min(start + _GLANCE, len(words))
    if start:
        start = words.find(" ", start) + 1
    if end < len(words):
        end = max(words.rfind(" ", start, end), start)
        ends = [found.start() for found in _CLAUSE_END.finditer(words, behind, end)] if behind else []
        end = ends[-1] if ends else end
    return words[start:end].strip()


def _digits(figure: str) -> str:
    """Return the digits of a figure without separators and without two decimals that are nought."""
    return re.sub(r"[.,]", "", re.sub(r"[.,]00$", "", figure))
