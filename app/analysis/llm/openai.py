"""OpenAI's Responses API, and the chat completions that other servers of its protocol speak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai

from app.analysis.llm import clients, token_meter
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind, of_status
from app.analysis.llm.model import Answer, Call, Question
from app.analysis.llm.structured_output import allowed, named, parsed, reading, sendable, sound


class OpenAI:
    """One attempt at a time: `app.analysis.llm.retries` repeats them.

    Args:
        model: the model's name.
        api_key: the key.
        base_url: where it is.
        chat: whether to speak chat completions, and not Responses.
        transport: how an account's own engine is reached; `None` for the operator's.
    """

    vendor = "openai"

    def __init__(
        self,
        model: str,
        *,
        api_key: str,
        base_url: str,
        chat: bool = False,
        transport: httpx2.Client | None = None,
    ) -> None:
        self.model, self.own = model, transport is not None
        self._key, self._url, self._chat = api_key, base_url, chat
        self._own_client = None if transport is None else self._made(transport)

    def attempt(self, question: Question, timeout_s: float) -> Answer:
        """Ask once. Raises `AttemptFailed`."""
        return reading(lambda: self._ask(question, timeout_s))

    def _ask(self, question: Question, timeout_s: float) -> Answer:
        try:
            return (self._complete if self._chat else self._respond)(question, timeout_s)
        except openai.RateLimitError as error:
            raise of_status(429, error.response.headers.get("retry-after")) from None
        except openai.APITimeoutError:
            raise AttemptFailed(FailureKind.AWAY) from None
        except openai.APIConnectionError as error:
            raise clients.of_connection(error) from None
        except openai.APIStatusError as error:
            raise of_status(error.status_code, error.response.headers.get("retry-after")) from None
        except (openai.OpenAIError, RecursionError):
            raise AttemptFailed(FailureKind.MALFORMED) from None

    def _respond(self, question: Question, timeout_s: float) -> Answer:
        answer: Any = self._client().responses.create(
            model=self.model,
            instructions=question.system,
            max_output_tokens=question.max_output_tokens,
            # The vendor keeps answers by default, and nothing of a document may be kept.
            store=False,
            text={
                "format": {
                    "type": "json_schema",
                    "name": question.name,
                    "schema": dict(question.schema),
                    "strict": True,
                }
            },
            timeout=clients.timeout(timeout_s),
            **_items(question),
        )
        usage, read = {}, answer.usage
        if read is not None:
            usage = token_meter.count(
                self.vendor,
                self.model,
                input=read.input_tokens,
                cached=read.input_tokens_details.cached_tokens if read.input_tokens_details else 0,
                output=read.output_tokens,
                calls=any(item.type == "function_call" for item in answer.output or ()),
                own=self.own,
            )
        if answer.status == "failed":
            raise AttemptFailed(FailureKind.AWAY)
        if answer.status != "completed":
            raise AttemptFailed(FailureKind.CUT)
        parts = [
            part for item in answer.output or () if item.type == "message" for part in item.content or ()
        ]
        if any(part.type == "refusal" for part in parts):
            raise AttemptFailed(FailureKind.REFUSED)
        found = (item for item in answer.output or () if item.type == "function_call")
        calls = allowed(tuple(Call(one.call_id, one.name, one.arguments) for one in found), question)
        if calls:
            said = sendable(list(_repeated(answer.output)))
            return Answer({}, named(answer.model, self.model), usage, calls, said)
        text = "".join(part.text for part in parts if part.type == "output_text")
        return Answer(parsed(text, question), named(answer.model, self.model), usage)

    def _complete(self, question: Question, timeout_s: float) -> Answer:
        answer: Any = self._client().chat.completions.create(
            model=self.model,
            max_completion_tokens=question.max_output_tokens,
            store=False,
            response_format={
                "type": "json_schema",
                "json_schema": {"name": question.name, "schema": dict(question.schema), "strict": True},
            },
            timeout=clients.timeout(timeout_s),
            **_messages(question),
        )
        usage, read = {}, answer.usage
        if read is not None:
            details = read.prompt_tokens_details
            usage = token_meter.count(
                self.vendor,
                self.model,
                input=read.prompt_tokens,
                cached=details.cached_tokens if details else 0,
                output=read.completion_tokens,
                calls=any(one.message.tool_calls for one in answer.choices or ()),
                own=self.own,
            )
        if not answer.choices:
            raise AttemptFailed(FailureKind.MALFORMED)
        choice = answer.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise AttemptFailed(FailureKind.REFUSED)
        if choice.finish_reason not in ("stop", "tool_calls"):
            raise AttemptFailed(FailureKind.CUT)
        calls = allowed(tuple(_called(choice.message)), question)
        if calls:
            made = [
                {
                    "id": one.id,
                    "type": "function",
                    "function": {"name": one.name, "arguments": json.dumps(sound(one.arguments))},
                }
                for one in calls
            ]
            said = sendable([{"role": "assistant", "content": choice.message.content, "tool_calls": made}])
            return Answer({}, named(answer.model, self.model), usage, calls, said)
        text = choice.message.content or ""
        return Answer(parsed(text, question), named(answer.model, self.model), usage)

    def _client(self) -> openai.OpenAI:
        return self._own_client or clients.shared((self.vendor, self._url, self._key), self._made)

    def _made(self, transport: httpx2.Client) -> openai.OpenAI:
        return openai.OpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            http_client=transport,
            default_headers=clients.own_headers(self._key) if self.own else None,
        )


def _items(question: Question) -> dict[str, Any]:
    """Return what a request of Responses has of the question, and of its tools where it has any."""
    asked: dict[str, Any] = {"input": question.user}
    if question.cache_key:
        asked["prompt_cache_key"] = question.cache_key
    if not question.tools:
        return asked
    # Nothing is kept by the vendor, so that its thoughts have to be sent along, sealed, with the results.
    asked["include"] = ["reasoning.encrypted_content"]
    asked["tools"] = [{"type": "function", **one} for one in _functions(question)]
    if question.must_answer:
        asked["tool_choice"] = "none"
    items: list[Any] = [{"role": "user", "content": question.user}]
    for exchange in question.exchanges:
        items += exchange.said
        items += [
            {"type": "function_call_output", "call_id": one.id, "output": one.text}
            for one in exchange.results
        ]
    return {**asked, "input": items}


def _repeated(output: Any) -> Iterator[dict[str, Any]]:
    """Yield an answer's items as the next request repeats them: without ids, under which nothing is kept."""
    for item in output or ():
        if item.type == "function_call":
            call = Call(item.call_id, item.name, item.arguments)
            yield {
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": json.dumps(sound(call.arguments)),
            }
        elif item.type == "reasoning" and item.encrypted_content:
            yield {"type": "reasoning", "summary": [], "encrypted_content": item.encrypted_content}
        elif item.type == "message":
            text = "".join(part.text for part in item.content or () if part.type == "output_text")
            if text:
                yield {"role": "assistant", "content": text}


def _messages(question: Question) -> dict[str, Any]:
    """Return what a request of chat completions has of the question, and of its tools where it has any."""
    messages: list[Any] = [
        {"role": "system", "content": question.system},
        {"role": "user", "content": question.user},
    ]
    if not question.tools:
        return {"messages": messages}
    for exchange in question.exchanges:
        messages += exchange.said
        messages += [
            {"role": "tool", "tool_call_id": one.id, "content": one.text} for one in exchange.results
        ]
    tools = [{"type": "function", "function": one} for one in _functions(question)]
    choice = {"tool_choice": "none"} if question.must_answer else {}
    return {"messages": messages, "tools": tools, **choice}


def _functions(question: Question) -> list[dict[str, Any]]:
    return [
        {"name": one.name, "description": one.description, "parameters": dict(one.schema), "strict": True}
        for one in question.tools
    ]


def _called(message: Any) -> Iterator[Call]:
    for one in message.tool_calls or ():
        function = getattr(one, "function", None)
        yield Call(one.id, function.name if function else "", (function.arguments if function else "") or "")
