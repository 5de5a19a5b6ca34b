"""A local server that speaks the vendors' wire protocols: the real client libraries are tested against it.

`vendors()` runs it on a port of its own. What it answers is a script, one entry a request; where the script
is empty, a character answers (`tests.simulated_models`), by default one that says next to nothing.
`python -m tests.vendors_server CHARACTER` runs it by hand, to point a whole service at.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests import model_answers, vendors_wire
from tests.vendors_wire import Asked, BadRequest, Reply, Stop

# What a model does instead of answering, by name.
STATUSES = {"429": 429, "500": 500, "503": 503, "529": 529, "401": 401, "400": 400}


def draft(**changes: Any) -> dict[str, Any]:
    """An answer of node A that fits its schema; `statements` of all sections in one list."""
    statement = {
        "section": "risks",
        "text": "The tenant waives the extension.",
        "quotes": [],
        "citations": [],
        "proposed_lock": "L4",
        "severity": "medium",
        "reason": "",
    }
    statements = changes.pop("statements", [statement])
    return model_answers.analysis(statements) | changes


def opinion(**changes: Any) -> dict[str, Any]:
    """An answer of node B that fits its schema."""
    return {
        "text": "Audited.",
        "findings": [],
        "recommendations": "None.",
    } | changes


def objection(**changes: Any) -> dict[str, Any]:
    """A finding of node B's answer; it needs words of the passage that it names to count."""
    return {
        "statement": "s1",
        "passage": "d1",
        "words": "",
        "fault": "misread",
        "severity": "high",
        "reason": "The document says something else.",
        "action": "withdraw",
    } | changes


def answered(statement: str, action: str, **changes: Any) -> dict[str, Any]:
    """What node A answers to the objections to one statement."""
    return {
        "statement": statement,
        "action": action,
        "text": "",
        "quotes": [],
        "citations": [],
        "why": "",
    } | changes


@dataclass
class Vendors:
    """The server's script and what it saw. `script` holds what to do with the next requests, in order.

    An entry is a `Reply`, a mapping (answered as the model's JSON), a text (answered as it is), or a word: a
    status, `slow` (waits), `trickle` (sends its headers byte by byte), `drip` (sends its answer byte by
    byte), `stall` (sends half of its answer and then nothing), `half` (breaks off in the middle), `drop`
    (closes), `refuse`, `cut`, `garbage`. When it is empty, `character` answers.
    """

    url: str
    script: deque[Reply | Mapping[str, Any] | str] = field(default_factory=deque)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    always: str | None = None
    character: Callable[[Asked], Reply | Mapping[str, Any] | str] | None = None

    def said(self) -> str:
        """Everything that was sent here, as one text."""
        return "\n".join(body.decode() for body in self.bodies)

    @property
    def asked(self) -> int:
        return len(self.bodies)

    @property
    def keys(self) -> list[str]:
        """The API keys that were sent, in order."""
        return [one.get("authorization", "").removeprefix("Bearer ") for one in self.headers]


@contextmanager
def vendors(
    character: Callable[[Asked], Reply | Mapping[str, Any] | str] | None = None, *, port: int = 0
) -> Iterator[Vendors]:
    """The server, on a port of its own."""
    state = Vendors("", character=character)

    class Handler(_Handler):
        vendors = state

    server = _Server(("127.0.0.1", port), Handler)
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
        state = self.vendors
        state.bodies.append(raw)
        state.paths.append(self.path)
        state.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.path not in vendors_wire.PATHS:
            self._fail(404)
            return
        try:
            asked = vendors_wire.read(self.path, dict(self.headers), raw)
        except BadRequest as refused:
            self._fail(refused.status, str(refused))
            return
        deed = state.always or (state.script.popleft() if state.script else self._answer(asked))
        pace = deed if deed in ("slow", "trickle", "drip", "stall", "half") else None
        if pace is not None:
            deed = self._answer(asked)
        if pace == "slow":
            time.sleep(1.5)
        if deed == "drop":
            self.close_connection = True
            self.connection.close()
        elif isinstance(deed, str) and deed in STATUSES:
            self._fail(STATUSES[deed])
        else:
            self._reply(asked, _reply(deed), json.loads(raw), pace)

    def _answer(self, asked: Asked) -> Reply | Mapping[str, Any] | str:
        if asked.schema is not None and "ready" in asked.schema["properties"]:
            return {"ready": True}  # the test of an account's own engine
        return (self.vendors.character or _sound)(asked)

    def _reply(self, asked: Asked, reply: Reply, body: Mapping[str, Any], pace: str | None) -> None:
        if asked.stream:
            usage = bool((body.get("stream_options") or {}).get("include_usage"))
            pieces = [one.encode() for one in vendors_wire.streamed(asked, reply, usage=usage)]
            kind, length = "text/event-stream", None
        else:
            raw = json.dumps(vendors_wire.whole(asked, reply)).encode()
            pieces, kind, length = [raw], "application/json", len(raw)
        if pace == "trickle":
            self._trickle()
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()
        if pace is None or pace == "slow":
            for piece in pieces:
                self.wfile.write(piece)
            return
        sent = b"".join(pieces)
        if pace == "drip":
            for at in range(len(sent)):
                self.wfile.write(sent[at : at + 1])
                time.sleep(0.2)
            return
        self.wfile.write(sent[: len(sent) // 2])
        if pace == "stall":
            time.sleep(3)
        self.close_connection = True

    def _trickle(self) -> None:
        """Send one header byte by byte, for as long as anybody listens."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Padding: ")
        for _ in range(100):
            self.wfile.write(b"x")
            time.sleep(0.1)
        self.close_connection = True

    def _fail(self, status: int, reason: str = "no") -> None:
        error = {"type": "api_error", "message": reason, "code": "x", "param": None}
        whole = {"type": "error", "error": error} if self.path == "/v1/messages" else {"error": error}
        raw = json.dumps(whole).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        if status == 429:
            self.send_header("retry-after", "0.1")
        self.end_headers()
        self.wfile.write(raw)


def _reply(deed: Reply | Mapping[str, Any] | str) -> Reply:
    """Return what a deed says, of those that answer at all."""
    stops: dict[str, tuple[str, Stop]] = {
        "garbage": ("{not json", "end"),
        "refuse": ("", "refuse"),
        "cut": ('{"document_kind": "le', "cut"),
    }
    if isinstance(deed, Reply):
        return deed
    if isinstance(deed, str):
        text, stop = stops.get(deed, (deed, "end"))
        return Reply(text, stop=stop)
    return Reply(json.dumps(deed))


def _sound(asked: Asked) -> Mapping[str, Any]:
    if asked.schema is not None and "answers" in asked.schema["properties"]:
        return {"answers": []}
    return draft() if is_analysis(asked) else opinion()


def is_analysis(asked: Asked) -> bool:
    """Whether node A asks, and not node B."""
    return asked.schema is not None and "statements" in asked.schema["properties"]


def main() -> None:
    from tests.simulated_models import CHARACTERS

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("character", choices=sorted(CHARACTERS))
    parser.add_argument("--port", type=int, default=8901)
    arguments = parser.parse_args()
    with vendors(CHARACTERS[arguments.character], port=arguments.port) as running:
        print(f"ANTHROPIC_BASE_URL={running.url} OPENAI_BASE_URL={running.url}/v1", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
