"""The newest calls of an account, for the portal."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.usage.models import UsageCall
from app.usage.rollup import Call


def latest(session: Session, account_id: uuid.UUID, *, limit: int) -> Sequence[Call]:
    """Return the newest calls, newest first, without charges that came after a call (status 0)."""
    rows = session.scalars(
        sa.select(UsageCall)
        .where(UsageCall.account_id == account_id, UsageCall.status > 0)
        .order_by(UsageCall.at.desc())
        .limit(limit)
    )
    return [
        Call(
            at=row.at,
            account_id=row.account_id,
            api_key_id=row.api_key_id,
            endpoint=row.endpoint,
            status=row.status,
            latency_ms=row.latency_ms,
            credits=row.credits,
            id=row.id,
        )
        for row in rows
    ]
