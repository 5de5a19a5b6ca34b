"""Choose the model behind a node, by setting."""

from __future__ import annotations

from functools import cache
from typing import Literal

from app.analysis.llm.circuit_breaker import CircuitBreaker
from app.analysis.llm.model import Model
from app.analysis.llm.retries import RetryingModel, Vendor
from app.platform.settings import Settings, SettingsError

Name = Literal["anthropic", "openai"]
Node = Literal["a", "b"]

NAMES: tuple[Name, ...] = ("anthropic", "openai")
# One of its middle range each: a document is long, and two nodes read it.
_DEFAULT_MODELS: dict[Name, str] = {"anthropic": "claude-sonnet-5-5", "openai": "gpt-6.1-sol"}


@cache
def _breaker(vendor: Name) -> CircuitBreaker:
    """Return the vendor's circuit breaker, shared by both nodes of this process."""
    return CircuitBreaker()


def model(name: Name, node: Node, config: Settings) -> Model:
    """Return the model of that vendor for a node. Raises `SettingsError` when its key is missing."""
    check(name, config)
    chosen = (config.node_a_model if node == "a" else config.node_b_model) or _DEFAULT_MODELS[name]
    vendor: Vendor
    # Their libraries take two seconds to load, in every process: only where somebody chose the vendor.
    if name == "anthropic":
        from app.analysis.llm.anthropic import Anthropic

        key = config.anthropic_api_key.get_secret_value()
        vendor = Anthropic(chosen, api_key=key, base_url=config.anthropic_base_url)
    else:
        from app.analysis.llm.openai import OpenAI

        vendor = OpenAI(
            chosen,
            # A server within the operator's own network often asks for no key; the library insists on one.
            api_key=config.openai_api_key.get_secret_value() or "none",
            base_url=config.openai_base_url,
            chat=config.openai_protocol == "chat",
        )
    return RetryingModel(
        vendor, _breaker(name), attempt_s=config.model_attempt_s, setting=f"{name.upper()}_API_KEY"
    )


def check(name: Name, config: Settings) -> None:
    """Raise `SettingsError` unless the settings suffice for this vendor."""
    if name == "anthropic":
        if not config.anthropic_api_key.get_secret_value():
            raise SettingsError("ANTHROPIC_API_KEY is not set, and an engine `anthropic` is chosen.")
    elif "api.openai.com" in config.openai_base_url and not config.openai_api_key.get_secret_value():
        raise SettingsError(
            "OPENAI_API_KEY is not set. Set it, or point OPENAI_BASE_URL at a server that needs none."
        )
