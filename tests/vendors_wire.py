"""Read and write the vendors' wire protocols: OpenAI Responses, OpenAI chat completions, Anthropic Messages.

Each with tools, structured output and streaming. A request is read into `Asked` and a `Reply` is written as
the vendor's JSON or server-sent events. Requests that a vendor refuses are refused: a missing key, a schema
that is not strict, a tool's result that answers no call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

Protocol = Literal["messages", "responses", "chat"]
Stop = Literal["end", "cut", "refuse"]

PATHS: Final[Mapping[str, Protocol]] = {
    "/v1/messages": "messages",
    "/v1/responses": "responses",
    "/v1/chat/completions": "chat",
}
# Characters of one delta of a stream.
_PIECE = 40
_MOST_MARKS = 4


class BadRequest(Exception):
    """What a vendor answers with status 400 (or 401, without a key)."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Tool:
    """A function that the model may call."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """A call of a tool by the model; `arguments` that are a text are sent as they are."""

    id: str
    name: str
    arguments: Mapping[str, Any] | str

    @property
    def written(self) -> str:
        """The arguments as JSON, or what stands in its place."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Result:
    """What a tool gave back; `failed` as the request says it, where its protocol can."""

    id: str
    text: str
    failed: bool = False


@dataclass(frozen=True)
class Asked:
    """One request, whatever its protocol.

    Attributes:
        protocol: which of the three.
        model: the model's name.
        system: the instructions.
        turns: what was said, in order: texts of the user, texts and calls of the model, results of tools.
        tools: what the model may call; empty where it must answer.
        forbidden: tools that are told and that it may not call.
        schema: JSON Schema of the answer; `None` for free text.
        stream: whether the answer is wanted as a stream.
        max_output_tokens: bound of the answer.
    """

    protocol: Protocol
    model: str
    system: str
    turns: tuple[tuple[Literal["user", "assistant"], str] | Call | Result, ...]
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, Any] | None = None
    stream: bool = False
    max_output_tokens: int | None = None
    forbidden: tuple[Tool, ...] = ()

    @property
    def user(self) -> str:
        """What the user said, as one text."""
        return "\n".join(one[1] for one in self.turns if isinstance(one, tuple) and one[0] == "user")

    @property
    def results(self) -> tuple[Result, ...]:
        """What tools gave back so far."""
        return tuple(one for one in self.turns if isinstance(one, Result))


