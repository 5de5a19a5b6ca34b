"""POST /plazos/calcular (decisions 7)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.cast import Cast, Player

CASES = Path(__file__).resolve().parents[3] / "shared" / "data" / "plazos_es.json"
RULE = {
    "contencioso": "contencioso",
    "despido": "laboral_urgente",
    "contestacion_ordinario": "procesal",
    "apelacion": "procesal",
    "desistimiento_consumo": "civil",
    "personal_cc": "civil",
}
UNIT = {"business_day": "habiles", "natural_day": "naturales", "month": "meses", "year": "anios"}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


def post(client: FlaskClient, player: Player, status: int = 200, **body: Any) -> Any:
    asked = {"jurisdiction": "ES", "fechaBase": "2024-07-25", "cantidad": 20, "tipoComputo": "habiles"} | body
    response = client.post("/api/v1/plazos/calcular", json=asked, headers=player.auth)
    assert response.status_code == status, response.text
    return response.get_json()


@pytest.mark.skipif(not CASES.exists(), reason="needs ../shared/data/plazos_es.json")
def test_every_labelled_period_ends_on_the_labelled_day(client: FlaskClient, alice: Player) -> None:
    checked = 0
    for case in json.loads(CASES.read_text("utf-8")):
        if case["unit"] not in UNIT:
            continue  # the windows of art. 62 LGT are no number of days
        for start, end in case["vectors"]:
            body = post(
                client, alice, fechaBase=start, cantidad=case["n"], tipoComputo=UNIT[case["unit"]],
                regla=RULE.get(case["id"], "administrativo"), ccaa="MD" if case.get("holidays") else None,
            )  # fmt: skip
            assert body["fecha_vencimiento"] == end, case["id"]
            checked += 1
    assert checked >= 10


@pytest.mark.parametrize(
    ("asked", "due", "words"),
    [
        ({}, "2024-09-23", "arts. 130.2 y 133.2 LEC"),
        ({"agostoInhabil": False}, "2024-08-23", "art. 30.2 LPAC"),
        ({"fechaBase": "2024-01-31", "cantidad": 1, "tipoComputo": "meses"}, "2024-02-29", "art. 133.3 LEC"),
        ({"fechaBase": "2024-05-02", "cantidad": 14, "tipoComputo": "naturales"}, "2024-05-16", "art. 5 CC"),
        ({"fechaBase": "2019-06-10", "cantidad": 5, "tipoComputo": "anios"}, "2024-06-10", "art. 5.1 CC"),
        ({"fechaBase": "2024-03-01", "agostoInhabil": False}, "2024-04-01", "art. 30.2 LPAC"),
        ({"fechaBase": "2024-03-01", "agostoInhabil": False, "ccaa": "ES-MD"}, "2024-04-02", "art. 30.2"),
    ],
)
def test_each_unit_by_its_usual_rule(
    client: FlaskClient, alice: Player, asked: dict[str, Any], due: str, words: str
) -> None:
    body = post(client, alice, **asked)
    assert body["fecha_vencimiento"] == due
    assert words in body["regla_aplicable"]
    assert set(body) == {
        "jurisdiction", "fecha_base", "fecha_vencimiento", "tipo_computo", "cantidad", "regla_aplicable",
        "ajustes_aplicados", "ccaa",
    }  # fmt: skip


def test_what_another_rule_would_give_is_told(client: FlaskClient, alice: Player) -> None:
    body = post(client, alice, fechaBase="2024-06-20", cantidad=2, tipoComputo="meses")
    assert body["fecha_vencimiento"] == "2024-09-02"
    told = " ".join(body["ajustes_aplicados"])
    assert "art. 128.2 LJCA) vencería el 20/09/2024" in told
    assert "siguiente hábil (art. 133.4 LEC)" in told


def test_regional_holidays_are_named(client: FlaskClient, alice: Player) -> None:
    body = post(client, alice, fechaBase="2024-04-29", cantidad=3, ccaa="md")
    assert (body["fecha_vencimiento"], body["ccaa"]) == ("2024-05-06", "MD")
    assert "Comunidad de Madrid): 02/05/2024" in body["ajustes_aplicados"][0]


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"jurisdiction": None}, "jurisdiction"),
        ({"jurisdiction": "FR"}, "jurisdiction"),
        ({"fechaBase": "25/07/2024"}, "fechaBase"),
        ({"cantidad": 0}, "cantidad"),
        ({"cantidad": "20"}, "cantidad"),
        ({"cantidad": 3000, "tipoComputo": "meses"}, "cantidad"),
        ({"tipoComputo": "lunas"}, "tipoComputo"),
        ({"ccaa": "XX"}, "ccaa"),
        ({"agostoInhabil": "no"}, "agostoInhabil"),
        ({"regla": "divina"}, "regla"),
        ({"fechaBase": "9999-12-31"}, "cantidad"),
    ],
)
def test_wrong_questions_name_the_field(
    client: FlaskClient, alice: Player, asked: dict[str, Any], field: str
) -> None:
    assert post(client, alice, status=400, **asked)["details"]["field"] == field


def test_it_needs_the_scope(client: FlaskClient, cast: Cast) -> None:
    carol = cast.player("carol", scopes=("analyze",))
    assert post(client, carol, status=401)["code"] == "SCOPE_REQUIRED"
