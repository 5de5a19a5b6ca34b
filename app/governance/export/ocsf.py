"""Rows of an export as API Activity events of OCSF (Open Cybersecurity Schema Framework) 1.6.0. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

VERSION = "1.6.0"
# Class API Activity of the category Application Activity.
CLASS, CATEGORY = 6003, 6
# Activities of the class: Create, Other.
_CREATE, _OTHER = 1, 99
# Severities: Informational, Medium.
_INFORMATIONAL, _MEDIUM = 1, 3
_OPERATIONS = {"analysis": "analyze", "redaction": "redact", "review": "review"}
_BROKEN = ("mismatch", "not_found", "derogated")


def as_ocsf(line: Mapping[str, Any], product: str) -> dict[str, Any]:
    """Return a row of the export as an OCSF event; what the class has no place for stands in `unmapped`.

    Args:
        line: The row.
        product: Name under which the account knows the service.
    """
    content = line.get("content", {})
    activity = _CREATE if line["type"] in ("analysis", "review") else _OTHER
    if line["type"] == "activity":
        return _account_activity(line, product)
    key = content.get("apiKeyId") or line.get("apiKeyId")
    request = content.get("requestId") or line.get("requestId")
    api: dict[str, Any] = {
        "operation": _OPERATIONS.get(line["type"]) or line["eventType"],
        "service": {"name": product},
    }
    if request:
        api["request"] = {"uid": request}
    actor: dict[str, Any] = {"user": {"credential_uid": key, "type_id": 3}} if key else {"app_name": "system"}
    return {
        "activity_id": activity,
        "category_uid": CATEGORY,
        "class_uid": CLASS,
        "type_uid": CLASS * 100 + activity,
        "severity_id": _severity(content),
        "status_id": 1,
        "time": round(datetime.fromisoformat(line["at"]).timestamp() * 1000),
        "metadata": {
            "version": VERSION,
            "uid": _uid(line),
            "event_code": line["type"],
            "original_time": line["at"],
            "product": {"name": product, "vendor_name": product},
        },
        "actor": actor,
        "api": api,
        # Addresses of callers are not kept, and the class demands the member.
        "src_endpoint": {"name": "not recorded"},
        "unmapped": {name: value for name, value in line.items() if name not in ("type", "at")},
    }


def _account_activity(line: Mapping[str, Any], product: str) -> dict[str, Any]:
    """Return what a member or key did as API Activity; a failed sign-in is one of medium severity."""
    failed = line["action"].endswith(".failed")
    actor = line["actor"]
    user: dict[str, Any] = {"type_id": {"member": 1, "api_key": 3}.get(actor["kind"], 99)}
    if actor["id"]:
        user["uid" if actor["kind"] == "member" else "credential_uid"] = actor["id"]
    if actor["name"]:
        user["name"] = actor["name"]
    return {
        "activity_id": _OTHER,
        "category_uid": CATEGORY,
        "class_uid": CLASS,
        "type_uid": CLASS * 100 + _OTHER,
        "severity_id": _MEDIUM if failed else _INFORMATIONAL,
        "status_id": 2 if failed else 1,
        "time": round(datetime.fromisoformat(line["at"]).timestamp() * 1000),
        "metadata": {
            "version": VERSION,
            "uid": line["id"],
            "event_code": "activity",
            "original_time": line["at"],
            "product": {"name": product, "vendor_name": product},
        },
        "actor": {"user": user} if actor["kind"] in ("member", "api_key") else {"app_name": actor["kind"]},
        "api": {"operation": line["action"], "service": {"name": product}},
        "src_endpoint": {"name": actor["network"] or "not recorded"},
        "unmapped": {name: value for name, value in line.items() if name not in ("type", "at")},
    }


def _severity(content: Mapping[str, Any]) -> int:
    broken = sum(content.get("citations", {}).get(status, 0) for status in _BROKEN)
    return _MEDIUM if broken else _INFORMATIONAL


def _uid(line: Mapping[str, Any]) -> str:
    if line["type"] == "event":
        return str(line["eventId"])
    if line["type"] == "redaction":
        return f"{line['analysisId']}/{line['fieldType']}/{line['at']}"
    return str(line["content"].get("recordId") or line["content"]["analysisId"])
