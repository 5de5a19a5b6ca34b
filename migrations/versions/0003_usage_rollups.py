"""Daily roll-ups of usage; calls get time-ordered ids.

Revision 0003, after 0002.
"""

from __future__ import annotations

import math

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_BOUNDS = [math.isqrt(2**i - 1) + 1 for i in range(2, 41)]
_BUCKETS = [f"ms_{i:02}" for i in range(len(_BOUNDS) + 1)]

# UUID version 7 of each row's own time; the rest from a hash of the old id, so that it stays unique.
_TIME_ORDERED = """
    (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0')
     || '7' || substr(md5(id), 1, 3) || '8' || substr(md5(id), 4, 15))::uuid
"""


def upgrade() -> None:
    op.create_table(
        "usage_days",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("grain", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("api_key_id", sa.UUID(), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("errors", sa.Integer(), nullable=False),
        sa.Column("rate_limited", sa.Integer(), nullable=False),
        sa.Column("credits", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in _BUCKETS),
        sa.CheckConstraint(
            "grain = (endpoint = '')::int + 2 * (api_key_id = '00000000-0000-0000-0000-000000000000')::int",
            name=op.f("ck_usage_days_grain_fits"),
        ),
        sa.CheckConstraint(
            "0 <= rate_limited AND rate_limited <= errors AND errors <= calls",
            name=op.f("ck_usage_days_parts"),
        ),
        sa.PrimaryKeyConstraint(
            "account_id", "grain", "day", "api_key_id", "endpoint", name=op.f("pk_usage_days")
        ),
    )
    # Today's rows are updated over and over: room on the page keeps the update off the index.
    op.execute("ALTER TABLE usage_days SET (fillfactor = 80)")
    op.execute(f"ALTER TABLE usage_calls ALTER COLUMN id TYPE uuid USING {_TIME_ORDERED}")
    counted = ", ".join(f"nullif(count(*) FILTER (WHERE bucket = {i}), 0)" for i in range(len(_BUCKETS)))
    op.execute(
        f"""
        INSERT INTO usage_days
        SELECT account_id, GROUPING(api_key_id, endpoint), day,
               coalesce(api_key_id, '00000000-0000-0000-0000-000000000000'), coalesce(endpoint, ''),
               count(*), count(*) FILTER (WHERE status >= 400), count(*) FILTER (WHERE status = 429),
               sum(credits), {counted}
        FROM (
            SELECT *, (at AT TIME ZONE 'UTC')::date AS day,
                   width_bucket(latency_ms, ARRAY[{", ".join(map(str, _BOUNDS))}]) AS bucket
            FROM usage_calls
        ) c
        GROUP BY account_id, day, CUBE (api_key_id, endpoint)
        """
    )


def downgrade() -> None:
    op.execute("ALTER TABLE usage_calls ALTER COLUMN id TYPE text USING id::text")
    op.drop_table("usage_days")
