"""Leases of running work: one thread per process extends all of them.

A short lease frees the key soon after its process was killed; renewal lets long work finish.
"""

from __future__ import annotations

import uuid

from app.idempotency import claims
from app.platform import clock
from app.platform.lease_queue import LeaseRenewer
from app.platform.postgres import db, rls

LEASE_S = 20.0


def _renew(tokens: list[uuid.UUID]) -> None:
    # One thread for the work of every account.
    with rls.as_system(), db.statements() as session:
        claims.renew(session, tokens, now=clock.now(), lease_s=LEASE_S)


RENEWER = LeaseRenewer("idempotency lease", _renew)
