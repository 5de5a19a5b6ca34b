"""Rebuild roll-ups that are incomplete.

Processes of the previous release know fewer roll-ups, and insert calls beside those of this release during a
rolling update.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import LiteralString

from app.platform.postgres.db import Statements
from app.usage.models import BUCKETS

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
# Roll-ups of child keys are rebuilt from their own days: many rows, so for few days.
_ORPHANED: LiteralString = """
    SELECT k.account_id, k.organization_id, k.day, date_trunc('month', k.day::timestamp)::date AS month,
           (date_trunc('month', k.day::timestamp) + interval '1 month')::date AS until
    FROM (
        SELECT d.account_id, c.organization_id, d.day, sum(d.calls)::integer AS calls,
               sum(d.errors)::integer AS errors, sum(d.credits)::integer AS credits
        FROM api_keys c JOIN usage_days d ON d.account_id = c.account_id AND d.grain = 1
             AND d.api_key_id = c.id AND d.day >= %(since)s
        WHERE c.role = 'child' GROUP BY 1, 2, 3
    ) k
    LEFT JOIN usage_days o ON o.account_id = k.account_id AND o.grain = 5 AND o.day = k.day
         AND o.api_key_id = k.organization_id AND o.endpoint = ''
    WHERE (k.calls, k.errors, k.credits) IS DISTINCT FROM (o.calls, o.errors, o.credits)
    ORDER BY k.account_id, k.organization_id, k.day LIMIT 1
"""
_CHILDREN: LiteralString = f"""
    INSERT INTO usage_days (account_id, grain, day, api_key_id, endpoint, {", ".join(_COUNTS + BUCKETS)})
    SELECT d.account_id, 4 + d.grain, d.day, c.organization_id, d.endpoint,
           {", ".join(f"sum(d.{name})" for name in _COUNTS + BUCKETS)}
    FROM usage_days d JOIN api_keys c ON c.id = d.api_key_id AND c.account_id = d.account_id
    WHERE d.account_id = %(account_id)s AND d.grain IN (0, 1) AND d.day = %(day)s
      AND c.role = 'child' AND c.organization_id = %(organization_id)s
    GROUP BY 1, 2, 3, 4, 5
"""  # noqa: S608 (put together from constants of this package)
_OF_MONTH: LiteralString = "account_id = %(account_id)s AND day >= %(month)s AND day < %(until)s"


def repair(session: Statements, *, today: date) -> bool:
    """Rebuild one incomplete roll-up; return whether there was one.

    It checks this month and the last one for accounts, and yesterday and today for organizations.
    """
    last_month = (today.replace(day=1) - timedelta(days=1)).replace(day=1)
    return _organization(session, today - timedelta(days=1)) or _month(session, last_month)


def _organization(session: Statements, since: date) -> bool:
    """Rebuild the roll-up of one organization's child keys for one day, and for its month."""
    if session.one(_ORPHANED, {"since": since}) is None:
        return False
    # Nobody enters calls until this is committed, and what was entered before is seen: asked once more.
    session.run("LOCK TABLE usage_days IN SHARE ROW EXCLUSIVE MODE", {})
    short = session.one(_ORPHANED, {"since": since})
    if short is None:
        return False
    found = short._asdict()
    of_it = "account_id = %(account_id)s AND grain IN (4, 5) AND api_key_id = %(organization_id)s"
    session.run(f"DELETE FROM usage_days WHERE {of_it} AND day = %(day)s", found)  # noqa: S608 (constants)
    session.run(_CHILDREN, found)
    session.run(f"DELETE FROM usage_months WHERE {of_it} AND month = %(month)s", found)  # noqa: S608 (constants)
    session.run(ROLL_UP.format(condition=f"{of_it} AND day >= %(month)s AND day < %(until)s"), found)
    return True


def _month(session: Statements, since: date) -> bool:
    """Rebuild one month of one account. `since` is the first day of a month."""
    if session.one(_SHORT, {"since": since}) is None:
        return False
    # As above.
    session.run("LOCK TABLE usage_months IN SHARE ROW EXCLUSIVE MODE", {})
    short = session.one(_SHORT, {"since": since})
    if short is None:
        return False
    found = {"account_id": short.account_id, "month": short.month, "until": short.until}
    session.run("DELETE FROM usage_months WHERE account_id = %(account_id)s AND month = %(month)s", found)
    session.run(ROLL_UP.format(condition=_OF_MONTH), found)
    return True
