"""OpenAI's Responses API, and the chat completions that other servers of its protocol speak."""

from __future__ import annotations

from typing import Any

import openai

from app.analysis.llm import clients, token_meter
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind, of_status
from app.analysis.llm.model import Answer, Question
from app.analysis.llm.structured_output import parsed


class OpenAI:
    """One attempt at a time: `app.analysis.llm.retries` repeats them."""

    vendor = "openai"

    def __init__(self, model: str, *, api_key: str, base_url: str, chat: bool = False) -> None:
        self.model = model
        self._key, self._url, self._chat = api_key, base_url, chat

    def attempt(self, question: Question, timeout_s: float) -> Answer:
        """Ask once. Raises `AttemptFailed`."""
        try:
            return (self._complete if self._chat else self._respond)(question, timeout_s)
        except openai.RateLimitError as error:
            raise of_status(429, error.response.headers.get("retry-after")) from None
        except openai.APITimeoutError:
            raise AttemptFailed(FailureKind.AWAY) from None
        except openai.APIConnectionError:
            raise AttemptFailed(FailureKind.AWAY) from None
        except openai.APIStatusError as error:
            raise of_status(error.status_code, error.response.headers.get("retry-after")) from None
        except openai.OpenAIError:
            raise AttemptFailed(FailureKind.MALFORMED) from None

    def _respond(self, question: Question, timeout_s: float) -> Answer:
        answer = self._client().responses.create(
            model=self.model,
            instructions=question.system,
            input=question.user,
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
        text = "".join(part.text for part in parts if part.type == "output_text")
        return Answer(parsed(text, question), answer.model or self.model, usage)

    def _complete(self, question: Question, timeout_s: float) -> Answer:
        answer = self._client().chat.completions.create(
            model=self.model,
            messages=[
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.user},
            ],
            max_completion_tokens=question.max_output_tokens,
            store=False,
            response_format={
                "type": "json_schema",
                "json_schema": {"name": question.name, "schema": dict(question.schema), "strict": True},
            },
            timeout=clients.timeout(timeout_s),
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
                calls=any(one.finish_reason == "tool_calls" for one in answer.choices or ()),
            )
        if not answer.choices:
            raise AttemptFailed(FailureKind.MALFORMED)
        choice = answer.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise AttemptFailed(FailureKind.REFUSED)
        if choice.finish_reason != "stop":
            raise AttemptFailed(FailureKind.CUT)
        return Answer(parsed(choice.message.content or "", question), answer.model or self.model, usage)

    def _client(self) -> openai.OpenAI:
        def make(transport: Any) -> openai.OpenAI:
            return openai.OpenAI(api_key=self._key, base_url=self._url, max_retries=0, http_client=transport)

        return clients.shared((self.vendor, self._url, self._key), make)
