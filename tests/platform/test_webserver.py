"""The web server's log and its patience with workers that die; the real one is killed in tests/faults."""

from __future__ import annotations

import json
import os
import signal
import time
from typing import Any

import pytest

from app.platform.web.webserver import _DEATHS, JsonLines, _interruptibly, _RestartTimes

TRACEBACK = """\
Process granian-worker:
Traceback (most recent call last):
  File "/srv/candado/app/factory.py", line 9, in create_app
    made = text("Juana Canario")
           ^^^^^^^^^^^^^^^^^^^^^
  File "/srv/candado/app/analysis/pipeline.py", line 40, in run
    raise ValueError(document)
app.platform.errors.Odd: Juana Canario, 12345678Z
"""


def made(text: str) -> list[Any]:
    lines = JsonLines()
    found = [one for line in text.split("\n") for one in lines.take(line)]
    return [json.loads(line) for line in [*found, *lines.flush()]]


def test_a_json_line_passes_as_it_is() -> None:
    line = '{"event": "analysed",  "ñ": 1}'
    assert list(JsonLines().take(line)) == [line]


def test_a_plain_line_becomes_a_record() -> None:
    [record] = made("thread '<unnamed>' panicked at src/lib.rs:7:5")
    assert (record["event"], record["level"], record["logger"]) == (
        "thread '<unnamed>' panicked at src/lib.rs:7:5",
        "warning",
        "stderr",
    )
    assert record["timestamp"]
    for odd in ("{", "[1]", "7", '{"broken": ', "\x00\ufffd"):
        assert made(odd)[0]["event"] == odd.rstrip()


def test_a_traceback_becomes_one_record_without_its_words() -> None:
    first, second = made(TRACEBACK)
    assert first["event"] == "Process granian-worker:"
    assert second["level"] == "error"
    assert second["exception"] == (
        "app.platform.errors.Odd at app/factory.py:9 in create_app > analysis/pipeline.py:40 in run"
    )
    assert "Canario" not in json.dumps([first, second])


def test_a_chain_of_tracebacks_is_as_many_records() -> None:
    chain = (
        TRACEBACK + "\nDuring handling of the above exception, another exception occurred:\n\n" + TRACEBACK
    )
    kinds = [one["event"] for one in made(chain)]
    assert kinds.count("traceback") == 2


def test_a_traceback_between_lines_of_other_processes_stays_whole() -> None:
    other = '{"event": "of another"}'
    mixed = "\n".join(f"{line}\n{other}" for line in TRACEBACK.splitlines())
    found = made(mixed)
    assert sum(one["event"] == "of another" for one in found) == len(TRACEBACK.splitlines())
    [record] = (one for one in found if one["event"] == "traceback")
    assert record["exception"].endswith("in run")


def test_tracebacks_of_two_processes_that_meet_say_no_words_either() -> None:
    rest = TRACEBACK.splitlines()
    for cut in range(1, len(rest)):
        for other in range(1, len(rest)):
            mixed = [*rest[:cut], *rest[:other], *rest[cut:], *rest[other:]]
            assert "Canario" not in json.dumps(made("\n".join(mixed))), (cut, other)


def test_a_traceback_that_breaks_off_is_told() -> None:
    [record] = made("\n".join(TRACEBACK.splitlines()[1:4]))
    assert record["exception"] == "an exception at app/factory.py:9 in create_app"


@pytest.mark.parametrize("others_live", [True, False])
def test_only_a_loop_of_deaths_without_a_living_worker_ends_the_server(others_live: bool) -> None:
    deaths = _RestartTimes(lambda _: others_live)
    for number in range(1, _DEATHS + 1):
        # As granian asks: too soon when less than 5.5 s have passed.
        recent = time.monotonic() - deaths.get(0, 0) <= 5.5
        assert not recent
        deaths[0] = time.monotonic()
        deaths.clear()
        assert number
    assert (time.monotonic() - deaths.get(0, 0) <= 5.5) is not others_live


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_the_application_is_loaded_ends_it_and_is_a_servers_again(number: int) -> None:
    before = signal.getsignal(number)
    with pytest.raises(SystemExit) as ended:
        _interruptibly(lambda: os.kill(os.getpid(), number))
    assert ended.value.code == 0
    assert signal.getsignal(number) is before


def test_what_fails_while_it_is_loaded_leaves_the_signals_as_they_were() -> None:
    before = signal.getsignal(signal.SIGTERM)

    def fail() -> None:
        raise ValueError

    with pytest.raises(ValueError):
        _interruptibly(fail)
    assert signal.getsignal(signal.SIGTERM) is before
