"""Calls are partitioned by month, by their ids, which sort by time (decision 113).

The table there was becomes the partition of everything before the next month: no row is moved, and no index
built. What no month takes goes to `usage_calls_rest`, from where it moves when its month is opened. Processes
of the release before go on writing to `usage_calls`.

Revision 0053.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_usage_calls_account_id_at": "(account_id, at)",
    "ix_usage_calls_account_id_request_id": "(account_id, request_id text_pattern_ops) "
    "WHERE request_id IS NOT NULL",
    "ix_usage_calls_account_id_errors": "(account_id, at) WHERE status >= 400",
}
_GRANT = "GRANT SELECT, INSERT, UPDATE, DELETE ON usage_calls TO candado_app, candado_system"

# The least id (UUID version 7) of a day: its milliseconds since 1970, and zeros.
_FIRST_ID = """
    CREATE FUNCTION first_usage_id(day date) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (lpad(to_hex((day - date '1970-01-01')::bigint * 86400000), 12, '0')
            || '70008000000000000000')::uuid
    """
_NAME = """
    CREATE FUNCTION usage_month_name(month date) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 'usage_calls_' || lpad(extract(year FROM month)::text, 4, '0')
        || '_' || lpad(extract(month FROM month)::text, 2, '0')
    """
# The application owns no table: it asks the owner, who made these functions.
_MAKE = """
    CREATE FUNCTION make_usage_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
    DECLARE
        name text := usage_month_name(month);
    BEGIN
        IF to_regclass(quote_ident(name)) IS NOT NULL THEN
            RETURN false;
        END IF;
        EXECUTE format('CREATE TABLE %I (LIKE usage_calls INCLUDING INDEXES)', name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO candado_app, candado_system', name);
        PERFORM protect_tenant_rows(name::regclass);
        RETURN true;
    END
    $$
    """
_ATTACH = """
    CREATE FUNCTION attach_usage_month(month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
    BEGIN
        EXECUTE format(
            'ALTER TABLE usage_calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            usage_month_name(month), first_usage_id(date_trunc('month', month::timestamp)::date),
            first_usage_id((date_trunc('month', month::timestamp) + interval '1 month')::date));
    END
    $$
    """
_DETACH = """
    CREATE FUNCTION detach_usage_month(month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
    BEGIN
        EXECUTE format('ALTER TABLE usage_calls DETACH PARTITION %I', usage_month_name(month));
    END
    $$
    """
# Whatever it is attached to: the name says that it is a month of calls.
_DROP = """
    CREATE FUNCTION drop_usage_month(month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path FROM CURRENT SET lock_timeout = '2s' AS $$
    BEGIN
        EXECUTE format('DROP TABLE %I', usage_month_name(month));
    END
    $$
    """
# With the rights of who calls it, whom row security shows the calls that wait in `usage_calls_rest`.
_OPEN = """
    CREATE FUNCTION open_usage_month(month date) RETURNS boolean LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
    BEGIN
        IF NOT make_usage_month(month) THEN
            RETURN false;
        END IF;
        EXECUTE format(
            'WITH moved AS (DELETE FROM usage_calls_rest WHERE id >= %L AND id < %L RETURNING *) '
            || 'INSERT INTO %I SELECT * FROM moved',
            first_usage_id(date_trunc('month', month::timestamp)::date),
            first_usage_id((date_trunc('month', month::timestamp) + interval '1 month')::date),
            usage_month_name(month));
        PERFORM attach_usage_month(month);
        RETURN true;
    END
    $$
    """
_FUNCTIONS = (
    "open_usage_month(date)",
    "drop_usage_month(date)",
    "detach_usage_month(date)",
    "attach_usage_month(date)",
    "make_usage_month(date)",
    "usage_month_name(date)",
    "first_usage_id(date)",
)


def _month_after(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def _newest_day() -> date:
    """Return the day of the newest call, whose clock may have run ahead."""
    op.execute("SET LOCAL ROLE candado_system")
    newest = op.get_bind().scalar(sa.text("SELECT id FROM usage_calls ORDER BY id DESC LIMIT 1"))
    op.execute("RESET ROLE")
    return date(1970, 1, 1) + timedelta(milliseconds=newest.int >> 80 if newest else 0)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for statement in (_FIRST_ID, _NAME, _MAKE, _ATTACH, _DETACH, _DROP, _OPEN):
        op.execute(statement)
    for one in _FUNCTIONS[:5]:
        op.execute(f"REVOKE ALL ON FUNCTION {one} FROM PUBLIC")
        op.execute(f"GRANT EXECUTE ON FUNCTION {one} TO candado_system")
    first = _month_after(max(_newest_day(), datetime.now(UTC).date() + timedelta(days=1)))
    with op.get_context().autocommit_block():
        # Reads the table once, while calls are written; what is attached below then needs no reading.
        op.execute("ALTER TABLE usage_calls DROP CONSTRAINT IF EXISTS ck_usage_calls_before")
        op.execute(
            "ALTER TABLE usage_calls ADD CONSTRAINT ck_usage_calls_before "
            f"CHECK (id < first_usage_id('{first}')) NOT VALID"
        )
        op.execute("ALTER TABLE usage_calls VALIDATE CONSTRAINT ck_usage_calls_before")
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("ALTER TABLE usage_calls RENAME TO usage_calls_before")
    op.execute("ALTER INDEX pk_usage_calls RENAME TO pk_usage_calls_before")
    for name in _INDEXES:
        op.execute(f"ALTER INDEX {name} RENAME TO {name.replace('calls', 'calls_before')}")
    op.execute("CREATE TABLE usage_calls (LIKE usage_calls_before) PARTITION BY RANGE (id)")
    op.execute("ALTER TABLE usage_calls ADD CONSTRAINT pk_usage_calls PRIMARY KEY (id)")
    for name, what in _INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON usage_calls {what}")
    op.execute(_GRANT)
    op.execute("SELECT protect_tenant_rows('usage_calls')")
    op.execute(
        "ALTER TABLE usage_calls ATTACH PARTITION usage_calls_before "
        f"FOR VALUES FROM (MINVALUE) TO (first_usage_id('{first}'))"
    )
    op.execute("ALTER TABLE usage_calls_before DROP CONSTRAINT ck_usage_calls_before")
    op.execute("CREATE TABLE usage_calls_rest PARTITION OF usage_calls DEFAULT")
    op.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON usage_calls_rest TO candado_app, candado_system")
    op.execute("SELECT protect_tenant_rows('usage_calls_rest')")
    for _ in range(3):
        op.execute(f"SELECT open_usage_month('{first}')")
        first = _month_after(first)


def downgrade() -> None:
    op.execute(
        """
        DO $$
        DECLARE
            month record;
        BEGIN
            FOR month IN
                SELECT to_date(right(relname, 7), 'YYYY_MM') AS begins FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
                  AND relname ~ '^usage_calls_[0-9]{4}_[0-9]{2}$' AND NOT relispartition
            LOOP
                PERFORM attach_usage_month(month.begins);
            END LOOP;
        END
        $$
        """
    )
    # As one table again, which every row is written to.
    op.execute("ALTER TABLE usage_calls RENAME TO usage_calls_parted")
    op.execute("ALTER INDEX pk_usage_calls RENAME TO pk_usage_calls_parted")
    for name in _INDEXES:
        op.execute(f"ALTER INDEX {name} RENAME TO {name.replace('calls', 'calls_parted')}")
    op.execute("CREATE TABLE usage_calls (LIKE usage_calls_parted)")
    op.execute(_GRANT)
    op.execute("GRANT SELECT ON usage_calls_parted TO candado_system")
    op.execute("SELECT protect_tenant_rows('usage_calls')")
    op.execute("SET LOCAL ROLE candado_system")
    op.execute("INSERT INTO usage_calls SELECT * FROM usage_calls_parted")
    op.execute("RESET ROLE")
    op.execute("ALTER TABLE usage_calls ADD CONSTRAINT pk_usage_calls PRIMARY KEY (id)")
    for name, what in _INDEXES.items():
        op.execute(f"CREATE INDEX {name} ON usage_calls {what}")
    op.execute("DROP TABLE usage_calls_parted")
    for one in _FUNCTIONS:
        op.execute(f"DROP FUNCTION {one}")
