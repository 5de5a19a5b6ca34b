"""GET /citator/… and /cruce/… (decision 034), and the reading behind them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import citator, corpus, tenancy
from app.citator import graph_builder
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.corpus.conftest import clear, write_law

DECISIONS = [
    {
        "jurisdiction": "CO",
        "title": "Sentencia T-100 de 2001",
        "court": "Corte Constitucional",
        "chamber": "Sala Primera",
        "date": "2001-02-03",
        "text": "Se aplica el artículo 49 de la Constitución Política.",
        "url": "https://law.example.com/t100",
    },
    {
        "jurisdiction": "CO",
        "title": "Sentencia T-200 de 2002",
        "court": "Corte Constitucional",
        "date": "2002-02-03",
        "text": "Se reitera la sentencia T-100 de 2001. Los artículos 49 y 50 de la Constitución Política. "
        "El artículo 49 de la Constitución Política.",
    },
    {
        "jurisdiction": "CO",
        "title": "Sentencia C-300 de 2003",
        "court": "Corte Constitucional",
        "date": "2003-02-03",
        "text": "La Sala se aparta de la doctrina sentada en la sentencia T-100 de 2001.\nRESUELVE\n"
        "Declarar INEXEQUIBLE el artículo 124 de la Ley 599 de 2000.\n",
    },
]


@pytest.fixture
def alice(cast: Cast) -> Player:
    player = cast.player("alice")
    with db.transaction() as session:
        tenancy.set_options(session, player.account_id, citator=True)
    return player


@pytest.fixture
def read(app: object, cast: Cast, tmp_path: Path) -> Iterator[citator.ReadReport]:
    clear()
    lines = tmp_path / "decisions.jsonl"
    lines.write_text("\n".join(json.dumps(one) for one in DECISIONS), encoding="utf-8")
    corpus.load("judgments", lines, "jsonl", now=clock.now())
    corpus.load("statutes", write_law(tmp_path), "markdown", now=clock.now())
    yield citator.read_waiting(clock.now)
    clear()


def get(client: FlaskClient, player: Player, path: str, status: int = 200, **query: Any) -> Any:
    response = client.get(f"/api/v1{path}", query_string=query or None, headers=player.auth)
    assert response.status_code == status, response.text
    return response.get_json()


def all_edges() -> list[Any]:
    with db.reading() as session:
        return [tuple(row) for row in session.execute(sa.text("SELECT * FROM citator_edges ORDER BY id"))]


def test_reading_twice_is_reading_once_and_a_text_that_changed_is_read_again(
    read: citator.ReadReport, tmp_path: Path
) -> None:
    assert (read.judgments, read.norms, read.edges) == (3, 1, len(all_edges()))
    before = all_edges()
    assert citator.read_waiting(clock.now).judgments == 0
    assert all_edges() == before
    with db.transaction() as session:
        session.execute(sa.text("UPDATE corpus_judgments SET read_at = NULL"))
    assert citator.read_waiting(clock.now).judgments == 3
    assert all_edges() == before
    changed = [DECISIONS[0], DECISIONS[1] | {"text": "Nada."}, DECISIONS[2]]
    lines = tmp_path / "decisions.jsonl"
    lines.write_text("\n".join(json.dumps(one) for one in changed), encoding="utf-8")
    corpus.load("judgments", lines, "jsonl", now=clock.now())
    assert citator.read_waiting(clock.now).judgments == 1
    assert {row[4] for row in all_edges()} == {"CO:CC:T-100/01", "CO:CC:C-300/03", "ZZ:ZZ-A-2020-1"}


def test_reading_that_broke_off_goes_on(read: citator.ReadReport, monkeypatch: pytest.MonkeyPatch) -> None:
    before = all_edges()
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM citator_edges"))
        session.execute(sa.text("UPDATE corpus_judgments SET read_at = NULL"))
        session.execute(sa.text("UPDATE corpus_norms SET read_at = NULL"))
    whole, calls = graph_builder._write, []

    def broken(*arguments: Any) -> int:
        calls.append(1)
        if len(calls) == 3:
            whole(*arguments)
            raise KeyboardInterrupt
        return whole(*arguments)

    monkeypatch.setattr(graph_builder, "_write", broken)
    with pytest.raises(KeyboardInterrupt):
        citator.read_waiting(clock.now)
    assert len(all_edges()) < len(before)
    citator.read_waiting(clock.now)
    assert all_edges() == before


@pytest.mark.parametrize(
    ("citation", "validity", "since"),
    [
        ("Sentencia T-100 de 2001", "overruled", "2003-02-03"),
        ("Sentencia T-200 de 2002", "good", None),
        ("Sentencia T-900 de 2009", "unknown", None),
        ("artículo 124 de la Ley 599 de 2000", "annulled", "2003-02-03"),
        ("artículo 49 de la Constitución Política", "good", None),
        ("de todo un poco", "unknown", None),
    ],
)
def test_validity(
    client: FlaskClient,
    alice: Player,
    read: citator.ReadReport,
    citation: str,
    validity: str,
    since: str | None,
) -> None:
    body = get(client, alice, "/citator/validity", citation=citation, jurisdiction="CO")
    assert (body["citation"], body["validity"], body["since"]) == (citation, validity, since)
    assert bool(body["because"]) is (since is not None)
    if since:
        assert body["because"][0]["by"] == "Sentencia C-300 de 2003"


def test_validity_of_a_repealed_law_and_of_words_that_changed(
    client: FlaskClient, alice: Player, read: citator.ReadReport, tmp_path: Path
) -> None:
    body = get(client, alice, "/citator/validity", citation="Ley 30/1992, de 26 de noviembre")
    assert (body["validity"], body["since"]) == ("repealed", "2016-10-02")
    before = get(client, alice, "/citator/validity", citation="Ley 30/1992", fecha="2010-01-01")
    assert before["validity"] == "good"


def test_both_directions_of_the_graph(client: FlaskClient, alice: Player, read: citator.ReadReport) -> None:
    body = get(client, alice, "/citator/cited-by", id="Sentencia T-100 de 2001", jurisdiction="CO")
    assert [(one["canonical"], one["treatment"], one["count"]) for one in body["data"]] == [
        ("CO:CC:C-300/03", "overrules", 1),
        ("CO:CC:T-200/02", "follows", 1),
    ]
    assert (body["count"], body["has_more"], body["next_cursor"]) == (2, False, None)
    key = body["data"][1]["id"]
    cites = get(client, alice, "/citator/citations", id=key)
    assert {(one["canonical"], one["count"]) for one in cites["data"]} == {
        ("CO:CC:T-100/01", 1),
        ("CO:CPol:art49", 2),
        ("CO:CPol:art50", 1),
    }
    first = get(client, alice, "/citator/citations", id=key, limit=2)
    rest = get(client, alice, "/citator/citations", id=key, limit=2, cursor=first["next_cursor"])
    assert first["data"] + rest["data"] == cites["data"]
    only = get(client, alice, "/citator/citations", id=key, treatment="follows")
    assert [one["canonical"] for one in only["data"]] == ["CO:CC:T-100/01"]
    law = get(client, alice, "/citator/cited-by", id="ES:ley:30/1992")
    assert [(one["canonical"], one["treatment"]) for one in law["data"]] == [("ZZ:ZZ-A-2020-1", "repeals")]


def test_the_passage_of_a_judgment_names_it(
    client: FlaskClient, alice: Player, read: citator.ReadReport
) -> None:
    with db.reading() as session:
        passage = session.scalar(sa.text("SELECT id FROM corpus_passages WHERE title LIKE '%C-300%'"))
    body = get(client, alice, "/citator/citations", id=str(passage))
    assert body["resolved"]["canonical"] == "CO:CC:C-300/03"


def test_timeline(client: FlaskClient, alice: Player, read: citator.ReadReport) -> None:
    body = get(client, alice, "/citator/timeline", id="T-100 de 2001", jurisdiction="CO")
    assert [(one["date"], one["kind"], one["treatment"]) for one in body["data"]] == [
        ("2001-02-03", "publication", None),
        ("2002-02-03", "treatment", "follows"),
        ("2003-02-03", "treatment", "overrules"),
    ]
    repealed = get(client, alice, "/citator/timeline", id="Ley 30/1992, de 26 de noviembre")
    assert ("2016-10-02", "repeal") in [(one["date"], one["kind"]) for one in repealed["data"]]


def test_coverage(client: FlaskClient, alice: Player, read: citator.ReadReport) -> None:
    body = get(client, alice, "/citator/coverage")
    assert body["totalEdges"] == read.edges
    assert {one["jurisdiction"]: (one["documents"], one["newest"]) for one in body["jurisdictions"]} == {
        "CO": (3, "2003-02-03"),
        "ZZ": (1, "2020-01-03"),
    }


def test_crossings_answer_without_the_add_on(
    client: FlaskClient, cast: Cast, read: citator.ReadReport
) -> None:
    bob = cast.player("bob")
    body = get(
        client, bob, "/cruce/sentencias-de-articulo", articulo="49", norma_alias="Constitución Política",
        jurisdiction="CO",
    )  # fmt: skip
    assert [(one["resumen"], one["count_citas"]) for one in body["sentencias"]] == [
        ("Sentencia T-200 de 2002", 2),
        ("Sentencia T-100 de 2001", 1),
    ]
    assert (body["norma_id"], body["articulo"], body["top"]) == ("Constitución Política de 1991", "49", 20)
    key = body["sentencias"][0]["jurisprudencia_id"]
    articles = get(client, bob, "/cruce/articulos-de-sentencia", jurisprudencia_id=key)
    assert [(one["articulo_numero"], one["veces"]) for one in articles["articulos"]] == [("49", 2), ("50", 1)]
    get(client, bob, "/cruce/sentencias-de-articulo", status=400, articulo="49")
    get(client, bob, "/cruce/sentencias-de-articulo", status=404, articulo="49", norma_id="Nada")
    get(client, bob, "/cruce/articulos-de-sentencia", status=404, jurisprudencia_id="T-900 de 2009")


@pytest.mark.parametrize(
    "path",
    [
        "/citator/validity?citation=CC",
        "/citator/citations?id=CC",
        "/citator/cited-by?id=CC",
        "/citator/timeline?id=CC",
        "/citator/coverage",
    ],
)
def test_the_citator_is_an_add_on(client: FlaskClient, cast: Cast, path: str) -> None:
    bob = cast.player("bob")
    body = get(client, bob, path, status=403)
    assert (body["code"], body["details"]) == ("ADDON_REQUIRED", {"addon": "citator"})
    assert client.get(f"/api/v1{path}").status_code == 401
    carol = cast.player("carol", scopes=("analyze",))
    assert get(client, carol, path, status=401)["code"] == "SCOPE_REQUIRED"


@pytest.mark.parametrize(
    ("path", "status", "field"),
    [
        ("/citator/validity", 400, "citation"),
        ("/citator/validity?citation=CC&fecha=ayer", 400, "fecha"),
        ("/citator/validity?citation=CC&jurisdiction=QQ", 400, "jurisdiction"),
        ("/citator/cited-by?id=CC&limit=0", 400, "limit"),
        ("/citator/cited-by?id=CC&treatment=likes", 400, "treatment"),
        ("/citator/cited-by?id=CC&cursor=x", 400, "cursor"),
        ("/citator/cited-by?id=zzz", 404, "id"),
        ("/citator/timeline?id=zzz", 404, "id"),
    ],
)
def test_wrong_questions_name_the_field(
    client: FlaskClient, alice: Player, path: str, status: int, field: str
) -> None:
    assert get(client, alice, path, status=status)["details"]["field"] == field
