"""The database that `benchmarks.portal` asks: one large account, a year old.

A demonstration partner with every kind of key, a whole chain of audit records, a year of calls in the
roll-up, webhooks, deliveries, jobs and ledger. Everything is drawn in SQL or copied in, by its time.
"""

from __future__ import annotations

import hashlib
import json
import random
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from app import credits, tenancy
from app.governance.chain import GENESIS
from app.platform import clock, settings
from app.platform.postgres import db
from app.tenancy.members import add_member
from app.usage.histogram import BOUNDS
from app.usage.models import ALL_KEYS, BUCKETS
from app.usage.rollup_repair import ROLL_UP

EMAIL, PASSWORD = "partner@candado.example", "a long enough password"
# An account can have five organizations: the last one is made with the pages of `tests/portal/pages.py`.
ORGANIZATIONS, CHILDREN, CUT_OFF = 4, 200, 300
WEBHOOKS, DELIVERIES, EVENTS, JOBS, MEMBERS = 500, 20_000, 5_000, 5_000, 50

# A digest makes ids that compress as badly as real ones.
_KEY = "md5('key ' || {n})::uuid"
_KEYS = """
    INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, role, tier, scopes, created_at,
                          expires_at, revoked_at, last_used_at, organization_id, parent_key_id, child_label)
    SELECT md5('key ' || n)::uuid, %(account)s, name, 'svc_' || substr(md5('prefix ' || n), 1, 8),
           sha256(n::text::bytea), role, (ARRAY['standard', 'premium', 'enterprise'])[1 + n %% 3],
           CASE n %% 3 WHEN 0 THEN '{{analyze}}' WHEN 1 THEN '{{analyze,query}}' ELSE '{{analyze,query,mcp}}'
           END::text[],
           %(now)s - interval '370 days' + n * interval '50 minutes',
           CASE WHEN n %% 5 = 0 THEN %(now)s + (n %% 400 - 100) * interval '1 day' END,
           CASE WHEN cut THEN %(now)s - (n %% 90) * interval '1 day' END,
           CASE WHEN n %% 4 > 0 THEN %(now)s - (n %% 300) * interval '1 hour' END,
           CASE WHEN role <> 'solo' THEN md5('organization ' || o)::uuid END,
           CASE WHEN role = 'child' THEN md5('key ' || o)::uuid END,
           CASE WHEN role = 'child' THEN name END
    FROM (
        SELECT n, CASE WHEN n < {orgs} THEN 'master' WHEN n < {family} THEN 'child' ELSE 'solo' END AS role,
               CASE WHEN n < {orgs} THEN n WHEN n < {family} THEN (n - {orgs}) / {children} ELSE 0 END AS o,
               CASE WHEN n < {orgs} THEN false WHEN n < {family} THEN (n - {orgs}) %% {children} >= {alive}
                    ELSE n %% 4 = 3 END AS cut,
               (ARRAY['Gestoría', 'Despacho', 'Asesoría', 'Procuradores', 'Notaría'])[1 + n %% 5] || ' '
               || (ARRAY['Vidal', 'Prado', 'Herrero', 'Ribera', 'Olmo', 'Ferrer', 'Gil'])[1 + n %% 7]
               || ', ' || (ARRAY['expedientes', 'contratos', 'recursos'])[1 + n %% 3] || ' ' || n AS name
        FROM generate_series(0, {keys} - 1) AS n
    ) AS drawn ORDER BY n
"""
_ORGANIZATIONS = """
    INSERT INTO organizations (id, account_id, name, created_at)
    SELECT md5('organization ' || o)::uuid, %(account)s, 'Red de despachos ' || o, %(now)s
    FROM generate_series(0, {orgs} - 1) AS o
"""
# Weights 1/n: a few keys make most calls, and nearly every key some.
_CALLS = """
    CREATE UNLOGGED TABLE drawn AS
    SELECT floor(power({keys}, random()))::int - 1 AS key,
           '/api/v1/route-' || floor(8 * power(random(), 2))::int AS endpoint,
           %(now)s - floor(365 * 86400 * random()) * interval '1 second' AS at,
           CASE WHEN random() < 0.02 THEN 429 WHEN random() < 0.03 THEN 400 ELSE 200 END AS status,
           floor(exp(8 * power(random(), 2) + random()))::int AS latency_ms
    FROM generate_series(1, {calls})
"""
_ROLL_UP = """
    INSERT INTO usage_days
    SELECT %(account)s, GROUPING(key, endpoint), day, coalesce(key, '{all_keys}'), coalesce(endpoint, ''),
           count(*), count(*) FILTER (WHERE status >= 400), count(*) FILTER (WHERE status = 429),
           count(*) FILTER (WHERE status = 200), {counted}
    FROM (SELECT md5('key ' || key)::uuid AS key, endpoint, (at AT TIME ZONE 'UTC')::date AS day, status,
                 width_bucket(latency_ms, ARRAY[{bounds}]) AS bucket FROM drawn) AS d
    GROUP BY day, CUBE (key, endpoint) ORDER BY day
"""
_ORGANIZED = f"""
    INSERT INTO usage_days
    SELECT d.account_id, 4 + d.grain, d.day, k.organization_id, d.endpoint, sum(calls), sum(errors),
           sum(rate_limited), sum(credits), {", ".join(f"sum({name})" for name in BUCKETS)}
    FROM usage_days d JOIN api_keys k ON k.id = d.api_key_id WHERE d.grain < 2 AND k.role = 'child'
    GROUP BY 1, 2, 3, 4, 5
"""
_MONTHS = ROLL_UP.format(condition="true")
_RAW = """
    INSERT INTO usage_calls (id, at, account_id, api_key_id, endpoint, status, latency_ms, credits)
    SELECT uuidv7(at - now()), at, %(account)s, md5('key ' || key)::uuid, endpoint, status, latency_ms,
           (status = 200)::int
    FROM drawn WHERE at > %(now)s - interval '30 days' ORDER BY at
"""
_LEDGER = """
    INSERT INTO credit_ledger (id, account_id, created_at, amount, kind, balance_after, api_key_id,
                               reference_type, reference_id, operation_type)
    SELECT gen_random_uuid(), %(account)s,
           %(now)s - (31536000.0 * ({rows} - n) / {rows}) * interval '1 second',
           -1, 'consumption', 2000000 - n, md5('key ' || (n %% {keys}))::uuid, 'analysis',
           md5('analysis ' || n)::uuid::text, 'analyze'
    FROM generate_series(1, {rows}) AS n
"""
_WEBHOOKS = """
    INSERT INTO webhook_endpoints (id, account_id, api_key_id, url, events, active, secret, created_at,
                                   last_delivery_at, exhausted_in_a_row, slow)
    SELECT md5('webhook ' || n)::uuid, %(account)s, md5('key ' || n %% 100)::uuid,
           'https://hooks-' || n || '.example.com/in/' || md5(n::text),
           '{{analysis.completed,analysis.failed}}', n %% 7 > 0, '\\x00',
           %(now)s - n * interval '12 hours', %(now)s - n * interval '1 minute', 0, false
    FROM generate_series(0, {webhooks} - 1) AS n
"""
_EVENTS = """
    INSERT INTO events (id, account_id, api_key_id, type, created_at, payload)
    SELECT md5('event ' || n)::uuid, %(account)s, md5('key ' || n %% 100)::uuid, 'analysis.completed',
           %(now)s - ({events} - n) * interval '5 minutes',
           jsonb_build_object('analysisId', md5('analysis ' || n)::uuid, 'creditsCharged', 1)
    FROM generate_series(1, {events}) AS n
"""
# A quarter of them to one webhook.
_DELIVERIES = """
    INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, status, attempts, created_at,
                                    last_status_code, delivered_at)
    SELECT md5('delivery ' || n)::uuid, %(account)s,
           md5('webhook ' || CASE WHEN n %% 4 = 0 THEN 0 ELSE n %% {webhooks} END)::uuid,
           md5('event ' || (1 + n %% {events}))::uuid,
           CASE WHEN n %% 9 = 0 THEN 'exhausted' ELSE 'success' END, 1 + n %% 3,
           %(now)s - ({deliveries} - n) * interval '1 minute', CASE WHEN n %% 9 = 0 THEN 500 ELSE 200 END,
           CASE WHEN n %% 9 > 0 THEN %(now)s END
    FROM generate_series(1, {deliveries}) AS n
"""
_JOBS = """
    INSERT INTO jobs (id, account_id, api_key_id, kind, status, request_id, poll_url, total, done, hold_id,
                      credits_charged, created_at, started_at, completed_at, expires_at, due_at, queued_at,
                      attempt)
    SELECT md5('job ' || n)::uuid, %(account)s, md5('key ' || n %% {keys})::uuid, 'analyze', 'completed',
           'req_' || md5('job ' || n)::uuid, 'http://localhost/', 1, 1, gen_random_uuid(), 1, at, at, at,
           at + interval '1 day', at, at, 1
    FROM (SELECT n, %(now)s - ({jobs} - n) * interval '8 minutes' AS at FROM generate_series(1, {jobs}) AS n)
"""

