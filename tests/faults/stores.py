"""A PostgreSQL and a Redis of one test alone, to be killed and started again."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from app.dev.services import Postgres, Redis, Service
from app.platform import redis_client


class Stores:
    """Services of this test alone, durable as in production."""

    def __init__(self, folder: Path) -> None:
        """Start both on what ``folder`` holds, from nothing where it is empty, and wait until they answer."""
        folder.parent.chmod(0o711)
        folder.mkdir(mode=0o711, exist_ok=True)
        self.folder = folder
        self.postgres = Postgres(folder / "postgres", folder / "postgres.log", durable=True)
        self.redis = Redis(folder / "redis", folder / "redis.log", durable=True)
        for store in (self.postgres, self.redis):
            store.start()
            store.await_ready()

    def kill_redis(self, away_s: float) -> None:
        """Signal 9 to the server itself, a pause, and a start from its append-only file."""
        pid = int(redis_client.client().info("server")["process_id"])
        os.kill(pid, signal.SIGKILL)
        self._again(self.redis, away_s)

    def stop_postgres_at_once(self, away_s: float) -> None:
        """`pg_ctl stop -m immediate`: SIGQUIT to the postmaster, no checkpoint; it recovers from its WAL."""
        pid = int((self.postgres.home / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGQUIT)
        self._again(self.postgres, away_s)

    def restart(self, store: Service, away_s: float) -> None:
        """Stop a server in order, a pause, and a start."""
        store.stop()
        self._again(store, away_s)

    def _again(self, store: Service, away_s: float) -> None:
        assert store.wait(30) is not None
        time.sleep(away_s)
        store.start()
        store.await_ready()

    def stop(self) -> None:
        for store in (self.redis, self.postgres):
            store.stop()
            store.wait()
