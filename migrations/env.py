"""Alembic environment, used by `flask --app wsgi db upgrade` and `app.platform.postgres.db.upgrade(url)`.

One process migrates at a time (an advisory lock). A statement that does not get its table lock within 5
seconds fails instead of blocking all traffic behind it, so a migration is safe to run under load.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from app import factory
from app.platform import settings
from app.platform.postgres import db


def run() -> None:
    """Migrate the configured database to the requested revision."""
    url = context.config.attributes.get("database_url")
    if not url:
        url = settings.current().database_url.get_secret_value()
    engine = sa.create_engine(db.sqlalchemy_url(url), poolclass=sa.pool.NullPool)
    factory.tables()
    with engine.connect() as connection, db.migration_lock(connection):
        connection.execute(sa.text("SET lock_timeout = '5s'"))
        included = db.without_partitions(connection)
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=db.Base.metadata,
            compare_type=True,
            include_object=included,
            transaction_per_migration=True,
        )
        with context.begin_transaction():
            context.run_migrations()


run()