# What is left of documents of the audit trail after their time.
_DOCUMENTS = """
    INSERT INTO audit_documents (id, account_id, first_day, last_day, flagged, language, status, done, total,
                                 records, created_at, due_at, attempt, completed_at, parts, size, expires_at)
    SELECT md5('document ' || n)::uuid, %(account)s, (at - interval '30 days')::date, at::date, false, 'es',
           'expired', 0, 0, 1000 * n, at, at, 1, at, 0, 0, at + interval '1 day'
    FROM (SELECT n, %(now)s - n * interval '2 days' AS at FROM generate_series(1, 20) AS n)
"""


@dataclass(frozen=True)
class Filled:
    """Ids for the addresses of pages, and what it took to fill: seconds by step."""

    account_id: uuid.UUID
    member_id: uuid.UUID
    colleague_id: uuid.UUID
    invitation: str
    reset: str
    keys: int
    seconds: dict[str, float]

    @staticmethod
    def id_of(what: str, number: int) -> uuid.UUID:
        """The id of the so many-th key, organization, webhook, job or document."""
        return uuid.UUID(hashlib.md5(f"{what} {number}".encode(), usedforsecurity=False).hexdigest())


def fill(keys: int, records: int, calls: int) -> Filled:
    """Fill the database of the settings. At least 2,004 keys, of which so many belong to organizations."""
    now = clock.now()
    children = CHILDREN + CUT_OFF
    family = ORGANIZATIONS * (1 + children)
    assert keys >= family, f"there are {family} keys in organizations alone"
    names: dict[str, Any] = {
        "keys": keys, "orgs": ORGANIZATIONS, "family": family, "children": children, "alive": CHILDREN,
        "webhooks": WEBHOOKS, "events": EVENTS, "deliveries": DELIVERIES, "jobs": JOBS, "calls": calls,
        "rows": records, "all_keys": ALL_KEYS, "bounds": ", ".join(map(str, BOUNDS)),
        "counted": ", ".join(f"nullif(count(*) FILTER (WHERE bucket = {i}), 0)" for i in range(len(BUCKETS))),
    }  # fmt: skip
    filled = _people(now, keys)
    values = {"account": filled.account_id, "now": now}
    url = settings.current().database_url.get_secret_value()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        for step, statements in {
            "keys": (_ORGANIZATIONS, _KEYS),
            "usage": (_CALLS, _ROLL_UP, _ORGANIZED, _MONTHS, _RAW, "DROP TABLE drawn"),
            "ledger": (_LEDGER,),
            "webhooks": (_WEBHOOKS, _EVENTS, _DELIVERIES),
            "jobs": (_JOBS, _DOCUMENTS),
        }.items():
            began = clock.now()
            for statement in statements:
                text = statement.format(**names)
                connection.execute(text, values if "%(" in text else None)
            filled.seconds[step] = (clock.now() - began).total_seconds()
        began = clock.now()
        _chain(connection, filled.account_id, keys, records, now)
        filled.seconds["audit records"] = (clock.now() - began).total_seconds()
        began = clock.now()
        connection.execute("VACUUM ANALYZE")
        filled.seconds["vacuum"] = (clock.now() - began).total_seconds()
    return filled


