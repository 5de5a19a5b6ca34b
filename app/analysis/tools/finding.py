"""Values that tools share: what they know of the document, what they give back, why they refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

import marshmallow as ma

from app.analysis.llm import Tool
from app.rules import Source
from app.text.bilingual import Language


class Refused(Exception):
    """The arguments are wrong; the message says which and how, for the model that wrote them."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The document's jurisdiction, its day where that is known (else that of the request), the language."""

    jurisdiction: str
    day: date
    language: Language


@dataclass(frozen=True, slots=True)
class Found:
    """What a tool found: sources that can be cited by their ids, and what else there is to say."""

    sources: tuple[Source, ...] = ()
    note: str = ""

    def __repr__(self) -> str:
        return f"<Found {len(self.sources)} sources>"


@dataclass(frozen=True, slots=True)
class RunnableTool:
    """A tool with what runs it: arguments that fit its schema in, without those that are null."""

    tool: Tool
    run: Callable[[Scope, Mapping[str, Any]], Found]


def loaded(schema: ma.Schema, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the operation behind a route takes them. Raises `Refused` naming what is wrong."""
    try:
        body: dict[str, Any] = schema.load(given)
    except ma.ValidationError as error:
        messages = error.messages if isinstance(error.messages, dict) else {"": error.messages}
        told = (f"{name}: {' '.join(map(str, why))}" for name, why in messages.items())
        raise Refused(" ".join(told)) from None
    return body


def name_of(kind: str, *parts: object) -> str:
    """Return an id for what was computed or judged: the same for the same question."""
    return f"{kind}-{sha256(repr(parts).encode()).hexdigest()[:8]}"
