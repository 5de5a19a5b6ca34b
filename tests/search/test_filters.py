"""`tipos` and `materias` are applied before the cut: what fits is found, however much does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import corpus, search
from app.platform import clock, settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.search import indexing
from app.search.embeddings import build
from tests.corpus.conftest import clear
from tests.search.embedding_server import embedding_server, embedding_settings

_LAW = """---
title: "{title}"
identifier: "ZZ-{name}"
country: "zz"
rank: "{rank}"
last_updated: "2020-01-03"
status: "in_force"
---
# {title}
"""
_LOUD, _QUIET = 600, 12


def _forget() -> None:
    clear()
    with db.transaction() as session:
        for table in ("search_postings", "search_shelves", "search_models"):
            session.execute(sa.text(f"DELETE FROM {table}"))


@pytest.fixture(scope="module", params=["words", "words and vectors"])
def search_settings(
    app: object, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[settings.Settings]:
    """A statute that speaks of nothing but mills, and a decree that mentions them; settings to search by."""
    _forget()
    folder: Path = tmp_path_factory.mktemp("laws")
    loud = "".join(
        f"\n##### Artículo {n}. Del molinero.\n\nEl molinero, el molino y las multas del molinero {n}.\n"
        for n in range(1, _LOUD + 1)
    )
    quiet = "".join(
        f"\n##### Artículo {n}. Oficios y aguas.\n\nLos pastores, barqueros, alfareros y herreros del pueblo"
        f" avisarán al alcalde, y también al molinero, cuando llueva más de {n} días seguidos.\n"
        for n in range(1, _QUIET + 1)
    )
    for name, rank, title, body in (
        ("a", "ley", "Ley de molinos", loud),
        ("b", "real_decreto", "Real Decreto de oficios", quiet),
    ):
        (folder / f"{name}.md").write_text(_LAW.format(title=title, name=name, rank=rank) + body, "utf-8")
    corpus.load("statutes", folder, "markdown", now=clock.now())
    indexing.index(now=clock.now)
    with embedding_server() as server:
        config = embedding_settings(server.url) if request.param != "words" else settings.current()
        build.embed(config, now=clock.now)
        yield config
    _forget()


def _found(config: settings.Settings, **filters: list[str]) -> list[str]:
    asked = search.prepare("multas del molinero", jurisdiction="ZZ", kind="article", config=config)
    assert (asked.vector is None) == (config.embedding_engine == "none")
    with db.reading() as session:
        answer = search.statute_search.search(
            session,
            asked,
            day=clock.today(),
            most=10,
            ranks=filters.get("ranks", []),
            subjects=filters.get("subjects", []),
        )
    return [one.official_id for one in answer.found]


def test_without_a_filter_the_loud_statute_fills_the_answer(search_settings: settings.Settings) -> None:
    assert _found(search_settings) == ["ZZ-a"] * 10


@pytest.mark.parametrize(
    "filters",
    [
        {"ranks": ["real_decreto"]},
        {"ranks": ["Real Decreto"]},
        {"subjects": ["aguas"]},
        {"subjects": ["oficio agua"]},
        {"ranks": ["real_decreto"], "subjects": ["pesca", "oficios"]},
    ],
)
def test_ten_that_fit_are_found_where_there_are_ten(
    search_settings: settings.Settings, filters: dict[str, list[str]]
) -> None:
    assert _found(search_settings, **filters) == ["ZZ-b"] * 10


def test_what_fits_nothing_finds_nothing(search_settings: settings.Settings) -> None:
    assert _found(search_settings, subjects=["pesca"]) == []
    assert _found(search_settings, ranks=["ley"], subjects=["aguas"]) == []


def test_a_rank_that_no_norm_has_is_refused_with_those_there_are(search_settings: settings.Settings) -> None:
    with pytest.raises(Invalid, match="Ranks available: ley, real_decreto") as refused:
        _found(search_settings, ranks=["bula"])
    assert refused.value.details == {"field": "tipos", "got": "bula", "known": ["ley", "real_decreto"]}
