"""Whether the settings suffice for the engines they choose."""

from __future__ import annotations

from app import redaction
from app.analysis import llm
from app.analysis.request import Mode
from app.platform.settings import Settings


def check(config: Settings) -> None:
    """Raise `SettingsError`, naming the setting, when what it chooses cannot be used."""
    redaction.recogniser(config.name_recogniser)
    for vendor in chosen(config):
        llm.check(vendor, config)


def outside(config: Settings, mode: Mode) -> bool:
    """Whether an analysis in `mode` may send text out of this process: to a model, or for embeddings."""
    engines = [config.node_a_engine, config.node_a_fallback or "rules"]
    if mode == "deep":
        engines.append(config.node_b_engine)
    return any(engine != "rules" for engine in engines) or config.embedding_engine != "none"


def chosen(config: Settings) -> list[llm.Name]:
    """The vendors whose models stand behind a node."""
    engines = {config.node_a_engine, config.node_b_engine, config.node_a_fallback}
    return [vendor for vendor in llm.NAMES if vendor in engines]
