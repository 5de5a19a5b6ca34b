"""Say what code found of citations: a statement for each of the document's, and flags for review. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from app.analysis.audit import Audit
from app.analysis.checks.citation_findings import BROKEN, CheckedCitation, StatementFindings
from app.analysis.retrieval.cited import covered
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Lock, Section, Statement
from app.text.bilingual import Language, pick

_RANK_AND_DATE = re.compile(
    r"(?:Ley|Real Decreto|Decreto|Texto Refundido|Orden)\b[^,:;]{0,60}?(?:\d+/\d{4},)?"
    r" de \d{1,2} de [a-z]+(?: de \d{4})?"
)
_QUOTED = re.compile(r"[«“]([^»”]+)[»”]")
# Down to its content: an article that is there may be cited for what it does not say.
_EXISTS = ("Existe", "Exists")
_SERIOUS = ("high", "medium")
_VERDICTS = {
    "verified": ("Verificada", "Verified"),
    "mismatch": ("No coincide", "Mismatch"),
    "not_found": ("No existe", "Not found"),
    "derogated": ("Derogada", "Repealed"),
    "not_verifiable": ("No verificable", "Not verifiable"),
    "pending": ("Pendiente", "Pending"),
}


def citation_statements(
    cited: Sequence[CheckedCitation],
    language: Language,
    statements: Iterable[Statement] = (),
    finder: QuoteFinder | None = None,
) -> dict[Statement, StatementFindings]:
    """Make one statement for each citation of the document, with its verdict as the text.

    The title of a law is written whole where it is first named, and short after that. Of a citation whose
    content was not compared it says that the article exists, no more; where a risk of the same answer quotes
    the words that invoke it, it says so and vouches for nothing.

    Args:
        cited: the citations of the document with their verdicts.
        language: that of the answer.
        statements: what else the answer says; its risks tell which passages are in doubt.
        finder: the document, in which what they quote is looked up.

    Returns:
        The statements in order, each with the findings that its lock is judged by.
    """
    seen: dict[str, CheckedCitation] = {}
    for item in cited:
        seen.setdefault(item.citation.text, item)
    named: set[str] = set()
    made = {}
    doubted = _doubted(statements, finder)
    for item in seen.values():
        note = pick(language, item.verdict.note, item.verdict.note_en)
        law = item.verdict.norm_title or ""
        if law in named:
            note = note.replace(law, _short_title(law), 1)
        elif law and law in note:
            named.add(law)
        in_doubt = any(start <= item.citation.start < end for start, end in doubted)
        made[_statement(item, note, language, in_doubt=in_doubt)] = _findings(item)
    return made


def without_cited_dates(
    drafted: Sequence[Statement], cited: Sequence[CheckedCitation]
) -> tuple[Statement, ...]:
    """Return `drafted` without the risk of an impossible date that a broken citation of the document has.

    What is wrong with the citation tells it, with the day; the recipient of the paper cannot correct it.
    """
    broken = [" ".join(one.citation.text.split()) for one in cited if one.verdict.status in BROKEN]
    told = any(
        one.section is Section.RISKS and one.facts.get("defect") == "impossible" and _names(broken, one.text)
        for one in drafted
    )
    return tuple(one for one in drafted if not (told and one.facts.get("defect") == "impossible"))


def _names(broken: Sequence[str], risk: str) -> bool:
    found = _QUOTED.search(risk)
    return found is not None and any(found[1] in one for one in broken)


def _doubted(statements: Iterable[Statement], finder: QuoteFinder | None) -> list[tuple[int, int]]:
    """Return where the words stand that risks of the answer quote."""
    if finder is None:
        return []
    found = (
        finder.find(quote)
        for one in statements
        if one.section is Section.RISKS and one.severity in _SERIOUS
        for quote in one.quotes
    )
    return [(place.start, place.end) for place in found if place is not None]


def review_flags(checks: Sequence[CheckedCitation], jurisdiction: str, language: Language) -> tuple[str, ...]:
    """Say which citations need a second look, and where a jurisdiction's cannot be checked here."""
    flags = []
    for item in checks:
        if item.verdict.status not in BROKEN:
            continue
        words = pick(language, *_VERDICTS[item.verdict.status]).lower()
        flags.append(
            f"{pick(language, 'Cita que revisar', 'Citation to review')} ({words}) - {item.citation.text}"
        )
    if not covered(jurisdiction):
        flags.append(
            pick(
                language,
                f"Sin corpus de {jurisdiction} - sus citas no son verificables aquí",
                f"No corpus for {jurisdiction} - its citations cannot be verified here",
            )
        )
    return tuple(flags)


def audit_flags(audit: Audit, language: Language) -> tuple[str, ...]:
    """Say how many findings node B has, where it has any."""
    if not audit.findings:
        return ()
    high = sum(finding.severity == "high" for finding in audit.findings)
    return (
        pick(
            language,
            f"Auditoría del nodo B - {len(audit.findings)} hallazgos, {high} de gravedad alta",
            f"Node B audit - {len(audit.findings)} findings, {high} of high severity",
        ),
    )


def _short_title(law: str) -> str:
    """Return the part of a Spanish law's title by which lawyers know it: its rank, number and date."""
    found = _RANK_AND_DATE.match(law)
    return law if found is None else found[0]


def _statement(item: CheckedCitation, note: str, language: Language, *, in_doubt: bool) -> Statement:
    verdict = item.verdict
    unread = verdict.status == "verified" and verdict.depth != "words" and item.citation.kind != "L2-J"
    words = pick(language, *(_EXISTS if unread else _VERDICTS[verdict.status]))
    in_doubt &= unread
    if in_doubt:
        note += pick(
            language,
            " El pasaje que la invoca se discute entre los riesgos.",
            " The passage that invokes it is discussed among the risks.",
        )
    return Statement(
        Section.CITATIONS,
        f"{words}: {note}",
        quotes=(item.citation.text,),
        # The words stand in the document; only a verified authority lets that carry the certain lock.
        proposed=Lock.L4 if in_doubt else _proposed(item),
        severity="high" if verdict.status in BROKEN else None,
        origin="code",
        facts={"status": verdict.status, "depth": verdict.depth or ""},
    )


def _proposed(item: CheckedCitation) -> Lock:
    if item.verdict.status != "verified":
        return Lock.L4
    return Lock.L2J if item.citation.kind == "L2-J" else Lock.L1


def _findings(item: CheckedCitation) -> StatementFindings:
    return StatementFindings(judgments=() if item.judgment is None else (item.judgment,))
