"""The usage report: totals, by key, by endpoint, by period, from one snapshot of the roll-up."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.tenancy import ApiKey
from app.usage.histogram import added, percentile
from app.usage.models import BUCKETS
from app.usage.periods import periods, start_of
from app.usage.question import Question


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over calls. `errors` are answers of 400 and above, `rate_limited` (429) among them."""

    calls: int
    errors: int
    rate_limited: int
    credits: int
    latency_p50_ms: int
    latency_p95_ms: int


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The calls of one key; what describes it is of the present."""

    api_key_id: uuid.UUID
    name: str | None
    prefix: str | None
    tier: str | None
    role: str | None
    organization_id: uuid.UUID | None
    child_label: str | None
    calls: int
    errors: int
    rate_limited: int
    credits: int


@dataclass(frozen=True, slots=True)
class Report:
    """Parts of one whole: keys, endpoints and periods each sum to `totals`. Keys and endpoints without a
    call are left out and the busiest come first; every period is there, in order. `keys` counts the keys with
    a call: `by_key` may hold the busiest of them alone."""

    question: Question
    totals: Figures
    by_key: list[KeyUsage]
    keys: int
    by_endpoint: list[tuple[str, Figures]]
    buckets: list[tuple[date, Figures]]


# Up to so many keys are looked up one by one, more of them with all the account's.
_FEW = 500
_COUNTS = ("calls", "errors", "rate_limited", "credits")
_SUMS = ", ".join(f"sum({name})::bigint AS {name}" for name in _COUNTS)
_HISTOGRAM = ", ".join(f"coalesce(sum({name}), 0)::bigint AS {name}" for name in BUCKETS)


def report(session: Session, question: Question, *, busiest: int | None = None) -> Report:
    """Answer `question`. Everything comes from one statement, so that no call is in one part only.

    With `busiest` so many keys are named at most; then keys no longer sum to `totals`.
    """
    by_day, parameters = question.where()
    by_endpoint, _ = question.where(by_endpoint=True)
    by_key, _ = question.where(by_key=True)
    found = session.execute(_statement(by_day, by_endpoint, by_key), {**parameters, "busiest": busiest})
    days: list[Sequence[Any]] = []
    endpoints: list[Sequence[Any]] = []
    keys: list[Sequence[Any]] = []
    for row in found:
        (days if row[0] is not None else endpoints if row[1] is not None else keys).append(row)
    return Report(
        question,
        totals=_figures(days),
        by_key=_named(session, question.account_id, keys),
        keys=keys[0][-1] if keys else 0,
        by_endpoint=sorted(
            ((row[1], _figures([row])) for row in endpoints), key=lambda item: (-item[1].calls, item[0])
        ),
        buckets=_buckets(question, days),
    )


@cache
def _statement(by_day: str, by_endpoint: str, by_key: str) -> sa.TextClause:
    # Keys need no histogram: NULLs, so that the union has one width. Its last column counts the keys.
    return sa.text(
        f"""
        SELECT day, NULL::text AS endpoint, NULL::uuid AS api_key_id, {_SUMS}, {_HISTOGRAM},
               NULL::bigint AS keys
        FROM usage_days WHERE {by_day} GROUP BY day
        UNION ALL
        SELECT NULL, endpoint, NULL, {_SUMS}, {_HISTOGRAM}, NULL
        FROM usage_days WHERE {by_endpoint} GROUP BY endpoint
        UNION ALL
        (SELECT NULL, NULL, api_key_id, {_SUMS}, {", ".join("NULL" for _ in BUCKETS)}, count(*) OVER ()
        FROM usage_days WHERE {by_key} GROUP BY api_key_id
        ORDER BY sum(calls) DESC, api_key_id LIMIT :busiest)
        """  # noqa: S608 (put together from constants of this package)
    )


def _figures(rows: Sequence[Sequence[Any]]) -> Figures:
    histogram = added(row[7:-1] for row in rows)
    calls, errors, rate_limited, credits = (sum(row[i] for row in rows) for i in range(3, 7))
    return Figures(
        calls, errors, rate_limited, credits, percentile(histogram, 0.5), percentile(histogram, 0.95)
    )


def _buckets(question: Question, days: Iterable[Sequence[Any]]) -> list[tuple[date, Figures]]:
    inside: dict[date, list[Sequence[Any]]] = defaultdict(list)
    for row in days:
        inside[start_of(row[0], question.granularity)].append(row)
    wanted = periods(question.first, question.last, question.granularity)
    return [(period.start, _figures(inside.get(period.start, []))) for period in wanted]


def _named(session: Session, account_id: uuid.UUID, keys: Sequence[Sequence[Any]]) -> list[KeyUsage]:
    named = sa.select(
        ApiKey.id,
        ApiKey.name,
        ApiKey.key_prefix,
        ApiKey.tier,
        ApiKey.role,
        ApiKey.organization_id,
        ApiKey.child_label,
    )
    if len(keys) <= _FEW:
        named = named.where(ApiKey.id.in_([row[2] for row in keys]))
    known = {row[0]: row for row in session.execute(named.where(ApiKey.account_id == account_id))}
    nobody = (None,) * 7
    found = [KeyUsage(row[2], *known.get(row[2], nobody)[1:], *row[3:7]) for row in keys]
    return sorted(found, key=lambda item: (-item.calls, item.api_key_id))
