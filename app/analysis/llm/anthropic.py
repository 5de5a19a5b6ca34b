"""Anthropic's Messages API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import anthropic
import httpx2

from app.analysis.llm import clients, token_meter
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind, of_status
from app.analysis.llm.model import Answer, Call, Question
from app.analysis.llm.structured_output import allowed, named, parsed, reading, sendable, sound

# The prompt up to a block with this mark is kept for five minutes. Writing costs a quarter more than reading
# without it, so that only what is sent again is marked; a request may have four marks.
_KEPT: Final = {"cache_control": {"type": "ephemeral"}}


class Anthropic:
    """One attempt at a time: `app.analysis.llm.retries` repeats them.

    Args:
        model: the model's name.
        api_key: the key.
        base_url: where it is.
        transport: how an account's own engine is reached; `None` for the operator's.
    """

    vendor = "anthropic"

    def __init__(
        self, model: str, *, api_key: str, base_url: str, transport: httpx2.Client | None = None
    ) -> None:
        self.model, self.own = model, transport is not None
        self._key, self._url = api_key, base_url
        self._own_client = None if transport is None else self._made(transport)

    def attempt(self, question: Question, timeout_s: float) -> Answer:
        """Ask once. Raises `AttemptFailed`."""
        return reading(lambda: self._ask(question, timeout_s))

    def _ask(self, question: Question, timeout_s: float) -> Answer:
        try:
            answer = self._client().messages.create(
                model=self.model,
                max_tokens=question.max_output_tokens,
                output_config={"format": {"type": "json_schema", "schema": dict(question.schema)}},
                timeout=clients.timeout(timeout_s),
                **_asked(question),
            )
        except anthropic.RateLimitError as error:
            raise of_status(429, error.response.headers.get("retry-after")) from None
        except anthropic.APITimeoutError:
            raise AttemptFailed(FailureKind.AWAY) from None
        except anthropic.APIConnectionError as error:
            raise clients.of_connection(error) from None
        except anthropic.APIStatusError as error:
            raise of_status(error.status_code, error.response.headers.get("retry-after")) from None
        except (anthropic.APIError, RecursionError):
            raise AttemptFailed(FailureKind.MALFORMED) from None
        read = answer.usage
        usage = token_meter.count(
            self.vendor,
            self.model,
            # This vendor counts what it read from its cache, and what it put there, apart.
            input=read.input_tokens
            + (read.cache_read_input_tokens or 0)
            + (read.cache_creation_input_tokens or 0),
            cached=read.cache_read_input_tokens,
            output=read.output_tokens,
            calls=answer.stop_reason == "tool_use",
            own=self.own,
        )
        if answer.stop_reason == "refusal":
            raise AttemptFailed(FailureKind.REFUSED)
        if answer.stop_reason not in ("end_turn", "tool_use"):
            raise AttemptFailed(FailureKind.CUT)
        calls = allowed(tuple(_calls(answer.content)), question)
        if calls:
            return Answer({}, named(answer.model, self.model), usage, calls, _said(answer.content))
        text = "".join(block.text for block in answer.content or () if block.type == "text")
        return Answer(parsed(text, question), named(answer.model, self.model), usage)

    def _client(self) -> anthropic.Anthropic:
        return self._own_client or clients.shared((self.vendor, self._url, self._key), self._made)

    def _made(self, transport: httpx2.Client) -> anthropic.Anthropic:
        return anthropic.Anthropic(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            http_client=transport,
            open_telemetry=False,
            default_headers=clients.own_headers(self._key) if self.own else None,
        )


def _asked(question: Question) -> dict[str, Any]:
    """Return what differs from question to question, from what seldom changes to what always does."""
    asked: dict[str, Any] = {"system": [{"type": "text", "text": question.system, **_KEPT}]}
    material: dict[str, Any] = {"type": "text", "text": question.user}
    if question.tools:
        *others, last = (
            {"name": one.name, "description": one.description, "input_schema": dict(one.schema)}
            for one in question.tools
        )
        asked["tools"] = [*others, {**last, **_KEPT}]
        if question.must_answer:
            asked["tool_choice"] = {"type": "none"}
        material |= _KEPT  # it is sent again with the results
    messages: list[dict[str, Any]] = [{"role": "user", "content": [material]}]
    for exchange in question.exchanges:
        results: list[dict[str, Any]] = [
            {"type": "tool_result", "tool_use_id": one.id, "content": one.text, "is_error": one.failed}
            for one in exchange.results
        ]
        messages += [
            {"role": "assistant", "content": list(exchange.said)},
            {"role": "user", "content": results},
        ]
    if question.exchanges:
        messages[-1]["content"][-1] |= _KEPT
    return {**asked, "messages": messages}


def _calls(content: Any) -> Iterator[Call]:
    for block in content or ():
        if block.type == "tool_use":
            yield Call(block.id, block.name, _written(block.input))


def _said(content: Any) -> Sequence[Mapping[str, Any]]:
    """Return an answer as it came: the vendor refuses one whose thoughts were left out or changed."""
    said = [block.to_dict() for block in content]
    for block in said:
        if block["type"] == "tool_use":
            block["input"] = sound(_written(block["input"]))
    return sendable(said)


def _written(arguments: Any) -> str:
    try:
        return json.dumps(arguments, ensure_ascii=False)
    except RecursionError:
        return ""
