"""Example bodies of the OpenAPI document."""

from __future__ import annotations

from typing import Any

_ORGANIZATION_ID = "5f3e8c1a-7c52-4f0e-9d0a-2b6f1c9a4e10"
_MASTER_ID = "0b9f3c52-7a0e-4c38-9f4b-0f6a4f1f7a11"
_CHILD_ID = "c1a7e0d4-2f3b-4d58-8a96-6e0b7d5c3f21"
_WHEN = "2026-11-21T10:15:30.125Z"
# Keys of the documentation: their checksum is wrong, so they open nothing.
_PLAINTEXT = "svc_Hd3KxW9pExampleExampleExampleExample"

CREATE = {"name": "Despacho Ribera", "description": "Clientes de la red de gestorías"}
RENAME = {"name": "Despacho Ribera y Asociados"}
ISSUE = {
    "childLabel": "Gestoría Llorente",
    "scopes": ["analyze"],
    "expiresInDays": 365,
    "monthlyCreditCap": 500,
}
CHANGE = {"active": False}
ROTATE = {"overlapHours": 48}

ORGANIZATION: dict[str, Any] = {"id": _ORGANIZATION_ID, **CREATE, "created_at": _WHEN}
RENAMED: dict[str, Any] = {**ORGANIZATION, **RENAME}
MASTER: dict[str, Any] = {
    "id": _MASTER_ID,
    "name": "Production",
    "key_prefix": "svc_Qm8ZtR2x",
    "role": "master",
    "child_label": None,
    "scopes": ["analyze", "query", "mcp"],
    "tier": "premium",
    "rate_limit_rpm": 200,
    "active": True,
    "created_at": "2026-10-02T08:00:00.000Z",
    "last_used_at": _WHEN,
    "expires_at": None,
    "organization_id": _ORGANIZATION_ID,
    "parent_key_id": None,
    "monthly_credit_cap": None,
}
CHILD: dict[str, Any] = {
    **MASTER,
    "id": _CHILD_ID,
    "name": ISSUE["childLabel"],
    "key_prefix": "svc_Hd3KxW9p",
    "role": "child",
    "child_label": ISSUE["childLabel"],
    "scopes": ["analyze"],
    "created_at": _WHEN,
    "last_used_at": None,
    "expires_at": "2027-11-21T10:15:30.125Z",
    "parent_key_id": _MASTER_ID,
    "monthly_credit_cap": 500,
}

CREATED = {"organization": ORGANIZATION, "masterKeyId": _MASTER_ID}
LIST = {"organizations": [{**ORGANIZATION, "sub_keys": 1}]}
DETAIL = {
    "organization": {**ORGANIZATION, "owner_user_id": "7d9f2f54-0c3b-4b8e-9b57-5f0a3a3c1e42"},
    "keys": [MASTER, CHILD],
}
CHANGED = {"organization": RENAMED, **RENAMED}
DELETED = {"deleted_organization_id": _ORGANIZATION_ID, "revoked_sub_keys": 1}
KEYS = {"keys": [MASTER, CHILD]}
WARNING = "The key is shown only once. Store it where you keep secrets; anyone who has it can use it."
ISSUED = {"key": _PLAINTEXT, "api_key": CHILD, **CHILD, "warning": WARNING}
CUT: dict[str, Any] = {**CHILD, "active": False}
ALTERED = {"api_key": CUT, **CUT}
ROTATED = {**ISSUED, "previous_key_expires_at": "2026-11-23T10:15:30.125Z"}
REVOKED = {"revoked_key_id": _CHILD_ID, "ok": True, "revokedKeyPrefix": CHILD["key_prefix"]}


def _error(code: str, message: str, **details: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "error": message,
        "code": code,
        "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    }
    return {**body, "details": details} if details else body


A_CHILD = _error("FORBIDDEN_CHILD_KEY", "A child key cannot do this. Use the master key of its organization.")
NOT_MASTER = _error("NOT_MASTER", "Only the master key of this organization can do this.")
MASTER_ALREADY = _error("ALREADY_MASTER", "This key is already the master of an organization.")
FIVE = _error(
    "ORGANIZATION_LIMIT", "An account can have at most 5 organizations. Delete one first.", max=5
)  # fmt: skip
SHORT_NAME = _error(
    "VALIDATION_ERROR",
    "name: must have 2 to 80 characters, has 1.",
    field="name",
    min=2,
    max=80,
    got=1,
)
WRONG_SCOPES = _error(
    "INVALID_SCOPES",
    "scopes: must be one or more scopes of the master key (analyze, mcp, query).",
    field="scopes",
    allowed=["analyze", "mcp", "query"],
    got=["admin"],
)
IMMUTABLE = _error(
    "MASTER_KEY_IMMUTABLE", "The master key cannot be changed here. Manage it in the portal."
)  # fmt: skip
