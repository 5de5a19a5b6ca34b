"""What tests of governance share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform import settings
from app.platform.postgres import db


@pytest.fixture
def superuser() -> Iterator[Session]:
    """Somebody with all rights on the database, whose work is rolled back afterwards."""
    engine = sa.create_engine(db.sqlalchemy_url(settings.current().database_url.get_secret_value()))
    with Session(engine) as session:
        session.execute(sa.text("SET session_replication_role = replica"))
        yield session
        session.rollback()
    engine.dispose()
