"""Node A's instructions, put together from the data file. Pure but for reading it once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import field_validator

from app.analysis.llm.drafting.document_parts import Part
from app.analysis.llm.drafting.proposal import Proposal
from app.analysis.llm.drafting.untrusted_text import fenced
from app.analysis.request import BRANCHES
from app.platform.data_files import Entry, Filled, Texts, Wording, read_file
from app.rules import Brief
from app.text.bilingual import Bilingual, pick

_FILE = Path(__file__).with_name("data") / "node_a.toml"


class _Rules(Entry):
    es: Texts
    en: Texts


class _Templates(Entry):
    """Texts of the instructions, by what they say."""

    version: Filled
    role: Wording
    rules: _Rules
    branch_label: Wording
    branches: dict[str, Wording]
    any_jurisdiction: Wording
    jurisdictions: dict[str, Wording]
    sections: Wording
    language: Wording
    sources_label: Wording
    part: Wording
    whole: Wording

    @field_validator("branches")
    @classmethod
    def _has_every_branch(cls, branches: dict[str, Bilingual]) -> dict[str, Bilingual]:
        if set(branches) != set(BRANCHES):
            raise ValueError(f"must have exactly {', '.join(BRANCHES)}")
        return branches


@cache
def _templates() -> _Templates:
    return read_file(_FILE, _Templates)


def version() -> str:
    """Return the version of the instructions; it goes into the audit record."""
    return f"node-a prompt {_templates().version}"


def system(brief: Brief) -> str:
    """Return the instructions for a branch, a jurisdiction and a language."""
    templates, language = _templates(), brief.language
    lines = [
        templates.role.in_(language),
        *pick(language, templates.rules.es, templates.rules.en),
        f"{templates.branch_label.in_(language)}: {templates.branches[brief.branch].in_(language)}",
        templates.jurisdictions.get(brief.jurisdiction, templates.any_jurisdiction)
        .in_(language)
        .format(code=brief.jurisdiction),
        templates.sections.in_(language),
        templates.language.in_(language),
    ]
    return "\n".join(lines)


def user(brief: Brief) -> str:
    """Return the material: what code knows, then the document within its fence."""
    return "\n\n".join([*_sources(brief), fenced("DOCUMENT", brief.text)])


def of_part(brief: Brief, part: Part, overview: str) -> str:
    """Return the material of one part of a long document, with what `overview` tells of the whole."""
    told = _templates().part.in_(brief.language)
    told = told.format(start=part.start, end=part.end, total=len(brief.text))
    return "\n\n".join([*_sources(brief), told, fenced("OVERVIEW", overview), fenced("DOCUMENT", part.text)])


def of_whole(brief: Brief, parts: Sequence[Proposal], overview: str) -> str:
    """Return the material to judge a long document as a whole: its overview, and what its parts hold."""
    found = "\n\n".join(
        "\n".join([one.summary, *(f"- [{said.section}] {said.text}" for said in one.statements)])
        for one in parts
    )
    told = _templates().whole.in_(brief.language)
    return "\n\n".join([*_sources(brief), told, fenced("OVERVIEW", overview), fenced("FINDINGS", found)])


def _sources(brief: Brief) -> list[str]:
    if not brief.sources:
        return []
    known = "\n".join(f"[{source.id}] {source.text}" for source in brief.sources)
    return [_templates().sources_label.in_(brief.language), fenced("SOURCES", known)]
