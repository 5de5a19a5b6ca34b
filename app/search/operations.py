"""Search and verification: parsed arguments in, the answer as a JSON object out (decision 033).

The HTTP routes and the tool server call these, so both answer alike. Schemas stand here for both.
"""

from __future__ import annotations

from typing import Any

from app import corpus, search
from app.citations import extract
from app.platform import clock, settings
from app.platform.postgres import db, replica
from app.search import highlights
from app.search.judgment_search import MOST_CHARACTERS, FoundPassage
from app.search.ranking import PreparedQuery
from app.search.schemas import (
    JudgmentCheck,
    JudgmentCheckResponse,
    JudgmentSearch,
    JudgmentSearchResponse,
    StatuteCheck,
    StatuteCheckResponse,
    StatuteSearch,
    StatuteSearchResponse,
)
from app.search.statute_search import FoundArticle

__all__ = [
    "JudgmentCheck",
    "JudgmentCheckResponse",
    "JudgmentSearch",
    "JudgmentSearchResponse",
    "StatuteCheck",
    "StatuteCheckResponse",
    "StatuteSearch",
    "StatuteSearchResponse",
    "search_judgments",
    "search_statutes",
    "verify_citation",
    "verify_judgment",
    "verify_statute",
]

# The answers on a text in which no citation can be read (decision 022).
_NO_STATUTE: dict[str, Any] = {
    "status": "pending",
    "mismatch_kind": None,
    "citation": {"alias": None, "articulo": None, "norma_id": None, "norma_titulo": None},
    "canonical_text": None,
    "url": None,
    "similarity": None,
    "text_match": None,
    "depth": None,
    "vigente_a_fecha": None,
    "vigencia_status": "unknown",
}
_NO_JUDGMENT: dict[str, Any] = {
    "status": "pending",
    "mismatch_kind": None,
    "citation": {"type": None, "ecli": None, "roj": None, "tribunal": None, "anio": None},
    "canonical_text": None,
    "url": None,
    "similarity": None,
    "depth": None,
}


def search_statutes(body: dict[str, Any]) -> dict[str, Any]:
    """Search statutes as they stood on a day; `body` is a loaded `StatuteSearch`."""
    code, day = _jurisdiction(body) or "ES", body.get("fecha") or clock.today()
    asked = search.prepare(body["query"], jurisdiction=code, kind="article", config=settings.current())
    answer = replica.read(
        lambda session: search.statute_search.search(
            session, asked, day=day, most=body["top_k"], ranks=body["tipos"], subjects=body["materias"]
        )
    )
    found: dict[str, Any] = {
        "data": [_article(one, asked) for one in answer.found],
        "query": body["query"],
        "jurisdiccion": code,
        "fecha": day.isoformat(),
        "top_k": body["top_k"],
        "vigencia_filtrada": "consulta",
    }
    if answer.note:
        found |= {"note": answer.note, "noteCode": answer.note_code}
    return found


def _article(one: FoundArticle, asked: PreparedQuery) -> dict[str, Any]:
    return {
        "articulo_id": str(one.article_id),
        "norma_id": str(one.norm_id),
        "boe_id": one.official_id,
        "numero": one.number,
        "rubrica": one.heading,
        "texto_literal": one.text,
        "highlights": _highlights(one.text, asked),
        "url_boe": one.url,
        "similarity": one.similarity,
        "alias": one.alias,
        "norma_titulo": one.norm_title,
        "tipo": one.rank,
    }


def search_judgments(body: dict[str, Any]) -> dict[str, Any]:
    """Search judgments; `body` is a loaded `JudgmentSearch`."""
    code = _jurisdiction(body) or "ES"
    asked = search.prepare(body["query"], jurisdiction=code, kind="judgment", config=settings.current())
    chunks, note = replica.read(
        lambda session: search.judgment_search.search(session, asked, most=body["top_k"])
    )
    found: dict[str, Any] = {
        "query": body["query"],
        "jurisdiction": code,
        "intent": asked.parsed.intent,
        "count": len(chunks),
        "chunks": [_chunk(one, asked) for one in chunks],
    }
    if note:
        found |= {"note": note[0], "noteCode": note[1]}
    return found


