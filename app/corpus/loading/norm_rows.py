"""Norms and their articles as rows: reads what is there, asks `revision` what changes, writes that."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from app.corpus import identity
from app.corpus.loading import revision
from app.corpus.loading.records import ArticleText, NormFacts, Statute
from app.corpus.models import CorpusArticle, CorpusNorm, CorpusVersion
from app.platform import bulk, db

_NORMS = """
    INSERT INTO corpus_norms (id, jurisdiction, official_id, title, short_title, rank, number, dated,
    published,
        in_force, repealed, repealed_by, status, url, source, edition, digest, whole, loaded_at, read_at)
    SELECT id, jurisdiction, official_id, title, short_title, rank, number, dated, published,
        in_force, repealed, repealed_by, status, url, source, edition, digest, whole, loaded_at, NULL
    FROM json_to_recordset(%(rows)s) AS r(id uuid, jurisdiction text, official_id text, title text,
        short_title text, rank text, number text, dated date, published date, in_force date, repealed date,
        repealed_by text, status text, url text, source text, edition date, digest bytea, whole boolean,
        loaded_at timestamptz)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, short_title = excluded.short_title,
        rank = excluded.rank, number = excluded.number, dated = excluded.dated, published =
        excluded.published,
        in_force = excluded.in_force, repealed = excluded.repealed, repealed_by = excluded.repealed_by,
        status = excluded.status, url = excluded.url, source = excluded.source, edition = excluded.edition,
        digest = excluded.digest, whole = excluded.whole, loaded_at = excluded.loaded_at, read_at = NULL
    """
_ARTICLES = """
    INSERT INTO corpus_articles (id, norm_id, number, occurrence, place, heading, path)
    SELECT id, norm_id, number, occurrence, place, heading, path
    FROM json_to_recordset(%(rows)s) AS r(id uuid, norm_id uuid, number text, occurrence smallint, place int,
        heading text, path text[])
    ON CONFLICT (id) DO UPDATE SET place = excluded.place, heading = excluded.heading, path = excluded.path
    WHERE (corpus_articles.place, corpus_articles.heading, corpus_articles.path)
        IS DISTINCT FROM (excluded.place, excluded.heading, excluded.path)
    """
_VERSIONS = """
    INSERT INTO corpus_versions (id, article_id, version, in_force_from, in_force_to, amended_by, text,
    digest)
    SELECT id, article_id, version, in_force_from, in_force_to, amended_by, text, digest
    FROM json_to_recordset(%(rows)s) AS r(id uuid, article_id uuid, version smallint, in_force_from date,
        in_force_to date, amended_by text, text text, digest bytea)
    ON CONFLICT (id) DO UPDATE SET in_force_from = excluded.in_force_from, in_force_to = excluded.in_force_to,
        amended_by = excluded.amended_by, text = excluded.text, digest = excluded.digest
    """
_ENDED = """
    UPDATE corpus_versions SET in_force_to = r.in_force_to
    FROM json_to_recordset(%(rows)s) AS r(id uuid, in_force_to date) WHERE corpus_versions.id = r.id
    """
_ENDED_PASSAGES = """
    UPDATE corpus_passages SET in_force_to = r.in_force_to, indexed_at = NULL
    FROM json_to_recordset(%(rows)s) AS r(id uuid, in_force_to date)
    WHERE corpus_passages.version_id = r.id AND corpus_passages.in_force_to IS DISTINCT FROM r.in_force_to
    """
_SURPLUS = """
    DELETE FROM corpus_versions USING json_to_recordset(%(rows)s) AS r(article_id uuid, versions smallint)
    WHERE corpus_versions.article_id = r.article_id AND corpus_versions.version > r.versions
    """
# What is searched follows from the versions; whatever differs waits for the search index again.
_PASSAGES = """
    INSERT INTO corpus_passages (jurisdiction, id, kind, norm_id, version_id, place, title, path, heading,
    text,
        in_force_from, in_force_to)
    SELECT norm.jurisdiction, r.id, 'article', norm.id, version.id, article.place,
        coalesce(norm.short_title, norm.title), array_to_string(article.path, ' > '), r.label, version.text,
        version.in_force_from, version.in_force_to
    FROM json_to_recordset(%(rows)s) AS r(id uuid, version_id uuid, label text)
    JOIN corpus_versions version ON version.id = r.version_id
    JOIN corpus_articles article ON article.id = version.article_id
    JOIN corpus_norms norm ON norm.id = article.norm_id
    ON CONFLICT (jurisdiction, id) DO UPDATE SET place = excluded.place, title = excluded.title,
        path = excluded.path, heading = excluded.heading, text = excluded.text,
        in_force_from = excluded.in_force_from, in_force_to = excluded.in_force_to, indexed_at = NULL
    WHERE (corpus_passages.title, corpus_passages.path, corpus_passages.heading, corpus_passages.text,
           corpus_passages.in_force_from, corpus_passages.in_force_to)
        IS DISTINCT FROM (excluded.title, excluded.path, excluded.heading, excluded.text,
           excluded.in_force_from, excluded.in_force_to)
    """
_DISPOSITIONS = {"da": "Disposición adicional", "dt": "Disposición transitoria", "df": "Disposición final",
                 "dd": "Disposición derogatoria"}  # fmt: skip

_FACTS = tuple(one.name for one in fields(NormFacts))
_Key = tuple[str, int]


@dataclass(slots=True)
class Written:
    """What a batch did: rows by kind, and of norms that were there before, how many articles changed."""

    counts: Counter[str] = field(default_factory=Counter)
    new: set[uuid.UUID] = field(default_factory=set)
    changed: dict[uuid.UUID, Changed] = field(default_factory=dict)


@dataclass(slots=True)
class Changed:
    """Articles of a norm that changed, and the first day of their new words, where it is known."""

    articles: int = 0
    since: date | None = None


@dataclass(slots=True)
class _Rows:
    articles: list[dict[str, Any]] = field(default_factory=list)
    versions: list[dict[str, Any]] = field(default_factory=list)
    ended: list[dict[str, Any]] = field(default_factory=list)
    surplus: list[dict[str, Any]] = field(default_factory=list)
    passages: list[dict[str, Any]] = field(default_factory=list)


def label(number: str, heading: str | None) -> str:
    """An article as its heading would read: "Artículo 4. Cláusula general"."""
    if number.startswith("anexo"):
        name = number.capitalize()
    elif number[:2] in _DISPOSITIONS:
        name = f"{_DISPOSITIONS[number[:2]]} {number[2:]}"
    else:
        name = f"Artículo {number}"
    return f"{name}. {heading}" if heading else name


def write(session: db.Session, records: Sequence[Statute | NormFacts], *, now: datetime) -> Written:
    """Write norms, with their articles where they came with any, in the caller's transaction."""
    written = Written()
    held = _held_norms(session, records)
    merged: dict[uuid.UUID, NormFacts] = {}
    for record in records:
        facts = record.facts if isinstance(record, Statute) else record
        key = identity.norm_id(facts.jurisdiction, facts.official_id)
        merged[key] = revision.norm(merged.get(key, held.get(key)), facts)
    changed = {key: facts for key, facts in merged.items() if held.get(key) != facts}
    bulk.rows(
        session, _NORMS, ({"id": key, "loaded_at": now, **asdict(facts)} for key, facts in changed.items())
    )
    written.counts["norms"] += len(set(merged) - set(held))
    statutes = [record for record in records if isinstance(record, Statute)]
    # Only a law whose articles come in several batches is met again by the load that brought it.
    written.new = {identity.norm_id(one.facts.jurisdiction, one.facts.official_id) for one in statutes} - set(
        held
    )
    for key, facts in changed.items():
        if key in held and (held[key].status, held[key].repealed) != (facts.status, facts.repealed):
            written.changed[key] = Changed(0, facts.repealed)
    if statutes:
        _write_articles(session, statutes, held, written)
    return written


