"""Draft an analysis by facts, clauses, risks and checklists from rules that a lawyer can read.

Pure: the same text under the same rules gives the same draft; nothing is looked up and nothing is guessed.
The document is data: words in it that look like instructions are words like any others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.rules.brief import Brief, reading_of
from app.rules.draft import Draft, Section, Statement
from app.rules.facts.context import of_earlier_relation
from app.rules.facts.money.amounts import Amount
from app.rules.facts.obligations import find_obligations
from app.rules.periods.agreed import read_contract
from app.rules.periods.bases import find_bases, stated, upcoming
from app.rules.periods.interest import on_debts
from app.rules.reading import Reading
from app.rules.render.contested import Contested
from app.rules.render.defects import find_defects
from app.rules.render.notes import write_notes
from app.rules.render.statements import StatementWriter
from app.rules.render.summary import summarise
from app.rules.rulebook.clauses import heading_spans, surely_present, survey, untold_by, worth_telling
from app.rules.rulebook.loader import SPAIN
from app.rules.rulebook.papers import Paper
from app.rules.rulebook.penalties import worked_out
from app.rules.rulebook.quantities import find_quantities, with_ranges
from app.rules.rulebook.reckoning import with_reckoned
from app.rules.rulebook.risks import Asked, brought, circumstances, find_risks, natures_of
from app.rules.rulebook.schema import Rulebook

MODEL = "rules-1"
_OF_CONSUMERS = "consumer_terms"
# A message of a few lines is answered in a few: what to do about the gravest things it says.
_SHORT_MESSAGE: Final = 1_700  # characters
_TIPS_ON_A_MESSAGE: Final = 3
_MESSAGES: Final = frozenset(
    {
        "employer_message",
        "landlord_letter",
        "trader_letter",
        "collector_letter",
        "family_message",
        "work_quote",
        "school_notice",
        "bank_letter",
    }
)


class RulesEngine:
    """Engine without a model (`app.rules.draft.Engine`): it needs no key and no network."""

    name = "rules"
    local = True

    def __init__(self, rules: Rulebook | None = None) -> None:
        """Take the rules to apply to every document; without, those of the jurisdiction of each."""
        self._rules = rules

    def analyse(self, brief: Brief) -> Draft:
        """Draft an analysis of `brief.text`. Never raises, whatever the text."""
        reading = reading_of(brief, self._rules)
        rules = reading.rules
        facts, document, recognition = reading.facts, reading.document, reading.recognition
        kind = recognition.id
        document.rule_out(rules.searches(kind).absent_from(document))
        spanish_law = brief.jurisdiction == SPAIN
        contract = recognition.family == "contract"
        own = [
            amount
            for amount in facts.amounts
            if not of_earlier_relation(facts.source, amount.start, contract=contract)
        ]
        quantities = find_quantities(document, own, rules.terms, kind, facts.dates, facts.deadlines)
        quantities = with_ranges(document, quantities, facts.deadlines, kind)
        quantities = {**quantities, **worked_out(document, own, facts.dates, kind, quantities)}
        written = facts.dated(recognition.family)
        headings = heading_spans(document, facts.sections)
        present, missing = survey(document, rules, kind, quantities, headings)
        missing = worth_telling(missing, len(brief.text), by_law=not spanish_law)
        natures = natures_of(document, recognition.family, rules.natures)
        if natures:
            document.rule_out(rules.nature_searches.absent_from(document))
        by_nature = [other for one in natures for other in one.brings] if recognition.kind is None else []
        treated = brought(document, recognition.kind, rules.natures)
        flags = circumstances(document, facts, kind, brief.branch)
        if not spanish_law and _OF_CONSUMERS in (*treated, *by_nature):
            flags |= {"consumer"}  # a credit card names no consumer, and is of one
        findings = find_risks(
            document,
            rules,
            kind,
            with_reckoned(document, quantities, facts.amounts, facts.dates, kind, written),
            flags,
            written,
            facts.document_language,
            (
                *([recognition.also.id] if recognition.also is not None else ()),
                *treated,
                *(by_nature if spanish_law else ()),
            ),
            [_asked(reading, paper, own, brief.branch) for paper in reading.enclosed],
            [one.id for one in natures],
            facts.governed(recognition.family, brief.asked_on),
            () if spanish_law else by_nature,
            asked_on=brief.asked_on,
        )
        risks = [finding for finding in findings if finding.risk.section == "risks"]
        periods = [finding for finding in findings if finding.risk.section == "deadlines"]
        missing = untold_by(missing, [finding.risk for finding in risks])

        bases = find_bases(facts, recognition.family, kind)
        agreement = read_contract(facts, bases, recognition.family, kind) if spanish_law else None
        page = StatementWriter(
            document,
            facts,
            brief.language,
            recognition.family,
            agreement.bases if agreement is not None else bases,
        )
        faults = list(find_defects(document, facts, brief.language, recognition.family))
        statements = [page.risk(finding) for finding in risks]
        statements += [risk for risk, _ in faults]
        statements.sort(key=_rank)
        page.contested = Contested(document.text, statements)
        statements += page.first(page.parties())
        statements += page.first(page.dates())
        statements += page.first(page.amounts(quantities, rules.terms))
        if spanish_law:
            statements += page.interest(on_debts(facts, bases))
        told_periods = [(finding, page.legal_deadline(finding)) for finding in periods]
        periods = [finding for finding, statement in told_periods if statement is not None]
        statements += [statement for _, statement in told_periods if statement is not None]
        if agreement is not None:
            statements += page.first(page.agreed(agreement.periods))
        if recognition.family not in ("pleading", "ruling"):  # they tell of other papers' days
            statements += page.first(page.upcoming(upcoming(facts, bases)))
        deadlines = page.first(page.deadlines())
        if spanish_law:
            statements += page.stated_days(stated(facts, bases, recognition.family))
        statements += deadlines
        if recognition.family in ("contract", "unknown"):
            statements += page.obligations(find_obligations(document))
        told = [statement for statement in statements if statement.section is Section.RISKS]
        statements += page.present(surely_present(document, present, recognition.family), told)
        statements += page.missing(missing)
        statements += page.notes_on_clauses(present, kind, told)
        kinds = [(kind, recognition.family)]
        kinds += [(paper.kind.id, paper.kind.family) for paper in reading.enclosed]
        items = [
            item
            for item in rules.checklist
            if any(item.applies(brief.branch, known, family) for known, family in kinds)
        ]
        brief_message = kind in _MESSAGES and len(brief.text) <= _SHORT_MESSAGE
        if not brief_message:
            statements += page.checklist(items, brief.branch)
        advice = [
            *page.advice([*risks, *periods], missing, kind),
            *(tip for _, tip in faults),
        ][: _TIPS_ON_A_MESSAGE if brief_message else None]
        statements += advice
        return Draft(
            engine=self.name,
            model=MODEL,
            document_kind=recognition.name.in_(brief.language),
            summary=summarise(
                recognition,
                reading.enclosed,
                facts,
                rules,
                quantities,
                statements,
                brief.language,
                judged=rules.states_law,
            ),
            statements=tuple(map(reading.as_written, statements)),
            analysed=len(brief.text),
            total=len(brief.text),
            modules=_modules(rules, brief.branch),
            kind_known=recognition.kind is not None,
            notes=tuple(write_notes(brief, document, recognition, rules, MODEL, page.omitted)),
        )


def _asked(reading: Reading, paper: Paper, amounts: Sequence[Amount], branch: str) -> Asked:
    """Return a paper of another kind with its figures; what it does not state, the text around it may."""
    facts, document, kind, span = reading.facts, reading.document, paper.kind.id, paper.span
    dates = [item for item in facts.dates if span.start <= item.start < span.end]
    inside = [item for item in amounts if span.start <= item.start < span.end]
    terms = reading.rules.terms
    quantities = {
        **find_quantities(document, amounts, terms, kind, facts.dates),
        **find_quantities(document, inside, terms, kind, dates),
    }
    quantities = {**quantities, **worked_out(document, inside, dates, kind, quantities)}
    written = facts.dated(paper.kind.family)
    reckoned = with_reckoned(document, quantities, facts.amounts, facts.dates, kind, written)
    return Asked(kind, reckoned, circumstances(document, facts, kind, branch), span, paper.titled)


def _modules(rules: Rulebook, branch: str) -> tuple[str, ...]:
    return (
        f"deterministic rules engine {MODEL}, rule set {rules.version}, {rules.size} rules",
        "facts",
        "kinds",
        "clauses",
        "risks",
        f"checklist {branch}",
    )


def _rank(statement: Statement) -> int:
    return {"high": 0, "medium": 1, "low": 2}.get(statement.severity or "", 3)
