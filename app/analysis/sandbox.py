"""Serve six canned analyses, written by hand, that cost nothing and call no model (decision 023).

A sample is a fictional document and the statements a careful lawyer of its jurisdiction makes about it, in
Spanish and in English. What a real run adds is added here by the same code: citations are checked, locks are
earned and the audit block is written when the answer is made, so that a sample cannot claim what a real
answer could not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from app.analysis.answer.report import Report
from app.analysis.audit import SEVERITIES
from app.analysis.audit.finding import FindingType
from app.analysis.checks import citation_findings
from app.analysis.pipeline import judge_and_render
from app.analysis.request import AnalysisRequest, Branch, Mode
from app.platform.confidential import DocumentText
from app.platform.data_files import Entry, Filled, FromList, Wording, read_entry, read_toml
from app.rules import Draft, Lock, Section, Severity, Statement
from app.text.bilingual import Language, pick

Name = Literal[
    "contract_es", "providencia_aeat", "dictamen_teac", "demanda_concursal_es", "demand_co", "laboral_cl"
]

NAMES: tuple[Name, ...] = get_args(Name)

MODEL_A, MODEL_B = "sandbox-node-a", "sandbox-node-b"
_FOLDER = Path(__file__).with_name("data") / "sandbox"
# Six samples, two languages, two modes and a few jurisdictions asked for; each some 20 kB.
KEPT = 128


class SampleStatement(Entry):
    """A statement of a sample, as its data file has it."""

    section: Annotated[Section, Field(strict=False)]
    es: Filled
    en: Filled
    severity: Severity | None = None
    proposed: Annotated[Lock, Field(strict=False)] = Lock.L4
    quotes: Annotated[tuple[Filled, ...], FromList] = ()
    citations: Annotated[tuple[Filled, ...], FromList] = ()
    reason_es: Filled | None = None
    reason_en: Filled | None = None


class SampleFinding(Entry):
    """A finding of node B in a sample."""

    type: FindingType
    severity: Severity
    es: Filled
    en: Filled


class SampleAudit(Entry):
    """Node B's audit of a sample."""

    es: Filled
    en: Filled
    findings: list[SampleFinding]
    recommendations_es: Filled
    recommendations_en: Filled


class Sample(Entry):
    """One canned analysis: a fictional document, and what is said of it in both languages."""

    name: Name
    title: Filled
    jurisdiction: Filled
    branch: Branch
    language: Language
    document: Filled
    kind: Wording
    summary: Wording
    scope: Wording
    statements: Annotated[tuple[SampleStatement, ...], FromList]
    audit: SampleAudit


@dataclass(frozen=True, slots=True)
class CannedAnswer:
    """An answer but for what belongs to one request. `citation_checks` and `audit` are shared: read only."""

    analysis: str
    model: str
    certainty_locks: tuple[str, ...]
    citation_checks: Mapping[str, Any]
    report: Report
    audit: Mapping[str, Any] | None


@cache
def sample(name: Name) -> Sample:
    """Return the sample of that name, read from its file once."""
    path = _FOLDER / f"{name}.toml"
    return read_entry(Sample, path.name, {"name": name, **read_toml(path)})


def samples() -> tuple[Sample, ...]:
    """Return all six, in the order of `NAMES`."""
    return tuple(sample(name) for name in NAMES)


