"""Run everything until asked to stop: `python -m app.dev run`. Settings: the environment.

    python -m app.dev run [--end-with-parent]
    python -m app.dev prepare [--create-database]

`prepare` is what `run` starts between the databases and the web server: one process, so that the application
is imported once, while the databases are still starting. The last line of its output is the JSON object of
`flask demo seed --json`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from urllib.parse import urlsplit

import click
import psycopg
from flask.cli import FlaskGroup, ScriptInfo
from psycopg import sql

from app.dev.console import Halt, say
from app.platform import settings

DATABASE_PATIENCE_S = 60.0


def main(arguments: list[str]) -> int:
    """Run the command in ``arguments``; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m app.dev", description=__doc__)
    parser.add_argument("command", choices=["run", "prepare"])
    parser.add_argument("--end-with-parent", action="store_true", help="run: stop when make ends")
    parser.add_argument("--create-database", action="store_true", help="prepare: create it if it is missing")
    options = parser.parse_args(arguments)
    if options.command == "prepare":
        prepare(create_database=options.create_database)
        return 0
    try:
        return run(end_with_parent=options.end_with_parent)
    except (Halt, settings.SettingsError) as error:
        say("run", str(error))
        return 1


def run(*, end_with_parent: bool) -> int:
    """Start everything and stay until a signal comes; return the exit code. Raises `Halt`."""
    from app.dev.data_dir import DataDir
    from app.dev.supervisor import ParentWatch, Supervisor

    # Until the supervisor listens, Ctrl-C simply ends us: there is nothing to tidy up yet.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    data_dir = DataDir(settings.load().data_dir)
    data_dir.open()
    # Loaded again: what a killed run left in services.json must not be taken for settings of this one.
    return Supervisor(
        settings.load(),
        data_dir,
        ParentWatch() if end_with_parent else None,
        everything=os.environ.get("VERBOSE", "") not in {"", "0"},
    ).run()


def prepare(*, create_database: bool) -> None:
    """Wait for PostgreSQL, bring the schema up to date, make the demo account and print it as JSON."""
    from app.platform.postgres import db
    from wsgi import app

    url = settings.current().database_url.get_secret_value()
    server = urlsplit(url)._replace(path="/postgres").geturl() if create_database else url
    with _connect(server) as connection:
        name = urlsplit(url).path.lstrip("/")
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if create_database and not known:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    db.upgrade(url)
    flask = FlaskGroup(add_version_option=False)
    words = ["demo", "seed", "--json"]
    try:
        flask.main(words, obj=ScriptInfo(create_app=lambda: app), standalone_mode=False)
    except click.ClickException as error:
        sys.exit(error.format_message())  # its sentence, not where in the code it was raised


def _connect(url: str) -> psycopg.Connection:
    """Connect to a server that may still be starting."""
    deadline = time.monotonic() + DATABASE_PATIENCE_S
    while True:
        try:
            return psycopg.connect(url, autocommit=True, connect_timeout=5)
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
