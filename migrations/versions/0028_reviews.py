"""Reviews of analyses by people are records of the audit chain too.

A record says of what kind it is, and a review may be a member's instead of a key's. `append_audit_record`
reads both off the content that is hashed.

Revision 0028.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_GENESIS = "0" * 64

_HEAD = f"""
    CREATE OR REPLACE FUNCTION append_audit_record(canonical text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
        content CONSTANT jsonb := canonical::jsonb;
        account CONSTANT uuid := (content ->> 'accountId')::uuid;
        place bigint;
        before text;
        made text;
    BEGIN
        IF account IS DISTINCT FROM current_account() AND current_setting('role') <> 'candado_system' THEN
            RAISE EXCEPTION 'the audit record is of another account' USING ERRCODE = 'insufficient_privilege';
        END IF;
        INSERT INTO audit_heads AS h (account_id, seq, previous_hash, hash)
        VALUES (account, 1, '{_GENESIS}',
                encode(sha256(convert_to('{_GENESIS}:1:' || canonical, 'UTF8')), 'hex'))
        ON CONFLICT (account_id) DO UPDATE SET
            seq = h.seq + 1,
            previous_hash = h.hash,
            hash = encode(sha256(convert_to(h.hash || ':' || h.seq + 1 || ':' || canonical, 'UTF8')), 'hex')
        RETURNING h.seq, h.previous_hash, h.hash INTO place, before, made;
    """
_APPEND = (
    _HEAD
    + """
        INSERT INTO audit_records
            (id, account_id, seq, at, api_key_id, member_id, kind, request_id, content, previous_hash, hash)
        VALUES (coalesce(content ->> 'recordId', content ->> 'analysisId')::uuid, account, place,
                (content ->> 'finishedAt')::timestamptz, (content ->> 'apiKeyId')::uuid,
                (content ->> 'memberId')::uuid, coalesce(content ->> 'kind', 'analysis'),
                content ->> 'requestId', content, before, made);
        RETURN made;
    END $$
    """
)
# As revision 0021 has it.
_APPEND_BEFORE = (
    _HEAD
    + """
        INSERT INTO audit_records
            (id, account_id, seq, at, api_key_id, request_id, content, previous_hash, hash)
        VALUES ((content ->> 'analysisId')::uuid, account, place, (content ->> 'finishedAt')::timestamptz,
                (content ->> 'apiKeyId')::uuid, content ->> 'requestId', content, before, made);
        RETURN made;
    END $$
    """
)

_PLACE = """
    DO $$
    BEGIN
        EXECUTE format('ALTER FUNCTION append_audit_record(text) SET search_path = %I, pg_temp',
                       current_schema());
    END
    $$
    """


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.add_column(
        "audit_records", sa.Column("kind", sa.Text(), nullable=False, server_default=sa.text("'analysis'"))
    )
    op.add_column("audit_records", sa.Column("member_id", sa.UUID(), nullable=True))
    op.alter_column("audit_records", "api_key_id", nullable=True)
    # Validated below, under a lock that lets records be appended.
    op.execute(
        "ALTER TABLE audit_records ADD CONSTRAINT ck_audit_records_kind_known "
        "CHECK (kind IN ('analysis', 'review')) NOT VALID"
    )
    op.execute(
        "ALTER TABLE audit_records ADD CONSTRAINT ck_audit_records_has_author "
        "CHECK (api_key_id IS NOT NULL OR member_id IS NOT NULL) NOT VALID"
    )
    # Replaced in place, it keeps its owner and its rights; its place it is told again.
    op.execute(_APPEND)
    op.execute(_PLACE)
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = 0")
        for name in ("kind_known", "has_author"):
            op.execute(f"ALTER TABLE audit_records VALIDATE CONSTRAINT ck_audit_records_{name}")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_audit_records_reviews")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_audit_records_reviews ON audit_records "
            "(account_id, request_id, seq) WHERE kind = 'review'"
        )
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    # Each record's hash covers the one before: without the rows of reviews no chain that has one verifies.
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("LOCK TABLE audit_records IN ACCESS EXCLUSIVE MODE")
    op.execute("SET LOCAL ROLE candado_system")
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM audit_records WHERE kind = 'review')")):
        raise RuntimeError("a chain that has reviews cannot lose them: this database stays at 0028 or above")
    op.execute("RESET ROLE")
    op.execute(_APPEND_BEFORE)
    op.execute(_PLACE)
    op.drop_index("ix_audit_records_reviews", "audit_records")
    for name in ("kind_known", "has_author"):
        op.drop_constraint(op.f(f"ck_audit_records_{name}"), "audit_records")
    op.alter_column("audit_records", "api_key_id", nullable=False)
    op.drop_column("audit_records", "member_id")
    op.drop_column("audit_records", "kind")
