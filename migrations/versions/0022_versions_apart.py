"""Versions of an article never overlap nor end before they begin; articles keep what they were loaded from;
changed laws are announced through a table of their own.

Revision 0022, after 0019. In steps that are committed one by one. Rows that break the rule are repaired
first, 500 articles at a time: a version that runs into the next one ends where that one begins, as it was
read before (the later version counts); one that began on the day of a later one, or that ended before it
began and so was never shown, is set aside in `corpus_versions_set_aside` with the reason. The output
tells how many. Loading the law again gives it its right days. Half-way is no harm: run again, it goes on.

The index of the constraint is built under a lock that keeps readers of `corpus_versions` out. It needs the
extension `btree_gist`, which comes with PostgreSQL and which the owner of a database may create (a trusted
extension since PostgreSQL 13).
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_BATCH = 500
# The articles with a version that ends too early or too late, in order.
_BROKEN = """
    SELECT DISTINCT article_id FROM (
        SELECT article_id, in_force_from, in_force_to,
            lead(coalesce(in_force_from, '-infinity')) OVER (
                PARTITION BY article_id ORDER BY coalesce(in_force_from, '-infinity'), version) AS following
        FROM corpus_versions
    ) v
    WHERE in_force_to <= in_force_from OR following < coalesce(in_force_to, 'infinity')
    ORDER BY article_id LIMIT {batch}
"""
_ASIDE = """
    WITH gone AS (DELETE FROM corpus_versions WHERE id IN ({ids}) RETURNING *)
    INSERT INTO corpus_versions_set_aside
        (id, article_id, version, in_force_from, in_force_to, amended_by, text, digest, reason, set_aside_at)
    SELECT id, article_id, version, in_force_from, in_force_to, amended_by, text, digest, '{reason}', now()
    FROM gone
"""
_INVERTED = """
    SELECT id FROM corpus_versions WHERE article_id = ANY(:articles) AND in_force_to <= in_force_from
"""
_SAME_DAY = """
    SELECT id FROM (
        SELECT id, coalesce(in_force_from, '-infinity') AS first,
            lead(coalesce(in_force_from, '-infinity')) OVER (
            PARTITION BY article_id ORDER BY coalesce(in_force_from, '-infinity'), version) AS following
        FROM corpus_versions WHERE article_id = ANY(:articles)
    ) v WHERE first = following
"""
_SHORTENED = """
    UPDATE corpus_versions SET in_force_to = v.following
    FROM (
        SELECT id, lead(in_force_from) OVER (
            PARTITION BY article_id ORDER BY coalesce(in_force_from, '-infinity'), version) AS following
        FROM corpus_versions WHERE article_id = ANY(:articles)
    ) v
    WHERE corpus_versions.id = v.id AND v.following < coalesce(corpus_versions.in_force_to, 'infinity')
"""
# What is searched has the days of its version.
_PASSAGES = """
    UPDATE corpus_passages p SET in_force_to = v.in_force_to, indexed_at = NULL
    FROM corpus_versions v
    WHERE v.article_id = ANY(:articles) AND p.version_id = v.id
        AND p.in_force_to IS DISTINCT FROM v.in_force_to
"""


def upgrade() -> None:
    connection = op.get_bind()
    with op.get_context().autocommit_block():
        op.execute("SET lock_timeout = '5s'")
        op.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
        op.execute("ALTER TABLE corpus_norms ADD COLUMN IF NOT EXISTS editions jsonb")
        op.execute("ALTER TABLE corpus_articles ADD COLUMN IF NOT EXISTS readings jsonb")
        op.execute(
            "CREATE TABLE IF NOT EXISTS corpus_versions_set_aside ("
            " id uuid CONSTRAINT pk_corpus_versions_set_aside PRIMARY KEY,"
            " article_id uuid NOT NULL CONSTRAINT fk_corpus_versions_set_aside_article_id_corpus_articles"
            " REFERENCES corpus_articles (id) ON DELETE CASCADE,"
            " version smallint NOT NULL, in_force_from date, in_force_to date, amended_by text,"
            " text text NOT NULL, digest bytea NOT NULL, reason text NOT NULL,"
            " set_aside_at timestamptz NOT NULL)"
        )
        op.execute(
            "CREATE TABLE IF NOT EXISTS announcements ("
            " id uuid CONSTRAINT pk_announcements PRIMARY KEY, type text NOT NULL, scope text NOT NULL,"
            " payload jsonb NOT NULL, created_at timestamptz NOT NULL, after uuid)"
        )
        _repair(connection)
        op.execute(
            "ALTER TABLE corpus_versions DROP CONSTRAINT IF EXISTS ck_corpus_versions_ends_after_it_begins,"
            " ADD CONSTRAINT ck_corpus_versions_ends_after_it_begins"
            " CHECK (in_force_from < in_force_to) NOT VALID"
        )
        op.execute("ALTER TABLE corpus_versions VALIDATE CONSTRAINT ck_corpus_versions_ends_after_it_begins")
        op.execute(
            "ALTER TABLE corpus_versions DROP CONSTRAINT IF EXISTS ex_corpus_versions_apart,"
            " ADD CONSTRAINT ex_corpus_versions_apart EXCLUDE USING gist"
            # Built over rows that an open transaction may still see, too, as they were before the repair.
            " (article_id WITH =, (CASE WHEN in_force_from > in_force_to THEN 'empty'::daterange"
            " ELSE daterange(in_force_from, in_force_to) END) WITH &&)"
            " DEFERRABLE INITIALLY DEFERRED"
        )


def _repair(connection: sa.Connection) -> None:
    aside = shortened = 0
    while articles := list(connection.scalars(sa.text(_BROKEN.format(batch=_BATCH)))):
        values = {"articles": articles}
        inverted = _ASIDE.format(ids=_INVERTED, reason="ended before it began")
        same_day = _ASIDE.format(ids=_SAME_DAY, reason="began on the same day as a later version")
        aside += connection.execute(sa.text(inverted), values).rowcount
        aside += connection.execute(sa.text(same_day), values).rowcount
        shortened += connection.execute(sa.text(_SHORTENED), values).rowcount
        connection.execute(sa.text(_PASSAGES), values)
    if aside or shortened:
        print(  # noqa: T201 - the operator who migrates reads this
            f"0022: {shortened} versions of articles ended where the next one begins, {aside} set aside "
            "(SELECT * FROM corpus_versions_set_aside). Load those laws again to give them their right days."
        )


def downgrade() -> None:
    op.drop_constraint("ex_corpus_versions_apart", "corpus_versions")
    op.drop_constraint(op.f("ck_corpus_versions_ends_after_it_begins"), "corpus_versions")
    op.drop_table("announcements")
    op.drop_table("corpus_versions_set_aside")
    op.drop_column("corpus_articles", "readings")
    op.drop_column("corpus_norms", "editions")
