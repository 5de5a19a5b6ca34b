"""Verification of a long chain, by a worker, a stretch at a time; the page that asks for it never waits.

How far it is, and what came of it, is in Redis: whoever misses it asks again. A stretch ends within a second,
so that a worker can stop, and another goes on where it was left.
"""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.governance.models import AuditHead, AuditRecord
from app.governance.trail import GENESIS, ChainVerdict, verified
from app.platform import clock, db, keyvalue, tenant

# Up to so many records are verified while their reader waits, some dozens of milliseconds.
AT_ONCE = 500
_BATCH, _STRETCH_S = 1_000, 1.0
# Longer without a word from a worker, and the check may be asked for anew.
_PATIENCE_S, _KEPT_S = 120, 7 * 24 * 3600
_QUEUE = "chains"


@dataclass(frozen=True, slots=True)
class Check:
    """A check of an account's chain: how many of its records are through, and once all are, the verdict."""

    done: int
    total: int
    at: datetime
    verdict: ChainVerdict | None


def chain_length(session: Session, account_id: uuid.UUID) -> int:
    """How many records the account's chain should have."""
    return session.scalar(sa.select(AuditHead.seq).where(AuditHead.account_id == account_id)) or 0


def ask(session: Session, account_id: uuid.UUID) -> None:
    """Have the chain verified as it is now. While a check is under way, asking again does nothing."""
    under_way = _load(account_id)
    if under_way and not under_way["over"] and clock.epoch() - under_way["beat"] < _PATIENCE_S:
        return
    head = session.execute(
        sa.select(AuditHead.seq, AuditHead.hash).where(AuditHead.account_id == account_id)
    ).one_or_none()
    length, last = (head.seq, head.hash) if head else (0, GENESIS)
    _keep(
        account_id,
        {"seen": 0, "previous": GENESIS, "total": length, "head": last, "broken": None, "over": False},
    )
    keyvalue.client().rpush(_QUEUE, str(account_id))


def latest(account_id: uuid.UUID) -> Check | None:
    """The check under way or the last one that ended; `None` where none is known."""
    found = _load(account_id)
    if found is None or (not found["over"] and clock.epoch() - found["beat"] >= _PATIENCE_S):
        return None
    verdict = None
    if found["over"]:
        broken = uuid.UUID(found["broken"]) if found["broken"] else None
        complete = (found["seen"], found["previous"]) == (found["total"], found["head"])
        verdict = ChainVerdict(broken is None and complete, found["total"], found["head"], broken)
    return Check(found["seen"], found["total"], datetime.fromisoformat(found["at"]), verdict)


def round_() -> None:
    """A worker's turn: one stretch of each chain that waits, and to the end of the queue what goes on."""
    client = keyvalue.client()
    for _ in range(int(client.llen(_QUEUE))):
        raw: Any = client.lpop(_QUEUE)
        if raw is None:
            return
        account_id = uuid.UUID(raw.decode())
        if _go_on(account_id):
            client.rpush(_QUEUE, str(account_id))


def _go_on(account_id: uuid.UUID) -> bool:
    """Verify one stretch; whether there is more."""
    state = _load(account_id)
    if state is None or state["over"]:
        return False
    until = time.monotonic() + _STRETCH_S
    with tenant.as_system(), db.reading() as session:
        while time.monotonic() < until and not state["over"]:
            _step(session, account_id, state)
    _keep(account_id, state)
    return not state["over"]


def _step(session: Session, account_id: uuid.UUID, state: dict[str, Any]) -> None:
    columns = (
        AuditRecord.id,
        AuditRecord.seq,
        AuditRecord.content,
        AuditRecord.previous_hash,
        AuditRecord.hash,
    )
    query = sa.select(*columns).where(
        AuditRecord.account_id == account_id,
        AuditRecord.seq > state["seen"],
        AuditRecord.seq <= state["total"],
    )
    rows = session.execute(query.order_by(AuditRecord.seq).limit(_BATCH)).all()
    for row in rows:
        if not verified(row, state["seen"], state["previous"]) and state["broken"] is None:
            state["broken"] = str(row.id)
        state["previous"], state["seen"] = row.hash, row.seq
    state["over"] = not rows or state["seen"] >= state["total"]


def _load(account_id: uuid.UUID) -> dict[str, Any] | None:
    raw = keyvalue.client().get(f"chain:{account_id}")
    return None if raw is None else dict(json.loads(raw))


def _keep(account_id: uuid.UUID, state: dict[str, Any]) -> None:
    state |= {"beat": clock.epoch(), "at": clock.now().isoformat()}
    keyvalue.client().set(f"chain:{account_id}", json.dumps(state), ex=_KEPT_S)
