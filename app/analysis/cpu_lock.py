"""One thread of this process computes at a time; whoever waits for something outside lets others compute.

Analysing is computing that cannot run in parallel under one interpreter anyway, yet every match of a regular
expression gives the interpreter's lock away, and dozens of threads then fight for it (measured with 32
callers: a third of the rate).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Turn:
    """A lock that its holder can lend: not re-entrant."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holder: int | None = None

    def __enter__(self) -> Self:
        self._lock.acquire()
        self._holder = threading.get_ident()
        return self

    def __exit__(self, *_: object) -> None:
        self._holder = None
        self._lock.release()

    def lent(self, wait: Callable[P, T]) -> Callable[P, T]:
        """`wait`, during which others may have the turn if its caller has it."""

        @wraps(wait)
        def waiting(*args: P.args, **kwargs: P.kwargs) -> T:
            if self._holder != threading.get_ident():
                return wait(*args, **kwargs)
            self.__exit__()
            try:
                return wait(*args, **kwargs)
            finally:
                self.__enter__()

        return waiting
