"""Command line for operators: `flask --app wsgi account | key | credits | corpus | audit | demo …`.

With `--json` the last line of standard output is one JSON object. A refused command prints one sentence to
standard error and exits with 1. Each command is one transaction, except those of the corpus, which use many.
A module of this package is imported only when one of its commands is called.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import click
from flask import Flask

from app.cli.lazy_group import LazyGroup

__all__ = ["GROUPS", "application", "migrations"]

_PROJECT = Path(__file__).resolve().parents[2]


def application() -> Flask:
    """Return an application with every command and no route.

    It reads no setting; a command does when it is called. `migrations` registers and returns `flask db`.
    """
    app = Flask("candado", root_path=str(_PROJECT), static_folder=None)
    for group in GROUPS:
        app.cli.add_command(group)
    app.cli.add_command(
        LazyGroup("db", lambda: migrations(app), summary="Perform database migrations.", before=_ready)
    )
    return app


def migrations(app: Flask) -> click.Group:
    """Register Flask-Migrate on `app` and return its commands; migrations/env.py imports the tables."""
    from flask_migrate import Migrate
    from flask_migrate.cli import db as group

    from app.platform import settings
    from app.platform.postgres import db

    Migrate(app, SimpleNamespace(metadata=db.Base.metadata), directory=str(settings.PROJECT / "migrations"))
    found: click.Group = group
    return found


def _ready() -> None:
    from app.cli.commands import ready

    ready()


# Imported in functions: the command line loads the module of the command that is called, and no other.
def _account() -> click.Group:
    from app.cli.account import account

    return account


def _key() -> click.Group:
    from app.cli.key import key

    return key


def _credits() -> click.Group:
    from app.cli.credits import credit

    return credit


def _corpus() -> click.Group:
    from app.cli.corpus import law

    return law


def _audit() -> click.Group:
    from app.cli.audit import trail

    return trail


def _usage() -> click.Group:
    from app.cli.usage import calls

    return calls


def _demo() -> click.Group:
    from app.cli.demo import demonstration

    return demonstration


GROUPS: tuple[click.Group, ...] = (
    LazyGroup("account", _account, summary="Tenants: create one, switch its options."),
    LazyGroup("key", _key, summary="API keys: create, revoke."),
    LazyGroup("credits", _credits, summary="Credits: grant, show the balance."),
    LazyGroup("corpus", _corpus, summary="The corpus of law: load it, see what is in it."),
    LazyGroup("audit", _audit, summary="Signing keys and the transparency log."),
    LazyGroup("usage", _usage, summary="Months of the log of requests: list, detach, attach."),
    LazyGroup("demo", _demo, summary="The demonstration account of `make run`."),
)
