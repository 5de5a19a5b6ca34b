"""Node A: the engine that drafts the analysis, chosen by the setting `NODE_A_ENGINE`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from app.analysis.engines.rules import RulesEngine
from app.analysis.statements import Engine

_ENGINES: dict[str, Callable[[], Engine]] = {"rules": RulesEngine}


@cache
def engine(name: str) -> Engine:
    """The engine of that name; one per process, built at first use."""
    return _ENGINES[name]()
