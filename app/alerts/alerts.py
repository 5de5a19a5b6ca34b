"""Finding what is due to be told, and telling it once.

A round reads the roll-up of usage and the balances of all accounts, so that no request pays for an alert:
what was spent is told within half a minute. A share that was jumped over is not told after the higher one.
"""

from __future__ import annotations

import uuid
from datetime import date, datetime, timedelta
from typing import Any, LiteralString

from app import credits, mail, usage, webhooks
from app.platform import clock
from app.platform.postgres import bulk, db, rls

SHARES = (50, 80, 100)
# Keys that expire within this time are told by mail.
EXPIRES_SOON = timedelta(days=7)
# An alert is of a month, of a key's last week or of a top-up: older ones can come up no more.
_KEPT = timedelta(days=400)
_AT_ONCE = 200

_CAP_SHARE: LiteralString = """
    CASE WHEN m.credits >= k.monthly_credit_cap THEN 100
         WHEN m.credits::bigint * 100 >= k.monthly_credit_cap::bigint * 80 THEN 80 ELSE 50 END
    """
_CAP_NAME: LiteralString = (
    "'spend_cap.alert ' || k.id || ' ' || %(month)s || ' ' || k.monthly_credit_cap || ' '"
)
# Keys whose share has not been told; nor has a higher one, which is told where spending was corrected since.
_CAPS: LiteralString = f"""
    SELECT coalesce(json_agg(row_to_json(due)), '[]'::json) AS found FROM (
        SELECT k.account_id, k.id, coalesce(k.child_label, k.name) AS name, k.monthly_credit_cap AS cap,
               m.credits AS spent, {_CAP_SHARE} AS percent
        FROM api_keys k
        JOIN usage_months m ON m.account_id = k.account_id AND m.grain = 1
            AND m.month = CAST(%(month)s AS date) AND m.api_key_id = k.id AND m.endpoint = ''
        WHERE k.monthly_credit_cap > 0 AND k.revoked_at IS NULL
            AND m.credits::bigint * 100 >= k.monthly_credit_cap::bigint * 50
            AND NOT EXISTS (
                SELECT 1 FROM alerts a, unnest(ARRAY[50, 80, 100]) AS share
                WHERE share >= {_CAP_SHARE} AND a.account_id = k.account_id AND a.name = {_CAP_NAME} || share
            )
        ORDER BY k.account_id, k.id LIMIT %(most)s
    ) due
    """  # noqa: S608 (our own words)
_BALANCES = """
    SELECT coalesce(json_agg(row_to_json(due)), '[]'::json) AS found FROM (
        SELECT account_id, CASE WHEN balance = 0 THEN 100
                   WHEN (topped_up_to - balance)::bigint * 100 >= topped_up_to::bigint * 80 THEN 80
                   ELSE 50 END AS percent
        FROM credit_balances b JOIN accounts ON accounts.id = b.account_id AND accounts.closed_at IS NULL
        WHERE topped_up_to > 0 AND told_percent < 100
            AND (topped_up_to - balance)::bigint * 100 >= topped_up_to::bigint
                * CASE told_percent WHEN 0 THEN 50 WHEN 50 THEN 80 ELSE 100 END
        ORDER BY account_id LIMIT %(most)s
    ) due
    """
_EXPIRING = """
    SELECT coalesce(json_agg(row_to_json(due)), '[]'::json) AS found FROM (
        SELECT k.account_id, k.id, coalesce(k.child_label, k.name) AS name, k.expires_at,
               'key_expiring ' || k.id || ' ' || extract(epoch FROM k.expires_at)::bigint AS told
        FROM api_keys k
        WHERE k.revoked_at IS NULL AND k.expires_at > %(now)s AND k.expires_at <= %(until)s
            AND NOT EXISTS (
                SELECT 1 FROM alerts a WHERE a.account_id = k.account_id
                    AND a.name = 'key_expiring ' || k.id || ' ' || extract(epoch FROM k.expires_at)::bigint
            )
        ORDER BY k.account_id, k.id LIMIT %(most)s
    ) due
    """
# Of two workers that find the same, one writes the row.
_TELL = """
    INSERT INTO alerts (account_id, name, at) VALUES (%(account)s, %(name)s, %(now)s) ON CONFLICT DO NOTHING
    """
