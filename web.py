"""Web server entry point, `python web.py`. Address, processes and threads are settings (HOST, PORT, …).

SIGTERM and SIGINT stop it after the requests that are running, within `WEB_GRACE_S`. A web process that dies
is replaced.
"""

from __future__ import annotations

import sys

from app.platform.web import webserver


def _load() -> object:
    # Here, so that an error in what it imports is told in JSON too.
    import wsgi

    return wsgi.serve()


if __name__ == "__main__":
    sys.exit(webserver.run(_load))
