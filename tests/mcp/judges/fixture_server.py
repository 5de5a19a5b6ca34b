"""The tools, resources and prompts that the conformance suite asks a server under test to have.

Their names and answers are the suite's. They say nothing of our tools: they show that the view, the guard and
the library carry every part of the protocol that a tool could use. What needs a stream is not here, because
the view answers each request with one JSON document (see the lists of expected failures).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from pydantic import TypeAdapter

Context = ServerRequestContext[Any, Any]
Params = types.CallToolRequestParams | types.GetPromptRequestParams

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
_SILENCE = base64.b64encode(b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00").decode()
_SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_SECRET = b"a key for the states of a test"
_REQUESTS: TypeAdapter[types.InputRequests] = TypeAdapter(types.InputRequests)


def _elicit(message: str, **properties: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def _sample(text: str) -> dict[str, Any]:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 100}}


_ROOTS: dict[str, Any] = {"method": "roots/list", "params": {}}
_NAME = _elicit("What is your name?", name="string")
# What each asks of its client in each round; the capability under which a request may be made, if it asks.
_ROUNDS: Mapping[str, list[dict[str, dict[str, Any]]]] = {
    "test_input_required_result_elicitation": [{"user_name": _NAME}],
    "test_input_required_result_sampling": [{"capital_question": _sample("What is the capital of France?")}],
    "test_input_required_result_list_roots": [{"client_roots": _ROOTS}],
    "test_input_required_result_request_state": [{"confirm": _elicit("Please confirm", ok="boolean")}],
    "test_input_required_result_multiple_inputs": [
        {"user_name": _NAME, "greeting": _sample("Generate a greeting"), "client_roots": _ROOTS}
    ],
    "test_input_required_result_multi_round": [
        {"step1": _NAME},
        {"step2": _elicit("Colour?", color="string")},
    ],
    "test_input_required_result_tampered_state": [{"confirm": _elicit("Please confirm", ok="boolean")}],
    "test_input_required_result_capabilities": [
        {"user_name": _NAME, "greeting": _sample("Generate a greeting")}
    ],
    "test_input_required_result_prompt": [{"user_context": _elicit("Which context?", context="string")}],
    "test_streaming_elicitation": [{"user_name": _NAME}],
}
_CAPABILITY = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


def _resource(uri: str) -> types.EmbeddedResource:
    contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text="An embedded resource.")
    return types.EmbeddedResource(type="resource", resource=contents)


_TEXT = types.TextContent(type="text", text="This is a simple text response for testing.")
_IMAGE = types.ImageContent(type="image", data=_PIXEL, mime_type="image/png")
_SOUND = types.AudioContent(type="audio", data=_SILENCE, mime_type="audio/wav")
_CONTENT: Mapping[str, list[types.ContentBlock]] = {
    "test_simple_text": [_TEXT],
    "test_image_content": [_IMAGE],
    "test_audio_content": [_SOUND],
    "test_embedded_resource": [_resource("test://embedded-resource")],
    "test_multiple_content_types": [_TEXT, _IMAGE, _resource("test://mixed-content-resource")],
    "test_logging_tool": [_TEXT],
    "json_schema_2020_12_tool": [_TEXT],
}
_NEEDS_SAMPLING = "test_missing_capability"
_TOOLS = [
    *_CONTENT,
    "test_error_handling",
    _NEEDS_SAMPLING,
    *(n for n in _ROUNDS if n.rpartition("_")[2] != "prompt"),
]


def _state(number: int) -> str:
    return f"{number}.{hmac.digest(_SECRET, str(number).encode(), hashlib.sha256).hex()}"


def _round(params: Params) -> int:
    """Return how many rounds a request has behind it. Raises for a state that is not ours."""
    if params.request_state is None:
        return 0
    number = params.request_state.partition(".")[0]
    if not number.isdigit() or not hmac.compare_digest(_state(int(number)), params.request_state):
        raise MCPError(types.INVALID_PARAMS, "The requestState was changed.")
    return int(number)


def _asked(context: Context, name: str, params: Params) -> types.InputRequiredResult | None:
    """Return what is still to be asked of the client; `None` once it has answered everything."""
    rounds, number = _ROUNDS[name], _round(params)
    answered = set(params.input_responses or {})
    if number > 0 or answered:
        number = max(number, 1)
        if set(_possible(context, rounds[number - 1])) <= answered:
            if number == len(rounds):
                return None
        else:
            number -= 1
    wanted = _possible(context, rounds[number])
    return types.InputRequiredResult(
        input_requests=_REQUESTS.validate_python(wanted), request_state=_state(number + 1)
    )


def _possible(context: Context, wanted: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Leave out what the client did not declare; without any declaration, the suite expects the question."""
    meta = (context.params or {}).get("_meta") or {}
    declared = meta.get(types.CLIENT_CAPABILITIES_META_KEY) or {}
    able = {name: one for name, one in wanted.items() if _CAPABILITY[one["method"]] in declared}
    return able if declared else wanted


