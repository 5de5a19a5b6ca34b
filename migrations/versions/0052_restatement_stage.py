"""Tokens are counted under the stage of statements that are said again.

Revision 0052.
"""

from __future__ import annotations

from alembic import op

revision = "0052"
down_revision = "0049"
branch_labels = None
depends_on = None

_NAME = "ck_usage_tokens_stage_known"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    # NOT VALID reads no row under the lock: every row fits, since the old condition is narrower.
    op.execute(
        f"ALTER TABLE usage_tokens DROP CONSTRAINT {_NAME}, ADD CONSTRAINT {_NAME} "
        "CHECK (stage IN ('draft', 'tools', 'restatement', 'audit', 'repair')) NOT VALID"
    )
    op.execute(f"ALTER TABLE usage_tokens VALIDATE CONSTRAINT {_NAME}")


def downgrade() -> None:
    op.execute("SET LOCAL ROLE candado_system")
    op.execute(
        "INSERT INTO usage_tokens AS held "
        "(account_id, day, api_key_id, model, stage, own, input, cached, output) "
        "SELECT account_id, day, api_key_id, model, 'repair', own, input, cached, output FROM usage_tokens "
        "WHERE stage = 'restatement' "
        "ON CONFLICT (account_id, day, api_key_id, model, stage, own) DO UPDATE SET "
        "input = held.input + excluded.input, cached = held.cached + excluded.cached, "
        "output = held.output + excluded.output"
    )
    op.execute("DELETE FROM usage_tokens WHERE stage = 'restatement'")
    op.execute("RESET ROLE")
    op.drop_constraint(op.f(_NAME), "usage_tokens")
    op.create_check_constraint(op.f(_NAME), "usage_tokens", "stage IN ('draft', 'tools', 'audit', 'repair')")
