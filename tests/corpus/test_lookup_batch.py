"""What the corpus knows of citations: versions of an article at a day, a text that is whole, one that is
not.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from app import corpus
from app.citations import Citation
from app.corpus.lookup.batch import Series
from app.platform import clock
from tests.corpus.conftest import write_law

pytestmark = pytest.mark.usefixtures("empty_corpus")


def cited(*articles: str) -> Citation:
    return Citation("x", 0, 1, "L4-N", "ZZ", ("x",), "ZZ:ZZ-A-2020-1", articles)


def status(citation: Citation, on: date) -> str:
    return corpus.verify(citation, on, corpus.look_up([citation], on)).status


def test_an_article_stands_from_its_first_day_to_its_last(tmp_path: Path) -> None:
    law = write_law(tmp_path, more="##### Artículo 6.\n\nSeis.")
    corpus.load("statutes", law, "markdown", now=clock.now())
    later = write_law(tmp_path, edition="2024-05-06", more="##### Artículo 7.\n\nSiete.")
    corpus.load("statutes", later, "markdown", now=clock.now())
    before, after = date(2022, 1, 1), date(2025, 1, 1)
    assert [status(cited("1"), day) for day in (before, after)] == ["verified", "verified"]
    assert [status(cited("6"), day) for day in (before, after)] == ["verified", "derogated"]
    assert status(cited("5"), after) == "derogated"
    assert status(cited("8"), after) == "not_found"
    assert status(cited("4 bis"), after) == "not_found"
    assert status(cited("1", "8"), after) == "not_found"
    assert status(cited(), after) == "verified"


def test_a_law_that_is_loaded_in_part_lacks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "law.jsonl"
    path.write_text('{"id": "ZZ:x", "law": "Ley 2 de 2020", "num": "1", "text": "Uno."}\n', encoding="utf-8")
    corpus.load("statutes", path, "jsonl", now=clock.now())
    on = date(2026, 1, 1)

    def of(number: str) -> str:
        return status(Citation("x", 0, 1, "L4-N", "ZZ", ("x",), "ZZ:Ley 2 de 2020", (number,)), on)

    assert (of("1"), of("2")) == ("verified", "not_verifiable")


def test_nothing_is_known_of_what_is_not_loaded() -> None:
    on = date(2026, 1, 1)
    assert status(cited("1"), on) == "not_verifiable"
    assert corpus.look_up([], on) == corpus.LookupResult()


@pytest.mark.parametrize(
    ("series", "number", "lacks"),
    [
        (Series(980, 1000, True), 500, True),
        (Series(980, 1000, True), 1001, True),
        (Series(980, 1000, False), 1001, False),
        (Series(300, 1000, True), 500, False),
    ],
)
def test_a_number_is_absent_only_of_a_year_that_is_loaded_all_but_whole(
    series: Series, number: int, lacks: bool
) -> None:
    assert series.lacks(number) is lacks
