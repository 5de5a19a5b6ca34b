"""Write norms and their articles: read the stored rows, compute the new ones, write what differs."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from app.corpus import permanent_ids
from app.corpus.loading import article_editions, revision
from app.corpus.loading.article_editions import Interval, Readings
from app.corpus.loading.records import ArticleText, NormFacts, Statute
from app.corpus.loading.stored_rows import Key, StoredArticle, StoredNorm, stored_articles, stored_norms
from app.corpus.models import CorpusArticle, CorpusNorm, CorpusVersion
from app.platform.errors import Invalid
from app.platform.postgres import bulk, db

_NORMS = """
    INSERT INTO corpus_norms (id, jurisdiction, official_id, title, short_title, rank, number, dated,
    published,
        in_force, repealed, repealed_by, status, url, source, edition, digest, whole, editions,
        loaded_at, read_at)
    SELECT id, jurisdiction, official_id, title, short_title, rank, number, dated, published,
        in_force, repealed, repealed_by, status, url, source, edition, digest, whole, editions,
        loaded_at, NULL
    FROM json_to_recordset(%(rows)s) AS r(id uuid, jurisdiction text, official_id text, title text,
        short_title text, rank text, number text, dated date, published date, in_force date, repealed date,
        repealed_by text, status text, url text, source text, edition date, digest bytea, whole boolean,
        editions jsonb, loaded_at timestamptz)
    ON CONFLICT (id) DO UPDATE SET title = excluded.title, short_title = excluded.short_title,
        rank = excluded.rank, number = excluded.number, dated = excluded.dated, published =
        excluded.published,
        in_force = excluded.in_force, repealed = excluded.repealed, repealed_by = excluded.repealed_by,
        status = excluded.status, url = excluded.url, source = excluded.source, edition = excluded.edition,
        digest = excluded.digest, whole = excluded.whole, editions = excluded.editions,
        loaded_at = excluded.loaded_at, read_at = NULL
    """
_ARTICLES = """
    INSERT INTO corpus_articles (id, norm_id, number, occurrence, place, heading, path, readings)
    SELECT id, norm_id, number, occurrence, place, heading, path, readings
    FROM json_to_recordset(%(rows)s) AS r(id uuid, norm_id uuid, number text, occurrence smallint, place int,
        heading text, path text[], readings jsonb)
    ON CONFLICT (id) DO UPDATE SET place = excluded.place, heading = excluded.heading, path = excluded.path,
        readings = excluded.readings
    WHERE (corpus_articles.place, corpus_articles.heading, corpus_articles.path, corpus_articles.readings)
        IS DISTINCT FROM (excluded.place, excluded.heading, excluded.path, excluded.readings)
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
_MOVED = """
    UPDATE corpus_versions
    SET in_force_from = r.in_force_from, in_force_to = r.in_force_to, amended_by = r.amended_by
    FROM json_to_recordset(%(rows)s) AS r(id uuid, in_force_from date, in_force_to date, amended_by text)
    WHERE corpus_versions.id = r.id
    """
_SURPLUS = """
    DELETE FROM corpus_versions USING json_to_recordset(%(rows)s) AS r(article_id uuid, versions smallint)
    WHERE corpus_versions.article_id = r.article_id AND corpus_versions.version > r.versions
    """
