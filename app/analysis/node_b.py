"""Choose node B, the auditor of mode deep, by the setting `NODE_B_ENGINE`."""

from __future__ import annotations

from functools import cache

from app.analysis import llm
from app.analysis.llm import Model
from app.platform import settings


@cache
def model(name: str) -> Model | None:
    """Return the model behind an engine; `None` where code audits alone (`rules`)."""
    for vendor in llm.NAMES:
        if vendor == name:
            return llm.model(vendor, "b", settings.current())
    return None
