"""Check of a connection: the tool server called within this process as a key, with real requests."""

from __future__ import annotations

import contextvars
import json
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from flask import Flask
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder, run_wsgi_app

from app.mcp.endpoint import ENDPOINTS, OAUTH_ADDRESS
from app.tenancy import Caller, guard

_CLIENT = {"name": "connection-check", "version": "1"}
_META = "io.modelcontextprotocol"


class Check(NamedTuple):
    """A request and how it went.

    `found` is a fact of the answer where it is `ok` (a revision, a number, a status), else the code of the
    error.
    """

    name: str
    ok: bool
    found: str


def check_connection(app: Flask, caller: Caller, base_url: str, *, oauth: bool) -> list[Check]:
    """Make the requests of a client that connects, and two free calls of tools; return how each went.

    They pass through the whole application, and so count against the rate limit of the key and in its usage.
    What lies between a client and this process is not checked, nor is the list of allowed addresses.

    Args:
        app: The application.
        caller: Whom the requests are made as.
        base_url: The address by which clients reach the service, without a slash at the end.
        oauth: Whether the address for OAuth is called instead of the one for keys.
    """
    address = OAUTH_ADDRESS if oauth else ENDPOINTS[0].address

    def sent(name: str, method: str, params: dict[str, Any], *fact: str | int, legacy: bool = False) -> Check:
        status, body = _send(app, caller, base_url, address, method, params, legacy=legacy)
        return _checked(name, status, body, fact)

    first = sent("current", "server/discover", {}, "supportedVersions", 0)
    if not first.ok:
        return [first]
    initialize = {"protocolVersion": LATEST_HANDSHAKE_VERSION, "capabilities": {}, "clientInfo": _CLIENT}
    verify = {"name": "verify_citation", "arguments": {"citation": "art. 1902 CC", "jurisdiction": "ES"}}
    return [
        first,
        sent("older", "initialize", initialize, "protocolVersion", legacy=True),
        sent("tools", "tools/list", {}, "tools"),
        sent("free", "tools/call", {"name": "list_jurisdictions"}, "structuredContent", "jurisdictions"),
        sent("verify", "tools/call", verify, "structuredContent", "status"),
    ]


def _send(
    app: Flask,
    caller: Caller,
    base_url: str,
    address: str,
    method: str,
    params: dict[str, Any],
    *,
    legacy: bool,
) -> tuple[int, dict[str, Any]]:
    headers = {"Accept": "application/json, text/event-stream"}
    if not legacy:
        meta = {f"{_META}/protocolVersion": LATEST_MODERN_VERSION, f"{_META}/clientCapabilities": {}}
        params = {**params, "_meta": meta}
        headers |= {"MCP-Protocol-Version": LATEST_MODERN_VERSION, "Mcp-Method": method}
        if "name" in params:
            headers["Mcp-Name"] = params["name"]
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    parts = urlsplit(base_url)
    environ = EnvironBuilder(
        address,
        base_url=f"{parts.scheme}://{parts.netloc}",
        method="POST",
        headers=Headers(headers),
        json=message,
    ).get_environ()
    environ[guard.CALLER] = caller
    # An empty context, as a request from outside has: within that of the page, Flask would share its `g`.
    body, status, _ = contextvars.Context().run(run_wsgi_app, app.wsgi_app, environ, buffered=True)
    return int(status.split()[0]), json.loads(b"".join(body))


def _checked(name: str, status: int, body: dict[str, Any], fact: tuple[str | int, ...]) -> Check:
    result = body.get("result")
    if status != 200 or result is None:
        error = body.get("error")
        code = error.get("code") if isinstance(error, dict) else body.get("code")
        return Check(name, False, str(code or status))
    if result.get("isError"):
        return Check(name, False, json.loads(result["content"][0]["text"])["code"])
    for step in fact:
        result = result[step]
    return Check(name, True, str(len(result)) if isinstance(result, list) else str(result))
