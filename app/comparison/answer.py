"""Make the answer of a comparison: clauses, values, risks, and Markdown with an audit block. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app import analysis
from app.analysis import AnalysisResult, prose, scalar
from app.comparison.changes import ClauseChange, Place, count_changes
from app.comparison.risks import Risk, RiskChanges, Stayed, match_risks
from app.comparison.summary import SEVERITIES, name_of, short_name_of, summarise
from app.comparison.values import ValueChange
from app.comparison.versions import Side, Versions, risk_of
from app.rules import Section, StatedValue
from app.text.bilingual import Bilingual, Language

# The page on which an offset of a version stands; None where it has no pages.
PageAt = Callable[[int], int | None]

# What the answer takes over from the analysis of the later version.
_OF_THE_LATER = (
    "jurisdiction", "legalBranch", "model", "assessment", "assessmentNote", "detectedJurisdiction",
    "contentOrigin",
)  # fmt: skip
_HEADINGS: Mapping[str, Bilingual] = {
    "title": Bilingual("Comparación de dos versiones", "Comparison of two versions"),
    "summary": Bilingual("Qué cambia", "What changed"),
    "appeared": Bilingual("Riesgos que aparecen", "Risks that appeared"),
    "went": Bilingual("Riesgos que desaparecen", "Risks that went"),
    "stayed": Bilingual("Riesgos que siguen", "Risks that stayed"),
    "clauses": Bilingual("Cláusulas", "Clauses"),
    "scope": Bilingual("Alcance", "Scope"),
}
_CHANGES: Mapping[str, Bilingual] = {
    "added": Bilingual("se añade", "added"),
    "removed": Bilingual("se suprime", "removed"),
    "changed": Bilingual("cambia", "changed"),
    "moved": Bilingual("cambia de lugar", "moved"),
}
_NOTES = (
    Bilingual(
        "Cada versión se analizó por separado. El grado de certeza de cada afirmación lo asigna código que "
        "lo ha comprobado; las cláusulas, las palabras y los valores los compara código, sin modelo.",
        "Each version was analysed by itself. Certainty locks are assigned by code that checked them; "
        "clauses, words and values are compared by code, without a model.",
    ),
    Bilingual(
        "Es una ayuda de trabajo y no sustituye el criterio de un profesional del Derecho.",
        "It supports a lawyer's work and does not replace their judgement.",
    ),
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two analysed versions and what became of their clauses, values and risks. `repr` shows no text."""

    versions: Versions
    results: Mapping[Side, AnalysisResult]
    risks: RiskChanges
    language: Language

    @classmethod
    def of(
        cls, versions: Versions, before: AnalysisResult, after: AnalysisResult, language: Language
    ) -> Compared:
        """Match the risks of two analyses."""
        results: dict[Side, AnalysisResult] = {"before": before, "after": after}
        risks = {side: _risks_of(versions, side, result) for side, result in results.items()}
        return cls(versions, results, match_risks(risks["before"], risks["after"]), language)

    @property
    def summary(self) -> tuple[str, ...]:
        """The sentences that say what changed, made harmless."""
        sentences = summarise(self.versions.changes, self.versions.values, self.risks, self.language)
        return tuple(map(prose, sentences))


def _risks_of(versions: Versions, side: Side, result: AnalysisResult) -> list[Risk]:
    report = result.report
    assert report is not None, "only a fresh analysis is compared"
    return [
        risk_of(
            versions,
            side,
            place,
            facts=one.facts,
            severity=one.severity,
            starts=[quote.start for quote in one.quotes],
            law=[authority.written for authority in one.backing],
            text=one.text,
        )
        for place, one in enumerate(report.statements)
        if one.section is Section.RISKS and "part" not in one.facts
    ]


def answer_fields(compared: Compared, pages: Mapping[Side, PageAt], *, wire_name: str) -> dict[str, Any]:
    """Return the fields of the answer that tell what was found.

    Args:
        compared: what was found.
        pages: on which page an offset of each version stands.
        wire_name: the service's name in the markers of the audit block.
    """
    changes, values, risks = compared.versions.changes, compared.versions.values, compared.risks
    newest = compared.results["after"].answer
    return {
        "clauses": clauses_on_the_wire(changes, pages),
        "counts": count_changes(changes),
        "values": [_value_change(one) for one in values],
        "risks": {
            "appeared": [_risk(compared, "after", one) for one in risks.appeared],
            "went": [_risk(compared, "before", one) for one in risks.went],
            "stayed": [_stayed(compared, one) for one in risks.stayed],
        },
        "summary": list(compared.summary),
        "analysis": markdown(compared, wire_name=wire_name),
        **{
            name: newest[name]
            for name in _OF_THE_LATER
            if name in newest
        },
    }  # fmt: skip


def clauses_on_the_wire(
    changes: Sequence[ClauseChange], pages: Mapping[Side, PageAt]
) -> list[dict[str, Any]]:
    """Return `clauses` of the answer."""
    return [_clause(one, pages) for one in changes]


