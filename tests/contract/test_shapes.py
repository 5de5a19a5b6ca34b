"""Shapes that clients of this interface rely on (decisions 003 and 022)."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.cast import LEASE, Cast, Player


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _refused(client: FlaskClient, player: Player, path: str, body: dict[str, Any], status: int) -> Any:
    method = client.put if path == "branding" else client.post
    answer = method(f"/api/v1/{path}", json=body, headers=player.auth)
    assert answer.status_code == status, answer.text
    found = answer.get_json()
    first = found["details"]["errors"][0]
    assert found["error"] == f"{first['field']}: {first['message']}", "the first of them is the error"
    assert found["details"]["field"] == first["field"]
    assert all(set(one) == {"field", "message"} for one in found["details"]["errors"])
    return found


@pytest.mark.parametrize(
    ("path", "body", "status", "fields"),
    [
        (
            "analyze",
            {"text": 7, "mode": "quick", "language": "de", "legalBranch": "x", "jurisdiction": "XX"},
            400,
            {"text", "mode", "language", "legalBranch", "jurisdiction"},
        ),
        ("analyze", {"text": "short", "jurisdiction": "QQ"}, 400, {"text", "jurisdiction"}),
        (
            "analyze/batch",
            {"documents": [], "mode": "x", "concurrency": 99},
            400,
            {"documents", "mode", "concurrency"},
        ),
        (
            "jobs",
            {"kind": "analyze", "payload": {"text": "x", "mode": "y"}},
            400,
            {"payload.text", "payload.mode"},
        ),
        ("jobs", {"kind": "x"}, 400, {"kind", "payload"}),
        (
            "webhooks",
            {"url": "nothing", "events": ["x"], "description": "d" * 201},
            400,
            {"url", "events[0]", "description"},
        ),
        ("organizations", {"name": "x", "description": "d" * 301}, 422, {"name", "description"}),
        (
            "branding",
            {"branding": "x", "partner_primary_color": "red", "partner_support_email": "no"},
            422,
            {"branding", "partner_primary_color", "partner_support_email"},
        ),
        (
            "branding",
            {"partner_logo_url": "http://127.0.0.1/x.png", "partner_website": "http://10.0.0.1/"},
            422,
            {"partner_logo_url", "partner_website"},
        ),
        (
            "normativa/search",
            {"query": "x", "top_k": 0, "jurisdiccion": "XX"},
            400,
            {"query", "top_k", "jurisdiccion"},
        ),
        (
            "normativa/search",
            {"query": "x", "jurisdiccion": "ES", "jurisdiction": "CO"},
            400,
            {"query", "jurisdiccion"},
        ),
        (
            "plazos/calcular",
            {"fechaBase": "x", "cantidad": 0, "tipoComputo": "x", "regime": "x"},
            400,
            {"jurisdiction", "fechaBase", "cantidad", "tipoComputo", "regime"},
        ),
        ("security/ip-allowlist", {"cidr": 5, "label": "l" * 81}, 400, {"cidr", "label"}),
    ],
)
def test_every_wrong_field_of_a_body_is_named_at_once(
    client: FlaskClient, alice: Player, path: str, body: dict[str, Any], status: int, fields: set[str]
) -> None:
    found = _refused(client, alice, path, body, status)
    assert {one["field"] for one in found["details"]["errors"]} == fields


def test_a_wrong_request_stands_before_a_broken_limit(client: FlaskClient, alice: Player) -> None:
    found = _refused(client, alice, "analyze", {"text": "short", "mode": "quick"}, 400)
    assert [one["field"] for one in found["details"]["errors"]] == ["mode", "text"]
    assert found["details"]["allowed"] == ["standard", "deep"], "the details are those of the first"


def test_one_wrong_field_that_only_the_domain_can_judge_is_listed_too(
    client: FlaskClient, alice: Player
) -> None:
    found = _refused(client, alice, "security/ip-allowlist", {"cidr": "300.1.1.1/8"}, 400)
    assert [one["field"] for one in found["details"]["errors"]] == ["cidr"]


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("analyze", {"text": "." * 49}, 422, "must have 50 to 50000 characters, has 49."),
        ("analyze", {"text": " " * 50_001}, 422, "must have 50 to 50000 characters, has 50001."),
        ("webhooks", {"url": "no address " * 1_000}, 400, "must have at most 2048 characters, has 11000."),
        ("branding", {"partner_support_email": "x" * 400}, 422, "must have at most 254 characters, has 400."),
    ],
)
def test_length_is_judged_before_content(
    client: FlaskClient, alice: Player, path: str, body: dict[str, Any], status: int, said: str
) -> None:
    found = _refused(client, alice, path, body, status)
    assert [one["message"] for one in found["details"]["errors"]] == [said]


def test_a_text_of_the_right_length_is_judged_by_its_content(client: FlaskClient, alice: Player) -> None:
    found = _refused(client, alice, "analyze", {"text": "." * 50}, 422)
    assert found["details"]["errors"] == [{"field": "text", "message": "contains no words to analyse."}]


def test_wrong_parameters_of_an_address_are_named_together(client: FlaskClient, alice: Player) -> None:
    answer = client.get("/api/v1/jobs?status=x&limit=0", headers=alice.auth)
    assert {one["field"] for one in answer.get_json()["details"]["errors"]} == {"status", "limit"}


def test_a_nul_in_a_parameter_is_a_wrong_parameter(client: FlaskClient, alice: Player) -> None:
    for path in (
        "cruce/sentencias-de-articulo?articulo=1&norma_alias=%00",
        "normativa/articulo?norma=%00&articulo=1",
        "cruce/articulos-de-sentencia?jurisprudencia_id=a%00",
    ):
        answer = client.get(f"/api/v1/{path}", headers=alice.auth)
        assert (answer.status_code, answer.get_json()["code"]) == (400, "VALIDATION_ERROR"), path


def test_the_allow_list_carries_the_request_id(client: FlaskClient, alice: Player) -> None:
    answer = client.get("/api/v1/security/ip-allowlist", headers=alice.auth)
    assert answer.get_json()["requestId"] == answer.headers["X-Request-Id"]


def test_a_revoked_sub_key_is_named_by_its_prefix(client: FlaskClient, cast: Cast, alice: Player) -> None:
    made = client.post("/api/v1/organizations", json={"name": "Casa"}, headers=alice.auth).get_json()
    path = f"/api/v1/organizations/{made['organization']['id']}/keys"
    key = client.post(path, json={"childLabel": "Norte"}, headers=alice.auth).get_json()
    body = client.delete(f"{path}/{key['api_key']['id']}", headers=alice.auth).get_json()
    assert body == {
        "ok": True,
        "revokedKeyPrefix": key["key"][:12],
        "revoked_key_id": key["api_key"]["id"],
    }


def test_the_crossing_echoes_the_name_as_it_was_asked(client: FlaskClient, alice: Player) -> None:
    for alias in ("CC", "Código Civil", "código civil"):
        answer = client.get(
            "/api/v1/cruce/sentencias-de-articulo",
            query_string={"articulo": "1902", "norma_alias": alias},
            headers=alice.auth,
        )
        assert answer.status_code == 200, answer.text
        assert answer.get_json()["norma_alias"] == alias


def test_an_unknown_law_has_no_versions_and_a_note(client: FlaskClient, alice: Player) -> None:
    answer = client.get("/api/v1/normativa/norma/BOE-A-1800-1/versiones", headers=alice.auth)
    body = answer.get_json()
    assert (answer.status_code, body["norma"], body["versiones"]) == (200, None, [])
    assert body["note"]


def test_an_analysis_is_charged_as_before(client: FlaskClient, alice: Player) -> None:
    answer = client.post("/api/v1/analyze", json={"text": LEASE, "jurisdiction": "es"}, headers=alice.auth)
    assert answer.get_json()["jurisdiction"] == "ES"
