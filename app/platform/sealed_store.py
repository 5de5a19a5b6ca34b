"""Sealed storage for data of clients that must outlive a request: envelope encryption over Redis.

Each item has a data key of its own. The item rests in Redis, encrypted with that key, with a time to live;
the key rests in PostgreSQL, in a row of its user, wrapped by a key derived from `SECRET_KEY`. A dump of one
store alone shows nothing. The user erases an item by deleting the wrapped key: what Redis still holds is
unreadable from then on (decisions 028 and 049).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from app.platform import crypto, log, redis_client, settings

# Bytes of one piece of a large item: tens of megabytes in one value would hold Redis up.
PIECE = 512 * 1024

_logger = log.logger("sealed")


@dataclass(frozen=True, slots=True)
class DataKey:
    """A data key, in clear for its use and wrapped for the row. `repr` shows neither."""

    clear: bytes
    wrapped: bytes

    def __repr__(self) -> str:
        return "<DataKey>"


@dataclass(frozen=True, slots=True)
class ItemAddress:
    """Address of one stored item.

    Attributes:
        name: Key in Redis.
        context: Associated data of the encryption: the kind of item, and whose it is. An item that was copied
            to another slot cannot be read there.
    """

    name: str
    context: bytes

    def pieces(self, count: int) -> list[ItemAddress]:
        """Return the addresses of the first `count` pieces of a large item, in order."""
        return [ItemAddress(f"{self.name}:{n}", self.context + b":%d" % n) for n in range(count)]


class SealedStore:
    """The sealed items of one purpose; a key of another purpose opens none of them.

    Every method but `delete` raises `redis_client.Unavailable` where it needs Redis and gets no answer.

    Args:
        purpose: Names the wrapping key. It is part of what is stored: changing it makes all items unreadable.
    """

    def __init__(self, purpose: str) -> None:
        self._purpose = purpose

    def new_key(self, context: bytes) -> DataKey:
        """Return a new data key, wrapped for the row that `context` names."""
        clear = crypto.new_key()
        return DataKey(clear, crypto.seal(self._wrapping_key(), clear, context=context))

    def unwrap(self, wrapped: bytes, context: bytes) -> bytes:
        """Return the data key that `new_key` wrapped.

        Raises:
            crypto.Unreadable: It belongs to another row or purpose, or `SECRET_KEY` has changed.
        """
        return crypto.unseal(self._wrapping_key(), wrapped, context=context)

    def put(self, item: ItemAddress, key: bytes, clear: bytes, *, ttl_s: int) -> None:
        """Store an item for `ttl_s` seconds, encrypted with the data key `key`."""
        sealed = crypto.seal(key, clear, context=item.context)
        redis_client.send(b"SET", item.name.encode(), sealed, b"EX", b"%d" % ttl_s)

    def get(self, item: ItemAddress, key: bytes) -> bytes | None:
        """Return an item; `None` when it is gone or `key` does not open it."""
        return _opened(redis_client.client().get(item.name), key, item.context)

    def put_part(self, item: ItemAddress, number: int, key: bytes, clear: bytes, *, ttl_s: int) -> None:
        """Store one numbered part beside the others of `item`, and keep all of them for `ttl_s` seconds."""
        sealed = crypto.seal(key, clear, context=_part_context(item, number))
        with redis_client.client().pipeline(transaction=True) as pipe:
            pipe.hset(item.name, str(number), sealed)
            pipe.expire(item.name, ttl_s)
            pipe.execute()

    def get_parts(self, item: ItemAddress, key: bytes) -> dict[int, bytes]:
        """Return the parts of `item` by their number; those that `key` does not open are left out."""
        rest = cast("dict[bytes, bytes]", redis_client.client().hgetall(item.name))
        opened = {
            int(number): _opened(rest[number], key, _part_context(item, int(number))) for number in rest
        }
        return {number: clear for number, clear in opened.items() if clear is not None}

    def put_pieces(self, item: ItemAddress, key: bytes, clear: bytes, *, ttl_s: int) -> int:
        """Store a large item in pieces of `PIECE` bytes for `ttl_s` seconds; return how many there are."""
        parts = [clear[at : at + PIECE] for at in range(0, len(clear), PIECE)]
        for piece, part in zip(item.pieces(len(parts)), parts, strict=True):
            self.put(piece, key, part, ttl_s=ttl_s)
        return len(parts)

    def get_pieces(self, item: ItemAddress, key: bytes, count: int) -> bytes | None:
        """Return a large item of `count` pieces; `None` when one is gone or `key` does not open it."""
        parts = [self.get(piece, key) for piece in item.pieces(count)]
        return b"".join(part for part in parts if part is not None) if None not in parts else None

    def extend(self, items: list[ItemAddress], *, ttl_s: int) -> None:
        """Keep items for at least `ttl_s` seconds from now; a longer time to live stays.

        Callers that may extend the same items at once take turns, such as by the lock of their row.
        """
        client = redis_client.client()
        with client.pipeline(transaction=False) as pipe:
            for item in items:
                pipe.ttl(item.name)
            left = pipe.execute()
        with client.pipeline(transaction=False) as pipe:
            for item, seconds in zip(items, left, strict=True):
                if seconds < ttl_s:
                    pipe.expire(item.name, ttl_s)
            pipe.execute()

    def has_all(self, items: list[ItemAddress]) -> bool:
        """Return whether every one of `items` holds an item."""
        return bool(redis_client.client().exists(*(item.name for item in items)) == len(items))

    def delete(self, *items: ItemAddress) -> None:
        """Delete items. Never raises: without their key they are unreadable, and they expire."""
        try:
            redis_client.client().delete(*(item.name for item in items))
        except redis_client.Unavailable as error:
            _logger.warning("sealed data left to expire", purpose=self._purpose, exc_info=error)

    def _wrapping_key(self) -> bytes:
        return crypto.service_key(settings.current().secret_key.get_secret_value(), self._purpose)


def _part_context(item: ItemAddress, number: int) -> bytes:
    return item.context + b":%d" % number


def _opened(sealed: object, key: bytes, context: bytes) -> bytes | None:
    if not isinstance(sealed, bytes):
        return None
    try:
        return crypto.unseal(key, sealed, context=context)
    except crypto.Unreadable:
        return None
