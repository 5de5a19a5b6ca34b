"""POST /plazos/calcular (decision 035)."""

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
        "ajustes_aplicados", "pasos", "ccaa", "regime", "regime_assumed",
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
    ("asked", "told", "untold"),
    [
        # A civil period leaves out no holiday: none was taken into account.
        ({"fechaBase": "2024-04-20", "tipoComputo": "naturales", "ccaa": "MD"}, "", "autonómicos"),
        # 2 May lies within the two months and moves nothing; the last day is moved by a weekend.
        (
            {"fechaBase": "2024-04-01", "cantidad": 2, "tipoComputo": "meses", "ccaa": "MD"},
            "Festivos autonómicos del calendario oficial de 2024 (Comunidad de Madrid)",
            "tenidos en cuenta (",
        ),
        # Within a court's August anyway.
        ({"fechaBase": "2024-08-01", "cantidad": 2, "ccaa": "CE"}, "2024 (Ceuta) no consta", "tenidos en"),
        ({"fechaBase": "2024-04-29", "cantidad": 3}, "no se indicó ccaa", "tenidos en cuenta"),
        (
            {"fechaBase": "2024-04-02", "cantidad": 1, "tipoComputo": "meses", "ccaa": "MD"},
            "tenidos en cuenta (Comunidad de Madrid): 02/05/2024",
            "ccaa",
        ),
        (
            {"fechaBase": "2024-04-29", "cantidad": 3, "regla": "civil", "ccaa": "MD"},
            "Solo se excluyen los festivos nacionales",
            "tenidos en cuenta",
        ),
        (
            {"fechaBase": "2024-01-10", "cantidad": 240, "tipoComputo": "meses", "ccaa": "MD"},
            "posteriores a 2035 no se han tenido en cuenta",
            "tenidos en cuenta (",
        ),
        (
            {"fechaBase": "2024-12-20", "cantidad": 20, "agostoInhabil": False, "ccaa": "CT"},
            "calendario oficial de 2024 a 2025 (Cataluña). No se incluyen los locales.",
            "ccaa",
        ),
        (
            {"fechaBase": "2029-12-20", "cantidad": 20, "agostoInhabil": False, "ccaa": "CT"},
            "El calendario oficial de 2029 a 2030 (Cataluña) no consta",
            "ccaa",
        ),
    ],
)
def test_regional_holidays_are_said_to_count_only_where_they_did(
    client: FlaskClient, alice: Player, asked: dict[str, Any], told: str, untold: str
) -> None:
    said = " ".join(post(client, alice, **asked)["ajustes_aplicados"])
    assert told in said
    assert untold not in said


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
        ({"ccaaSede": "XX"}, "ccaaSede"),
        ({"festivosLocales": "2024-08-01"}, "festivosLocales"),
    ],
)
def test_wrong_questions_name_the_field(
    client: FlaskClient, alice: Player, asked: dict[str, Any], field: str
) -> None:
    assert post(client, alice, status=400, **asked)["details"]["field"] == field


def test_a_missing_amount_is_named_beside_what_else_is_wrong(client: FlaskClient, alice: Player) -> None:
    for body, wrong in (
        ({}, {"jurisdiction", "fechaBase", "cantidad", "tipoComputo"}),
        (
            {"jurisdiction": "ES", "fechaBase": "2026-12-01", "regime": "x"},
            {"regime", "cantidad", "tipoComputo"},
        ),
        ({"jurisdiction": "ES", "cantidad": 0, "tipoComputo": "x"}, {"fechaBase", "cantidad", "tipoComputo"}),
    ):
        answer = client.post("/api/v1/plazos/calcular", json=body, headers=alice.auth)
        errors = answer.get_json()["details"]["errors"]
        assert (answer.status_code, sorted(one["field"] for one in errors)) == (400, sorted(wrong))


def test_it_needs_the_scope(client: FlaskClient, cast: Cast) -> None:
    carol = cast.player("carol", scopes=("analyze",))
    assert post(client, carol, status=401)["code"] == "SCOPE_REQUIRED"


