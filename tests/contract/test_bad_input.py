"""Whatever is sent, the answer is a clear 4xx in the canonical shape, never a 500 (decisions 002 and 003)."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.cast import LEASE, Cast, Player

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player()


def _refused(response: TestResponse, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body = response.get_json()
    assert set(body) <= {"error", "code", "requestId", "docUrl", "details"}
    assert body["docUrl"] == f"http://localhost/docs/errors#{code}"
    assert body["code"] == code
    assert body["error"].strip()
    assert body["requestId"] == response.headers["X-Request-Id"]
    assert response.mimetype == "application/json"
    return dict(body)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b'{"text": "a",}',
        b'{"text": NaN}',
        b'{"text": Infinity}',
        b"\xff\xfe{",
        '{"text": "ñ"}'.encode("utf-16"),
        b'{"text": "a" "b"}',
        b"[" * 100_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b'{"a":' * 40 + b"1" + b"}" * 40,
    ],
)
def test_a_malformed_body_says_so(client: FlaskClient, alice: Player, raw: bytes) -> None:
    _refused(client.post("/api/v1/analyze", data=raw, headers={**alice.auth, **JSON}), 400, "MALFORMED_JSON")


@pytest.mark.parametrize("digits", ["9" * 18, "9" * 5_000, "-" + "9" * 5_000, "9007199254740992", "1e999"])
def test_a_huge_integer_is_refused(client: FlaskClient, alice: Player, digits: str) -> None:
    raw = f'{{"text": "x", "n": {digits}}}'
    _refused(
        client.post("/api/v1/analyze", data=raw, headers={**alice.auth, **JSON}), 400, "VALIDATION_ERROR"
    )


@pytest.mark.parametrize("raw", [b"[]", b'"text"', b"17", b"null", b"true"])
def test_a_body_that_is_no_object_is_refused(client: FlaskClient, alice: Player, raw: bytes) -> None:
    _refused(
        client.post("/api/v1/analyze", data=raw, headers={**alice.auth, **JSON}), 400, "VALIDATION_ERROR"
    )


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_another_content_type_is_refused(client: FlaskClient, alice: Player, kind: str) -> None:
    response = client.post(
        "/api/v1/analyze", data=b'{"text": "x"}', headers={**alice.auth, "Content-Type": kind}
    )
    assert "application/json" in _refused(response, 415, "UNSUPPORTED_MEDIA_TYPE")["error"]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/vnd.x+json"])
def test_json_under_its_other_names_is_accepted(client: FlaskClient, alice: Player, kind: str) -> None:
    raw = json.dumps({"text": LEASE})
    response = client.post("/api/v1/analyze", data=raw, headers={**alice.auth, "Content-Type": kind})
    assert response.status_code == 200, response.text


@pytest.mark.parametrize("text", ["\x00" + LEASE, LEASE + "\ud800", LEASE + "\udc00\ud800"])
def test_nul_and_lone_surrogates_are_named(client: FlaskClient, alice: Player, text: str) -> None:
    raw = json.dumps({"text": text})
    body = _refused(
        client.post("/api/v1/analyze", data=raw, headers={**alice.auth, **JSON}), 400, "VALIDATION_ERROR"
    )
    assert body["details"]["field"] == "text"


def test_a_lone_surrogate_in_a_field_name_is_refused_too(client: FlaskClient, alice: Player) -> None:
    raw = '{"text": "x", "\\ud800": {"\\u0000": 1}}'
    _refused(
        client.post("/api/v1/analyze", data=raw, headers={**alice.auth, **JSON}), 400, "VALIDATION_ERROR"
    )


def test_an_oversized_body_is_refused(client: FlaskClient, alice: Player) -> None:
    raw = b'{"text": "' + b"a" * 12_000_001 + b'"}'
    _refused(
        client.post("/api/v1/analyze", data=raw, headers={**alice.auth, **JSON}), 413, "PAYLOAD_TOO_LARGE"
    )


def test_an_oversized_body_in_chunks_is_refused_too(client: FlaskClient, alice: Player) -> None:
    # Without a Content-Length, as a chunked request reaches the application.
    response = client.post(
        "/api/v1/analyze",
        input_stream=io.BytesIO(b'{"text": "' + b"a" * 12_000_001 + b'"}'),
        headers={**alice.auth, **JSON},
        environ_overrides={"wsgi.input_terminated": True},
    )
    _refused(response, 413, "PAYLOAD_TOO_LARGE")


def test_a_compressed_body_is_refused(client: FlaskClient, alice: Player) -> None:
    headers = {**alice.auth, **JSON, "Content-Encoding": "gzip"}
    _refused(client.post("/api/v1/analyze", data=b"{}", headers=headers), 415, "UNSUPPORTED_MEDIA_TYPE")


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic YWxpY2U6eA==",
        "Bearer svc_short",
        "Bearer svc_" + "a" * 38,
        "Bearer ñandú",
        "Bearer \xff\xfe" + "a" * 40,
        "Bearer " + "a" * 9_000,
    ],
)
def test_a_bad_credential_is_401_before_the_body_is_looked_at(
    client: FlaskClient, header: str | None
) -> None:
    headers = {**JSON, **({"Authorization": header} if header is not None else {})}
    response = client.post("/api/v1/analyze", data=b"{nonsense", headers=headers)
    _refused(response, 401, "UNAUTHENTICATED")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert "X-RateLimit-Limit" not in response.headers


@pytest.mark.parametrize(
    ("changed", "status", "field"),
    [
        ({"text": None}, 400, "text"),
        ({"text": 17}, 400, "text"),
        ({"text": ["a"]}, 400, "text"),
        ({"text": {"a": 1}}, 400, "text"),
        ({"text": True}, 400, "text"),
        ({"text": "a" * 49}, 422, "text"),
        ({"text": "a" * 50_001}, 422, "text"),
        ({"text": " " * 60}, 422, "text"),
        ({"jurisdiction": "XX"}, 400, "jurisdiction"),
        ({"jurisdiction": ""}, 400, "jurisdiction"),
        ({"jurisdiction": 34}, 400, "jurisdiction"),
        ({"legalBranch": "marítimo"}, 400, "legalBranch"),
        ({"legalBranch": ["civil"]}, 400, "legalBranch"),
        ({"language": "fr"}, 400, "language"),
        ({"mode": "DEEP"}, 400, "mode"),
        ({"mode": 1}, 400, "mode"),
        # A wrong request comes before a broken limit.
        ({"text": "short", "mode": "fast"}, 400, "mode"),
    ],
)
def test_a_wrong_field_is_named_with_what_was_expected(
    client: FlaskClient, alice: Player, changed: dict[str, Any], status: int, field: str
) -> None:
    response = client.post("/api/v1/analyze", json={"text": LEASE, **changed}, headers=alice.auth)
    body = _refused(response, status, "VALIDATION_ERROR")
    assert body["details"]["field"] == field
    assert body["error"].startswith(field)


def test_text_limits_count_code_points(client: FlaskClient, alice: Player, cast: Cast) -> None:
    for text, status in (("𝒜" * 50, 200), ("𝒜" * 49, 422), ("ñ" * 50_000, 200), ("ñ" * 50_001, 422)):
        response = client.post("/api/v1/analyze", json={"text": text}, headers=alice.auth)
        assert response.status_code == status, (len(text), response.text[:200])
    body = client.post("/api/v1/analyze", json={"text": "a" * 49}, headers=alice.auth).get_json()
    assert body["details"] == {
        "field": "text", "min": 50, "max": 50_000, "got": 49,
        "errors": [{"field": "text", "message": "must have 50 to 50000 characters, has 49."}],
    }  # fmt: skip


def test_a_long_wrong_value_is_not_echoed(client: FlaskClient, alice: Player) -> None:
    response = client.post("/api/v1/analyze", json={"text": LEASE, "mode": LEASE}, headers=alice.auth)
    assert "Herrero" not in str(_refused(response, 400, "VALIDATION_ERROR"))


def test_unknown_fields_are_ignored_and_null_means_not_given(client: FlaskClient, alice: Player) -> None:
    body = {"text": LEASE, "mode": None, "jurisdiction": None, "temperature": 0.3, "x": {"y": []}}
    response = client.post("/api/v1/analyze", json=body, headers=alice.auth)
    assert response.status_code == 200
    assert response.get_json()["mode"] == "standard"


@pytest.mark.parametrize(
    "path", ["/api", "/api/v1", "/api/v1/nothing", "/api/v2/analyze", "/api/v1/analyze/"]
)
def test_an_unknown_path_under_api_is_json(client: FlaskClient, path: str) -> None:
    _refused(client.get(path), 404, "NOT_FOUND")


def test_a_wrong_method_names_the_right_one(client: FlaskClient) -> None:
    response = client.get("/api/v1/analyze")
    assert "POST" in _refused(response, 405, "METHOD_NOT_ALLOWED")["error"]
    assert "POST" in response.headers["Allow"]


def test_an_unknown_path_elsewhere_is_a_page(client: FlaskClient) -> None:
    response = client.get("/nothing-here")
    assert response.status_code == 404
    assert response.mimetype == "text/html"
    assert response.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("sent", "echoed"), [("req-12345678", True), ("short", False), ("a" * 101, False), ("bad id here", False)]
)
def test_a_callers_request_id_is_echoed_when_well_formed(
    client: FlaskClient, sent: str, echoed: bool
) -> None:
    response = client.get("/api/v1/jurisdictions", headers={"X-Request-Id": sent})
    if echoed:
        assert response.headers["X-Request-Id"] == sent
    else:
        assert response.headers["X-Request-Id"].startswith("req_")


def test_nothing_is_charged_for_a_refused_request(client: FlaskClient, cast: Cast, alice: Player) -> None:
    for body in ({"text": "short"}, {"text": LEASE, "mode": "fast"}, {"text": LEASE, "jurisdiction": "XX"}):
        assert client.post("/api/v1/analyze", json=body, headers=alice.auth).status_code >= 400
    assert (cast.balance(alice).balance, cast.balance(alice).held) == (100, 0)
