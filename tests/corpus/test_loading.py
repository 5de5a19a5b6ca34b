"""Loading statutes: what is written, what a second load changes, what a broken one leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import sqlalchemy as sa

from app import corpus
from app.corpus.loading import batch_load as loading
from app.corpus.loading import formats
from app.corpus.loading.records import Item, Source
from app.platform import clock
from app.platform.errors import Conflict, Invalid, NotFound
from app.platform.postgres import db
from tests.cast import Cast
from tests.corpus.conftest import write_law
from tests.corpus.contents import everything, load, rows

pytestmark = pytest.mark.usefixtures("empty_corpus")


def index(marked: bool) -> None:
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE corpus_passages SET indexed_at = :at"), {"at": clock.now() if marked else None}
        )


def waiting() -> set[str]:
    return {row.heading for row in rows("SELECT heading FROM corpus_passages WHERE indexed_at IS NULL")}


def test_a_law_in_markdown_with_its_traps(tmp_path: Path) -> None:
    report = load("statutes", write_law(tmp_path), "markdown")
    assert (report.written["norms"], report.written["articles"], report.written["passages"]) == (1, 8, 8)
    assert report.skipped == {}
    found = rows("SELECT number, occurrence, heading, path FROM corpus_articles ORDER BY place")
    assert [(row.number, row.occurrence) for row in found] == [
        ("1", 1), ("2", 1), ("3", 1), ("4", 1), ("4", 2), ("5", 1), ("da1", 1), ("dd1", 1),
    ]  # fmt: skip
    assert found[0].heading == "Objeto"
    assert found[0].path == ["TÍTULO PRELIMINAR. Disposiciones generales"]
    assert found[2].path[-1] == "CAPÍTULO I. Otros"
    assert found[6].path == []
    texts = {row.number: row.text for row in rows(
        "SELECT number, text FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id"
        " WHERE occurrence = 1")}  # fmt: skip
    assert texts["5"] == "(Derogado)"
    assert texts["3"] == "Tres.\n\nF = a + b"
    (norm,) = rows("SELECT * FROM corpus_norms")
    assert (norm.jurisdiction, norm.official_id, norm.whole, norm.dated) == (
        "ZZ", "ZZ-A-2020-1", True, date(2020, 1, 2),
    )  # fmt: skip
    assert len(waiting()) == 8
    (kept,) = rows("SELECT DISTINCT tableoid::regclass::text AS place FROM corpus_passages")
    assert kept.place == "corpus_passages_zz"


def test_loading_again_changes_nothing(tmp_path: Path) -> None:
    path = write_law(tmp_path)
    load("statutes", path, "markdown")
    index(True)
    before = everything()
    assert load("statutes", path, "markdown").unchanged == 1
    again = load("statutes", path, "markdown", again=True)
    assert (again.unchanged, sum(again.written.values()), again.norms_updated) == (0, 0, 0)
    assert everything() == before
    assert waiting() == set()


def test_a_later_edition_makes_a_version_and_a_correction_does_not(tmp_path: Path) -> None:
    load("statutes", write_law(tmp_path), "markdown")
    index(True)
    load("statutes", write_law(tmp_path, edition="2024-05-06", first="Otra redacción."), "markdown")
    found = rows(
        "SELECT version, in_force_from, in_force_to, text FROM corpus_versions v JOIN corpus_articles a"
        " ON a.id = v.article_id WHERE number = '1' ORDER BY version"
    )
    assert [tuple(row) for row in found] == [
        (1, None, date(2024, 5, 6), "Esta ley es una prueba."),
        (2, date(2024, 5, 6), None, "Otra redacción."),
    ]
    assert waiting() == {"Artículo 1. Objeto"}
    load(
        "statutes", write_law(tmp_path, edition="2024-05-06", first="Otra redacción, sin errata."), "markdown"
    )
    found = rows("SELECT text FROM corpus_versions WHERE text LIKE 'Otra%'")
    assert [row.text for row in found] == ["Otra redacción, sin errata."]


def test_an_article_that_a_new_edition_lacks_ends_and_one_that_is_new_begins(tmp_path: Path) -> None:
    load("statutes", write_law(tmp_path, more="##### Artículo 6.\n\nSeis."), "markdown")
    load(
        "statutes", write_law(tmp_path, edition="2024-05-06", more="##### Artículo 7.\n\nSiete."), "markdown"
    )
    found = {
        row.number: row.in_force_to
        for row in rows(
            "SELECT number, in_force_to FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id"
            " WHERE number IN ('6', '7')"
        )
    }
    assert found == {"6": date(2024, 5, 6), "7": None}
    ended = rows("SELECT in_force_to FROM corpus_passages WHERE heading = 'Artículo 6'")
    assert [row.in_force_to for row in ended] == [date(2024, 5, 6)]


def test_a_law_that_changed_is_announced_once_to_who_may_read_the_law(cast: Cast, tmp_path: Path) -> None:
    alice, bob = cast.player("alice"), cast.player("bob", scopes=("analyze",))
    load("statutes", write_law(tmp_path), "markdown")
    said = "SELECT payload FROM events WHERE account_id = :a AND type = 'normativa.updated'"
    assert rows(said, a=alice.account_id) == []
    changed = write_law(tmp_path, edition="2024-05-06", first="Otra.", more="##### Artículo 6.\n\nSeis.")
    load("statutes", changed, "markdown")
    load("statutes", changed, "markdown", again=True)
    assert [row.payload for row in rows(said, a=alice.account_id)] == [
        {
            "jurisdiction": "ZZ",
            "normId": "ZZ-A-2020-1",
            "title": "Ley 1/2020, de 2 de enero, de Demostración",
            "inForceFrom": "2024-05-06",
            "articles": 2,
            "changedArticles": ["1", "6"],
        }
    ]
    assert rows(said, a=bob.account_id) == []


def test_what_is_left_out_is_counted_by_reason(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "ZZ:L#1", "law": "Ley 2 de 2020", "num": "1", "text": "Uno.\n\nLey 2 de 2020"}),
        "no json",
        json.dumps(["a"]),
        json.dumps({"id": "ZZ:L#2", "law": "Ley 2 de 2020", "num": "", "text": "x"}),
        json.dumps({"id": "ZZ:L#3", "law": "Ley 2 de 2020", "num": "3", "text": ""}),
        json.dumps({"id": "QQ:L#4", "law": "Ley 2 de 2020", "num": "4", "text": "x"}),
        json.dumps({"id": "ZZ:L#9 bis", "law": "Ley 2 de 2020", "num": "9 bis", "text": "Nueve\x00."}),
    ]
    path = tmp_path / "law.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    report = load("statutes", path, "jsonl")
    assert report.skipped == {
        "a line that is no JSON": 1,
        "a line that is no JSON object": 1,
        "no number of an article": 1,
        "an article without words": 1,
        "no jurisdiction that is known": 1,
    }
    found = rows(
        "SELECT number, text FROM corpus_articles a JOIN corpus_versions v ON v.article_id = a.id"
        " ORDER BY place"
    )
    assert [tuple(row) for row in found] == [("1", "Uno."), ("9 bis", "Nueve.")]
    (norm,) = rows("SELECT official_id, whole FROM corpus_norms")
    assert (norm.official_id, norm.whole) == ("Ley 2 de 2020", False)


def _laws(folder: Path, count: int = 60) -> Path:
    path = folder / "laws.jsonl"
    path.write_text(
        "\n".join(
            json.dumps({"id": "ZZ:L", "law": f"Ley {n % 3 + 1} de 2020", "num": str(n + 1), "text": f"N{n}."})
            for n in range(count)
        ),
        encoding="utf-8",
    )
    return path


class _Killed(BaseException):
    """What a signal does to a process, as far as a test may."""


@pytest.mark.parametrize("after", [0, 1, 17, 45, 59])
def test_a_load_that_broke_off_ends_with_the_rows_of_an_unbroken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    path = _laws(tmp_path)
    monkeypatch.setattr(loading, "_BATCH_RECORDS", 7)
    load("statutes", path, "jsonl")
    unbroken = everything()
    from tests.corpus.conftest import clear

    clear()
    whole = formats.reader("statutes", "jsonl")

    def broken(source: Source, position: int) -> Iterator[Item]:
        for item in whole(source, position):
            if item.position > after:
                raise _Killed
            yield item

    monkeypatch.setattr(loading, "reader", lambda kind, form: broken)
    with pytest.raises(_Killed):
        load("statutes", path, "jsonl")
    (state,) = rows("SELECT position, finished_at FROM corpus_loads")
    assert (state.position, state.finished_at) == (after // 7 * 7, None)
    monkeypatch.setattr(loading, "reader", lambda kind, form: whole)
    report = load("statutes", path, "jsonl")
    assert everything() == unbroken
    assert (report.records, report.norms_updated) == (60, 0)


def test_two_processes_do_not_load_one_source_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _laws(tmp_path)
    monkeypatch.setattr(loading, "_BATCH_RECORDS", 7)
    whole = formats.reader("statutes", "jsonl")
    inner: list[corpus.Report] = []

    def slow(source: Source, position: int) -> Iterator[Item]:
        for item in whole(source, position):
            if item.position == 20 and not inner:
                monkeypatch.setattr(loading, "reader", lambda kind, form: whole)
                inner.append(load("statutes", path, "jsonl"))
            yield item

    monkeypatch.setattr(loading, "reader", lambda kind, form: slow)
    with pytest.raises(Conflict, match="Another process"):
        load("statutes", path, "jsonl")
    assert inner[0].records == 60
    assert len(rows("SELECT 1 FROM corpus_articles")) == 60


def test_a_form_that_a_kind_does_not_have_is_refused_with_those_it_has(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="forms are csv"):
        load("norms", tmp_path, "akn")
    with pytest.raises(NotFound):
        load("statutes", tmp_path, "markdown")


def test_an_index_after_a_text_keeps_the_text_and_the_other_way_round_gives_the_same(tmp_path: Path) -> None:
    law = write_law(tmp_path)
    listed = tmp_path / "index.csv"
    listed.write_text(
        "identifier,rank,title,enactment_date,publication_date,last_updated,status,source\n"
        'ZZ-A-2020-1,ley,"Ley 1/2020, de 2 de enero, de Demostración",2020-01-02,2020-01-03,2025-01-01,'
        "repealed,https://law.example.com/zz/2020/1\n"
        ",ley,Sin identificador,,,,in_force,\n"
        "ZZ-A-2020-2,ley,Rara,,,,dormida,\n",
        encoding="utf-8",
    )
    from tests.corpus.conftest import clear

    found = []
    for order in ((("statutes", law, "markdown"), ("norms", listed, "csv")),) * 1 + (
        (("norms", listed, "csv"), ("statutes", law, "markdown")),
    ):
        clear()
        reports = [load(kind, path, form, jurisdiction="ZZ") for kind, path, form in order]
        skipped = {reason: count for report in reports for reason, count in report.skipped.items()}
        assert skipped == {"a norm without identifier or title": 1, "a status that is not known": 1}
        (norm,) = rows("SELECT status, source, whole FROM corpus_norms")
        found.append(tuple(norm))
        assert len(rows("SELECT 1 FROM corpus_versions")) == 8
    assert found == [("repealed", "markdown", True)] * 2
