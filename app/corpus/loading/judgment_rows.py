"""Write judgments and their passages as rows."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from app.corpus import permanent_ids
from app.corpus.loading import revision
from app.corpus.loading.passages import passages
from app.corpus.loading.records import Judgment
from app.corpus.models import CorpusJudgment
from app.platform.postgres import bulk, db

# A changed judgment is to be read again by the citator; one of which there is no text has nothing to read.
_JUDGMENTS = """
    INSERT INTO corpus_judgments (id, jurisdiction, canonical, court, chamber, kind, number, year, dated,
    ecli, roj,
        docket, judge, title, summary, url, source, text_known, facts, digest, loaded_at, read_at)
    SELECT id, jurisdiction, canonical, court, chamber, kind, number, year, dated, ecli, roj,
        docket, judge, title, summary, url, source, text_known, facts, digest, loaded_at, NULL
    FROM json_to_recordset(%(rows)s) AS r(id uuid, jurisdiction text, canonical text, court text, chamber
    text,
        kind text, number text, year smallint, dated date, ecli text, roj text, docket text, judge text,
        title text,
        summary text, url text, source text, text_known boolean, facts jsonb, digest bytea, loaded_at
        timestamptz)
    ON CONFLICT (id) DO UPDATE SET court = excluded.court, chamber = excluded.chamber, kind = excluded.kind,
        number = excluded.number, year = excluded.year, dated = excluded.dated, ecli = excluded.ecli,
        roj = excluded.roj, docket = excluded.docket, judge = excluded.judge, title = excluded.title,
        summary = excluded.summary, url = excluded.url, source = excluded.source,
        text_known = excluded.text_known, facts = excluded.facts, digest = excluded.digest,
        loaded_at = excluded.loaded_at, read_at = NULL
    """
_PASSAGES = """
    INSERT INTO corpus_passages (jurisdiction, id, kind, judgment_id, place, title, path, heading, text,
        in_force_from)
    SELECT jurisdiction, id, 'judgment', judgment_id, place, title, '', '', text, dated
    FROM json_to_recordset(%(rows)s) AS r(jurisdiction text, id uuid, judgment_id uuid, place int, title text,
        text text, dated date)
    ON CONFLICT (jurisdiction, id) DO UPDATE SET title = excluded.title, text = excluded.text,
        in_force_from = excluded.in_force_from, indexed_at = NULL
    WHERE (corpus_passages.title, corpus_passages.text, corpus_passages.in_force_from)
        IS DISTINCT FROM (excluded.title, excluded.text, excluded.in_force_from)
    """
_SURPLUS = """
    DELETE FROM corpus_passages USING json_to_recordset(%(rows)s) AS r(judgment_id uuid, parts int)
    WHERE corpus_passages.judgment_id = r.judgment_id AND corpus_passages.place >= r.parts
    """
# Parts of judgments sent in one statement, so that a judgment of a thousand pages needs no more memory.
_AT_ONCE = 1_000
_FACTS = tuple(one.name for one in fields(Judgment) if one.name != "text")


def write(session: db.Session, records: Sequence[Judgment], *, now: datetime) -> Counter[str]:
    """Write judgments, and the passages of those that came with a text; return the number of rows by kind."""
    held = _held(session, records)
    merged: dict[uuid.UUID, Judgment] = {}
    for record in records:
        key = permanent_ids.judgment_id(record.jurisdiction, record.canonical)
        merged[key] = revision.judgment(merged.get(key, held.get(key)), record)
    changed = {key: one for key, one in merged.items() if _row(held.get(key)) != _row(one)}
    bulk.rows(
        session,
        _JUDGMENTS,
        ({"id": key, "loaded_at": now, **(_row(one) or {})} for key, one in changed.items()),
    )
    counts: Counter[str] = Counter(judgments=len(set(merged) - set(held)))
    # `_HELD` stands for a text that is there already: only a text that came now is cut into passages.
    texts = {key: one for key, one in changed.items() if one.text and one.text != _HELD}
    parts: list[dict[str, Any]] = []
    for key, one in texts.items():
        count = 0
        for row in _parts(key, one):
            parts.append(row)
            count += 1
            if len(parts) == _AT_ONCE:
                counts["passages"] += bulk.rows(session, _PASSAGES, parts)
                parts.clear()
        bulk.rows(session, _SURPLUS, [{"judgment_id": key, "parts": count}])
    counts["passages"] += bulk.rows(session, _PASSAGES, parts)
    return counts


_HELD = "\x00"


def _held(session: db.Session, records: Sequence[Judgment]) -> dict[uuid.UUID, Judgment]:
    wanted = {permanent_ids.judgment_id(one.jurisdiction, one.canonical) for one in records}
    columns = [getattr(CorpusJudgment, name) for name in _FACTS]
    query = sa.select(CorpusJudgment.id, CorpusJudgment.text_known, *columns)
    return {
        row[0]: Judgment(**dict(zip(_FACTS, row[2:], strict=True)), text=_HELD if row[1] else "")
        for row in session.execute(query.where(CorpusJudgment.id.in_(wanted)))
    }


def _row(one: Judgment | None) -> dict[str, Any] | None:
    if one is None:
        return None
    known = replace(one, facts=dict(one.facts))
    return {name: getattr(known, name) for name in _FACTS} | {"text_known": bool(one.text)}


def _parts(key: uuid.UUID, one: Judgment) -> Iterator[dict[str, Any]]:
    for place, text in enumerate(passages(one.text)):
        yield {
            "jurisdiction": one.jurisdiction, "id": permanent_ids.passage_id(key, place), "judgment_id": key,
            "place": place, "title": one.title, "text": text, "dated": one.dated,
        }  # fmt: skip
