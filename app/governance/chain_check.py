"""Verification of long chains by a worker, in batches, so that no request waits for it.

Progress and result are in Redis, and a check that is lost is requested again. A batch takes about a second,
so that a worker can stop, and another continues.
"""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.governance.chain import ChainVerdict, Walk, end_of, length_of_chain, records_after, verify_chain
from app.platform import clock, redis_client
from app.platform.postgres import db, rls

# Up to so many records are verified while their reader waits, some dozens of milliseconds.
AT_ONCE = 500
# Up to so many while an API caller waits, less than a second; a verdict on more is given again for so long.
AT_ONCE_MAX, _FRESH_S = 5_000, 300
_BATCH, _STRETCH_S = 1_000, 1.0
# Longer without a word from a worker, and the check may be asked for anew.
_PATIENCE_S, _KEPT_S = 120, 7 * 24 * 3600
_QUEUE = "chains"


@dataclass(frozen=True, slots=True)
class Check:
    """Progress of the verification of an account's chain, and its verdict once it is finished."""

    done: int
    total: int
    at: datetime
    verdict: ChainVerdict | None


def now_or_ask(session: Session, account_id: uuid.UUID) -> Check:
    """Verify a short chain at once; return the latest check of a long one, requesting one if it is stale."""
    length = length_of_chain(session, account_id)
    if length <= AT_ONCE_MAX:
        verdict = verify_chain(session, account_id)
        return Check(verdict.records, verdict.records, clock.now(), verdict)
    check = latest(account_id)
    if check and (check.verdict is None or (clock.now() - check.at).total_seconds() < _FRESH_S):
        return check
    ask(session, account_id)
    return latest(account_id) or Check(0, length, clock.now(), None)


def ask(session: Session, account_id: uuid.UUID) -> None:
    """Request the verification of the chain as it is now. Does nothing while a check is running."""
    under_way = _load(account_id)
    if under_way and not under_way["over"] and clock.epoch() - under_way["beat"] < _PATIENCE_S:
        return
    end = end_of(session, account_id)
    _keep(account_id, {"walk": asdict(Walk(end.seq, end.hash)), "over": False})
    redis_client.client().rpush(_QUEUE, str(account_id))


def latest(account_id: uuid.UUID) -> Check | None:
    """Return the check that is running or finished last; `None` where there is none."""
    found = _load(account_id)
    if found is None or (not found["over"] and clock.epoch() - found["beat"] >= _PATIENCE_S):
        return None
    walk = Walk(**found["walk"])
    verdict = walk.verdict() if found["over"] else None
    return Check(walk.seen, walk.total, datetime.fromisoformat(found["at"]), verdict)


def round_() -> None:
    """Verify one batch of each chain that waits. For the worker."""
    client = redis_client.client()
    for _ in range(int(client.llen(_QUEUE))):
        raw: Any = client.lpop(_QUEUE)
        if raw is None:
            return
        account_id = uuid.UUID(raw.decode())
        if _go_on(account_id):
            client.rpush(_QUEUE, str(account_id))


def _go_on(account_id: uuid.UUID) -> bool:
    """Verify one batch; return whether there is more."""
    state = _load(account_id)
    if state is None or state["over"]:
        return False
    until = time.monotonic() + _STRETCH_S
    walk = Walk(**state["walk"])
    with rls.as_system(), db.reading() as session:
        while time.monotonic() < until and not state["over"]:
            rows = records_after(session, account_id, walk.seen, walk.total, limit=_BATCH)
            for row in rows:
                walk.add(row)
            state["over"] = not rows or walk.seen >= walk.total
        if state["over"]:
            walk.finish(end_of(session, account_id), through=walk.total)
    _keep(account_id, {**state, "walk": asdict(walk)})
    return not state["over"]


def _load(account_id: uuid.UUID) -> dict[str, Any] | None:
    raw = redis_client.client().get(f"chain2:{account_id}")
    return None if raw is None else dict(json.loads(raw))


def _keep(account_id: uuid.UUID, state: dict[str, Any]) -> None:
    state |= {"beat": clock.epoch(), "at": clock.now().isoformat()}
    redis_client.client().set(f"chain2:{account_id}", json.dumps(state), ex=_KEPT_S)
