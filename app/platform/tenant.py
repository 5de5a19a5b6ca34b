"""Whose rows the database shows to this thread: the second wall behind the filters of every query.

PostgreSQL holds every row of a tenant behind a policy (`migrations/versions/0012_row_security.py`). A request
begins as nobody, and becomes an account once its key or session is known; what runs outside a request (the
worker, the command line) is the system. The scope travels to the database with each transaction.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import LiteralString

# The roles that migration 0012 makes. Every connection starts as the first.
APP_ROLE, SYSTEM_ROLE = "candado_app", "candado_system"


class Scope(Enum):
    """What is not an account: all rows, or none."""

    SYSTEM = "system"
    NOBODY = "nobody"


_scope: ContextVar[uuid.UUID | Scope] = ContextVar("tenant", default=Scope.SYSTEM)


def begin_request() -> None:
    """From here on this thread sees no tenant's rows, until `enter`."""
    _scope.set(Scope.NOBODY)


def enter(account_id: uuid.UUID) -> None:
    """From here on this thread sees the rows of one account."""
    _scope.set(account_id)


def end_request() -> None:
    """The thread goes back to what it was outside requests."""
    _scope.set(Scope.SYSTEM)


@contextmanager
def acting_for(account_id: uuid.UUID) -> Iterator[None]:
    """See the rows of one account while the block runs."""
    token = _scope.set(account_id)
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def as_system() -> Iterator[None]:
    """See every row while the block runs: to find out who somebody is, before there is a tenant."""
    token = _scope.set(Scope.SYSTEM)
    try:
        yield
    finally:
        _scope.reset(token)


def binding() -> tuple[LiteralString, dict[str, str]] | None:
    """The statement that tells PostgreSQL, for the length of one transaction; `None` for nobody."""
    scope = _scope.get()
    if scope is Scope.NOBODY:
        return None
    if scope is Scope.SYSTEM:
        return "SELECT set_config('role', %(role)s, true)", {"role": SYSTEM_ROLE}
    return "SELECT set_config('candado.account', %(account)s, true)", {"account": str(scope)}
