"""Activity of members and keys: a log in the order of a sequence, which the application can only add to.

Names, networks and details may be taken out, which closing an account does; nothing else of a row changes.

Revision 0031.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

_GUARD = """
    CREATE FUNCTION guard_activity() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (to_jsonb(NEW) - ARRAY['actor_name', 'target_name', 'network', 'details'])
            IS DISTINCT FROM (to_jsonb(OLD) - ARRAY['actor_name', 'target_name', 'network', 'details'])
            OR num_nonnulls(NEW.actor_name, NEW.target_name, NEW.network) > 0 OR NEW.details <> '{}'
        THEN
            RAISE EXCEPTION 'activities: a row only loses its names';
        END IF;
        RETURN NEW;
    END $$
    """


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "activities",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.UUID(), nullable=True),
        sa.Column("actor_name", sa.Text(), nullable=True),
        sa.Column("network", sa.Text(), nullable=True),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target_kind", sa.Text(), nullable=True),
        sa.Column("target_id", sa.Text(), nullable=True),
        sa.Column("target_name", sa.Text(), nullable=True),
        sa.Column("details", postgresql.JSONB(), nullable=False),
        sa.CheckConstraint(
            "actor_kind IN ('member', 'api_key', 'visitor', 'service')",
            name=op.f("ck_activities_actor_kind_known"),
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_activities_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_activities")),
        sa.UniqueConstraint("seq", name=op.f("uq_activities_seq")),
    )
    op.create_index("ix_activities_account_id_seq", "activities", ["account_id", sa.text("seq DESC")])
    op.create_index("ix_activities_of_actor", "activities", ["account_id", "actor_id", sa.text("seq DESC")])
    op.execute("SELECT protect_tenant_rows('activities')")
    op.execute("REVOKE UPDATE, DELETE, TRUNCATE ON activities FROM candado_app")
    op.execute("REVOKE DELETE, TRUNCATE ON activities FROM candado_system")
    op.execute(_GUARD)
    op.execute(
        "CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON activities "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.execute(
        "CREATE TRIGGER loses_names_only BEFORE UPDATE ON activities "
        "FOR EACH ROW EXECUTE FUNCTION guard_activity()"
    )


def downgrade() -> None:
    op.drop_table("activities")
    op.execute("DROP FUNCTION guard_activity()")
