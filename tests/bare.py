"""Work as a process begins it: without the scope that the tests have (`tests/conftest.operator`)."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def bare(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in an empty context: as nobody, until it asks for more by name."""
    return contextvars.Context().run(work, *args, **kwargs)
