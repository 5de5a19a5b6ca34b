"""From a model's text to an object that fits the schema that was asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jsonschema

from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind
from app.analysis.llm.model import Answer, Call, Question, is_model_name

# Far more than any schema of ours needs; a deeper answer would exhaust the parser's stack.
_LONGEST = 2_000_000


def reading(read: Callable[[], Answer]) -> Answer:
    """Read an answer that the library has not checked against anything.

    Raises `AttemptFailed` (malformed) where it has not the form of the protocol.
    """
    try:
        return read()
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError):
        raise AttemptFailed(FailureKind.MALFORMED) from None


def named(given: object, chosen: str) -> str:
    """Return the identifier that a vendor gave, or the name that was chosen where it is none."""
    return str(given) if is_model_name(given) else chosen


def allowed(calls: tuple[Call, ...], question: Question) -> tuple[Call, ...]:
    """Return the calls of an answer. Raises `AttemptFailed` (malformed) where there was nothing to call."""
    if calls and not question.tools:
        raise AttemptFailed(FailureKind.MALFORMED)
    return calls


def sendable(said: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return an answer with calls, which is to be sent again.

    Raises `AttemptFailed` (malformed) where no request can carry it: half a character, a number that is none.
    """
    try:
        json.dumps(said, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise AttemptFailed(FailureKind.MALFORMED) from None
    return said


def sound(arguments: str) -> dict[str, Any]:
    """Return the arguments of a call as they can be sent again: `{}` where they are no object."""
    try:
        arguments.encode()
        found = json.loads(arguments)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def parsed(text: str, question: Question) -> Mapping[str, Any]:
    """Return the object in `text`. Raises `AttemptFailed` (malformed) without quoting any of it."""
    if len(text) > _LONGEST:
        raise AttemptFailed(FailureKind.MALFORMED)
    try:
        found = json.loads(text)
        # Half a character, or a number that is none, would fail wherever the answer is written.
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
        jsonschema.Draft202012Validator(question.schema).validate(found)
    except (ValueError, RecursionError, jsonschema.ValidationError):
        raise AttemptFailed(FailureKind.MALFORMED) from None
    if not isinstance(found, dict):
        raise AttemptFailed(FailureKind.MALFORMED)
    return found
