"""Functions with the rights of the tables' owner look for tables in temporary ones last, never first.

A name without a schema is looked up among temporary tables before all others unless the path names
`pg_temp`; any role may make some. The function that appends audit records has it since 0021.

Revision 0057.
"""

from __future__ import annotations

from alembic import op

revision = "0057"
down_revision = "0054"
branch_labels = None
depends_on = None

_FUNCTIONS = (
    "open_corpus_partition", "open_search_partition", "index_search_vectors", "drop_search_vectors_index",
    "make_usage_month", "detach_usage_month", "attach_usage_month", "drop_usage_month",
)  # fmt: skip
# What else is in the path stays: extensions may have a schema of their own.
_SET = """
    DO $$
    DECLARE
        one record;
    BEGIN
        FOR one IN
            SELECT p.oid::regprocedure::text AS name, regexp_replace(substr(c, 13), ', pg_temp$', '') AS path
            FROM pg_proc p, unnest(p.proconfig) AS c
            WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef
                AND c LIKE 'search_path=%' AND p.proname = ANY('{{{names}}}')
        LOOP
            EXECUTE 'ALTER FUNCTION ' || one.name || ' SET search_path = ' || one.path || '{last}';
        END LOOP;
    END
    $$
    """


def upgrade() -> None:
    op.execute(_SET.format(names=",".join(_FUNCTIONS), last=", pg_temp"))


def downgrade() -> None:
    op.execute(_SET.format(names=",".join(_FUNCTIONS), last=""))
