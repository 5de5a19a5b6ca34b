"""Write the analysis as Markdown: risks first, each statement with its lock, the audit block last. Pure.

Decision 019: the text ends with `{WIRE}-AUDIT-TRAIL-BEGIN`, YAML, `{WIRE}-AUDIT-TRAIL-END`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.analysis.answer.audit_block import audit_block
from app.analysis.answer.layout import ADVISED, HEADINGS, count_words, is_head, key_of, lay_out
from app.analysis.answer.reading_notes import ReadingNotes, notes_on
from app.analysis.checks.citation_findings import AuthorityFinding, CheckedCitation
from app.analysis.checks.locks import DowngradeReason, JudgedStatement
from app.analysis.jurisdiction.assessment import WHOLE, Assessment
from app.analysis.request import AnalysisRequest, Source
from app.analysis.sanitize import Cleaner, Restore, prose, scalar
from app.rules import Draft, Lock, Section, Severity
from app.text.bilingual import Language, pick

# From a span of the text that was analysed to the words of the submitted one, with their place there.
Locate = Callable[[int, int], tuple[int, int]]

_RANK: dict[Severity | None, int] = {"high": 0, "medium": 1, "low": 2, None: 3}
_LOWERED: dict[DowngradeReason, str] = {
    DowngradeReason.NOT_FOUND: "palabras citadas que no constan en el documento",
    DowngradeReason.NO_QUOTE: "sin palabras citadas",
    DowngradeReason.NO_REASON: "riesgo crítico sin gravedad alta ni motivo",
    DowngradeReason.NO_BASIS: "base legal no confirmada",
    DowngradeReason.NO_JUDGMENT: "sentencia no localizada en el corpus",
    DowngradeReason.NOT_GOOD_LAW: "no consta que la sentencia siga vigente como doctrina",
    DowngradeReason.MISQUOTED: "el artículo citado no dice las palabras que se le atribuyen",
    DowngradeReason.PROSE: "la afirmación entrecomilla palabras que no constan",
    DowngradeReason.SILENT: "la autoridad citada no dice nada de esto",
    DowngradeReason.CONTRADICTED: "la autoridad citada dice lo contrario",
    DowngradeReason.UNSUPPORTED: "ninguna autoridad cargada la apoya",
    DowngradeReason.CUT: "la cita corta una palabra o una cifra",
    DowngradeReason.SHORT: "la cita no es un valor completo ni tres palabras",
    DowngradeReason.CLIPPED: "la cita empieza detrás de una negación o excepción que la rige",
    DowngradeReason.GOVERNED: "lo que precede o sigue a las palabras citadas las deja sin efecto",
    DowngradeReason.EXCEPTION: "la afirmación omite una excepción o una condición",
    DowngradeReason.LIMIT: "la afirmación omite palabras que limitan lo que dice",
    DowngradeReason.FIGURE: "una cifra o fecha de la afirmación no consta en la cita",
    DowngradeReason.ROLE: "la cláusula citada da otro papel al valor, o ninguno",
    DowngradeReason.PARTY: "las palabras citadas nombran a otra parte",
    DowngradeReason.MODALITY: "las palabras citadas expresan otro deber o facultad",
    DowngradeReason.POLARITY: "las palabras citadas niegan lo que se afirma, o al revés",
    DowngradeReason.OTHER_MATTER: "las palabras citadas se refieren a otro contrato o momento",
    DowngradeReason.BEYOND: "la afirmación dice más que la cita",
}
_CONTRADICTED = (
    "Afirmación retirada - una autoridad citada dice lo contrario",
    "Statement withdrawn - an authority cited says the contrary",
)
_TAKEN_BACK = (
    "Afirmación retirada - el nodo A la retiró ante una objeción",
    "Statement withdrawn - node A took it back upon an objection",
)
# A shorter document may get more words than it has: a page of risks has no half.
_LONG_DOCUMENT = 600  # words


@dataclass(frozen=True, slots=True)
class Report:
    """The finished text, the locks in order of first use and how often each occurs.

    `kind` is the kind of document in words, `scope` what the analysis could not see or do.

    `risks` (with their severity) and `advice` are the statements of those sections by themselves, as in the
    text; `lowered` is how many statements did not earn the lock that was proposed for them. `modules` and
    `sources` are those of the audit block.
    """

    markdown: str
    locks: tuple[str, ...]
    levels: Mapping[str, int]
    review_flags: tuple[str, ...]
    summary: str
    risks: tuple[tuple[Severity | None, str], ...]
    advice: tuple[str, ...]
    lowered: int
    kind: str = ""
    scope: tuple[str, ...] = ()
    statements: tuple[RenderedStatement, ...] = ()
    assessment: Assessment = WHOLE
    modules: tuple[str, ...] = ()
    sources: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of the submitted text: `submitted[start:end]`, in code points.

    `text` is those words, in one line and disarmed where they hold a lock token, a marker, a link or a tag.
    """

    text: str = field(repr=False)
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RenderedStatement:
    """One statement as its reader gets it: restored and disarmed. `repr` shows no text."""

    section: Section
    text: str
    lock: Lock
    severity: Severity | None
    reason: str | None
    quotes: tuple[Quote, ...]
    backing: tuple[AuthorityFinding, ...]
    facts: Mapping[str, str] = field(default_factory=dict)
    disputed: str = ""

    def __repr__(self) -> str:
        return f"<Told [{self.lock}] of {len(self.text)} characters>"


