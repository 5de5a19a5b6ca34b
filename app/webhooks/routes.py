"""Endpoints /api/v1/webhooks and /api/v1/events."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from flask import Response, request

from app import idempotency, webhooks
from app.platform import clock, settings
from app.platform.postgres import db
from app.platform.web import http, openapi, parameters
from app.tenancy.guard import caller, require_key
from app.webhooks import examples, schemas
from app.webhooks.endpoints import OVERLAP
from app.webhooks.models import Endpoint

routes = openapi.Routes(
    "webhooks", __name__, url_prefix="/api/v1", description="Webhooks: signed notifications of events."
)

_POSTED = {**openapi.RATE_HEADERS, **openapi.REPLAYED_HEADER}


@routes.route("/webhooks", methods=["POST"])
@require_key(manages="key")
@routes.arguments(schemas.WebhookCreate, example=examples.REQUEST)
@routes.response(201, schemas.WebhookCreated, headers=_POSTED, example=examples.CREATED)
@openapi.fails(
    routes, 400, 401, 409, 413, 415, 422, 429, 500, 503,
    examples={400: examples.WRONG_EVENT, 422: examples.REFUSED_URL},
)  # fmt: skip
@routes.doc(operationId="createWebhook", parameters=[openapi.IDEMPOTENCY_KEY])
def create(body: dict[str, Any]) -> Response:
    """Create a webhook

    The answer contains the signing secret, which is not shown again. A key can have 20 webhooks. A webhook
    receives the events of its key and, unless that is a child key, those of the whole account.
    """

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        made = webhooks.register(
            session,
            caller().account_id,
            caller().key_id,
            url=body["url"],
            events=body["events"],
            description=body.get("description"),
            now=clock.now(),
        )
        return 201, {**_record(made.row), "secret": made.secret}

    # Outside the transaction: it may ask a name server.
    return _once("", work, before=lambda: _check(body["url"]))


@routes.route("/webhooks", methods=["GET"])
@require_key()
@routes.response(200, schemas.WebhookList, headers=openapi.RATE_HEADERS, example=examples.LIST)
@openapi.fails(routes, 401, 429, 500, 503)
@routes.doc(operationId="listWebhooks")
def index() -> Response:
    """List the webhooks of the key

    Newest first, without secrets.
    """
    with db.reading() as session:
        found = webhooks.listed(session, caller().account_id, caller().key_id)
        return http.answer({"webhooks": [_record(row) for row in found]})


@routes.route("/webhooks/<uuid:webhook_id>", methods=["GET"])
@require_key()
@routes.response(200, schemas.Webhook, headers=openapi.RATE_HEADERS, example=examples.WEBHOOK)
@openapi.fails(routes, 401, 404, 429, 500, 503)
@routes.doc(operationId="getWebhook")
def show(webhook_id: uuid.UUID) -> Response:
    """Get a webhook

    Without its secret, which was shown when it was created. A webhook of another key is 404.
    """
    with db.reading() as session:
        return http.answer(_record(webhooks.get(session, caller().account_id, caller().key_id, webhook_id)))


@routes.route("/webhooks/<uuid:webhook_id>", methods=["PATCH"])
@require_key(manages="key")
@routes.arguments(schemas.WebhookChange, example=examples.CHANGE)
@routes.response(
    200, schemas.Webhook, headers=openapi.RATE_HEADERS, example={**examples.WEBHOOK, **examples.CHANGE}
)
@openapi.fails(routes, 400, 401, 404, 413, 415, 429, 500, 503)
@routes.doc(operationId="updateWebhook")
def change(body: dict[str, Any], webhook_id: uuid.UUID) -> Response:
    """Change a webhook

    Omitted fields keep their value. `active: false` ends pending deliveries as exhausted; once the webhook
    is active again, they can be redelivered. The URL cannot be changed: create another webhook.
    """
    with db.transaction() as session:
        row = webhooks.change(session, caller().account_id, caller().key_id, webhook_id, **body)
        return http.answer(_record(row))


@routes.route("/webhooks/<uuid:webhook_id>", methods=["DELETE"])
@require_key(manages="key")
@routes.response(200, schemas.WebhookDeleted, headers=openapi.RATE_HEADERS, example=examples.DELETED)
@openapi.fails(routes, 401, 404, 429, 500, 503)
@routes.doc(operationId="deleteWebhook")
def remove(webhook_id: uuid.UUID) -> Response:
    """Delete a webhook

    Also deletes its secret, its log and its pending deliveries.
    """
    with db.transaction() as session:
        webhooks.delete(session, caller().account_id, caller().key_id, webhook_id)
    return http.answer({"deleted_webhook_id": str(webhook_id)})


@routes.route("/webhooks/<uuid:webhook_id>/rotate-secret", methods=["POST"])
@require_key(manages="key")
@routes.arguments(schemas.NoBody, required=False)
@routes.response(200, schemas.WebhookRotated, headers=_POSTED, example=examples.ROTATED)
@openapi.fails(routes, 400, 401, 404, 409, 413, 415, 429, 500, 503)
@routes.doc(operationId="rotateWebhookSecret", parameters=[openapi.IDEMPOTENCY_KEY])
def rotate(_body: dict[str, Any], webhook_id: uuid.UUID) -> Response:
    """Rotate the signing secret

    For 24 hours deliveries carry two signatures: by the old secret first, by the new one last.
    """

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        now = clock.now()
        made = webhooks.rotate(session, caller().account_id, caller().key_id, webhook_id, now=now)
        ends = clock.iso(now + OVERLAP)
        return 200, {**_record(made.row), "secret": made.secret, "previous_secret_expires_at": ends}

    return _once(f"/{webhook_id}/rotate-secret", work)


@routes.route("/webhooks/<uuid:webhook_id>/test", methods=["POST"])
@require_key(manages="key")
@routes.arguments(schemas.NoBody, required=False)
@routes.response(202, schemas.WebhookTested, headers=_POSTED, example=examples.TESTED)
@openapi.fails(
    routes, 400, 401, 404, 409, 413, 415, 429, 500, 503, examples={409: examples.INACTIVE}
)  # fmt: skip
@routes.doc(operationId="testWebhook", parameters=[openapi.IDEMPOTENCY_KEY])
def test(_body: dict[str, Any], webhook_id: uuid.UUID) -> Response:
    """Send a test event

    `webhook.test` is sent at once, signed like any other event; the delivery log shows the outcome.
    """

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        event_id, delivery_id = webhooks.send_test(
            session, caller().account_id, caller().key_id, webhook_id, now=clock.now()
        )
        return 202, {
            "webhook_id": str(webhook_id),
            "event_id": str(event_id),
            "delivery_id": str(delivery_id),
            "event": "webhook.test",
            "status": "pending",
        }

    return _once(f"/{webhook_id}/test", work)


@routes.route("/webhooks/<uuid:webhook_id>/deliveries", methods=["GET"])
@require_key()
@routes.arguments(schemas.DeliveryQuery, location="query")
@routes.response(200, schemas.DeliveryLog, headers=openapi.RATE_HEADERS, example=examples.LOG)
@openapi.fails(routes, 400, 401, 404, 429, 500, 503)
@routes.doc(operationId="listWebhookDeliveries")
def deliveries(query: dict[str, Any], webhook_id: uuid.UUID) -> Response:
    """List deliveries of a webhook

    Newest first, without content. `summary` counts all deliveries that are stored.
    """
    with db.reading() as session:
        found = webhooks.log(session, caller().account_id, caller().key_id, webhook_id, **query)
    return http.answer(
        {
            "webhook_endpoint": {
                "id": str(found.endpoint.id),
                "url": found.endpoint.url,
                "events": found.endpoint.events,
            },
            "count": len(found.entries),
            "limit": query["limit"],
            "summary": dict(found.summary),
            "deliveries": [_delivery(entry) for entry in found.entries],
        }
    )


@routes.route("/webhooks/<uuid:webhook_id>/deliveries/redrive", methods=["POST"])
@require_key(manages="key")
@routes.arguments(schemas.Redrive, example=examples.REDRIVE)
@routes.response(200, schemas.Redriven, headers=_POSTED, example=examples.REDRIVEN)
@openapi.fails(
    routes, 400, 401, 404, 409, 413, 415, 429, 500, 503, examples={409: examples.INACTIVE}
)  # fmt: skip
@routes.doc(operationId="redriveWebhookDeliveries", parameters=[openapi.IDEMPOTENCY_KEY])
def redrive(body: dict[str, Any], webhook_id: uuid.UUID) -> Response:
    """Redeliver failed deliveries

    One by its id, or all failed and exhausted deliveries (at most 1,000 per request, oldest first). The
    retry schedule starts again, with the same event id.
    """

    def work(session: db.Session) -> tuple[int, dict[str, Any]]:
        ids = webhooks.redrive(
            session,
            caller().account_id,
            caller().key_id,
            webhook_id,
            delivery_id=body.get("delivery_id"),
            now=clock.now(),
        )
        return 200, {"redriven": len(ids), "delivery_ids": [str(found) for found in ids]}

    return _once(f"/{webhook_id}/deliveries/redrive", work)


@routes.route("/events", methods=["GET"])
@require_key()
@routes.arguments(schemas.EventQuery, location="query")
@routes.response(200, schemas.EventPage, headers=openapi.RATE_HEADERS, example=examples.EVENTS)
@openapi.fails(routes, 400, 401, 410, 429, 500, 503)
@routes.doc(operationId="listEvents")
def events(query: dict[str, Any]) -> Response:
    """List events

    Oldest first, in pages. Keep `next_cursor` and send it later to continue from there. Events are stored
    for a limited time (90 days by default). A cursor from before deleted events gets 410 `CURSOR_EXPIRED`,
    so that there is never a silent gap; `retained_since` says up to when events have been deleted. A child
    key sees only its own events.
    """
    me = caller()
    with db.reading() as session:
        page = webhooks.events(
            session,
            me.account_id,
            types=query.get("types", ()),
            since=query.get("since"),
            api_key_id=me.key_id if me.role == "child" else None,
            after=parameters.decode_cursor(query.get("cursor")),
            limit=query["limit"],
        )
    return http.answer(
        {
            "data": [
                {
                    "id": str(row.id),
                    "event_id": str(row.id),
                    "type": row.type,
                    "created_at": clock.iso(row.created_at),
                    "api_key_id": str(row.api_key_id) if row.api_key_id else None,
                    "payload": row.payload,
                }
                for row in page.rows
            ],
            "has_more": page.more,
            "next_cursor": parameters.encode_cursor(page.place),
            "retained_since": clock.iso(page.retained_since) if page.retained_since else None,
        }
    )


def _once(
    path: str,
    work: Callable[[db.Session], tuple[int, dict[str, Any]]],
    before: Callable[[], None] | None = None,
) -> Response:
    """Run `work` in one transaction, or repeat the answer to the same Idempotency-Key."""

    def made(session: db.Session) -> idempotency.StoredAnswer:
        status, answer = work(session)
        return idempotency.StoredAnswer(status, {}, http.encode(answer))

    if before is not None:
        before()
    stored, replayed = idempotency.created_once(
        caller(),
        f"POST /api/v1/webhooks{path}",
        idempotency.key_of(request.headers.get("Idempotency-Key")),
        http.json_body(optional=True),
        made,
    )
    return http.replayable(stored.status, stored.headers, stored.body, replayed=replayed)


def _check(url: str) -> None:
    webhooks.check_url(url, allow_hosts=settings.current().allowed_hosts)


def _record(row: Endpoint) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "url": row.url,
        "events": row.events,
        "description": row.description,
        "active": row.active,
        "created_at": clock.iso(row.created_at),
        "last_delivery_at": clock.iso(row.last_delivery_at) if row.last_delivery_at else None,
        "last_failure_at": clock.iso(row.last_failure_at) if row.last_failure_at else None,
        "deactivated_because": row.deactivated_because,
    }


def _delivery(entry: webhooks.Entry) -> dict[str, Any]:
    return {
        "id": str(entry.id),
        "event": entry.event,
        "status": entry.status,
        "attempts": entry.attempts,
        "last_status_code": entry.last_status_code,
        "last_error": entry.last_error,
        "created_at": clock.iso(entry.created_at),
        "delivered_at": clock.iso(entry.delivered_at) if entry.delivered_at else None,
        "next_retry_at": clock.iso(entry.next_retry_at) if entry.next_retry_at else None,
        "payload_preview": {
            "redacted": True,
            "event": entry.event,
            "keys": list(entry.keys),
            "size_bytes": entry.size_bytes,
        },
    }
