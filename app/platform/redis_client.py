"""Redis client: one per process, short timeouts, made at first use and dropped after a fork.

`REDIS_URL` names one server, or the Redis Sentinels that know which of several is the master.
"""

from __future__ import annotations

import hashlib
import os
import threading
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import hiredis
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from app.platform import settings

Unavailable = redis.exceptions.RedisError

_SENTINEL: Final = "redis+sentinel"
_SENTINEL_PORT: Final = 26379

_lock = threading.Lock()
_clients: dict[str, redis.Redis] = {}
# Connections that wait for the next command, by the pool that they are of.
_kept: dict[redis.ConnectionPool, list[Any]] = {}
_NONE_KEPT: Final[list[Any]] = []
_READ: Final = 16_384  # bytes of an answer that are read at a time
_INCOMPLETE: Final = object()


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
                connect(
                    url,
                    socket_timeout=timeout_s,
                    socket_connect_timeout=timeout_s,
                    **({} if url.startswith("unix:") else {"socket_keepalive": True}),
                    # One immediate second try heals a connection that a restart closed under us.
                    retry=Retry(NoBackoff(), 1),
                ),
            )
    return found


def connect(url: str, **options: Any) -> redis.Redis:
    """Return a client of its own; most code wants `client`.

    Behind Redis Sentinel each new connection asks which server is the master, and one that meets a server
    that is it no longer is closed.

    Args:
        url: `redis://…`, `rediss://…` or `unix://…` of one server, or
            `redis+sentinel://[[user]:password@]host[:port][,host[:port]…]/NAME[/database]`, where NAME is the
            master's name and user and password are those of the servers themselves.
        options: of its connections, as redis-py names them.

    Raises:
        SettingsError: the address of the sentinels is not of that form.
    """
    if not url.startswith(f"{_SENTINEL}:"):
        return redis.Redis.from_url(url, **options)
    # By hand: newer versions of `urlsplit` refuse brackets behind a first host.
    servers, _, path = url.removeprefix(f"{_SENTINEL}://").partition("/")
    login, _, hosts = servers.rpartition("@")
    name, _, database = path.strip("/").partition("/")
    try:
        sentinels = [_address(one) for one in hosts.split(",")]
        number = int(database or 0)
    except ValueError:
        sentinels, number = [], 0
    if not name or not sentinels:
        raise settings.SettingsError(
            f"REDIS_URL must be {_SENTINEL}://host:{_SENTINEL_PORT},host:{_SENTINEL_PORT}/NAME/0, "
            "where NAME is the name that the sentinels know the master by"
        )
    user, _, password = login.partition(":")
    if login:
        options |= {"username": unquote(user) or None, "password": unquote(password) or None}
    waits = {key: value for key, value in options.items() if key.startswith("socket_")}
    make: Any = Sentinel  # redis-py has no types for it
    found: redis.Redis = make(sentinels, sentinel_kwargs=waits, db=number, **options).master_for(name)
    return found


def _address(written: str) -> tuple[str, int]:
    """Return host and port of `host[:port]` or `[v6][:port]`. Raises `ValueError`."""
    parts = urlsplit(f"//{written}")
    if not parts.hostname:
        raise ValueError(written)
    return parts.hostname, parts.port or _SENTINEL_PORT


def send(*parts: bytes) -> Any:
    """Send one command, given by its parts, and return its answer.

    It goes without the client library's own way there and back, which takes longer than a small command. A
    connection is dropped on any error, and where one breaks the command is sent again once, over one that the
    pool has looked at: so send what may be carried out twice, and nothing that has a large answer.

    Raises:
        Unavailable: Redis did not answer, or answered with an error.
    """
    packed = b"*%d\r\n" % len(parts) + b"".join([b"$%d\r\n%b\r\n" % (len(one), one) for one in parts])
    pool = client().connection_pool
    try:
        return _exchanged(pool, packed)
    except redis.exceptions.ConnectionError:
        # A restart closed this connection under us, and so those that are kept beside it.
        _give_back_kept(pool)
        return _exchanged(pool, packed)


