"""Rounds of calls, with the real clients over the wire: what is sent, what is repeated, when it ends."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from app.analysis.errors import ModelFailed
from app.analysis.llm import Call, Exchange, Question, Result, Tool, metered, token_meter, tool_rounds
from app.analysis.llm.token_meter import BudgetSpent
from app.rules import Source
from tests.analysis.llm.client import SCHEMA, make
from tests.vendors_server import Vendors, opinion, vendors
from tests.vendors_wire import Call as Called
from tests.vendors_wire import Reply

PROTOCOLS = ("anthropic", "openai", "chat")
LOOK_UP = Tool(
    "look_up",
    "Looks up.",
    {
        "type": "object", "additionalProperties": False, "required": ["query"],
        "properties": {"query": {"type": "string"}},
    },
)  # fmt: skip
QUESTION = Question("audit", "Instructions.", "The document. " * 300, SCHEMA, cache_key="k1")
CALLS = Reply(
    calls=(Called("c1", "look_up", {"query": "one"}), Called("c2", "look_up", {"query": "two"})),
    thought="sealed thought",
    input=100, cached=40, output=7,
)  # fmt: skip
SAID = Reply(json.dumps(opinion()), input=200, cached=150, output=20)


class Box:
    """Tools that answer each call with its arguments."""

    sources: tuple[Source, ...] = ()

    def __init__(self, rounds: int = 3) -> None:
        self.rounds, self.made = rounds, 0
        self.tools: tuple[Tool, ...] = (LOOK_UP,)

    def run(self, calls: Sequence[Call]) -> tuple[Result, ...]:
        self.made += len(calls)
        written = [one.arguments.encode(errors="replace").decode() for one in calls]
        return tuple(
            Result(one.id, f"result of {text}", "bad" in text)
            for one, text in zip(calls, written, strict=True)
        )

    def found(self, results: Sequence[Result]) -> str:
        return "\n".join(one.text for one in results)


@pytest.fixture(scope="module")
def running() -> Iterator[Vendors]:
    with vendors() as server:
        yield server


@pytest.fixture
def server(running: Vendors) -> Vendors:
    running.script.clear()
    running.bodies.clear()
    running.paths.clear()
    running.always = running.character = None
    return running


def ask(server: Vendors, protocol: str, box: Box | None, *, seconds: float = 60) -> Any:
    return tool_rounds.ask(
        make(server, protocol, attempt_s=20.0), QUESTION, box, instructions="Use tools.",
        deadline=time.monotonic() + seconds,
    )  # fmt: skip


def bodies(server: Vendors) -> list[dict[str, Any]]:
    return [json.loads(one) for one in server.bodies]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results_go_back_and_the_answer_comes_with_the_tokens_of_all_rounds(
    server: Vendors, protocol: str
) -> None:
    server.script.extend([CALLS, SAID])
    with metered() as meter:
        answer = ask(server, protocol, Box())
    assert answer.value == opinion()
    assert answer.usage == {"input": 300, "cached": 190, "output": 27}
    assert meter.by_stage() == {
        "draft": {"input": 200, "cached": 150, "output": 20},
        "tools": {"input": 100, "cached": 40, "output": 7},
    }
    first, second = server.bodies
    assert b"look_up" in first
    assert b"Use tools." in first
    for query in ("one", "two"):
        assert f'result of {{\\"query\\": \\"{query}\\"}}'.encode() in second


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_without_tools_a_question_is_asked_as_it_is(server: Vendors, protocol: str) -> None:
    server.script.append(SAID)
    assert ask(server, protocol, None).value == opinion()
    [body] = bodies(server)
    assert "tools" not in body
    assert "Use tools." not in server.said()


def test_anthropic_gets_its_blocks_again_and_at_most_four_marks(server: Vendors) -> None:
    server.script.extend([CALLS, CALLS, SAID])
    ask(server, "anthropic", Box())
    first, second, third = bodies(server)
    marked = {"cache_control": {"type": "ephemeral"}}
    for body in (first, second, third):
        assert body["system"][-1].items() >= marked.items()
        assert body["tools"][-1].items() >= marked.items()
        assert body["messages"][0]["content"][-1].items() >= marked.items()
        assert json.dumps(body).count("cache_control") <= 4
        assert "tool_choice" not in body
    # What was marked before stays as it was, but for the mark itself.
    assert second["messages"][0] == first["messages"][0]
    [_, said, results] = second["messages"]
    assert said["content"][0] == {"type": "thinking", "thinking": "", "signature": "sealed thought"}
    assert [one["type"] for one in said["content"][1:]] == ["tool_use", "tool_use"]
    assert [("cache_control" in one, one["is_error"]) for one in results["content"]] == [
        (False, False), (True, False),
    ]  # fmt: skip
    assert ["cache_control" in one["content"][-1] for one in third["messages"]] == [
        True, False, False, False, True,
    ]  # fmt: skip


def test_a_question_that_is_asked_once_pays_for_no_copy_of_the_document(server: Vendors) -> None:
    server.script.append(SAID)
    ask(server, "anthropic", None)
    [body] = bodies(server)
    assert "cache_control" in body["system"][-1]
    assert "cache_control" not in body["messages"][0]["content"][-1]


def test_responses_repeat_items_without_ids_and_keep_the_prefix_and_its_key(server: Vendors) -> None:
    server.script.extend([CALLS, SAID])
    ask(server, "openai", Box())
    first, second = bodies(server)
    assert (first["store"], first["include"]) == (False, ["reasoning.encrypted_content"])
    assert first["prompt_cache_key"] == second["prompt_cache_key"] == "k1"
    assert second["instructions"] == first["instructions"]
    assert second["tools"] == first["tools"]
    assert second["input"][: len(first["input"])] == first["input"]
    added = second["input"][len(first["input"]) :]
    assert [one["type"] for one in added] == [
        "reasoning", "function_call", "function_call", "function_call_output", "function_call_output",
    ]  # fmt: skip
    assert added[0]["encrypted_content"] == "sealed thought"
    assert not any("id" in one for one in added)


def test_chat_repeats_the_message_with_its_calls(server: Vendors) -> None:
    server.script.extend([CALLS, SAID])
    ask(server, "chat", Box())
    first, second = bodies(server)
    assert second["messages"][:2] == first["messages"]
    assert [one["role"] for one in second["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    assert "prompt_cache_key" not in first, "many compatible servers refuse what they do not know"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_who_always_asks_for_more_has_to_answer_in_the_last_round(server: Vendors, protocol: str) -> None:
    server.character = lambda asked: CALLS if asked.tools else SAID
    box = Box(rounds=3)
    assert ask(server, protocol, box).value == opinion()
    assert (server.asked, box.made) == (4, 6)
    *before, last = [one.get("tool_choice") for one in bodies(server)]
    assert before == [None] * 3
    assert last == ({"type": "none"} if protocol == "anthropic" else "none")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_vendor_that_heeds_no_choice_of_tools_gets_none(server: Vendors, protocol: str) -> None:
    server.character = lambda asked: CALLS if asked.tools or asked.forbidden else SAID
    assert ask(server, protocol, Box(rounds=1)).value == opinion()
    *_, last = bodies(server)
    assert server.asked == 3
    assert "tools" not in last
    assert b"result of" in server.bodies[-1]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_server_that_takes_no_tools_is_asked_without(server: Vendors, protocol: str) -> None:
    server.script.extend(["400", SAID])
    assert ask(server, protocol, Box()).value == opinion()
    assert ["tools" in one for one in bodies(server)] == [True, False]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_calls_where_there_is_nothing_to_call_are_no_answer(server: Vendors, protocol: str) -> None:
    server.script.extend([CALLS, CALLS])
    with pytest.raises(ModelFailed):
        ask(server, protocol, None)
    assert server.asked == 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    "arguments",
    ['{"query": "half', "[]", "", "\ud800", {"query": "\ud800"}],
    ids=["half", "list", "none", "surrogate", "surrogate within"],
)
def test_what_a_model_wrote_wrongly_can_be_sent_again(server: Vendors, protocol: str, arguments: Any) -> None:
    server.script.extend([Reply(calls=(Called("c1", "look_up", arguments),)), SAID])
    assert ask(server, protocol, Box()).value == opinion()
    assert server.asked == 2


def test_a_failed_result_says_so_where_the_protocol_can(server: Vendors) -> None:
    server.script.extend([Reply(calls=(Called("c1", "look_up", {"query": "bad"}),)), SAID])
    ask(server, "anthropic", Box())
    assert bodies(server)[1]["messages"][2]["content"][0]["is_error"] is True


def test_once_half_of_the_time_is_gone_it_has_to_answer(
    server: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.character = lambda asked: CALLS if asked.tools else SAID
    box, real = Box(rounds=9), time.monotonic

    def slow(calls: Sequence[Call]) -> tuple[Result, ...]:
        monkeypatch.setattr(tool_rounds.time, "monotonic", lambda: real() + 31)
        return Box.run(box, calls)

    monkeypatch.setattr(box, "run", slow)
    assert ask(server, "openai", box).value == opinion()
    assert server.asked == 2


def test_rounds_stop_where_the_budget_has_no_room_for_one_and_the_answer(server: Vendors) -> None:
    server.character = lambda asked: CALLS if asked.tools else SAID
    one = replace(QUESTION, tools=(LOOK_UP,)).characters // 4
    with metered(2 * one + 200) as meter:
        assert ask(server, "openai", Box(rounds=9)).value == opinion()
    assert server.asked == 2
    assert bodies(server)[1]["tool_choice"] == "none"
    assert meter.by_stage()["tools"]["input"] == 100


def test_a_budget_for_one_request_is_spent_on_the_answer(server: Vendors) -> None:
    server.character = lambda asked: CALLS if asked.tools else SAID
    with metered(1_500):
        assert ask(server, "openai", Box()).value == opinion()
    [body] = bodies(server)
    assert "tools" not in body
    with metered(500), pytest.raises(BudgetSpent):
        ask(server, "openai", Box())


def test_everything_that_is_sent_is_counted() -> None:
    plain, with_tools = QUESTION.characters, replace(QUESTION, tools=(LOOK_UP,))
    assert plain >= len(QUESTION.system) + len(QUESTION.user) + len(json.dumps(SCHEMA))
    said = [{"type": "function_call", "arguments": "y" * 1_000}]
    grown = replace(with_tools, exchanges=(Exchange(said, (Result("c1", "x" * 1_000),)),))
    assert plain < with_tools.characters < grown.characters - 2_000
    with metered(with_tools.characters // 4):
        token_meter.check(with_tools)
        with pytest.raises(BudgetSpent):
            token_meter.check(grown)
