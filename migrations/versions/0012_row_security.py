"""Row-level security: the second wall between tenants.

Two roles without login. `candado_app` serves requests and sees the rows of the account that its transaction
names; `candado_system` serves the worker, the command line and the question who somebody is. Neither owns a
table, and FORCE binds the owner as well. A later migration that makes a table with `account_id` calls
`SELECT protect_tenant_rows('its_name')`; one that changes rows does so as `candado_system` (SET ROLE).

Revision 0012, after 0011.
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# Roles belong to the whole cluster: another database of it may have made them, or be making them now.
_ROLES = """
    DO $$
    DECLARE
        wanted text;
    BEGIN
        FOREACH wanted IN ARRAY ARRAY['candado_app', 'candado_system'] LOOP
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;
            END;
            IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
                EXECUTE format('GRANT %I TO %I', wanted, current_user);
            END IF;
        END LOOP;
    EXCEPTION WHEN insufficient_privilege THEN
        RAISE EXCEPTION 'the login % may not create or join the roles candado_app and candado_system',
            current_user
            USING HINT = 'As an administrator of the server: CREATE ROLE candado_app NOLOGIN; '
                || 'CREATE ROLE candado_system NOLOGIN; GRANT candado_app, candado_system TO '
                || quote_ident(current_user);
    END
    $$
    """

_GRANTS = """
    DO $$
    DECLARE
        place text := quote_ident(current_schema());
    BEGIN
        EXECUTE format('GRANT USAGE ON SCHEMA %s TO candado_app, candado_system', place);
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO candado_app, candado_system',
            place);
        EXECUTE format(
            'GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA %s TO candado_app, candado_system', place);
        EXECUTE format(
            'ALTER DEFAULT PRIVILEGES IN SCHEMA %s GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES '
            || 'TO candado_app, candado_system', place);
        EXECUTE format(
            'ALTER DEFAULT PRIVILEGES IN SCHEMA %s GRANT USAGE, SELECT ON SEQUENCES '
            || 'TO candado_app, candado_system', place);
        EXECUTE 'REVOKE ALL ON alembic_version FROM candado_app, candado_system';
        REVOKE EXECUTE ON FUNCTION open_corpus_partition(text) FROM PUBLIC;
        GRANT EXECUTE ON FUNCTION open_corpus_partition(text) TO candado_system;
    END
    $$
    """

# The roles themselves stay: they belong to the whole cluster.
_REVOKES = """
    DO $$
    DECLARE
        place text := quote_ident(current_schema());
    BEGIN
        EXECUTE format(
            'ALTER DEFAULT PRIVILEGES IN SCHEMA %s REVOKE ALL ON TABLES FROM candado_app, candado_system',
            place);
        EXECUTE format(
            'ALTER DEFAULT PRIVILEGES IN SCHEMA %s REVOKE ALL ON SEQUENCES FROM candado_app, candado_system',
            place);
        EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %s FROM candado_app, candado_system', place);
        EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA %s FROM candado_app, candado_system', place);
        EXECUTE format('REVOKE USAGE ON SCHEMA %s FROM candado_app, candado_system', place);
        REVOKE EXECUTE ON FUNCTION open_corpus_partition(text) FROM candado_system;
        GRANT EXECUTE ON FUNCTION open_corpus_partition(text) TO PUBLIC;
    END
    $$
    """

# An empty setting is what a connection keeps after a transaction that named an account: it is nobody.
_ACCOUNT = """
    CREATE FUNCTION current_account() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('candado.account', true), '')::uuid
    """

_PROTECT = """
    CREATE FUNCTION protect_tenant_rows(rows_of regclass, tenant name DEFAULT 'account_id')
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', rows_of);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', rows_of);
        EXECUTE format(
            'CREATE POLICY tenant ON %s TO candado_app USING (%I = current_account()) '
            || 'WITH CHECK (%I = current_account())', rows_of, tenant, tenant);
        EXECUTE format(
            'CREATE POLICY system ON %s TO candado_system USING (true) WITH CHECK (true)', rows_of);
    END
    $$
    """

_TABLES = """
    SELECT protect_tenant_rows(format('%I.%I', table_schema, table_name)::regclass)
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND column_name = 'account_id' AND table_type = 'BASE TABLE'
    """


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    for statement in (_ROLES, _GRANTS, _ACCOUNT, _PROTECT, _TABLES):
        op.execute(statement)
    op.execute("SELECT protect_tenant_rows('accounts', 'id')")


def downgrade() -> None:
    op.execute(
        """
        DO $$
        DECLARE
            guarded record;
        BEGIN
            FOR guarded IN
                SELECT c.oid::regclass AS rows_of FROM pg_class c
                WHERE c.relforcerowsecurity AND c.relnamespace = current_schema()::regnamespace
            LOOP
                EXECUTE format('DROP POLICY tenant ON %s', guarded.rows_of);
                EXECUTE format('DROP POLICY system ON %s', guarded.rows_of);
                EXECUTE format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', guarded.rows_of);
                EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', guarded.rows_of);
            END LOOP;
        END
        $$
        """
    )
    op.execute("DROP FUNCTION protect_tenant_rows(regclass, name)")
    op.execute("DROP FUNCTION current_account()")
    op.execute(_REVOKES)
