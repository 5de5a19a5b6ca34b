"""Node A's instructions, put together from the data file. Pure but for reading it once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.analysis.llm.drafting.untrusted_text import fenced
from app.rules import Brief

_FILE = Path(__file__).with_name("data") / "node_a.toml"


@cache
def _templates() -> Mapping[str, Any]:
    return tomllib.loads(_FILE.read_text("utf-8"))


def version() -> str:
    """Return the version of the instructions; it goes into the audit record."""
    return f"node-a prompt {_templates()['version']}"


def system(brief: Brief) -> str:
    """Return the instructions for a branch, a jurisdiction and a language."""
    templates, language = _templates(), brief.language
    lines = [
        templates["role"][language],
        *templates["rules"][language],
        f"{templates['branch_label'][language]}: {templates['branches'][brief.branch][language]}",
        templates["jurisdictions"]
        .get(brief.jurisdiction, templates["any_jurisdiction"])[language]
        .format(code=brief.jurisdiction),
        templates["sections"][language],
        templates["language"][language],
    ]
    return "\n".join(lines)


def user(brief: Brief, text: str, *, part: int, parts: int) -> str:
    """Return the material: what code knows, then the document within its fence."""
    templates, language = _templates(), brief.language
    lines = []
    if brief.sources:
        known = "\n".join(f"[{source.id}] {source.text}" for source in brief.sources)
        lines += [templates["sources_label"][language], fenced("SOURCES", known)]
    if parts > 1:
        lines.append(templates["part"][language].format(part=part, parts=parts))
    lines.append(fenced("DOCUMENT", text))
    return "\n\n".join(lines)
