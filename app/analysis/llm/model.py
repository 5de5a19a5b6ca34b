"""Define the port to a model: what it is asked, what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """`system` are our instructions, `user` the anonymised material; `schema` is JSON Schema of an object.

    `name` names the schema on the wire (letters, digits, `_`). `repr` shows no text.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]
    max_output_tokens: int = 16_000

    def __repr__(self) -> str:
        return f"<Question {self.name} of {len(self.user)} characters>"


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """`value` fits the schema; `model` is the identifier that the vendor gave; `usage` counts tokens."""

    value: Mapping[str, Any]
    model: str
    usage: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Answer of {self.model}>"


class Model(Protocol):
    """One model of one vendor. Thread-safe."""

    vendor: str
    model: str

    def ask(self, question: Question, *, deadline: float) -> Answer:
        """Ask until an answer fits the schema or `deadline` (monotonic seconds) has come.

        Raises `app.analysis.errors.ModelFailed` (refused, cut off, not the schema: 502) or `ModelUnavailable`
        (vendor away, too busy, deadline, circuit open: 503). Neither error's text holds any of the question.
        """
        ...
