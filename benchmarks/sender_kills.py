"""Kill the sender of webhooks at random moments and count what arrived: `python -m benchmarks.sender_kills`.

While events are published all the time, a sender process is started and killed with signal 9 again and again.
At the end a last one sends the rest. Every event must have reached every endpoint; what arrived twice is
counted too (a receiver tells by the event's id). Exit code 1 when anything is missing.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from typing import Any

from app.platform.postgres import rls

ENDPOINTS = 6


def kill_and_count(kills: int, *, lease_s: float, pause_s: float = 0.5, seed: int = 1) -> dict[str, Any]:
    """The proof, on the database of the current settings. `lost` must be 0."""
    from app import webhooks
    from app.platform import clock
    from app.platform.postgres import db
    from tests.cast import Cast
    from tests.webhooks.receiver import receiving

    chance = random.Random(seed)
    alice = Cast().player()
    published: list[str] = []
    over = threading.Event()

    @rls.as_system()
    def publish() -> None:
        while not over.wait(0.01):
            with db.transaction() as session:
                made = webhooks.publish(
                    session, alice.account_id, "credits.low", {"balance": 1, "threshold": 2}, now=clock.now()
                )
            published.append(str(made))

    with receiving() as receiver, _Senders(lease_s) as senders:
        with db.transaction() as session:
            for number in range(ENDPOINTS):
                webhooks.register(
                    session, alice.account_id, alice.key_id, url=f"{receiver.url}/{number}",
                    events=["credits.low"], description=None, now=clock.now(),
                )  # fmt: skip
        publisher = threading.Thread(target=publish)
        publisher.start()
        interrupted = 0
        try:
            for _ in range(kills):
                sender = senders.start()
                time.sleep(chance.random() * pause_s)
                senders.kill(sender)
                interrupted += _held()
        finally:
            over.set()
            publisher.join()
        last = senders.start()
        while _open():
            # Raises when it ended by itself.
            os.kill(last, 0)
            time.sleep(0.2)
        senders.kill(last)
        arrived = [(received.path, received.event_id) for received in receiver.got]
    expected = {(f"/{number}", event_id) for number in range(ENDPOINTS) for event_id in published}
    return {
        "kills": kills,
        "deliveries": len(expected),
        "in_flight_when_killed": interrupted,
        "lost": len(expected - set(arrived)),
        "arrived_twice": len(arrived) - len(set(arrived)),
        "never_published": len(set(arrived) - expected),
    }


def _held() -> int:
    """Deliveries that the sender just killed had in its hands."""
    import sqlalchemy as sa

    from app.platform import clock
    from app.platform.postgres import db

    with db.reading() as session:
        found = session.scalar(
            sa.text(
                "SELECT count(*) FROM webhook_deliveries WHERE claim IS NOT NULL AND next_attempt_at > :now"
            ),
            {"now": clock.now()},
        )
    return int(found or 0)


def _open() -> int:
    from app import webhooks
    from app.platform.postgres import db

    with db.reading() as session:
        return webhooks.open_deliveries(session)


class _Senders:
    """Starts senders. One process has loaded the application and forks them: loading takes it seconds."""

    def __init__(self, lease_s: float) -> None:
        self._sender = 0
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.sender_kills", "--send", "--lease", str(lease_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "WEBHOOK_ALLOW_HOSTS": "127.0.0.1"},
        )

    def __enter__(self) -> _Senders:
        assert self._said() == "ready"
        return self

    def __exit__(self, *_: object) -> None:
        # What failed may have left one at work, and its parent waits for it.
        if self._sender:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._sender, signal.SIGKILL)
        try:
            self._parent.communicate(timeout=30)
        finally:
            self._parent.kill()

    def start(self) -> int:
        """The process id of another sender."""
        assert self._parent.stdin is not None
        self._parent.stdin.write("start\n")
        self._parent.stdin.flush()
        self._sender = int(self._said())
        return self._sender

    def kill(self, sender: int) -> None:
        """With signal 9; when it returns, the sender is no more."""
        os.kill(sender, signal.SIGKILL)
        self._sender = 0
        assert self._said() == "gone"

    def _said(self) -> str:
        assert self._parent.stdout is not None
        return self._parent.stdout.readline().strip()


def _fork_senders(lease_s: float) -> None:
    # The factory loads every table: the ORM follows foreign keys to them.
    from app import factory, webhooks
    from app.webhooks import claims

    assert factory.tables()
    claims.QUEUE = dataclasses.replace(claims.QUEUE, length=timedelta(seconds=lease_s))
    print("ready", flush=True)
    while sys.stdin.readline():
        child = os.fork()
        if not child:
            sender = webhooks.Sender(threads=8)
            while True:
                sender.round()
                time.sleep(0.01)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)


@rls.as_system()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--lease", type=float, default=3.0, help="seconds; 45 in the product")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--send", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.send:
        _fork_senders(asked.lease)
        return 0
    from tests.throwaway import Throwaway, new_database

    services = Throwaway()
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "kills")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        found = kill_and_count(asked.kills, lease_s=asked.lease, seed=asked.seed)
    finally:
        services.stop()
    for name, value in found.items():
        print(f"{name.replace('_', ' '):24}{value:8}")
    print(json.dumps(found))
    return 1 if found["lost"] or found["never_published"] else 0


if __name__ == "__main__":
    sys.exit(main())
