"""What a test says to the tool server: by hand, or by the official client over a socket."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx2
from flask import Flask
from flask.testing import FlaskClient
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import encode_header_value
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import TestResponse

from tests.cast import Player

MODERN, LEGACY = "2026-07-28", ("2025-03-26", "2025-06-18", "2025-11-25")
ERAS = (MODERN, *LEGACY)
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
# Names in their order, with what each takes.
TOOLS = {
    "analyze_document": {
        "text", "documentRef", "documents", "jurisdiction", "legalBranch", "language", "mode", "role",
        "concurrency",
    },
    "audit_analysis": {"text", "documentRef", "analysis", "jurisdiction", "legalBranch", "language"},
    "anonymise_text": {"text", "documentRef", "jurisdiction", "maskNames"},
    "extract_citations": {"text", "documentRef", "jurisdiction"},
    "verify_citation": {"citation", "claim_text", "fecha", "jurisdiction"},
    "verify_document_citations": {"text", "documentRef", "jurisdiction", "language"},
    "search_jurisprudence": {"query", "jurisdiction", "top_k"},
    "search_statutes": {"query", "jurisdiction", "fecha", "tipos", "materias", "top_k"},
    "get_article": {"norma", "articulo", "fecha", "jurisdiction"},
    "citation_validity": {"citation", "fecha", "redaccion", "jurisdiction"},
    "cited_by": {"id", "treatment", "jurisdiction", "cursor", "limit"},
    "citation_timeline": {"id", "jurisdiction"},
    "corpus_coverage": set(),
    "list_jurisdictions": set(),
}  # fmt: skip
_NAMES = {"tools/call": "name", "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId"}
R = TypeVar("R")


def rpc(
    client: FlaskClient,
    player: Player | None,
    method: str,
    params: Mapping[str, Any] | None = None,
    *,
    version: str = MODERN,
    capabilities: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    path: str = "/api/mcp",
    meta: Mapping[str, Any] | None = None,
) -> TestResponse:
    """Send one request as a client of the protocol's `version` does; `headers` change those it sends."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params or {})}
    sent = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        **(player.auth if player else {}),
    }
    own = dict(meta or {})
    if version not in LEGACY:
        own |= {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": dict(capabilities or {}),
        }
        sent["Mcp-Method"] = method
        if method in _NAMES and isinstance(body["params"].get(_NAMES[method]), str):
            sent["Mcp-Name"] = encode_header_value(body["params"][_NAMES[method]])
    if own:
        body["params"]["_meta"] = own
    return client.post(path, json=body, headers={**sent, **(headers or {})})


def tool(client: FlaskClient, player: Player, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool; return its result, which is no protocol error."""
    response = rpc(client, player, "tools/call", {"name": name, "arguments": arguments})
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.get_json()["result"]
    return found


def content(client: FlaskClient, player: Player, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool that succeeds; return its structured result."""
    found = tool(client, player, name, **arguments)
    assert not found.get("isError"), found
    structured: dict[str, Any] = found["structuredContent"]
    return structured


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def listening(app: Flask) -> Iterator[str]:
    """The application on a free port of this process; its base address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def talk(url: str, player: Player, version: str, work: Callable[[Client], Awaitable[R]], **options: Any) -> R:
    """Do `work` with the official client in the era of `version`."""

    async def all_of_it() -> R:
        async with httpx2.AsyncClient(headers=player.auth, timeout=60) as http:
            transport = streamable_http_client(url, http_client=http)
            mode = "legacy" if version in LEGACY else version
            async with Client(transport, mode=mode, **options) as client:
                return await work(client)

    return asyncio.run(all_of_it())
