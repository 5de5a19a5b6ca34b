"""Signatures of deliveries, in both supported schemes (decision 030). Pure.

A secret is `whsec_` and 32 random bytes in base64. Our own `v1` uses the whole string as the key. Standard
Webhooks uses the bytes after the prefix, and is signed by its own library (decision 044).
"""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime

from standardwebhooks import Webhook

PREFIX = "whsec_"


def new_secret() -> str:
    """Return a new signing secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def headers(
    wire_name: str, keys: Sequence[str], *, event_id: str, event: str, delivery_id: str, at: int, body: bytes
) -> dict[str, str]:
    """Return the headers of one attempt.

    Args:
        wire_name: Service name in our own header.
        keys: Secrets that sign, oldest first: common clients keep the last `v1=` they see, and that must be
            the new one (decision 030).
        event_id: Id of the event.
        event: Type of the event.
        delivery_id: Id of the delivery.
        at: Unix time of the attempt.
        body: Body in UTF-8.
    """
    signature = ",".join([f"t={at}", *(f"v1={v1(key, at, body)}" for key in keys)])
    return {
        "Content-Type": "application/json",
        "User-Agent": f"{wire_name}-Webhooks/1",
        f"X-{wire_name}-Signature": signature,
        f"X-{wire_name}-Signature-256": signature,
        f"X-{wire_name}-Event": event,
        f"X-{wire_name}-Event-Id": event_id,
        f"X-{wire_name}-Delivery-Id": delivery_id,
        "webhook-id": event_id,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(standard(key, event_id, at, body) for key in keys),
    }


def v1(key: str, at: int, body: bytes) -> str:
    """Return our own signature: HMAC-SHA256 in hex over `<t>.<body>`."""
    return hmac.digest(key.encode(), b"%d." % at + body, "sha256").hex()


def standard(key: str, event_id: str, at: int, body: bytes) -> str:
    """Return the Standard Webhooks signature, `v1,` and base64, over `<id>.<timestamp>.<body>`.

    Raises:
        ValueError: The secret is empty or not padded base64, or the body is not UTF-8.
    """
    # The library adds padding that is missing; what receivers use may not.
    raw = base64.b64decode(key.removeprefix(PREFIX))
    if not raw:
        raise ValueError("an empty secret")
    return str(Webhook(raw).sign(event_id, datetime.fromtimestamp(at, UTC), body.decode()))
