"""Loading into the corpus, and what then stands in its tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app import corpus
from app.platform import clock
from app.platform.postgres import db


def load(kind: str, path: Path, form: str, **more: Any) -> corpus.Report:
    return corpus.load(kind, path, form, now=clock.now(), **more)


def rows(sql: str, **values: Any) -> list[Any]:
    with db.reading() as session:
        return list(session.execute(sa.text(sql), values))


def everything() -> list[Any]:
    """Every row of the corpus but for the moments of loading."""
    found: list[Any] = []
    for table in ("norms", "articles", "versions", "judgments", "passages"):
        found += rows(
            f"SELECT '{table}', to_jsonb(t) - 'loaded_at' - 'read_at' FROM corpus_{table} t ORDER BY t.id"
        )
    return [tuple(row) for row in found]