def _held_norms(session: db.Session, records: Iterable[Statute | NormFacts]) -> dict[uuid.UUID, NormFacts]:
    wanted = {
        identity.norm_id(facts.jurisdiction, facts.official_id)
        for facts in (record.facts if isinstance(record, Statute) else record for record in records)
    }
    columns = [getattr(CorpusNorm, name) for name in _FACTS]
    found = session.execute(sa.select(CorpusNorm.id, *columns).where(CorpusNorm.id.in_(wanted)))
    return {row[0]: NormFacts(*row[1:]) for row in found}


def _held_versions(
    session: db.Session, norm: uuid.UUID, numbers: Iterable[str] | None
) -> dict[_Key, list[revision.Held]]:
    query = (
        sa.select(
            CorpusArticle.number, CorpusArticle.occurrence, CorpusVersion.version, CorpusVersion.digest,
            CorpusVersion.in_force_from, CorpusVersion.in_force_to, CorpusVersion.amended_by,
        )
        .join(CorpusVersion, CorpusVersion.article_id == CorpusArticle.id)
        .where(CorpusArticle.norm_id == norm)
        .order_by(CorpusArticle.place, CorpusVersion.version)
    )  # fmt: skip
    if numbers is not None:
        query = query.where(CorpusArticle.number.in_(set(numbers)))
    found: dict[_Key, list[revision.Held]] = defaultdict(list)
    for row in session.execute(query):
        found[row.number, row.occurrence].append(revision.Held(*row[2:]))
    return found


