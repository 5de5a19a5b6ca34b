"""Every migration can be taken back: what went down is what came up, and it keeps its rows."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from psycopg import sql

from app.platform import settings
from tests.throwaway import Addresses, new_database

_NAME = "migrations_both_ways"

# What a schema consists of, one line for each thing. Names and definitions, no object ids; columns by name,
# since one that was dropped and added again stands last.
_CATALOG = """
    WITH tables AS (
        SELECT c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relkind, c.relowner,
               coalesce(
                   c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner)
               ) AS relacl FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S', 'v')
          AND c.relname NOT LIKE 'alembic%'
    )
    SELECT format('table %s rls %s force %s %s', relname, relrowsecurity, relforcerowsecurity,
                  (SELECT array_agg(acl::text ORDER BY acl::text) FROM unnest(relacl) AS acl)) FROM tables
    UNION ALL SELECT format('column %s.%s %s not null %s default %s', relname, attname,
                            format_type(atttypid, atttypmod), attnotnull,
                            pg_get_expr(d.adbin, d.adrelid))
    FROM tables JOIN pg_attribute a ON a.attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    UNION ALL SELECT format('constraint %s.%s %s', relname, conname, pg_get_constraintdef(k.oid))
    FROM tables JOIN pg_constraint k ON k.conrelid = tables.oid
    UNION ALL SELECT format('index %s', pg_get_indexdef(i.indexrelid))
    FROM tables JOIN pg_index i ON i.indrelid = tables.oid
    UNION ALL SELECT format('policy %s %s %s %s %s %s', relname, polname, polcmd, polroles::regrole[],
                            pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    FROM tables JOIN pg_policy p ON p.polrelid = tables.oid
    UNION ALL SELECT format('trigger %s', pg_get_triggerdef(t.oid))
    FROM tables JOIN pg_trigger t ON t.tgrelid = tables.oid AND NOT tgisinternal
    UNION ALL SELECT format('function %s %s', pg_get_functiondef(f.oid),
                            (SELECT array_agg(acl::text ORDER BY acl::text)
                             FROM unnest(coalesce(proacl, acldefault('f', proowner))) AS acl))
    FROM pg_proc f WHERE f.pronamespace = 'public'::regnamespace AND f.prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = f.oid AND e.deptype = 'e')
    ORDER BY 1
