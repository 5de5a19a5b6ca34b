"""Start a PostgreSQL and a streaming replica of it."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import Final, cast

import psycopg

from app.dev.console import Halt
from app.dev.process import Child
from app.dev.services import Postgres, _environment, _give_to_postgres, as_postgres_user
from tests.throwaway import Addresses, new_database

# After those of a cluster that is thrown away, which keeps too little of its log for a replica.
SETTINGS: Final = (
    "wal_level=replica",
    "max_wal_senders=4",
    "wal_keep_size=1GB",
    "wal_receiver_timeout=5s",
    "wal_retrieve_retry_interval=200ms",
    "hot_standby_feedback=on",
)


class Primary(Postgres):
    """A PostgreSQL that replicas may follow; `settings` come last and win."""

    settings: tuple[str, ...] = SETTINGS

    def _prepare(self) -> list[str]:
        return super()._prepare() + [word for one in self.settings for word in ("-c", one)]


class Replica(Primary):
    """A PostgreSQL that begins as a copy of `follows`, a connection string, and follows it."""

    follows = ""

    def _create_cluster(self, initdb: Path) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(mode=0o700)
        _give_to_postgres(self.home)
        words = [*as_postgres_user(), str(initdb.with_name("pg_basebackup")), "-D", str(self.home), "-R"]
        words += ["-X", "stream", "-c", "fast", "--no-sync", "-d", self.follows]
        child = Child("pg_basebackup", words, self.log, env=_environment(), keep_open=self.keep_open)
        child.start()
        if child.wait() != 0:
            raise Halt(f"the replica could not be copied{child.end_of_log(5)}")


class Replicated:
    """A primary and its replica in a directory of their own; both end with `stop`."""

    def __init__(self) -> None:
        """Start both and wait until they answer. Raises `Halt`."""
        self.folder = Path(tempfile.mkdtemp(prefix="candado-test-"))
        self.folder.chmod(0o711)
        self.primary = Primary(
            self.folder / "primary", self.folder / "primary.log", durable=False, remove=[self.folder]
        )
        self.replica = Replica(self.folder / "replica", self.folder / "replica.log", durable=False)
        try:
            self.primary.start()
            self.primary.await_ready()
            self.replica.follows = f"host={self.primary.sockets} user=postgres"
            self.start_replica()
        except BaseException:
            self.stop()
            raise

    def database(self, name: str) -> tuple[str, str]:
        """Create a migrated database; return its address on the primary and on the replica."""
        made = new_database(Addresses(str(self.folder), self.primary.url("postgres"), ""), name)
        self.catch_up()
        return made, self.replica.url(name)

    def start_replica(self) -> None:
        """Start the replica, where it ended, and wait until it answers."""
        self.replica.start()
        self.replica.await_ready()

    def stop_replica(self) -> None:
        """End the replica."""
        self.replica.stop()
        self.replica.wait()

    def receive(self) -> None:
        """Wait until the replica has received all that the primary has written by now."""
        self._follow("pg_last_wal_receive_lsn()")

    def catch_up(self, seconds: float = 30) -> None:
        """Wait until the replica has replayed all that the primary has written by now."""
        self._follow("pg_last_wal_replay_lsn()", seconds)

    def _follow(self, place: str, seconds: float = 30) -> None:
        written = self._one(self.primary, "SELECT pg_current_wal_insert_lsn()::text")
        deadline = time.monotonic() + seconds
        while not self._one(self.replica, f"SELECT {place} >= '{written}'"):
            assert time.monotonic() < deadline, "the replica does not follow"
            time.sleep(0.05)

    def pause(self) -> None:
        """Let the replica receive and replay nothing of it, until `resume`."""
        self._one(self.replica, "SELECT pg_wal_replay_pause()")

    def resume(self) -> None:
        """Let the replica replay again, and wait until it has caught up."""
        self._one(self.replica, "SELECT pg_wal_replay_resume()")
        self.catch_up()

    def terminate(self, backend: int) -> None:
        """End a connection of the replica, by the number of its process."""
        self._one(self.replica, f"SELECT pg_terminate_backend({backend})")

    def stop(self) -> None:
        """End both and remove their directory."""
        for one in (self.replica, self.primary):
            one.stop()
            one.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _one(server: Postgres, statement: str) -> object:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            row = connection.execute(statement.encode()).fetchone()
        return cast("tuple[object, ...]", row)[0]
