"""A local server that speaks the vendors' wire protocols: the real client libraries are tested against it."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from app.analysis.llm.drafting import proposal

# What a model does instead of answering, by name.
STATUSES = {"429": 429, "500": 500, "529": 529, "401": 401, "400": 400}


def draft(**changes: Any) -> dict[str, Any]:
    """An answer of node A that fits its schema."""
    statement = {
        "section": "risks",
        "text": "The tenant waives the extension.",
        "quotes": [],
        "citations": [],
        "proposed_lock": "L4",
        "severity": "medium",
        "reason": "",
    }
    return {
        "document_kind": "lease",
        "summary": "A lease.",
        "statements": [statement],
    } | changes


def opinion(**changes: Any) -> dict[str, Any]:
    """An answer of node B that fits its schema."""
    return {
        "text": "Audited.",
        "findings": [],
        "overall_severity": "low",
        "recommendations": "None.",
    } | changes


@dataclass
class Vendors:
    """The server's script and what it saw. `script` holds what to do with the next requests, in order.

    An entry is a mapping (answered as the model's JSON), a text (answered as it is), or a word: a status,
    `slow`, `drop`, `refuse`, `cut`, `garbage`. When it is empty, a sound answer is given.
    """

    url: str
    script: deque[Mapping[str, Any] | str] = field(default_factory=deque)
    bodies: list[bytes] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    always: str | None = None

    def said(self) -> str:
        """Everything that was sent here, as one text."""
        return "\n".join(body.decode() for body in self.bodies)

    @property
    def asked(self) -> int:
        return len(self.bodies)


@contextmanager
def vendors() -> Iterator[Vendors]:
    """The server, on a port of its own."""
    state = Vendors("")

    class Handler(_Handler):
        vendors = state

    server = _Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """A client that gave up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    vendors: Vendors
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        state, request = self.vendors, json.loads(raw)
        state.bodies.append(raw)
        state.paths.append(self.path)
        deed = state.always or (state.script.popleft() if state.script else _sound(request))
        if deed == "slow":
            time.sleep(1.5)
            deed = _sound(request)
        if deed == "drop":
            self.close_connection = True
            self.connection.close()
            return
        if isinstance(deed, str) and deed in STATUSES:
            self._fail(STATUSES[deed])
            return
        stop, text = "end", "{not json" if deed == "garbage" else deed
        if deed in ("refuse", "cut"):
            stop, text = str(deed), "" if deed == "refuse" else '{"document_kind": "le'
        body = text if isinstance(text, str) else json.dumps(text)
        shape = {
            "/v1/messages": _message,
            "/v1/responses": _response,
            "/v1/chat/completions": _completion,
        }[self.path]
        self._send(200, shape(request["model"], body, stop))

    def _fail(self, status: int) -> None:
        error = {"type": "api_error", "message": "no", "code": "x", "param": None}
        whole = {"type": "error", "error": error} if self.path == "/v1/messages" else {"error": error}
        self._send(status, whole, {"retry-after": "0.1"} if status == 429 else {})

    def _send(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(raw)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


def _sound(request: Mapping[str, Any]) -> Mapping[str, Any]:
    return draft() if json.dumps(proposal.SCHEMA)[:200] in json.dumps(request) else opinion()


def _message(model: str, text: str, stop: str) -> dict[str, Any]:
    reason = {"end": "end_turn", "refuse": "refusal", "cut": "max_tokens"}[stop]
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model,
        "stop_reason": reason, "stop_sequence": None,
        "content": [] if stop == "refuse" else [{"type": "text", "text": text}],
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }  # fmt: skip


def _response(model: str, text: str, stop: str) -> dict[str, Any]:
    part = (
        {"type": "refusal", "refusal": "no"}
        if stop == "refuse"
        else {"type": "output_text", "text": text, "annotations": []}
    )
    said = {"type": "message", "id": "m1", "status": "completed", "role": "assistant", "content": [part]}
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": model,
        "status": "incomplete" if stop == "cut" else "completed", "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if stop == "cut" else None,
        "instructions": None, "metadata": {}, "parallel_tool_calls": True, "temperature": 1.0, "top_p": 1.0,
        "tool_choice": "auto", "tools": [],
        "output": [said],
        "usage": {
            "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15,
        },
    }  # fmt: skip


def _completion(model: str, text: str, stop: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": "no" if stop == "refuse" else None}
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "finish_reason": "length" if stop == "cut" else "stop", "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip
