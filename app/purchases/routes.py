"""/payments/stripe: where the checkout delivers its messages. Their signature is the permission."""

from __future__ import annotations

import json

from flask import Blueprint, Response, abort, request

from app import purchases
from app.platform import clock, log, settings
from app.platform.postgres import db, rls

routes = Blueprint("payments", __name__, url_prefix="/payments")

_MAX_BYTES = 256_000
_logger = log.logger("purchases")


@routes.post("/stripe")
def deliver() -> Response:
    """Take a message of the checkout; 400 for one that it did not sign, 404 where there is no checkout."""
    config = settings.current()
    if config.credit_purchase != "stripe":
        abort(404)
    request.max_content_length = _MAX_BYTES
    raw = request.get_data(cache=False)
    try:
        purchases.verify(
            raw,
            request.headers.get("Stripe-Signature", ""),
            secret=config.stripe_webhook_secret.get_secret_value(),
            now=int(clock.epoch()),
        )
        message = json.loads(raw)
    except (purchases.BadSignature, ValueError, RecursionError):
        return _said("not a signed message", 400)
    if not isinstance(message, dict):
        return _said("not a signed message", 400)
    with rls.as_system(), db.transaction() as session:
        outcome = purchases.apply(session, message, now=clock.now())
    _logger.info("message of the checkout", outcome=outcome)
    return _said(outcome)


def _said(words: str, status: int = 200) -> Response:
    return Response(words + "\n", status, mimetype="text/plain")
