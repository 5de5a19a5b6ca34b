"""Deliveries per second of one sender to a receiver on this machine: `python -m benchmarks.deliveries`.

Each delivery is everything it is in earnest: claimed with a lease, signed in both families, sent on a
connection of its own, written down. A table, and one JSON object on the last line.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from app.platform.postgres import rls
from benchmarks.receiver import receiver
from tests.throwaway import Throwaway, new_database

COUNT, ENDPOINTS = 3_000, 8


def measure(count: int = COUNT, endpoints: int = ENDPOINTS) -> dict[str, Any]:
    """Publish `count` events to `endpoints` receivers' worth of deliveries in all, send them, and count.

    Works on the database of the current settings, which must be migrated. Keys: `deliveries`, `seconds`,
    `per_second`, `endpoints`, `threads`.
    """
    from app import webhooks
    from app.platform import clock, settings
    from app.platform.postgres import db
    from app.webhooks import delivery
    from tests.cast import Cast

    alice = Cast().player()
    events = max(1, count // endpoints)
    config = settings.current()
    with receiver() as url:
        with db.transaction() as session:
            for number in range(endpoints):
                webhooks.register(
                    session, alice.account_id, alice.key_id, url=f"{url}/{number}",
                    events=["credits.low"], description=None, now=clock.now(),
                )  # fmt: skip
        for _ in range(events):
            with db.transaction() as session:
                webhooks.publish(
                    session, alice.account_id, "credits.low", {"balance": 1, "threshold": 2}, now=clock.now()
                )
        sender = webhooks.Sender(
            lambda claimed: delivery.make(claimed, wire_name=config.wire_name, allow_hosts=("127.0.0.1",))
        )
        began, done = time.perf_counter(), 0
        while found := sender.round():
            done += found
        sender.finish()
        seconds = time.perf_counter() - began
    with db.reading() as session:
        assert (done, webhooks.open_deliveries(session)) == (events * endpoints, 0)
    return {
        "deliveries": done,
        "seconds": round(seconds, 3),
        "per_second": round(done / seconds, 1),
        "endpoints": endpoints,
        "threads": config.webhook_threads,
    }


@rls.as_system()
def main() -> None:
    services = Throwaway()
    try:
        os.environ["DATABASE_URL"] = new_database(services.addresses, "deliveries")
        os.environ["REDIS_URL"] = services.addresses.redis_url(0)
        os.environ["SECRET_KEY"] = "x" * 32
        found = [measure(endpoints=endpoints) for endpoints in (1, ENDPOINTS)]
        print("endpoints  deliveries  seconds  per second")
        for row in found:
            print(print("{endpoints:9}  {deliveries:10}  {seconds:7.2f}  {per_second:10.0f}".format(**row)))
        print(json.dumps(found[-1]))
    finally:
        services.stop()


if __name__ == "__main__":
    main()
