"""Report the state of the corpus to operators: rows by jurisdiction, waiting steps, how loads ended."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from app.corpus.models import CorpusLoad
from app.platform import clock
from app.platform.postgres import db

_BY_JURISDICTION = """
    SELECT jurisdiction, sum(norms)::bigint AS norms, sum(articles)::bigint AS articles,
        sum(versions)::bigint AS versions, sum(judgments)::bigint AS judgments, sum(texts)::bigint AS texts,
        sum(passages)::bigint AS passages, sum(passages - waiting)::bigint AS indexed,
        sum(waiting)::bigint AS waiting
    FROM (
        SELECT jurisdiction, count(*) AS norms, 0 AS articles, 0 AS versions, 0 AS judgments, 0 AS texts,
            0 AS passages, 0 AS waiting FROM corpus_norms GROUP BY 1
        UNION ALL
        SELECT n.jurisdiction, 0, count(DISTINCT a.id), count(v.id), 0, 0, 0, 0
        FROM corpus_norms n JOIN corpus_articles a ON a.norm_id = n.id
        JOIN corpus_versions v ON v.article_id = a.id GROUP BY 1
        UNION ALL
        SELECT jurisdiction, 0, 0, 0, count(*), count(*) FILTER (WHERE text_known), 0, 0
        FROM corpus_judgments GROUP BY 1
        UNION ALL
        SELECT jurisdiction, 0, 0, 0, 0, 0, count(*), count(*) FILTER (WHERE indexed_at IS NULL)
        FROM corpus_passages GROUP BY 1
    ) AS counted GROUP BY jurisdiction ORDER BY jurisdiction
    """


def waiting(session: db.Session) -> int:
    """Return how many passages are loaded and not in the search index yet."""
    found = session.scalar(sa.text("SELECT count(*) FROM corpus_passages WHERE indexed_at IS NULL"))
    return int(found or 0)


def status(session: db.Session) -> dict[str, Any]:
    """Return `{jurisdictions: {code: figures}, loads: [...]}`; figures count rows, times are ISO 8601."""
    found = session.execute(sa.text(_BY_JURISDICTION)).mappings()
    jurisdictions = {
        row["jurisdiction"]: {name: int(value) for name, value in row.items() if name != "jurisdiction"}
        for row in found
    }
    loads = [
        {
            "source": row.source,
            "form": row.form,
            "started": clock.iso(row.started_at),
            "finished": clock.iso(row.finished_at) if row.finished_at else None,
            "records": row.position,
            "written": row.counts.get("written", {}),
            "skipped": row.skipped,
            "notes": row.counts.get("notes", {}),
        }
        for row in session.scalars(sa.select(CorpusLoad).order_by(CorpusLoad.form, CorpusLoad.source))
    ]
    return {"jurisdictions": jurisdictions, "loads": loads}
