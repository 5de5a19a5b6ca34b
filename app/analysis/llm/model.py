"""Define the port to a model: what it is asked, what it answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,119}")
# What this service calls what is no model: a server of somebody's must not pass for it.
_RESERVED: Final = ("rules", "audit", "sandbox", "submitted")


def is_model_name(name: object) -> bool:
    """Tell whether a text can be the name of a model in records and answers."""
    return isinstance(name, str) and bool(_NAME.fullmatch(name)) and not name.lower().startswith(_RESERVED)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call; `schema` is JSON Schema of its arguments, every property required."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """A call of a tool: `arguments` is the text that the model wrote, which need not be JSON."""

    id: str
    name: str
    arguments: str

    def __repr__(self) -> str:
        return f"<Call with {len(self.arguments)} characters>"


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What the tool called under `id` gave back; `failed` where that is an error."""

    id: str
    text: str
    failed: bool = False

    def __repr__(self) -> str:
        return f"<Result of {len(self.text)} characters>"


@dataclass(frozen=True, slots=True, repr=False)
class Exchange:
    """A round of calls: `said` is the answer in the vendor's own form, which it wants to see again."""

    said: Sequence[Mapping[str, Any]]
    results: tuple[Result, ...]

    def __repr__(self) -> str:
        return f"<Exchange of {len(self.results)} results>"


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """What a model is asked. `repr` shows no text.

    Attributes:
        name: names the schema on the wire (letters, digits, `_`).
        system: our instructions.
        user: the anonymised material.
        schema: JSON Schema of the answer, an object.
        max_output_tokens: bound of the answer.
        tools: what the model may call before it answers.
        exchanges: its calls so far with their results, anonymised too.
        must_answer: whether it may call no more.
        cache_key: the same for questions that begin alike, for a vendor that routes by it to its cache.
    """

    name: str
    system: str
    user: str
    schema: Mapping[str, Any]
    max_output_tokens: int = 16_000
    tools: tuple[Tool, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    must_answer: bool = False
    cache_key: str = ""

    def __repr__(self) -> str:
        return f"<Question {self.name} of {len(self.user)} characters>"

    @property
    def characters(self) -> int:
        """About how many characters are sent: instructions, material, schema, tools and exchanges."""
        written = [self.schema, *(one.schema for one in self.tools), *(one.said for one in self.exchanges)]
        return (
            len(self.system)
            + len(self.user)
            + sum(len(json.dumps(one, ensure_ascii=False)) for one in written)
            + sum(len(one.name) + len(one.description) for one in self.tools)
            + sum(len(result.text) for one in self.exchanges for result in one.results)
        )


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What a model answers: an object, or calls of tools.

    Attributes:
        value: fits the schema; empty where it calls.
        model: the identifier that the vendor gave.
        usage: counts of tokens.
        calls: what it asks of the tools before it answers.
        said: the answer in the vendor's own form, for `Exchange`; given with calls alone.
    """

    value: Mapping[str, Any]
    model: str
    usage: Mapping[str, int] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()
    said: Sequence[Mapping[str, Any]] = ()

    def __repr__(self) -> str:
        return f"<Answer of {self.model}>"


class Model(Protocol):
    """One model of one vendor. Thread-safe."""

    vendor: str
    model: str

    def ask(self, question: Question, *, deadline: float) -> Answer:
        """Ask until an answer fits the schema or `deadline` (monotonic seconds) has come.

        Calls are answered only where the question has tools; the caller runs them and asks again
        (`app.analysis.llm.tool_rounds`).

        Raises `app.analysis.errors.ModelFailed` (refused, cut off, not the schema: 502) or `ModelUnavailable`
        (vendor away, too busy, deadline, circuit open: 503). Neither error's text holds any of the question.
        """
        ...
