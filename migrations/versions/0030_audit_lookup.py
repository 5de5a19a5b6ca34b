"""Indexes by which one record of the audit trail is found: hashes of document, analysis and record.

Revision 0030.
"""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_INDEXES = {
    "ix_audit_records_document_hash": "account_id, (content ->> 'documentHash')",
    "ix_audit_records_analysis_hash": "account_id, (content ->> 'analysisHash')",
    "ix_audit_records_account_id_hash": "account_id, hash",
}


def upgrade() -> None:
    # The table grows with every analysis: built while records are appended.
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for name, columns in _INDEXES.items():
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE INDEX CONCURRENTLY {name} ON audit_records ({columns})")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    for name in _INDEXES:
        op.drop_index(name, "audit_records")
