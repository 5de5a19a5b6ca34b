"""Row-level security context of the current thread: which tenant's rows PostgreSQL shows to it.

Every table of tenants has a row-level security policy (`migrations/versions/0012_row_security.py`). By
default a thread has no tenant: it sees no row of any tenant and can write none. A request gets its account
once its key or session is known; work on many accounts (scheduled tasks, operators' commands, looking up a
key) asks for all rows explicitly with `as_system`. The context is sent to the database before the first
statement of each transaction and ends with the transaction.

It is stored in a context variable, so a new thread starts without it; `thread_pool.ContextPool` copies it.
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


class SpecialContext(Enum):
    """A context that is not one account: the rows of all tenants, or of none."""

    SYSTEM = "system"
    NOBODY = "nobody"


Scope = uuid.UUID | SpecialContext

_scope: ContextVar[Scope] = ContextVar("rls_scope", default=SpecialContext.NOBODY)


def begin_request() -> Scope:
    """Reset the context to no tenant; return the previous context, for `end_request`."""
    before = _scope.get()
    _scope.set(SpecialContext.NOBODY)
    return before


def current() -> Scope:
    """Return the context of this thread."""
    return _scope.get()


def enter(account_id: uuid.UUID) -> None:
    """Set the context to one account until the request ends."""
    _scope.set(account_id)


def end_request(before: Scope) -> None:
    """Restore the context that `begin_request` returned."""
    _scope.set(before)


@contextmanager
def acting_for(account_id: uuid.UUID) -> Iterator[None]:
    """Set the context to one account while the block runs."""
    token = _scope.set(account_id)
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def as_system() -> Iterator[None]:
    """Show the rows of all tenants while the block (or the decorated function) runs.

    It is for work of the service itself: scheduled tasks and queues, operators' commands, and finding the
    owner of a key or a session. Never use it around a query whose conditions a caller chooses.
    """
    token = _scope.set(SpecialContext.SYSTEM)
    try:
        yield
    finally:
        _scope.reset(token)


def binding() -> tuple[LiteralString, dict[str, str]] | None:
    """Return the SQL, with its values, that sets the context for one transaction; `None` for no tenant."""
    scope = _scope.get()
    if scope is SpecialContext.NOBODY:
        return None
    if scope is SpecialContext.SYSTEM:
        return "SELECT set_config('role', %(role)s, true)", {"role": SYSTEM_ROLE}
    return "SELECT set_config('candado.account', %(account)s, true)", {"account": str(scope)}
