"""The real client of each protocol, asked at a server of the tests."""

from __future__ import annotations

from typing import Any

from app.analysis.llm.anthropic import Anthropic
from app.analysis.llm.circuit_breaker import CircuitBreaker
from app.analysis.llm.openai import OpenAI
from app.analysis.llm.retries import RetryingModel
from tests.vendors_server import Vendors

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text", "findings", "recommendations"],
    "properties": {
        "text": {"type": "string"},
        "findings": {"type": "array", "items": {"type": "string"}},
        "recommendations": {"type": "string"},
    },
}


def make(
    server: Vendors, protocol: str, *, breaker: CircuitBreaker | None = None, **options: Any
) -> RetryingModel:
    vendor = (
        Anthropic("claude-test", api_key="k", base_url=server.url)
        if protocol == "anthropic"
        else OpenAI("gpt-test", api_key="k", base_url=f"{server.url}/v1", chat=protocol == "chat")
    )
    options = {"sleep": lambda _: None, "attempt_s": 1.0, **options}
    return RetryingModel(vendor, breaker or CircuitBreaker(), setting="SOME_API_KEY", **options)
