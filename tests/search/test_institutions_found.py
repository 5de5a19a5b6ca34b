"""An article that governs an institution is found by people's words that it does not have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import corpus, search
from app.platform import clock, settings
from app.platform.postgres import db
from app.search import indexing, ranking
from tests.corpus.conftest import clear

_LAW = """---
title: "Real Decreto de 24 de julio de 1889 por el que se publica el Código Civil"
identifier: "BOE-A-1889-4763"
country: "es"
rank: "real_decreto"
last_updated: "2020-01-03"
status: "in_force"
---
# Código Civil

##### Artículo 1700.

El perro y la niña, el perro mordido y la niña que muerde.

##### Artículo 1905.

El poseedor de un animal, o el que se sirve de él, es responsable de los perjuicios que causare.
"""


@pytest.fixture
def loaded(app: object, tmp_path: Path) -> Iterator[None]:
    """Two articles: one with the words of the question, one that governs what it is about."""
    _forget()
    (tmp_path / "cc.md").write_text(_LAW, "utf-8")
    corpus.load("statutes", tmp_path, "markdown", now=clock.now())
    indexing.index(now=clock.now)
    yield
    _forget()


def _forget() -> None:
    clear()
    with db.transaction() as session:
        for table in ("search_postings", "search_shelves", "search_models"):
            session.execute(sa.text(f"DELETE FROM {table}"))


def _first(asked: ranking.PreparedQuery) -> str:
    with db.reading() as session:
        return search.statute_search.search(session, asked, day=clock.today(), most=1).found[0].number


def test_the_article_of_the_institution_leads_the_words(loaded: None) -> None:
    asked = search.prepare(
        "mi perro mordió a una niña", jurisdiction="ES", kind="article", config=settings.current()
    )
    alone = replace(asked.parsed, subjects={}, concepts=())
    assert _first(replace(asked, parsed=alone)) == "1905"
    assert _first(replace(asked, parsed=replace(alone, institutions={}))) == "1700"
