"""Make the vendors' clients: one client per process and address, made lazily, dropped after a fork."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import httpx2

T = TypeVar("T")

_lock = threading.Lock()
_clients: dict[tuple[str, ...], Any] = {}
os.register_at_fork(after_in_child=_clients.clear)


def shared(name: tuple[str, ...], make: Callable[[httpx2.Client], T]) -> T:
    """Return the client of that name; its pool of connections ignores the environment's proxies."""
    found = _clients.get(name)
    if found is None:
        with _lock:
            found = _clients.get(name)
            if found is None:
                _quieten()
                found = _clients[name] = make(_transport())
    return cast(T, found)


def _quieten() -> None:
    """Keep the libraries from logging whole requests, which they do at level DEBUG."""
    for library in ("anthropic", "openai", "httpx2", "httpcore2"):
        logging.getLogger(library).setLevel(logging.WARNING)


def _transport() -> httpx2.Client:
    # A proxy of the environment would be a second address to which documents go.
    return httpx2.Client(
        limits=httpx2.Limits(max_connections=128, max_keepalive_connections=32, keepalive_expiry=30),
        trust_env=False,
    )


def timeout(seconds: float) -> httpx2.Timeout:
    """Return a timeout of `seconds` for an answer, with a short one for connecting."""
    return httpx2.Timeout(max(0.1, seconds), connect=max(0.1, min(5.0, seconds)))
