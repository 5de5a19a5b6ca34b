"""Record answers of vendors as files and replay them, so that a measurement can be repeated without a vendor.

A cassette is a whole HTTP answer, named by the hash of its prompt: the request's path and body without the
random marks around untrusted text. The clients read it as they read the vendor's own, so that a change of the
prompt, of the schema or of a library shows. It holds no key and no header but the content's type. Answers
speak of documents: only benchmarks and tests record, over documents of their own.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import httpx2

_MARK = re.compile(r"(<<<(?:END )?[A-Z ]+) [0-9a-f]{24}(?=>>>)")


class Cassettes(httpx2.BaseTransport):
    """Transport that answers from `folder`, and asks `inner` for what is not there.

    Args:
        folder: where the cassettes lie, one file an answer.
        inner: where to ask; `None` to replay only: what is not there is then answered with 404.
    """

    def __init__(self, folder: Path, inner: httpx2.BaseTransport | None) -> None:
        self._folder, self._inner = folder, inner

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request from its cassette, or record one."""
        name = prompt_hash(request.url.path, request.read())
        path = self._folder / f"{name}.json"
        if path.exists():
            kept = json.loads(path.read_text("utf-8"))
            return httpx2.Response(
                200, headers={"Content-Type": kept["contentType"]}, content=kept["body"].encode()
            )
        if self._inner is None:
            return httpx2.Response(404, json={"error": {"message": f"no cassette {name}"}})
        answer = self._inner.handle_request(request)
        if answer.status_code != 200:
            return answer
        body = answer.read()
        answer.close()
        kind = answer.headers.get("Content-Type", "application/json")
        kept = {"host": request.url.host, "path": request.url.path, "contentType": kind}
        self._folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**kept, "body": body.decode()}, ensure_ascii=False, indent=1), "utf-8")
        return httpx2.Response(200, headers={"Content-Type": kind}, content=body)

    def close(self) -> None:
        """Close the transport that is asked."""
        if self._inner is not None:
            self._inner.close()


def prompt_hash(path: str, body: bytes) -> str:
    """Return the name of a request's cassette: the same for the same prompt, whatever its marks are."""
    sent = json.loads(body)
    sent.pop("prompt_cache_key", None)  # says where to look for the prompt, and is none of it
    asked = _MARK.sub(r"\1", json.dumps(sent, sort_keys=True, ensure_ascii=False))
    return sha256(f"{path}\n{asked}".encode()).hexdigest()
