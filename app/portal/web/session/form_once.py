"""Protection against sending a form twice, for example by reloading its answer."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from app.platform import redis_client

_DAY_S = 24 * 3600


def number() -> str:
    """Return a random token for the hidden field `once` of a new form."""
    return secrets.token_urlsafe(16)


class FormToken:
    """One-time right to process a form; without a token each submission counts as a new form."""

    def __init__(self, account_id: uuid.UUID, once: str | None) -> None:
        named = f"{account_id} {once or number()}"
        self._name = "once:" + hashlib.sha256(named.encode()).hexdigest()

    def take(self) -> bool:
        """Return whether this is the first submission of the form."""
        return bool(redis_client.client().set(self._name, b"1", nx=True, ex=_DAY_S))

    def give_back(self) -> None:
        """Free the token again, so that the form can be corrected and sent again."""
        redis_client.client().delete(self._name)

    @contextmanager
    def returned_on_failure(self) -> Iterator[None]:
        """Free the token again when the block raises, so that the form can be corrected and sent again."""
        try:
            yield
        except BaseException:
            self.give_back()
            raise
