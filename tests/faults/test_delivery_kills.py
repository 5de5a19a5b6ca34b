"""Senders of webhooks that are killed with signal 9, and workers that are stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from flask import Flask

from app.platform import settings
from benchmarks.sender_kills import kill_and_count
from tests.cast import Cast
from tests.faults.server import ROOT
from tests.webhooks.conftest import listed_hosts, office
from tests.webhooks.office import Office
from tests.webhooks.receiver import receiving

__all__ = ["listed_hosts", "office"]

# The figure is 50: SENDER_KILLS=50 has it here, at some three minutes.
KILLS = int(os.environ.get("SENDER_KILLS", "5"))

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]


def test_a_sender_killed_at_random_moments_loses_no_delivery(app: Flask, office: Office, cast: Cast) -> None:
    found = kill_and_count(KILLS, lease_s=2.0, seed=7)
    print(found)
    assert found["kills"] == KILLS
    assert found["deliveries"] > KILLS
    assert (found["lost"], found["never_published"]) == (0, 0)
    if KILLS >= 50:
        assert found["in_flight_when_killed"] > 0, "the kills met senders at work"


def test_the_worker_sends_and_finishes_what_is_in_flight_when_told_to_stop(
    app: Flask, office: Office, cast: Cast
) -> None:
    alice = cast.player()
    config = settings.current()
    environment = {
        **os.environ,
        "DATABASE_URL": config.database_url.get_secret_value(),
        "REDIS_URL": config.redis_url.get_secret_value(),
        "SECRET_KEY": config.secret_key.get_secret_value(),
        "WEBHOOK_ALLOW_HOSTS": "127.0.0.1",
    }

    def answer(path: str) -> int:
        if path == "/slow":
            time.sleep(2)
        return 200

    with receiving(answer) as receiver:
        quick = office.endpoint(alice, receiver.url + "/quick")
        slow = office.endpoint(alice, receiver.url + "/slow")
        worker = subprocess.Popen(
            [sys.executable, "worker.py"], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL
        )
        try:
            office.publish(alice)
            deadline = time.monotonic() + 30
            while not (receiver.at("/slow") and receiver.at("/quick")) and time.monotonic() < deadline:
                time.sleep(0.02)
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(30) == 0
        finally:
            worker.kill()
            worker.wait()
    for made in (quick, slow):
        assert office.log(alice, made.row.id).summary["success"] == 1