# What is searched follows from the versions; what differs, except in place, waits for the search index again.
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
        in_force_from = excluded.in_force_from, in_force_to = excluded.in_force_to,
        indexed_at = CASE WHEN
            (corpus_passages.title, corpus_passages.path, corpus_passages.heading, corpus_passages.text,
             corpus_passages.in_force_from, corpus_passages.in_force_to)
            IS NOT DISTINCT FROM (excluded.title, excluded.path, excluded.heading, excluded.text,
             excluded.in_force_from, excluded.in_force_to)
            THEN corpus_passages.indexed_at END
    WHERE (corpus_passages.place, corpus_passages.title, corpus_passages.path, corpus_passages.heading,
           corpus_passages.text, corpus_passages.in_force_from, corpus_passages.in_force_to)
        IS DISTINCT FROM (excluded.place, excluded.title, excluded.path, excluded.heading, excluded.text,
           excluded.in_force_from, excluded.in_force_to)
    """
_DISPOSITIONS = {"da": "Disposición adicional", "dt": "Disposición transitoria", "df": "Disposición final",
                 "dd": "Disposición derogatoria"}  # fmt: skip

_TURN = "SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"
_DAYS = frozenset({"ex_corpus_versions_apart", "ck_corpus_versions_ends_after_it_begins"})
_ARTICLE_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DATE_RANGE = re.compile(r"[\[(][\d-]*,[\d-]*[\])]")


@dataclass(slots=True)
class WriteResult:
    """Result of a batch: rows by kind, and changed articles of norms that were there before."""

    counts: Counter[str] = field(default_factory=Counter)
    new: set[uuid.UUID] = field(default_factory=set)
    changed: dict[uuid.UUID, ArticleChanges] = field(default_factory=dict)


@dataclass(slots=True)
class ArticleChanges:
    """Articles of a norm that changed, by number, and the first day of their new words, where it is known."""

    articles: int = 0
    since: date | None = None
    numbers: tuple[str, ...] = ()


@dataclass(slots=True)
class _Rows:
    articles: list[dict[str, Any]] = field(default_factory=list)
    versions: list[dict[str, Any]] = field(default_factory=list)
    moved: list[dict[str, Any]] = field(default_factory=list)
    surplus: list[dict[str, Any]] = field(default_factory=list)
    passages: list[dict[str, Any]] = field(default_factory=list)


def label(number: str, heading: str | None) -> str:
    """Return an article as its heading would read: "Artículo 4. Cláusula general"."""
    if number.startswith("anexo"):
        name = number.capitalize()
    elif number.startswith("recital "):
        name = f"Considerando {number[8:]}"
    elif number[:2] in _DISPOSITIONS:
        name = f"{_DISPOSITIONS[number[:2]]} {number[2:]}"
    else:
        name = f"Artículo {number}"
    return f"{name}. {heading}" if heading else name


def write(session: db.Session, records: Sequence[Statute | NormFacts], *, now: datetime) -> WriteResult:
    """Write norms, with their articles where they came with any, in the caller's transaction.

    What the rows become is a function of all editions that were loaded, whatever their order
    (`article_editions`).

    Raises:
        Invalid: A source contradicts itself about the days of an article.
    """
    written = WriteResult()
    _take_turns(session, records)
    held = stored_norms(session, records)
    editions: dict[uuid.UUID, revision.Editions] = {}
    for record in records:
        facts = record.facts if isinstance(record, Statute) else record
        key = permanent_ids.norm_id(facts.jurisdiction, facts.official_id)
        known = editions.get(key) or (held[key].editions if key in held else {})
        editions[key] = revision.with_edition(known, facts)
    merged = {key: revision.norm(found) for key, found in editions.items()}
    changed = {
        key: facts
        for key, facts in merged.items()
        if key not in held or (held[key].facts, held[key].editions) != (facts, editions[key])
    }
    bulk.rows(
        session,
        _NORMS,
        (
            {
                "id": key,
                "loaded_at": now,
                "editions": revision.editions_to_json(editions[key]),
                **asdict(facts),
            }
            for key, facts in changed.items()
        ),
    )
    written.counts["norms"] += len(set(merged) - set(held))
    statutes = [record for record in records if isinstance(record, Statute)]
    # Only a law whose articles come in several batches is met again by the load that brought it.
    written.new = {
        permanent_ids.norm_id(one.facts.jurisdiction, one.facts.official_id) for one in statutes
    } - set(held)
    for key, facts in changed.items():
        before = held.get(key)
        if before and (before.facts.status, before.facts.repealed) != (facts.status, facts.repealed):
            written.changed[key] = ArticleChanges(0, facts.repealed)
    if statutes:
        _write_articles(session, statutes, held, editions, written)
    return written


def explained(error: sa.exc.IntegrityError) -> Invalid | None:
    """Translate a violation of the constraint on days of versions, naming the article; `None` for others."""
    diagnosis = getattr(error.orig, "diag", None)
    if diagnosis is None or diagnosis.constraint_name not in _DAYS:
        return None
    detail = diagnosis.message_detail or ""
    found = _ARTICLE_ID.search(detail)
    query = (
        sa.select(CorpusNorm.official_id, CorpusNorm.jurisdiction, CorpusArticle.number)
        .join(CorpusArticle, CorpusArticle.norm_id == CorpusNorm.id)
        .where(CorpusArticle.id == (uuid.UUID(found[0]) if found else None))
    )
    with db.reading() as session:
        row = session.execute(query).first()
    named = f"{row.official_id} ({row.jurisdiction}), {label(row.number, None)}" if row else "An article"
    days = " and ".join(_DATE_RANGE.findall(detail)) or "of its versions"
    return Invalid(
        f"{named}: the intervals {days} overlap. Let no other process of an older release load the same law, "
        "and run the load again; nothing of this batch was written."
    )


def _take_turns(session: db.Session, records: Iterable[Statute | NormFacts]) -> None:
    """Lock the norms of each jurisdiction for this transaction: what it reads must not change."""
    facts = (record.facts if isinstance(record, Statute) else record for record in records)
    for code in sorted({one.jurisdiction for one in facts}):
        session.execute(sa.text(_TURN), {"name": f"corpus:{code}"})


def _write_articles(
    session: db.Session,
    statutes: Sequence[Statute],
    held: dict[uuid.UUID, StoredNorm],
    editions: dict[uuid.UUID, revision.Editions],
    written: WriteResult,
) -> None:
    rows, waiting = _Rows(), set[uuid.UUID]()
    for statute in _together(statutes):
        facts = statute.facts
        norm = permanent_ids.norm_id(facts.jurisdiction, facts.official_id)
        if norm in waiting:  # a second edition of a law: what the first one made of it must be there
            _flush(session, rows, written)
            rows, waiting = _Rows(), set()
        waiting.add(norm)
        numbers = None if facts.whole else [one.number for one in statute.articles]
        articles = stored_articles(session, norm, numbers)
        before = held[norm].facts if norm in held else facts
        days = revision.whole_editions(editions[norm])
        # Texts that come to a norm of which only the entry was there are no news about the law.
        news = norm in held and before.source != revision.INDEX
        count, since = 0, None
        new_words: list[str] = []
        for key, one in {**dict.fromkeys(articles), **_by_key(statute)}.items():
            known = articles.get(key)
            became, head = _became(statute, one, known, before)
            versions = article_editions.resolved(became, days)
            _add(rows, norm, key, one, known, head, became, versions)
            if _is_news(known.versions if known else (), versions):
                count += 1
                new_words.append(key[0])
                since = max(
                    filter(None, (since, versions[-1].in_force_from if versions else None)), default=None
                )
        if news and count:
            previous = written.changed.get(norm, ArticleChanges())
            written.changed[norm] = ArticleChanges(
                previous.articles + count,
                since or previous.since or facts.edition,
                (*previous.numbers, *new_words),
            )
        written.counts["articles"] += sum(key not in articles for key in _by_key(statute))
    _flush(session, rows, written)


def _flush(session: db.Session, rows: _Rows, written: WriteResult) -> None:
    written.counts["versions"] += len(rows.versions)
    _fill_texts(session, rows)
    bulk.rows(session, _ARTICLES, rows.articles)
    bulk.rows(session, _SURPLUS, rows.surplus)
    bulk.rows(session, _MOVED, rows.moved)
    bulk.rows(session, _VERSIONS, rows.versions)
    written.counts["passages"] += bulk.rows(session, _PASSAGES, rows.passages)


def _by_key(statute: Statute) -> dict[Key, ArticleText | None]:
    return {(one.number, one.occurrence): one for one in statute.articles}


def _became(
    statute: Statute, one: ArticleText | None, known: StoredArticle | None, before: NormFacts
) -> tuple[Readings, ArticleText | StoredArticle]:
    """Return what is known of an article once `statute` is read, and the source of its heading and position.

    Raises:
        Invalid: Its days contradict each other.
    """
    was = known.known(before) if known else article_editions.NOTHING
    if one is None:
        assert known is not None, "an article is held or was found"
        return was, known
    edition = statute.facts.edition
    try:
        became = article_editions.merged(was, one, history=statute.history, edition=edition)
    except article_editions.Overlap as error:
        law = f"{statute.facts.official_id} ({statute.facts.jurisdiction})"
        raise Invalid(
            f"{law}, {label(one.number, None)}: {error}. "
            "Correct the days in the source and load it again; nothing of this batch was written."
        ) from None
    day = article_editions.day_of(one, edition)
    if known is not None and day < (was.shown or date.min):
        return became, known
    return replace(became, shown=None if day == date.min else day), one


def _is_news(before: Sequence[Interval], after: Sequence[Interval]) -> bool:
    """Tell whether the law as it stands changed, not only what is known of its past."""
    if not after or not before:
        return bool(before) or bool(after and after[-1].in_force_to is None)
    return (before[-1].digest, before[-1].in_force_to) != (after[-1].digest, after[-1].in_force_to)


def _fill_texts(session: db.Session, rows: _Rows) -> None:
    """Read the words of versions that were stored under another number."""
    lacking = [row for row in rows.versions if row["text"] is None]
    if not lacking:
        return
    query = sa.select(CorpusVersion.article_id, CorpusVersion.digest, CorpusVersion.text).where(
        CorpusVersion.article_id.in_({row["article_id"] for row in lacking})
    )
    texts = {(row.article_id, row.digest): row.text for row in session.execute(query)}
    for row in lacking:
        row["text"] = texts[row["article_id"], row["digest"]]


def _together(statutes: Sequence[Statute]) -> list[Statute]:
    """Group articles that came one by one by norm and edition; of one article, every wording."""
    found: dict[tuple[str, str, date | None, bool], Statute] = {}
    for statute in statutes:
        facts = statute.facts
        key = (facts.jurisdiction, facts.official_id, facts.edition, statute.history)
        if key in found:
            articles = {(one.number, one.occurrence): one for one in found[key].articles}
            for one in statute.articles:
                earlier = articles.get((one.number, one.occurrence))
                if earlier and not statute.history:
                    one = replace(one, wordings=(*earlier.wordings, *one.wordings))
                articles[one.number, one.occurrence] = one
            statute = replace(statute, articles=tuple(articles.values()))
        found[key] = statute
    return list(found.values())


def _add(
    rows: _Rows,
    norm: uuid.UUID,
    key: Key,
    found: ArticleText | None,
    held: StoredArticle | None,
    head: ArticleText | StoredArticle,
    became: Readings,
    versions: Sequence[Interval],
) -> None:
    """Add the rows of one article: its own, versions that differ from those stored, passages."""
    article = permanent_ids.article_id(norm, *key)
    rows.articles.append(
        {
            "id": article, "norm_id": norm, "number": key[0], "occurrence": key[1], "place": head.place,
            "heading": head.heading, "path": list(head.path), "readings": article_editions.to_json(became),
        }
    )  # fmt: skip
    texts = {wording.digest: wording.text for wording in found.wordings} if found else {}
    before = dict(zip(held.numbers, held.versions, strict=True)) if held else {}
    for number, one in enumerate(versions, start=1):
        version = permanent_ids.version_id(article, number)
        rows.passages.append(
            {
                "id": permanent_ids.passage_id(version),
                "version_id": version,
                "label": label(key[0], head.heading),
            }
        )
        if before.get(number) == one:
            continue
        row = {
            "id": version, "in_force_from": one.in_force_from, "in_force_to": one.in_force_to,
            "amended_by": one.amended_by,
        }  # fmt: skip
        if number in before and before[number].digest == one.digest:
            rows.moved.append(row)
        else:
            rows.versions.append(
                {
                    **row, "article_id": article, "version": number, "digest": one.digest,
                    "text": texts.get(one.digest),
                }
            )  # fmt: skip
    if max(before, default=0) > len(versions):
        rows.surplus.append({"article_id": article, "versions": len(versions)})
