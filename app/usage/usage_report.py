"""The usage report: totals, by key, by endpoint and by period, read in one statement."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.tenancy import ApiKey
from app.usage.histogram import percentiles, summed
from app.usage.models import BUCKETS
from app.usage.periods import Granularity, periods
from app.usage.query import ReportQuery, rows

# By which figure keys are put in order, the greatest first.
Order = Literal["calls", "errors", "credits"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over calls. `errors` counts statuses of 400 and above, `rate_limited` (429) among them."""

    calls: int
    errors: int
    rate_limited: int
    credits: int
    latency_p50_ms: int
    latency_p95_ms: int


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The calls of one key; name, tier and role are the current ones."""

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
    """A usage report, in which keys, endpoints and periods each sum to `totals`.

    Keys and endpoints without a call are left out and the busiest come first; every period is listed, in
    order. `keys` counts the keys with a call: `by_key` may be limited to the busiest of them, or empty, and
    `by_endpoint` left out.
    """

    question: ReportQuery
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


def report(
    session: Session,
    question: ReportQuery,
    *,
    busiest: int | None = None,
    endpoints: bool = True,
    order: Order = "calls",
) -> Report:
    """Answer `question`, from one statement, so that no call is counted in one part only.

    Args:
        session: The session.
        question: A checked question of `ask`.
        busiest: Largest number of keys in `by_key`, which then need not sum to `totals`; 0 leaves the part
            out.
        endpoints: False leaves the part by endpoint out, which is quicker.
        order: The figure of which `busiest` keys have the most; they come in its order.
    """
    by_period, parameters = rows(
        question, ", ".join(_COUNTS + BUCKETS), by_day=question.granularity != "month"
    )
    by_endpoint = by_key = ""
    if endpoints:
        by_endpoint, more = rows(question, ", ".join(("endpoint", *_COUNTS, *BUCKETS)), by_endpoint=True)
        parameters = {**parameters, **more}
    if busiest != 0:
        by_key, more = rows(question, ", ".join(("api_key_id", *_COUNTS)), by_key=True)
        parameters = {**parameters, **more, "busiest": busiest}
    found = session.execute(
        _statement(question.granularity, by_period, by_endpoint, by_key, order), dict(parameters)
    )
    days: list[Sequence[Any]] = []
    routes: list[Sequence[Any]] = []
    keys: list[Sequence[Any]] = []
    for row in found:
        (days if row[0] is not None else routes if row[1] is not None else keys).append(row)
    return Report(
        question,
        totals=_figures(days),
        by_key=_named(session, question.account_id, keys, order),
        keys=keys[0][-1] if keys else 0,
        by_endpoint=sorted(
            ((row[1], _figures([row])) for row in routes), key=lambda item: (-item[1].calls, item[0])
        ),
        buckets=_buckets(question, days),
    )


def endpoints(session: Session, question: ReportQuery) -> list[str]:
    """Return the endpoints with a call, by name; quicker than a report."""
    source, parameters = rows(question, "endpoint", by_endpoint=True)
    statement = sa.text(f"SELECT DISTINCT endpoint FROM {source} ORDER BY endpoint")  # noqa: S608 (constants)
    return list(session.scalars(statement, dict(parameters)))


@cache
def _statement(
    granularity: Granularity, by_period: str, by_endpoint: str, by_key: str, order: Order
) -> sa.TextClause:
    parts = [
        f"""
        SELECT date_trunc('{granularity}', day::timestamp)::date AS period, NULL::text AS endpoint,
               NULL::uuid AS api_key_id, {_SUMS}, {_HISTOGRAM}, NULL::bigint AS keys
        FROM {by_period} GROUP BY period
        """  # noqa: S608 (put together from constants of this package)
    ]
    if by_endpoint:
        parts.append(
            f"SELECT NULL, endpoint, NULL, {_SUMS}, {_HISTOGRAM}, NULL FROM {by_endpoint} GROUP BY endpoint"  # noqa: S608
        )
    if by_key:
        # Keys need no histogram: NULLs, so that the union has one width. Its last column counts the keys.
        parts.append(
            f"""
            (SELECT NULL, NULL, api_key_id, {_SUMS}, {", ".join("NULL" for _ in BUCKETS)}, count(*) OVER ()
            FROM {by_key} GROUP BY api_key_id ORDER BY sum({order}) DESC, api_key_id LIMIT :busiest)
            """  # noqa: S608
        )
    return sa.text(" UNION ALL ".join(parts))


_NOTHING = Figures(0, 0, 0, 0, 0, 0)


def _figures(rows: Sequence[Sequence[Any]]) -> Figures:
    if not rows:
        return _NOTHING
    histogram = rows[0][7:-1] if len(rows) == 1 else summed(row[7:-1] for row in rows)
    counts = rows[0][3:7] if len(rows) == 1 else (sum(row[i] for row in rows) for i in range(3, 7))
    return Figures(*counts, *percentiles(histogram, 0.5, 0.95))


def _buckets(question: ReportQuery, days: Iterable[Sequence[Any]]) -> list[tuple[date, Figures]]:
    inside = {row[0]: [row] for row in days}
    wanted = periods(question.first, question.last, question.granularity)
    return [(period.start, _figures(inside.get(period.start, []))) for period in wanted]


def _named(
    session: Session, account_id: uuid.UUID, keys: Sequence[Sequence[Any]], order: Order
) -> list[KeyUsage]:
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
    unknown = (None,) * 7
    found = [KeyUsage(row[2], *known.get(row[2], unknown)[1:], *row[3:7]) for row in keys]
    return sorted(found, key=lambda item: (-getattr(item, order), item.api_key_id))
