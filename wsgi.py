"""The WSGI entry: `flask --app wsgi …` takes `app`, the web server calls `serve` in each of its processes."""

from __future__ import annotations

import gc
import sys

from flask import Flask

from app import analysis, portal
from app.factory import create_app
from app.platform import confidential
from app.platform.settings import SettingsError

try:
    app = create_app()
except SettingsError as error:
    # One plain sentence: an operator needs the name of the setting, not where we read it.
    sys.exit(f"candado: {error}")


def serve() -> Flask:
    """The application, everything loaded that a first request would wait for."""
    confidential.leave_no_core()
    analysis.warm()
    portal.warm(app)
    # Rules and registry live as long as the process: the collector need not walk through them each time.
    gc.collect()
    gc.freeze()
    return app
