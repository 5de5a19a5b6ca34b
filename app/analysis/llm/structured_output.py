"""From a model's text to an object that fits the schema that was asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema

from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind
from app.analysis.llm.model import Question

# Far more than any schema of ours needs; a deeper answer would exhaust the parser's stack.
_LONGEST = 2_000_000


def parsed(text: str, question: Question) -> Mapping[str, Any]:
    """Return the object in `text`. Raises `AttemptFailed` (malformed) without quoting any of it."""
    if len(text) > _LONGEST:
        raise AttemptFailed(FailureKind.MALFORMED)
    try:
        found = json.loads(text)
        jsonschema.Draft202012Validator(question.schema).validate(found)
    except (ValueError, RecursionError, jsonschema.ValidationError):
        raise AttemptFailed(FailureKind.MALFORMED) from None
    if not isinstance(found, dict):
        raise AttemptFailed(FailureKind.MALFORMED)
    return found
