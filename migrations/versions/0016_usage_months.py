"""Roll-ups of usage by month: a year of many keys is read from a twelfth of the rows.

Made from the days while nobody enters any: calls wait in their stream meanwhile. What processes of the
release before enter afterwards, in days alone, the worker finds (usage.mend).

Revision 0016, after 0015.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_COUNTS = ("calls", "errors", "rate_limited", "credits")
_BUCKETS = tuple(f"ms_{i:02}" for i in range(40))
_GRAIN = "grain = (endpoint = '')::int + 2 * (api_key_id = '00000000-0000-0000-0000-000000000000')::int"

# Month by month, so that what is summed at a time stays small however old the installation is.
_ROLL_UP = f"""
    DO $$
    DECLARE
        one date;
    BEGIN
        FOR one IN SELECT DISTINCT date_trunc('month', day::timestamp)::date FROM usage_days WHERE grain = 3
                   ORDER BY 1
        LOOP
            INSERT INTO usage_months
                (account_id, grain, month, api_key_id, endpoint, {", ".join(_COUNTS + _BUCKETS)})
            SELECT account_id, grain, one, api_key_id, endpoint,
                   {", ".join(f"sum({name})" for name in _COUNTS + _BUCKETS)}
            FROM usage_days WHERE day >= one AND day < one + interval '1 month'
            GROUP BY account_id, grain, api_key_id, endpoint;
        END LOOP;
    END
    $$
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "usage_months",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("grain", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in _BUCKETS),
        sa.CheckConstraint(_GRAIN, name=op.f("ck_usage_months_grain_fits")),
        sa.CheckConstraint("extract(day FROM month) = 1", name=op.f("ck_usage_months_first_day")),
        sa.CheckConstraint(
            "0 <= rate_limited AND rate_limited <= errors AND errors <= calls",
            name=op.f("ck_usage_months_parts"),
        ),
        sa.PrimaryKeyConstraint(
            "account_id", "grain", "month", "api_key_id", "endpoint", name=op.f("pk_usage_months")
        ),
    )
    # This month's rows are updated over and over: room on the page keeps the update off the index.
    op.execute("ALTER TABLE usage_months SET (fillfactor = 80)")
    op.execute("SELECT protect_tenant_rows('usage_months')")
    op.execute("LOCK TABLE usage_days IN SHARE ROW EXCLUSIVE MODE")
    # Row security binds the owner too.
    op.execute("SET LOCAL ROLE candado_system")
    op.execute(_ROLL_UP)
    op.execute("RESET ROLE")
    op.create_index("ix_usage_months_of_key", "usage_months", ["account_id", "grain", "api_key_id", "month"])


def downgrade() -> None:
    op.drop_table("usage_months")