def _people(now: datetime, keys: int) -> Filled:
    with db.transaction() as session:
        account, owner = tenancy.create_account(
            session, name="Despacho Ribera", email=EMAIL, password=PASSWORD
        )
        credits.open_balance(session, account.id, low_threshold=50)
        credits.grant(session, account.id, 2_000_000, now=now - timedelta(days=366))
        others = [
            add_member(
                session, account.id, email=f"person-{n}@candado.example", password=PASSWORD, role="developer"
            )
            for n in range(2)
        ]
        # Hashing a password takes long, by design; these nobody signs in with.
        for n in range(MEMBERS):
            session.add(
                tenancy.Member(
                    account_id=account.id,
                    email=f"colleague-{n}@candado.example",
                    password_hash="x",
                    role="developer",
                )
            )
        _, invitation = tenancy.one_time_links.invite(
            session, account.id, email="new@candado.example", role="developer", now=now
        )
        asked = tenancy.one_time_links.begin_reset(session, others[1].email, now=now)
        assert asked is not None
        return Filled(account.id, owner.id, others[0].id, invitation, asked[1], keys, {})


def _chain(
    connection: psycopg.Connection[Any], account: uuid.UUID, keys: int, records: int, now: datetime
) -> None:
    """A whole chain: every hash is right, so that it can be verified. RFC 8785 of what is plain ASCII without
    fractions is JSON with sorted keys."""
    dice = random.Random(7)
    drawn = [Filled.id_of("key", int(keys ** dice.random()) - 1) for _ in range(50_000)]
    step = timedelta(days=365) / records
    first = (now - timedelta(days=365)).astimezone(UTC)
    previous, before = GENESIS, GENESIS
    copying = (
        "COPY audit_records (id, account_id, seq, at, api_key_id, request_id, content, previous_hash, hash) "
        "FROM STDIN"
    )
    with connection.cursor() as cursor, cursor.copy(copying) as copy:
        for seq in range(1, records + 1):
            at, key = first + seq * step, drawn[seq % len(drawn)]
            analysis = Filled.id_of("analysis", seq)
            request = f"req_{analysis}"
            # One in two hundred cites what does not exist.
            flagged = {"not_found": 1} if seq % 200 == 0 else {}
            content = {
                "accountId": str(account), "analysisHash": f"{seq:064x}", "analysisId": str(analysis),
                "apiKeyId": str(key), "citations": {"verified": 2 + seq % 5, **flagged}, "credits": 1,
                "documentCharacters": 1000 + seq % 9000, "documentHash": f"{seq * 7919:064x}",
                "findings": {}, "finishedAt": clock.iso(at), "jurisdiction": "ES", "language": "es",
                "legalBranch": "civil", "locks": {"L1": 3 + seq % 4, "L4": 2}, "mode": "standard",
                "models": ["rules-1"], "redactions": {"ES_DNI": 1 + seq % 2}, "requestId": request,
                "startedAt": clock.iso(at), "versions": {"rules": "1"},
            }  # fmt: skip
            canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
            before, previous = (
                previous,
                hashlib.sha256(f"{previous}:{seq}:{canonical}".encode()).hexdigest(),
            )
            copy.write_row((analysis, account, seq, at, key, request, canonical, before, previous))
    connection.execute(
        "INSERT INTO audit_heads (account_id, seq, previous_hash, hash) VALUES (%s, %s, %s, %s)",
        [account, records, before, previous],
    )
