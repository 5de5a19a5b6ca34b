"""A PostgreSQL and a Redis for one test run: never synced, gone with the process that asked for them."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from app.dev.console import Halt
from app.dev.services import Postgres, Redis

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "template_candado"


@dataclass(frozen=True)
class Addresses:
    """Where the services of a test run are. Plain strings, so that it travels to other processes."""

    folder: str
    postgres: str
    redis_socket: str

    def database_url(self, name: str) -> str:
        return self.postgres.replace("/postgres?", f"/{name}?")

    def redis_url(self, number: int) -> str:
        return f"unix://{self.redis_socket}?db={number}"


class Throwaway:
    """Both services in a directory of their own, which goes away with them."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="candado-test-"))
        self.folder.chmod(0o711)  # as root, PostgreSQL is somebody else and must get through
        try:
            self._postgres = Postgres(
                self.folder / "postgres",
                self.folder / "postgres.log",
                durable=False,
                leftovers=[self.folder],  # also when this process is killed
            )
            self._redis = Redis(self.folder / "redis", self.folder / "redis.log", durable=False)
            self._redis.start()
            self._postgres.start()
            self._redis.await_ready()
            self._postgres.await_ready()
        except BaseException:
            self.stop()
            raise
        self.addresses = Addresses(
            str(self.folder), self._postgres.url("postgres"), self._redis.url().removeprefix("unix://")[:-5]
        )

    def stop(self) -> None:
        """End both and remove their directory."""
        for service in (getattr(self, "_postgres", None), getattr(self, "_redis", None)):
            if service is not None:
                service.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def new_database(addresses: Addresses, name: str) -> str:
    """A migrated, empty database called ``name``; returns its address.

    The first caller of a run migrates the template, everybody else copies it. An older database of that name
    (of a worker that was killed and replaced) is dropped.
    """
    with _alone(Path(addresses.folder) / "template.lock"):
        with psycopg.connect(addresses.postgres, autocommit=True) as connection:
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone()
        if not known:
            _make_template(addresses)
    with psycopg.connect(addresses.postgres, autocommit=True) as connection:
        copy, template = sql.Identifier(name), sql.Identifier(TEMPLATE)
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(copy))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(copy, template)
        )
    return addresses.database_url(name)


def _make_template(addresses: Addresses) -> None:
    """Migrate in a process of its own: no engine, logger or setting of it stays behind in ours."""
    half = TEMPLATE + "_half"
    with psycopg.connect(addresses.postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(half)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(half)))
    migrate = "import sys; from app.platform.postgres.db import upgrade; upgrade(sys.argv[1])"
    url = addresses.database_url(half)
    done = subprocess.run(
        [sys.executable, "-c", migrate, url],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Halt(f"the migrations failed on an empty database:\n{done.stderr[-4000:]}")
    with psycopg.connect(addresses.postgres, autocommit=True) as connection:
        connection.execute(
            sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(half), sql.Identifier(TEMPLATE))
        )


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
