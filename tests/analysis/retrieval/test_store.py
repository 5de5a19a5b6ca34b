"""The loaded law is read in a bounded number of statements, and a store that fails makes a note, no error."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app import corpus, search
from app.analysis import retrieval
from app.analysis.retrieval import store
from app.citations import extract
from app.platform import clock
from app.platform.postgres import db
from app.rules import Brief, Reading, RulesEngine
from app.search import Question
from app.search.index_cache import INDEX_CACHE
from tests.analysis.retrieval.dismissal import DISMISSAL, TODAY
from tests.corpus.conftest import clear

_LAW = """---
title: "Real Decreto Legislativo 2/2015, de 23 de octubre, del Estatuto de los Trabajadores"
identifier: "BOE-A-2015-11430"
country: "es"
rank: "real_decreto_legislativo"
last_updated: "2020-01-03"
status: "in_force"
---
# Estatuto de los Trabajadores

##### Artículo 51. Despido colectivo.

Se entenderá por despido colectivo la extinción de contratos de trabajo fundada en causas económicas.

##### Artículo 52. Extinción del contrato por causas objetivas.

El contrato podrá extinguirse por causas objetivas.

##### Artículo 53. Forma y efectos de la extinción por causas objetivas.

Poner a disposición del trabajador, simultáneamente a la entrega de la comunicación escrita, la
indemnización de veinte días por año de servicio.

##### Artículo 54. Despido disciplinario.

El contrato de trabajo podrá extinguirse por decisión del empresario, mediante despido basado en un
incumplimiento grave y culpable del trabajador.

##### Artículo 80. De las aguas.

Las aguas del molino correrán por el cauce.
"""


def _forget() -> None:
    clear()
    with db.transaction() as session:
        for table in ("search_postings", "search_shelves", "search_models"):
            session.execute(sa.text(f"DELETE FROM {table}"))
    INDEX_CACHE.clear()


@pytest.fixture(scope="module")
def law(app: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Five articles under the identifier of the workers' statute, indexed."""
    _forget()
    folder: Path = tmp_path_factory.mktemp("law")
    (folder / "et.md").write_text(_LAW, "utf-8")
    corpus.load("statutes", folder, "markdown", now=clock.now())
    search.index(now=clock.now)
    yield
    _forget()


def _grounds(text: str = DISMISSAL, code: str = "ES", **options: Any) -> retrieval.Grounds:
    reading = Reading(text, code)
    statements = RulesEngine().analyse(Brief(text, code, "laboral", "es", reading=reading)).statements
    return retrieval.ground(
        reading, statements, extract(text, code), "es", TODAY, branch="laboral", **options
    )


def _statements(text: str) -> int:
    counted: list[str] = []

    def count(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        counted.append(statement)

    sa.event.listen(db.engine(), "before_cursor_execute", count)
    try:
        _grounds(text)
    finally:
        sa.event.remove(db.engine(), "before_cursor_execute", count)
    return len(counted)


def test_the_articles_of_a_finding_are_told_and_others_found(law: None) -> None:
    grounds = _grounds()
    why = {one.key.number: one.why for one in grounds.passages if one.key}
    assert why["52"] == why["53"] == "required"
    assert "80" not in why, "the mill has nothing to do with a dismissal"
    assert [note[:12] for note in grounds.notes] == ["La ley de EU"], "of the Union's nothing is loaded"


def test_search_alone_finds_the_article_that_a_clause_is_about(law: None) -> None:
    why = {one.key.number: one.why for one in _grounds(with_rules=False).passages if one.key}
    assert why["53"] == "found"


def test_the_number_of_statements_does_not_grow_with_the_document(law: None) -> None:
    long = DISMISSAL + "\n\n".join(
        f"{n}. El trabajador percibirá la indemnización del tramo {n} según el artículo {n} del Estatuto de "
        "los Trabajadores, salvo que haya despido disciplinario."
        for n in range(1, 200)
    )
    short = _statements(DISMISSAL)
    assert _statements(long) <= max(short, 16)


def test_a_store_that_fails_makes_a_note(law: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> store.Found:
        raise sa.exc.OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(store, "read", failing)
    grounds = _grounds()
    assert grounds.passages == ()
    assert grounds.notes[0].startswith("No se pudo consultar la ley cargada")


def test_without_an_index_the_articles_by_number_are_told_and_a_note_says_so(law: None) -> None:
    try:
        with db.transaction() as session:
            session.execute(sa.text("UPDATE search_shelves SET size = 0"))
        grounds = _grounds()
    finally:
        with db.transaction() as session:
            session.execute(sa.text("UPDATE search_shelves SET size = (SELECT count(*) FROM search_entries)"))
    assert "53" in {one.key.number for one in grounds.passages if one.key}
    assert "no está indexada" in grounds.notes[0]


def test_many_questions_are_ranked_as_one_by_one(law: None) -> None:
    texts = [Question("indemnización de veinte días por año"), Question("aguas del molino"), Question("zzz")]

    def ranked(*asked: Question) -> list[list[search.Scored]]:
        with db.reading() as session:
            found = search.rank_many(session, asked, jurisdiction="ES", kind="article", days=[TODAY], most=3)
        assert found is not None
        return found

    together = ranked(*texts)
    assert together == [ranked(one)[0] for one in texts]
    assert together[2] == []
    assert all(0 < one.score <= 1 for found in together for one in found)


def test_an_article_that_is_not_in_force_that_day_is_not_found(law: None) -> None:
    day = date(2025, 3, 3)
    with db.transaction() as session:
        session.execute(sa.text("UPDATE search_entries SET in_force_to = :day"), {"day": day})
    INDEX_CACHE.clear()
    try:
        with db.reading() as session:
            asked = [Question("aguas del molino")]
            for days, count in (([TODAY], 0), ([date(2025, 3, 2), TODAY], 1)):
                found = search.rank_many(session, asked, jurisdiction="ES", kind="article", days=days, most=3)
                assert found is not None
                assert len(found[0]) == count
    finally:
        with db.transaction() as session:
            session.execute(sa.text("UPDATE search_entries SET in_force_to = NULL"))
        INDEX_CACHE.clear()
