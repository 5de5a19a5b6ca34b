"""The real client libraries against a server that speaks the vendors' protocols, with every failure."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest
import structlog

from app.analysis.errors import ModelFailed, ModelUnavailable
from app.analysis.llm import Question
from app.analysis.llm.circuit_breaker import OPEN_S, THRESHOLD, CircuitBreaker
from app.analysis.llm.retries import RetryingModel
from tests.analysis.llm.client import SCHEMA, make
from tests.vendors_server import Vendors, opinion, vendors

SECRET = "canary-words-of-a-document"
QUESTION = Question("audit", "Instructions.", SECRET, SCHEMA)


@pytest.fixture(scope="module")
def server() -> Iterator[Vendors]:
    with vendors() as running:
        yield running


@pytest.fixture(params=["anthropic", "openai", "chat"])
def asked(server: Vendors, request: pytest.FixtureRequest) -> RetryingModel:
    server.script.clear()
    server.bodies.clear()
    server.paths.clear()
    server.always = None
    return make(server, request.param)


def soon(seconds: float = 10.0) -> float:
    return time.monotonic() + seconds


def test_an_answer_that_fits_the_schema_comes_back_whole(server: Vendors, asked: RetryingModel) -> None:
    answer = asked.ask(QUESTION, deadline=soon())
    assert answer.value == opinion()
    assert answer.usage == {"input": 10, "cached": 0, "output": 5}
    assert answer.model == asked.model
    assert server.asked == 1


def test_nothing_is_left_with_the_vendor_that_it_offers_to_keep(server: Vendors) -> None:
    for protocol in ("openai", "chat"):
        server.bodies.clear()
        make(server, protocol).ask(QUESTION, deadline=soon())
        assert '"store":false' in server.said().replace(" ", "")


@pytest.mark.parametrize("deed", ["429", "500", "503", "529", "drop", "half", "garbage", "{}", "slow"])
def test_what_may_pass_is_asked_again(server: Vendors, asked: RetryingModel, deed: str) -> None:
    server.script.append(deed)
    assert asked.ask(QUESTION, deadline=soon()).value == opinion()
    assert server.asked == 2


def test_an_answer_of_another_shape_is_asked_for_once_more_and_then_given_up(
    server: Vendors, asked: RetryingModel
) -> None:
    server.script.extend([{"text": 5}, opinion(recommendations=["x"]), opinion()])
    with pytest.raises(ModelFailed) as failed:
        asked.ask(QUESTION, deadline=soon())
    assert (failed.value.status, failed.value.code) == (502, "MODEL_ERROR")
    assert server.asked == 2


@pytest.mark.parametrize("deed", ["refuse", "cut", "400"])
def test_what_will_not_pass_is_not_asked_again(server: Vendors, asked: RetryingModel, deed: str) -> None:
    server.script.append(deed)
    with pytest.raises(ModelFailed):
        asked.ask(QUESTION, deadline=soon())
    assert server.asked == 1


def test_a_rejected_key_is_told_to_the_operator_by_the_name_of_its_setting(
    server: Vendors, asked: RetryingModel
) -> None:
    server.script.append("401")
    with structlog.testing.capture_logs() as lines, pytest.raises(ModelUnavailable):
        asked.ask(QUESTION, deadline=soon())
    assert [line["setting"] for line in lines if "setting" in line] == ["SOME_API_KEY"]


@pytest.mark.parametrize("pace", ["slow", "trickle", "drip", "stall"])
def test_a_hanging_vendor_is_given_up_at_the_deadline(
    server: Vendors, asked: RetryingModel, pace: str
) -> None:
    server.always = pace
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as away:
        asked.ask(QUESTION, deadline=soon(1.2))
    assert time.monotonic() - began < 4
    assert away.value.status == 503


def test_no_error_and_no_log_line_holds_what_was_asked(
    server: Vendors, asked: RetryingModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for deed in ("400", "garbage", "garbage", "refuse", "cut"):
        server.script.append(deed)
    texts = []
    with structlog.testing.capture_logs() as lines:
        for _ in range(4):
            with pytest.raises(ModelFailed) as failed:
                asked.ask(QUESTION, deadline=soon())
            texts.append(f"{failed.value!r}{failed.value.__cause__!r}{failed.value.details}")
    assert SECRET not in f"{texts}{lines}{QUESTION!r}"
    assert SECRET not in caplog.text


class _Clock:
    def __init__(self) -> None:
        self.time = 1_000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


def test_the_circuit_opens_after_outages_and_lets_one_caller_try(server: Vendors) -> None:
    server.script.clear()
    server.bodies.clear()
    server.always = "500"
    clock_, breaker = _Clock(), CircuitBreaker()
    asked = make(server, "openai", breaker=breaker, now=clock_.now, sleep=clock_.sleep)
    with pytest.raises(ModelUnavailable):
        asked.ask(QUESTION, deadline=clock_.time + 1_000)
    assert server.asked == THRESHOLD
    with pytest.raises(ModelUnavailable) as closed:
        asked.ask(QUESTION, deadline=clock_.time + 5)
    assert server.asked == THRESHOLD, "an open circuit asks nobody"
    assert 1 <= (closed.value.retry_after or 0) <= OPEN_S
    clock_.time += OPEN_S
    server.always = None
    assert asked.ask(QUESTION, deadline=clock_.time + 5).value == opinion()
    assert asked.ask(QUESTION, deadline=clock_.time + 5).value == opinion()


def test_half_open_lets_only_one_through() -> None:
    breaker = CircuitBreaker()
    assert [breaker.failed(0.0) for _ in range(THRESHOLD)] == [False] * (THRESHOLD - 1) + [True]
    assert breaker.wait_s(1.0) > 0
    assert breaker.wait_s(OPEN_S) == 0
    assert breaker.wait_s(OPEN_S) > 0
    breaker.succeeded()
    assert breaker.wait_s(OPEN_S) == 0


def test_pauses_grow_jitter_and_honour_the_vendors_word(server: Vendors) -> None:
    server.script.clear()
    server.always = None
    server.script.extend(["429", "500", "500"])
    clock_ = _Clock()
    make(server, "anthropic", now=clock_.now, sleep=clock_.sleep).ask(QUESTION, deadline=clock_.time + 100)
    told, first, second = clock_.slept
    assert told == pytest.approx(0.1)
    assert 0 <= first <= 1.0
    assert 0 <= second <= 2.0
