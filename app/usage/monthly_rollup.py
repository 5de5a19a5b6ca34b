"""The monthly roll-up: the statement that builds it from days, and the choice of rows for a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import LiteralString

from app.usage.models import BUCKETS
from app.usage.periods import whole_months
from app.usage.query import Question

_COUNTS = ("calls", "errors", "rate_limited", "credits")

# Rows of `usage_months` from those of `usage_days`, whose condition is to follow.
ROLL_UP: LiteralString = f"""
    INSERT INTO usage_months (account_id, grain, month, api_key_id, endpoint, {", ".join(_COUNTS + BUCKETS)})
    SELECT account_id, grain, date_trunc('month', day::timestamp)::date, api_key_id, endpoint,
           {", ".join(f"sum({name})" for name in _COUNTS + BUCKETS)}
    FROM usage_days WHERE {{condition}} GROUP BY 1, 2, 3, 4, 5
"""  # noqa: S608 (put together from constants of this package)


def rows(
    question: Question,
    columns: str,
    *,
    by_key: bool = False,
    by_endpoint: bool = False,
    by_day: bool = False,
) -> tuple[str, Mapping[str, object]]:
    """Return a sub-query with these columns of the coarsest rows that answer, and its parameters.

    Whole months come from the monthly roll-up, with their first day as `day`, unless `by_day` is set.
    """
    condition, parameters = question.where(by_key=by_key, by_endpoint=by_endpoint)
    found: dict[str, object] = {**parameters, "first": question.first, "last": question.last}
    months = None if by_day else whole_months(question.first, question.last)

    def part(table: str, period: str, days: str) -> str:
        return f"SELECT {period} AS day, {columns} FROM {table} WHERE {condition} AND {period} {days}"  # noqa: S608 (constants of this package)

    if months is None:
        return f"({part('usage_days', 'day', 'BETWEEN :first AND :last')}) AS r", found
    # The conditions of the days before and after hold for none where the range begins and ends with months.
    found["begin"], found["end"] = months
    parts = (
        part("usage_months", "month", "BETWEEN :begin AND :end"),
        part("usage_days", "day", ">= :first AND day < :begin"),
        part("usage_days", "day", "> :end AND day <= :last"),
    )
    return f"({' UNION ALL '.join(parts)}) AS r", found
