"""Example bodies of the OpenAPI document."""

from __future__ import annotations

from typing import Any

_ID = "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"

CHANGE: dict[str, Any] = {
    "branding": "partner",
    "partner_brand_name": "Ibáñez & Soler",
    "partner_legal_name": "Ibáñez y Soler Abogados, S.L.P.",
    "partner_logo_url": "https://www.ibanez-soler.example/logo.png",
    "partner_primary_color": "#1f4e79",
    "partner_support_email": "soporte@ibanez-soler.example",
    "partner_website": "https://www.ibanez-soler.example/",
}
SHOWN = {**CHANGE, "api_key_id": "0b9f3c52-7a0e-4c38-9f4b-0f6a4f1f7a11"}
SAVED = {"ok": True, "applied_to_keys": 4, "config": CHANGE, "requestId": _ID}
A_CHILD = {
    "error": "A child key has the branding of its master key and cannot change it. Use the master key.",
    "code": "FORBIDDEN_CHILD_KEY",
    "requestId": _ID,
}
WRONG_COLOR = {
    "error": "partner_primary_color: must be # and six hexadecimal digits, such as #1f4e79; got 4 "
    "characters.",
    "code": "VALIDATION_ERROR",
    "requestId": _ID,
    "details": {"field": "partner_primary_color", "expected": "^#[0-9a-fA-F]{6}$"},
}
MALFORMED = {
    "error": "The body is not valid JSON: Expecting value at line 1, column 1.",
    "code": "MALFORMED_JSON",
    "requestId": _ID,
    "details": {"line": 1, "column": 1},
}
NO_CONTROLLER = {
    "error": "partner_legal_name: is not set. Save it first; the record names it as the controller.",
    "code": "LEGAL_NAME_MISSING",
    "requestId": _ID,
    "details": {"field": "partner_legal_name"},
}
NO_LEGAL_NAME = {
    "error": "partner_legal_name: is not set. Save it first; the agreement names it as a party.",
    "code": "LEGAL_NAME_MISSING",
    "requestId": _ID,
    "details": {"field": "partner_legal_name"},
}
