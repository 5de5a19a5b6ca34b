"""Leases of running work: one thread per process extends all of them.

A short lease frees the key soon after its process was killed; renewal lets long work finish.
"""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from app.idempotency import claims
from app.platform import clock, log
from app.platform.postgres import db, rls

LEASE_S = 20.0
_RENEW_EVERY_S = 5.0

_logger = log.logger("idempotency")
_lock = threading.Lock()
_live: set[uuid.UUID] = set()
_renewer: threading.Thread | None = None


@contextmanager
def kept(token: uuid.UUID) -> Iterator[None]:
    """Renew the lease of `token` while the block runs."""
    with _lock:
        _live.add(token)
        _ensure_renewer()
    try:
        yield
    finally:
        with _lock:
            _live.discard(token)


def _ensure_renewer() -> None:
    global _renewer
    if _renewer is None or not _renewer.is_alive():
        _renewer = threading.Thread(target=_renew_forever, name="leases", daemon=True)
        _renewer.start()


def _renew_forever() -> None:
    pause = threading.Event()
    while not pause.wait(_RENEW_EVERY_S):
        with _lock:
            tokens = list(_live)
        if not tokens:
            continue
        try:
            # One thread for the work of every account.
            with rls.as_system(), db.statements() as session:
                claims.renew(session, tokens, now=clock.now(), lease_s=LEASE_S)
        except Exception as error:
            _logger.warning("leases not renewed", exc_info=error, count=len(tokens))


def _forget_after_fork() -> None:
    global _renewer
    _renewer = None
    _live.clear()


os.register_at_fork(after_in_child=_forget_after_fork)
