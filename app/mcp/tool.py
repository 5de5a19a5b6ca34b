"""A tool: what it is called, what it takes and gives, and the operation that it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import marshmallow as ma

from app.mcp.json_schema import Schema
from app.platform.errors import Invalid
from app.platform.web import openapi
from app.tenancy import Caller, Scope


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool. `repr` shows no argument.

    `body` are the arguments as their schema loaded them, `raw` as they were sent, without those that are
    null; `key` is the caller's idempotency key.
    """

    caller: Caller
    request_id: str
    body: dict[str, Any] = field(repr=False)
    raw: dict[str, Any] = field(repr=False)
    key: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Result of a tool. `repr` shows none of it.

    `caps` say what a limit left out; `credits_charged` is what was charged just now, which the result repeats
    unless it has a figure of its own.
    """

    content: dict[str, Any] = field(repr=False)
    caps: tuple[str, ...] = ()
    credits_charged: int = 0


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Args:
        arguments: reads and checks what is sent, as the HTTP route does.
        words: descriptions of arguments that fit a tool better than those of the HTTP interface.
        result: JSON Schema of the structured result.
        scope: what the HTTP route asks for, beside the scope `mcp`.
        spends: whether it charges credits and writes the audit trail; it is then no read-only tool.
        leaves: whether it may ask a service outside this process.
        background: tells of a call whether it is worth a task, where the client can follow one.
        compact: whether its text is the decided JSON alone, without what every result has.
    """

    name: str
    title: str
    description: str
    arguments: ma.Schema
    result: Schema
    run: Callable[[Call], ToolResult]
    scope: Scope | None = "query"
    words: Mapping[str, str] = field(default_factory=dict)
    spends: bool = False
    leaves: bool = False
    background: Callable[[Call], bool] | None = None
    most_characters: int = 200_000
    compact: bool = False

    def load(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as the operation takes them. Raises `Invalid` naming each wrong one."""
        known = {one.data_key or name for name, one in self.arguments.fields.items()}
        for name in raw:
            if name not in known:
                there = ", ".join(sorted(known)) or "none"
                raise Invalid(
                    f"{name[:60]}: is not an argument of {self.name}, which has: {there}.",
                    details={"field": name[:60], "allowed": sorted(known)},
                )
        try:
            loaded: dict[str, Any] = self.arguments.load(raw)
        except ma.ValidationError as error:
            raise openapi.first_problem(error.messages) from None
        return loaded


def given(raw: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return arguments without those that are null, which are as good as not given (decision 003)."""
    return {name: value for name, value in (raw or {}).items() if value is not None}