def _exchanged(pool: redis.ConnectionPool, packed: bytes) -> Any:
    if isinstance(pool, SentinelConnectionPool):
        return _exchanged_with_master(pool, packed)
    connection = _taken(pool)
    answered = False
    try:
        answer = _asked(connection._sock, packed)
        answered = True
    except TimeoutError as error:
        raise redis.exceptions.TimeoutError("Redis did not answer in time") from error
    except OSError as error:
        raise redis.exceptions.ConnectionError("the connection to Redis broke") from error
    finally:
        _put_back(pool, connection, answered=answered)
    if isinstance(answer, _Refusal):
        raise connection._parser.parse_error(str(answer))
    return answer


def _exchanged_with_master(pool: SentinelConnectionPool, packed: bytes) -> Any:
    """Ask the master, which the pool finds; its connections tell by an answer that it is one no longer."""
    connection: Any = pool.get_connection()
    try:
        connection.send_packed_command([packed])
        return connection.read_response()
    finally:
        pool.release(connection)


class _Refusal(Exception):
    """An answer that is an error, with Redis's words for it."""


def _asked(sock: Any, packed: bytes) -> Any:
    """Send a packed command over a socket and return the answer. Raises `OSError`."""
    sock.sendall(packed)
    reader = hiredis.Reader(replyError=_Refusal, notEnoughData=_INCOMPLETE)
    try:
        while (answer := reader.gets()) is _INCOMPLETE:
            more = sock.recv(_READ)
            if not more:
                raise ConnectionResetError
            reader.feed(more)
    except hiredis.ProtocolError as error:
        raise ConnectionError("an answer of another kind") from error
    if reader.has_data():
        raise ConnectionError("more than an answer")
    return answer


def _taken(pool: redis.ConnectionPool) -> Any:
    """Return a connection that was put back, or one of the pool's.

    To take one from the pool and to give it back there takes longer than a small command. One that the server
    has closed meanwhile is told by the command itself, which is then sent again.
    """
    try:
        return _kept.get(pool, _NONE_KEPT).pop()
    except IndexError:
        return pool.get_connection()


def _give_back_kept(pool: redis.ConnectionPool) -> None:
    """Close the connections that are kept of a pool, and give them back to it."""
    kept = _kept.pop(pool, _NONE_KEPT)
    while kept:
        try:
            connection = kept.pop()
        except IndexError:
            break  # Another thread was quicker.
        connection.disconnect()
        pool.release(connection)


def _put_back(pool: redis.ConnectionPool, connection: Any, *, answered: bool) -> None:
    """Keep a connection for the next command; close one that got no answer and give it back to its pool.

    The pool counts those that are kept as in use, so it closes them with its own.
    """
    if answered and not connection.should_reconnect():
        _kept.setdefault(pool, []).append(connection)
        return
    connection.disconnect()
    pool.release(connection)


class Script:
    """A Lua script, which Redis knows by its SHA-1 once it has run it."""

    def __init__(self, source: str) -> None:
        self._source = source.encode()
        self._sha = hashlib.sha1(self._source, usedforsecurity=False).hexdigest().encode()

    def run(self, key: str, *arguments: int | str) -> Any:
        """Run the script on one key; return its answer. Raises `Unavailable`."""
        rest = (b"1", key.encode(), *(str(one).encode() for one in arguments))
        try:
            return send(b"EVALSHA", self._sha, *rest)
        except redis.exceptions.NoScriptError:
            return send(b"EVAL", self._source, *rest)


def ping() -> None:
    """Raise `redis.exceptions.RedisError` unless Redis answers."""
    client().ping()


def close() -> None:
    """Close every client of this process."""
    with _lock:
        for made in _clients.values():
            disconnect(made)
        _clients.clear()
        _kept.clear()


def disconnect(made: redis.Redis) -> None:
    """Close the connections of a client that `connect` made, those to sentinels too."""
    pool: Any = made.connection_pool
    for one in (made, *getattr(getattr(pool, "sentinel_manager", None), "sentinels", ())):
        one.close()
        one.connection_pool.disconnect()


def _forget_after_fork() -> None:
    _clients.clear()
    _kept.clear()


os.register_at_fork(after_in_child=_forget_after_fork)
