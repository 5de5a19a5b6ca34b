"""Find what a model is told before it drafts: facts and passages of law, each with its id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from app import corpus, search
from app.analysis.checks.citation_findings import CheckedCitation
from app.citations import extract
from app.platform.postgres import db
from app.platform.settings import Settings
from app.rules import Source
from app.text.bilingual import Language, pick

_MOST = 40
_PASSAGES, _PASSAGE = 6, 1_500
_FEMININE = ("Ley", "Constitución", "Orden", "Directiva", "Decisión", "Circular", "Instrucción")


def sources(cited: Sequence[CheckedCitation], language: Language) -> tuple[Source, ...]:
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


def passages(topics: str, jurisdiction: str, on: date, config: Settings) -> tuple[Source, ...]:
    """Return the articles in force `on` that a search of the corpus finds for `topics`, at most six.

    Only those are offered that a statement can cite so that code recognises them again. May ask the provider
    of embeddings: not for a place where others wait.
    """
    if not topics:
        return ()
    asked = search.prepare(topics, jurisdiction=jurisdiction, kind="article", config=config)
    if asked.state is None:
        return ()
    with db.reading() as session:
        found = search.statute_search.search(session, asked, day=on, most=2 * _PASSAGES).found
    told = (_passage(one, jurisdiction) for one in found)
    return tuple(source for source in told if source is not None)[:_PASSAGES]


def _passage(found: search.statute_search.FoundArticle, jurisdiction: str) -> Source | None:
    of = "de la" if found.norm_title.startswith(_FEMININE) else "del"
    law = (
        f"art. {found.number} {found.alias}"
        if found.alias
        else f"artículo {found.number} {of} {found.norm_title}"
    )
    key = corpus.key_of(jurisdiction, found.official_id)
    if [(one.norm, one.articles) for one in extract(law, jurisdiction)] != [(key, (found.number,))]:
        return None
    text = found.text if len(found.text) <= _PASSAGE else found.text[: _PASSAGE - 1].rstrip() + "…"
    return Source(str(found.passage_id), f"{law} ({found.norm_title}): {text}", law)


def covered(jurisdiction: str) -> bool:
    """Tell whether anything of this jurisdiction can be checked here."""
    return bool(corpus.norm_count(jurisdiction))