@lru_cache(maxsize=KEPT)
def canned_answer(
    name: Name,
    language: Language,
    mode: Mode,
    *,
    jurisdiction: str | None = None,
    author: str | None,
    wire_name: str,
    on: date,
) -> CannedAnswer:
    """Return the canned answer as the law stands `on` that day.

    Args:
        name: The sample.
        language: Of the answer.
        mode: `deep` adds node B's audit.
        jurisdiction: The code to name in the answer instead of the sample's; its law stays the sample's.
        author: The name to give as author, `None` for none.
        wire_name: Prefix of the audit block's markers.
        on: The day for which citations are checked.
    """
    chosen = sample(name)
    request = AnalysisRequest(
        text=DocumentText(chosen.document),
        jurisdiction=jurisdiction or chosen.jurisdiction,
        branch=chosen.branch,
        language=language,
        mode=mode,
    )
    found = judge_and_render(
        request,
        _draft(chosen, language, mode),
        chosen.document,
        jurisdiction=chosen.jurisdiction,
        on=on,
        restore=lambda text, unless=None: text,
        redactions={},
        attribution_line=_attribution_line(author, language),
        wire_name=wire_name,
    )
    return CannedAnswer(
        analysis=found.report.markdown,
        model=found.draft.model,
        certainty_locks=found.report.locks,
        citation_checks=citation_findings.on_the_wire(found.checks, language),
        report=found.report,
        audit=_audit(chosen, language) if mode == "deep" else None,
    )


def notes(chosen: Sample, language: Language, *, jurisdiction: str, branch: str) -> str:
    """Return what a reader of the answer should know, and what an override does and does not change."""
    remark = pick(
        language,
        "Respuesta de muestra escrita a mano sobre un documento ficticio: no consume créditos, no llama a "
        "ningún modelo y no lee el campo text. Las citas y los grados de certeza los comprueba el mismo "
        "código que en un análisis real.",
        "Canned answer written by hand about a fictional document: it costs no credits, calls no model "
        "and does not read the field text. Citations and locks are checked by the code that checks a real "
        "analysis.",
    )
    if (jurisdiction, branch) == (chosen.jurisdiction, chosen.branch):
        return remark
    own = f"{chosen.jurisdiction}, {chosen.branch}"
    return remark + pick(
        language,
        f" jurisdiction y legalBranch son los que ha pedido; el texto es el de la muestra ({own}).",
        f" jurisdiction and legalBranch are those you asked for; the text is the sample's ({own}).",
    )


def _draft(chosen: Sample, language: Language, mode: Mode) -> Draft:
    characters = len(chosen.document)
    auditor = (f"node B audit {MODEL_B}",) if mode == "deep" else ()
    return Draft(
        engine="sandbox",
        model=f"{MODEL_A}+{MODEL_B}" if mode == "deep" else MODEL_A,
        document_kind=chosen.kind.in_(language),
        summary=chosen.summary.in_(language),
        statements=tuple(_statement(one, language) for one in chosen.statements),
        analysed=characters,
        total=characters,
        modules=(f"canned answer {chosen.name}", *auditor),
        notes=(chosen.scope.in_(language),),
    )


def _statement(one: SampleStatement, language: Language) -> Statement:
    return Statement(
        section=one.section,
        text=pick(language, one.es, one.en),
        quotes=one.quotes,
        citations=one.citations,
        proposed=one.proposed,
        severity=one.severity,
        reason=pick(language, one.reason_es, one.reason_en),
        # Written by hand as a rule is: its legal basis is its author's reading of the law.
        origin="rules",
    )


def _audit(chosen: Sample, language: Language) -> dict[str, Any]:
    """Return the `AuditResult` (decision 020) without `processingMs`, which belongs to the request."""
    audit = chosen.audit
    findings = [
        {"type": one.type, "severity": one.severity, "description": pick(language, one.es, one.en)}
        for one in audit.findings
    ]
    return {
        "auditor": MODEL_B,
        "text": pick(language, audit.es, audit.en),
        "findings": findings,
        "overallSeverity": max((item["severity"] for item in findings), key=SEVERITIES.index, default="low"),
        "recommendations": pick(language, audit.recommendations_es, audit.recommendations_en),
        "audited": True,
    }


def _attribution_line(author: str | None, language: Language) -> str:
    return pick(
        language,
        f"Respuesta de muestra{f' de {author}' if author else ''}, escrita a mano: ningún modelo ha "
        "leído el documento. El grado de certeza de cada afirmación lo asigna código que lo ha "
        "comprobado. No es asesoramiento jurídico.",
        f"Canned answer{f' of {author}' if author else ''}, written by hand: no model has read the document. "
        "Certainty locks are assigned by code that checked them. It is not legal advice.",
    )
