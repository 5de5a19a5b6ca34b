"""What is known about the charge of the current request, for the wording of its errors.

Most errors come before anything is charged. When the connection breaks while the charge is committed, its
outcome is unknown; what fails afterwards is charged already. The HTTP edge resets the state at the beginning
of each request; billing updates it.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Literal

State = Literal["nothing", "unknown", "charged"]

_state: ContextVar[State] = ContextVar("charge", default="nothing")


def begin_request() -> None:
    """Reset the state to `nothing` for a new request."""
    _state.set("nothing")


def note(state: State) -> None:
    """Set the state of the charge."""
    _state.set(state)


def known() -> State:
    """Return the state of the charge."""
    return _state.get()
