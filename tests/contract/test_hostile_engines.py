"""An own engine as a way in: addresses inside the network, and servers that mean harm."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.analysis.own_engines import connection
from tests.cast import LEASE, Cast, Player
from tests.contract.conftest import Use

PATH = "/api/v1/account/engine"
KEY = "sk-canary-1d0c7e42a95f4b38-Zz9q"
Serve = Callable[[BaseHTTPRequestHandler, bytes], None]


@pytest.fixture
def mallory(cast: Cast) -> Player:
    connection._MODELS.clear()
    return cast.player("mallory")


class Hostile:
    """A server whose every answer is what the test says."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.host = f"127.0.0.1:{server.server_port}"
        self.url = f"http://{self.host}/v1"
        self.serve: Serve | None = None
        self.asked = 0


@pytest.fixture
def hostile() -> Iterator[Hostile]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: Any) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.asked += 1
            assert made.serve is not None
            made.serve(self, body)

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: Any) -> None:
            """A client that gave up is part of the tests."""

    server = Server(("127.0.0.1", 0), Handler)
    made = Hostile(server)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()


def say(status: int, body: bytes, **headers: str) -> Serve:
    def serve(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return serve


def put(client: FlaskClient, player: Player, url: str, **changes: Any) -> Any:
    body = {"node": "A", "engine": "openai", "model": "m", "baseUrl": url, "apiKey": KEY, "protocol": "chat"}
    return client.put(PATH, json=body | changes, headers=player.auth)


def refused(answer: Any, reason: str) -> None:
    assert (answer.status_code, answer.get_json()["code"]) == (422, "ENGINE_TEST_FAILED"), answer.text
    assert answer.get_json()["details"]["reason"] == reason
    assert KEY not in answer.text


@pytest.mark.parametrize(
    "url",
    [
        "http://models.example.com/v1",
        "https://127.0.0.1/v1",
        "https://localhost/v1",
        "https://[::1]/v1",
        "https://[::ffff:127.0.0.1]/v1",
        "https://169.254.169.254/latest/meta-data",
        "https://metadata.google.internal/v1",
        "https://10.0.0.7/v1",
        "https://2130706433/v1",
        "https://0x7f.1/v1",
        "https://017700000001/v1",
        "https://127.1/v1",
        "https://user:pass@93.184.215.14/v1",
        "https://93.184.215.14:5432/v1",
        "https://93.184.215.14:22/v1",
        "https://93.184.215.14:99999/v1",
        "https://[::1/v1",
        "https://xn--a/v1",
        "https://\u24d4xample.com/v1",
        "https://models..example.com/v1",
        "https://\x00models.example.com/v1",
        "gopher://93.184.215.14/v1",
        "file:///etc/passwd",
    ],
)
def test_no_address_inside_is_called(
    client: FlaskClient, mallory: Player, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr("app.platform.safe_http._dial", never)
    answer = put(client, mallory, url)
    assert answer.status_code in (400, 422), answer.text
    assert answer.get_json()["code"] in ("URL_NOT_ALLOWED", "VALIDATION_ERROR")
    assert answer.get_json()["details"]["field"] == "baseUrl"
    assert client.get(PATH, headers=mallory.auth).get_json()["engines"] == []


def _names(monkeypatch: pytest.MonkeyPatch, answers: list[str]) -> None:
    """Let the name server give one address after the other, the last for ever."""
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        if host != "models.example.com":
            return real(host, port, *args, **options)
        address = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def test_a_name_that_leads_inside_is_refused(
    client: FlaskClient, mallory: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _names(monkeypatch, ["10.1.2.3"])
    assert put(client, mallory, "https://models.example.com/v1").get_json()["code"] == "URL_NOT_ALLOWED"


def test_a_name_that_leads_inside_once_it_was_judged_is_refused_too(
    client: FlaskClient, mallory: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _names(monkeypatch, ["93.184.215.14", "127.0.0.1"])
    refused(put(client, mallory, "https://models.example.com/v1"), "not_allowed")


def test_a_kept_one_that_leads_inside_later_is_not_called(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    hostile.serve = say(200, _chat('{"ready": true}'))
    assert put(client, mallory, hostile.url).status_code == 200
    # The operator takes the host off the list again.
    use(ENGINE_ALLOW_HOSTS="")
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=mallory.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (502, "MODEL_ERROR")
    assert "must not be called" in answer.get_json()["error"]
    assert hostile.asked == 1


def test_the_list_of_webhooks_allows_no_engine(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use
) -> None:
    use(WEBHOOK_ALLOW_HOSTS=hostile.host)
    assert put(client, mallory, hostile.url).get_json()["code"] == "URL_NOT_ALLOWED"
    assert hostile.asked == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use, status: int
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    hostile.serve = say(status, b"", Location=f"http://{hostile.host}/v1/chat/completions?again")
    refused(put(client, mallory, hostile.url), "wrong_protocol")
    assert hostile.asked == 1


def _chat(content: str, **changes: Any) -> bytes:
    message = {"role": "assistant", "content": content}
    body = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    } | changes  # fmt: skip
    return json.dumps(body).encode()


def test_an_error_that_repeats_the_key_reaches_no_answer_and_no_log(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use, capfd: pytest.CaptureFixture[str]
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    for status in (400, 401, 404, 429, 500):
        body = json.dumps({"error": {"message": f"wrong key {KEY}", "type": KEY, "code": KEY}}).encode()
        hostile.serve = say(status, body, Retry_After=KEY, X_Request_Id=KEY)
        answer = put(client, mallory, hostile.url)
        assert answer.status_code == 422
        assert KEY not in answer.text
        assert KEY not in str(answer.headers)
    out, err = capfd.readouterr()
    assert KEY not in out + err


def test_a_trickle_is_given_up_in_time(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    monkeypatch.setattr(connection, "_TEST_S", 1.0)

    def serve(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Padding: ")
        for _n in range(100):
            handler.wfile.write(b"x")
            time.sleep(0.1)

    hostile.serve = serve
    began = time.monotonic()
    refused(put(client, mallory, hostile.url), "not_reachable")
    assert time.monotonic() - began < 3


def test_a_very_long_answer_is_not_read(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    sent = 0

    def serve(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        nonlocal sent
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "500000000")
        handler.end_headers()
        for _n in range(500):
            handler.wfile.write(b" " * 1_000_000)
            sent += 1_000_000

    hostile.serve = serve
    refused(put(client, mallory, hostile.url), "wrong_protocol")
    assert sent < 30_000_000


def test_a_compressed_answer_is_not_unpacked(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    hostile.serve = say(200, gzip.compress(b" " * 50_000_000), Content_Encoding="gzip")
    refused(put(client, mallory, hostile.url), "wrong_protocol")


ODD = {
    "no JSON": b"<html>",
    "half of it": b'{"choices": [',
    "a list": b"[]",
    "null": b"null",
    "a number": b"7",
    "an endless number": b'{"choices": ' + b"9" * 5_000 + b"}",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "no choices": _chat("", choices=None),
    "a choice that is none": _chat("", choices=[None]),
    "words for choices": _chat("", choices="abc"),
    "no message": _chat("", choices=[{"finish_reason": "stop"}]),
    "calls that nobody offered": _chat(
        "", choices=[{"finish_reason": "tool_calls", "message": {"tool_calls": [{"id": 1}]}}]
    ),
    "an object for content": _chat("", choices=[{"finish_reason": "stop", "message": {"content": {"a": 1}}}]),
    "usage in words": _chat("", usage={"prompt_tokens": "many", "completion_tokens": []}),
    "another schema": _chat('{"ready": true, "more": 1}'),
    "half a character": _chat('{"ready": "\\ud800"}'),
    "no text": b"\xff\xfe\x00",
    "nothing": b"",
}


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [
        ("chat", "application/json"),
        ("chat", "text/plain"),
        ("responses", "application/json"),
        ("messages", "application/json"),
    ],
)
@pytest.mark.parametrize("odd", sorted(ODD))
def test_an_answer_of_another_form_is_refused(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use, odd: str, protocol: str, kind: str
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    hostile.serve = say(200, ODD[odd], Content_Type=kind)
    changes: dict[str, Any] = {"protocol": protocol}
    if protocol == "messages":
        changes = {"protocol": None, "engine": "anthropic"}
    refused(put(client, mallory, hostile.url, **changes), "wrong_protocol")


@pytest.mark.parametrize("odd", sorted(ODD))
def test_an_analysis_by_it_fails_uncharged_and_never_as_an_internal_error(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use, odd: str
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host)
    hostile.serve = say(200, _chat('{"ready": true}'))
    assert put(client, mallory, hostile.url).status_code == 200
    hostile.serve = say(200, ODD[odd])
    answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=mallory.auth)
    assert (answer.status_code, answer.get_json()["code"]) == (502, "MODEL_ERROR"), answer.text


def test_its_counts_and_its_name_are_taken_for_what_they_are(
    client: FlaskClient, mallory: Player, hostile: Hostile, use: Use
) -> None:
    from tests.vendors_server import draft

    use(ENGINE_ALLOW_HOSTS=hostile.host)
    for number, (usage, name) in enumerate(
        [
            ({"prompt_tokens": -5, "completion_tokens": 10**30, "total_tokens": True}, "rules"),
            ({"prompt_tokens": 1.5, "completion_tokens": None}, "audit-1"),
            ({"prompt_tokens": 3, "completion_tokens": 4}, "m\r\nX-Evil: 1"),
            ({"prompt_tokens": 3, "completion_tokens": 4}, "x" * 100_000),
        ]
    ):
        hostile.serve = say(200, _chat('{"ready": true}', usage=usage, model=name))
        assert put(client, mallory, hostile.url, model=f"chosen-{number}").status_code == 200
        hostile.serve = say(200, _chat(json.dumps(draft()), usage=usage, model=name))
        answer = client.post("/api/v1/analyze", json={"text": LEASE}, headers=mallory.auth)
        assert answer.status_code == 200, answer.text
        assert answer.get_json()["model"] == f"chosen-{number}"
        assert answer.get_json()["contentOrigin"]["engine"] == f"chosen-{number}"
        assert "X-Evil" not in answer.headers
    tokens = client.get("/api/v1/usage", headers=mallory.auth).get_json()["tokens"]
    assert {one["model"] for one in tokens} == {f"openai chosen-{n}" for n in range(4)}
    assert all(0 <= one[kind] <= 10**9 for one in tokens for kind in ("input_tokens", "output_tokens"))


def test_a_slow_one_takes_half_of_the_threads_at_most(
    client: FlaskClient, cast: Cast, mallory: Player, hostile: Hostile, use: Use, app: Flask
) -> None:
    use(ENGINE_ALLOW_HOSTS=hostile.host, WEB_THREADS="4", ANALYSIS_DEADLINE_S="20", MODEL_ATTEMPT_S="20")
    hostile.serve = say(200, _chat('{"ready": true}'))
    assert put(client, mallory, hostile.url).status_code == 200
    working, done = threading.Semaphore(0), threading.Event()

    def slow(handler: BaseHTTPRequestHandler, body: bytes) -> None:
        working.release()
        done.wait(20)
        say(200, b"null")(handler, body)

    hostile.serve = slow

    def analyse(player: Player) -> Any:
        return app.test_client().post("/api/v1/analyze", json={"text": LEASE}, headers=player.auth)

    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(analyse, mallory) for _ in range(2)]
        try:
            assert all(working.acquire(timeout=15) for _ in running)
            answer = analyse(mallory)
            assert (answer.status_code, answer.get_json()["code"]) == (503, "MODEL_UNAVAILABLE")
            assert "2 analyses" in answer.get_json()["error"]
            assert analyse(cast.player("alice")).status_code == 200
        finally:
            done.set()
        assert {one.result().status_code for one in running} == {502}
    assert connection._turns == {}
