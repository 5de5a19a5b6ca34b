"""Send to addresses that the operator set: witnesses of the log, the time-stamping authority."""

from __future__ import annotations

import base64
from urllib.parse import urlsplit

from app.platform import safe_http

_TIMEOUT_S = 10.0
_MAX_ANSWER = 64_000


def post(url: str, body: bytes, kind: str) -> safe_http.Response:
    """Send `body` of the media type `kind`; the address may lie within the operator's own network.

    Raises:
        safe_http.RequestError: No usable answer came within ten seconds.
    """
    parts = urlsplit(url)
    host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    headers = {"Content-Type": kind}
    if parts.username:
        secret = f"{parts.username}:{parts.password or ''}".encode()
        headers["Authorization"] = "Basic " + base64.b64encode(secret).decode()
        url = parts._replace(netloc=host).geturl()
    return safe_http.send(
        "POST",
        url,
        body=body,
        headers=headers,
        timeout_s=_TIMEOUT_S,
        max_bytes=_MAX_ANSWER,
        allow_hosts={host},
        schemes=("https", "http"),
    )