def build() -> Server[Any]:
    """Return the server with all fixtures."""

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        plain = {"type": "object", "properties": {}}
        schemas = {"json_schema_2020_12_tool": _SCHEMA}
        made = [
            types.Tool(name=name, description=name.replace("_", " "), input_schema=schemas.get(name, plain))
            for name in _TOOLS
        ]
        return types.ListToolsResult(tools=made)

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        name = params.name
        if name == "test_error_handling":
            wrong = types.TextContent(
                type="text", text="This tool intentionally returns an error for testing"
            )
            return types.CallToolResult(content=[wrong], is_error=True)
        if name == _NEEDS_SAMPLING:
            raise MCPError(-32021, "The tool needs sampling.", {"requiredCapabilities": {"sampling": {}}})
        if name in _CONTENT:
            return types.CallToolResult(content=_CONTENT[name])
        if name not in _ROUNDS:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {name}")
        asked = _asked(context, name, params)
        text = f"state-ok: {json.dumps(sorted(params.input_responses or {}))}"
        return asked or types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    async def list_resources(
        _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        names = ("static-text", "static-binary", "watched-resource")
        return types.ListResourcesResult(
            resources=[types.Resource(uri=f"test://{one}", name=one, description=one) for one in names]
        )

    async def list_templates(
        _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        made = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template")
        return types.ListResourceTemplatesResult(resource_templates=[made])

    async def read_resource(_: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri, start, end = params.uri, "test://template/", "/data"
        contents: types.TextResourceContents | types.BlobResourceContents
        if uri == "test://static-binary":
            contents = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=_PIXEL)
        elif uri in ("test://static-text", "test://watched-resource"):
            contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text="Static text.")
        elif uri.startswith(start) and uri.endswith(end):
            value = uri.removeprefix(start).removesuffix(end)
            text = json.dumps({"id": value, "templateTest": True, "data": f"Data for ID: {value}"})
            contents = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
        else:
            raise MCPError(types.INVALID_PARAMS, "Unknown resource.", {"uri": uri})
        return types.ReadResourceResult(contents=[contents])

    async def follow(_: Context, __: Any) -> types.EmptyResult:
        return types.EmptyResult()

    async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        arguments = {
            "test_simple_prompt": (),
            "test_prompt_with_arguments": ("arg1", "arg2"),
            "test_prompt_with_embedded_resource": ("resourceUri",),
            "test_prompt_with_image": (),
            "test_input_required_result_prompt": (),
        }
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    description=name,
                    arguments=[types.PromptArgument(name=one, required=True) for one in wanted],
                )
                for name, wanted in arguments.items()
            ]
        )

    async def get_prompt(
        context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        given = params.arguments or {}
        content: types.ContentBlock = types.TextContent(type="text", text=f"A prompt for testing: {given}")
        if params.name == "test_prompt_with_image":
            content = _IMAGE
        elif params.name == "test_prompt_with_embedded_resource":
            content = _resource(given["resourceUri"])
        elif params.name in _ROUNDS and (asked := _asked(context, params.name, params)):
            return asked
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def complete(_: Context, __: types.CompleteRequestParams) -> types.CompleteResult:
        return types.CompleteResult(completion=types.Completion(values=["one"], total=1, has_more=False))

    hint = CacheHint(ttl_ms=1_000, scope="public")
    return Server(
        "fixtures",
        version="1",
        cache_hints={
            "tools/list": hint,
            "resources/list": hint,
            "resources/templates/list": hint,
            "resources/read": hint,
            "prompts/list": hint,
            "server/discover": hint,
        },
        get_tool_input_schema=lambda _: None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_subscribe_resource=follow,
        on_unsubscribe_resource=follow,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=complete,
    )
