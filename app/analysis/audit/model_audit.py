"""Have a language model audit: its instructions, its question, its answer read back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from app.analysis import llm
from app.analysis.audit.case import Case
from app.analysis.audit.finding import FINDINGS, SEVERITIES, Finding, FindingType
from app.analysis.llm import Model, Question, token_meter
from app.analysis.llm.drafting import fenced
from app.platform import settings
from app.platform.data_files import Entry, Filled, Texts, read_file
from app.rules import Severity
from app.text.bilingual import pick

_FILE = Path(__file__).with_name("data") / "node_b.toml"
_TEXT, _MOST = 4_000, 100

_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text", "findings", "overall_severity", "recommendations"],
    "properties": {
        "text": {"type": "string"},
        "findings": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["type", "severity", "statement", "description"],
                "properties": {
                    "type": {"type": "string", "enum": list(FINDINGS)},
                    "severity": {"type": "string", "enum": list(SEVERITIES)},
                    "statement": {
                        "type": "integer",
                        "description": "Number of the statement attacked, 0 for the analysis as a whole.",
                    },
                    "description": {"type": "string"},
                },
            },
        },
        "overall_severity": {"type": "string", "enum": list(SEVERITIES)},
        "recommendations": {"type": "string"},
    },
}


@cache
def auditor(engine: str) -> Model | None:
    """Return the model that audits under the setting `NODE_B_ENGINE`; `None` where code audits alone."""
    for vendor in llm.NAMES:
        if vendor == engine:
            return llm.model(vendor, "b", settings.current())
    return None


@dataclass(frozen=True, slots=True)
class Opinion:
    """The model's answer, cut to the limits of an AuditResult."""

    model: str
    text: str
    findings: tuple[Finding, ...]
    severity: Severity
    recommendations: str


class _Instructions(Entry):
    es: Texts
    en: Texts


class _Labels(Entry):
    jurisdiction: Filled
    branch: Filled
    analysis: Filled


class _LabelsByLanguage(Entry):
    es: _Labels
    en: _Labels


class _Templates(Entry):
    """Texts of node B's instructions."""

    version: Filled
    system: _Instructions
    labels: _LabelsByLanguage


@cache
def _templates() -> _Templates:
    return read_file(_FILE, _Templates)


def version() -> str:
    """Return the version of the instructions; it goes into the audit record."""
    return f"node-b prompt {_templates().version}"


def ask(case: Case, certain: Sequence[Finding], model: Model, *, deadline: float) -> Opinion:
    """Ask the model for its audit.

    Raises:
        ModelFailed: the model answered with nothing usable (502).
        ModelUnavailable: the model cannot be asked now (503).
        BudgetSpent: the analysis has no tokens left for an audit.
    """
    instructions = _templates().system
    system = "\n".join(pick(case.language, instructions.es, instructions.en))
    question = Question("audit", system, _material(case, certain), _SCHEMA)
    with token_meter.stage("audit"):
        answer = model.ask(question, deadline=deadline)
    value = answer.value
    return Opinion(
        model=answer.model,
        text=value["text"].strip()[:_TEXT],
        findings=tuple(_finding(raw, len(case.judged)) for raw in value["findings"][:_MOST]),
        severity=cast(Severity, value["overall_severity"]),
        recommendations=value["recommendations"].strip()[:_TEXT],
    )


def _finding(raw: Mapping[str, Any], statements: int) -> Finding:
    number = raw["statement"]
    return Finding(
        cast(FindingType, raw["type"]),
        cast(Severity, raw["severity"]),
        raw["description"].strip(),
        number - 1 if 1 <= number <= statements else None,
    )


def _material(case: Case, certain: Sequence[Finding]) -> str:
    labels = pick(case.language, _templates().labels.es, _templates().labels.en)
    statements = [
        {
            "number": number,
            "section": judged.statement.section.value,
            "text": judged.statement.text,
            "quotes": list(judged.statement.quotes),
            "citations": list(judged.statement.citations),
            "lock": judged.lock.value,
            "severity": judged.statement.severity,
            "reason": judged.statement.reason,
        }
        for number, judged in enumerate(case.judged, 1)
    ]
    verdicts = [
        {
            "citation": item.citation.text,
            "status": item.verdict.status,
            "note": pick(case.language, item.verdict.note, item.verdict.note_en),
        }
        for item in case.checks
    ]
    found = [
        {
            "type": finding.type,
            "severity": finding.severity,
            "statement": 0 if finding.statement is None else finding.statement + 1,
            "description": finding.description,
        }
        for finding in certain
    ]
    head = f"{labels.jurisdiction}: {case.jurisdiction}. {labels.branch}: {case.branch}."
    return "\n\n".join(
        (
            head,
            f"{labels.analysis}\n{case.draft.document_kind}\n{case.draft.summary}",
            fenced("STATEMENTS", json.dumps(statements, ensure_ascii=False)),
            fenced("VERDICTS", json.dumps(verdicts, ensure_ascii=False)),
            fenced("FOUND BY CODE", json.dumps(found, ensure_ascii=False)),
            fenced("DOCUMENT", case.document),
        )
    )
