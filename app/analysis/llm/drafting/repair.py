"""Have node A answer what is objected to its draft: one request, in which it can amend but add nothing.

Only a model's own statements can be attacked here, and only attacked ones change: the floor of the rules
stands whatever a model answers (decision 072).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from app.analysis.llm import Model, Question, token_meter
from app.analysis.llm.drafting import prompt, proposal
from app.analysis.llm.drafting.draft_answers import Instructions, place_of
from app.analysis.llm.drafting.untrusted_text import fenced
from app.platform.data_files import read_file
from app.rules import Brief, Draft, Lock, Statement

Action = Literal["amend", "lower", "withdraw", "stand_by"]

_FILE: Final = Path(__file__).with_name("data") / "repair.toml"
_WHY: Final = 600
# A longer document is not told again: the passages that were named are.
_DOCUMENT: Final = 60_000

# Every property is required and none beyond: both vendors hold a model to a schema only in this form.
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["answers"],
    "properties": {
        "answers": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["statement", "action", "text", "quotes", "citations", "why"],
                "properties": {
                    "statement": {"type": "string", "description": "Id of the statement attacked (s1)."},
                    "action": {"type": "string", "enum": list(get_args(Action))},
                    "text": {
                        "type": "string",
                        "description": "The whole statement as amended, worded as told; else empty.",
                    },
                    "quotes": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Words of the document that prove it, copied character by character.",
                    },
                    "citations": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Legal authorities it rests on, or ids of sources.",
                    },
                    "why": {"type": "string", "description": "Why you stand by it, amend or withdraw it."},
                },
            },
        }
    },
}


@dataclass(frozen=True, slots=True)
class Attack:
    """One objection to a statement of the draft, as node A is told it. `repr` shows no text.

    Attributes:
        statement: the place of the statement, from 0.
        by: who objects; what code found is certain.
        reason: what is wrong.
        passage: id of the passage that shows it, empty where code objects.
        words: of that passage.
        around: the whole passage.
    """

    statement: int
    by: Literal["code", "node B"]
    reason: str
    passage: str = ""
    words: str = ""
    around: str = ""

    def __repr__(self) -> str:
        return f"<Attack on {self.statement}>"


@dataclass(frozen=True, slots=True)
class Answered:
    """What node A does about one statement; `amended` where it corrects it. `repr` shows no text."""

    action: Action
    why: str
    amended: Statement | None = None

    def __repr__(self) -> str:
        return f"<Answered {self.action}>"


@dataclass(frozen=True, slots=True)
class Repair:
    """Node A's answers by the place of the statement; an attack without one is stood by."""

    model: str
    answers: Mapping[int, Answered] = field(default_factory=dict)
    usage: Mapping[str, int] = field(default_factory=dict)

    @property
    def withdrawn(self) -> frozenset[int]:
        """The places of the statements that node A takes back."""
        return frozenset(place for place, one in self.answers.items() if one.action == "withdraw")

    def applied(self, draft: Draft) -> Draft:
        """Return `draft` with amended and lowered statements; withdrawn ones keep their places."""
        statements = list(draft.statements)
        for place, one in self.answers.items():
            if one.amended is not None:
                statements[place] = one.amended
            elif one.action == "lower":
                statements[place] = replace(statements[place], proposed=Lock.L4)
        return replace(draft, statements=tuple(statements))


@cache
def _instructions() -> Instructions:
    return read_file(_FILE, Instructions)


def version() -> str:
    """Return the version of the instructions; it goes into the audit record.

    How to word a statement comes from the first instructions and has their version.
    """
    return f"node-a-repair prompt {_instructions().version}"


def ask(brief: Brief, draft: Draft, attacks: Sequence[Attack], model: Model) -> Repair:
    """Ask for an answer to each statement attacked, in one request.

    Args:
        brief: what the draft was made from.
        draft: node A's.
        attacks: on statements of a model's alone.
        model: node A's.

    Raises:
        ModelFailed: the model answered with nothing usable (502).
        ModelUnavailable: the model cannot be asked now (503).
    """
    system = "\n".join([_instructions().in_(brief.language), prompt.wording(brief.language)])
    question = Question("repair", system, _material(brief, draft, attacks), SCHEMA)
    with token_meter.stage("repair"):
        answer = model.ask(question, deadline=brief.deadline)
    attacked = {one.statement for one in attacks}
    answers: dict[int, Answered] = {}
    for raw in answer.value["answers"]:
        place = place_of(raw["statement"])
        if place is not None and place in attacked:
            answers.setdefault(place, _answered(raw, draft.statements[place], brief))
    return Repair(answer.model, answers, answer.usage)


def _answered(raw: Mapping[str, Any], statement: Statement, brief: Brief) -> Answered:
    action, why = cast(Action, raw["action"]), raw["why"].strip()[:_WHY]
    if action != "amend":
        return Answered(action, why)
    amended = proposal.amended(statement, raw, brief.sources)
    # To say the same again is to stand by it.
    return Answered("stand_by", why) if amended in (None, statement) else Answered(action, why, amended)


def _material(brief: Brief, draft: Draft, attacks: Sequence[Attack]) -> str:
    places = sorted({one.statement for one in attacks})
    statements = [_told(place, draft.statements[place]) for place in places]
    objections = [
        {
            "statement": f"s{one.statement + 1}",
            "by": one.by,
            "reason": one.reason,
            "passage": one.passage,
            "words": one.words,
        }
        for one in attacks
    ]
    parts = [
        fenced("STATEMENTS", json.dumps(statements, ensure_ascii=False)),
        fenced("OBJECTIONS", json.dumps(objections, ensure_ascii=False)),
    ]
    if brief.sources:
        parts.append(fenced("SOURCES", "\n".join(f"[{one.id}] {one.text}" for one in brief.sources)))
    if len(brief.text) <= _DOCUMENT:
        parts.append(fenced("DOCUMENT", brief.text))
    else:
        parts.append(fenced("PASSAGES", "\n".join(_named(attacks))))
    return "\n\n".join(parts)


def _told(place: int, statement: Statement) -> dict[str, Any]:
    return {
        "id": f"s{place + 1}",
        "section": statement.section.value,
        "text": statement.text,
        "quotes": list(statement.quotes),
        "citations": list(statement.citations),
        "severity": statement.severity,
        "reason": statement.reason,
    }


def _named(attacks: Sequence[Attack]) -> Iterable[str]:
    """Yield each passage that an objection names, once."""
    return (
        f"[{name}] {text}"
        for name, text in {one.passage: one.around for one in attacks if one.around}.items()
    )