def _highlights(text: str, asked: PreparedQuery) -> list[dict[str, int]]:
    return [{"start": start, "end": end} for start, end in highlights.spans(text, asked.parsed)]


def _chunk(one: FoundPassage, asked: PreparedQuery) -> dict[str, Any]:
    return {
        "id": str(one.passage_id),
        "source": one.source,
        "titulo": one.title,
        "texto": one.text,
        "highlights": _highlights(one.text, asked),
        "url": one.url,
    }


def verify_statute(body: dict[str, Any]) -> dict[str, Any]:
    """Verify a citation of law and the words it is claimed to say; `body` is a loaded `StatuteCheck`."""
    day = body.get("fecha") or clock.today()
    try:
        citation = corpus.claim_check.read_citation(body["citation"], _jurisdiction(body), "L4-N")
    except corpus.claim_check.Unreadable as none:
        return {**_NO_STATUTE, "consultado_a_fecha": day.isoformat(), "note": none.note.es}
    with db.reading() as session:
        found = corpus.claim_check.check_statute(
            session, citation, day=day, written=body["citation"], claim=body.get("claim_text")
        )
    compared = found.compared
    return {
        "status": found.status,
        "mismatch_kind": found.mismatch_kind,
        "citation": {
            "alias": found.alias,
            "articulo": citation.articles[0] if citation.articles else None,
            "norma_id": str(found.norm_id) if found.norm_id else None,
            "norma_titulo": found.norm_title,
        },
        "canonical_text": found.text,
        "url": found.url,
        "similarity": compared.similarity if compared else None,
        "text_match": compared.match if compared else None,
        "depth": found.depth,
        "consultado_a_fecha": day.isoformat(),
        "vigente_a_fecha": day.isoformat() if found.standing == "in_force" else None,
        "vigencia_status": found.standing,
        "note": found.note.es,
    }


def verify_judgment(body: dict[str, Any]) -> dict[str, Any]:
    """Verify a citation of a judgment and the words it is claimed to say (`JudgmentCheck`)."""
    try:
        citation = corpus.claim_check.read_citation(body["citation"], _jurisdiction(body), "L2-J")
    except corpus.claim_check.Unreadable as none:
        return {**_NO_JUDGMENT, "note": none.note.es}
    with db.reading() as session:
        found = corpus.claim_check.check_judgment(
            session, citation, day=clock.today(), claim=body.get("claim_text")
        )
    return {
        "status": found.status,
        "mismatch_kind": found.mismatch_kind,
        "citation": {
            "type": found.kind,
            "ecli": found.ecli,
            "roj": found.roj,
            "tribunal": found.court,
            "anio": found.year,
        },
        "canonical_text": found.text[:MOST_CHARACTERS] if found.text else None,
        "url": found.url,
        "similarity": found.compared.similarity if found.compared else None,
        "depth": found.depth,
        "note": found.note.es,
    }


def verify_citation(body: dict[str, Any]) -> dict[str, Any]:
    """Verify one citation, of law or of a judgment, whichever it is; `body` is a loaded `StatuteCheck`.

    The answer is that of the one or the other, with `kind`: `L4-N` (law), `L2-J` (judgment) or null where
    none can be read; `cited` is how many citations stand in the text, of which the first is verified.
    """
    written, code = body["citation"], _jurisdiction(body)
    found = extract(written, code or "ES")
    kinds = [one.kind for one in found] or ["L4-N", "L2-J"]
    answer = verify_statute(body) if kinds[0] == "L4-N" else verify_judgment(body)
    kind: str | None = kinds[0]
    if answer["status"] == "pending" and not found:
        # The grammars of another country may know it as a judgment.
        kind, answer = "L2-J", verify_judgment(body)
    if answer["status"] == "pending":
        kind = None
    return {"kind": kind, **answer, "cited": len(found)}


def _jurisdiction(body: dict[str, Any]) -> str | None:
    given: str | None = body.get("jurisdiccion") or body.get("jurisdiction")
    return given
