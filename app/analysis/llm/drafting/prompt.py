"""Node A's instructions, put together from the data file. Pure but for reading it once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import field_validator

from app.analysis.llm.drafting import playbook
from app.analysis.llm.drafting.document_parts import Part
from app.analysis.llm.drafting.proposal import Proposal
from app.analysis.llm.drafting.untrusted_text import fenced
from app.analysis.request import BRANCHES
from app.platform.data_files import Entry, Filled, Texts, Wording, read_file
from app.rules import ROLES, Brief
from app.text.bilingual import Bilingual, Language, pick

_FILE = Path(__file__).with_name("data") / "node_a.toml"


class _Rules(Entry):
    es: Texts
    en: Texts


class _Templates(Entry):
    """Texts of the instructions, by what they say."""

    version: Filled
    role: Wording
    rules: _Rules
    wording: Wording
    branch_label: Wording
    branches: dict[str, Wording]
    any_jurisdiction: Wording
    jurisdictions: dict[str, Wording]
    sections: Wording
    language: Wording
    side: Wording
    no_side: Wording
    days: Wording
    request_day: Wording
    playbook_label: Wording
    rules_label: Wording
    tools: Wording
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
        wording(language),
        f"{templates.branch_label.in_(language)}: {templates.branches[brief.branch].in_(language)}",
        templates.jurisdictions.get(brief.jurisdiction, templates.any_jurisdiction)
        .in_(language)
        .format(code=brief.jurisdiction),
        _side(brief),
        templates.sections.in_(language),
        templates.language.in_(language),
    ]
    return "\n".join(lines)


def wording(language: Language) -> str:
    """Return how to word what a statement says of the document, which code compares word by word."""
    return _templates().wording.in_(language)


def tools(brief: Brief) -> str:
    """Return how to use the tools, where there are any."""
    return _templates().tools.in_(brief.language)


def user(brief: Brief) -> str:
    """Return the material: what code knows, then the document within its fence."""
    return "\n\n".join([*_known(brief), fenced("DOCUMENT", brief.text)])


def of_part(brief: Brief, part: Part, overview: str) -> str:
    """Return the material of one part of a long document, with what `overview` tells of the whole."""
    told = _templates().part.in_(brief.language)
    told = told.format(start=part.start, end=part.end, total=len(brief.text))
    return "\n\n".join([*_known(brief), told, fenced("OVERVIEW", overview), fenced("DOCUMENT", part.text)])


def of_whole(brief: Brief, parts: Sequence[Proposal], overview: str) -> str:
    """Return the material to judge a long document as a whole: its overview, and what its parts hold."""
    found = "\n\n".join(
        "\n".join([one.summary, *(f"- [{said.section}] {said.text}" for said in one.statements)])
        for one in parts
    )
    told = _templates().whole.in_(brief.language)
    return "\n\n".join([*_known(brief), told, fenced("OVERVIEW", overview), fenced("FINDINGS", found)])


def _known(brief: Brief) -> list[str]:
    """Return what code knows: the days of the law, what to look for, what the rules found, the sources."""
    templates, language = _templates(), brief.language
    lines = [_days(brief)] if brief.days else []
    sources = "\n".join(f"[{source.id}] {source.text}" for source in brief.sources)
    for label, name, material in (
        (templates.playbook_label, "PLAYBOOK", playbook.playbook(brief)),
        (templates.rules_label, "RULES", playbook.findings(brief)),
        (templates.sources_label, "SOURCES", sources),
    ):
        if material:
            lines += [label.in_(language), fenced(name, material)]
    return lines


def _side(brief: Brief) -> str:
    templates, language = _templates(), brief.language
    if not brief.role:
        return templates.no_side.in_(language)
    return templates.side.in_(language).format(role=ROLES[brief.role].in_(language))


def _days(brief: Brief) -> str:
    """Say of which days the law is: that of the document, where it is known, and that of the request."""
    templates, language = _templates(), brief.language
    *written, on = brief.days
    if written:
        return templates.days.in_(language).format(document=written[0].isoformat(), request=on.isoformat())
    return templates.request_day.in_(language).format(request=on.isoformat())
