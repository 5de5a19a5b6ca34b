"""Look up a loaded norm and its articles: by any name, on any day."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

import sqlalchemy as sa

from app.citations import NormName, norm_names, without_content
from app.citations import article_number as number_of_article
from app.corpus import links, registry
from app.corpus.lookup.norms import key_of, norm_ids, norms_named
from app.corpus.models import CorpusArticle, CorpusNorm, CorpusVersion
from app.corpus.notes import verdict_notes
from app.platform.postgres import db


@dataclass(frozen=True, slots=True)
class NormMatch:
    """The norm that a caller's words name: its normal form and row, or `candidates` where there are several.

    `norm` is `None` where the norm is known by name only and not loaded.
    """

    key: str | None
    norm: CorpusNorm | None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArticleAt:
    """An article with the version of a day; `version` is `None` where it had none on that day.

    `current` is true where that version is the last one, `until` is the day on which the last one ended;
    `others` are further articles with the same number.
    """

    article: CorpusArticle
    version: CorpusVersion | None
    current: bool
    others: int = 0
    until: date | None = None


def find(session: db.Session, written: str, jurisdiction: str) -> NormMatch:
    """Find a norm by id, official id, abbreviation, name or number ("CC", "Ley 39/2015")."""
    try:
        row = session.get(CorpusNorm, uuid.UUID(written.strip()))
        if row is not None:
            return NormMatch(key_of(row.jurisdiction, row.official_id), row)
    except ValueError:
        pass
    keys = norms_named(written, jurisdiction)
    if not keys:
        row = _official(session, written.strip(), jurisdiction)
        return NormMatch(key_of(row.jurisdiction, row.official_id) if row else None, row)
    if len(keys) > 1:
        return NormMatch(None, None, keys)
    return NormMatch(keys[0], loaded(session, keys[0]))


def loaded(session: db.Session, key: str) -> CorpusNorm | None:
    """Return the row of a normal form; one that came with a text before an entry of an index."""
    ids = norm_ids(key)
    rows = session.scalars(sa.select(CorpusNorm).where(CorpusNorm.id.in_(ids))).all()
    return min(rows, key=lambda row: (row.source == "index", ids.index(row.id)), default=None)


def _official(session: db.Session, written: str, jurisdiction: str) -> CorpusNorm | None:
    found = session.scalars(
        sa.select(CorpusNorm).where(
            CorpusNorm.official_id == written, CorpusNorm.jurisdiction == jurisdiction
        )
    )
    return found.first()


def article(session: db.Session, norm: CorpusNorm, written: str, on: date) -> ArticleAt | None:
    """Return an article of a norm as it read on a day.

    Args:
        session: An open transaction.
        norm: The loaded norm.
        written: The article as written: "9 bis", "art. 9 bis", "disposición final 1.ª".
        on: The day.

    Returns:
        The article, the first where a number occurs twice; `None` where the norm, as loaded, has no such
        article.
    """
    number = article_number(written)
    if number is None:
        return None
    rows = session.scalars(
        sa.select(CorpusArticle)
        .where(CorpusArticle.norm_id == norm.id, CorpusArticle.number == number)
        .order_by(CorpusArticle.occurrence)
    ).all()
    if not rows:
        return None
    held = wordings(session, rows[0].id)
    version = in_force(held, on)
    current = version is not None and version is held[-1]
    return ArticleAt(rows[0], version, current, len(rows) - 1, held[-1].in_force_to)


def article_versions(session: db.Session, norm: CorpusNorm, written: str) -> Sequence[CorpusVersion]:
    """Return every version of an article of a norm, oldest first; none where the norm has no such article."""
    found = article(session, norm, written, date.max)
    return wordings(session, found.article.id) if found else ()


def wordings(session: db.Session, article_id: uuid.UUID) -> Sequence[CorpusVersion]:
    """Return every version of an article, oldest first."""
    query = sa.select(CorpusVersion).where(CorpusVersion.article_id == article_id)
    return session.scalars(query.order_by(CorpusVersion.version)).all()


def in_force(versions: Sequence[CorpusVersion], on: date) -> CorpusVersion | None:
    """Return the version of a day: from its first day (unknown: always) to the day before its last."""
    found = [
        one
        for one in versions
        if (one.in_force_from is None or one.in_force_from <= on)
        and (one.in_force_to is None or on < one.in_force_to)
    ]
    return found[-1] if found else None


def article_number(written: str) -> str | None:
    """Return the number of an article in normal form, or `None` where `written` is no number."""
    written = " ".join(written.split())[:80]
    if re.fullmatch(r"d[atfd]\d{1,3}(?: bis| ter)?|anexo(?: \w{1,5})?", written):
        return written
    return number_of_article(written)


@dataclass(frozen=True, slots=True)
class Edition:
    """One state of a norm: from the day on which articles changed, and what changed them."""

    number: int
    since: date | None
    until: date | None
    amended_by: str | None
    articles: int
    digest: str


_EDITIONS = """
    SELECT v.in_force_from AS since, string_agg(DISTINCT v.amended_by, '; ' ORDER BY v.amended_by) AS
    amended_by,
        count(*) AS articles,
        encode(sha256(string_agg(v.digest, ''::bytea ORDER BY a.place, a.occurrence)), 'hex') AS digest
    FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id
    WHERE a.norm_id = :norm GROUP BY v.in_force_from ORDER BY v.in_force_from NULLS FIRST
    """


def editions(session: db.Session, norm: CorpusNorm) -> list[Edition]:
    """Return the states of a norm, oldest first; the digest is of the texts that began on that day."""
    rows = session.execute(sa.text(_EDITIONS), {"norm": norm.id}).all()
    return [
        Edition(
            at + 1,
            row.since,
            rows[at + 1].since if at + 1 < len(rows) else norm.repealed,
            row.amended_by,
            row.articles,
            row.digest,
        )
        for at, row in enumerate(rows)
    ]


def permanent(norm: CorpusNorm, number: str | None = None) -> str | None:
    """Return the permanent address of a norm or, at the BOE, of its article `number`."""
    return links.article_url(norm.official_id, norm.url, number)


def title_of(key: str) -> str:
    """Return the title of a norm: from the registry, from the index of numbers, else its normal form."""
    known = registry.norm(key)
    if known:
        return known.title
    entry = registry.indexed(key.partition(":")[2])
    return verdict_notes.entry_placed(entry) if entry else verdict_notes.norm_called(key)


def says_nothing(version: CorpusVersion) -> bool:
    """Tell whether a version is only the note that its article was repealed."""
    return without_content(version.text)


def short_title(norm: CorpusNorm) -> str | None:
    """Return the common name of a loaded norm, where one is known."""
    return short_name(key_of(norm.jurisdiction, norm.official_id))


def short_name(key: str) -> str | None:
    """Return the common name of a normal form, "Código Civil", else its abbreviation."""
    found = _named().get(key)
    return (*found.names, *found.short, None)[0] if found else None


@cache
def _named() -> Mapping[str, NormName]:
    return {entry.norm: entry for entry in norm_names()}


def snapshot(norm: CorpusNorm, since: date | None) -> str | None:
    """Return the address of a norm as it stood from a day on: the BOE publishes consolidations by day."""
    if since is None or norm.url is None or "/eli/es" not in norm.url:
        return None
    return f"{norm.url}/con/{since:%Y%m%d}"
