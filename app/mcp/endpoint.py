"""The addresses of the tool server: `POST /api/mcp` and `POST /api/mcp/search`, each an `Endpoint`.

An endpoint is an address, the tools behind it, and how its callers are known: by an API key, unless the
endpoint has a function of its own that knows them otherwise. Scope, limits, protocol and usage are alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlsplit

import mcp_types as types
from flask import Blueprint, Flask, Response, g, request
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from app.mcp import document_tools, law_tools, search_tools, server
from app.mcp.tool import Tool
from app.platform import errors
from app.platform.settings import Settings
from app.platform.web import http, public_address
from app.tenancy import Caller, guard

# Names under which a server is kept: the service's and those of partners, per endpoint and process.
_NAMES = 16
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_ORDER = (
    "analyze_document",
    "audit_analysis",
    "anonymise_text",
    "extract_citations",
    "verify_citation",
    "verify_document_citations",
    "search_jurisprudence",
    "search_statutes",
    "get_article",
    "citation_validity",
    "cited_by",
    "citation_timeline",
    "corpus_coverage",
    "list_jurisdictions",
)
_INSTRUCTIONS = (
    "Law that is checked by code, not by memory. Before you cite a statute or a judgment to a user, verify "
    "it (verify_citation, or verify_document_citations on your draft) and quote articles from get_article "
    "or search_statutes. Report what an answer says of its own certainty: locks, support, depth, caps, and "
    "notes. not_verifiable, unknown and nothing_to_check mean that nothing could tell, never that "
    "something is right. Send documents whole and unchanged: each call stands alone, and nothing of it is "
    "kept. Only analyze_document and audit_analysis cost credits (creditsCharged says how many); to repeat "
    "one safely, send the same _meta.idempotencyKey. An answer with isError says what to change. Analyses "
    "support a lawyer's work and do not replace their judgement."
)
_SEARCH_INSTRUCTIONS = (
    "Search of the statutes and judgments that are loaded here. What is not found may still exist: say so."
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address of the tool server.

    Args:
        address: its path.
        tools: makes what is behind it.
        instructions: what a client tells its model about the whole.
        background: whether long work may be a task.
        identify_caller: knows the caller of the current request by something else than an API key, as the
            system (`rls.as_system`), since no tenant is known yet; raises `errors.Denied`.
    """

    address: str
    tools: Callable[[Settings], Sequence[Tool]]
    instructions: str
    background: bool = False
    identify_caller: Callable[[], Caller] | None = None


def all_tools(config: Settings) -> list[Tool]:
    """Return the fourteen tools, in the order in which they are listed."""
    made = {tool.name: tool for tool in (*document_tools.tools(), *law_tools.tools(config))}
    return [made[name] for name in _ORDER]


ENDPOINTS = (
    Endpoint("/api/mcp", all_tools, _INSTRUCTIONS, background=True),
    Endpoint("/api/mcp/search", search_tools.tools, _SEARCH_INSTRUCTIONS),
)


OAUTH_ADDRESS = "/api/mcp/connect"


def oauth_endpoint(identify_caller: Callable[[], Caller]) -> Endpoint:
    """Return the endpoint with the same tools for callers that `identify_caller` knows by an access token."""
    return Endpoint(OAUTH_ADDRESS, all_tools, _INSTRUCTIONS, background=True, identify_caller=identify_caller)


def install(app: Flask, config: Settings, endpoints: Sequence[Endpoint] = ENDPOINTS) -> None:
    """Register the endpoints on `app`."""
    routes = Blueprint("mcp", __name__)
    for endpoint in endpoints:
        named = _servers(endpoint, endpoint.tools(config))
        serve(routes, endpoint.address, partial(_introduced, named), config, endpoint.identify_caller)
    app.register_blueprint(routes)


def _servers(endpoint: Endpoint, tools: Sequence[Tool]) -> Callable[[server.Introduction], Server[Any]]:
    """Return a function that gives the endpoint's protocol server under a name."""

    @lru_cache(maxsize=_NAMES)
    def named(introduction: server.Introduction) -> Server[Any]:
        return server.build(
            endpoint.address,
            tools,
            endpoint.instructions,
            background=endpoint.background,
            introduction=introduction,
        )

    return named


def _introduced(named: Callable[[server.Introduction], Server[Any]]) -> Server[Any]:
    return named(server.introduction(guard.caller()))


