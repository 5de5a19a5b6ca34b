"""A statement may refuse the transaction that it is sent with.

Statements that are sent together with their commit have nobody to stop it between them. `require_charge`
raises UC001 where what a charge needs is not there, so that nothing of the transaction remains.

Revision 0041.
"""

from __future__ import annotations

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_REQUIRE = """
    CREATE FUNCTION require_charge(met boolean) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        IF met IS NOT TRUE THEN
            RAISE EXCEPTION 'what the charge needs is not there' USING ERRCODE = 'UC001';
        END IF;
        RETURN true;
    END $$
    """


def upgrade() -> None:
    op.execute(_REQUIRE)


def downgrade() -> None:
    op.execute("DROP FUNCTION require_charge(boolean)")
