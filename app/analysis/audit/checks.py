"""Check every statement against the document, the law and what the rules find. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.analysis.audit.case import Case
from app.analysis.audit.finding import Finding
from app.analysis.audit.quotation import Change, Discrepancy, Original
from app.analysis.checks.citation_findings import BROKEN, CheckedCitation
from app.analysis.checks.locks import JudgedStatement
from app.rules import NO_FIGURES, Figures, Lock, Section, Statement, figures, numbers
from app.text import linear
from app.text.bilingual import pick

MODEL: Final = "audit-1"

# Law that every jurisdiction's documents may rest on: the Union's, the Council of Europe's and treaties.
_COMMON = frozenset({"EU", "COE", "INT"})
_OVERCLAIM = linear.compile(
    r"(?i)(?:^|[^\p{L}])(siempre|nunca|jamás|sin (?:ninguna|alguna|la menor) duda|sin duda|indudablemente|"
    r"garantiza(?:n|do|da)?|con (?:toda|total) (?:seguridad|certeza)|en todo caso ganará|es seguro que|"
    r"always|never|undoubtedly|without (?:any )?doubt|guarantee(?:s|d)?|certainly|will definitely|"
    r"there is no risk|no existe riesgo alguno)(?:[^\p{L}]|$)"
)
_FIGURED = frozenset({Section.AMOUNTS, Section.DATES})
# Where an analysis says that something is missing; advice may name a clause without saying so.
_TELLING = frozenset({Section.CLAUSES_MISSING, Section.CLAUSES_PRESENT, Section.RISKS})
_ABSENT = linear.compile(
    r"(?i)(?:^|[^\p{L}])(no|sin|faltan?|carece|ausencia|omite|missing|lacks?|not|without|absent|omits?)(?:[^\p{L}]|$)"
)
_CHANGES: dict[Change, tuple[str, str]] = {
    "negation": ("cambia una negación", "changes a negation"),
    "exception": ("cambia una excepción", "changes an exception"),
    "number": ("cambia una cifra", "changes a figure"),
    "modal": ("cambia un deber o una facultad", "changes a duty or a power"),
    "words": ("cambia palabras", "changes words"),
}
_MISQUOTED = ("no dice las palabras que se le atribuyen", "does not say the words quoted as its own")
_STATUS = {
    "mismatch": ("no coincide con lo que existe", "does not match what exists"),
    "not_found": ("no existe", "does not exist"),
    "derogated": ("está derogada", "is repealed"),
}


def find_objections(case: Case) -> list[Finding]:
    """Return what code objects to, in the order of the statements, then what concerns the whole."""
    original = Original(case.document)
    stated = _KnownFigures(case)
    sound = {*case.reference.statements, *case.inconsistencies}
    findings: list[Finding] = []
    for place, judged in enumerate(case.judged):
        findings += _quotations(case, place, judged, original)
        findings += _misquotations(case, place, judged)
        findings += _citations(case, place, judged.statement)
        findings += _unsupported(case, place, judged)
        if judged.statement in sound:
            # The deterministic engine says the very same of this document, in words its authors reviewed.
            continue
        findings += stated.contradictions(place, judged)
        findings += _displaced(case, place, judged.statement)
        findings += _overclaims(case, place, judged)
    findings += _document_citations(case)
    findings += _omissions(case)
    findings += _inconsistencies(case)
    return findings


# Quotations


def _quotations(case: Case, place: int, judged: JudgedStatement, original: Original) -> Iterator[Finding]:
    found = {_squeezed(evidence.text) for evidence in judged.evidence}
    # What is quoted from law is compared with the law.
    found |= {_squeezed(one.words) for one in judged.quotations}
    for quote in judged.statement.quotes:
        if _squeezed(quote) in found:
            continue
        discrepancy = original.discrepancy(quote)
        severe = judged.statement.proposed in (Lock.L1, Lock.L5C) or discrepancy is not None
        yield Finding(
            "hallucination", "high" if severe else "medium", _misquoted(case, quote, discrepancy), place
        )


def _misquoted(case: Case, quote: str, discrepancy: Discrepancy | None) -> str:
    shown = quote if len(quote) <= 240 else quote[:239] + "…"
    if discrepancy is None:
        return pick(
            case.language,
            f"Las palabras citadas no constan en el documento: «{shown}».",
            f"The quoted words do not appear in the document: “{shown}”.",
        )
    what = pick(case.language, *_CHANGES[discrepancy.change])
    nothing = pick(case.language, "nada", "nothing")
    return pick(
        case.language,
        f"La cita {what}: escribe «{discrepancy.written or nothing}» donde el documento dice "
        f"«{discrepancy.stands or nothing}». Cita: «{shown}».",
        f"The quotation {what}: it writes “{discrepancy.written or nothing}” where the document says "
        f"“{discrepancy.stands or nothing}”. Quotation: “{shown}”.",
    )


def _misquotations(case: Case, place: int, judged: JudgedStatement) -> Iterator[Finding]:
    """Return the words quoted as those of an article of the corpus that does not say them."""
    for one in judged.quotations:
        if not one.correct:
            shown = one.words if len(one.words) <= 240 else one.words[:239] + "…"
            note = pick(case.language, one.verdict.note, one.verdict.note_en)
            yield Finding(
                "citation_error",
                "high",
                pick(
                    case.language,
                    f"«{one.citation.text}» {_MISQUOTED[0]}: {note} Cita: «{shown}».",
                    f"“{one.citation.text}” {_MISQUOTED[1]}: {note} Quotation: “{shown}”.",
                ),
                place,
            )


def _squeezed(text: str) -> str:
    return " ".join(text.translate(_MARKS).casefold().split())


_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "‚": "'"})


# Citations


def _citations(case: Case, place: int, statement: Statement) -> Iterator[Finding]:
    for written in statement.citations:
        checked = case.cited.get(written, ())
        if not checked:
            yield Finding(
                "citation_error",
                "low",
                pick(
                    case.language,
                    f"La base legal «{written}» no se reconoce como cita de una norma o sentencia.",
                    f"The legal basis “{written}” is not recognised as a citation of a statute or judgment.",
                ),
                place,
            )
        for item in checked:
            yield from _authority(case, place, item)


def _authority(case: Case, place: int, item: CheckedCitation) -> Iterator[Finding]:
    citation, verdict = item.citation, item.verdict
    foreign = citation.jurisdiction not in (case.jurisdiction, *_COMMON) and not _in_document(case, item)
    if verdict.status in BROKEN:
        note = pick(case.language, verdict.note, verdict.note_en)
        what = pick(case.language, *_STATUS[verdict.status])
        yield Finding("citation_error", "high", f"«{citation.text}» {what}: {note}", place)
    elif foreign:
        yield Finding(
            "citation_error",
            "high",
            pick(
                case.language,
                f"«{citation.text}» es Derecho de otra jurisdicción ({citation.jurisdiction}) y el "
                f"documento, que se analiza según {case.jurisdiction}, no lo cita.",
                f"“{citation.text}” is the law of another jurisdiction ({citation.jurisdiction}); the "
                f"document, analysed under {case.jurisdiction}, does not cite it.",
            ),
            place,
        )
    elif citation.kind == "L2-J" and verdict.status != "verified" and not _in_document(case, item):
        yield Finding(
            "citation_error",
            "medium",
            pick(
                case.language,
                f"La sentencia «{citation.text}» no consta en el documento ni ha podido comprobarse que "
                "exista.",
                f"The judgment “{citation.text}” does not appear in the document, and its existence could "
                "not be checked.",
            ),
            place,
        )


def _unsupported(case: Case, place: int, judged: JudgedStatement) -> Iterator[Finding]:
    """Find authorities whose loaded text is about something else, or says the contrary of the statement."""
    for one in judged.backing:
        shown = judged.statement.text[:240]
        if one.support == "contradicted":
            yield Finding(
                "hallucination",
                "high",
                pick(
                    case.language,
                    f"«{one.written}» dice lo contrario de la afirmación, que se ha retirado: «{shown}».",
                    f"“{one.written}” contradicts the statement, which was withdrawn: “{shown}”.",
                ),
                place,
            )
        elif one.support == "silent":
            yield Finding(
                "citation_error",
                "medium",
                pick(
                    case.language,
                    f"«{one.written}» existe, pero su texto no apoya la afirmación: «{shown}».",
                    f"“{one.written}” exists, but its text does not support the statement: “{shown}”.",
                ),
                place,
            )


def _in_document(case: Case, item: CheckedCitation) -> bool:
    own = set(item.citation.canonical)
    return any(
        other.in_document
        and (own & set(other.citation.canonical) or other.citation.text == item.citation.text)
        for other in case.checks
    )


def _document_citations(case: Case) -> Iterator[Finding]:
    for item in case.checks:
        if item.in_document and item.verdict.status in BROKEN:
            note = pick(case.language, item.verdict.note, item.verdict.note_en)
            misquoted = item.verdict.status == "mismatch" and item.verdict.similarity is not None
            what = pick(case.language, *(_MISQUOTED if misquoted else _STATUS[item.verdict.status]))
            yield Finding(
                "citation_error",
                "medium",
                pick(
                    case.language,
                    f"El propio documento cita «{item.citation.text}», que {what}: {note}",
                    f"The document itself cites “{item.citation.text}”, which {what}: {note}",
                ),
            )


def _displaced(case: Case, place: int, statement: Statement) -> Iterator[Finding]:
    """Return an article that exists, of the right law, but not the one that this point rests on."""
    expected = _expected_articles(case, statement)
    for written in statement.citations:
        for item in case.cited.get(written, ()):
            citation = item.citation
            if citation.norm is None or not citation.articles or citation.norm not in expected:
                continue
            articles = expected[citation.norm]
            if not set(citation.articles) & articles:
                right = ", ".join(sorted(articles))
                yield Finding(
                    "citation_error",
                    "medium",
                    pick(
                        case.language,
                        f"«{citation.text}»: para este punto las reglas y el documento apuntan a otro "
                        f"artículo de esa norma ({right}).",
                        f"“{citation.text}”: on this point the rules and the document point to another "
                        f"article of that statute ({right}).",
                    ),
                    place,
                )


def _expected_articles(case: Case, statement: Statement) -> dict[str, set[str]]:
    """By norm, the articles that the rules cite for the same point, and those in the words it quotes."""
    expected: dict[str, set[str]] = {}
    written = [
        c for other in case.reference.statements if _same_point(statement, other) for c in other.citations
    ]
    cited = [item.citation for one in written for item in case.cited.get(one, ())]
    cited += [
        item.citation
        for item in case.checks
        if item.in_document and any(item.citation.text in quote for quote in statement.quotes)
    ]
    for citation in cited:
        if citation.norm and citation.articles:
            expected.setdefault(citation.norm, set()).update(citation.articles)
    return expected


def _same_point(one: Statement, other: Statement) -> bool:
    if one.section is not other.section:
        return False
    return one.text == other.text or bool(
        set(one.quotes) & set(other.quotes) and one.text[:40] == other.text[:40]
    )


# Figures


class _KnownFigures:
    """The amounts, percentages and dates of the document and of what code derives from it."""

    def __init__(self, case: Case) -> None:
        self._case = case
        said = "\n".join(
            part for one in case.reference.statements for part in (one.text, one.reason or "", *one.citations)
        )
        reckoned = "\n".join(one.text for one in case.sources if one.computed)
        self._known = self._of(case.document) | self._of(said) | self._of(case.reference.summary)
        self._known |= self._of(reckoned)

    def _of(self, text: str) -> Figures:
        return figures(text, self._case.jurisdiction)

    def contradictions(self, place: int, judged: JudgedStatement) -> Iterator[Finding]:
        """Return the figures that stand nowhere, or not in the words they are said to be read from."""
        statement, case = judged.statement, self._case
        stated = self._of(statement.text)
        if not stated and statement.section not in _FIGURED:
            return
        own = self._of("\n".join(statement.citations)) if statement.citations else NO_FIGURES
        known = self._known | own
        if statement.section in _FIGURED and judged.evidence:
            quoted = self._of("\n".join(evidence.text for evidence in judged.evidence))
            known = quoted | own if quoted else known
        strange = stated.beyond(known)
        if not strange and statement.section in _FIGURED and judged.evidence:
            strange = self._unquoted(judged)
        if strange:
            listed = ", ".join(strange)
            yield Finding(
                "hallucination",
                "high" if statement.section in _FIGURED else "medium",
                pick(
                    case.language,
                    f"La afirmación da cifras o fechas que no salen del documento ({listed}): "
                    f"«{statement.text[:300]}».",
                    f"The statement gives figures or dates that are not in the document ({listed}): "
                    f"“{statement.text[:300]}”.",
                ),
                place,
            )

    def _unquoted(self, judged: JudgedStatement) -> tuple[str, ...]:
        """Bare numbers that the quoted words have neither in figures nor in words."""
        quoted = "\n".join(evidence.text for evidence in judged.evidence)
        known = numbers(quoted) | {f"{value:f}" for value in self._of(quoted).money}
        known |= {str(int(part)) for date in self._of(quoted).dates for part in date.split("-")}
        stated = numbers(judged.statement.text)
        if not known or any(judged.statement.text == one.text for one in self._case.reference.statements):
            return ()
        return tuple(sorted(one for one in stated - known if one.lstrip("0") not in known))


# Words


def _overclaims(case: Case, place: int, judged: JudgedStatement) -> Iterator[Finding]:
    if judged.lock is Lock.L1:
        return
    match = _OVERCLAIM.search(judged.statement.text)
    if match:
        yield Finding(
            "weak_reasoning",
            "low",
            pick(
                case.language,
                f"La afirmación es más rotunda que su apoyo («{match[1]}»): «{judged.statement.text[:300]}».",
                f"The statement is stronger than its support (“{match[1]}”): "
                f"“{judged.statement.text[:300]}”.",
            ),
            place,
        )


# Omissions


def _omissions(case: Case) -> Iterator[Finding]:
    own = [judged.statement for judged in case.judged]
    texts = [_squeezed(statement.text) for statement in own]
    told = [
        head
        for statement in own
        if statement.section in _TELLING
        for head in (_squeezed(statement.text.partition(". ")[0]),)
        # A risk may name a clause without saying that it is missing.
        if statement.section is not Section.RISKS or _ABSENT.search(head)
    ]
    quotes = {_squeezed(quote) for statement in own for quote in statement.quotes}
    for expected in case.reference.statements:
        if expected.section is Section.CLAUSES_MISSING:
            name = _squeezed(expected.text.partition(":")[0])
            if not any(name in text for text in told):
                yield Finding(
                    "missing_clause",
                    "medium",
                    pick(
                        case.language,
                        f"El análisis no dice que falta en el documento: {expected.text}",
                        "The analysis does not mention that this is missing from the document: "
                        f"{expected.text}",
                    ),
                )
        elif expected.section is Section.RISKS and expected.severity == "high":
            mentioned = any(_overlap(_squeezed(quote), quotes) for quote in expected.quotes)
            if not mentioned and _squeezed(expected.text) not in texts:
                yield Finding(
                    "other",
                    "high",
                    pick(
                        case.language,
                        f"El análisis pasa por alto un riesgo alto: {expected.text}",
                        f"The analysis overlooks a high risk: {expected.text}",
                    ),
                )


def _overlap(quote: str, quotes: Sequence[str] | set[str]) -> bool:
    return any(quote in other or other in quote for other in quotes)


# The document itself


def _inconsistencies(case: Case) -> Iterator[Finding]:
    """Yield what in the document does not agree with itself, by the statement that tells of it."""
    places = {judged.statement: place for place, judged in enumerate(case.judged)}
    for statement in case.inconsistencies:
        if statement.section is Section.RISKS and statement.severity:
            yield Finding("other", statement.severity, statement.text, places.get(statement))
