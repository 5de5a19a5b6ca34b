"""Rules that matter run in CI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from app.platform import settings
from app.platform.postgres import db
from tests.throwaway import Addresses, new_database

ROOT = Path(__file__).resolve().parents[2]

# Tables with an account_id column must be scoped by it; these have no tenant at all.
# The tenants themselves, and public law, which is everybody's.
WITHOUT_TENANT = {
    "accounts",
    "announcements",
    "citator_edges",
    "corpus_articles",
    "corpus_judgments",
    "corpus_loads",
    "corpus_norms",
    "corpus_passages",
    "corpus_versions",
    "corpus_versions_set_aside",
    "log_checkpoints",
    "log_entries",
    "log_tiles",
    # Assistants that ask for access: which of them a tenant let in is in the grants.
    "oauth_clients",
    "search_entries",
    "search_models",
    "search_postings",
    "search_projections",
    "signing_keys",
    "search_shelves",
    "search_vectors",
}
# Paths outside /api that answer without a key.
OPEN_PATHS = {"/healthz", "/readyz", "/metrics", "/docs", "/docs/<slug>", "/static/<path:filename>"}

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def test_every_api_route_says_who_may_enter(app: Flask) -> None:
    unguarded = [
        str(rule)
        for rule in app.url_map.iter_rules()
        if str(rule).startswith("/api/")
        and not hasattr(app.view_functions[rule.endpoint], "required")
        and str(rule) != "/api/v1/openapi.json"
    ]
    assert unguarded == []


def test_every_table_has_a_tenant_or_a_reason(app: Flask) -> None:
    without = {table.name for table in db.Base.metadata.sorted_tables if "account_id" not in table.columns}
    assert without == WITHOUT_TENANT


def test_every_setting_has_help_and_the_example_is_up_to_date() -> None:
    assert [name for name, field in settings.Settings.model_fields.items() if not field.description] == []
    assert (ROOT / ".env.example").read_text("utf-8") == settings.as_env_example(), "run: make env-example"


def test_the_migrations_give_the_tables_that_the_models_describe(app: Flask) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with db.engine().connect() as connection:
        opts = {"compare_type": True, "include_object": db.without_partitions(connection)}
        context = MigrationContext.configure(connection, opts=opts)
        assert compare_metadata(context, db.Base.metadata) == []


def test_autogenerate_proposes_nothing_where_law_is_loaded(services: Addresses, app: Flask) -> None:
    from alembic import command
    from alembic.config import Config

    address = new_database(services, "candado_autogenerate")
    engine = sa.create_engine(db.sqlalchemy_url(address))
    with engine.begin() as connection:
        connection.execute(sa.text("SELECT open_corpus_partition('ZZ')"))
        connection.execute(sa.text("SELECT open_search_partition('ZZ')"))
        assert (
            connection.scalar(
                sa.text(
                    "SELECT count(*) FROM pg_class "
                    "WHERE relispartition AND relkind = 'r' AND relname LIKE '%_zz'"
                )
            )
            == 4
        )
    engine.dispose()
    proposed: list[Any] = []
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.attributes["database_url"] = address

    def kept(_context: object, _revision: object, scripts: list[Any]) -> None:
        proposed.extend(scripts[0].upgrade_ops.as_diffs())
        scripts.clear()  # no file is written

    command.revision(config, autogenerate=True, process_revision_directives=kept)
    assert proposed == []


def test_migrations_are_numbered_once_and_follow_each_other() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    folder = ROOT / "migrations" / "versions"
    numbers = sorted(path.name[:4] for path in folder.glob("*.py"))
    assert len(set(numbers)) == len(numbers)
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    told = [one.revision[:4] for one in ScriptDirectory.from_config(config).walk_revisions()]
    assert told == numbers[::-1]


def test_the_openapi_document_is_valid_and_complete(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    OpenAPIV31SpecValidator(document).validate()
    assert document["info"]["version"] == "1.8.0"
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            where = f"{method} {path}"
            assert operation["operationId"], where
            assert operation["description"], where
            assert operation["summary"], where
            for status, response in operation["responses"].items():
                if status in ("204", "304"):
                    assert "content" not in response, where
                    continue
                described = response.get("content", {})
                kinds = ("application/json", "application/pdf", "application/x-ndjson", "text/plain", DOCX)
                content = next((described[kind] for kind in kinds if kind in described), None)
                assert content, f"{where} {status}"
                assert content["schema"], f"{where} {status}"
                assert "example" in content or "examples" in content, f"{where} {status}"
