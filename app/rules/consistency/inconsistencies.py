"""Write the inconsistencies of a document as risks, each with its advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.rules.brief import Brief, reading_of
from app.rules.consistency.credit import find_credit_faults
from app.rules.consistency.days import find_wrong_days
from app.rules.consistency.fault import Context, Fault
from app.rules.consistency.hours import find_wrong_hours
from app.rules.consistency.limits import find_broken_limits
from app.rules.consistency.lots import find_uneven_lots
from app.rules.consistency.opposed import find_opposed_clauses
from app.rules.consistency.periods import find_wrong_periods
from app.rules.consistency.persons import find_clashing_parts
from app.rules.consistency.references import find_broken_references
from app.rules.consistency.sums import find_wrong_sums
from app.rules.consistency.values import find_contradictions
from app.rules.document import Document, Span
from app.rules.draft import Section, Statement

_OF_EACH = 2


def find_inconsistencies(brief: Brief) -> tuple[Statement, ...]:
    """Return what in the document does not agree with itself: risks, each followed by its advice.

    It is what the rules about clauses cannot see: totals that their items do not make, weekdays that a date
    is not, clauses that say different things of the same matter, annexes and clauses that are not there,
    defined terms that nothing uses. It names an article where Spanish law judges and has one for such a
    fault. Never raises.
    """
    reading = reading_of(brief)
    facts, document, recognition = reading.facts, reading.document, reading.recognition
    context = Context(
        document,
        facts,
        recognition.id,
        recognition.family,
        brief.branch,
        brief.jurisdiction == "ES",
        brief.language,
    )

    def faults() -> Iterator[Fault]:
        yield from find_wrong_sums(context)
        yield from find_uneven_lots(context)
        yield from find_credit_faults(context)
        yield from find_broken_limits(context)
        yield from find_wrong_hours(context)
        yield from find_clashing_parts(context)
        yield from find_wrong_periods(context)
        yield from find_opposed_clauses(context)
        yield from find_wrong_days(document, facts.dates, brief.language)
        if recognition.family == "contract":
            yield from find_contradictions(
                document, facts.source, facts.amounts, reading.rules.terms, recognition.id
            )
            yield from find_broken_references(document, facts.sections)

    told: Counter[str] = Counter()
    statements: list[Statement] = []
    for fault in faults():
        told[fault.key] += 1
        if told[fault.key] > _OF_EACH:
            continue
        about = {"inconsistency": f"{fault.key} {told[fault.key]}"}
        quotes = tuple(dict.fromkeys(_quoted(document, span) for span in fault.spans))
        text = fault.text.in_(brief.language)
        statements.append(
            Statement(
                Section.RISKS,
                text,
                quotes=quotes,
                citations=fault.citations,
                severity=fault.severity,
                origin="rules",
                facts=about,
            )
        )
        advice = fault.advice.in_(brief.language)
        statements.append(Statement(Section.RECOMMENDATIONS, advice, origin="rules", facts=about))
    return tuple(reading.as_written(one) for one in statements)


def _quoted(document: Document, span: Span) -> str:
    """Return the words to quote for a place: a row of a table as it stands, else what is said around it."""
    text = document.text
    line = text[span.start - 1 : span.start] in ("", "\n") and text[span.end : span.end + 1] in (
        "",
        "\n",
        "\r",
    )
    words = text[span.start : span.end].strip()
    return words if line and words else document.quote(span, limit=160)
