"""The worker process: `python worker.py`. SIGTERM and SIGINT stop it after the chore under way."""

from __future__ import annotations

import sys

from app import factory
from app.platform.settings import SettingsError

if __name__ == "__main__":
    try:
        sys.exit(factory.create_worker().run())
    except SettingsError as error:
        sys.exit(f"candado: {error}")
