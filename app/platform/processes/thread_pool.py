"""Thread pool that keeps the context of the submitting thread."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class ContextPool(ThreadPoolExecutor):
    """Run each task in a copy of the context it was submitted from.

    A thread starts with an empty context: without the copy it would have no tenant, and so see no row of any
    (`platform/postgres/rls`), and its log lines no request id. Each task gets its own copy, since two threads
    cannot enter one context; what a task changes stays with it. `map` submits too.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit `fn` to run in a copy of the current context; see `concurrent.futures.Executor.submit`."""
        run: Callable[..., T] = contextvars.copy_context().run
        return super().submit(run, fn, *args, **kwargs)
