"""WSGI entry point: `flask --app wsgi …` uses `app`, each process of the web server calls `serve`."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

import click
from flask.cli import FlaskGroup

if TYPE_CHECKING:
    from flask import Flask


def __getattr__(name: str) -> Flask:
    """Create `app` on access: without routes for the list of `flask` commands, else the whole."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    context = click.get_current_context(silent=True)
    # `flask run` and `flask routes` ask from within their own context: they get the whole.
    return _commands() if context and isinstance(context.command, FlaskGroup) else _whole()


@cache
def serve() -> Flask:
    """Return the application, with everything loaded that the first request would otherwise wait for.

    A process that was forked from one that has loaded it finds it loaded.
    """
    from app import analysis, portal
    from app.platform import confidential
    from app.platform.processes import garbage

    app = _whole()
    confidential.leave_no_core()
    analysis.warm_up()
    portal.warm(app)
    garbage.settle()
    return app


@cache
def _whole() -> Flask:
    from app.factory import create_app
    from app.platform.settings import SettingsError

    try:
        return create_app()
    except SettingsError as error:
        # One plain sentence: an operator needs the name of the setting, not where we read it.
        sys.exit(f"candado: {error}")


@cache
def _commands() -> Flask:
    from app import cli

    return cli.application()
