"""A local server that speaks OpenAI's embeddings protocol, and settings that point to it."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from pydantic import SecretStr

from app.platform import settings


def embedding_settings(url: str, dimensions: int = 64) -> settings.Settings:
    return settings.current().model_copy(
        update={
            "embedding_engine": "openai",
            "embedding_dimensions": dimensions,
            "openai_base_url": url,
            "openai_api_key": SecretStr("test"),
        }
    )


class _Embeddings:
    """What the local server saw; after `broken_after` further requests it answers 500."""

    def __init__(self) -> None:
        self.url, self.said, self.broken_after = "", [], None  # type: tuple[str, list[str], int | None]


@contextmanager
def embedding_server() -> Iterator[Any]:
    state: Any = _Embeddings()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.said.append(json.dumps(body, ensure_ascii=False))
            broken = state.broken_after is not None
            rows = [
                {"object": "embedding", "index": place, "embedding": _vector(text, body["dimensions"])}
                for place, text in enumerate(body["input"])
            ]
            answer = json.dumps(
                {"error": {"message": "down"}}
                if broken
                else {"object": "list", "data": rows, "model": body["model"], "usage": {}}
            ).encode()
            self.send_response(500 if broken else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _vector(text: str, dimensions: int) -> list[float]:
    """Return the sum of a fixed random vector for each word, so that texts with common words are alike."""
    seeds = [zlib.crc32(word.encode()) for word in text.lower().split()] or [0]
    found = sum(np.random.default_rng(seed).standard_normal(dimensions) for seed in seeds)
    return [float(value) for value in np.asarray(found)]
