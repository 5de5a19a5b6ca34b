"""Run databases, schema, demo account, web server and workers for `make run`, until somebody stops it."""

from __future__ import annotations

import errno
import http.client
import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.dev.console import Halt, greeting, say, show
from app.dev.data_dir import DataDir
from app.dev.process import Child
from app.dev.services import Postgres, Redis, Service
from app.platform.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
EVERY_INTERFACE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  named in order to connect to them
"""An address that means "every interface" -> one that a client can connect to."""
STOP_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
READY_PATIENCE_S = 90.0
STOP_PATIENCE_S = 15.0
# Stopping `make run` waits this long: a job that takes longer is given back and continues next time.
WORKER_GRACE_S = 5.0
WEB_GRACE_S = 3


class ShutdownRequested(Exception):
    """Somebody asked us to stop."""


class Address:
    """HOST and PORT of the web server."""

    def __init__(self, host: str, port: int) -> None:
        """Resolve HOST, as the web server takes numbers only and shares its port, so that it notices nobody.

        Raises:
            Halt: Nothing can listen there.
        """
        self._host = host or "127.0.0.1"
        self._port = port
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            with socket.create_server((self._host, port), family=family) as probe:
                self.ip = str(probe.getsockname()[0])
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                another = f"PORT={port % 65535 + 1} make run"
                raise Halt(f"Port {port} on {host} is taken: try another, for example {another}") from None
            raise Halt(f"Nothing can listen on HOST={host}, PORT={port} ({error.strerror}).") from None

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        name = EVERY_INTERFACE.get(self._host, self._host)
        return f"http://{f'[{name}]' if ':' in name else name}:{self._port}"

    def answers(self, path: str) -> bool:
        """Return True when a GET of ``path`` is answered with 200."""
        connection = http.client.HTTPConnection(EVERY_INTERFACE.get(self.ip, self.ip), self._port, timeout=3)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


class ParentWatch:
    """Watch the process that started us, `make`.

    `make` passes SIGTERM on to what it runs, but not SIGINT and SIGHUP: those it expects a terminal to have
    sent to everybody, and waits. Where only `make` got one, we see that it is waiting inside its handler, by
    the signal that is blocked there.
    """

    def __init__(self) -> None:
        self._parent = os.getppid()
        # What was blocked before make began to wait for us was inherited, and says nothing.
        self._blocked = blocked_signals(self._parent)

    def is_over(self) -> bool:
        """Return True when the parent has ended or was told to end."""
        return os.getppid() != self._parent or bool(blocked_signals(self._parent) - self._blocked)


