"""Between the databases and the web server: the database, its schema, the demo account.

    python -m app.dev.preparation [--create-database]

One process, so that the application is imported once, while the databases are still starting. The last line
on stdout is the JSON object of `flask demo seed --json`.
"""

from __future__ import annotations

import sys
import time
from urllib.parse import urlsplit

import psycopg
from flask import Flask
from flask.cli import FlaskGroup, ScriptInfo
from psycopg import sql

PATIENCE_S = 60.0


def main(arguments: list[str]) -> int:
    from app.platform import settings
    from app.platform.postgres import db
    from wsgi import app

    url = settings.current().database_url.get_secret_value()
    _await_server(_maintenance(url) if "--create-database" in arguments else url)
    if "--create-database" in arguments:
        create_database(url)
    db.upgrade(url)
    _flask(app, "demo", "seed", "--json")
    return 0


def create_database(url: str) -> None:
    """Create the database that ``url`` names, unless it is there."""
    name = urlsplit(url).path.lstrip("/")
    with psycopg.connect(_maintenance(url), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


def _maintenance(url: str) -> str:
    return urlsplit(url)._replace(path="/postgres").geturl()


def _await_server(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _flask(app: Flask, *words: str) -> None:
    """Run a command as ``flask --app wsgi …`` would, in this process."""
    info = ScriptInfo(create_app=lambda: app)
    FlaskGroup(add_version_option=False).main(
        args=list(words), prog_name="flask", obj=info, standalone_mode=False
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
