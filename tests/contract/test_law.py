"""GET /corpus/coverage, /jurisdictions, /normativa/… (decision 032)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient

from app import corpus, search
from app.platform import clock
from tests.cast import Cast, Player
from tests.corpus.conftest import clear, write_law


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture
def law(app: object, cast: Cast, tmp_path: Path) -> Iterator[Path]:
    clear()
    path = write_law(tmp_path)
    corpus.load("statutes", path, "markdown", now=clock.now())
    changed = write_law(tmp_path, edition="2024-05-06", first="Otra redacción.")
    corpus.load("statutes", changed, "markdown", now=clock.now())
    yield path
    clear()


def get(client: FlaskClient, player: Player, path: str, status: int = 200, **query: Any) -> Any:
    response = client.get(f"/api/v1{path}", query_string=query, headers=player.auth)
    assert response.status_code == status, response.text
    return response.get_json()


def test_coverage_is_discovered_and_newer_than_the_last_load(
    client: FlaskClient, alice: Player, law: Path, tmp_path: Path
) -> None:
    response = client.get("/api/v1/corpus/coverage", headers=alice.auth)
    body = response.get_json()
    assert response.headers["Cache-Control"] == "private, max-age=300"
    assert (body["cacheTtlSeconds"], body["totalTables"]) == (300, len(body["tables"]))
    assert body["totalDocs"] == sum(table["totalDocs"] for table in body["tables"])
    tables = {table["table"]: table for table in body["tables"]}
    assert tables["corpus_norms"] == {
        "table": "corpus_norms",
        "inferredJurisdiction": "ZZ",
        "totalDocs": 1,
        "oldestDoc": "2020-01-02",
        "newestDoc": "2020-01-02",
        "topSources": [{"source": "markdown", "count": 1}],
        "sourceColumn": "source",
    }
    assert tables["corpus_passages_zz"]["totalDocs"] == 9
    again = client.get("/api/v1/corpus/coverage", headers=alice.auth).get_json()
    assert again["generatedAt"] == body["generatedAt"]
    (tmp_path / "j.jsonl").write_text('{"title": "STC 31/2010", "court": "TC", "text": "x"}\n')
    corpus.load("judgments", tmp_path / "j.jsonl", "jsonl", now=clock.now(), jurisdiction="ES")
    tables = {table["table"] for table in get(client, alice, "/corpus/coverage")["tables"]}
    assert "corpus_passages_es" in tables
    spain = next(
        item
        for item in client.get("/api/v1/jurisdictions").get_json()["jurisdictions"]
        if item["code"] == "ES"
    )
    assert spain["corpus"]["judgments"] == 1
    assert spain["corpus"]["statutes"] > 50


def test_a_new_table_appears_by_itself(
    client: FlaskClient, alice: Player, law: Path, database_url: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute("CREATE TABLE corpus_treaties (jurisdiction text, title text, dated date)")
        owner.execute("INSERT INTO corpus_treaties VALUES ('FR', 'x', '1999-01-02')")
        try:
            corpus.load("statutes", law, "markdown", now=clock.now())
            tables = {one["table"]: one for one in get(client, alice, "/corpus/coverage")["tables"]}
        finally:
            owner.execute("DROP TABLE corpus_treaties")
    found = tables["corpus_treaties"]
    assert (found["inferredJurisdiction"], found["totalDocs"], found["oldestDoc"], found["sourceColumn"]) == (
        "FR", 1, "1999-01-02", None,
    )  # fmt: skip


def test_coverage_without_redis_is_counted_each_time(
    client: FlaskClient, alice: Player, law: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.corpus import coverage
    from app.platform import redis_client

    def away() -> Any:
        raise redis_client.Unavailable

    monkeypatch.setattr(coverage.redis_client, "client", away)
    assert coverage.coverage_snapshot(clock.now()).docs == 10


def test_an_article_as_it_stood_on_a_day(client: FlaskClient, alice: Player, law: Path) -> None:
    for day, text, since, until in (
        ("2022-01-01", "Esta ley es una prueba.", None, "2024-05-06"),
        ("2025-01-01", "Otra redacción.", "2024-05-06", None),
    ):
        body = get(
            client,
            alice,
            "/normativa/articulo",
            norma="ZZ-A-2020-1",
            articulo="1",
            fecha=day,
            jurisdiction="ZZ",
        )
        assert body == {
            "norma": {
                "boe_id": "ZZ-A-2020-1",
                "titulo": "Ley 1/2020, de 2 de enero, de Demostración",
                "url": "https://law.example.com/zz/2020/1",
            },
            "articulo": {
                "numero": "1",
                "rubrica": "Objeto",
                "texto_literal": text,
                "version": {"vigencia_desde": since, "vigencia_hasta": until},
            },
            "consultado_a_fecha": day,
            "vigente_a_fecha": day,
            "vigencia_status": "in_force",
            "jurisdiccion": "ZZ",
        }


@pytest.mark.parametrize(
    ("norma", "articulo", "status", "note"),
    [
        ("ZZ-A-2020-1", "40", "unknown", "no existe el artículo 40"),
        ("ZZ-A-2020-1", "5", "not_in_force", None),
        ("ZZ-A-2020-1", "4", "in_force", "figura 2 veces"),
        ("ZZ-A-2020-1", "disposición adicional única", "in_force", None),
        ("ZZ-A-1999-9", "1", "unknown", "no está identificada"),
    ],
)
def test_what_is_not_there_is_a_note_and_no_error(
    client: FlaskClient, alice: Player, law: Path, norma: str, articulo: str, status: str, note: str | None
) -> None:
    body = get(client, alice, "/normativa/articulo", norma=norma, articulo=articulo, jurisdiccion="ZZ")
    assert body["vigencia_status"] == status
    assert body["vigente_a_fecha"] == (body["consultado_a_fecha"] if status == "in_force" else None)
    assert note is None or note in body["note"], body


def test_names_find_norms_that_are_not_loaded_and_ambiguous_ones_have_candidates(
    client: FlaskClient, alice: Player, law: Path
) -> None:
    assert "no está cargada" in get(client, alice, "/normativa/articulo", norma="CC", articulo="1")["note"]
    note = get(client, alice, "/normativa/articulo", norma="Ley 4/1983", articulo="1")["note"]
    assert "ambigua" in note
    assert "Andalucía" in note


def test_the_states_of_a_norm(client: FlaskClient, alice: Player, law: Path) -> None:
    body = get(client, alice, "/normativa/norma/ZZ-A-2020-1/versiones", jurisdiction="ZZ")
    assert body["norma"]["titulo_oficial"] == "Ley 1/2020, de 2 de enero, de Demostración"
    assert [(one["version_numero"], one["vigencia_desde"]) for one in body["versiones"]] == [
        (1, None),
        (2, "2024-05-06"),
    ]
    assert len({one["hash_texto"] for one in body["versiones"]}) == 2
    unknown = get(client, alice, "/normativa/norma/ZZ-A-1/versiones", jurisdiction="ZZ")
    assert unknown == {
        "norma": None,
        "versiones": [],
        "note": "No hay cargada ninguna norma con ese identificador.",
    }


def test_coverage_of_the_law_needs_no_key(client: FlaskClient, cast: Cast, law: Path) -> None:
    body = client.get("/api/v1/normativa/coverage").get_json()
    assert body["jurisdicciones"] == ["ZZ"]
    assert (body["total_normas"], body["total_articulos"], body["total_versiones"]) == (1, 8, 9)
    assert (body["ultima_actualizacion"], body["status"]) == ("2024-05-06", "unranked")
    search.index(now=clock.now)
    assert client.get("/api/v1/normativa/coverage").get_json()["status"] == "active"
    clear()
    body = client.get("/api/v1/normativa/coverage").get_json()
    assert (body["total_normas"], body["lag_dias"], body["status"]) == (0, None, "rails-only")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"articulo": "1"}, "norma"),
        ({"norma": "CC"}, "articulo"),
        ({"norma": "CC", "articulo": "1", "fecha": "mañana"}, "fecha"),
        ({"norma": "CC", "articulo": "1", "jurisdiction": "QQ"}, "jurisdiction"),
        ({"norma": "", "articulo": "1"}, "norma"),
    ],
)
def test_wrong_questions_name_the_field(
    client: FlaskClient, alice: Player, query: dict[str, str], field: str
) -> None:
    body = get(client, alice, "/normativa/articulo", status=400, **query)
    assert (body["code"], body["details"]["field"]) == ("VALIDATION_ERROR", field)


def test_strangers_and_keys_without_the_scope_are_refused(client: FlaskClient, cast: Cast) -> None:
    carol = cast.player("carol", scopes=("analyze",))
    for path in ("/normativa/articulo?norma=CC&articulo=1", "/normativa/norma/x/versiones"):
        assert client.get(f"/api/v1{path}").get_json()["code"] == "UNAUTHENTICATED"
        refused = client.get(f"/api/v1{path}", headers=carol.auth)
        assert (refused.status_code, refused.get_json()["code"]) == (401, "SCOPE_REQUIRED")
    assert client.get("/api/v1/corpus/coverage").status_code == 401
    assert client.get("/api/v1/corpus/coverage", headers=carol.auth).status_code == 200
