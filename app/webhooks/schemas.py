"""Wire shapes of webhooks and events (decisions 029 and 030)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import marshmallow as ma
from marshmallow import fields

from app.platform.addresses import MAX_URL
from app.platform.web.openapi import Body, Boolean, Choice, Length, Problem, Text, got
from app.platform.web.parameters import Count, Id, Query, WordList
from app.webhooks.event_bus.catalogue import CATALOGUE, DEFAULT_EVENTS, SUBSCRIBABLE
from app.webhooks.models import STATUSES

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def _absolute(text: str) -> None:
    """Raise `ValidationError` for a text that is no absolute URL.

    Whether deliveries may be sent to it is judged later (422).
    """
    if not _ABSOLUTE.fullmatch(text):
        raise ma.ValidationError(
            Problem("must be an absolute URL such as https://hooks.example.com/path.", expected="uri")
        )


class Timestamp(Text):
    """A point in time in ISO 8601, `2026-09-30T10:00:00Z`, or a day, which begins at midnight UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:  # type: ignore[override]
        text = str(super()._deserialize(value, attr, data, **kwargs))
        try:
            found = datetime.fromisoformat(text)
            # A moment at the edge of the calendar has no counterpart in UTC.
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            raise ma.ValidationError(
                Problem(
                    f"must be a date-time such as 2026-09-30T10:00:00Z; {got(text)}.", expected="date-time"
                )
            ) from None


def _events(**more: Any) -> fields.List[str]:
    return fields.List(
        Choice(*SUBSCRIBABLE),
        validate=Length(min=1, max=20),
        metadata={"description": "Event types to receive.", "minItems": 1, "maxItems": 20},
        **more,
    )


class _Webhooks(Body):
    """Field names of webhooks are the same inside and on the wire."""

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        field_obj.data_key = field_name
        super().on_bind_field(field_name, field_obj)


class WebhookCreate(_Webhooks):
    """Body of POST /webhooks."""

    url = Text(
        required=True,
        validate=Length(max=MAX_URL, then=_absolute),
        metadata={"format": "uri", "description": "Where events are sent: an https URL at a public address."},
    )
    events = _events(load_default=list(DEFAULT_EVENTS))
    description = Text(validate=Length(max=200), metadata={"description": "A note of your own."})


class WebhookChange(_Webhooks):
    """Body of PATCH /webhooks/{id}."""

    active = Boolean(
        metadata={"description": "false pauses the webhook: events are neither sent nor stored for later."}
    )
    events = _events()
    description = Text(validate=Length(max=200), metadata={"description": "Empty clears it."})


class Redrive(_Webhooks):
    """Body of POST /webhooks/{id}/deliveries/redrive: one of the two."""

    delivery_id = Id(metadata={"format": "uuid", "description": "Id of a failed or exhausted delivery."})
    redrive_all_failed = Boolean(metadata={"description": "All of them, at most 1,000 at a time."})

    @ma.validates_schema
    def _one_of_two(self, data: dict[str, Any], **_: Any) -> None:
        if ("delivery_id" in data) == bool(data.get("redrive_all_failed")):
            raise ma.ValidationError(
                Problem('must contain either "delivery_id" or "redrive_all_failed": true.'), "delivery_id"
            )


class NoBody(Body):
    """A POST that needs no body; `{}` is as good."""

    may_be_empty = True


class Webhook(ma.Schema):
    """A webhook as it is stored, without its secret."""

    id = fields.UUID(required=True)
    url = fields.String(required=True, metadata={"format": "uri"})
    events = fields.List(fields.String(metadata={"enum": list(SUBSCRIBABLE)}), required=True)
    description = fields.String(required=True, allow_none=True)
    active = fields.Boolean(required=True)
    created_at = fields.String(required=True, metadata={"format": "date-time"})
    last_delivery_at = fields.String(
        required=True, allow_none=True, metadata={"format": "date-time", "description": "Last success."}
    )
    last_failure_at = fields.String(required=True, allow_none=True, metadata={"format": "date-time"})
    deactivated_because = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["gone", "exhausted", None],
            "description": "Why the service deactivated it. gone: the receiver answered 410; exhausted: "
            "20 deliveries in a row ran out of attempts.",
        },
    )


class WebhookCreated(Webhook):
    """A webhook with its secret, shown this once."""

    secret = fields.String(required=True, metadata={"description": "Signing secret. Shown only once."})


class WebhookRotated(WebhookCreated):
    """A webhook with its new secret."""

    previous_secret_expires_at = fields.String(
        required=True,
        metadata={
            "format": "date-time",
            "description": "Until then deliveries carry a signature by each of the two secrets.",
        },
    )


