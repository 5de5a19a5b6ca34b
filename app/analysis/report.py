"""The analysis as Markdown: risks first, each statement with its lock, the audit-trail block last. Pure.

Decisions 6: the text ends with `{WIRE}-AUDIT-TRAIL-BEGIN`, YAML, `{WIRE}-AUDIT-TRAIL-END`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.analysis.authorities import Checked
from app.analysis.locks import Judged, Lowered
from app.analysis.neutral import prose, scalar
from app.analysis.order import Order
from app.analysis.statements import Draft, Language, Lock, Section, Severity

Restore = Callable[[str], str]

_HEADINGS: dict[Section, tuple[str, str]] = {
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
_RANK: dict[Severity | None, int] = {"high": 0, "medium": 1, "low": 2, None: 3}
_LOWERED: dict[Lowered, str] = {
    Lowered.NOT_FOUND: "palabras citadas que no constan en el documento",
    Lowered.NO_QUOTE: "sin palabras citadas",
    Lowered.NO_REASON: "riesgo crítico sin gravedad alta ni motivo",
    Lowered.NO_BASIS: "base legal no confirmada",
    Lowered.NO_JUDGMENT: "sentencia no localizada en el corpus",
    Lowered.NOT_GOOD_LAW: "no consta que la sentencia siga vigente como doctrina",
    Lowered.MISQUOTED: "el artículo citado no dice las palabras que se le atribuyen",
}
# A longer quotation is cut for reading; the lock was earned on the whole of it.
_QUOTE_SHOWN = 280


@dataclass(frozen=True, slots=True)
class Report:
    """The finished text, the locks in order of first use and how often each occurs.

    `risks` (with their severity) and `advice` are the statements of those sections by themselves, as in the
    text; `lowered` is how many statements did not earn the lock that was proposed for them.
    """

    markdown: str
    locks: tuple[str, ...]
    levels: Mapping[str, int]
    review_flags: tuple[str, ...]
    summary: str
    risks: tuple[tuple[Severity | None, str], ...]
    advice: tuple[str, ...]
    lowered: int


def write(
    order: Order,
    draft: Draft,
    judged: Sequence[Judged],
    checks: Sequence[Checked],
    flags: Sequence[str],
    *,
    restore: Restore,
    wire_name: str,
    sources: Mapping[str, int],
    imprint: str,
) -> Report:
    """Set the report in type. `restore` puts identifiers back; it runs before anything is made harmless."""
    say = _Words(order.language)
    used: list[Lock] = []
    lines = [f"# {say('Análisis', 'Analysis')}: {prose(draft.document_kind)}", ""]
    summary = prose(restore(draft.summary))
    lines += [summary, ""]
    ordered = [judged[place] for place in order_of(judged)]
    for section in Section:
        rows = [item for item in ordered if item.statement.section is section]
        if not rows:
            continue
        lines += [f"## {say(*_HEADINGS[section])}", ""]
        for item in rows:
            used.append(item.lock)
            lines.append(_bullet(item, restore, say))
        lines.append("")
    notes = [prose(note) for note in draft.notes]
    if draft.analysed < draft.total:
        notes.append(
            say(
                f"Se analizaron {draft.analysed} de {draft.total} caracteres.",
                f"{draft.analysed} of {draft.total} characters were analysed.",
            )
        )
    notes.append(prose(imprint))
    lines += [f"## {say('Alcance', 'Scope')}", "", *(f"- {note}" for note in notes), ""]

    lowered = [
        f"{say(*_HEADINGS[item.statement.section])} - {say(_LOWERED[item.lowered], item.lowered)} - "
        + scalar(restore(item.statement.text))[:160]
        for item in judged
        if item.lowered
    ]
    review = tuple(scalar(flag) for flag in (*flags, *lowered))
    levels = {lock.value: sum(1 for one in used if one is lock) for lock in Lock}
    lines += _audit_block(order, draft, summary, levels, sources, review, wire_name)
    first_use = tuple(dict.fromkeys(lock.value for lock in used))
    told = [
        (item.statement.section, item.statement.severity, prose(restore(item.statement.text)))
        for item in judged
        if item.statement.section in (Section.RISKS, Section.RECOMMENDATIONS)
    ]
    return Report(
        "\n".join(lines) + "\n",
        first_use,
        levels,
        review,
        summary,
        risks=tuple((severity, text) for section, severity, text in told if section is Section.RISKS),
        advice=tuple(text for section, _, text in told if section is Section.RECOMMENDATIONS),
        lowered=len(lowered),
    )


def order_of(judged: Sequence[Judged]) -> tuple[int, ...]:
    """The places of `judged` in the order in which they are written: by section, the gravest risk first."""
    sections = list(Section)

    def rank(place: int) -> tuple[int, int]:
        statement = judged[place].statement
        return sections.index(statement.section), _RANK[statement.severity]

    return tuple(sorted(range(len(judged)), key=rank))


class _Words:
    """Picks the Spanish or the English of a pair."""

    def __init__(self, language: Language) -> None:
        self._index = 0 if language == "es" else 1

    def __call__(self, spanish: str, english: str) -> str:
        return (spanish, english)[self._index]


def _bullet(item: Judged, restore: Restore, say: _Words) -> str:
    statement = item.statement
    severity = f"**{say(*_SEVERITY[statement.severity])}.** " if statement.severity else ""
    text = prose(restore(statement.text))
    parts = [f"- {severity}{text}"]
    # Only words that were found are shown as a quotation.
    of_law = (one.words for one in item.recited if one.literal)
    for words in (*(evidence.text for evidence in item.evidence), *of_law):
        if words in statement.text and words not in statement.quotes:
            continue
        shown = prose(restore(words))
        # A party is quoted by being named; elsewhere the words stand beside what they prove.
        if statement.section is not Section.PARTIES or shown.casefold() not in text.casefold():
            cut = shown if len(shown) <= _QUOTE_SHOWN else shown[: _QUOTE_SHOWN - 1].rstrip() + "…"
            parts.append(f"«{cut}»" if say("es", "en") == "es" else f"“{cut}”")
    if statement.reason and item.lock is Lock.L5C:
        parts.append(f"{say('Motivo', 'Reason')}: {prose(restore(statement.reason))}")
    if statement.citations:
        parts.append(f"({say('Base', 'Basis')}: {'; '.join(prose(c) for c in statement.citations)})")
    parts.append(f"[{item.lock.value}]")
    return " ".join(parts)


def _audit_block(
    order: Order,
    draft: Draft,
    summary: str,
    levels: Mapping[str, int],
    sources: Mapping[str, int],
    review: Sequence[str],
    wire_name: str,
) -> list[str]:
    name = wire_name.upper()
    return [
        f"{name}-AUDIT-TRAIL-BEGIN",
        f"jurisdiction: {order.jurisdiction}",
        f"mode: {order.mode}",
        *_list("modules_active", [scalar(module) for module in draft.modules]),
        *_map("levels_emitted", levels),
        *_map("rag_sources", sources),
        *_list("kill_switches_triggered", []),
        *_list("review_flags", review),
        "executive_summary: |",
        f"  {summary or '-'}",
        f"{name}-AUDIT-TRAIL-END",
    ]


def _list(key: str, items: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"  - {item}" for item in items)] if items else [f"{key}: []"]


def _map(key: str, items: Mapping[str, int]) -> list[str]:
    return [f"{key}:", *(f"  {k}: {v}" for k, v in items.items())] if items else [f"{key}: {{}}"]
