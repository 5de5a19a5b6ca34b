"""Large accounts: who created a key, and indexes for lists of many keys, records and charges.

Revision 0014, after 0013. Indexes are built beside the traffic, which needs statements outside a transaction;
one that failed half-way is dropped and built anew.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_FLAGGED = (
    "(content #>> '{citations,not_found}')::integer > 0"
    " OR (content #>> '{citations,derogated}')::integer > 0"
    " OR (content #>> '{citations,mismatch}')::integer > 0"
)
# Name, table, columns and condition.
_NEW = (
    (
        "ix_api_keys_register",
        "api_keys",
        "(account_id, (revoked_at IS NULL) DESC, created_at DESC, id DESC)",
    ),
    ("ix_audit_records_newest", "audit_records", "(account_id, at DESC, seq DESC)"),
    ("ix_audit_records_of_key", "audit_records", "(account_id, api_key_id, at DESC, seq DESC)"),
    ("ix_usage_days_of_key", "usage_days", "(account_id, grain, api_key_id, day)"),
    ("ix_credit_ledger_by_time", "credit_ledger", "(account_id, created_at DESC, seq DESC)"),
    (
        "ix_credit_ledger_of_key",
        "credit_ledger",
        "(api_key_id, created_at DESC, seq DESC) INCLUDE (amount, kind)",
    ),
    (
        "ix_credit_ledger_received",
        "credit_ledger",
        "(account_id, seq DESC) WHERE kind <> 'consumption'",
    ),
    ("ix_audit_records_flagged", "audit_records", f"(account_id, at DESC, seq DESC) WHERE {_FLAGGED}"),
)
# What the new ones make needless.
_OLD = (
    ("ix_api_keys_account_id", "api_keys", "(account_id)"),
    ("ix_audit_records_account_id_at", "audit_records", "(account_id, at DESC)"),
    (
        "ix_credit_ledger_api_key_id_created_at",
        "credit_ledger",
        "(api_key_id, created_at) INCLUDE (amount) WHERE kind = 'consumption'",
    ),
)


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("created_by", sa.UUID(), nullable=True))
    _replace(_OLD, _NEW)


def downgrade() -> None:
    _replace(_NEW, _OLD)
    op.drop_column("api_keys", "created_by")


def _replace(old: tuple[tuple[str, str, str], ...], new: tuple[tuple[str, str, str], ...]) -> None:
    with op.get_context().autocommit_block():
        # Such a build waits for transactions that began before it, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        for name, table, rest in new:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE INDEX CONCURRENTLY {name} ON {table} {rest}")
        for name, _table, _rest in old:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        op.execute("SET lock_timeout = '5s'")
