"""Signing keys of the service, its transparency log, and policies that withhold outputs.

Entries, places and heads of the log are never changed or deleted; tiles only grow. The application reads
them, the system appends.

Revision 0027.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_LOG = ("log_entries", "log_checkpoints", "log_positions", "log_tiles")
# A head may get cosignatures and a time stamp; its size, root and moment stay.
_GUARD = """
    CREATE FUNCTION guard_log_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.size <> OLD.size OR NEW.root <> OLD.root OR NEW.at <> OLD.at
           OR NOT starts_with(NEW.note, OLD.note)
           OR (OLD.time_stamp IS NOT NULL AND NEW.time_stamp IS DISTINCT FROM OLD.time_stamp) THEN
            RAISE EXCEPTION 'log_checkpoints: a head only gains signatures and a time stamp'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END $$
    """


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "signing_keys",
        sa.Column("kid", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("signs_from", _MOMENT, nullable=False),
        sa.Column("first", sa.Boolean(), nullable=False),
        sa.CheckConstraint("purpose IN ('attestation', 'log')", name=op.f("ck_signing_keys_purpose_known")),
        sa.PrimaryKeyConstraint("kid", name=op.f("pk_signing_keys")),
    )
    op.create_index(
        "uq_signing_keys_first",
        "signing_keys",
        ["purpose"],
        unique=True,
        postgresql_where=sa.text("first"),
    )
    op.create_index(
        "ix_signing_keys_purpose_signs_from", "signing_keys", ["purpose", sa.text("signs_from DESC")]
    )
    op.create_table(
        "log_entries",
        sa.Column("index", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("entry", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("index", name=op.f("pk_log_entries")),
    )
    op.create_table(
        "log_tiles",
        sa.Column("level", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("index", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hashes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("level", "index", name=op.f("pk_log_tiles")),
    )
    op.create_table(
        "log_checkpoints",
        sa.Column("size", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("root", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("time_stamp", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("size", name=op.f("pk_log_checkpoints")),
    )
    op.create_table(
        "log_positions",
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("log_index", sa.BigInteger(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_log_positions_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", "seq", name=op.f("pk_log_positions")),
        sa.UniqueConstraint("log_index", name=op.f("uq_log_positions_log_index")),
    )
    op.create_table(
        "enforcement_policies",
        sa.Column("id", sa.UUID(), nullable=False),
        sa.Column("account_id", sa.UUID(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("target_id", sa.UUID(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint(
            "scope IN ('api_key', 'organization', 'user')", name=op.f("ck_enforcement_policies_scope_known")
        ),
        sa.CheckConstraint(
            "(scope = 'user') = (target_id IS NULL)", name=op.f("ck_enforcement_policies_target_fits")
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_enforcement_policies_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enforcement_policies")),
        sa.UniqueConstraint(
            "account_id",
            "scope",
            "target_id",
            name=op.f("uq_enforcement_policies_account_id_scope_target_id"),
        ),
    )
    op.create_index(
        "uq_enforcement_policies_user",
        "enforcement_policies",
        ["account_id"],
        unique=True,
        postgresql_where=sa.text("scope = 'user'"),
    )
    op.execute("SELECT protect_tenant_rows('enforcement_policies')")
    op.execute("SELECT protect_tenant_rows('log_positions')")
    for table in _LOG:
        op.execute(f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {table} FROM candado_app")
        op.execute(f"REVOKE DELETE, TRUNCATE ON {table} FROM candado_system")
        op.execute(
            f"CREATE TRIGGER never_deleted BEFORE DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    for table in ("log_entries", "log_positions"):
        op.execute(f"REVOKE UPDATE ON {table} FROM candado_system")
        op.execute(
            f"CREATE TRIGGER never_changed BEFORE UPDATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )
    op.execute(_GUARD)
    op.execute(
        "CREATE TRIGGER gains_only BEFORE UPDATE ON log_checkpoints "
        "FOR EACH ROW EXECUTE FUNCTION guard_log_checkpoint()"
    )


def downgrade() -> None:
    for table in ("enforcement_policies", *_LOG, "signing_keys"):
        op.drop_table(table)
    op.execute("DROP FUNCTION guard_log_checkpoint()")
