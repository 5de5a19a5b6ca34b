"""Audit one analysis: code's findings, a model's where one is set, and what to do about them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.analysis.audit import checks, model_audit
from app.analysis.audit.case import Case
from app.analysis.audit.finding import SEVERITIES, Finding, FindingType, merged, worst
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.llm import Model
from app.analysis.llm.token_meter import BudgetSpent
from app.rules import Severity
from app.text.bilingual import pick

_ADVICE: dict[FindingType, tuple[str, str]] = {
    "hallucination": (
        "Cotejar con el documento las afirmaciones señaladas y suprimir las que no consten en él.",
        "Compare the statements named with the document and remove those that are not in it.",
    ),
    "citation_error": (
        "Corregir o suprimir las citas señaladas antes de usar el análisis.",
        "Correct or remove the citations named before using the analysis.",
    ),
    "missing_clause": (
        "Valorar si las cláusulas que faltan deben incorporarse al documento.",
        "Consider whether the missing clauses should be added to the document.",
    ),
    "weak_reasoning": (
        "Rebajar la rotundidad de lo afirmado o completar su apoyo.",
        "Weaken the statements or complete their support.",
    ),
    "other": (
        "Revisar los puntos señalados que el análisis no trata.",
        "Review the points named that the analysis does not cover.",
    ),
}

_NO_TOKENS = (
    "El análisis alcanzó su límite de tokens antes de la auditoría del modelo; audita solo el código. ",
    "The analysis met its limit of tokens before the model's audit; code alone audited it. ",
)


@dataclass(frozen=True, slots=True)
class Audit:
    """AuditResult (decision 020). Texts are anonymised as the draft is; `modules` go to the audit block."""

    auditor: str
    text: str
    findings: tuple[Finding, ...]
    severity: Severity
    recommendations: str
    processing_ms: int
    modules: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Audit of {len(self.findings)} findings>"

    def with_texts(self, change: Callable[[str], str]) -> Audit:
        """Return the audit with its texts changed by `change`, such as to restore masked values."""
        return replace(
            self,
            text=change(self.text),
            recommendations=change(self.recommendations),
            findings=tuple(replace(one, description=change(one.description)) for one in self.findings),
        )

    def renumbered(self, places: Sequence[int]) -> Audit:
        """Return the audit with findings that name statements by their place in the written analysis.

        Args:
            places: for each statement as written, its place in the draft; what was withdrawn is missing.
        """
        written = {place: number for number, place in enumerate(places)}
        return replace(
            self,
            findings=tuple(
                # What was withdrawn has no place any more.
                one if one.statement is None else replace(one, statement=written.get(one.statement))
                for one in self.findings
            ),
        )

    def on_the_wire(self) -> dict[str, Any]:
        """Return AuditResult (decision 020); a finding's `statement` counts from 1."""
        return {
            "auditor": self.auditor,
            "text": self.text,
            "findings": [
                {
                    "type": finding.type,
                    "severity": finding.severity,
                    "description": finding.description,
                    **({} if finding.statement is None else {"statement": finding.statement + 1}),
                }
                for finding in self.findings
            ],
            "overallSeverity": self.severity,
            "recommendations": self.recommendations,
            "processingMs": self.processing_ms,
            "audited": True,
        }

    def counts(self) -> dict[str, int]:
        """Count the findings of each type and severity, for the audit record."""
        found = Counter(f"{finding.type} {finding.severity}" for finding in self.findings)
        return dict(sorted(found.items()))


def run_audit(case: Case, model: Model | None, *, deadline: float) -> Audit:
    """Audit `case`, by code and, where `model` is given, by a model as well.

    The CPU lock is held while code works and not while the model is waited for.

    Raises:
        ModelFailed: the model answered with nothing usable (502). An audit is whole or it is none.
        ModelUnavailable: the model cannot be asked now (503).
    """
    started = time.monotonic()
    with CPU_LOCK:
        certain = checks.find_objections(case)
    modules = [f"node B deterministic auditor {checks.MODEL}"]
    view = None
    before = ""
    if model is not None:
        try:
            view = model_audit.ask(case, certain, model, deadline=deadline)
        except BudgetSpent:
            modules.append(f"token budget met before {model.vendor}")
            before = pick(case.language, *_NO_TOKENS)
    if view is None:
        findings = merged(certain, ())
        auditor, severity, advice = checks.MODEL, worst(findings), ""
        text = before + _summary(case, findings)
    else:
        findings = merged(certain, view.findings)
        auditor, text, advice = view.model, view.text, view.recommendations
        severity = max(worst(findings), view.severity, key=SEVERITIES.index)
        assert model is not None
        modules += [f"node B {model.vendor} {view.model}", model_audit.version()]
    return Audit(
        auditor=auditor,
        text=text or _summary(case, findings),
        findings=findings,
        severity=severity,
        recommendations=advice or _recommendations(case, findings),
        processing_ms=max(1, round((time.monotonic() - started) * 1000)),
        modules=tuple(modules),
    )


def _summary(case: Case, findings: tuple[Finding, ...]) -> str:
    quotes = sum(len(judged.statement.quotes) for judged in case.judged)
    citations = sum(len(judged.statement.citations) for judged in case.judged)
    levels = Counter(finding.severity for finding in findings)
    done = pick(
        case.language,
        f"El auditor determinista ha cotejado {len(case.judged)} afirmaciones, {quotes} citas literales y "
        f"{citations} bases legales con el documento, con el registro de normas y con lo que las reglas "
        "encuentran por sí mismas.",
        f"The deterministic auditor compared {len(case.judged)} statements, {quotes} quotations and "
        f"{citations} legal bases with the document, the registry of norms and the findings of the rules.",
    )
    if not findings:
        return done + pick(
            case.language,
            " No tiene objeciones. Que no las tenga no prueba que el análisis sea completo.",
            " It has no objections. This does not prove that the analysis is complete.",
        )
    return done + pick(
        case.language,
        f" Objeciones: {levels['high']} de gravedad alta, {levels['medium']} media y {levels['low']} baja.",
        f" Objections: {levels['high']} of high severity, {levels['medium']} medium and {levels['low']} low.",
    )


def _recommendations(case: Case, findings: tuple[Finding, ...]) -> str:
    kinds = dict.fromkeys(finding.type for finding in findings)
    if not kinds:
        return pick(
            case.language,
            "Sin correcciones que proponer; un profesional debe revisar el análisis antes de usarlo.",
            "No corrections to propose; a professional should review the analysis before using it.",
        )
    return " ".join(pick(case.language, *_ADVICE[kind]) for kind in kinds)
