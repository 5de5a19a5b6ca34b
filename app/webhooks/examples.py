"""Example answers of the OpenAPI document."""

from __future__ import annotations

from typing import Any

from app.webhooks.event_bus.catalogue import CATALOGUE, SUBSCRIBABLE

_ID = "3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11"
_DELIVERY = "c0a8e8b2-5d0f-4f0f-8f58-0d9be4e6b1c7"
_EVENT = "7d9f2f54-0c3b-4b8e-9b57-5f0a3a3c1e42"
_WHEN = "2026-11-21T10:15:30.125Z"
# A secret of the documentation: it signs nothing.
_SECRET = "whsec_ZXhhbXBsZSBvbmx5OiBub3QgYSByZWFsIHNlY3JldCE="  # noqa: S105

REQUEST = {
    "url": "https://hooks.example.com/in",
    "events": ["analysis.completed", "analysis.failed"],
    "description": "Practice management",
}
CHANGE = {"active": False}
REDRIVE = {"delivery_id": _DELIVERY}

WEBHOOK: dict[str, Any] = {
    "id": _ID,
    **REQUEST,
    "active": True,
    "created_at": _WHEN,
    "last_delivery_at": None,
    "last_failure_at": None,
    "deactivated_because": None,
}
CREATED = {**WEBHOOK, "secret": _SECRET}
ROTATED = {**CREATED, "previous_secret_expires_at": "2026-11-22T10:15:30.125Z"}
LIST = {"webhooks": [WEBHOOK]}
DELETED = {"deleted_webhook_id": _ID}
TESTED = {
    "webhook_id": _ID,
    "event_id": _EVENT,
    "delivery_id": _DELIVERY,
    "event": "webhook.test",
    "status": "pending",
}
LOG = {
    "webhook_endpoint": {"id": _ID, "url": REQUEST["url"], "events": REQUEST["events"]},
    "count": 1,
    "limit": 20,
    "summary": {"pending": 0, "success": 41, "failed": 1, "exhausted": 0},
    "deliveries": [
        {
            "id": _DELIVERY,
            "event": "analysis.completed",
            "status": "failed",
            "attempts": 2,
            "last_status_code": 500,
            "last_error": "answered 500",
            "created_at": _WHEN,
            "delivered_at": None,
            "next_retry_at": "2026-11-21T10:21:30.300Z",
            "payload_preview": {
                "redacted": True,
                "event": "analysis.completed",
                "keys": sorted(CATALOGUE["analysis.completed"].fields),
                "size_bytes": 532,
            },
        }
    ],
}
REDRIVEN = {"redriven": 1, "delivery_ids": [_DELIVERY]}
EVENTS = {
    "data": [
        {
            "id": _EVENT,
            "event_id": _EVENT,
            "type": "credits.low",
            "created_at": _WHEN,
            "api_key_id": None,
            "payload": dict(CATALOGUE["credits.low"].example),
        }
    ],
    "has_more": False,
    "next_cursor": "c2VxOjQx",
    "retained_since": None,
}

REFUSED_URL = {
    "error": "url: leads to a private address; a public address is needed.",
    "code": "URL_NOT_ALLOWED",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {"field": "url"},
}
INACTIVE = {
    "error": 'The webhook is not active. Activate it first with PATCH {"active": true}.',
    "code": "WEBHOOK_INACTIVE",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
}
WRONG_EVENT = {
    "error": f"events[0]: must be one of {', '.join(SUBSCRIBABLE)}; got 'analysis.done'.",
    "code": "VALIDATION_ERROR",
    "requestId": "req_3f0d6c52-6a0e-4c38-9f4b-0f6a4f1f7a11",
    "details": {"field": "events[0]", "allowed": list(SUBSCRIBABLE), "got": "analysis.done"},
}
