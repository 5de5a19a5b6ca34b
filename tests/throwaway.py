"""Start a PostgreSQL and a Redis for one test run: never synced, gone with who asked for them."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from app.dev.console import Halt
from app.dev.services import Postgres, Redis

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "template_candado"
MIGRATE = "import sys; from app.platform.postgres.db import upgrade; upgrade(sys.argv[1])"


@dataclass(frozen=True)
class Addresses:
    """Addresses of the services of a test run. Plain strings, so that other processes can get them."""

    folder: str
    postgres: str
    redis_socket: str

    def database_url(self, name: str) -> str:
        """Return the address of a database."""
        return self.postgres.replace("/postgres?", f"/{name}?")

    def redis_url(self, number: int) -> str:
        """Return the address of a database of Redis."""
        return f"unix://{self.redis_socket}?db={number}"


class Throwaway:
    """Both services in a directory of their own, which goes away with them."""

    def __init__(self, *, durable: bool = False) -> None:
        """Start both and wait until they answer; ``durable`` ones wait for the disk. Raises `Halt`."""
        self.folder = Path(tempfile.mkdtemp(prefix="candado-test-"))
        self.folder.chmod(0o711)  # as root, PostgreSQL is somebody else and must get through
        redis = Redis(self.folder / "redis", self.folder / "redis.log", durable=durable)
        postgres = Postgres(
            self.folder / "postgres",
            self.folder / "postgres.log",
            durable=durable,
            remove=[self.folder],  # also when this process is killed
        )
        self._services = (postgres, redis)
        try:
            redis.start()
            postgres.start()
            for service in self._services:
                service.await_ready()
        except BaseException:
            self.stop()
            raise
        self.addresses = Addresses(
            str(self.folder), postgres.url("postgres"), str(redis.sockets / "redis.sock")
        )

    def processes(self) -> list[int]:
        """Return the processes of PostgreSQL and Redis."""
        return [service.process_id() for service in self._services]

    def stop(self) -> None:
        """End both and remove their directory."""
        for service in self._services:
            service.stop()
            service.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def new_database(addresses: Addresses, name: str) -> str:
    """Create a migrated, empty database called ``name``; return its address.

    The first caller of a run migrates the template, everybody else copies it. An older database of that name
    (of a worker that was killed and replaced) is dropped.
    """
    with (Path(addresses.folder) / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with psycopg.connect(addresses.postgres, autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone():
                _make_template(addresses, connection)
    with psycopg.connect(addresses.postgres, autocommit=True) as connection:
        copy, template = sql.Identifier(name), sql.Identifier(TEMPLATE)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(copy))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(copy, template)
        )
    return addresses.database_url(name)


def _make_template(addresses: Addresses, connection: psycopg.Connection) -> None:
    """Migrate in a process of its own: no engine, logger or setting of it stays behind in ours."""
    half = sql.Identifier(TEMPLATE + "_half")
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(half))
    connection.execute(sql.SQL("CREATE DATABASE {}").format(half))
    url = addresses.database_url(TEMPLATE + "_half")
    done = subprocess.run(
        [sys.executable, "-c", MIGRATE, url],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Halt(f"the migrations failed on an empty database:\n{done.stderr[-4000:]}")
    connection.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(half, sql.Identifier(TEMPLATE)))
