"""Write the inconsistencies of a document as risks, each with its advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.rules.brief import Brief, reading_of
from app.rules.consistency.days import find_wrong_days
from app.rules.consistency.fault import Fault
from app.rules.consistency.references import find_broken_references
from app.rules.consistency.sums import find_wrong_sums
from app.rules.consistency.values import find_contradictions
from app.rules.draft import Section, Statement

_OF_EACH = 2


def find_inconsistencies(brief: Brief) -> tuple[Statement, ...]:
    """Return what in the document does not agree with itself: risks, each followed by its advice.

    It is what the rules about clauses cannot see: totals that their items do not make, weekdays that a date
    is not, clauses that say different things of the same matter, annexes and clauses that are not there,
    defined terms that nothing uses. It says nothing of law and holds in any jurisdiction. Never raises.
    """
    reading = reading_of(brief)
    facts, document, recognition = reading.facts, reading.document, reading.recognition

    def faults() -> Iterator[Fault]:
        yield from find_wrong_sums(document, facts.amounts, brief.language)
        yield from find_wrong_days(document, facts.dates, brief.language)
        if recognition.family == "contract":
            yield from find_contradictions(document, facts.amounts, reading.rules.terms, recognition.id)
            yield from find_broken_references(document, facts.sections)

    told: Counter[str] = Counter()
    statements: list[Statement] = []
    for fault in faults():
        told[fault.key] += 1
        if told[fault.key] > _OF_EACH:
            continue
        about = {"inconsistency": f"{fault.key} {told[fault.key]}"}
        quotes = tuple(dict.fromkeys(document.quote(span, limit=160) for span in fault.spans))
        text = fault.text.in_(brief.language)
        statements.append(
            Statement(
                Section.RISKS, text, quotes=quotes, severity=fault.severity, origin="rules", facts=about
            )
        )
        advice = fault.advice.in_(brief.language)
        statements.append(Statement(Section.RECOMMENDATIONS, advice, origin="rules", facts=about))
    return tuple(statements)
