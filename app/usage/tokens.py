"""Tokens of models: what analyses cost their vendors, by day, key, model and stage."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date

import psycopg
import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform import log
from app.platform.postgres import bulk, db
from app.usage.models import UsageTokens
from app.usage.query import ReportQuery

_logger = log.logger("usage")

# In the order of the key, so that two who add to the same rows wait for each other and never in a circle.
_ADD = """
    INSERT INTO usage_tokens AS t (account_id, day, api_key_id, model, stage, own, input, cached, output)
    SELECT account_id, day, api_key_id, model, stage, own, input, cached, output
    FROM json_to_recordset(%(rows)s::json) AS sent (
        account_id uuid, day date, api_key_id uuid, model text, stage text, own boolean,
        input bigint, cached bigint, output bigint
    ) ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, day, api_key_id, model, stage, own) DO UPDATE SET
        input = t.input + excluded.input, cached = t.cached + excluded.cached,
        output = t.output + excluded.output
"""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one model at one stage of an analysis; `cached` is part of `input`."""

    account_id: uuid.UUID
    api_key_id: uuid.UUID
    day: date
    stage: str
    model: str
    own: bool
    input: int
    cached: int
    output: int


@dataclass(frozen=True, slots=True)
class ModelTokens:
    """Tokens of one model at one stage, over the range of a report."""

    model: str
    stage: str
    own: bool
    input: int
    cached: int
    output: int


def record_tokens(spent: Iterable[Tokens]) -> None:
    """Add tokens to their day. Never raises, because an answer must not fail over its metering."""
    rows = [asdict(one) for one in spent]
    if not rows:
        return
    try:
        db.atomically(lambda session: bulk.rows(session, _ADD, rows))
    except (psycopg.Error, sa.exc.SQLAlchemyError) as error:
        _logger.error("tokens not metered", exc_info=error, models=sorted({one["model"] for one in rows}))


def tokens(session: Session, question: ReportQuery) -> Sequence[ModelTokens]:
    """Return the tokens of a report's days and keys by model and stage; none of a single endpoint."""
    if question.endpoint is not None:
        return []
    sums = [sa.func.sum(one) for one in (UsageTokens.input, UsageTokens.cached, UsageTokens.output)]
    query = (
        sa.select(UsageTokens.model, UsageTokens.stage, UsageTokens.own, *sums)
        .where(
            UsageTokens.account_id == question.account_id,
            UsageTokens.day.between(question.first, question.last),
        )
        .group_by(UsageTokens.model, UsageTokens.stage, UsageTokens.own)
        .order_by(UsageTokens.model, UsageTokens.stage, UsageTokens.own)
    )
    if question.api_key_id is not None:
        query = query.where(UsageTokens.api_key_id == question.api_key_id)
    elif question.family is not None:
        query = query.where(UsageTokens.api_key_id.in_(question.family.keys))
    return [
        ModelTokens(model, stage, own, *map(int, counts))
        for model, stage, own, *counts in session.execute(query)
    ]
