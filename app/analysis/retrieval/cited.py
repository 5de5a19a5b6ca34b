"""Put in words what code knows of the law that a document cites: each citation's verdict, with its id."""

from __future__ import annotations

from collections.abc import Sequence

from app import corpus
from app.analysis.checks.citation_findings import CheckedCitation
from app.rules import Source
from app.text.bilingual import Language, pick

_MOST = 40


def verdicts(cited: Sequence[CheckedCitation], language: Language) -> tuple[Source, ...]:
    """Put the verdicts on the document's citations in words: what exists, what is repealed, by what."""
    told: dict[str, Source] = {}
    for item in cited:
        note = pick(language, item.verdict.note, item.verdict.note_en)
        title = f" ({item.verdict.norm_title})" if item.verdict.norm_title else ""
        name = item.citation.canonical[0] if item.citation.canonical else f"C{len(told) + 1}"
        told.setdefault(
            name,
            Source(name, f"{item.citation.text}{title}: {item.verdict.status}. {note}", item.citation.text),
        )
        if len(told) == _MOST:
            break
    return tuple(told.values())


def covered(jurisdiction: str) -> bool:
    """Tell whether anything of this jurisdiction can be checked here."""
    return bool(corpus.norm_count(jurisdiction))
