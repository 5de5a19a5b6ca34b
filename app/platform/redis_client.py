"""Redis client: one per process, short timeouts, made at first use and dropped after a fork."""

from __future__ import annotations

import os
import threading

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.platform import settings

Unavailable = redis.exceptions.RedisError

_lock = threading.Lock()
_clients: dict[str, redis.Redis] = {}


def client() -> redis.Redis:
    """Return the client for `REDIS_URL`. It is thread-safe and returns bytes."""
    url = settings.current().redis_url.get_secret_value()
    found = _clients.get(url)
    if found is None:
        # A stalled Redis must cost a request a fraction of a second, not its deadline.
        timeout_s = settings.current().redis_timeout_s
        with _lock:
            found = _clients.get(url) or _clients.setdefault(
                url,
                redis.Redis.from_url(
                    url,
                    socket_timeout=timeout_s,
                    socket_connect_timeout=timeout_s,
                    **({} if url.startswith("unix:") else {"socket_keepalive": True}),
                    # One immediate second try heals a connection that a restart closed under us.
                    retry=Retry(NoBackoff(), 1),
                ),
            )
    return found


def ping() -> None:
    """Raise `redis.exceptions.RedisError` unless Redis answers."""
    client().ping()


def close() -> None:
    """Close every client of this process."""
    with _lock:
        for made in _clients.values():
            made.close()
        _clients.clear()


os.register_at_fork(after_in_child=_clients.clear)