"""


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(settings.PROJECT / "migrations"))
    config.attributes["database_url"] = url
    return config


@pytest.fixture
def empty(services: Addresses) -> Iterator[tuple[str, Config]]:
    """A database without tables, and the way to migrate it."""
    url = services.database_url(_NAME)
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        name = sql.Identifier(_NAME)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            yield url, _config(url)
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def _schema(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [" ".join(line.split()) for (line,) in connection.execute(_CATALOG)]


@pytest.mark.slow
def test_each_downgrade_restores_the_schema_of_the_release_before(empty: tuple[str, Config]) -> None:
    url, config = empty
    script = ScriptDirectory.from_config(config)
    revisions = [one.revision for one in script.walk_revisions()][::-1]
    before = {"base": _schema(url)}
    for revision in revisions:
        command.upgrade(config, revision)
        before[revision] = _schema(url)
    wrong = {}
    for above, revision in zip(revisions[::-1], [*revisions[-2::-1], "base"], strict=True):
        command.downgrade(config, revision)
        now = _schema(url)
        if now != before[revision]:
            wrong[above] = sorted(set(now) ^ set(before[revision]))
    command.upgrade(config, "head")
    assert wrong == {}
    assert _schema(url) == before[revisions[-1]]


_ACCOUNT, _MEMBER, _KEY = (uuid.UUID(int=number) for number in (1, 2, 3))
_ROWS = (
    "INSERT INTO accounts (id, name, created_at, attestation, citator) "
    "VALUES (%(a)s, 'Firm', now(), false, false)",
    "INSERT INTO members (id, account_id, email, password_hash, role, created_at) "
    "VALUES (%(m)s, %(a)s, 'ana@example.com', 'x', 'owner', now())",
    "INSERT INTO credit_balances (account_id, balance, held, low_threshold, low_announced, topped_up_to, "
    "told_percent) VALUES (%(a)s, 7, 0, 5, false, 90, 80)",
    "INSERT INTO alerts (account_id, name, at) VALUES (%(a)s, 'key_expiring x', now())",
    "INSERT INTO notification_settings (member_id, kind, account_id, wanted) "
    "VALUES (%(m)s, 'cap', %(a)s, true)",
    "INSERT INTO sso_connections (id, account_id, issuer, client_id, role, created_at) "
    "VALUES (%(k)s, %(a)s, 'https://login.example', 'x', 'developer', now())",
    "INSERT INTO sso_identities (member_id, account_id, connection_id, subject, created_at) "
    "VALUES (%(m)s, %(a)s, %(k)s, 'ana', now())",
    "UPDATE accounts SET required_connection = %(k)s",
    "INSERT INTO purchases (id, account_id, credits, amount, currency, state, refunded, created_at, paid_at) "
    "VALUES (%(k)s, %(a)s, 100, 5000, 'eur', 'paid', 0, now(), now())",
    *(
        "INSERT INTO usage_tokens (account_id, day, api_key_id, model, stage, own, input, cached, output) "
        f"VALUES (%(a)s, '{day}', %(k)s, 'model', '{stage}', false, {tokens}, 0, {tokens})"
        for day, stage, tokens in (
            ("2026-11-01", "repair", 5),
            ("2026-11-01", "restatement", 2),
            ("2026-11-02", "restatement", 3),
        )
    ),
)


def test_what_went_down_with_rows_comes_up_with_them(services: Addresses) -> None:
    url = new_database(services, _NAME + "_with_rows")
    config, ids = _config(url), {"a": _ACCOUNT, "m": _MEMBER, "k": _KEY}
    with psycopg.connect(url) as connection:
        for statement in _ROWS:
            connection.execute(statement, ids)
        for number, day in enumerate(("2026-01-02", "2026-12-03", "2027-01-04", "2031-05-05")):
            connection.execute(
                "INSERT INTO usage_calls (id, at, account_id, api_key_id, endpoint, status, latency_ms, "
                "credits) VALUES (first_usage_id(%(day)s), %(day)s, %(a)s, %(k)s, '/x', 200, %(number)s, 0)",
                {**ids, "day": day, "number": number},
            )
        month = connection.execute(
            "SELECT max(relname) FROM pg_class WHERE relname ~ '^usage_calls_[0-9]{4}_[0-9]{2}$'"
        ).fetchone()
        assert month
        connection.execute("SELECT detach_usage_month(to_date(right(%s, 7), 'YYYY_MM'))", month)
    command.downgrade(config, "0045")
    tokens = "SELECT day::text, stage, input, output FROM usage_tokens ORDER BY day"
    merged = [("2026-11-01", "repair", 7, 7), ("2026-11-02", "repair", 3, 3)]
    with psycopg.connect(url) as connection:
        assert connection.execute(tokens).fetchall() == merged
    calls = "SELECT latency_ms FROM usage_calls ORDER BY at"
    with psycopg.connect(url) as connection:
        assert connection.execute(calls).fetchall() == [(0,), (1,), (2,), (3,)]
    command.upgrade(config, "head")
    with psycopg.connect(url) as connection:
        # Also those of a clock that ran ahead.
        assert connection.execute(calls).fetchall() == [(0,), (1,), (2,), (3,)]
        assert connection.execute(tokens).fetchall() == merged
        told = "SELECT balance, topped_up_to, told_percent FROM credit_balances"
        assert connection.execute(told).fetchall() == [(7, 7, 0)]
        # What the newer tables held is gone; no member is left under a connection that is no longer known.
        left = "SELECT required_connection, (SELECT count(*) FROM sso_identities) FROM accounts"
        assert connection.execute(left).fetchall() == [(None, 0)]


def test_a_chain_with_reviews_is_not_taken_apart(services: Addresses) -> None:
    url = new_database(services, _NAME + "_with_reviews")
    content = {"accountId": str(_ACCOUNT), "recordId": str(_KEY), "kind": "review", "memberId": str(_MEMBER),
               "requestId": "req_x", "finishedAt": "2026-11-01T00:00:00Z"}  # fmt: skip
    with psycopg.connect(url) as connection:
        for statement in _ROWS[:2]:
            connection.execute(statement, {"a": _ACCOUNT, "m": _MEMBER})
        connection.execute("SET LOCAL ROLE candado_system")
        connection.execute("SELECT append_audit_record(%s)", [json.dumps(content)])
    with pytest.raises(RuntimeError, match="stays at 0028 or above"):
        command.downgrade(_config(url), "0027")
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT kind FROM audit_records").fetchall() == [("review",)]
