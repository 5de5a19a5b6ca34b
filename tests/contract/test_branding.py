"""GET and PUT /api/v1/branding (decision 039)."""

from __future__ import annotations

import hashlib
import io
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pypdf
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import governance, tenancy
from app.dev.system_packages import PDF
from app.platform import clock
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player

PATH = "/api/v1/branding"
DEFAULT = {
    "branding": "nexus",
    "partner_brand_name": None,
    "partner_legal_name": None,
    "partner_logo_url": None,
    "partner_primary_color": None,
    "partner_support_email": None,
    "partner_website": None,
}
WHOLE = {
    "branding": "partner",
    "partner_brand_name": "Ibáñez & Soler",
    "partner_legal_name": "Ibáñez y Soler Abogados, S.L.P.",
    "partner_logo_url": "https://93.184.215.14/logo.png",
    "partner_primary_color": "#1F4e79",
    "partner_support_email": "soporte@ibañez.example",
    "partner_website": "https://93.184.215.14/",
}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


def _put(client: FlaskClient, who: Player, **body: Any) -> TestResponse:
    return client.put(PATH, json=body, headers=who.auth)


def _config(client: FlaskClient, who: Player) -> dict[str, Any]:
    answer = client.get(PATH, headers=who.auth)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_before_anything_is_saved_the_service_speaks_under_its_own_name(
    client: FlaskClient, alice: Player
) -> None:
    assert _config(client, alice) == {**DEFAULT, "api_key_id": str(alice.key_id)}


def test_what_is_saved_is_answered_and_read_back(client: FlaskClient, alice: Player) -> None:
    answer = client.put(PATH, json=WHOLE, headers={**alice.auth, "X-Request-Id": "mine-12345"})
    assert answer.status_code == 200, answer.text
    assert answer.get_json() == {
        "ok": True, "applied_to_keys": 1, "config": WHOLE, "requestId": "mine-12345",
    }  # fmt: skip
    assert _config(client, alice) == {**WHOLE, "api_key_id": str(alice.key_id)}


def test_what_was_read_can_be_sent_back(client: FlaskClient, alice: Player) -> None:
    _put(client, alice, **WHOLE)
    shown = _config(client, alice)
    answer = _put(client, alice, **shown)
    assert (answer.status_code, answer.get_json()["config"]) == (200, WHOLE)


@pytest.mark.parametrize("nothing", [None, "", "   "])
@pytest.mark.parametrize("field", [name for name in WHOLE if name != "partner_brand_name"])
def test_absent_keeps_and_null_or_empty_clears(
    client: FlaskClient, alice: Player, field: str, nothing: str | None
) -> None:
    _put(client, alice, **WHOLE)
    answer = _put(client, alice, **{field: nothing})
    assert answer.status_code == 200, answer.text
    assert answer.get_json()["config"] == {**WHOLE, field: DEFAULT[field]}
    assert _put(client, alice).get_json()["config"] == {**WHOLE, field: DEFAULT[field]}


@pytest.mark.parametrize(
    ("saved", "body"),
    [
        ({}, {"branding": "partner"}),
        ({}, {"branding": "partner", "partner_brand_name": None}),
        ({}, {"branding": "partner", "partner_brand_name": " "}),
        (WHOLE, {"partner_brand_name": ""}),
        (WHOLE, {"partner_brand_name": None}),
    ],
)
def test_a_partner_needs_a_name(
    client: FlaskClient, alice: Player, saved: dict[str, Any], body: dict[str, Any]
) -> None:
    _put(client, alice, **saved)
    before = _config(client, alice)
    answer = _put(client, alice, **body)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "VALIDATION_ERROR")
    assert answer.get_json()["details"]["field"] == "partner_brand_name"
    assert _config(client, alice) == before


