"""Search and quotations over HTTP (decision 033), on a fictional law and real shapes."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import search
from app.corpus import permanent_ids
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player

NOW = datetime(2026, 9, 30, 12, tzinfo=UTC)
_ROOT = uuid.UUID("0b0e7c62-52a1-4b59-9b5f-3c1d5a7e9f10")
# A fictional code under the number of a real one, so that the real grammar of citations finds it.
ARTICLES = [
    ("1902", "Daño por culpa", "El que por descuido rompe un cántaro ajeno lo repondrá en tres días.", None),
    ("1903", "Custodia", "El pastor no responderá de las ovejas perdidas, salvo que durmiera.", None),
    ("1904", "Derogado antes", "El molinero pagará la multa en trigo.", "2020-01-01"),
    ("1905", "Molinos", "El molinero pagará la multa en harina y conservará las piedras del molino.", None),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _on_the_last_of_september() -> Iterator[None]:
    clock.install(lambda: NOW)
    yield
    clock.install(None)


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


@pytest.fixture
def law(app: object) -> Iterator[None]:
    """The fictional code, loaded and indexed; gone when the test ends."""
    norm = permanent_ids.norm_id("ES", "BOE-A-1889-4763")
    judgment = permanent_ids.judgment_id("ES", "ES:TC:76/2019")
    with db.transaction() as session:
        session.execute(sa.text("SELECT open_corpus_partition('ES')"))
        session.execute(
            sa.text(
                "INSERT INTO corpus_norms (id, jurisdiction, official_id, title, rank, status, url, source, "
                "digest, loaded_at) VALUES (:id, 'ES', 'BOE-A-1889-4763', 'Código de los cántaros', 'ley', "
                "'in_force', 'https://example.com/code', 'test', '', :now)"
            ),
            {"id": norm, "now": NOW},
        )
        for place, (number, heading, text, until) in enumerate(ARTICLES):
            values = {
                "id": uuid.uuid5(norm, number), "norm": norm, "number": number, "heading": heading,
                "text": text, "place": place, "label": f"Artículo {number}. {heading}.", "until": until,
            }  # fmt: skip
            for statement in (
                "INSERT INTO corpus_articles (id, norm_id, number, occurrence, place, heading, path) "
                "VALUES (:id, :norm, :number, 1, :place, :heading, ARRAY['Oficios'])",
                "INSERT INTO corpus_versions (id, article_id, version, in_force_to, text, digest) "
                "VALUES (:id, :id, 1, CAST(:until AS date), :text, '')",
                "INSERT INTO corpus_passages (jurisdiction, id, kind, norm_id, version_id, place, title, "
                "path, heading, text, in_force_to) VALUES ('ES', :id, 'article', :norm, :id, :place, "
                "'Código de los cántaros', 'Oficios', :label, :text, CAST(:until AS date))",
            ):
                session.execute(sa.text(statement), values)
        session.execute(
            sa.text(
                "INSERT INTO corpus_judgments (id, jurisdiction, canonical, court, kind, year, dated, ecli, "
                "title, source, text_known, facts, digest, loaded_at) VALUES (:id, 'ES', 'ES:TC:76/2019', "
                "'Tribunal Constitucional', 'sentencia', 2019, '2019-05-22', 'ECLI:ES:TC:2019:76', "
                "'STC 76/2019', 'test', true, '{}', '', :now)"
            ),
            {"id": judgment, "now": NOW},
        )
        session.execute(
            sa.text(
                "INSERT INTO corpus_passages (jurisdiction, id, kind, judgment_id, place, title, path, "
                "heading, text) VALUES ('ES', :id, 'judgment', :id, 0, 'STC 76/2019', '', '', "
                "'La opinión política no podrá ser recopilada por los partidos.')"
            ),
            {"id": judgment},
        )
    search.index(now=clock.now)
    yield
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM corpus_norms WHERE id = :id"), {"id": norm})
        session.execute(sa.text("DELETE FROM corpus_judgments WHERE id = :id"), {"id": judgment})
        for table in ("search_postings", "search_shelves", "search_models", "search_projections"):
            session.execute(sa.text(f"DELETE FROM {table}"))


def _ask(client: FlaskClient, player: Player, path: str, **body: Any) -> dict[str, Any]:
    response = client.post(f"/api/v1/{path}", json=body, headers=player.auth)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def _refused(client: FlaskClient, player: Player, path: str, **body: Any) -> dict[str, Any]:
    response = client.post(f"/api/v1/{path}", json=body, headers=player.auth)
    assert response.status_code == 400, response.text
    found: dict[str, Any] = response.get_json()
    return found


def test_an_empty_corpus_says_that_it_is_empty(client: FlaskClient, alice: Player) -> None:
    statutes = _ask(client, alice, "normativa/search", query="daños", jurisdiccion="PE")
    assert (statutes["data"], statutes["noteCode"]) == ([], "CORPUS_NOT_INGESTED")
    assert statutes["fecha"] == "2026-09-30"
    judgments = _ask(client, alice, "jurisprudencia/search", query="cláusula suelo", jurisdiction="PE")
    assert (judgments["count"], judgments["chunks"]) == (0, [])
    assert judgments["noteCode"] == "CORPUS_NOT_INGESTED"


def test_words_find_the_article_in_its_shape(client: FlaskClient, alice: Player, law: None) -> None:
    body = _ask(client, alice, "normativa/search", query="romper cántaros ajenos", top_k=2)
    first = body["data"][0]
    assert (first["numero"], first["boe_id"], first["rubrica"]) == (
        "1902",
        "BOE-A-1889-4763",
        "Daño por culpa",
    )
    assert first["url_boe"] == "https://www.boe.es/buscar/act.php?id=BOE-A-1889-4763#a1902"
    assert (first["alias"], first["tipo"]) == ("CC", "ley")
    assert 0 < first["similarity"] < 1
    assert (body["vigencia_filtrada"], body["top_k"], "note" in body) == ("consulta", 2, False)


def test_what_is_cited_comes_first(client: FlaskClient, alice: Player, law: None) -> None:
    body = _ask(client, alice, "normativa/search", query="art. 1905 CC, cántaro roto por descuido")
    assert [one["numero"] for one in body["data"]][:2] == ["1905", "1902"]
    assert body["data"][0]["similarity"] == 1


def test_the_day_decides_between_versions(client: FlaskClient, alice: Player, law: None) -> None:
    now = _ask(client, alice, "normativa/search", query="multa del molinero")
    assert [one["numero"] for one in now["data"]][:1] == ["1905"]
    assert "1904" not in [one["numero"] for one in now["data"]]
    then = _ask(client, alice, "normativa/search", query="multa del molinero en trigo", fecha="2019-06-01")
    assert then["data"][0]["numero"] == "1904"


def test_ranks_and_subjects_narrow_the_search(client: FlaskClient, alice: Player, law: None) -> None:
    other = _refused(client, alice, "normativa/search", query="molinero", tipos=["ley", "real decreto"])
    assert (other["details"]["field"], other["details"]["known"]) == ("tipos", ["ley"])
    assert "Ranks available: ley." in other["error"]
    same = _ask(client, alice, "normativa/search", query="molinero", tipos=["Ley"], materias=["oficios"])
    assert [one["numero"] for one in same["data"]] == ["1905"]
    assert _ask(client, alice, "normativa/search", query="molinero", materias=["aguas"])["data"] == []


def test_judgments_are_found_by_words_and_by_citation(client: FlaskClient, alice: Player, law: None) -> None:
    by_words = _ask(client, alice, "jurisprudencia/search", query="recopilar opiniones políticas")
    assert (by_words["intent"], by_words["count"]) == ("semantic", 1)
    chunk = by_words["chunks"][0]
    assert (chunk["source"], chunk["titulo"]) == ("Tribunal Constitucional", "STC 76/2019")
    assert chunk["url"] == "https://e-justice.europa.eu/ecli/ECLI:ES:TC:2019:76"
    by_number = _ask(client, alice, "jurisprudencia/search", query="STC 76/2019")
    assert (by_number["intent"], by_number["chunks"][0]["id"]) == ("citation", chunk["id"])


@pytest.mark.parametrize(
    ("claim", "status", "kind", "match"),
    [
        ("el pastor no responderá de las ovejas perdidas", "verified", None, "literal"),
        ("El pastor […] salvo que durmiera", "verified", None, "literal"),
        (
            "El pastor responderá de las ovejas perdidas, salvo que durmiera",
            "mismatch",
            "meaning",
            "different",
        ),
        ("responderá de las ovejas perdidas", "mismatch", "meaning", "different"),
        ("El pastor no responderá de las ovejas encontradas", "mismatch", "lexical", "different"),
        ("Los astros rigen los contratos", "mismatch", "lexical", "different"),
    ],
)
def test_a_quotation_of_law_is_held_against_its_words(
    client: FlaskClient, alice: Player, law: None, claim: str, status: str, kind: str | None, match: str
) -> None:
    body = _ask(
        client, alice, "normativa/verify-cita", citation="art. 1903 CC", jurisdiccion="ES", claim_text=claim
    )
    assert (body["status"], body["mismatch_kind"], body["text_match"]) == (status, kind, match)
    assert body["canonical_text"] == ARTICLES[1][2]
    assert body["citation"]["articulo"] == "1903"
    assert (body["vigente_a_fecha"], body["vigencia_status"]) == (body["consultado_a_fecha"], "in_force")


def test_an_article_that_does_not_exist_is_not_found(client: FlaskClient, alice: Player) -> None:
    body = _ask(client, alice, "normativa/verify-cita", citation="art. 5000 del Código Civil español")
    assert (body["status"], body["canonical_text"], body["similarity"]) == ("not_found", None, None)


@pytest.mark.parametrize(
    ("citation", "claim", "status", "depth"),
    [
        ("art. 1903 CC", None, "verified", "article"),
        ("art. 1903 CC", ARTICLES[1][2], "verified", "words"),
        ("art. 1903 CC, párrafo noveno", None, "not_found", "paragraph"),
        ("la letra b) del art. 1903 CC", ARTICLES[1][2], "not_found", "paragraph"),
        ("art. 5000 CC", None, "not_found", "article"),
        ("Ley 39/2015, de 30 de febrero", None, "not_found", "norm"),
    ],
)
def test_a_citation_of_law_says_how_deep_it_was_checked(
    client: FlaskClient, alice: Player, law: None, citation: str, claim: str | None, status: str, depth: str
) -> None:
    body = _ask(
        client, alice, "normativa/verify-cita", citation=citation, jurisdiccion="ES", claim_text=claim
    )
    assert (body["status"], body["depth"]) == (status, depth), body["note"]


def test_words_of_a_law_that_is_not_loaded_are_not_verifiable(client: FlaskClient, alice: Player) -> None:
    body = _ask(
        client, alice, "normativa/verify-cita",
        citation="art. 394 LEC", jurisdiccion="ES", claim_text="las costas",
    )  # fmt: skip
    assert (body["status"], body["mismatch_kind"]) == ("not_verifiable", None)


def test_a_right_number_under_another_name_is_a_mismatch(client: FlaskClient, alice: Player) -> None:
    body = _ask(
        client, alice, "normativa/verify-cita",
        citation="Ley 29/1994, de 24 de noviembre, de Propiedad Horizontal",
    )  # fmt: skip
    assert (body["status"], body["mismatch_kind"]) == ("mismatch", None)
    assert "propiedad horizontal" in body["note"]


def test_an_ambiguous_citation_asks_for_the_jurisdiction(client: FlaskClient, alice: Player) -> None:
    body = _refused(client, alice, "normativa/verify-cita", citation="art. 1502 del Código Civil")
    assert body["details"]["field"] == "jurisdiccion"
    assert "ES" in body["details"]["candidates"]


def test_a_judgment_is_verified_with_its_words_and_its_day(
    client: FlaskClient, alice: Player, law: None
) -> None:
    good = _ask(
        client,
        alice,
        "jurisprudencia/verify-cita",
        citation="STC 76/2019",
        claim_text="no podrá ser recopilada",
    )
    assert (good["status"], good["similarity"], good["depth"]) == ("verified", 1.0, "words")
    bare = _ask(client, alice, "jurisprudencia/verify-cita", citation="STC 76/2019")
    future = _ask(client, alice, "jurisprudencia/verify-cita", citation="STC 76/2099")
    assert (bare["depth"], future["status"], future["depth"]) == ("norm", "not_found", "norm")
    assert good["citation"] == {
        "type": "sentencia", "ecli": "ECLI:ES:TC:2019:76", "roj": None,
        "tribunal": "Tribunal Constitucional", "anio": 2019,
    }  # fmt: skip
    bad = _ask(
        client, alice, "jurisprudencia/verify-cita", citation="STC 76/2019", claim_text="podrá ser recopilada"
    )
    assert (bad["status"], bad["mismatch_kind"]) == ("mismatch", "meaning")
    late = _ask(client, alice, "jurisprudencia/verify-cita", citation="STC 76/2019, de 23 de junio")
    assert late["status"] == "mismatch"


def test_the_loaded_versions_say_how_an_article_stood_on_a_day(
    client: FlaskClient, alice: Player, law: None
) -> None:
    def of(**day: str) -> tuple[str, str | None]:
        body = _ask(
            client, alice, "normativa/verify-cita", citation="art. 1904 CC", jurisdiccion="ES", **day
        )  # fmt: skip
        return body["status"], body["canonical_text"]

    assert of() == ("derogated", None)
    assert of(fecha="2019-06-01") == ("verified", ARTICLES[2][2])


def test_a_decision_of_an_index_is_found_by_the_number_it_is_published_under(
    client: FlaskClient, alice: Player, law: None
) -> None:
    found = uuid.uuid5(_ROOT, "indexed")
    with db.transaction() as session:
        session.execute(
            sa.text(
                "INSERT INTO corpus_judgments (id, jurisdiction, canonical, court, kind, year, roj, title, "
                "source, text_known, facts, digest, loaded_at) VALUES (:id, 'ES', 'ES:TS:ROJ:77/2018', "
                "'Tribunal Supremo', 'sentencia', 2018, 'STS 77/2018', 'STS 77/2018', 'test', false, '{}', "
                "'', :now)"
            ),
            {"id": found, "now": NOW},
        )
    try:
        body = _ask(client, alice, "jurisprudencia/verify-cita", citation="STS 77/2018")
    finally:
        with db.transaction() as session:
            session.execute(sa.text("DELETE FROM corpus_judgments WHERE id = :id"), {"id": found})
    assert (body["status"], body["citation"]["roj"]) == ("verified", "STS 77/2018")


def test_a_judgment_outside_the_corpus_is_not_verifiable(client: FlaskClient, alice: Player) -> None:
    body = _ask(client, alice, "jurisprudencia/verify-cita", citation="STS 1234/2020")
    assert (body["status"], body["canonical_text"]) == ("not_verifiable", None)
    assert (body["citation"]["tribunal"], body["citation"]["anio"]) == ("Tribunal Supremo", 2020)


@pytest.mark.parametrize(
    ("citation", "court", "year"),
    [
        ("STC 76/2019", "Tribunal Constitucional", 2019),
        ("ATS de 3 de junio de 2020", "Tribunal Supremo", 2020),
        ("STS de 9 de mayo de 2013 (rec. 485/2012)", "Tribunal Supremo", 2013),
        ("ECLI:ES:APM:2018:1234", "Audiencia Provincial de Madrid", 2018),
        ("STSJ de Cataluña 1234/2019", "Tribunal Superior de Justicia de Cataluña", 2019),
        ("ECLI:EU:C:2013:164", "Tribunal de Justicia de la Unión Europea", 2013),
        ("Cass. civ. 1re, 3 juin 2010, n° 09-13.591", "Cour de cassation", 2010),
        ("Sentencia C-355 de 2006", "Corte Constitucional", 2006),
        ("[2019] UKSC 41", "Supreme Court of the United Kingdom", 2019),
    ],
)
def test_a_judgment_that_is_not_loaded_has_the_court_and_the_year_of_its_form(
    client: FlaskClient, alice: Player, citation: str, court: str, year: int | None
) -> None:
    body = _ask(client, alice, "jurisprudencia/verify-cita", citation=citation)
    assert (body["citation"]["tribunal"], body["citation"]["anio"]) == (court, year)
    assert body["status"] == "not_verifiable"


def test_a_text_without_a_citation_is_pending_with_a_note(client: FlaskClient, alice: Player) -> None:
    body = _ask(client, alice, "normativa/verify-cita", citation="hola", fecha="2026-01-02")
    assert (body["status"], body["vigencia_status"], body["vigente_a_fecha"]) == ("pending", "unknown", None)
    assert set(body["citation"].values()) == {None}
    assert body["consultado_a_fecha"] == "2026-01-02"
    assert "una cita de un artículo o una ley" in body["note"]
    named = _ask(client, alice, "normativa/verify-cita", citation="hola", jurisdiccion="ES")
    assert named["status"] == "pending"
    body = _ask(client, alice, "jurisprudencia/verify-cita", citation="art. 5 CE", claim_text="y más")
    assert (body["status"], body["mismatch_kind"], body["similarity"]) == ("pending", None, None)
    assert set(body["citation"].values()) == {None}
    assert "una cita de una sentencia" in body["note"]


def test_an_article_that_is_not_in_force_has_no_day_of_being_so(
    client: FlaskClient, alice: Player, law: None
) -> None:
    body = _ask(client, alice, "normativa/verify-cita", citation="art. 1904 CC", jurisdiccion="ES")
    assert (body["vigente_a_fecha"], body["vigencia_status"]) == (None, "repealed")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("jurisprudencia/search", {"query": "abcd"}, "query"),
        ("jurisprudencia/search", {"query": "cláusula suelo", "top_k": 51}, "top_k"),
        ("normativa/search", {}, "query"),
        ("normativa/search", {"query": "daños", "jurisdiccion": "XX"}, "jurisdiccion"),
        ("normativa/search", {"query": "daños", "jurisdiccion": "ES", "jurisdiction": "CO"}, "jurisdiccion"),
        ("normativa/search", {"query": "daños", "tipos": "ley"}, "tipos"),
        ("normativa/search", {"query": "da\x00ños"}, "query"),
    ],
)
def test_a_wrong_request_names_its_field(
    client: FlaskClient, alice: Player, path: str, body: dict[str, Any], field: str
) -> None:
    assert _refused(client, alice, path, **body)["details"]["field"] == field


@pytest.mark.parametrize("path", ["normativa/search", "jurisprudencia/verify-cita"])
def test_the_scope_query_is_needed(client: FlaskClient, cast: Cast, path: str) -> None:
    narrow = cast.player(scopes=("analyze",))
    response = client.post(f"/api/v1/{path}", json={}, headers=narrow.auth)
    assert (response.status_code, response.get_json()["code"]) == (401, "SCOPE_REQUIRED")
