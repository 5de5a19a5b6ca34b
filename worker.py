"""Worker entry point, `python worker.py`: background jobs and scheduled tasks in restarted processes.

SIGTERM and SIGINT stop it after the tasks that are running; a running job may go on for `WORKER_GRACE_S`.
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