def blocked_signals(pid: int) -> set[int]:
    """Return which of the signals that ask for an end the process blocks; none when it cannot be read."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
    except OSError:
        return set()
    mask = int(re.findall(r"(?m)^SigBlk:\s*([0-9a-f]+)$", status)[0], 16)
    return {number for number in STOP_SIGNALS if mask >> (number - 1) & 1}


class Supervisor:
    """One `make run`."""

    def __init__(
        self, settings: Settings, data_dir: DataDir, parent: ParentWatch | None, *, everything: bool
    ) -> None:
        """Describe a run; ``everything`` shows all output of the children. Raises `Halt` for a taken port."""
        self._settings = settings
        self._data = data_dir
        self._parent = parent
        self._everything = everything
        self._address = Address(settings.host, settings.port)
        self._services: list[Service] = []
        self._clients: list[Child] = []
        self._passing: Child | None = None
        self._signals: list[int] = []
        self._environment: dict[str, str] = {}

    def run(self) -> int:
        """Run everything from the first to the last process; return 0 when asked to stop. Raises `Halt`."""
        started = time.monotonic()
        for number in STOP_SIGNALS:
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # `nohup make run`
                signal.signal(number, lambda received, _frame: self._signals.append(received))
        try:
            demo = self._start()
            address = self._settings.public_url or self._address.url
            mails = "MAIL_INBOX" in self._environment
            seconds = time.monotonic() - started
            show(greeting(address, demo, logs=str(self._data.logs), seconds=seconds, mails=mails))
            while True:
                self._tick()
                time.sleep(0.2)
        except ShutdownRequested:
            say("run", "Stopping …")
            self._stop()
            say("run", "Stopped.")
            return 0
        finally:
            self._stop()

    def _start(self) -> dict[str, str]:
        """Bring everything up, overlapping what can overlap; return the demo account."""
        with _timed("databases"):
            self._start_services()
            ours = any(isinstance(service, Postgres) for service in self._services)
            words = ["-m", "app.dev", "prepare", *(["--create-database"] if ours else [])]
            # While everything starts at once the stores answer slowly; a request would rather be told 503.
            patient = {"REDIS_TIMEOUT_S": "15", "DATABASE_CONNECT_S": "15", "DATABASE_ANSWER_S": "60"}
            preparation = self._passing = self._python("prepare", *words, grace=3, piped=True, **patient)
            for service in self._services:
                service.await_ready(tick=self._tick)
        web = self._python("web", "web.py", grace=5, HOST=self._address.ip, WEB_GRACE_S=str(WEB_GRACE_S))
        self._clients.append(web)
        with _timed("schema and demo account"):
            self._wait_until(lambda: preparation.exit_code() is not None)
            self._passing = None
            said = preparation.output()
            if preparation.wait() != 0:
                raise Halt(f"The database could not be prepared{preparation.end_of_log(3)}")
            demo = {name: str(value) for name, value in json.loads(said.splitlines()[-1]).items()}
        with _timed("web server"):
            self._wait_until(lambda: self._address.answers("/readyz"))
        # Last, because loading the application costs seconds of both cores on a laptop, and a job can wait.
        grace = str(min(self._settings.worker_grace_s, WORKER_GRACE_S))
        count = self._settings.worker_processes
        for name in ["worker"] if count == 1 else [f"worker-{number}" for number in range(1, count + 1)]:
            self._clients.append(self._python(name, "worker.py", grace=8, WORKER_GRACE_S=grace))
        return demo

    def _start_services(self) -> None:
        """Start what the settings do not name; make the environment of all other children."""
        settings, data = self._settings, self._data
        found = {"redis": settings.redis_url.get_secret_value()}
        found["postgres"] = settings.database_url.get_secret_value()
        kinds: list[type[Redis | Postgres]] = [Redis, Postgres]
        for kind in kinds:
            if not found[kind.label]:
                home, log = data.path / kind.label, data.log(kind.label)
                kept, leftovers = [data.lock_for_children], [data.services_file]
                own = kind(home, log, durable=True, keep_open=kept, remove=leftovers)
                found[kind.label] = own.url()
                self._services.append(own)
        self._environment = {
            **os.environ,
            "DATABASE_URL": found["postgres"],
            "REDIS_URL": found["redis"],
            "SECRET_KEY": settings.secret_key.get_secret_value() or data.secret_key(),
            "DATA_DIR": str(data.path),
            "HOST": settings.host,
            "PORT": str(settings.port),
            "PYTHONUNBUFFERED": "1",
            # Without a mail server letters are read at /portal/mail.
            **({} if os.environ.get("SMTP_URL") else {"MAIL_INBOX": "1"}),
            "PROMETHEUS_MULTIPROC_DIR": str(data.empty_metrics()),
        }
        for service in self._services:
            service.start()
        self._publish()

    def _publish(self) -> None:
        """Tell the command line where everything is; a service that ends takes that with it."""
        names = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
        self._data.publish_services({name.lower(): self._environment[name] for name in names})

    def _python(self, name: str, *words: str, grace: float, piped: bool = False, **variables: str) -> Child:
        """Start a Python process of the checkout, with ``variables`` on top of those of all children."""
        command, environment = [sys.executable, *words], self._environment | variables
        child = Child(name, command, self._data.log(name), environment, ROOT, grace=grace, piped=piped)
        child.keep_open = [self._data.lock_for_children]
        child.start()
        return child

    def _wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + READY_PATIENCE_S
        while not condition():
            self._tick()
            if time.monotonic() > deadline:
                raise Halt(f"Not ready after {READY_PATIENCE_S:.0f} s; see {self._data.logs}")
            time.sleep(0.05)

    def _tick(self) -> None:
        """Show logs, start again what ended. Raises `ShutdownRequested` or `Halt`."""
        if self._signals or (self._parent and self._parent.is_over()):
            raise ShutdownRequested
        for child in self._children():
            child.show_log(everything=self._everything)
        restarted = [child.restarted() for child in (*self._services, *self._clients)]
        if any(restarted):
            self._publish()

    def _children(self) -> list[Child]:
        """Return all, the services first."""
        return [*self._services, *self._clients, *([self._passing] if self._passing else [])]

    def _stop(self) -> None:
        """End all children, those that use the databases first. A second Ctrl-C means: at once."""
        hurried = max(1, len(self._signals))
        for group in (self._children()[len(self._services) :], self._services):
            for child in group:
                child.stop()
            deadline = time.monotonic() + STOP_PATIENCE_S
            for child in group:
                while child.wait(0.1) is None:
                    if len(self._signals) > hurried or time.monotonic() > deadline:
                        child.stop()
                if self._everything:  # otherwise: what is said while stopping is of no use to anyone
                    child.show_log(everything=True)
        self._services, self._clients, self._passing = [], [], None
        self._data.close()


@contextmanager
def _timed(stage: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    say("run", f"{stage}: {time.monotonic() - began:.1f} s")
