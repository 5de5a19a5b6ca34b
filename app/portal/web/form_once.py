"""One form makes one thing, however often it is sent: a reload of the answer repeats the request."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from app.platform import redis_client

_DAY_S = 24 * 3600


def number() -> str:
    """What a fresh form carries in its hidden field `once`."""
    return secrets.token_urlsafe(16)


class Ticket:
    """The right to carry a form out, given once. A form without a number is one of its own."""

    def __init__(self, account_id: uuid.UUID, once: str | None) -> None:
        named = f"{account_id} {once or number()}"
        self._name = "once:" + hashlib.sha256(named.encode()).hexdigest()

    def take(self) -> bool:
        """Whether this is the first time the form comes."""
        return bool(redis_client.client().set(self._name, b"1", nx=True, ex=_DAY_S))

    @contextmanager
    def returned_on_failure(self) -> Iterator[None]:
        """Give the ticket back when the work fails, so that the form can be mended and sent again."""
        try:
            yield
        except BaseException:
            redis_client.client().delete(self._name)
            raise
