"""Roll-ups of an organization's sub-keys together: hundreds of them are read from one row a day.

Revision 0017, after 0016, in steps that are committed one by one, so that no lock is held for long that keeps
readers out. Made from the rows of their keys while nobody enters any calls: those wait in their stream
meanwhile. What processes of the release before enter afterwards, without these rows, the worker finds
(usage.mend). Half-way is no harm: run again, it begins anew.
"""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_TABLES = ("usage_days", "usage_months")
_BEFORE = "grain = (endpoint = '')::int + 2 * (api_key_id = '00000000-0000-0000-0000-000000000000')::int"
_AFTER = f"{_BEFORE} OR grain = 4 + (endpoint = '')::int"
_COUNTS = ("calls", "errors", "rate_limited", "credits")
_SUMS = (*_COUNTS, *(f"ms_{i:02}" for i in range(40)))


def _roll_up(table: str, period: str) -> str:
    """Period by period, as 0016 does, so that what is summed at a time stays small."""
    return f"""
        DO $$
        DECLARE
            one date;
        BEGIN
            LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE;
            DELETE FROM {table} WHERE grain > 3;
            FOR one IN SELECT DISTINCT date_trunc('month', {period}::timestamp)::date FROM {table}
                       WHERE grain = 3 ORDER BY 1
            LOOP
                INSERT INTO {table} (account_id, grain, {period}, api_key_id, endpoint, {", ".join(_SUMS)})
                SELECT d.account_id, 4 + d.grain, d.{period}, k.organization_id, d.endpoint,
                       {", ".join(f"sum(d.{name})" for name in _SUMS)}
                FROM {table} d JOIN api_keys k ON k.id = d.api_key_id AND k.account_id = d.account_id
                WHERE d.grain IN (0, 1) AND k.role = 'child'
                  AND d.{period} >= one AND d.{period} < one + interval '1 month'
                GROUP BY 1, 2, 3, 4, 5;
            END LOOP;
        END
        $$
    """


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        for table, period in zip(_TABLES, ("day", "month"), strict=True):
            constraint = f"ck_{table}_grain_fits"
            # What stands there fitted the narrower rule: looked through below, beside readers and writers.
            op.execute(
                f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {constraint}, "
                f"ADD CONSTRAINT {constraint} CHECK ({_AFTER}) NOT VALID"
            )
            # Row security binds the owner too.
            op.execute("SET ROLE candado_system")
            op.execute(_roll_up(table, period))
            op.execute("RESET ROLE")
            op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {constraint}")


def downgrade() -> None:
    for table in _TABLES:
        op.execute("SET LOCAL ROLE candado_system")
        op.execute(f"DELETE FROM {table} WHERE grain > 3")
        op.execute("RESET ROLE")
        op.drop_constraint(op.f(f"ck_{table}_grain_fits"), table, type_="check")
        op.create_check_constraint(op.f(f"ck_{table}_grain_fits"), table, _BEFORE)
