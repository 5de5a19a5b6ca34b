"""A checkout that speaks as much of Stripe's protocol as a purchase needs: sessions, and signed messages."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

API_KEY, SECRET = "sk_test_000", "whsec_test_000"


class Checkout:
    """Sessions that were opened, by id, with the form that opened them."""

    def __init__(self) -> None:
        self.url = ""
        self.sessions: dict[str, dict[str, str]] = {}
        self.status = 200
        self.seen: dict[str, str] = {}

    def open(self, form: dict[str, str], headers: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Answer `POST /v1/checkout/sessions`; the same idempotency key gives the same session."""
        if headers.get("Authorization") != f"Bearer {API_KEY}":
            return 401, {"error": {"type": "invalid_request_error"}}
        if self.status != 200:
            return self.status, {"error": {"type": "api_error"}}
        name = self.seen.setdefault(headers["Idempotency-Key"], f"cs_test_{uuid.uuid4().hex}")
        self.sessions[name] = form
        return 200, {"id": name, "object": "checkout.session", "url": f"{self.url}/pay/{name}"}

    def completed(self, name: str, **changes: Any) -> dict[str, Any]:
        """The message that a session was paid."""
        form = self.sessions[name]
        about = {
            "id": name,
            "object": "checkout.session",
            "payment_status": "paid",
            "amount_total": int(form["line_items[0][price_data][unit_amount]"]),
            "currency": form["line_items[0][price_data][currency]"],
            "client_reference_id": form["client_reference_id"],
            "metadata": {"purchase": form["metadata[purchase]"]},
            "payment_intent": f"pi_{name}",
            **changes,
        }
        return {
            "id": f"evt_{uuid.uuid4().hex}",
            "type": "checkout.session.completed",
            "data": {"object": about},
        }


def signed(message: Any, *, secret: str = SECRET, at: int | None = None) -> tuple[bytes, dict[str, str]]:
    """Body and headers of a message."""
    raw = json.dumps(message).encode()
    moment = int(time.time()) if at is None else at
    mac = hmac.new(secret.encode(), f"{moment}.".encode() + raw, hashlib.sha256).hexdigest()
    return raw, {"Stripe-Signature": f"t={moment},v1={mac},v0=old", "Content-Type": "application/json"}


class _Handler(BaseHTTPRequestHandler):
    checkout: Checkout

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        status, what = (
            self.checkout.open(form, dict(self.headers))
            if self.path == "/v1/checkout/sessions"
            else (404, {})
        )
        raw = json.dumps(what).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def selling() -> Iterator[Checkout]:
    """A checkout on a port of its own."""
    checkout = Checkout()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"checkout": checkout}))
    checkout.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield checkout
    finally:
        server.shutdown()
        server.server_close()
