"""Renderings of the catalogue: docs/events.md and the OpenAPI section. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from app.webhooks.event_bus.catalogue import CATALOGUE, EventType, Schema, message

_EVENT_ID = "7d9f2f54-0c3b-4b8e-9b57-5f0a3a3c1e42"
_MOMENT = "2026-11-21T10:15:30.125Z"
_HEADERS = {
    "Signature": 't=<unix time>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">; in a rotation two v1, new last.',
    "Signature-256": "The same value under its other name.",
    "Event": "The event's type.",
    "Event-Id": "The event id, the same on every attempt and for every webhook.",
    "Delivery-Id": "The delivery's id, as in its log.",
}
_STANDARD = {
    "webhook-id": "Standard Webhooks: the event's id.",
    "webhook-timestamp": "Standard Webhooks: Unix time of this attempt.",
    "webhook-signature": "Standard Webhooks: v1,<base64>; two of them, by a space, during a rotation.",
}
_PAGE = """\
# Events

Made from `app/webhooks/event_bus/catalogue.py` by `python -m tools.events`; do not edit.

Every event can be read with `GET /api/v1/events`. Those marked *webhook* can be subscribed to and are then
sent as signed requests too: see [webhooks](webhooks.md). A delivery's body is

```json
{example}
```

`id` is the event id: the same on every attempt and for every webhook. `data` is described below for each
type; new fields may be added to it. No event holds text of a document or of an analysis.

Events are kept for `EVENTS_DAYS` (90), and longer while the log of their delivery is. A reader that comes
back with a cursor from before events that were deleted gets 410 `CURSOR_EXPIRED`, with the moment up to which
events are gone in `details.retainedSince`: it asks again without `cursor`, and reads what it missed from the
things themselves (jobs, keys, the ledger). `retained_since` of each page says the same to a reader that asks
with `since`. A cursor of a reader that asks at least every few weeks never expires, also where its filter
lets nothing through.

| type | sent by webhook | when |
|---|---|---|
{table}
"""


def as_markdown() -> str:
    """Return the text of docs/events.md."""
    first = next(iter(CATALOGUE.values()))
    table = "\n".join(
        f"| [`{event.name}`](#{event.name.replace('.', '')}) | {_yes(event.subscribable)} | {event.meaning} |"
        for event in CATALOGUE.values()
    )
    page = _PAGE.format(example=_json(_body(first)), table=table)
    return page + "".join(_section(event) for event in CATALOGUE.values())


def as_openapi(wire_name: str) -> dict[str, Any]:
    """Return the `webhooks` section of the OpenAPI 3.1 document."""
    names = {f"X-{wire_name}-{name}": text for name, text in _HEADERS.items()} | _STANDARD
    headers = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}, "description": text}
        for name, text in names.items()
    ]
    return {
        event.name: {"post": _operation(event, headers)}
        for event in CATALOGUE.values()
        if event.subscribable or event.name == "webhook.test"
    }


def _operation(event: EventType, headers: list[dict[str, Any]]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "required": ["id", "event_id", "event", "created_at", "data"],
        "properties": {
            "id": {"type": "string", "format": "uuid", "description": "The event's id."},
            "event_id": {"type": "string", "format": "uuid", "description": "The same."},
            "event": {"type": "string", "const": event.name},
            "created_at": {"type": "string", "format": "date-time"},
            "data": event.schema,
        },
    }
    return {
        "operationId": "on" + "".join(word.title() for word in event.name.replace("_", ".").split(".")),
        "summary": event.name,
        "description": event.meaning,
        "security": [],
        "parameters": headers,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "example": _body(event)}},
        },
        "responses": {
            "2XX": {"description": "Delivered. Any other status, or no answer within 10 s, is retried."},
            "410": {"description": "Gone. The webhook is deactivated."},
        },
    }


def _section(event: EventType) -> str:
    rows = "\n".join(
        f"| `{name}` | {_kind(schema)} | {schema.get('description', '')} |"
        for name, schema in event.fields.items()
    )
    return (
        f"\n## {event.name}\n\n{event.meaning}\n\n"
        f"| field of `data` | type | meaning |\n|---|---|---|\n{rows}\n\n"
        f"```json\n{_json(dict(event.example))}\n```\n"
    )


def _kind(schema: Schema) -> str:
    found = schema["type"]
    kinds: Iterable[str] = [found] if isinstance(found, str) else found
    shown = " or ".join(schema.get("format", kind) if kind == "string" else kind for kind in kinds)
    return f"{shown}: {', '.join(f'`{word}`' for word in schema['enum'])}" if "enum" in schema else shown


def _body(event: EventType) -> dict[str, Any]:
    return message(_EVENT_ID, event.name, _MOMENT, event.example)


def _yes(value: bool) -> str:
    return "yes" if value else ""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
