"""The protocol: one server of the library `mcp` for each address, with handlers that run our tools.

The library speaks both eras of the protocol (2026-07-28, and 2024-11-05 to 2025-11-25); what is said here is
said in both. Handlers are plain code that may block: each request has an event loop of its own (`endpoint`).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import mcp_types as types
from flask import g, request
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from app import branding, idempotency, tenancy
from app.mcp import json_schema, task_extension
from app.mcp.tool import Call, Tool, ToolResult, given
from app.platform import errors, settings
from app.platform.web import http, openapi, public_address
from app.tenancy import guard

Context = ServerRequestContext[Any, Any]
P = TypeVar("P")
R = TypeVar("R")

# How long a client may go on with a list that it has: the tools change with a release.
_CACHED = CacheHint(ttl_ms=300_000, scope="public")
# Where a client says under which key a call is to be carried out once only.
IDEMPOTENCY_KEY = "idempotencyKey"


@dataclass(frozen=True, slots=True)
class Introduction:
    """How a server introduces itself: the name of its product, or none, and its website.

    `is_ours` says that it bears the service's own name, and so its icon.
    """

    title: str | None
    website: str | None
    is_ours: bool


def introduction(caller: tenancy.Caller) -> Introduction:
    """Return how the server introduces itself to the caller: under the branding of its key (decision 106)."""
    config = settings.current()
    title = branding.attribution_of(caller).author(config.service_name)
    is_ours = title == config.service_name
    if public_address.account_of_host() is not None:
        return Introduction(title, public_address.base(), is_ours)
    return Introduction(title, (config.public_url or None) if is_ours else None, is_ours)


def build(
    address: str,
    tools: Sequence[Tool],
    instructions: str,
    *,
    background: bool,
    introduction: Introduction,
) -> Server[Any]:
    """Return the server of an address.

    Args:
        address: the path under which calls are metered, such as `/api/mcp`.
        tools: what it lists, in this order.
        instructions: what a client tells its model about the whole.
        background: whether long work may be a task.
        introduction: how it introduces itself.
    """
    config = settings.current()
    by_name = {tool.name: tool for tool in tools}
    listed = types.ListToolsResult(tools=[_described(tool) for tool in tools])

    @_shielded
    async def list_tools(_: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor is not None:
            raise refused(types.INVALID_PARAMS, "Unknown cursor: all tools are on one page.")
        return listed

    @_shielded
    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Any:
        tool = by_name.get(params.name)
        if tool is None:
            guard.count(guard.caller(), "work")
            raise refused(types.INVALID_PARAMS, f"Unknown tool: {params.name[:60]}. See tools/list.")
        g.metered = (f"{address}:{tool.name}", 200)
        return _call(context, tool, params.arguments, background=background)

    server: Server[Any] = Server(
        f"{config.wire_name.lower()}-search" if address.endswith("/search") else config.wire_name.lower(),
        version=openapi.API_VERSION,
        title=introduction.title,
        description="Legal analysis, verified citations and the law they rest on.",
        instructions=instructions,
        website_url=introduction.website,
        icons=[types.Icon(src=_icon(config), mime_type="image/svg+xml", sizes=["any"])]
        if introduction.is_ours
        else None,
        cache_hints={"tools/list": _CACHED, "server/discover": _CACHED},
        # No argument is mirrored in a header.
        get_tool_input_schema=lambda _: None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # Spans for a collector that nobody configures.
    server.middleware.clear()
    if background:
        task_extension.install(server, _shielded, refused, _result)
    return server


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=json_schema.arguments(tool.arguments, tool.words),
        output_schema=tool.result,
        annotations=types.ToolAnnotations(
            title=tool.title,
            # What charges is no reading; nothing that a tool does undoes what was there.
            read_only_hint=not tool.spends,
            destructive_hint=False,
            idempotent_hint=not tool.spends,
            open_world_hint=tool.leaves,
        ),
        _meta={"anthropic/maxResultSizeChars": tool.most_characters},
    )


def _call(context: Context, tool: Tool, arguments: Mapping[str, Any] | None, *, background: bool) -> Any:
    """Run a tool; what a model can mend, or should tell its user, is a result that says so."""
    key: str | None = None
    try:
        guard.count(guard.caller(), "work")
        key = _key(context)
        if tool.scope is not None:
            guard.require_scope(guard.caller(), tool.scope)
        raw = given(arguments)
        call = Call(guard.caller(), http.request_id(), tool.load(raw), raw, key)
        if background and tool.background and tool.background(call) and task_extension.declared(context):
            return task_extension.begin(call)
        found = tool.run(call)
    except errors.DomainError as error:
        return _failed(tool, error)
    except Exception as error:  # noqa: BLE001 (as_domain_error logs it)
        told = http.as_domain_error(error, keyed=key is not None)
        if not isinstance(told, errors.Upstream):
            g.metered, g.error_code = (g.metered[0], 500), told.code
            raise MCPError(
                types.INTERNAL_ERROR, told.message, data={"requestId": http.request_id()}
            ) from None
        return _failed(tool, told)
    g.credits_charged = found.credits_charged
    return _result(tool.compact, found)


def _key(context: Context) -> str | None:
    """Return the idempotency key of a call: of its `_meta`, else of the header that HTTP has for it.

    Raises:
        Invalid: it is malformed (400 `IDEMPOTENCY_KEY_INVALID`).
    """
    meta = (context.params or {}).get("_meta")
    own = meta.get(IDEMPOTENCY_KEY) if isinstance(meta, Mapping) else None
    if own is None:
        return idempotency.key_of(request.headers.get("Idempotency-Key"))
    return idempotency.key_of(own if isinstance(own, str) else "")


def _result(compact: bool, found: ToolResult) -> types.CallToolResult:
    """Return a result with its JSON once more as text, for clients that read nothing else."""
    content = found.content
    if not compact:
        content = {"creditsCharged": found.credits_charged, "requestId": http.request_id(), **content}
        content = {**content, "caps": list(found.caps)}
    return types.CallToolResult(
        content=[types.TextContent(text=http.encode(content).decode())], structured_content=content
    )


def _failed(tool: Tool, error: errors.DomainError) -> types.CallToolResult:
    """Return what is told of an error: the sentence names the argument and what to do."""
    assert error.status is not None, "an error without a status is none that a model can mend"
    g.metered, g.error_code = (g.metered[0], error.status), error.code
    body = _in_words_of_tools(http.body_of(error))
    return types.CallToolResult(
        is_error=True, content=[types.TextContent(text=json.dumps(body, ensure_ascii=False))]
    )


def _in_words_of_tools(body: Any) -> Any:
    """Return an error of the HTTP interface with the arguments that the tools have."""
    if isinstance(body, dict):
        return {name: _in_words_of_tools(one) for name, one in body.items()}
    if isinstance(body, list):
        return [_in_words_of_tools(one) for one in body]
    if isinstance(body, str):
        return body.replace("jurisdiccion", "jurisdiction").replace(
            "GET /api/v1/jurisdictions", "the tool list_jurisdictions"
        )
    return body


def refused(code: int, message: str, data: Any = None, *, error_code: str = errors.Invalid.code) -> MCPError:
    """Return a protocol error, metered as a wrong request; `error_code` is for the log of requests."""
    g.metered, g.error_code = (g.get("metered", (_address(), 0))[0], 400), error_code
    return MCPError(code, message, data)


def _address() -> str:
    return request.path


def _shielded(
    handler: Callable[[Context, P], Awaitable[R]],
) -> Callable[[Context, P], Awaitable[R]]:
    """Let nothing of an exception's text out: the older revisions would put it on the wire."""

    @wraps(handler)
    async def shielded(context: Context, params: P) -> R:
        try:
            return await handler(context, params)
        except MCPError:
            raise
        except errors.DomainError as error:
            raise refused(types.INVALID_PARAMS, error.message, error_code=error.code) from None
        except Exception as error:  # noqa: BLE001 (as_domain_error logs it)
            told = http.as_domain_error(error, keyed=False)
            g.metered, g.error_code = (_address(), told.status or 500), told.code
            raise MCPError(
                types.INTERNAL_ERROR, told.message, data={"requestId": http.request_id()}
            ) from None

    return shielded


def _icon(config: settings.Settings) -> str:
    """Return the address of the icon or, where the service knows none of its own, the icon itself."""
    if config.public_url and public_address.account_of_host() is None:
        return f"{config.public_url}/static/img/favicon.svg"
    drawn = (settings.PROJECT / "static" / "img" / "favicon.svg").read_bytes()
    return f"data:image/svg+xml;base64,{base64.b64encode(drawn).decode()}"
