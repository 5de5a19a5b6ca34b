"""Kind and key stand in the indexes by which analyses of some days are counted.

Revision 0054.
"""

from __future__ import annotations

from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

_ORDER = "(account_id, at DESC, seq DESC)"
_MORE = " INCLUDE (kind, api_key_id)"
_FLAGGED = " OR ".join(
    f"(content #>> '{{citations,{verdict}}}')::integer > 0"
    for verdict in ("not_found", "derogated", "mismatch")
)
_INDEXES = (("ix_audit_records_newest", ""), ("ix_audit_records_flagged", f" WHERE {_FLAGGED}"))


def upgrade() -> None:
    _rebuild(_MORE)


def downgrade() -> None:
    _rebuild("")


def _rebuild(more: str) -> None:
    # The table grows with every analysis, and pages read it: built beside the old ones meanwhile.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for name, where in _INDEXES:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}_new")
            op.execute(f"CREATE INDEX CONCURRENTLY {name}_new ON audit_records {_ORDER}{more}{where}")
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"ALTER INDEX {name}_new RENAME TO {name}")
        op.execute("SET lock_timeout = '5s'")
