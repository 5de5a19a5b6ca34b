"""The roll-up by month: what of it a report reads, and how it is made from days where it falls short."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import LiteralString

from app.platform.db import Statements
from app.usage.models import BUCKETS
from app.usage.periods import whole_months
from app.usage.question import Question

_COUNTS = ("calls", "errors", "rate_limited", "credits")

# Rows of `usage_months` from those of `usage_days`, whose condition is to follow.
ROLL_UP: LiteralString = f"""
    INSERT INTO usage_months (account_id, grain, month, api_key_id, endpoint, {", ".join(_COUNTS + BUCKETS)})
    SELECT account_id, grain, date_trunc('month', day::timestamp)::date, api_key_id, endpoint,
           {", ".join(f"sum({name})" for name in _COUNTS + BUCKETS)}
    FROM usage_days WHERE {{condition}} GROUP BY 1, 2, 3, 4, 5
"""  # noqa: S608 (put together from constants of this package)

# The coarsest rows tell whether a month is whole: every call is in them. By account, because the days of one
# account lie together.
_SHORT: LiteralString = """
    SELECT a.id AS account_id, d.month, d.until FROM accounts a CROSS JOIN LATERAL (
        SELECT date_trunc('month', day::timestamp)::date AS month,
               (date_trunc('month', day::timestamp) + interval '1 month')::date AS until,
               sum(calls)::integer AS calls, sum(errors)::integer AS errors, sum(credits)::integer AS credits
        FROM usage_days WHERE account_id = a.id AND grain = 3 AND day >= %(since)s GROUP BY 1, 2
    ) d
    LEFT JOIN usage_months m ON m.account_id = a.id AND m.grain = 3 AND m.month = d.month
    WHERE (d.calls, d.errors, d.credits) IS DISTINCT FROM (m.calls, m.errors, m.credits)
    ORDER BY a.id, d.month LIMIT 1
"""
_OF_MONTH: LiteralString = "account_id = %(account_id)s AND day >= %(month)s AND day < %(until)s"


def mend(session: Statements, *, since: date) -> bool:
    """Make one month anew of one account whose days say more than it; whether there was one.

    `since` is the first day of a month. Processes of a release that knows no months enter days alone, and run
    beside those of this one while it is rolled out.
    """
    if session.one(_SHORT, {"since": since}) is None:
        return False
    # Nobody enters calls until this is committed, and what was entered before is seen: asked once more.
    session.run("LOCK TABLE usage_months IN SHARE ROW EXCLUSIVE MODE", {})
    short = session.one(_SHORT, {"since": since})
    if short is None:
        return False
    found = {"account_id": short.account_id, "month": short.month, "until": short.until}
    session.run("DELETE FROM usage_months WHERE account_id = %(account_id)s AND month = %(month)s", found)
    session.run(ROLL_UP.format(condition=_OF_MONTH), found)
    return True


def rows(
    question: Question,
    columns: str,
    *,
    by_key: bool = False,
    by_endpoint: bool = False,
    by_day: bool = False,
) -> tuple[str, Mapping[str, object]]:
    """A sub-query with these columns of the coarsest rows that answer, and its parameters.

    Whole months come from the roll-up by month, with its first day as `day`, unless days are wanted apart.
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
