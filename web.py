"""The web server: `python web.py`. Address, processes and threads are settings (HOST, PORT, WEB_WORKERS, …).

SIGTERM and SIGINT stop it after the requests under way, within `WEB_GRACE_S`. A process of it that dies is
replaced.
"""

from __future__ import annotations

import sys

from app.platform.web import webserver

if __name__ == "__main__":
    sys.exit(webserver.run())
