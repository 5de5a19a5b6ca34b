"""Find the authority that a caller names: by id, identifier, citation or normal form."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from app import corpus
from app.citations import extract
from app.citator import citing_passages
from app.citator.citing_passages import Kind
from app.platform.postgres import db

# Tried in this order where the caller names no jurisdiction.
_COUNTRIES = ("ES", "CO", "EU", "CL", "MX", "AR", "PE")
_MOST = 300


@dataclass(frozen=True, slots=True)
class Authority:
    """A judgment, a norm, or an article of a norm.

    `form` is its normal form (as in `app.citations`); `known` is true where it is loaded or registered.
    """

    kind: Kind
    form: str
    article: str
    jurisdiction: str
    title: str
    url: str | None
    dated: date | None
    known: bool
    id: uuid.UUID | None = None

    def on_the_wire(self) -> dict[str, Any]:
        """Return the authority as answers of the API show it."""
        return {
            "kind": self.kind,
            "canonical": f"{self.form}:art{self.article}" if self.article else self.form,
            "id": str(self.id) if self.id else None,
            "title": self.title,
            "article": self.article or None,
            "jurisdiction": self.jurisdiction,
            "date": self.dated.isoformat() if self.dated else None,
            "url": self.url,
        }


def resolve(session: db.Session, written: str, jurisdiction: str | None = None) -> Authority | None:
    """Find the authority that `written` names.

    Args:
        session: An open transaction.
        written: A citation, an identifier (ECLI, ROJ, official id), a normal form, or a UUID: of a judgment,
            of one of its passages, or of a norm.
        jurisdiction: Whose law is meant; without it the countries are tried in turn.

    Returns:
        The authority, or `None` where none can be told. One that is named correctly and not loaded is
        returned too (`known` is false): others may cite it.
    """
    written = " ".join(written.split())[:_MOST]
    try:
        return _by_id(session, uuid.UUID(written))
    except ValueError:
        pass
    found = corpus.decisions(session, [written]).get(written)
    if found is not None:
        return of_decision(found)
    known = corpus.norm(written)
    if known is not None:
        return of_norm(session, known.key, "")
    for code in (jurisdiction,) if jurisdiction else _COUNTRIES:
        authority = _cited(session, written, code)
        if authority is not None:
            return authority
    called = corpus.find(session, written, jurisdiction or "ES")
    return of_norm(session, called.key, "") if called.key else None


def _by_id(session: db.Session, key: uuid.UUID) -> Authority | None:
    found = corpus.decision(session, key)
    if found is not None:
        return of_decision(found)
    called = corpus.find(session, str(key), "ES")
    return of_norm(session, called.key, "") if called.key and called.norm else None


def _cited(session: db.Session, written: str, jurisdiction: str) -> Authority | None:
    for citation in extract(written, jurisdiction):
        if citation.kind == "L2-J" and citation.canonical:
            if citation.jurisdiction != jurisdiction and "ecli" not in citation.ids:
                continue
            loaded = corpus.look_up_in(session, [citation], date.max)
            held = loaded.judgment(citation.canonical[0], citation.ids)
            form = held.canonical if held else citation.canonical[0]
            return next(iter(name_all(session, "judgment", [form]).values()))
        if citation.kind == "L4-N" and citation.norm and "?" not in citation.norm:
            articles = citing_passages.articles(citation)
            return of_norm(session, citing_passages.key(citation), articles[0] if articles else "")
    return None


def of_decision(found: corpus.Decision) -> Authority:
    """Return a loaded judgment as an authority."""
    return Authority(
        "judgment",
        found.canonical,
        "",
        found.jurisdiction,
        found.title,
        found.url,
        found.dated,
        True,
        found.id,
    )


def of_norm(session: db.Session, key: str, article: str = "") -> Authority:
    """Return a norm, or an article of it, as an authority."""
    row = corpus.loaded_norm(session, key)
    known = corpus.norm(key)
    listed = corpus.indexed_norm(key) if row is None and known is None else None
    other = known or listed
    url = corpus.permanent(row, article or None) if row else other.url if other else None
    return Authority(
        "norm",
        key,
        article,
        key.partition(":")[0].split("-")[0],
        (row.short_title or row.title) if row else corpus.norm_title(key),
        url,
        row.dated if row else other.dated if other else None,
        row is not None or other is not None,
        row.id if row else None,
    )


def name_all(session: db.Session, kind: Kind, forms: Collection[str]) -> dict[str, Authority]:
    """Return the authorities of many normal forms; those not loaded have their normal form as title."""
    if kind == "norm":
        return {form: of_norm(session, form, "") for form in forms}
    held = corpus.decisions(session, forms)
    return {
        form: of_decision(held[form])
        if form in held
        else Authority(
            "judgment", form, "", form.partition(":")[0], form.rsplit(":", 1)[-1], None, None, False
        )
        for form in forms
    }
