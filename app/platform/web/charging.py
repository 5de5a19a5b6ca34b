"""What is known about the charge of the request under way, so that its error says that and no more.

Most errors come before anything is charged. A connection that breaks while the charge is being committed
leaves it open, and what fails afterwards is charged already. The state belongs to one request: the HTTP edge
opens it, what charges moves it on.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Literal

State = Literal["nothing", "unknown", "charged"]

_state: ContextVar[State] = ContextVar("charge", default="nothing")


def begin_request() -> None:
    """Forget the request before: nothing is charged yet."""
    _state.set("nothing")


def note(state: State) -> None:
    """Say what is known from here on."""
    _state.set(state)


def known() -> State:
    """Return what is known now."""
    return _state.get()
