"""Events for every account, or for those that watch what they are about, copied to the accounts in batches.

To write an event for each account in one transaction would block all publishers until it ends (see
`outbox.py`). So the announcing transaction writes one row in `announcements`, and a worker copies it to a few
accounts at a time. If the worker dies, the row and its progress remain.

Webhooks and mails tell only accounts that watch a subject of the announcement (`watches.py`).
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from itertools import zip_longest
from typing import Any

from app import mail
from app.platform import settings
from app.platform.postgres import bulk, db, rls
from app.platform.postgres.db import Statements
from app.webhooks.event_bus.catalogue import CATALOGUE
from app.webhooks.event_bus.outbox import DELIVERIES

# Accounts whose turns are held together, and announcements that go to them in one statement: milliseconds.
_ACCOUNTS, _ANNOUNCEMENTS = 25, 100

_WRITE = """
    INSERT INTO announcements (id, type, scope, payload, created_at, subjects, watchers)
    SELECT id, type, scope, payload, created_at, ARRAY(SELECT json_array_elements_text(subjects)), watchers
    FROM json_to_recordset(%(rows)s)
        AS r(id uuid, type text, scope text, payload jsonb, created_at timestamptz, subjects json,
             watchers boolean)
    """
# Those that wait at the same place go together; rows that another process spreads are passed over.
_WAITING = """
    WITH first AS (
        SELECT scope, after, watchers FROM announcements
        ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ), taken AS (
        SELECT a.id, a.scope, a.after, a.watchers FROM announcements a JOIN first f
            ON a.scope = f.scope AND a.after IS NOT DISTINCT FROM f.after AND a.watchers = f.watchers
        ORDER BY a.created_at, a.id LIMIT %(most)s FOR UPDATE OF a SKIP LOCKED
    )
    SELECT coalesce(array_agg(id), '{}') AS ids, min(scope) AS scope, min(after::text) AS after,
        coalesce(bool_or(watchers), false) AS watchers
    FROM taken
    """
# Those who watch what it is about, and unless it is for them alone, who may read it: accounts with a key in
# force that has the scope.
_AUDIENCE = """
    SELECT coalesce(array_agg(account_id ORDER BY account_id), '{}') AS accounts FROM (
        SELECT account_id FROM api_keys
        WHERE NOT %(watchers)s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %(now)s)
            AND %(scope)s = ANY(scopes)
            AND (%(after)s::uuid IS NULL OR account_id > %(after)s::uuid)
        UNION
        SELECT w.account_id FROM announcements a JOIN watches w ON w.names && a.subjects
        JOIN accounts ON accounts.id = w.account_id AND accounts.closed_at IS NULL
        WHERE a.id = ANY(%(ids)s) AND (%(after)s::uuid IS NULL OR w.account_id > %(after)s::uuid)
        ORDER BY account_id LIMIT %(most)s
    ) next
    """
# In the order of their ids, so that two who spread cannot wait for each other.
_TURNS = """
    SELECT count(pg_advisory_xact_lock(hashtextextended('events:' || account::text, 0))) AS taken
    FROM (SELECT unnest(%(accounts)s::uuid[]) AS account ORDER BY 1) ordered
    """
# The id follows from what it says to whom: spread twice, it is one event.
_EVENTS = f"""
    WITH watched AS MATERIALIZED (
        SELECT DISTINCT w.account_id, a.id
        FROM watches w JOIN announcements a ON w.names && a.subjects
        WHERE w.account_id = ANY(%(accounts)s) AND a.id = ANY(%(ids)s)
    ), event AS (
        INSERT INTO events (id, account_id, type, created_at, payload)
        SELECT md5(a.id::text || account.id::text)::uuid, account.id, a.type, %(now)s, a.payload
        FROM unnest(%(accounts)s::uuid[]) AS account(id)
        JOIN announcements a ON a.id = ANY(%(ids)s)
        WHERE NOT a.watchers OR (account.id, a.id) IN (SELECT account_id, id FROM watched)
        ORDER BY account.id, a.created_at, a.id
        ON CONFLICT (id) DO NOTHING
        RETURNING id, account_id, api_key_id, type, created_at
    )
    {DELIVERIES} AND event.id IN (SELECT md5(id::text || account_id::text)::uuid FROM watched)
    """  # noqa: S608 - two constants
# One mail to each owner of an account with what happened to what it watches.
_MAILS = """
    SELECT coalesce(json_agg(row_to_json(one)), '[]'::json) AS mails FROM (
        SELECT m.email, m.language, min(w.account_id::text) AS account, json_agg(DISTINCT jsonb_build_object(
            'type', a.type, 'title', w.title, 'article', w.article, 'payload', a.payload)) AS news
        FROM announcements a
        JOIN watches w ON w.names && a.subjects AND w.mail AND w.account_id = ANY(%(accounts)s)
        JOIN members m ON m.account_id = w.account_id AND m.role = 'owner'
        WHERE a.id = ANY(%(ids)s)
        GROUP BY m.email, m.language
    ) one
    """
_FURTHER = "UPDATE announcements SET after = %(after)s WHERE id = ANY(%(ids)s)"
_DONE = "DELETE FROM announcements WHERE id = ANY(%(ids)s)"


def announce(
    session: Statements,
    event_type: str,
    payloads: Iterable[Mapping[str, Any]],
    *,
    scope: str,
    now: datetime,
    subjects: Iterable[Collection[str]] = (),
    watchers: bool = False,
) -> int:
    """Store announcements for every account with a key of `scope` or that watches them; return how many.

    Args:
        session: The caller's transaction.
        event_type: Name of the type in the catalogue.
        payloads: Data of the events.
        scope: What a key must be allowed for its account to be told.
        now: The current time.
        subjects: For each payload the names of what it is about; accounts that watch one of them are told by
            webhook and mail too.
        watchers: Whether the event is for accounts that watch it alone.

    Part of the caller's transaction: one statement without a lock, whatever the number of accounts. `spread`
    copies them after the commit.

    Raises:
        ValueError: The catalogue does not know the type or the payload.
    """
    known = CATALOGUE.get(event_type)
    rows = []
    for payload, about in zip_longest(payloads, subjects, fillvalue=None):
        if payload is None:
            raise ValueError("subjects without a payload")
        if known is None or known.reserved or set(payload) != set(known.fields):
            raise ValueError(
                f"event {event_type} with {sorted(payload)} is not in the catalogue, or reserved"
            )
        rows.append(
            {
                "id": uuid.uuid4(),
                "type": event_type,
                "scope": scope,
                "payload": dict(payload),
                "created_at": now,
                "subjects": sorted(about or ()),
                "watchers": watchers,
            }
        )
    return bulk.rows(session, _WRITE, rows)


def spread(now: datetime) -> int:
    """Copy announcements to the accounts, one transaction for each batch; return the number of batches.

    Runs as the system, because an account's own transaction sees no other account. Safe in any number of
    processes. An event has the time of its copy, so that readers by time miss none.
    """
    batches = 0
    while _spread_batch(now):
        batches += 1
    return batches


def _spread_batch(now: datetime) -> bool:
    # Every account that may read the law or watches it is told: as anybody less, there would be none to tell.
    with rls.as_system(), db.transaction() as session:
        waiting = session.one(_WAITING, {"most": _ANNOUNCEMENTS})
        if not waiting.ids:
            return False
        asked = {"now": now, "scope": waiting.scope, "after": waiting.after, "most": _ACCOUNTS}
        asked |= {"ids": waiting.ids, "watchers": waiting.watchers}
        accounts = session.one(_AUDIENCE, asked).accounts
        if accounts:
            session.run(_FURTHER, {"ids": waiting.ids, "after": accounts[-1]})
            # Last of the batch: other publishers of these accounts wait until it is committed.
            session.one(_TURNS, {"accounts": accounts})
            session.run(_EVENTS, {"ids": waiting.ids, "accounts": accounts, "now": now, "only": None})
            _mail(session, {"ids": waiting.ids, "accounts": accounts}, now)
        if len(accounts) < _ACCOUNTS:
            session.run(_DONE, {"ids": waiting.ids})
    return True


def _mail(session: db.Session, asked: Mapping[str, Any], now: datetime) -> None:
    """Ask for the mails to the owners of those accounts that watch what is announced."""
    if not mail.can_send():
        return
    wishes = [
        {
            "wanted": "watch",
            "email": one["email"],
            "language": one["language"],
            "base": settings.current().public_url.rstrip("/"),
            "account": one["account"],
            "news": json.dumps(one["news"]),
        }
        for one in session.one(_MAILS, asked).mails
    ]
    mail.ask_all(session, wishes, now=now)
