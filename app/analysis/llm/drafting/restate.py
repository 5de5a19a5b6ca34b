"""Have node A say in the words of the document what was refused for its wording: one request.

It can restate a statement or leave it, and add nothing. What it answers is a proposal like any other: code
judges it before it replaces anything (decision 095).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.analysis.llm import Model, Question, token_meter
from app.analysis.llm.drafting import proposal
from app.analysis.llm.drafting.draft_answers import Instructions, place_of
from app.analysis.llm.drafting.untrusted_text import fenced
from app.platform.data_files import Wording, read_file
from app.rules import Brief, Statement
from app.text.bilingual import Language

_FILE: Final = Path(__file__).with_name("data") / "restate.toml"
# What follows in mode deep costs more than this request and is worth more.
_TIMES_ROOM: Final = 4

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
                "required": ["statement", "text", "quotes"],
                "properties": {
                    "statement": {"type": "string", "description": "Id of the statement refused (s1)."},
                    "text": {
                        "type": "string",
                        "description": "The whole statement in the words of the document; empty to leave it.",
                    },
                    "quotes": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Words of the passages that it restates, copied exactly.",
                    },
                },
            },
        }
    },
}


@dataclass(frozen=True, slots=True)
class Refused:
    """One statement that code refused, as node A is told of it. `repr` shows no text.

    Attributes:
        place: the place of the statement in the draft, from 0.
        statement: the statement.
        reason: the name of what code found, of the reasons of the data file.
        words: its words and figures that have no place in the quotation.
        passages: the sentences of the document around its quotations.
        left_out: words of its quotation that limit it and that it leaves out.
        proposed: literal words of the document that would earn the lock; empty where code found none.
    """

    place: int
    statement: Statement
    reason: str
    words: tuple[str, ...]
    passages: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    proposed: str = ""

    def __repr__(self) -> str:
        return f"<Refused {self.place}: {self.reason}>"

    def as_told(self, language: Language) -> dict[str, Any]:
        """Return what node A reads about it, as JSON values."""
        return {
            "id": f"s{self.place + 1}",
            "text": self.statement.text,
            "quotes": list(self.statement.quotes),
            "reason": _templates().reasons[self.reason].in_(language),
            "words_without_place": list(self.words),
            "words_left_out": list(self.left_out),
            "passages": list(self.passages),
            "proposed": self.proposed,
        }


@dataclass(frozen=True, slots=True)
class Restatements:
    """Node A's restatements by the place of the statement; what it left has none."""

    model: str
    statements: Mapping[int, Statement] = field(default_factory=dict)


class _Templates(Instructions):
    """Texts of the instructions, with the reasons by the name of what code found."""

    reasons: dict[str, Wording]


@cache
def _templates() -> _Templates:
    return read_file(_FILE, _Templates)


def version() -> str:
    """Return the version of the instructions; it goes into the audit record."""
    return f"node-a-restatement prompt {_templates().version}"


def instructions(language: Language) -> str:
    """Return the instructions in the language of the answer."""
    return _templates().in_(language)


def ask(brief: Brief, refused: Sequence[Refused], model: Model, *, deadline: float) -> Restatements:
    """Ask for restatements, in one request; of none where the budget of tokens has little room left.

    Args:
        brief: what the draft was made from.
        refused: statements of that model.
        model: node A's.
        deadline: when to give up, in monotonic seconds.

    Raises:
        ModelFailed: the model answered with nothing usable (502).
        ModelUnavailable: the model cannot be asked now (503).
    """
    told = json.dumps([one.as_told(brief.language) for one in refused], ensure_ascii=False, indent=1)
    question = Question("restatement", instructions(brief.language), fenced("REFUSED", told), SCHEMA)
    if not token_meter.has_room(question, _TIMES_ROOM):
        return Restatements(model.model)
    with token_meter.stage("restatement"):
        answer = model.ask(question, deadline=deadline)
    return Restatements(answer.model, read(answer.value["answers"], refused))


def read(answers: Sequence[Mapping[str, Any]], refused: Sequence[Refused]) -> dict[int, Statement]:
    """Return restatements by place; the first of each counts, and what is none of `refused` is dropped."""
    told = {one.place: one.statement for one in refused}
    found: dict[int, Statement] = {}
    for raw in answers:
        place = place_of(raw["statement"])
        if place is None or place not in told or place in found:
            continue
        restated = proposal.restated(told[place], raw)
        if restated is not None and restated != told[place]:
            found[place] = restated
    return found
