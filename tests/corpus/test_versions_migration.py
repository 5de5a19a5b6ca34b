"""Migration 0022 over rows that break its rule: repaired, told, and nothing lost."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from psycopg import sql

from app.platform import settings
from tests.throwaway import Addresses

_NAME = "versions_migration"


@pytest.fixture
def former(services: Addresses) -> Iterator[tuple[str, Config]]:
    """A database of the release before, and the way to bring it up."""
    url = services.database_url(_NAME)
    config = Config()
    config.set_main_option("script_location", str(settings.PROJECT / "migrations"))
    config.attributes["database_url"] = url
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        name = sql.Identifier(_NAME)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            before = ScriptDirectory.from_config(config).get_revision("0022").down_revision
            assert isinstance(before, str)
            command.upgrade(config, before)
            yield url, config
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


_NORM = (
    "INSERT INTO corpus_norms (id, jurisdiction, official_id, title, status, source, digest, loaded_at)"
    " VALUES (%s, 'ZZ', 'ZZ-1', 'Ley', 'in_force', 'markdown', 'x', now())"
)
_ARTICLE = (
    "INSERT INTO corpus_articles (id, norm_id, number, occurrence, place, path)"
    " VALUES (%s, %s, %s, 1, 1, '{}')"
)
_VERSION = (
    "INSERT INTO corpus_versions (id, article_id, version, in_force_from, in_force_to, text, digest)"
    " VALUES (gen_random_uuid(), %s, %s, %s, %s, %s, 'x')"
)


def test_broken_rows_are_repaired_and_the_rest_stays(
    former: tuple[str, Config], capsys: pytest.CaptureFixture[str]
) -> None:
    url, config = former
    first, second, third = date(2020, 1, 1), date(2022, 1, 1), date(2024, 2, 29)
    broken = {
        "right": [(None, first), (first, None)],
        "overlaps": [(None, third), (second, None)],
        "open": [(None, None), (second, None), (third, None)],
        "inverted": [(third, second), (third, None)],
        "same day": [(None, None), (None, None)],
        "ends too late": [(first, third), (second, third), (third, None)],
    }
    norm = uuid.uuid4()
    with psycopg.connect(url) as connection:
        connection.execute(_NORM, (norm,))
        for number, versions in broken.items():
            article = uuid.uuid4()
            connection.execute(_ARTICLE, (article, norm, number))
            for place, (begins, ends) in enumerate(versions, start=1):
                connection.execute(_VERSION, (article, place, begins, ends, f"v{place}"))
    command.upgrade(config, "head")
    assert "4 versions of articles ended where the next one begins, 2 set aside" in capsys.readouterr().out
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT a.number, v.in_force_from, v.in_force_to, v.text FROM corpus_versions v"
            " JOIN corpus_articles a ON a.id = v.article_id ORDER BY a.number, v.version"
        ).fetchall()
        aside = connection.execute(
            "SELECT text, reason FROM corpus_versions_set_aside ORDER BY reason"
        ).fetchall()
    found: dict[str, list[tuple[object, ...]]] = {}
    for number, *rest in rows:
        found.setdefault(number, []).append(tuple(rest))
    assert found == {
        "right": [(None, first, "v1"), (first, None, "v2")],
        "overlaps": [(None, second, "v1"), (second, None, "v2")],
        "open": [(None, second, "v1"), (second, third, "v2"), (third, None, "v3")],
        "inverted": [(third, None, "v2")],
        "same day": [(None, None, "v2")],
        "ends too late": [(first, second, "v1"), (second, third, "v2"), (third, None, "v3")],
    }
    assert aside == [("v1", "began on the same day as a later version"), ("v1", "ended before it began")]
    with psycopg.connect(url) as connection:
        article_id = connection.execute("SELECT article_id FROM corpus_versions LIMIT 1").fetchone()
        assert article_id is not None
        connection.execute(_VERSION, (*article_id, 9, None, None, "x"))
        with pytest.raises(psycopg.errors.ExclusionViolation):
            connection.commit()
