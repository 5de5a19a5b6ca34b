"""Have a language model object to a draft: its instructions, its question, its answer read back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, cast, get_args

from pydantic import field_validator

from app.analysis import llm
from app.analysis.audit.case import Case
from app.analysis.audit.finding import DESCRIPTION_MAX, SEVERITIES, Finding
from app.analysis.audit.objections import ACTIONS, FAULTS, Fault, Judge, JudgedObjection, Objection
from app.analysis.audit.passages import told
from app.analysis.llm import Model, Question, token_meter
from app.analysis.llm.drafting import fenced
from app.platform import settings
from app.platform.data_files import Entry, Filled, Texts, Wording, read_file
from app.rules import Family, Severity
from app.text.bilingual import Bilingual, pick

_FILE: Final = Path(__file__).with_name("data") / "node_b.toml"
_TEXT, _MOST, _WORDS = 4_000, 100, 600
NO_STATEMENT: Final = "none"

# Every property is required and none beyond: both vendors hold a model to a schema only in this form.
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text", "findings", "recommendations"],
    "properties": {
        "text": {"type": "string"},
        "findings": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["statement", "passage", "words", "fault", "severity", "reason", "action"],
                "properties": {
                    "statement": {
                        "type": "string",
                        "description": f"Id of the statement attacked (s1); {NO_STATEMENT} for an omission.",
                    },
                    "passage": {
                        "type": "string",
                        "description": "Id of the passage that shows it: of the document (d1) or a source.",
                    },
                    "words": {
                        "type": "string",
                        "description": "Words of that passage that show it, copied character by character.",
                    },
                    "fault": {"type": "string", "enum": list(FAULTS)},
                    "severity": {"type": "string", "enum": list(SEVERITIES)},
                    "reason": {"type": "string", "description": "What is wrong, in one or two sentences."},
                    "action": {"type": "string", "enum": list(ACTIONS)},
                },
            },
        },
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
    """The model's answer: the objections that count, and how many were made."""

    model: str
    text: str
    objections: tuple[JudgedObjection, ...]
    made: int
    recommendations: str

    def __repr__(self) -> str:
        return f"<Opinion of {len(self.objections)} objections>"


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
    faults: dict[str, Wording]
    checklist: dict[str, Wording]
    labels: _LabelsByLanguage

    @field_validator("faults")
    @classmethod
    def _has_every_fault(cls, faults: dict[str, Bilingual]) -> dict[str, Bilingual]:
        if set(faults) != set(FAULTS):
            raise ValueError(f"must have exactly {', '.join(FAULTS)}")
        return faults

    @field_validator("checklist")
    @classmethod
    def _has_every_family(cls, checklist: dict[str, Bilingual]) -> dict[str, Bilingual]:
        if set(checklist) != set(get_args(Family)):
            raise ValueError(f"must have exactly {', '.join(get_args(Family))}")
        return checklist


@cache
def _templates() -> _Templates:
    return read_file(_FILE, _Templates)


def version() -> str:
    """Return the version of the instructions; it goes into the audit record."""
    return f"node-b prompt {_templates().version}"


def ask(case: Case, certain: Sequence[Finding], judge: Judge, model: Model, *, deadline: float) -> Opinion:
    """Ask the model what it objects to, and keep what counts.

    Args:
        case: the draft and what it was made from.
        certain: what code objects to.
        judge: says which objections count; its passages are what they can name.
        model: node B's.
        deadline: in monotonic seconds.

    Raises:
        ModelFailed: the model answered with nothing usable (502).
        ModelUnavailable: the model cannot be asked now (503).
        BudgetSpent: the analysis has no tokens left for an audit.
    """
    question = Question("audit", _system(case), _material(case, certain, judge), SCHEMA)
    with token_meter.stage("audit"):
        answer = model.ask(question, deadline=deadline)
    made = [_objection(raw) for raw in answer.value["findings"][:_MOST]]
    return Opinion(
        model=answer.model,
        text=answer.value["text"].strip()[:_TEXT],
        objections=judge.kept([one for one in made if one is not None], case.judged),
        made=len(made),
        recommendations=answer.value["recommendations"].strip()[:_TEXT],
    )


def _objection(raw: Mapping[str, Any]) -> Objection | None:
    """Return an objection; `None` where what it attacks has no id of ours."""
    name = raw["statement"].strip(" []")
    place = None if name == NO_STATEMENT else _place(name)
    if place is None and name != NO_STATEMENT:
        return None
    return Objection(
        place,
        raw["passage"],
        raw["words"].strip()[:_WORDS],
        cast(Fault, raw["fault"]),
        cast(Severity, raw["severity"]),
        raw["reason"].strip()[:DESCRIPTION_MAX],
        raw["action"],
    )


def _place(name: str) -> int | None:
    number = name[1:]
    return int(number) - 1 if name[:1] == "s" and number.isascii() and number.isdigit() else None


def _system(case: Case) -> str:
    templates, language = _templates(), case.language
    return "\n".join(
        (
            *pick(language, templates.system.es, templates.system.en),
            *(f"- {fault}: {text.in_(language)}" for fault, text in templates.faults.items()),
            templates.checklist[case.family].in_(language),
        )
    )


def _material(case: Case, certain: Sequence[Finding], judge: Judge) -> str:
    labels = pick(case.language, _templates().labels.es, _templates().labels.en)
    statements = [
        {
            "id": f"s{number}",
            "by": judged.statement.origin,
            "section": judged.statement.section.value,
            "text": judged.statement.text,
            "quotes": list(judged.statement.quotes),
            "citations": list(judged.statement.citations),
            "lock": judged.lock.value,
            "severity": judged.statement.severity,
            "reason": judged.statement.reason,
        }
        for number, judged in enumerate(case.judged, 1)
        if not judged.withdrawn
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
            "statement": NO_STATEMENT if finding.statement is None else f"s{finding.statement + 1}",
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
            *((fenced("SOURCES", told(judge.law)),) if judge.law else ()),
            fenced("DOCUMENT", told(judge.document)),
        )
    )
