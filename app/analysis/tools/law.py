"""Tools that read the loaded law, by the operations of search, corpus and citator."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from app.analysis.retrieval import packing, store
from app.analysis.retrieval.plan import ArticleKey
from app.analysis.tools.finding import Found, Scope, loaded, name_of
from app.citator import operations as citator
from app.corpus import operations as corpus
from app.platform.postgres import db
from app.rules import Source
from app.search import operations as search
from app.text.bilingual import pick

_ARTICLES: Final = 6
_JUDGMENTS: Final = 4
# Treatments that a standing is said to rest on.
_BECAUSE: Final = 5


def search_statutes(scope: Scope, given: Mapping[str, Any]) -> Found:
    """Find articles by a question or a citation."""
    body = loaded(search.StatuteSearch(), {**_asked(scope, given, dated=True), "top_k": _ARTICLES})
    answer = search.search_statutes(body)
    told = (
        _article(
            scope,
            ArticleKey(answer["jurisdiccion"], one["boe_id"], one["numero"]),
            one["norma_titulo"],
            packing.cut(one["texto_literal"], packing.PART),
            answer["fecha"],
        )
        for one in answer["data"]
    )
    return Found(tuple(one for one in told if one is not None), answer.get("note", ""))


def get_article(scope: Scope, given: Mapping[str, Any]) -> Found:
    """Read an article as it stood on a day."""
    answer = corpus.read_article(loaded(corpus.ArticleQuery(), _asked(scope, given, dated=True)))
    note = answer.get("note", "")
    norm, article = answer["norma"], answer["articulo"]
    if article is None or not article["texto_literal"]:
        return Found((), note or pick(scope.language, "No hay texto.", "There is no text."))
    version = article["version"]
    text = packing.cut(article["texto_literal"], packing.WHOLE)
    if version["vigencia_desde"]:
        since = pick(scope.language, "en vigor desde", "in force since")
        text = f"[{since} {version['vigencia_desde']}] {text}"
    key = ArticleKey(answer["jurisdiccion"], norm["boe_id"], article["numero"])
    told = _article(scope, key, norm["titulo"], text, answer["consultado_a_fecha"])
    return Found((told,), note) if told is not None else Found((), f"{text}\n{note}")


def search_judgments(scope: Scope, given: Mapping[str, Any]) -> Found:
    """Find passages of judgments by a question or a citation."""
    body = loaded(search.JudgmentSearch(), {**_asked(scope, given, dated=False), "top_k": _JUDGMENTS})
    answer = search.search_judgments(body)
    with db.reading() as session:
        ids = [uuid.UUID(one["id"]) for one in answer["chunks"]]
        held = store.judgments(session, [answer["jurisdiction"]], ids)
    sources = []
    for place in ids:
        one = held.get(place)
        cited = packing.cite_judgment(one, scope.jurisdiction) if one else None
        if one is not None and cited is not None:
            text = packing.cut(one.text, packing.PART)
            sources.append(Source(str(place), f"{one.title} ({one.court}): {text}", cited))
    return Found(tuple(sources), answer.get("note", ""))


def citation_validity(scope: Scope, given: Mapping[str, Any]) -> Found:
    """Tell whether a citation is still good law."""
    body = loaded(citator.CitationQuery(), _asked(scope, given, dated=True))
    answer = citator.validity_of(body)
    because = "; ".join(
        f"{one['by']}: {one['treatment']}" + (f" ({one['date']})" if one["date"] else "")
        for one in answer["because"][:_BECAUSE]
    )
    told = [f"{answer['citation']}: {answer['validity']}"]
    told += [f"{answer['since']}"] if answer["since"] else []
    told += [because] if because else []
    text = ". ".join([*told, answer["note"] or ""]).strip()
    if answer["resolved"] is None:
        return Found((), text)
    name = name_of("validity", answer["citation"], body["fecha"])
    return Found((Source(name, text, answer["citation"]),))


def _asked(scope: Scope, given: Mapping[str, Any], *, dated: bool) -> dict[str, Any]:
    """Return arguments with the document's jurisdiction and, where a tool takes one, its day."""
    asked = {"jurisdiction": scope.jurisdiction, **given}
    if dated:
        asked.setdefault("fecha", scope.day.isoformat())
    return asked


def _article(scope: Scope, key: ArticleKey, title: str, text: str, on: str) -> Source | None:
    """Return an article as a source; `None` where no statement could cite it so that code knows it again."""
    law = packing.cite(key, title, scope.jurisdiction)
    if law is None:
        return None
    other = "" if date.fromisoformat(on) == scope.day else f"@{on}"
    return Source(f"{key.official_id}:{key.number}{other}", f"{law} ({title}): {text}", law)
