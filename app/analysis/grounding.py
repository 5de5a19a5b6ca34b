"""What code can tell a model before it drafts: facts of law about the document, each with its id."""

from __future__ import annotations

from app import corpus
from app.analysis.authorities import Authorities
from app.analysis.statements import Language, Source

_MOST = 40


def sources(document: str, found: Authorities, language: Language) -> tuple[Source, ...]:
    """The verdicts on the document's own citations: what exists, what is repealed and by what.

    `found` remembers them, so that nothing is looked up twice.
    """
    told: dict[str, Source] = {}
    for item in found.read(document):
        note = item.verdict.note if language == "es" else item.verdict.note_en
        title = f" ({item.verdict.norm_title})" if item.verdict.norm_title else ""
        name = item.citation.canonical[0] if item.citation.canonical else f"C{len(told) + 1}"
        told.setdefault(name, Source(name, f"{item.citation.text}{title}: {item.verdict.status}. {note}"))
        if len(told) == _MOST:
            break
    return tuple(told.values())


def covered(jurisdiction: str) -> bool:
    """Whether anything of this jurisdiction can be checked here."""
    return bool(corpus.norm_count(jurisdiction))