def _clause(one: ClauseChange, pages: Mapping[Side, PageAt]) -> dict[str, Any]:
    return {
        "change": one.change,
        "before": _place(one.before, pages.get("before")),
        "after": _place(one.after, pages.get("after")),
        "similarity": round(one.similarity, 2),
        "renumbered": one.renumbered,
        **({"joined": one.joined} if one.joined else {}),
        **({"coarse": True} if one.coarse else {}),
        "words": [{"op": run.op, "text": run.text} for run in one.runs],
    }


def _place(place: Place | None, page_at: PageAt | None) -> dict[str, Any] | None:
    if place is None:
        return None
    page = page_at(place.start) if page_at is not None else None
    return {
        **({"number": place.number} if place.number else {}),
        **({"heading": prose(place.heading)} if place.heading else {}),
        "start": place.start,
        "end": place.end,
        **({"page": page} if page is not None else {}),
    }


def _value_change(one: ValueChange) -> dict[str, Any]:
    return {
        "kind": one.either.kind,
        "role": one.either.role,
        "before": _value(one.before),
        "after": _value(one.after),
        "clause": one.clause,
    }


def _value(one: StatedValue | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"text": prose(one.quote), "value": prose(one.value), **({"unit": one.unit} if one.unit else {})}


def _risk(compared: Compared, side: Side, one: Risk) -> dict[str, Any]:
    statement = compared.results[side].answer["statements"][one.place]
    return {**statement, "clause": one.clauses[0] if one.clauses else None}


def _stayed(compared: Compared, one: Stayed) -> dict[str, Any]:
    return {
        "before": _risk(compared, "before", one.before),
        "after": _risk(compared, "after", one.after),
        "severityChanged": one.severity_changed,
        "figuresChanged": one.figures_changed,
    }


def markdown(compared: Compared, *, wire_name: str) -> str:
    """Return the comparison as Markdown that ends with the audit block."""
    language, results = compared.language, compared.results
    report = results["after"].report
    assert report is not None
    used: Counter[str] = Counter()
    lines: list[str] = []
    opening = prose(report.assessment.opening)
    if opening:
        lines += [opening, ""]
    lines += [f"# {_HEADINGS['title'].in_(language)}", ""]
    lines += _section("summary", [f"- {sentence}" for sentence in compared.summary], language)
    for name, bullets in (
        ("appeared", [_bullet(compared, "after", one, used) for one in compared.risks.appeared]),
        ("went", [_bullet(compared, "before", one, used) for one in compared.risks.went]),
        ("stayed", [_bullet(compared, "after", one.after, used) for one in compared.risks.stayed]),
        ("clauses", list(_told(compared.versions.changes, language))),
        ("scope", [f"- {note.in_(language)}" for note in _NOTES]),
    ):
        lines += _section(name, bullets, language)
    return "\n".join([*lines, *_audit_block(compared, used, wire_name)]) + "\n"


def _section(name: str, bullets: Sequence[str], language: Language) -> list[str]:
    return [f"## {_HEADINGS[name].in_(language)}", "", *bullets, ""] if bullets else []


def _bullet(compared: Compared, side: Side, one: Risk, used: Counter[str]) -> str:
    statement = compared.results[side].answer["statements"][one.place]
    language = compared.language
    where = ""
    if one.clauses:
        where = f" ({prose(short_name_of(compared.versions.changes[one.clauses[0]].place, language))})"
    used[statement["lock"]] += 1
    severity = SEVERITIES[one.severity].in_(language)
    reason = f" {statement['reason']}" if "reason" in statement else ""
    # Texts of statements were made harmless when they were analysed.
    return (
        f"- **{severity[0].upper()}{severity[1:]}**{where}. {statement['text']}{reason} [{statement['lock']}]"
    )


def _told(changes: Sequence[ClauseChange], language: Language) -> Iterator[str]:
    for one in changes:
        if one.change == "unchanged":
            continue
        share = f" ({round(one.similarity * 100)} %)" if one.rewritten else ""
        yield f"- {prose(name_of(one.place, language))}: {_CHANGES[one.change].in_(language)}{share}."


def _audit_block(compared: Compared, used: Mapping[str, int], wire_name: str) -> list[str]:
    reports = [result.report for result in compared.results.values() if result.report is not None]
    newest = compared.results["after"].answer
    sources: Counter[str] = Counter()
    for report in reports:
        sources.update(report.sources)
    return analysis.audit_block(
        wire_name=wire_name,
        jurisdiction=newest["jurisdiction"],
        mode=newest["mode"],
        modules=tuple(
            dict.fromkeys((*(name for report in reports for name in report.modules), "comparison"))
        ),
        levels={name: used.get(name, 0) for name in reports[0].levels},
        sources=dict(sources),
        review=tuple(dict.fromkeys(flag for report in reports for flag in report.review_flags)),
        summary=scalar(" ".join(compared.summary)),
    )