def test_a_name_may_go_together_with_the_mode_that_needs_it(client: FlaskClient, alice: Player) -> None:
    _put(client, alice, **WHOLE)
    answer = _put(client, alice, branding="none", partner_brand_name="")
    assert (answer.status_code, answer.get_json()["config"]["branding"]) == (200, "none")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("branding", "candado", "VALIDATION_ERROR"),
        ("branding", "Partner", "VALIDATION_ERROR"),
        ("branding", 1, "VALIDATION_ERROR"),
        ("branding", ["none"], "VALIDATION_ERROR"),
        ("partner_brand_name", "x" * 81, "VALIDATION_ERROR"),
        ("partner_brand_name", 7, "VALIDATION_ERROR"),
        ("partner_brand_name", "two\nlines", "VALIDATION_ERROR"),
        ("partner_brand_name", "turned\u202eround", "VALIDATION_ERROR"),
        ("partner_legal_name", "x" * 201, "VALIDATION_ERROR"),
        ("partner_legal_name", {}, "VALIDATION_ERROR"),
        ("partner_primary_color", "1f4e79", "VALIDATION_ERROR"),
        ("partner_primary_color", "#1f4e7", "VALIDATION_ERROR"),
        ("partner_primary_color", "#1f4e79aa", "VALIDATION_ERROR"),
        ("partner_primary_color", "#1f4e7g", "VALIDATION_ERROR"),
        ("partner_primary_color", "#١٢٣٤٥٦", "VALIDATION_ERROR"),
        ("partner_primary_color", "blue", "VALIDATION_ERROR"),
        ("partner_primary_color", True, "VALIDATION_ERROR"),
        ("partner_support_email", "nobody", "VALIDATION_ERROR"),
        ("partner_support_email", "a@b", "VALIDATION_ERROR"),
        ("partner_support_email", "@example.com", "VALIDATION_ERROR"),
        ("partner_support_email", "a@example..com", "VALIDATION_ERROR"),
        ("partner_support_email", "a b@example.com", "VALIDATION_ERROR"),
        ("partner_support_email", "a@example.com\r\nBcc: b@example.com", "VALIDATION_ERROR"),
        ("partner_support_email", "a@[127.0.0.1]", "VALIDATION_ERROR"),
        ("partner_support_email", "a@127.0.0.1", "VALIDATION_ERROR"),
        ("partner_support_email", "x" * 65 + "@example.com", "VALIDATION_ERROR"),
        ("partner_support_email", "a@" + "x" * 250 + ".com", "VALIDATION_ERROR"),
        ("partner_logo_url", "logo.png", "VALIDATION_ERROR"),
        ("partner_logo_url", 5, "VALIDATION_ERROR"),
        ("partner_logo_url", "https://93.184.215.14/" + "x" * 2048, "VALIDATION_ERROR"),
        ("partner_logo_url", "http://93.184.215.14/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "ftp://93.184.215.14/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://localhost/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://127.0.0.1/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://2130706433/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://10.1.2.3/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://169.254.169.254/latest/meta-data", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://[::1]/logo.png", "URL_NOT_ALLOWED"),
        ("partner_logo_url", "https://user:pass@93.184.215.14/logo.png", "URL_NOT_ALLOWED"),
        ("partner_website", "www.example.com", "VALIDATION_ERROR"),
        ("partner_website", "javascript:alert(1)", "URL_NOT_ALLOWED"),
        ("partner_website", "http://93.184.215.14/", "URL_NOT_ALLOWED"),
        ("partner_website", "https://192.168.1.1/", "URL_NOT_ALLOWED"),
        ("partner_website", "https://metadata.google.internal/", "URL_NOT_ALLOWED"),
    ],
)
def test_a_wrong_field_is_422_and_named_and_nothing_is_saved(
    client: FlaskClient, alice: Player, field: str, value: Any, code: str
) -> None:
    answer = _put(client, alice, **{"partner_legal_name": "Not to be saved", field: value})
    body = answer.get_json()
    assert (answer.status_code, body["code"]) == (422, code), answer.text
    assert body["details"]["field"] == field
    assert body["error"].startswith(f"{field}: ")
    assert body["requestId"]
    assert _config(client, alice) == {**DEFAULT, "api_key_id": str(alice.key_id)}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("partner_brand_name", "x" * 80),
        ("partner_brand_name", "Ñ" * 80),
        ("partner_legal_name", "x" * 200),
        ("partner_primary_color", "#ABCdef"),
        ("partner_support_email", "first.last+tag@sub.example.co.uk"),
        ("partner_website", "https://this-name-does-not-resolve.example/about"),
    ],
)
def test_the_edge_of_each_rule_is_inside(client: FlaskClient, alice: Player, field: str, value: str) -> None:
    answer = _put(client, alice, **{field: value})
    assert (answer.status_code, answer.get_json().get("config", {}).get(field)) == (200, value), answer.text


def test_blanks_around_a_value_are_not_part_of_it_and_unknown_fields_are_ignored(
    client: FlaskClient, alice: Player
) -> None:
    answer = _put(client, alice, partner_brand_name="  Soler  ", api_key_id=7, colour="red")
    assert answer.get_json()["config"]["partner_brand_name"] == "Soler"