def _write_articles(
    session: db.Session, statutes: Sequence[Statute], held: dict[uuid.UUID, NormFacts], written: Written
) -> None:
    rows = _Rows()
    for statute in _together(statutes):
        facts = statute.facts
        norm = identity.norm_id(facts.jurisdiction, facts.official_id)
        versions = _held_versions(
            session, norm, None if facts.whole else (one.number for one in statute.articles)
        )
        known = held.get(norm)
        before = known.edition if known and known.source != revision.INDEX else None
        # Texts that come to a norm of which only the entry was there are no news about the law.
        news = known is not None and known.source != revision.INDEX
        changes = [
            (one, revision.article(
                versions.get((one.number, one.occurrence), []), one,
                history=statute.history, edition=facts.edition, before=before,
            ))
            for one in statute.articles
        ]  # fmt: skip
        for one, change in changes:
            _add(rows, norm, one, change, versions.get((one.number, one.occurrence), []))
        count = sum(change.changed for _, change in changes)
        if facts.whole and news:
            present = {(one.number, one.occurrence) for one in statute.articles}
            for key, old in versions.items():
                ending = revision.gone(old, facts.edition) if key not in present else None
                if ending is not None and ending.changed:
                    _end(rows, norm, key, ending)
                    count += 1
        if news and count:
            since = max(
                (w.in_force_from for _, c in changes for w in c.written if w.in_force_from), default=None
            )
            previous = written.changed.get(norm, Changed())
            written.changed[norm] = Changed(
                previous.articles + count, since or previous.since or facts.edition
            )
        written.counts["articles"] += sum(
            not versions.get((a.number, a.occurrence)) for a in statute.articles
        )
    written.counts["versions"] += len(rows.versions)
    bulk.rows(session, _ARTICLES, rows.articles)
    bulk.rows(session, _SURPLUS, rows.surplus)
    bulk.rows(session, _VERSIONS, rows.versions)
    bulk.rows(session, _ENDED, rows.ended)
    written.counts["passages"] += bulk.rows(session, _PASSAGES, rows.passages)
    bulk.rows(session, _ENDED_PASSAGES, rows.ended)


def _together(statutes: Sequence[Statute]) -> list[Statute]:
    """Articles that came one by one, brought together by norm; of one article twice, the later."""
    found: dict[tuple[str, str], Statute] = {}
    for statute in statutes:
        key = (statute.facts.jurisdiction, statute.facts.official_id)
        if key in found:
            articles = {
                (one.number, one.occurrence): one for one in (*found[key].articles, *statute.articles)
            }
            statute = replace(statute, articles=tuple(articles.values()))
        found[key] = statute
    return list(found.values())


def _add(
    rows: _Rows, norm: uuid.UUID, one: ArticleText, change: revision.Change, held: Sequence[revision.Held]
) -> None:
    article = identity.article_id(norm, one.number, one.occurrence)
    rows.articles.append(
        {
            "id": article, "norm_id": norm, "number": one.number, "occurrence": one.occurrence,
            "place": one.place, "heading": one.heading, "path": list(one.path),
        }
    )  # fmt: skip
    for row in change.written:
        version = identity.version_id(article, row.version)
        if row.text is None:
            rows.ended.append({"id": version, "in_force_to": row.in_force_to})
        else:
            rows.versions.append(
                {
                    "id": version, "article_id": article, "version": row.version,
                    "in_force_from": row.in_force_from, "in_force_to": row.in_force_to,
                    "amended_by": row.amended_by, "text": row.text,
                    "digest": one.wordings[min(row.version, len(one.wordings)) - 1].digest,
                }
            )  # fmt: skip
    if len(held) > change.versions:
        rows.surplus.append({"article_id": article, "versions": change.versions})
    name = label(one.number, one.heading)
    for number in range(1, change.versions + 1):
        version = identity.version_id(article, number)
        rows.passages.append({"id": identity.passage_id(version), "version_id": version, "label": name})


def _end(rows: _Rows, norm: uuid.UUID, key: _Key, change: revision.Change) -> None:
    article = identity.article_id(norm, *key)
    for row in change.written:
        rows.ended.append({"id": identity.version_id(article, row.version), "in_force_to": row.in_force_to})