_FORGET = "DELETE FROM alerts WHERE at < %(before)s"


@rls.as_system()
def tell_due(now: datetime) -> int:
    """Tell what is due, each in a transaction of its own; return how many. A scheduled task.

    Any number of processes may run it at once.
    """
    asked = {"now": now, "until": now + EXPIRES_SOON, "month": _month(now).isoformat(), "most": _AT_ONCE}
    with db.statements() as session:
        caps = session.one(_CAPS, asked).found
        balances = session.one(_BALANCES, asked).found
        expiring = session.one(_EXPIRING, asked).found
    told = sum(_tell_cap(one, now) for one in caps)
    told += sum(_tell_balance(one, now) for one in balances)
    return told + sum(_tell_expiry(one, now) for one in expiring)


def _tell_cap(one: dict[str, Any], now: datetime) -> bool:
    """Tell that a key has spent a share of its cap, by event and mail."""
    account_id, key_id = uuid.UUID(one["account_id"]), uuid.UUID(one["id"])
    month, cap, percent = _month(now), int(one["cap"]), int(one["percent"])
    name = f"spend_cap.alert {key_id} {month.isoformat()} {cap} {percent}"
    use = usage.CapUse(key_id, None, one["name"], cap, int(one["spent"]))
    reached = use.reached_on(now.date())
    ends = (month + timedelta(days=32)).replace(day=1)
    with db.transaction() as session:
        if not _is_first(session, account_id, name, now):
            return False
        facts = {
            "percent": percent,
            "monthlyCreditCap": cap,
            "spent": use.spent,
            "reachedOn": reached.isoformat() if reached else None,
            "resetsAt": f"{ends.isoformat()}T00:00:00.000Z",
        }
        mail.notify(session, account_id, "cap", {**facts, "key": str(key_id), "name": use.name}, now=now)
        webhooks.publish(session, account_id, "spend_cap.alert", facts, now=now, api_key_id=key_id)
    return True


def _tell_balance(one: dict[str, Any], now: datetime) -> bool:
    """Tell that a share of the credits of the last top-up is spent, by event and mail."""
    account_id, percent = uuid.UUID(one["account_id"]), int(one["percent"])
    with db.transaction() as session:
        found = credits.tell_share(session, account_id, percent)
        if found is None:
            return False
        balance, topped_up_to = found
        facts = {
            "percent": percent,
            "balance": balance,
            "toppedUpTo": topped_up_to,
            "lastsUntil": _lasts_until(session, account_id, balance, now.date()),
        }
        mail.notify(session, account_id, "balance", facts, now=now)
        webhooks.publish(session, account_id, "credits.alert", facts, now=now)
    return True


def _tell_expiry(one: dict[str, Any], now: datetime) -> bool:
    """Tell by mail that a key is about to expire."""
    account_id = uuid.UUID(one["account_id"])
    with db.transaction() as session:
        if not _is_first(session, account_id, one["told"], now):
            return False
        expires = clock.iso(datetime.fromisoformat(one["expires_at"]))
        facts = {"key": one["id"], "name": one["name"], "expiresAt": expires}
        mail.notify(session, account_id, "key_expiring", facts, now=now)
    return True


def _is_first(session: db.Session, account_id: uuid.UUID, name: str, now: datetime) -> bool:
    return session.run(_TELL, {"account": account_id, "name": name, "now": now}) == 1


def _lasts_until(session: db.Session, account_id: uuid.UUID, balance: int, today: date) -> str | None:
    """Return the day on which the credits end at the rate of the last thirty days, as ISO 8601."""
    question = usage.ask_of_account(
        session, account_id, today=today, first=today - usage.BURN_WINDOW, last=today
    )
    spent = usage.report(session, question, busiest=0, endpoints=False).buckets
    days = usage.burn_rate([(day, one.credits) for day, one in spent], today).lasts_days(balance)
    return None if days is None else (today + timedelta(days=days)).isoformat()


def _month(now: datetime) -> date:
    return now.date().replace(day=1)


def forget(session: db.Statements, *, now: datetime) -> int:
    """Delete old notes of what was told; return how many."""
    return session.run(_FORGET, {"before": now - _KEPT})


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of notes of a closed account; return how many."""
    return bulk.erase(session, ("alerts",), account_id)