def statements_on_the_wire(
    statements: Sequence[RenderedStatement], source: Source | None = None
) -> list[dict[str, Any]]:
    """Return `statements` of the answer (decision 013), with pages where `source` has some."""
    heads = {
        key_of(one.facts): f"s{number}"
        for number, one in reversed(list(enumerate(statements, 1)))
        if one.section in ADVISED and "part" not in one.facts
    }
    return [
        {
            "id": f"s{number}",
            "section": one.section.value,
            "text": one.text,
            "lock": one.lock.value,
            "severity": one.severity,
            **({"reason": one.reason} if one.reason else {}),
            **({"disputed": one.disputed} if one.disputed else {}),
            "quotes": [
                {"text": quote.text, "start": quote.start, "end": quote.end, **_place(quote.start, source)}
                for quote in one.quotes
            ],
            "authorities": [
                {
                    "citation": backing.written,
                    "status": backing.status,
                    "depth": backing.depth or None,
                    "support": backing.support,
                    **({"passage": backing.passage} if backing.passage else {}),
                }
                for backing in one.backing
            ],
            **_about(one, heads),
        }
        for number, one in enumerate(statements, 1)
    ]


def _place(offset: int, source: Source | None) -> dict[str, int]:
    """Return page and paragraph of the uploaded document at an offset of its text, as far as known."""
    if source is None:
        return {}
    found = {"page": source.reading.page_at(offset), "paragraph": source.reading.paragraph_at(offset)}
    return {name: number for name, number in found.items() if number is not None}


def _about(one: RenderedStatement, heads: Mapping[tuple[str, str] | None, str]) -> dict[str, str]:
    """Return what a statement is to another one, and which; nothing for one that stands alone."""
    key = key_of(one.facts)
    head = heads.get(key) if key else None
    if head is None or (one.section is not Section.RECOMMENDATIONS and "part" not in one.facts):
        return {}
    return {"part": one.facts.get("part", "recommendation"), "about": head}


