"""Signature of the checkout's messages: `Stripe-Signature: t=<unix time>,v1=<hex>`, HMAC-SHA256. Pure."""

from __future__ import annotations

import hashlib
import hmac

TOLERANCE_S = 300


class BadSignature(Exception):
    """The message was not signed with our secret, or not lately."""


def verify(body: bytes, header: str, *, secret: str, now: int) -> None:
    """Check a message. Several `v1` are there while the secret is exchanged: one must fit.

    Args:
        body: The body as received.
        header: Value of `Stripe-Signature`.
        secret: The endpoint's secret.
        now: Unix time in seconds.

    Raises:
        BadSignature: None fits, or the message is older or newer than five minutes.
    """
    pairs = [part.strip().partition("=") for part in header.split(",")[:20]]
    moments = [value for name, _, value in pairs if name == "t"]
    if not secret or len(moments) != 1 or not (moments[0].isascii() and moments[0].isdigit()):
        raise BadSignature
    if len(moments[0]) > 12 or abs(now - int(moments[0])) > TOLERANCE_S:
        raise BadSignature
    signed = hmac.new(secret.encode(), f"{moments[0]}.".encode() + body, hashlib.sha256).hexdigest()
    signatures = [value.encode() for name, _, value in pairs if name == "v1"]
    if not any(hmac.compare_digest(signed.encode(), one) for one in signatures):
        raise BadSignature
