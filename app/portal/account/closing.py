"""Deletion of a closed account's data: everything in docs/stored-data.md's table that is not marked *kept*.

The page that closes an account disables it in one transaction. The rest may be many rows and is deleted here,
in batches of one transaction each, by any worker. After a crash the next round continues.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

from app import (
    alerts,
    analysis,
    branding,
    comparison,
    credits,
    documents,
    idempotency,
    jobs,
    mail,
    oauth,
    purchases,
    sharing,
    sso,
    tenancy,
    usage,
    webhooks,
)
from app.platform import clock
from app.platform.postgres import db, rls

# Jobs, uploads and comparisons first: with their rows go the keys of documents and results.
_ERASERS: tuple[Callable[[db.Statements, uuid.UUID], int], ...] = (
    sharing.erase,
    jobs.erase,
    documents.erase,
    comparison.erase,
    credits.erase,
    idempotency.erase,
    branding.erase,
    analysis.own_engines.erase,
    webhooks.erase,
    alerts.erase,
    mail.erase,
    usage.erase,
    oauth.erase,
    purchases.erase,
    sso.erase,
    tenancy.erase,
)
# Of one account in one round, so that no other waits for a large one.
_BATCHES = 40


def erase_closed() -> int:
    """Delete a part of the data of closed accounts; return how many rows. A scheduled task."""
    with rls.as_system():
        accounts = db.atomically(tenancy.accounts_to_erase)
        return sum(_erase(account_id) for account_id in accounts)


def _erase(account_id: uuid.UUID) -> int:
    gone = 0
    for erase in _ERASERS:
        for _ in range(_BATCHES):
            found = db.atomically(lambda session, erase=erase: erase(session, account_id))  # type: ignore[misc]
            gone += found
            if not found:
                break
    if not gone:
        db.atomically(lambda session: tenancy.note_erased(session, account_id, now=clock.now()))
    return gone
