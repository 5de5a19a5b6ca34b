"""One delivery attempt: build the body, sign it, send it, describe the result."""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from datetime import datetime

from app.platform import clock, crypto, log, safe_http
from app.webhooks import secrets, signing
from app.webhooks.claims import AttemptResult, ClaimedDelivery
from app.webhooks.event_bus.catalogue import message

TIMEOUT_S = 10.0
# A receiver slower than this shares the lane of the failing ones.
SLOW_S = 2.0
DEACTIVATED = "the webhook was deactivated"
UNREADABLE = "the signing secret cannot be opened; rotate it"
OUR_SIDE = "internal error of the service"
_TOLD = (
    safe_http.NOT_CONNECTED,
    safe_http.TLS_FAILED,
    safe_http.TIMED_OUT,
    DEACTIVATED,
    UNREADABLE,
    OUR_SIDE,
)

_logger = log.logger("webhooks")


def body(event_id: str, event: str, created_at: datetime, payload: dict[str, object]) -> bytes:
    """Return the request body, which is the same for every attempt and endpoint."""
    found = message(event_id, event, clock.iso(created_at), payload)
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()


def make(
    claimed: ClaimedDelivery,
    *,
    wire_name: str,
    allow_hosts: Collection[str],
    resolve: safe_http.Resolver = safe_http.look_up,
) -> AttemptResult:
    """Attempt a delivery and return its result. Never raises: every failure is a result."""
    began = time.monotonic()
    status_code, error = None, None
    try:
        status_code = _send(claimed, wire_name, allow_hosts, resolve)
        error = _complaint(status_code)
    except safe_http.RequestError as failed:
        error = failed.public_reason
        # The details are for the operator, not for the author of the URL (decision 031).
        _logger.info("delivery failed", delivery=str(claimed.delivery_id), reason=failed.reason)
    except crypto.Unreadable:
        error = UNREADABLE
    except Exception as unexpected:
        # An attempt that raised would be repeated for ever.
        error = OUR_SIDE
        _logger.error("delivery failed", delivery=str(claimed.delivery_id), exc_info=unexpected)
    return AttemptResult(claimed, clock.now(), status_code, error, slow=time.monotonic() - began > SLOW_S)


def _send(
    claimed: ClaimedDelivery, wire_name: str, allow_hosts: Collection[str], resolve: safe_http.Resolver
) -> int:
    now = clock.now()
    keys = secrets.signing_keys(
        claimed.endpoint_id, claimed.secret, claimed.previous_secret, claimed.previous_secret_until, now=now
    )
    raw = body(str(claimed.event_id), claimed.event, claimed.created_at, claimed.payload)
    headers = signing.headers(
        wire_name,
        keys,
        event_id=str(claimed.event_id),
        event=claimed.event,
        delivery_id=str(claimed.delivery_id),
        at=int(now.timestamp()),
        body=raw,
    )
    answer = safe_http.send(
        "POST",
        claimed.url,
        body=raw,
        headers=headers,
        timeout_s=TIMEOUT_S,
        max_bytes=0,
        allow_hosts=allow_hosts,
        resolve=resolve,
    )
    return answer.status


def told(error: str | None, status_code: int | None) -> str | None:
    """Return the error message that the account may see, also for messages that an older version stored."""
    if error is None or error in _TOLD:
        return error
    return safe_http.NOT_CONNECTED if status_code is None else f"answered {status_code}"


def _complaint(status: int) -> str | None:
    """Return an error message, `None` for any 2xx (decision 030)."""
    return None if 200 <= status < 300 else f"answered {status}"
