"""A recorded answer is read by the vendors' libraries as the vendor's own, without the vendor."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.analysis.errors import ModelFailed
from app.analysis.llm import Question, clients
from app.analysis.llm.cassettes import prompt_hash
from app.analysis.llm.drafting import fenced
from tests.analysis.llm.client import SCHEMA, make
from tests.vendors_server import Vendors, opinion, vendors


@pytest.fixture
def server() -> Iterator[Vendors]:
    with vendors() as running:
        yield running


def _question(document: str = "El plazo es de un año.") -> Question:
    return Question("audit", "Instructions.", fenced("DOCUMENT", document), SCHEMA)


@pytest.mark.parametrize("protocol", ["anthropic", "openai", "chat"])
def test_what_was_recorded_is_given_again_and_nobody_is_asked(
    server: Vendors, tmp_path: Path, protocol: str
) -> None:
    said = opinion(text="Ñandú")
    with clients.use_cassettes(tmp_path, replay=False):
        server.script.append(said)
        first = make(server, protocol).ask(_question(), deadline=time.monotonic() + 5)
        again = make(server, protocol).ask(_question(), deadline=time.monotonic() + 5)
    assert server.asked == 1
    with clients.use_cassettes(tmp_path, replay=True):
        replayed = make(server, protocol).ask(_question(), deadline=time.monotonic() + 5)
        with pytest.raises(ModelFailed):
            make(server, protocol).ask(_question("Otro."), deadline=time.monotonic() + 5)
    assert server.asked == 1
    for one in (first, again, replayed):
        assert (one.value, one.usage, one.model) == (said, first.usage, first.model)
    [kept] = tmp_path.iterdir()
    cassette = json.loads(kept.read_text("utf-8"))
    assert cassette["host"] == "127.0.0.1"
    assert kept.stem == prompt_hash(cassette["path"], server.bodies[0])


def test_what_failed_is_not_recorded(server: Vendors, tmp_path: Path) -> None:
    with clients.use_cassettes(tmp_path, replay=False):
        server.script.extend(["500", "429"])
        make(server, "openai").ask(_question(), deadline=time.monotonic() + 5)
    assert server.asked == 3
    assert len(list(tmp_path.iterdir())) == 1


def test_a_hash_knows_the_prompt_and_not_its_marks() -> None:
    def body(mark: str, word: str) -> bytes:
        return json.dumps({"input": f"<<<DOCUMENT {mark}>>>\n{word}\n<<<END DOCUMENT {mark}>>>"}).encode()

    one, other = "a" * 24, "0" * 24
    assert prompt_hash("/v1/responses", body(one, "x")) == prompt_hash("/v1/responses", body(other, "x"))
    assert prompt_hash("/v1/responses", body(one, "x")) != prompt_hash("/v1/responses", body(one, "y"))
    assert prompt_hash("/v1/responses", body(one, "x")) != prompt_hash("/v1/messages", body(one, "x"))
