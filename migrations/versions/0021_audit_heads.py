"""The audit trail grows through one function; no role of the application writes to it in another way.

`append_audit_record` moves an account's head by one and writes the record behind it, whose columns it reads
off the content that is hashed. It runs with the rights of the tables' owner; `candado_app` and
`candado_system` keep the right to read. Triggers hold the owner to the same: a head is never deleted and
only moves to the record after it.

Lists are ordered by position, so each of their filters gets an index in that order.

Revision 0021, after the newest before it.
"""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_GENESIS = "0" * 64

# `role` is what SET ROLE chose, which a function with its owner's rights does not change.
_APPEND = f"""
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
        INSERT INTO audit_records
            (id, account_id, seq, at, api_key_id, request_id, content, previous_hash, hash)
        VALUES ((content ->> 'analysisId')::uuid, account, place, (content ->> 'finishedAt')::timestamptz,
                (content ->> 'apiKeyId')::uuid, content ->> 'requestId', content, before, made);
        RETURN made;
    END $$
    """

# A function with its owner's rights looks nowhere but where its tables are.
_PLACE = """
    DO $$
    DECLARE
        owner name := (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'audit_heads'::regclass);
    BEGIN
        EXECUTE format('ALTER FUNCTION append_audit_record(text) SET search_path = %I, pg_temp',
                       current_schema());
        IF owner <> current_user THEN
            EXECUTE format('ALTER FUNCTION append_audit_record(text) OWNER TO %I', owner);
        END IF;
    END
    $$
    """

# Row security is forced on the owner too, so what the function does needs a policy that names it.
_OWNER = "current_user = (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'audit_heads'::regclass)"

_GUARD = """
    CREATE OR REPLACE FUNCTION guard_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.account_id <> OLD.account_id OR NEW.seq <> OLD.seq + 1 OR NEW.previous_hash <> OLD.hash
           OR NEW.hash !~ '^[0-9a-f]{64}$' THEN
            RAISE EXCEPTION 'audit_heads: a head moves to the next record and nowhere else'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$
    """

_FLAGGED = (
    "(content #>> '{citations,not_found}')::integer > 0"
    " OR (content #>> '{citations,derogated}')::integer > 0"
    " OR (content #>> '{citations,mismatch}')::integer > 0"
)
_INDEXES = (
    ("ix_audit_records_of_key_in_order", "(account_id, api_key_id, seq DESC)"),
    ("ix_audit_records_flagged_in_order", f"(account_id, seq DESC) WHERE {_FLAGGED}"),
)


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute(_APPEND)
    op.execute(_PLACE)
    op.execute("REVOKE ALL ON FUNCTION append_audit_record(text) FROM PUBLIC")
    op.execute("GRANT EXECUTE ON FUNCTION append_audit_record(text) TO candado_app, candado_system")
    op.execute(_GUARD)
    _drop_guards()
    op.execute(
        "CREATE TRIGGER forward_only BEFORE UPDATE ON audit_heads "
        "FOR EACH ROW EXECUTE FUNCTION guard_audit_head()"
    )
    op.execute(
        "CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON audit_heads "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.execute(f"CREATE POLICY appending ON audit_heads USING ({_OWNER}) WITH CHECK ({_OWNER})")
    op.execute(f"CREATE POLICY appending ON audit_records FOR INSERT WITH CHECK ({_OWNER})")
    op.execute(
        "REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON audit_heads "
        "FROM candado_app, candado_system"
    )
    op.execute("REVOKE INSERT ON audit_records FROM candado_app, candado_system")
    with op.get_context().autocommit_block():
        # Such a build waits for transactions that began before it, and nobody waits for it.
        op.execute("SET lock_timeout = 0")
        for name, rest in _INDEXES:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f"CREATE INDEX CONCURRENTLY {name} ON audit_records {rest}")
        op.execute("SET lock_timeout = '5s'")


def downgrade() -> None:
    with op.get_context().autocommit_block():
        for name, _rest in _INDEXES:
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
    op.execute("GRANT INSERT, UPDATE, DELETE ON audit_heads TO candado_app, candado_system")
    op.execute("GRANT INSERT ON audit_records TO candado_app, candado_system")
    _drop_guards()
    op.execute("DROP FUNCTION guard_audit_head()")
    op.execute("DROP FUNCTION append_audit_record(text)")


def _drop_guards() -> None:
    """What an attempt that failed half-way may have left."""
    for name in ("forward_only", "never_deleted"):
        op.execute(f"DROP TRIGGER IF EXISTS {name} ON audit_heads")
    for table in ("audit_heads", "audit_records"):
        op.execute(f"DROP POLICY IF EXISTS appending ON {table}")
