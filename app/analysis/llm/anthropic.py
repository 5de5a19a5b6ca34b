"""Anthropic's Messages API."""

from __future__ import annotations

from typing import Any

import anthropic

from app.analysis.llm import clients, token_meter
from app.analysis.llm.failure_reasons import AttemptFailed, FailureKind, of_status
from app.analysis.llm.model import Answer, Question
from app.analysis.llm.structured_output import parsed


class Anthropic:
    """One attempt at a time: `app.analysis.llm.retries` repeats them."""

    vendor = "anthropic"

    def __init__(self, model: str, *, api_key: str, base_url: str) -> None:
        self.model = model
        self._key, self._url = api_key, base_url

    def attempt(self, question: Question, timeout_s: float) -> Answer:
        """Ask once. Raises `AttemptFailed`."""
        try:
            answer = self._client().messages.create(
                model=self.model,
                max_tokens=question.max_output_tokens,
                system=question.system,
                messages=[{"role": "user", "content": question.user}],
                output_config={"format": {"type": "json_schema", "schema": dict(question.schema)}},
                timeout=clients.timeout(timeout_s),
            )
        except anthropic.RateLimitError as error:
            raise of_status(429, error.response.headers.get("retry-after")) from None
        except anthropic.APITimeoutError:
            raise AttemptFailed(FailureKind.AWAY) from None
        except anthropic.APIConnectionError:
            raise AttemptFailed(FailureKind.AWAY) from None
        except anthropic.APIStatusError as error:
            raise of_status(error.status_code, error.response.headers.get("retry-after")) from None
        except anthropic.APIError:
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
        )
        if answer.stop_reason == "refusal":
            raise AttemptFailed(FailureKind.REFUSED)
        if answer.stop_reason != "end_turn":
            raise AttemptFailed(FailureKind.CUT)
        text = "".join(block.text for block in answer.content or () if block.type == "text")
        return Answer(parsed(text, question), answer.model or self.model, usage)

    def _client(self) -> anthropic.Anthropic:
        def make(transport: Any) -> anthropic.Anthropic:
            return anthropic.Anthropic(
                api_key=self._key,
                base_url=self._url,
                max_retries=0,
                http_client=transport,
                open_telemetry=False,
            )

        return clients.shared((self.vendor, self._url, self._key), make)