def test_a_request_that_is_none_is_400_or_415(client: FlaskClient, alice: Player) -> None:
    headers = {**alice.auth, "Content-Type": "application/json"}
    answers = [
        client.put(PATH, data=data, headers=headers).get_json()["code"] for data in ("{", "[]", "", "null")
    ]
    assert answers == ["MALFORMED_JSON", "VALIDATION_ERROR", "MALFORMED_JSON", "VALIDATION_ERROR"]
    plain = client.put(PATH, data="{}", headers={**alice.auth, "Content-Type": "text/plain"})
    assert (plain.status_code, plain.get_json()["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")


def test_without_a_key_nothing_is_told(client: FlaskClient) -> None:
    for answer in (client.get(PATH), client.put(PATH, json={"branding": "wrong"})):
        assert (answer.status_code, answer.get_json()["code"]) == (401, "UNAUTHENTICATED")


def test_children_have_their_masters_branding_and_new_ones_too(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    organization = cast.organization(alice)
    carol = cast.child(alice, organization, scopes=("query",))
    assert _put(client, alice, **WHOLE).get_json()["applied_to_keys"] == 2
    assert _config(client, carol) == {**WHOLE, "api_key_id": str(carol.key_id)}
    later = cast.child(alice, organization)
    assert _config(client, later) == {**WHOLE, "api_key_id": str(later.key_id)}
    assert _put(client, alice, branding="none").get_json()["applied_to_keys"] == 3
    assert {_config(client, who)["branding"] for who in (alice, carol, later)} == {"none"}


def test_a_child_may_not_change_it_whatever_it_sends(client: FlaskClient, cast: Cast, alice: Player) -> None:
    carol = cast.child(alice)
    for body in ({"branding": "none"}, {"branding": "wrong"}, {"partner_logo_url": "https://10.0.0.1/"}):
        answer = _put(client, carol, **body)
        assert (answer.status_code, answer.get_json()["code"]) == (403, "FORBIDDEN_CHILD_KEY")
    broken = client.put(PATH, data="{", headers={**carol.auth, "Content-Type": "application/json"})
    assert broken.status_code == 403
    assert _config(client, alice)["branding"] == "nexus"


def test_children_that_were_cut_off_are_not_counted(client: FlaskClient, cast: Cast, alice: Player) -> None:
    organization = cast.organization(alice)
    cast.child(alice, organization)
    gone = cast.child(alice, organization)
    with db.transaction() as session:
        tenancy.revoke_key(session, gone.key_id, now=clock.now())
    assert _put(client, alice, branding="none").get_json()["applied_to_keys"] == 2


def test_each_key_of_an_account_has_a_branding_of_its_own(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    other = Player("bob", alice.account_id, "", "", *cast.key(alice.account_id))
    _put(client, alice, **WHOLE)
    assert _config(client, other) == {**DEFAULT, "api_key_id": str(other.key_id)}
    mallory = cast.player("mallory")
    assert _config(client, mallory) == {**DEFAULT, "api_key_id": str(mallory.key_id)}


def test_saves_at_the_same_time_lose_nothing(app: Flask, client: FlaskClient, alice: Player) -> None:
    def save(field: str) -> int:
        body = {field: WHOLE[field], "partner_brand_name": WHOLE["partner_brand_name"]}
        return app.test_client().put(PATH, json=body, headers=alice.auth).status_code

    with ThreadPoolExecutor(7) as pool:
        assert set(pool.map(save, WHOLE)) == {200}
    assert _config(client, alice) == {**WHOLE, "api_key_id": str(alice.key_id)}


LEASE_OF_A_NAMESAKE = LEASE.replace(
    "D. Tomás Herrero Vidal", "la mercantil Candado Seguridad, S.L., representada por D. Tomás Herrero Vidal"
)
BLOCK = "\nSERVICE-AUDIT-TRAIL-BEGIN\n"


def _analysis(client: FlaskClient, who: Player, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/analyze", json={"text": LEASE, **body}, headers=who.auth)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("mode", ["standard", "deep"])
def test_an_analysis_is_given_under_the_name_that_the_key_says(
    client: FlaskClient, alice: Player, language: str, mode: str
) -> None:
    asked = {"language": language, "mode": mode}
    own = _analysis(client, alice, **asked)
    assert own["analysis"].count("Candado") == 1
    _put(client, alice, branding="partner", partner_brand_name="Olmos Abogados")
    partners = _analysis(client, alice, **asked)
    assert partners["analysis"] == own["analysis"].replace("Candado", "Olmos Abogados")
    _put(client, alice, branding="none")
    nobodys = _analysis(client, alice, **asked)
    assert "candado" not in _read_by_all(nobodys).casefold()
    assert "Olmos" not in _read_by_all(nobodys)
    made = {"es": "Este análisis se elaboró con el motor", "en": "This analysis was made with the engine"}
    assert made[language] in nobodys["analysis"]
    # The audit block is the same in all three.
    blocks = {answer["analysis"].partition(BLOCK)[2] for answer in (own, partners, nobodys)}
    assert len(blocks) == 1
    assert blocks.pop().rstrip().endswith("SERVICE-AUDIT-TRAIL-END")


def _read_by_all(answer: dict[str, Any]) -> str:
    """Everything that a client reads in an answer."""
    return json.dumps(answer, ensure_ascii=False)


def test_the_clients_own_words_stay_though_they_are_the_services_name(
    client: FlaskClient, alice: Player
) -> None:
    own = _analysis(client, alice, text=LEASE_OF_A_NAMESAKE)["analysis"]
    named = own.count("Candado Seguridad")
    assert named >= 1
    _put(client, alice, branding="none")
    body = _analysis(client, alice, text=LEASE_OF_A_NAMESAKE)["analysis"]
    assert (body.count("Candado"), body.count("Candado Seguridad")) == (own.count("Candado") - 1, named)


def test_a_child_analyses_under_its_masters_name_in_every_form(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    carol = cast.child(alice)
    _put(client, alice, branding="partner", partner_brand_name="Olmos Abogados")
    assert "Olmos Abogados elaboró este análisis" in _analysis(client, carol)["analysis"]
    batch = client.post(
        "/api/v1/analyze/batch",
        json={"documents": [{"text": LEASE}, {"text": LEASE, "language": "en"}]},
        headers=carol.auth,
    ).get_json()
    assert [
        item["analysis"].count("Olmos Abogados") - item["analysis"].count("Candado")
        for item in batch["results"]
    ] == [1, 1]
    canned = client.post("/api/v1/sandbox/analyze", json={}, headers=carol.auth).get_json()
    assert "Canned answer of Olmos Abogados" in canned["analysis"] or (
        "Respuesta de muestra de Olmos Abogados" in canned["analysis"]
    )
    _put(client, alice, branding="none")
    for language in ("es", "en"):
        canned = client.post("/api/v1/sandbox/analyze", json={"language": language}, headers=carol.auth)
        assert "candado" not in canned.text.casefold()


def test_the_variant_envelope_speaks_with_the_same_voice(client: FlaskClient, alice: Player) -> None:
    _put(client, alice, branding="none")
    answer = client.post(
        "/api/v1/analyze",
        json={"text": LEASE, "mode": "deep"},
        headers={**alice.auth, "Accept": "application/vnd.service.nodes+json"},
    )
    assert answer.mimetype == "application/vnd.service.nodes+json"
    assert "candado" not in answer.text.casefold()


def test_a_brand_name_cannot_forge_a_lock_nor_the_audit_block(client: FlaskClient, alice: Player) -> None:
    before = _analysis(client, alice)
    name = "[L1] SERVICE-AUDIT-TRAIL-END <b>"
    assert _put(client, alice, branding="partner", partner_brand_name=name).status_code == 200
    after = _analysis(client, alice)
    assert after["analysis"].count("[L1]") == before["analysis"].count("[L1]")
    assert after["analysis"].count("AUDIT-TRAIL-END") == 1
    assert "<b>" not in after["analysis"].replace("\\<b>", "")


def test_the_record_of_the_analysis_holds_the_hash_of_what_was_sent(
    client: FlaskClient, alice: Player
) -> None:
    _put(client, alice, branding="partner", partner_brand_name="Olmos Abogados")
    body = _analysis(client, alice)
    with db.reading() as session:
        record = governance.records(session, alice.account_id)[0]
    assert record.content["analysisHash"] == hashlib.sha256(body["analysis"].strip().encode()).hexdigest()


needs_pdf = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)


@needs_pdf
@pytest.mark.parametrize("language", ["es", "en"])
def test_the_agreement_is_a_pdf_made_out_to_the_legal_name(
    client: FlaskClient, alice: Player, language: str
) -> None:
    _put(client, alice, partner_legal_name="Olmos Abogados, S.L.P.")
    answer = client.get(f"{PATH}/dpa?language={language}", headers=alice.auth)
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf"), answer.text
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert answer.headers["Cache-Control"] == "no-store"
    found = pypdf.PdfReader(io.BytesIO(answer.data))
    assert "Olmos Abogados, S.L.P." in found.pages[0].extract_text()
    assert found.trailer["/Root"]["/Lang"] == language


def test_the_agreement_needs_a_legal_name_a_known_language_and_no_child(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    answer = client.get(f"{PATH}/dpa", headers=alice.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "LEGAL_NAME_MISSING")
    answer = client.get(f"{PATH}/dpa?language=fr", headers=alice.auth)
    assert (answer.status_code, answer.get_json()["details"]["field"]) == (400, "language")
    carol = cast.child(alice)
    answer = client.get(f"{PATH}/dpa", headers=carol.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "FORBIDDEN_CHILD_KEY")
    assert client.get(f"{PATH}/dpa").status_code == 401


@needs_pdf
def test_the_record_of_processing_is_a_pdf_and_is_refused_like_the_agreement(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    path = f"{PATH}/processing-record"
    answer = client.get(path, headers=alice.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "LEGAL_NAME_MISSING")
    _put(client, alice, partner_legal_name="Olmos Abogados, S.L.P.")
    answer = client.get(f"{path}?language=en", headers=alice.auth)
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf"), answer.text
    assert "record-of-processing" in answer.headers["Content-Disposition"]
    text = pypdf.PdfReader(io.BytesIO(answer.data)).pages[0].extract_text()
    assert "Olmos Abogados, S.L.P." in text
    answer = client.get(f"{path}?language=fr", headers=alice.auth)
    assert (answer.status_code, answer.get_json()["details"]["field"]) == (400, "language")
    answer = client.get(path, headers=cast.child(alice).auth)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "FORBIDDEN_CHILD_KEY")


def test_the_openapi_document_says_all_this(client: FlaskClient) -> None:
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    get, put, dpa = paths[PATH]["get"], paths[PATH]["put"], paths[f"{PATH}/dpa"]["get"]
    assert (get["operationId"], put["operationId"]) == ("getBranding", "updateBranding")
    assert set(get["responses"]) == {"200", "401", "403", "429", "500", "503"}
    assert set(put["responses"]) == {
        "200", "400", "401", "403", "413", "415", "422", "429", "500", "503",
    }  # fmt: skip
    child = put["responses"]["403"]["content"]["application/json"]["example"]
    assert child["code"] == "FORBIDDEN_CHILD_KEY"
    document = dpa["responses"]["200"]
    assert document["content"]["application/pdf"]["schema"]["format"] == "binary"
    assert {"X-RateLimit-Limit", "X-Request-Id", "Content-Disposition"} <= set(document["headers"])
    assert set(dpa["responses"]) == {"200", "400", "401", "403", "409", "429", "500", "503"}


@pytest.mark.parametrize(
    "color",
    [
        "#aabbcc\n", "\n#aabbcc", "#aabbcc\r\n", "#aabbcc\u2028", "#aabbcc\u200b", "#aabb\u0661\u0662",
        "#\uff11\uff12\uff13\uff14\uff15\uff16", "#aabbcc;}", "#aabbcc\t", "aabbcc", "\n",
    ],
)  # fmt: skip
def test_a_colour_with_anything_unseen_is_refused_by_name(
    client: FlaskClient, alice: Player, color: str
) -> None:
    answer = _put(client, alice, partner_primary_color=color)
    assert (answer.status_code, answer.get_json()["details"]["field"]) == (422, "partner_primary_color")
    assert _config(client, alice)["partner_primary_color"] is None


def test_a_colour_with_nul_is_refused_by_name(client: FlaskClient, alice: Player) -> None:
    answer = _put(client, alice, partner_primary_color="#aabbcc\x00")
    assert (answer.status_code, answer.get_json()["details"]["field"]) == (400, "partner_primary_color")


@pytest.mark.parametrize("field", [name for name in WHOLE if name != "branding"])
def test_a_line_break_is_refused_in_every_field(client: FlaskClient, alice: Player, field: str) -> None:
    for value in (f"{WHOLE[field]}\n", f"\n{WHOLE[field]}"):
        answer = _put(client, alice, **{field: value})
        assert (answer.status_code, answer.get_json()["details"]["field"]) == (422, field)
    assert _put(client, alice, **{field: f"  {WHOLE[field]} "}).get_json()["config"][field] == WHOLE[field]
