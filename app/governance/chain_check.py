"""Verification of long chains by a worker, in batches, so that no request waits for it.

A batch takes about a second and is leased (decision 048): a worker can stop between two, and after a kill
another continues from the last finished batch.
"""

from __future__ import annotations

import time
import uuid
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from psycopg.types.json import Jsonb

from app.governance.chain import (
    ChainVerdict,
    VerificationState,
    end_of,
    length_of_chain,
    records_after,
    verify_chain,
)
from app.governance.models import ChainCheck
from app.governance.transparency.log import check_account
from app.platform import clock
from app.platform.lease_queue import LeaseQueue
from app.platform.postgres import db, rls

# Records that are verified while a member waits for the page, in some dozens of milliseconds.
AT_ONCE = 500
# Records that are verified while an API caller waits, in less than a second; and for how many seconds the
# result of a longer chain is repeated.
AT_ONCE_MAX, _FRESH_S = 5_000, 300
_BATCH, _STRETCH_S = 1_000, 1.0

_QUEUE = LeaseQueue(
    id=ChainCheck.account_id,
    # Every batch is a claim, so there is no number of attempts to count.
    token=ChainCheck.claim,
    due=ChainCheck.next_batch_at,
    length=timedelta(seconds=60),
    waits=(),
)

# A verification that runs is left alone.
_ASK = """
    INSERT INTO chain_checks AS c (account_id, walk, updated_at, next_batch_at)
    VALUES (%(account)s, %(walk)s, %(now)s, %(now)s)
    ON CONFLICT (account_id) DO UPDATE SET walk = EXCLUDED.walk, updated_at = EXCLUDED.updated_at,
        next_batch_at = EXCLUDED.next_batch_at, claim = NULL
    WHERE c.next_batch_at IS NULL
    """


@dataclass(frozen=True, slots=True)
class Check:
    """Progress of the verification of an account's chain, and its verdict once it is finished."""

    done: int
    total: int
    at: datetime
    verdict: ChainVerdict | None


def now_or_ask(session: db.Session, account_id: uuid.UUID) -> Check:
    """Verify a short chain at once; return the latest check of a long one, requesting one if it is stale."""
    length = length_of_chain(session, account_id)
    if length <= AT_ONCE_MAX:
        verdict = verify_chain(session, account_id)
        return Check(verdict.records, verdict.records, clock.now(), verdict)
    check = latest(session, account_id)
    if check and (check.verdict is None or (clock.now() - check.at).total_seconds() < _FRESH_S):
        return check
    ask(session, account_id)
    return latest(session, account_id) or Check(0, length, clock.now(), None)


def ask(session: db.Session, account_id: uuid.UUID) -> None:
    """Request the verification of the chain as it is now. Does nothing while a check is running."""
    end = end_of(session, account_id)
    walk = Jsonb(asdict(VerificationState(end.seq, end.hash)))
    session.run(_ASK, {"account": account_id, "walk": walk, "now": clock.now()})


def latest(session: db.Session, account_id: uuid.UUID) -> Check | None:
    """Return the check that is running or finished last; `None` where there is none."""
    row = session.execute(
        sa.select(ChainCheck.walk, ChainCheck.updated_at, ChainCheck.next_batch_at).where(
            ChainCheck.account_id == account_id
        )
    ).one_or_none()
    if row is None:
        return None
    walk = VerificationState(**row.walk)
    verdict = walk.verdict() if row.next_batch_at is None else None
    return Check(walk.seen, walk.total, row.updated_at, verdict)


@rls.as_system()
def verify_due() -> None:
    """Verify one batch of each chain that waits. For the worker."""
    began = clock.now()
    while (row := db.atomically(lambda session: _QUEUE.claim(session, now=began))) is not None:
        _verify_batch(row)


def _verify_batch(row: Any) -> None:
    until, walk, over = time.monotonic() + _STRETCH_S, VerificationState(**row.walk), False
    with db.reading() as session:
        while time.monotonic() < until and not over:
            records = records_after(session, row.account_id, walk.seen, walk.total, limit=_BATCH)
            for record in records:
                walk.add(record)
            over = not records or walk.seen >= walk.total
        if over:
            walk.finish(end_of(session, row.account_id), through=walk.total)
            walk.anchor(check_account(session, row.account_id))
    lease, now = _QUEUE.lease_of(row), clock.now()
    state: dict[str, Any] = {"walk": Jsonb(asdict(walk)), "updated_at": now}

    def write(session: db.Statements) -> None:
        if over:
            _QUEUE.close(session, lease, **state)
        else:
            _QUEUE.release(session, lease, due=now, **state)

    db.atomically(write)


def erase(session: db.Statements, account_id: uuid.UUID) -> None:
    """Delete the check of a closed account."""
    session.run("DELETE FROM chain_checks WHERE account_id = %(account)s", {"account": account_id})