@pytest.mark.parametrize(
    ("regime", "asked", "due", "words"),
    [
        # Art. 5 CC: nothing is left out and nothing is moved.
        (
            "civil",
            {"tipoComputo": "naturales", "fechaBase": "2025-12-31", "cantidad": 10},
            "2026-01-10",
            "art. 5 CC",
        ),
        (
            "civil",
            {"tipoComputo": "meses", "fechaBase": "2024-01-31", "cantidad": 1},
            "2024-02-29",
            "art. 5.1 CC",
        ),
        (
            "civil",
            {"tipoComputo": "meses", "fechaBase": "2024-05-15", "cantidad": 1},
            "2024-06-15",
            "art. 5.1 CC",
        ),
        # Arts. 130 and 133 LEC: August and Christmas are off.
        ("procesal", {}, "2024-09-23", "arts. 130.2 y 133.2 LEC"),
        ("procesal", {"fechaBase": "2024-12-20"}, "2025-01-31", "arts. 130.2 y 133.2 LEC"),
        (
            "procesal",
            {"tipoComputo": "meses", "fechaBase": "2024-07-10", "cantidad": 1},
            "2024-09-02",
            "art. 133.3",
        ),
        (
            "procesal",
            {"tipoComputo": "naturales", "fechaBase": "2024-07-25", "cantidad": 10},
            "2024-09-02",
            "133.4",
        ),
        # Arts. 131.3 and 133.2 LEC: in urgent acts August counts.
        ("procesal", {"agostoInhabil": False}, "2024-08-23", "arts. 131.3 y 133.2 LEC"),
        # Art. 30 of Ley 39/2015: business days, August among them; date to date; the last day moves.
        ("administrativo", {}, "2024-08-23", "art. 30.2 LPAC"),
        ("administrativo", {"agostoInhabil": True}, "2024-08-23", "art. 30.2 LPAC"),
        (
            "administrativo",
            {"tipoComputo": "meses", "fechaBase": "2024-02-29", "cantidad": 1},
            "2024-04-01",
            "30.4",
        ),
        (
            "administrativo",
            {"tipoComputo": "naturales", "fechaBase": "2024-05-02", "cantidad": 10},
            "2024-05-13",
            "30.2",
        ),
        # Art. 43.4 LRJS: dismissal runs in August and at Christmas, the rest does not.
        ("laboral", {"fechaBase": "2024-03-01", "ccaa": "MD"}, "2024-04-02", "art. 43.4 LRJS"),
        ("laboral", {"fechaBase": "2026-07-30"}, "2026-08-27", "art. 43.4 LRJS"),
        (
            "laboral",
            {"fechaBase": "2026-07-30", "agostoInhabil": True},
            "2026-09-25",
            "arts. 43.1 y 43.4 LRJS",
        ),
        ("laboral", {"fechaBase": "2024-12-20", "cantidad": 5}, "2024-12-30", "art. 43.4 LRJS"),
        (
            "laboral",
            {"fechaBase": "2024-12-20", "cantidad": 5, "agostoInhabil": True},
            "2025-01-10",
            "43.1 y 43.4",
        ),
        # Art. 97 b) LGT refers to art. 30 of Ley 39/2015; one month of arts. 223 and 235 LGT.
        (
            "tributario",
            {"cantidad": 15, "fechaBase": "2024-07-29"},
            "2024-08-20",
            "arts. 97 b) LGT y 30.2 LPAC",
        ),
        (
            "tributario",
            {"tipoComputo": "meses", "fechaBase": "2024-01-31", "cantidad": 1},
            "2024-02-29",
            "97 b) LGT",
        ),
        (
            "tributario",
            {"tipoComputo": "meses", "fechaBase": "2024-05-31", "cantidad": 1},
            "2024-07-01",
            "97 b) LGT",
        ),
    ],
)
def test_each_regime_counts_by_its_own_law(
    client: FlaskClient, alice: Player, regime: str, asked: dict[str, Any], due: str, words: str
) -> None:
    body = post(client, alice, regime=regime, **asked)
    assert body["fecha_vencimiento"] == due
    assert words in body["regla_aplicable"]
    assert (body["regime"], body["regime_assumed"]) == (regime, False)


@pytest.mark.parametrize(
    ("asked", "regime"),
    [
        ({}, "procesal"),
        ({"agostoInhabil": False}, "administrativo"),
        ({"tipoComputo": "meses"}, "procesal"),
        ({"tipoComputo": "naturales"}, "civil"),
        ({"tipoComputo": "anios", "cantidad": 5}, "civil"),
    ],
)
def test_a_regime_that_was_assumed_is_said(
    client: FlaskClient, alice: Player, asked: dict[str, Any], regime: str
) -> None:
    body = post(client, alice, **asked)
    assert (body["regime"], body["regime_assumed"]) == (regime, True)
    assert f"Se ha supuesto el régimen «{regime}»" in body["ajustes_aplicados"][-1]


