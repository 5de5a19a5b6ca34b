"""`make run`: databases, schema, demo account, web server and workers, until somebody stops it."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.dev.caller import Caller
from app.dev.child import Child, Command
from app.dev.console import Halt, say, show
from app.dev.data_dir import DataDir
from app.dev.door import Door
from app.dev.greeting import greeting
from app.dev.log_tail import LogTail
from app.dev.services import Postgres, Redis, Service
from app.platform.settings import Settings

ROOT = Path(__file__).resolve().parents[2]

QUICK_S = 20.0
"""A child that ends sooner than this after its start has failed quickly."""
QUICK_FAILURES = 4
"""So many in a row, and we give up."""
READY_PATIENCE_S = 90.0
STOP_PATIENCE_S = 15.0
WORKER_GRACE_S = 5.0
WEB_GRACE_S = "3"


class Stopped(Exception):
    """Somebody asked us to stop while we were still starting."""


@dataclass
class Post:
    """A job that a child must always do: when one ends the next one starts, a little later each time."""

    name: str
    start: Callable[[], Child]
    child: Child | None = None
    began: float = 0.0
    quick_failures: int = 0
    due: float | None = None

    def fill(self) -> None:
        self.child = self.start()
        self.began = time.monotonic()
        self.due = None

    def look_after(self) -> None:
        """Notice an end, wait a little, start again. Raises `Halt` after several quick failures."""
        assert self.child is not None
        code = self.child.exit_code()
        if code is None:
            return
        now = time.monotonic()
        if self.due is None:
            self.quick_failures = self.quick_failures + 1 if now - self.began < QUICK_S else 1
            if self.quick_failures >= QUICK_FAILURES:
                raise Halt(
                    f"{self.name} ended {self.quick_failures} times in a row (exit code {code}); the end of "
                    f"{self.child.log}:\n{self.child.last_words()}"
                )
            delay = 0.25 * 2**self.quick_failures
            say(
                "run",
                f"{self.name} ended unexpectedly (exit code {code}); starting it again in {delay:.1f} s",
            )
            self.due = now + delay
        elif now >= self.due:
            self.fill()


class Supervisor:
    """One `make run`."""

    def __init__(self, settings: Settings, data_dir: DataDir, caller: Caller, *, everything: bool) -> None:
        """``everything``: show all output of the children, not only warnings and errors."""
        self._settings = settings
        self._data = data_dir
        self._everything = everything
        self._caller = caller
        self._posts: list[Post] = []
        self._services: list[Service] = []
        self._tails: list[LogTail] = []
        self._passing: list[Child] = []
        self._signals: list[int] = []
        self._environment: dict[str, str] = {}
        self._door: Door

    def run(self) -> int:
        """Everything from the first to the last process. Raises `Halt`; returns 0 when asked to stop."""
        started = time.monotonic()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # `nohup make run`
                signal.signal(number, lambda received, _frame: self._signals.append(received))
        try:
            self._door = Door(self._settings.host, self._settings.port)
            self._door.refuse_if_taken()
            demo = self._start()
            show(
                greeting(
                    self._settings.public_url or self._door.url,
                    demo,
                    logs=str(self._data.logs),
                    seconds=time.monotonic() - started,
                    mails="MAIL_INBOX" in self._environment,
                )
            )
            while True:
                self._tick()
                time.sleep(0.2)
        except Stopped:
            say("run", "Stopping …")
            self._stop()
            say("run", "Stopped.")
            return 0
        finally:
            self._stop()

    def _start(self) -> dict[str, str]:
        """Bring everything up; returns the demo account. What can overlap does."""
        with _stage("databases"):
            create = self._start_services()
            preparation, answer = self._start_preparation(create)
            for service in self._services:
                service.await_ready(tick=self._tick)
        self._post("web", self._web_command())
        with _stage("schema and demo account"):
            demo = self._demo_account(preparation, answer)
        with _stage("web server"):
            self._await_ready()
        # Last, because loading the application costs seconds of both cores on a laptop, and a job can wait.
        processes = self._settings.worker_processes
        for number in range(1, processes + 1):
            self._post("worker" if processes == 1 else f"worker-{number}", self._worker_command())
        return demo

    def _start_services(self) -> bool:
        """Start what the settings do not name; True when the PostgreSQL is ours and needs a database."""
        settings, data = self._settings, self._data
        database_url = settings.database_url.get_secret_value()
        redis_url = settings.redis_url.get_secret_value()
        secret_key = settings.secret_key.get_secret_value() or data.secret_key()
        ours = not database_url
        keep_open = [data.lock_for_children]
        leftovers = [data.services_file]
        if not redis_url:
            redis = Redis(
                data.path / "redis", data.log("redis"), durable=True, keep_open=keep_open, leftovers=leftovers
            )
            redis_url = redis.url()
            self._serve(redis)
        if ours:
            postgres = Postgres(
                data.path / "postgres",
                data.log("postgres"),
                durable=True,
                keep_open=keep_open,
                leftovers=leftovers,
            )
            database_url = postgres.url()
            if not (postgres.home / "PG_VERSION").exists():
                say("run", "Creating the database (the first time only) …")
            self._serve(postgres)
        self._environment = {
            **os.environ,
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SECRET_KEY": secret_key,
            "DATA_DIR": str(data.path),
            "HOST": settings.host,
            "PORT": str(settings.port),
            "PYTHONUNBUFFERED": "1",
            # Without a mail server letters are read at /portal/mail.
            **({} if os.environ.get("SMTP_URL") else {"MAIL_INBOX": "1"}),
            "PROMETHEUS_MULTIPROC_DIR": str(data.empty_metrics()),
        }
        self._publish()
        return ours

    def _publish(self) -> None:
        """Tell the command line where everything is. A service that ends takes that file with it."""
        if self._environment:
            self._data.publish_services(
                database_url=self._environment["DATABASE_URL"],
                redis_url=self._environment["REDIS_URL"],
                secret_key=self._environment["SECRET_KEY"],
            )

    def _serve(self, service: Service) -> None:
        self._services.append(service)
        self._tails.append(LogTail(service.name, service.log, everything=self._everything))

        def start() -> Child:
            child = service.start()
            self._publish()
            return child

        post = Post(service.name, start)
        post.fill()
        self._posts.append(post)

    def _post(self, name: str, command: Command) -> None:
        log = self._data.log(name)
        self._tails.append(LogTail(name, log, everything=self._everything))
        post = Post(name, lambda: Child(name, command, log, keep_open=[self._data.lock_for_children]))
        post.fill()
        self._posts.append(post)

    def _command(self, *argv: str, grace: float) -> Command:
        return Command([sys.executable, *argv], env=self._environment, cwd=ROOT, grace=grace)

    def _web_command(self) -> Command:
        # Whoever stops `make run` waits for it. The server takes addresses only: HOST as the door found it.
        environment = {**self._environment, "HOST": self._door.address, "WEB_GRACE_S": WEB_GRACE_S}
        return Command([sys.executable, "web.py"], env=environment, cwd=ROOT, grace=5)

    def _worker_command(self) -> Command:
        # Whoever stops `make run` waits for it: a job that takes longer is given back and goes on next time.
        grace = str(min(self._settings.worker_grace_s, WORKER_GRACE_S))
        environment = {**self._environment, "WORKER_GRACE_S": grace}
        return Command([sys.executable, "worker.py"], env=environment, cwd=ROOT, grace=8)

    def _start_preparation(self, create: bool) -> tuple[Child, int]:
        """The process of `preparation`, and a descriptor from which its answer can be read afterwards."""
        words = ["-m", "app.dev.preparation", *(["--create-database"] if create else [])]
        log = self._data.log("preparation")
        self._tails.append(LogTail("prepare", log, everything=self._everything))
        with tempfile.TemporaryFile() as answer:
            child = Child(
                "preparation",
                self._command(*words, grace=3),
                log,
                keep_open=[self._data.lock_for_children],
                answer=answer,
            )
            descriptor = os.dup(answer.fileno())
        self._passing.append(child)
        return child, descriptor

    def _demo_account(self, preparation: Child, descriptor: int) -> dict[str, str]:
        while preparation.exit_code() is None:
            self._tick()
            time.sleep(0.02)
        self._passing.remove(preparation)
        with os.fdopen(descriptor, "rb") as answer:
            answer.seek(0)
            lines = answer.read().decode("utf-8", "replace").strip().splitlines()
        if preparation.wait() != 0:
            raise Halt(
                f"The database could not be prepared; the end of {preparation.log}:\n"
                f"{preparation.last_words(3)}"
            )
        try:
            demo = json.loads(lines[-1])
            return {name: str(demo[name]) for name in ("email", "password", "key")}
        except (IndexError, ValueError, TypeError, KeyError):
            raise Halt(f"`flask demo seed --json` gave no account; see {preparation.log}") from None

    def _await_ready(self) -> None:
        deadline = time.monotonic() + READY_PATIENCE_S
        while not self._door.answers("/readyz"):
            self._tick()
            if time.monotonic() > deadline:
                raise Halt(
                    f"The web server was not ready after {READY_PATIENCE_S:.0f} s; see {self._data.logs}"
                )
            time.sleep(0.05)

    def _tick(self) -> None:
        """What must happen again and again. Raises `Stopped` or `Halt`."""
        if self._signals or self._caller.wants_us_gone():
            raise Stopped
        for tail in self._tails:
            tail.show()
        for post in self._posts:
            post.look_after()

    def _stop(self) -> None:
        """End all children, those that use the databases first. A second Ctrl-C means: at once."""
        hurried = len(self._signals)
        if not self._everything:
            self._tails.clear()  # what the children say while they are being stopped is of no use to anyone
        names = {service.name for service in self._services}
        clients = self._passing + [
            post.child for post in self._posts if post.child and post.name not in names
        ]
        servers = [post.child for post in self._posts if post.child and post.name in names]
        for group in (clients, servers):
            for child in group:
                child.stop()
            deadline = time.monotonic() + STOP_PATIENCE_S
            for child in group:
                while child.wait(0.1) is None:
                    for tail in self._tails:
                        tail.show()
                    if len(self._signals) > max(1, hurried) or time.monotonic() > deadline:
                        child.stop()
        self._data.forget_services()
        self._data.close()
        self._posts.clear()
        self._passing.clear()


@contextmanager
def _stage(name: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    say("run", f"{name}: {time.monotonic() - began:.1f} s")
