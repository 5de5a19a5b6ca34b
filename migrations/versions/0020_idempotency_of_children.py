"""An Idempotency-Key of a child key is its own on every route, in rows of the last 24 hours too.

Revision 0020, after 0019. Analyses and batches shared their keys among all keys of an account, children of
other firms included. The rows stay in the same form: the route names the child (`app/idempotency/execution`).

Which key wrote a row is read off the ledger: the charge has the very moment of the row's completion. Where
an account has children and no charge tells, the row goes: nothing was charged under it, or its work is under
way, will find that its claim is lost, and is done again without having been charged.
"""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_OPERATIONS = "(VALUES ('POST /api/v1/analyze', 'analyze'), ('POST /api/v1/analyze/batch', 'analyze_batch'))"
# For each shared row, the keys that were charged at its very moment.
_CHARGED = f"""
    SELECT r.account_id, r.route, r.key, array_agg(DISTINCT k.id) AS keys, bool_or(k.role = 'child') AS child
    FROM idempotency_records r
    JOIN {_OPERATIONS} AS o(route, operation) ON o.route = r.route
    JOIN credit_ledger l ON l.account_id = r.account_id AND l.created_at = r.charged_at
                        AND l.operation_type = o.operation
    JOIN api_keys k ON k.id = l.api_key_id
    GROUP BY r.account_id, r.route, r.key
    """
_TO_THE_CHILD = f"""
    UPDATE idempotency_records r SET route = r.route || ' by ' || c.keys[1]
    FROM ({_CHARGED}) c
    WHERE c.child AND cardinality(c.keys) = 1
      AND r.account_id = c.account_id AND r.route = c.route AND r.key = c.key
      AND NOT EXISTS (SELECT FROM idempotency_records o WHERE o.account_id = r.account_id AND o.key = r.key
                      AND o.route = r.route || ' by ' || c.keys[1])
    """
_WITHOUT_A_KNOWN_KEY = f"""
    DELETE FROM idempotency_records r
    WHERE r.route IN (SELECT route FROM {_OPERATIONS} AS o(route, operation))
      AND EXISTS (SELECT FROM api_keys k WHERE k.account_id = r.account_id AND k.role = 'child')
      AND NOT EXISTS (SELECT FROM ({_CHARGED}) c WHERE NOT c.child AND c.account_id = r.account_id
                      AND c.route = r.route AND c.key = r.key)
    """


def upgrade() -> None:
    op.execute("SET LOCAL ROLE candado_system")
    op.execute(_TO_THE_CHILD)
    op.execute(_WITHOUT_A_KNOWN_KEY)
    op.execute("RESET ROLE")


def downgrade() -> None:
    """Leave the rows: the version before reads past them, and they are over within 24 hours."""