class WebhookList(ma.Schema):
    """The key's webhooks, newest first."""

    webhooks = fields.List(fields.Nested(Webhook), required=True)


class WebhookDeleted(ma.Schema):
    """The deleted webhook."""

    deleted_webhook_id = fields.UUID(required=True)


class WebhookTested(ma.Schema):
    """The test event and its delivery."""

    webhook_id = fields.UUID(required=True)
    event_id = fields.UUID(required=True)
    delivery_id = fields.UUID(required=True)
    event = fields.String(required=True)
    status = fields.String(required=True, metadata={"enum": ["pending"]})


class DeliveryQuery(Query):
    """Query of GET /webhooks/{id}/deliveries."""

    status = Choice(*STATUSES, metadata={"description": "Deliveries in this state only."})
    limit = Count(min=1, max=100, load_default=20, metadata={"description": "Maximum number of deliveries."})


class _EndpointBrief(ma.Schema):
    id = fields.UUID(required=True)
    url = fields.String(required=True)
    events = fields.List(fields.String(), required=True)


class _Summary(ma.Schema):
    pending = fields.Integer(required=True)
    success = fields.Integer(required=True)
    failed = fields.Integer(required=True)
    exhausted = fields.Integer(required=True)


class _Preview(ma.Schema):
    redacted = fields.Boolean(required=True, metadata={"description": "Always true."})
    event = fields.String(required=True)
    keys = fields.List(fields.String(), required=True, metadata={"description": "Fields of the data."})
    size_bytes = fields.Integer(required=True, metadata={"description": "Size of the body."})


class DeliveryEntry(ma.Schema):
    """One delivery and its result, without its content."""

    id = fields.UUID(required=True)
    event = fields.String(required=True)
    status = fields.String(
        required=True,
        metadata={
            "enum": list(STATUSES),
            "description": "failed: will be retried at next_retry_at; exhausted: no further attempts.",
        },
    )
    attempts = fields.Integer(required=True)
    last_status_code = fields.Integer(required=True, allow_none=True)
    last_error = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "`could not connect`, `TLS failed`, `timed out` or `answered <status>`; or a "
            "reason on the side of the service: the webhook was deactivated, its secret cannot be "
            "decrypted."
        },
    )
    created_at = fields.String(required=True, metadata={"format": "date-time"})
    delivered_at = fields.String(required=True, allow_none=True, metadata={"format": "date-time"})
    next_retry_at = fields.String(required=True, allow_none=True, metadata={"format": "date-time"})
    payload_preview = fields.Nested(_Preview, required=True)


class DeliveryLog(ma.Schema):
    """The newest deliveries of a webhook, and how many there are of each state in all."""

    webhook_endpoint = fields.Nested(_EndpointBrief, required=True)
    count = fields.Integer(required=True, metadata={"description": "Number of deliveries in this answer."})
    limit = fields.Integer(required=True)
    summary = fields.Nested(_Summary, required=True)
    deliveries = fields.List(fields.Nested(DeliveryEntry), required=True)


class Redriven(ma.Schema):
    """The deliveries that will be sent again."""

    redriven = fields.Integer(required=True)
    delivery_ids = fields.List(fields.UUID(), required=True)


class EventQuery(Query):
    """Query of GET /events."""

    types = WordList(
        *CATALOGUE,
        data_key="type",
        metadata={"description": f"One or more of {', '.join(CATALOGUE)}, separated by commas."},
    )
    since = Timestamp(metadata={"format": "date-time", "description": "Only events from this time on."})
    cursor = Text(metadata={"description": "The next_cursor of the previous page."})
    limit = Count(min=1, max=200, load_default=50, metadata={"description": "Events per page."})


class EventEntry(ma.Schema):
    """One event."""

    id = fields.UUID(required=True)
    event_id = fields.UUID(required=True, metadata={"description": "The same as id."})
    type = fields.String(required=True, metadata={"enum": list(CATALOGUE)})
    created_at = fields.String(required=True, metadata={"format": "date-time"})
    api_key_id = fields.UUID(
        required=True,
        allow_none=True,
        metadata={"description": "Null if the event concerns the whole account."},
    )
    payload = fields.Dict(
        keys=fields.String(),
        required=True,
        metadata={"description": "The same object as `data` of a delivery."},
    )


class EventPage(ma.Schema):
    """A page of events, oldest first."""

    data = fields.List(fields.Nested(EventEntry), required=True)
    has_more = fields.Boolean(required=True)
    next_cursor = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Send it as cursor to continue from here, now or later; null if there are no "
            "events."
        },
    )
    retained_since = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "format": "date-time",
            "description": "Events up to this time have been deleted because of their age; null if none "
            "have.",
        },
    )
