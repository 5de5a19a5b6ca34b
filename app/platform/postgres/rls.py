"""Row-level security context of the current thread: whose rows PostgreSQL shows to it.

PostgreSQL keeps every row of a tenant behind a policy (`migrations/versions/0012_row_security.py`). A thread
that named nobody sees no row of any tenant and can write none: that is the default of every thread and every
process. A request becomes an account once its key or session is known; work that concerns many accounts (a
worker's chores, an operator's command, the look-up of a key) asks for the system by name, with `as_system`.
The scope travels to the database in front of each transaction's first statement and ends with it.

It lives in a context variable: a new thread starts without it. `platform/threads.ContextPool` hands it on.
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


class Special(Enum):
    """A scope that is not one account: all rows, or none."""

    SYSTEM = "system"
    NOBODY = "nobody"


Scope = uuid.UUID | Special

_scope: ContextVar[Scope] = ContextVar("rls_scope", default=Special.NOBODY)


def begin_request() -> Scope:
    """Show this thread no tenant's rows until `enter`; return the scope it had, for `end_request`."""
    before = _scope.get()
    _scope.set(Special.NOBODY)
    return before


def enter(account_id: uuid.UUID) -> None:
    """Show this thread the rows of one account until the request ends."""
    _scope.set(account_id)


def end_request(before: Scope) -> None:
    """Give the thread the scope back that it had before `begin_request`."""
    _scope.set(before)


@contextmanager
def acting_for(account_id: uuid.UUID) -> Iterator[None]:
    """Show this thread the rows of one account while the block runs."""
    token = _scope.set(account_id)
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def as_system() -> Iterator[None]:
    """Show this thread every tenant's rows while the block (or the decorated function) runs.

    For work of the service itself: chores and queues, operators' commands, finding out whose a key or a
    session is. Never around anything that a caller chooses the words of.
    """
    token = _scope.set(Special.SYSTEM)
    try:
        yield
    finally:
        _scope.reset(token)


def binding() -> tuple[LiteralString, dict[str, str]] | None:
    """Return the statement that names the scope for one transaction; `None` where no one is named."""
    scope = _scope.get()
    if scope is Special.NOBODY:
        return None
    if scope is Special.SYSTEM:
        return "SELECT set_config('role', %(role)s, true)", {"role": SYSTEM_ROLE}
    return "SELECT set_config('candado.account', %(account)s, true)", {"account": str(scope)}