def serve(
    routes: Blueprint,
    address: str,
    protocol_server: Callable[[], Server[Any]],
    config: Settings,
    identify_caller: Callable[[], Caller] | None = None,
) -> None:
    """Add the view at `address` to `routes`.

    What `protocol_server` gives answers the current caller, who has the scope `mcp`.
    """
    security = TransportSecuritySettings(allowed_hosts=_hosts(config), allowed_origins=_origins(config))
    view = _view(protocol_server, security, config.max_body_bytes)
    routes.add_url_rule(
        address,
        address.removeprefix("/api/").replace("/", "_"),
        guard.require_key("mcp", window=None, identify_caller=identify_caller)(view),
        methods=["POST"],
    )


def _view(
    protocol_server: Callable[[], Server[Any]], security: TransportSecuritySettings, most_bytes: int
) -> Callable[[], Response]:
    def view() -> Response:
        refusal = _refusal()
        message = None if refusal else http.json_body()
        # A call of a tool counts itself, so that a model is told when it must wait.
        if message is None or message["method"] != "tools/call":
            guard.count(guard.caller(), "management")
        response = refusal or _exchange(protocol_server(), _here(security), most_bytes)
        if "rate" in g and not g.rate.allowed:
            response.headers["Retry-After"] = str(g.rate.retry_after)
        return response

    return view


def _refusal() -> Response | None:
    """Return what is answered to a body that is no JSON-RPC request or notification."""
    try:
        message = http.json_body()
    except errors.Invalid as error:
        if error.code == "UNSUPPORTED_MEDIA_TYPE":
            raise
        code = types.PARSE_ERROR if error.code == "MALFORMED_JSON" else types.INVALID_REQUEST
        return _error(code, error.message)
    identifier = message.get("id", "")
    if (
        message.get("jsonrpc") != "2.0"
        or not isinstance(message.get("method"), str)
        or not isinstance(identifier, (str, int))
        or isinstance(identifier, bool)
        or not isinstance(message.get("params", {}), dict)
    ):
        return _error(
            types.INVALID_REQUEST,
            "The body must be one JSON-RPC 2.0 request or notification, with params as an object.",
        )
    return None


def _error(code: int, message: str) -> Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}
    return http.answer(body, 400)


def _exchange(protocol_server: Server[Any], security: TransportSecuritySettings, most_bytes: int) -> Response:
    """Have the library answer the current request; nothing of it outlives the answer."""
    scope = {
        "type": "http",
        "method": request.method,
        "path": request.path,
        "raw_path": request.path.encode(),
        "root_path": "",
        "query_string": b"",
        "scheme": request.scheme,
        "http_version": "1.1",
        "client": None,
        "server": None,
        "headers": [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers
        ],
    }
    inbox = [{"type": "http.request", "body": request.get_data(), "more_body": False}]
    head: dict[str, Any] = {}
    parts: list[bytes] = []

    async def receive() -> dict[str, Any]:
        # A client that went away is not noticed: its answer is made and charged as over HTTP.
        if not inbox:
            await asyncio.Event().wait()
        return inbox.pop()

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            head.update(message)
        else:
            parts.append(message.get("body", b""))

    async def answer() -> None:
        manager = StreamableHTTPSessionManager(
            protocol_server,
            json_response=True,
            stateless=True,
            security_settings=security,
            max_request_body_size=most_bytes,
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    asyncio.run(answer())
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in head["headers"]
        if name != b"content-length"
    ]
    return Response(b"".join(parts), head["status"], headers)


def _here(security: TransportSecuritySettings) -> TransportSecuritySettings:
    """Return the settings for this request: a host name of `BRAND_HOSTS` is answered, and its own pages."""
    if public_address.account_of_host() is None:
        return security
    origins = [*(security.allowed_origins or ()), public_address.base()]
    return TransportSecuritySettings(allowed_hosts=[request.host], allowed_origins=origins)


def _hosts(config: Settings) -> list[str]:
    """Return the values of Host that are answered: a page that had a name point here gets nothing."""
    named = [one.strip() for one in config.mcp_hosts.split(",") if one.strip()]
    public = urlsplit(config.public_url)
    found = [*named, *([public.netloc] if public.netloc else [])] or list(_LOCAL)
    return [each for one in found for each in (one, f"{one}:*")]


def _origins(config: Settings) -> list[str]:
    named = [one.strip().rstrip("/") for one in config.mcp_origins.split(",") if one.strip()]
    if config.public_url:
        public = urlsplit(config.public_url)
        return [*named, f"{public.scheme}://{public.netloc}"]
    return [*named, *(f"http://{one}{port}" for one in _LOCAL for port in ("", ":*"))]