def test_a_rule_says_its_regime_and_may_not_be_of_another(client: FlaskClient, alice: Player) -> None:
    body = post(client, alice, regla="contencioso", tipoComputo="meses", cantidad=2)
    assert (body["regime"], body["regime_assumed"]) == ("procesal", False)
    wrong = post(client, alice, status=400, regla="contencioso", regime="civil")
    assert wrong["details"]["field"] == "regla"
    unknown = post(client, alice, status=400, regime="divino")
    assert unknown["details"]["field"] == "regime"
    assert "laboral" in unknown["details"]["allowed"]


def test_of_a_labour_period_both_days_are_told(client: FlaskClient, alice: Player) -> None:
    body = post(client, alice, regime="laboral", fechaBase="2026-07-30")
    told = " ".join(body["ajustes_aplicados"])
    assert "«laboral, agosto inhábil»" in told
    assert "vencería el 25/09/2026" in told


def test_the_steps_are_told_in_order_with_their_articles(client: FlaskClient, alice: Player) -> None:
    body = post(client, alice, regime="contencioso", tipoComputo="meses", cantidad=2, fechaBase="2025-07-10")
    assert body["fecha_vencimiento"] == "2025-10-10"
    assert [(step["fecha"], step["norma"]) for step in body["pasos"]] == [
        ("2025-07-11", "arts. 46.1 LJCA y 5.1 CC"),
        ("2025-10-10", "arts. 185.1 LOPJ y 5.1 CC; art. 128.2 LJCA"),
        ("2025-10-13", "disp. final 1.ª LJCA y art. 135.5 LEC"),
    ]
    assert "2 meses sin contar agosto" in body["pasos"][1]["texto"]


def test_a_tax_window_takes_no_amount(client: FlaskClient, alice: Player) -> None:
    asked = {"jurisdiction": "ES", "fechaBase": "2026-03-20", "regla": "pago_apremio", "ccaa": "CT"}
    response = client.post("/api/v1/plazos/calcular", json=asked, headers=alice.auth)
    body = response.get_json()
    assert response.status_code == 200, response.text
    assert (body["fecha_vencimiento"], body["cantidad"], body["tipo_computo"]) == ("2026-04-07", None, None)
    assert (body["regime"], body["regime_assumed"]) == ("tributario", False)
    assert "Cataluña): 06/04/2026" in " ".join(body["ajustes_aplicados"])
    missing = client.post("/api/v1/plazos/calcular", json=asked | {"regla": "civil"}, headers=alice.auth)
    assert missing.status_code == 400
    assert {one["field"] for one in missing.get_json()["details"]["errors"]} == {"cantidad", "tipoComputo"}


def test_holidays_of_the_seat_and_local_ones_are_left_out_too(client: FlaskClient, alice: Player) -> None:
    asked = {"fechaBase": "2025-04-24", "cantidad": 10, "regime": "administrativo", "ccaa": "VC"}
    assert post(client, alice, **asked)["fecha_vencimiento"] == "2025-05-09"
    assert post(client, alice, **asked, ccaaSede="MD")["fecha_vencimiento"] == "2025-05-12"
    body = post(client, alice, **asked, ccaaSede="MD", festivosLocales=["2025-05-05"])
    assert body["fecha_vencimiento"] == "2025-05-13"
    assert "Festivos locales: 05/05/2025." in body["ajustes_aplicados"]


def test_a_period_of_another_country_is_counted_by_its_own_calendar(
    client: FlaskClient, alice: Player
) -> None:
    body = post(
        client,
        alice,
        jurisdiction="CO",
        fechaBase="2026-12-18",
        cantidad=3,
        tipoComputo="habiles",
        regime="procesal",
    )
    assert body["fecha_vencimiento"] == "2027-01-14"
    assert "art. 118 CGP" in body["regla_aplicable"]
    assert (body["regime"], body["regime_assumed"], body["ccaa"]) == ("procesal", False, None)
    assert body["pasos"][-1]["fecha"] == "2027-01-14"


@pytest.mark.parametrize(
    ("asked", "field", "told"),
    [
        ({"regime": "tributario"}, "regime", "must be one of procesal, administrativo, civil for CO"),
        ({"ccaa": "MD"}, "ccaa", "applies to ES only"),
        ({"regla": "procesal"}, "regla", "applies to ES only"),
        ({"agostoInhabil": True}, "agostoInhabil", "applies to ES only"),
    ],
)
def test_what_only_spanish_law_knows_is_refused_elsewhere(
    client: FlaskClient, alice: Player, asked: dict[str, Any], field: str, told: str
) -> None:
    body = post(client, alice, 400, jurisdiction="CO", **asked)
    assert field in json.dumps(body)
    assert told in json.dumps(body)