def write(
    request: AnalysisRequest,
    draft: Draft,
    judged: Sequence[JudgedStatement],
    checks: Sequence[CheckedCitation],
    flags: Sequence[str],
    *,
    restore: Restore,
    wire_name: str,
    sources: Mapping[str, int],
    attribution_line: str,
    assessment: Assessment,
    submitted: str,
    locate: Locate,
) -> Report:
    """Write the report.

    Args:
        request: what was asked, under the jurisdiction that was applied.
        draft: node A's draft: its summary, notes and modules.
        judged: the statements with their locks, in the order of the draft.
        checks: every citation with its verdict.
        flags: what a lawyer should review, beside what this adds.
        restore: puts identifiers back; it runs before anything is made harmless.
        wire_name: the service's name in the markers of the audit block.
        sources: how many sources of each kind were used (`rag_sources` of the audit block, decision 019).
        attribution_line: the line that says who made the analysis.
        assessment: what was assessed; it opens the analysis where that is not all.
        submitted: the text as it was sent.
        locate: finds places of the analysed text in the submitted one.
    """
    language = request.language
    clean = Cleaner(restore, request.language, draft.engine)
    opening = prose(assessment.opening)
    read = notes_on(request.source.reading, language) if request.source else ReadingNotes()
    head = [opening, ""] if opening else []
    if read.doubts:
        head += [prose(" ".join(read.doubts)), ""]
    head += [f"# {pick(language, 'Análisis', 'Analysis')}: {clean.engine_text(draft.document_kind)}", ""]
    summary = clean.engine_text(draft.summary)
    head += [summary, ""]
    ordered = [judged[place] for place in order_of(judged)]
    notes = [prose(note) for note in (*draft.notes, *read.others)]
    if draft.analysed < draft.total:
        notes.append(
            pick(
                language,
                f"Se analizaron {draft.analysed} de {draft.total} caracteres.",
                f"{draft.analysed} of {draft.total} characters were analysed.",
            )
        )
    scope = tuple(notes)
    notes.append(prose(attribution_line))
    lowered = [
        f"{pick(language, *HEADINGS[item.statement.section])} - "
        f"{pick(language, _LOWERED[item.lowered], item.lowered)} - "
        + scalar(clean.engine_text(item.statement.text))[:160]
        for item in judged
        # What a rule proposes and the judge lowers is no claim of anybody's: it is inference, and says so.
        if item.lowered and not item.withdrawn and item.statement.origin == "model"
    ]
    # What is said of a risk leaves with it, and is not named again.
    gone = {one.statement.facts.get("issue") for one in judged if one.withdrawn and is_head(one.statement)}
    gone -= {None}
    withdrawn = [
        pick(language, *(_CONTRADICTED if item.contradicted else _TAKEN_BACK))
        + f" - {scalar(clean.engine_text(item.statement.text))[:160]}"
        for item in judged
        if item.withdrawn
        and item.statement.text
        and (item.contradicted or item.statement.facts.get("issue") not in gone)
    ]
    disputed = [
        f"{pick(language, 'Afirmación discutida', 'Statement disputed')} - "
        f"{scalar(clean.engine_text(item.disputed))[:240]} - "
        f"{scalar(clean.of(item.statement.origin).engine_text(item.statement.text))[:160]}"
        for item in judged
        if item.disputed
    ]
    first = [*([assessment.warning] if assessment.warning else []), *read.doubts]
    modules = tuple(scalar(module) for module in draft.modules)
    review = tuple(scalar(flag) for flag in (*first, *flags, *disputed, *withdrawn, *lowered))

    def end(used: Sequence[Lock], notes: Sequence[str]) -> list[str]:
        scope = [f"## {pick(language, 'Alcance', 'Scope')}", "", *(f"- {note}" for note in notes), ""]
        return scope + audit_block(
            wire_name=wire_name,
            jurisdiction=request.jurisdiction,
            mode=request.mode,
            modules=modules,
            levels=_levels(used),
            sources=sources,
            review=review,
            summary=summary,
        )

    room = None
    length = len(submitted.split())
    if length > _LONG_DOCUMENT:
        room = length - count_words((*head, *end((), (*notes, _left_out(1, 1, language)))))
    page = lay_out(ordered, clean, language, room)
    if page.left_out or page.shortened:
        notes.insert(-1, _left_out(page.left_out, page.shortened, language))
    lines = [*head, *page.lines, *end(page.locks, notes)]
    statements = [
        (
            item.statement.section,
            item.statement.severity,
            clean.of(item.statement.origin).engine_text(item.statement.text),
        )
        for item in judged
        if item.statement.section in (Section.RISKS, Section.RECOMMENDATIONS) and not item.withdrawn
    ]
    return Report(
        "\n".join(lines) + "\n",
        tuple(dict.fromkeys(lock.value for lock in page.locks)),
        _levels(page.locks),
        review,
        summary,
        risks=tuple((severity, text) for section, severity, text in statements if section is Section.RISKS),
        advice=tuple(text for section, _, text in statements if section is Section.RECOMMENDATIONS),
        lowered=len(lowered),
        kind=clean.engine_text(draft.document_kind),
        scope=scope,
        statements=tuple(_rendered(item, clean, submitted, locate) for item in ordered),
        assessment=assessment,
        modules=modules,
        sources=sources,
    )


def _levels(used: Sequence[Lock]) -> dict[str, int]:
    """Return how often each lock occurs."""
    return {lock.value: used.count(lock) for lock in Lock}


def _left_out(number: int, shortened: int, language: Language) -> str:
    """Return the note on what stands only in `statements`: the text is to be no longer than the document."""
    left = pick(
        language,
        f"{number} afirmaciones, ninguna de ellas un riesgo o un plazo",
        f"{number} statements, none of them a risk or a time limit",
    )
    whole = pick(
        language,
        f"la explicación de {shortened} riesgos o plazos",
        f"the explanation of {shortened} risks or time limits",
    )
    told = pick(language, " y ", " and ").join([left] * bool(number) + [whole] * bool(shortened))
    return pick(
        language,
        f"Para no ser más largo que el documento, este texto deja solo en `statements` {told}.",
        f"To be no longer than the document, this text leaves only in `statements` {told}.",
    )


def _rendered(item: JudgedStatement, clean: Cleaner, submitted: str, locate: Locate) -> RenderedStatement:
    statement = item.statement
    clean = clean.of(statement.origin)
    places = (locate(one.start, one.end) for one in item.evidence)
    return RenderedStatement(
        statement.section,
        clean.engine_text(statement.text),
        item.lock,
        statement.severity,
        clean.engine_text(statement.reason) if statement.reason and item.lock is Lock.L5C else None,
        tuple(Quote(_shown(submitted[start:end]), start, end) for start, end in places),
        tuple(replace(one, written=clean.engine_text(one.written)) for one in item.backing),
        statement.facts,
        Cleaner(clean.restore, clean.language, "model").engine_text(item.disputed) if item.disputed else "",
    )


def _shown(words: str) -> str:
    """Return the client's own words as they are, but for what only the verifier may issue."""
    harmless = prose(words)
    return words if harmless == " ".join(words.split()) else harmless


def order_of(judged: Sequence[JudgedStatement]) -> tuple[int, ...]:
    """Return the places of `judged` as they are written: by section, the gravest risk first."""
    sections = list(Section)

    def rank(place: int) -> tuple[int, int]:
        statement = judged[place].statement
        return sections.index(statement.section), _RANK[statement.severity]

    return tuple(sorted((place for place, one in enumerate(judged) if not one.withdrawn), key=rank))
