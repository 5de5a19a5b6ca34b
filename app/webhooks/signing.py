"""Signatures of deliveries, in both families that receivers know (decision 030). Pure.

A secret is `whsec_` and 32 random bytes in base64. Our own `v1` is keyed with the whole string as it was
shown; Standard Webhooks is keyed with the bytes behind the prefix.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Sequence

PREFIX = "whsec_"


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def headers(
    wire_name: str, keys: Sequence[str], *, event_id: str, event: str, delivery_id: str, at: int, body: bytes
) -> dict[str, str]:
    """The headers of one attempt at the Unix time `at`.

    `keys` are the secrets that sign, the oldest first: common clients keep the last `v1=` they see, and that
    must be the new one (decision 030).
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
        "webhook-signature": " ".join(f"v1,{standard(key, event_id, at, body)}" for key in keys),
    }


def v1(key: str, at: int, body: bytes) -> str:
    """Our own signature: HMAC-SHA256 in hex over `<t>.<body>`."""
    return hmac.digest(key.encode(), b"%d." % at + body, "sha256").hex()


def standard(key: str, event_id: str, at: int, body: bytes) -> str:
    """Standard Webhooks: HMAC-SHA256 in base64 over `<id>.<timestamp>.<body>`."""
    raw = base64.b64decode(key.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(raw, f"{event_id}.{at}.".encode() + body, "sha256")).decode()
