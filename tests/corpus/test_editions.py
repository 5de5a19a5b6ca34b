"""Editions of a law: an older one never replaces a newer one, and versions of an article never overlap."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app.corpus.loading import norm_rows
from app.platform.errors import Invalid
from app.platform.postgres import db
from tests.cast import Cast
from tests.corpus.conftest import clear, write_law
from tests.corpus.contents import everything, load, rows

pytestmark = pytest.mark.usefixtures("empty_corpus")
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

_LINE = '{{"id": "ZZ:L#1", "norm_id": "ZZ-A-2020-1", "law": "{law}", "num": "{num}", "text": "{text}"{more}}}'
_TITLE = "Ley 1/2020, de 2 de enero, de Demostración"


def _edition(folder: Path, name: str, day: str, **more: str) -> tuple[str, Path, str]:
    place = folder / name
    place.mkdir(exist_ok=True)
    return "statutes", write_law(place, edition=day, **more), "markdown"


def _lines(folder: Path, name: str, *lines: str) -> tuple[str, Path, str]:
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return "statutes", path, "jsonl"


def _line(num: str, text: str, **more: str) -> str:
    days = "".join(f', "{name}": "{value}"' for name, value in more.items())
    return _LINE.format(law=_TITLE, num=num, text=text, more=days)


def _end_state(order: Sequence[tuple[str, Path, str]]) -> list[Any]:
    clear()
    for kind, path, form in order:
        load(kind, path, form, jurisdiction="ZZ")
    return everything()


def _versions(number: str = "1") -> list[tuple[Any, ...]]:
    found = rows(
        "SELECT version, in_force_from, in_force_to, text FROM corpus_versions v JOIN corpus_articles a"
        f" ON a.id = v.article_id WHERE number = '{number}' AND occurrence = 1 ORDER BY version"
    )
    return [tuple(row) for row in found]


def test_an_older_edition_never_replaces_a_newer_one(tmp_path: Path) -> None:
    newer = _edition(tmp_path, "newer", "2024-05-06", first="Redacción de 2024.")
    older = _edition(tmp_path, "older", "2020-01-03", first="Redacción de 2020.")
    for kind, path, form in (newer, older):
        load(kind, path, form)
    assert _versions() == [
        (1, None, date(2024, 5, 6), "Redacción de 2020."),
        (2, date(2024, 5, 6), None, "Redacción de 2024."),
    ]
    (norm,) = rows("SELECT edition FROM corpus_norms")
    assert norm.edition == date(2024, 5, 6)
    in_force = rows(
        "SELECT text FROM corpus_passages WHERE in_force_to IS NULL AND heading LIKE 'Artículo 1%'"
    )
    assert [row.text for row in in_force] == ["Redacción de 2024."]


def test_editions_in_every_order_end_in_the_same_rows(tmp_path: Path) -> None:
    listed = tmp_path / "index.csv"
    listed.write_text(
        f'identifier,rank,title,last_updated,status\nZZ-A-2020-1,ley,"{_TITLE}",2023-01-01,repealed\n',
        encoding="utf-8",
    )
    sources = [
        _edition(tmp_path, "a", "2020-01-03", first="Uno.", more="##### Artículo 6.\n\nSeis."),
        _edition(tmp_path, "b", "2021-02-28", first="Dos.", more="##### Artículo 7.\n\nSiete."),
        _edition(tmp_path, "c", "2024-02-29", first="Uno.", more="##### Artículo 6. Vuelve.\n\nSeis."),
        _lines(tmp_path, "d", _line("1", "Sin fecha."), _line("8", "Ocho.", in_force_from="2022-07-01")),
        ("norms", listed, "csv"),
    ]
    orders = list(permutations(sources))
    first = _end_state(orders[0])
    assert [one[:3] for one in _versions()] == [
        (1, None, date(2021, 2, 28)),
        (2, date(2021, 2, 28), date(2024, 2, 29)),
        (3, date(2024, 2, 29), None),
    ]
    assert [one[1:3] for one in _versions("6")] == [(None, date(2021, 2, 28)), (date(2024, 2, 29), None)]
    assert [one[1:3] for one in _versions("7")] == [(date(2021, 2, 28), date(2024, 2, 29))]
    assert [one[1:3] for one in _versions("8")] == [(date(2022, 7, 1), date(2024, 2, 29))]
    for order in orders[1::5]:
        assert _end_state(order) == first, [path.name for _, path, _ in order]


def test_loading_old_editions_again_changes_nothing(tmp_path: Path) -> None:
    sources = [
        _edition(tmp_path, "a", "2020-01-03", first="Uno."),
        _edition(tmp_path, "b", "2024-05-06", first="Dos."),
    ]
    before = _end_state(sources)
    for kind, path, form in (*sources, *reversed(sources)):
        again = load(kind, path, form, again=True, jurisdiction="ZZ")
        assert (sum(again.written.values()), again.norms_updated) == (0, 0)
        assert everything() == before


def test_history_is_no_news_and_the_present_is(cast: Cast, tmp_path: Path) -> None:
    alice = cast.player("alice")
    said = "SELECT payload FROM events WHERE account_id = :a AND type = 'normativa.updated'"
    for name, day, words in (("b", "2022-01-01", "Dos."), ("a", "2020-01-03", "Uno.")):
        kind, path, form = _edition(tmp_path, name, day, first=words)
        assert load(kind, path, form).norms_updated == 0
    assert rows(said, a=alice.account_id) == []
    kind, path, form = _edition(tmp_path, "c", "2024-05-06", first="Tres.")
    assert load(kind, path, form).norms_updated == 1
    (event,) = rows(said, a=alice.account_id)
    assert (event.payload["inForceFrom"], event.payload["articles"]) == ("2024-05-06", 1)


def test_two_editions_loaded_at_once_end_as_one_after_the_other(tmp_path: Path) -> None:
    sources = [
        _edition(tmp_path, f"e{n}", f"20{10 + n}-03-0{n + 1}", first=f"Redacción {n}.") for n in range(6)
    ]
    expected = _end_state(sources)
    clear()
    with ThreadPoolExecutor(len(sources)) as pool:
        reports = list(pool.map(lambda source: load(*source, jurisdiction="ZZ"), sources))
    assert sum(report.records for report in reports) == len(sources)
    assert everything() == expected


def test_days_that_overlap_are_refused_with_the_article_and_both_intervals(tmp_path: Path) -> None:
    good = _lines(
        tmp_path, "good", _line("5", "Cinco.", in_force_from="2020-01-01", in_force_to="2023-01-01")
    )
    load(*good)
    bad = _lines(tmp_path, "bad", _line("5", "Otro.", in_force_from="2022-06-01"))
    with pytest.raises(Invalid) as refused:
        load(*bad)
    for told in (
        "ZZ-A-2020-1 (ZZ)",
        "Artículo 5",
        "2020-01-01 to 2023-01-01",
        "2022-06-01 to today",
        "again",
    ):
        assert told in refused.value.message
    assert len(_versions("5")) == 1


def test_an_end_before_the_beginning_is_refused_and_a_day_that_is_none_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="Artículo 5: the interval 2023-01-01 to 2022-01-01 ends before it"):
        load(*_lines(tmp_path, "a", _line("5", "x", in_force_from="2023-01-01", in_force_to="2022-01-01")))
    report = load(*_lines(tmp_path, "b", _line("5", "x", in_force_from="2023-02-29")))
    assert report.skipped == {"a day in force that is no day": 1}
    for day, reason in (
        ("2023-02-29", "a last_updated that is no day"),
        ("2205-01-01", "an edition dated in the future"),
    ):
        kind, path, form = _edition(tmp_path, day, day)
        assert load(kind, path, form).skipped == {reason: 1}
    assert rows("SELECT 1 FROM corpus_norms") == []


def test_a_correction_of_an_old_edition_corrects_that_version_alone(tmp_path: Path) -> None:
    _end_state(
        [
            _edition(tmp_path, "a", "2020-01-03", first="Con herrata."),
            _edition(tmp_path, "b", "2024-05-06", first="Nueva."),
        ]
    )
    kind, path, form = _edition(tmp_path, "a", "2020-01-03", first="Sin errata.")
    load(kind, path, form, jurisdiction="ZZ")
    assert [one[3] for one in _versions()] == ["Sin errata.", "Nueva."]


def test_a_law_of_a_release_before_takes_older_and_newer_editions(tmp_path: Path) -> None:
    sources = [
        _edition(tmp_path, "a", "2020-01-03", first="Uno."),
        _edition(tmp_path, "b", "2022-05-06", first="Dos."),
        _edition(tmp_path, "c", "2024-05-06", first="Tres."),
    ]
    _end_state([sources[1]])
    with db.transaction() as session:
        session.execute(sa.text("UPDATE corpus_articles SET readings = NULL"))
    for source in (sources[0], sources[2]):
        load(*source, jurisdiction="ZZ")
    assert [one[1:] for one in _versions()] == [
        (None, date(2022, 5, 6), "Uno."),
        (date(2022, 5, 6), date(2024, 5, 6), "Dos."),
        (date(2024, 5, 6), None, "Tres."),
    ]


@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data")
def test_two_editions_of_a_real_law_end_in_the_same_rows_in_either_order() -> None:
    newer = ("statutes", DATA / "es_statutes" / "BOE-A-1882-6036.md", "markdown")
    older = ("statutes", DATA / "es_statutes_versions" / "BOE-A-1882-6036@2025-01-03.md", "markdown")
    states = []
    for order in ((newer, older), (older, newer)):
        clear()
        for kind, path, form in order:
            load(kind, path, form)
        states.append(everything())
        counted = rows("SELECT count(*) AS n FROM corpus_versions WHERE in_force_to = '2025-01-03'")
        assert counted[0].n == 0, "what the older edition said did not end with it"
    assert states[0] == states[1]
    assert rows("SELECT 1 FROM corpus_versions WHERE in_force_to IS NOT NULL"), (
        "something changed between them"
    )


_INSERT = (
    "INSERT INTO corpus_versions (id, article_id, version, in_force_from, in_force_to, text, digest)"
    " SELECT gen_random_uuid(), id, 9, :first, :last, 'x', 'x' FROM corpus_articles WHERE number = '2'"
)


@pytest.mark.parametrize(
    ("first", "last", "constraint"),
    [
        (date(2024, 1, 1), None, "ex_corpus_versions_apart"),
        (None, date(1900, 1, 1), "ex_corpus_versions_apart"),
        (date(2024, 1, 1), date(2023, 1, 1), "ends_after_it_begins"),
        (date(2024, 2, 29), date(2024, 2, 29), "ends_after_it_begins"),
    ],
)
def test_the_database_itself_refuses_days_that_cannot_be(
    tmp_path: Path, first: date | None, last: date | None, constraint: str
) -> None:
    load("statutes", write_law(tmp_path), "markdown")
    with pytest.raises(sa.exc.IntegrityError, match=constraint), db.transaction() as session:
        session.execute(sa.text(_INSERT), {"first": first, "last": last})


def test_what_the_constraint_says_is_told_with_the_article(tmp_path: Path) -> None:
    load("statutes", write_law(tmp_path), "markdown")
    with pytest.raises(sa.exc.IntegrityError) as error, db.transaction() as session:
        session.execute(sa.text(_INSERT), {"first": date(2024, 1, 1), "last": None})
    told = norm_rows.explained(error.value)
    assert told is not None
    assert told.message.startswith(
        "ZZ-A-2020-1 (ZZ), Artículo 2: the intervals [2024-01-01,) and (,) overlap"
    )
