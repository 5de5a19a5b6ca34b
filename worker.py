"""The worker: `python worker.py`. Jobs and recurring chores, in processes that it starts again if they die.

SIGTERM and SIGINT stop it after the chore under way; a job in hand may go on for `WORKER_GRACE_S`.
"""

from __future__ import annotations

import sys

from app import factory
from app.platform.settings import SettingsError

if __name__ == "__main__":
    try:
        sys.exit(factory.create_worker().run())
    except SettingsError as error:
        sys.exit(f"candado: {error}")