@dataclass(frozen=True)
class Reply:
    """What a model says: a text, calls of tools, or both. The counts are tokens; `cached` is part of `input`.

    Attributes:
        text: the text.
        calls: tools to call before it goes on.
        thought: what it thought before, sealed, for a vendor that wants to see it again.
        stop: why it ended: of itself, at the bound of tokens, or because it refused.
        input: tokens read.
        cached: those of them that were read from the vendor's cache.
        output: tokens written.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: Stop = "end"
    input: int = 10
    cached: int = 0
    output: int = 5
    thought: str = ""


def read(path: str, headers: Mapping[str, str], raw: bytes) -> Asked:
    """Return the request. Raises `BadRequest` where the vendor would refuse it."""
    protocol = PATHS[path]
    try:
        body = json.loads(raw)
    except ValueError:
        raise BadRequest("the body is not JSON") from None
    known = {name.lower(): value for name, value in headers.items()}
    key = known.get("authorization", "").removeprefix("Bearer ") or known.get("x-api-key")
    if not key:
        raise BadRequest("there is no key", 401)
    if not body.get("model"):
        raise BadRequest("model: is missing")
    asked = {"messages": _read_messages, "responses": _read_responses, "chat": _read_chat}[protocol](body)
    _check_calls(asked)
    if asked.schema is not None:
        _check_strict(asked.schema)
    return asked


def material(raw: bytes) -> str:
    """Return what the user says first in a request of Responses."""
    given = json.loads(raw)["input"]
    return given if isinstance(given, str) else _plain(given[0]["content"])


def _read_messages(body: Mapping[str, Any]) -> Asked:
    if not isinstance(body.get("max_tokens"), int):
        raise BadRequest("max_tokens: is required")
    turns: list[Any] = []
    before = None
    for message in body["messages"]:
        if message["role"] not in ("user", "assistant"):
            raise BadRequest("messages: a role is user or assistant")
        if message["role"] == before:
            raise BadRequest("messages: roles must alternate")
        before = message["role"]
        content = message["content"]
        blocks: list[dict[str, Any]] = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content
        )
        for block in blocks:
            if block["type"] == "text":
                turns.append((message["role"], block["text"]))
            elif block["type"] == "tool_use":
                turns.append(Call(block["id"], block["name"], block["input"]))
            elif block["type"] == "tool_result":
                failed = bool(block.get("is_error"))
                turns.append(Result(block["tool_use_id"], _plain(block.get("content", "")), failed))
            elif block["type"] != "thinking":
                raise BadRequest(f"messages: unknown block {block['type']}")
    if str(body).count("'cache_control'") > _MOST_MARKS:
        raise BadRequest(f"cache_control: at most {_MOST_MARKS} blocks may have it")
    wanted = body.get("output_config", {}).get("format")
    named, forbidden = _tools(body)
    told = tuple(Tool(one["name"], one.get("description", ""), one["input_schema"]) for one in named)
    if not told and any(isinstance(one, Call) for one in turns):
        raise BadRequest("tools: must be told where messages have tool_use")
    return Asked(
        "messages",
        body["model"],
        _plain(body.get("system", "")),
        tuple(turns),
        () if forbidden else told,
        wanted["schema"] if wanted else None,
        bool(body.get("stream")),
        body["max_tokens"],
        told if forbidden else (),
    )


def _read_responses(body: Mapping[str, Any]) -> Asked:
    turns: list[Any] = []
    given = body["input"]
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        kind = item.get("type", "message")
        if "id" in item and body.get("store") is False:
            raise BadRequest(f"Item with id '{item['id']}' not found: nothing is kept with store false")
        if kind == "message":
            if item["role"] in ("user", "assistant"):
                turns.append((item["role"], _plain(item["content"])))
        elif kind == "function_call":
            turns.append(Call(item["call_id"], item["name"], _arguments(item["arguments"])))
        elif kind == "function_call_output":
            turns.append(Result(item["call_id"], _plain(item["output"])))
        elif kind != "reasoning":
            raise BadRequest(f"input: unknown item {kind}")
    wanted = (body.get("text") or {}).get("format") or {"type": "text"}
    if wanted["type"] == "json_schema" and not wanted.get("name"):
        raise BadRequest("text.format.name: is required")
    named, forbidden = _tools(body)
    told = tuple(_function(one) for one in named)
    return Asked(
        "responses",
        body["model"],
        body.get("instructions") or "",
        tuple(turns),
        () if forbidden else told,
        wanted["schema"] if wanted["type"] == "json_schema" else None,
        bool(body.get("stream")),
        body.get("max_output_tokens"),
        told if forbidden else (),
    )


def _read_chat(body: Mapping[str, Any]) -> Asked:
    turns: list[Any] = []
    system = []
    for message in body["messages"]:
        role = message["role"]
        if role in ("system", "developer"):
            system.append(_plain(message["content"]))
        elif role == "tool":
            turns.append(Result(message["tool_call_id"], _plain(message["content"])))
        else:
            if message.get("content"):
                turns.append((role, _plain(message["content"])))
            for call in message.get("tool_calls") or ():
                turns.append(
                    Call(call["id"], call["function"]["name"], _arguments(call["function"]["arguments"]))
                )
    wanted = body.get("response_format") or {"type": "text"}
    named, forbidden = _tools(body)
    told = tuple(_function(one["function"]) for one in named)
    return Asked(
        "chat",
        body["model"],
        "\n".join(system),
        tuple(turns),
        () if forbidden else told,
        wanted["json_schema"]["schema"] if wanted["type"] == "json_schema" else None,
        bool(body.get("stream")),
        body.get("max_completion_tokens") or body.get("max_tokens"),
        told if forbidden else (),
    )


def _tools(body: Mapping[str, Any]) -> tuple[Sequence[Mapping[str, Any]], bool]:
    """Return the tools, and whether the request forbids to call them."""
    choice = body.get("tool_choice")
    forbidden = choice == "none" or (isinstance(choice, dict) and choice.get("type") == "none")
    return body.get("tools") or [], forbidden


def _function(written: Mapping[str, Any]) -> Tool:
    schema = written.get("parameters") or {"type": "object", "properties": {}}
    if written.get("strict"):
        _check_strict(schema)
    return Tool(written["name"], written.get("description", ""), schema)


def _plain(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _arguments(written: str) -> Mapping[str, Any]:
    try:
        found = json.loads(written)
    except ValueError:
        raise BadRequest("arguments: are not JSON") from None
    if not isinstance(found, dict):
        raise BadRequest("arguments: are no object")
    return found


def _check_calls(asked: Asked) -> None:
    """Every result answers a call before it, and no call is left without one."""
    open_: set[str] = set()
    for turn in asked.turns:
        if isinstance(turn, Call):
            open_.add(turn.id)
        elif isinstance(turn, Result):
            if turn.id not in open_:
                raise BadRequest(f"the result {turn.id} answers no call")
            open_.remove(turn.id)
    if open_:
        raise BadRequest(f"calls without a result: {', '.join(sorted(open_))}")


def _check_strict(schema: Mapping[str, Any]) -> None:
    """Both vendors hold a model to a schema only where every property is required and none beyond."""
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            raise BadRequest("schema: additionalProperties must be false")
        if set(schema.get("required", ())) != set(schema.get("properties", ())):
            raise BadRequest("schema: every property must be required")
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else ())):
        _check_strict(inner)
    for inner in schema.get("anyOf", ()):
        _check_strict(inner)


def whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    """Return the answer as one JSON object."""
    return {"messages": _message, "responses": _response, "chat": _completion}[asked.protocol](asked, reply)


def _message(asked: Asked, reply: Reply) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.thought:
        content.append({"type": "thinking", "thinking": "", "signature": reply.thought})
    if reply.text and reply.stop != "refuse":
        content.append({"type": "text", "text": reply.text})
    content += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call)} for call in reply.calls
    ]
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": asked.model,
        "stop_reason": _message_stop(reply), "stop_sequence": None, "content": content,
        "usage": _message_usage(reply),
    }  # fmt: skip


def _input(call: Call) -> Any:
    """The arguments as an object, which this vendor sends whatever the model wrote."""
    return {"": call.arguments} if isinstance(call.arguments, str) else dict(call.arguments)


def _message_stop(reply: Reply) -> str:
    if reply.stop == "end" and reply.calls:
        return "tool_use"
    return {"end": "end_turn", "refuse": "refusal", "cut": "max_tokens"}[reply.stop]


def _message_usage(reply: Reply) -> dict[str, int]:
    # This vendor counts what it read from its cache apart.
    return {
        "input_tokens": reply.input - reply.cached,
        "cache_read_input_tokens": reply.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": reply.output,
    }


def _response(asked: Asked, reply: Reply) -> dict[str, Any]:
    cut = reply.stop == "cut"
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": asked.model,
        "status": "incomplete" if cut else "completed", "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "instructions": None, "metadata": {}, "parallel_tool_calls": True, "temperature": 1.0, "top_p": 1.0,
        "tool_choice": "auto", "tools": [],
        "output": _items(reply),
        "usage": {
            "input_tokens": reply.input, "input_tokens_details": {"cached_tokens": reply.cached},
            "output_tokens": reply.output, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": reply.input + reply.output,
        },
    }  # fmt: skip


def _items(reply: Reply) -> list[dict[str, Any]]:
    status = "incomplete" if reply.stop == "cut" else "completed"
    items: list[dict[str, Any]] = []
    if reply.thought:
        items.append({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": reply.thought})
    if reply.text or reply.stop == "refuse" or not reply.calls:
        part = (
            {"type": "refusal", "refusal": "no"}
            if reply.stop == "refuse"
            else {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
        )
        items.append(
            {"type": "message", "id": "m1", "status": status, "role": "assistant", "content": [part]}
        )
    items += [
        {
            "type": "function_call", "id": f"fc_{number}", "call_id": call.id, "name": call.name,
            "arguments": call.written, "status": "completed",
        }
        for number, call in enumerate(reply.calls)
    ]  # fmt: skip
    return items


def _completion(asked: Asked, reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": reply.text or None,
        "refusal": "no" if reply.stop == "refuse" else None,
    }
    if reply.calls:
        message["tool_calls"] = [
            {"id": one.id, "type": "function",
             "function": {"name": one.name, "arguments": one.written}}
            for one in reply.calls
        ]  # fmt: skip
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": asked.model,
        "choices": [{"index": 0, "finish_reason": _finish(reply), "message": message, "logprobs": None}],
        "usage": _chat_usage(reply),
    }  # fmt: skip


def _finish(reply: Reply) -> str:
    if reply.stop == "cut":
        return "length"
    return "tool_calls" if reply.calls else "stop"


def _chat_usage(reply: Reply) -> dict[str, Any]:
    return {
        "prompt_tokens": reply.input,
        "prompt_tokens_details": {"cached_tokens": reply.cached},
        "completion_tokens": reply.output,
        "total_tokens": reply.input + reply.output,
    }


def streamed(asked: Asked, reply: Reply, *, usage: bool) -> Iterator[str]:
    """Yield the answer as server-sent events.

    Args:
        asked: the request.
        reply: the answer.
        usage: whether the request asked for the usage of a stream of chat completions.
    """
    if asked.protocol == "chat":
        yield from _chunks(asked, reply, usage=usage)
        return
    events: Callable[[Asked, Reply], Iterator[dict[str, Any]]] = (
        _message_events if asked.protocol == "messages" else _response_events
    )
    for event in events(asked, reply):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE]


def _message_events(asked: Asked, reply: Reply) -> Iterator[dict[str, Any]]:
    made = _message(asked, reply)
    begun = {**made, "content": [], "stop_reason": None}
    begun["usage"] = {**made["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": begun}
    yield {"type": "ping"}
    for index, block in enumerate(made["content"]):
        if block["type"] == "thinking":
            empty = {**block, "signature": ""}
            deltas = [{"type": "signature_delta", "signature": block["signature"]}]
        elif block["type"] == "text":
            empty = {**block, "text": ""}
            deltas = [{"type": "text_delta", "text": one} for one in _pieces(block["text"])]
        else:
            written = json.dumps(block["input"])
            empty = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": one} for one in _pieces(written)]
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": made["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": reply.output},
    }
    yield {"type": "message_stop"}


def _response_events(asked: Asked, reply: Reply) -> Iterator[dict[str, Any]]:
    for number, event in enumerate(_unnumbered(asked, reply)):
        yield {**event, "sequence_number": number}


def _unnumbered(asked: Asked, reply: Reply) -> Iterator[dict[str, Any]]:
    made = _response(asked, reply)
    begun = {**made, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for at, item in enumerate(made["output"]):
        place = {"output_index": at, "item_id": item["id"]}
        if item["type"] == "message":
            [part] = item["content"]
            empty = {**item, "status": "in_progress", "content": []}
            yield {"type": "response.output_item.added", "output_index": at, "item": empty}
            place["content_index"] = 0
            word = "refusal" if part["type"] == "refusal" else "text"
            kind = "refusal" if word == "refusal" else "output_text"
            yield {"type": "response.content_part.added", **place, "part": {**part, word: ""}}
            more: dict[str, Any] = {} if word == "refusal" else {"logprobs": []}
            for delta in _pieces(part[word]):
                yield {"type": f"response.{kind}.delta", **place, "delta": delta, **more}
            yield {"type": f"response.{kind}.done", **place, word: part[word], **more}
            yield {"type": "response.content_part.done", **place, "part": part}
        elif item["type"] == "reasoning":
            yield {"type": "response.output_item.added", "output_index": at, "item": item}
        else:
            empty = {**item, "status": "in_progress", "arguments": ""}
            yield {"type": "response.output_item.added", "output_index": at, "item": empty}
            for delta in _pieces(item["arguments"]):
                yield {"type": "response.function_call_arguments.delta", **place, "delta": delta}
            yield {
                "type": "response.function_call_arguments.done",
                **place,
                "name": item["name"],
                "arguments": item["arguments"],
            }
        yield {"type": "response.output_item.done", "output_index": at, "item": item}
    end = "incomplete" if made["status"] == "incomplete" else "completed"
    yield {"type": f"response.{end}", "response": made}


def _chunks(asked: Asked, reply: Reply, *, usage: bool) -> Iterator[str]:
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": asked.model}

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": dict(delta), "finish_reason": finish, "logprobs": None}
        more = {"usage": None} if usage else {}
        return f"data: {json.dumps({**base, 'choices': [choice], **more})}\n\n"

    yield chunk({"role": "assistant", "content": ""})
    if reply.stop == "refuse":
        yield chunk({"refusal": "no"})
    for piece in _pieces(reply.text):
        yield chunk({"content": piece})
    for index, call in enumerate(reply.calls):
        begun = {"index": index, "id": call.id, "type": "function"}
        yield chunk({"tool_calls": [{**begun, "function": {"name": call.name, "arguments": ""}}]})
        for piece in _pieces(call.written):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _finish(reply))
    if usage:
        yield f"data: {json.dumps({**base, 'choices': [], 'usage': _chat_usage(reply)})}\n\n"
    yield "data: [DONE]\n\n"
