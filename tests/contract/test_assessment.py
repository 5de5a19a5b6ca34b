"""`statements`, `assessment`, `detectedJurisdiction` and `jurisdiction: auto` (decision 018)."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.cast import LEASE, Cast, Player

LOCKS = {"L1", "L2", "L3", "L4", "L5-C", None}
COLOMBIAN = """CONTRATO DE ARRENDAMIENTO DE LOCAL

En Bogotá, D.C., República de Colombia, a los 3 días de marzo de 2026. El canon mensual es de $2.600.000 pesos
colombianos. Se aplican el Código de Comercio de Colombia y el artículo 518 del Código de Comercio.
Arrendador: Camilo Restrepo Vélez, C.C. 79.456.123 de Bogotá.
"""


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _analyse(client: FlaskClient, player: Player, text: str = LEASE, **changed: Any) -> dict[str, Any]:
    response = client.post("/api/v1/analyze", json={"text": text, **changed}, headers=player.auth)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()
    return found


def test_each_statement_carries_its_lock_and_literal_quotes(client: FlaskClient, alice: Player) -> None:
    body = _analyse(client, alice)
    assert body["statements"]
    for one in body["statements"]:
        assert one["lock"] in LOCKS, one
        for quote in one["quotes"]:
            assert LEASE[quote["start"] : quote["end"]] == quote["text"], one
    locks = [one["lock"] for one in body["statements"]]
    assert {"L1", "L4"} <= set(locks)
    assert all(one["quotes"] for one in body["statements"] if one["lock"] == "L1")


def test_spanish_law_is_assessed_in_full_by_rules_written_for_it(client: FlaskClient, alice: Player) -> None:
    body = _analyse(client, alice)
    assert body["assessment"] == "full"
    assert "assessmentNote" not in body
    assert body["detectedJurisdiction"]["code"] == "ES"
    assert body["detectedJurisdiction"]["evidence"]


def test_a_law_without_rules_is_said_in_the_first_line(client: FlaskClient, alice: Player) -> None:
    text = "Las partes acuerdan lo siguiente: se pagará el precio."
    body = _analyse(client, alice, text, jurisdiction="EC")
    assert body["assessment"] == "none"
    assert "Ecuador" in body["assessmentNote"]
    assert body["analysis"].startswith(f"{body['assessmentNote']}\n")


def test_auto_takes_the_country_that_the_words_point_to(client: FlaskClient, alice: Player) -> None:
    body = _analyse(client, alice, COLOMBIAN, jurisdiction="auto")
    assert body["jurisdiction"] == "CO"
    assert body["detectedJurisdiction"]["code"] == "CO"
    assert body["detectedJurisdiction"]["confidence"] >= 0.5


def test_auto_without_a_sign_of_any_country_falls_back_and_says_so(
    client: FlaskClient, alice: Player
) -> None:
    body = _analyse(
        client, alice, "Las partes acuerdan lo siguiente: se pagará el precio.", jurisdiction="auto"
    )
    assert body["jurisdiction"] == "ES"
    assert body["detectedJurisdiction"]["code"] is None


def test_a_document_of_another_country_is_warned_about(client: FlaskClient, alice: Player) -> None:
    body = _analyse(client, alice, COLOMBIAN, jurisdiction="ES")
    assert body["jurisdiction"] == "ES"
    assert body["detectedJurisdiction"]["code"] == "CO"
    assert "Colombia" in body["analysis"]


def test_the_list_of_jurisdictions_says_how_far_each_is_assessed(client: FlaskClient, alice: Player) -> None:
    items = client.get("/api/v1/jurisdictions", headers=alice.auth).get_json()
    listed = items if isinstance(items, list) else next(v for v in items.values() if isinstance(v, list))
    levels = {one["code"]: one["assessment"] for one in listed}
    assert levels["ES"] == "full"
    assert levels["CO"] == "partial"
    assert levels["EC"] == "none"
