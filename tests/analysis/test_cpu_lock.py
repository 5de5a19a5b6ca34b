"""One computes at a time, and whoever waits lends the turn."""

from __future__ import annotations

import threading

import pytest

from app.analysis.cpu_lock import Turn


def test_others_compute_while_the_holder_waits() -> None:
    turn, computed = Turn(), threading.Event()

    def other() -> None:
        with turn:
            computed.set()

    with turn:
        helper = threading.Thread(target=other)
        helper.start()
        assert not computed.wait(0.05)
        assert turn.lent(computed.wait)(10)
    helper.join(10)


def test_a_wait_that_fails_gives_the_turn_back() -> None:
    turn = Turn()

    def broken() -> None:
        raise RuntimeError("away")

    with turn, pytest.raises(RuntimeError, match="away"):
        turn.lent(broken)()
    with turn:
        pass


def test_who_has_no_turn_lends_none() -> None:
    turn = Turn()
    held, done = threading.Event(), threading.Event()

    def holder() -> None:
        with turn:
            held.set()
            done.wait(10)

    helper = threading.Thread(target=holder)
    helper.start()
    assert held.wait(10)
    assert turn.lent(lambda: 7)() == 7
    done.set()
    helper.join(10)
