"""Shares of caps and credits are told once, by event and mail, with a forecast; so are keys that expire."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from app import alerts, credits, mail
from app.mail.outbox import MailMessage
from app.platform import clock, settings
from app.platform.postgres import db
from app.portal.web.notices import compose
from app.tenancy.keys.lifecycle import set_monthly_cap
from tests.cast import Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import colleague


@pytest.fixture
def letters(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[MailMessage]:
    """What left for a mail server, oldest first."""
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM outgoing_mails"))
    config = settings.current().model_copy(
        update={"mail_inbox": True, "public_url": "https://desk.example.com"}
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    found: list[MailMessage] = []
    monkeypatch.setattr("app.mail.outbox._send", found.append)
    return found


def _events(player: Player, kind: str) -> list[dict[str, Any]]:
    query = "SELECT payload FROM events WHERE account_id = :a AND type = :t ORDER BY seq"
    with db.reading() as session:
        return list(session.scalars(sa.text(query), {"a": player.account_id, "t": kind}))


def _shares(player: Player, kind: str) -> list[int]:
    return [one["percent"] for one in _events(player, kind)]


def _cap(player: Player, cap: int) -> None:
    with db.transaction() as session:
        set_monthly_cap(session, player.key_id, cap)


def _spend(player: Player, amount: int) -> None:
    now = clock.now()
    with db.transaction() as session:
        hold = credits.hold(session, player.account_id, amount, api_key_id=player.key_id, now=now, ttl_s=60)
        charge = credits.capturing(
            player.account_id, hold, amount, now=now, operation="analyze", reference_type="analysis",
            reference_id=str(uuid.uuid4()),
        )  # fmt: skip
        session.take(charge)


def _sent(player: Player, letters: list[MailMessage]) -> list[MailMessage]:
    mail.send_due(compose)
    return [one for one in letters if one.to == player.email]


def test_each_share_of_a_cap_is_told_once_a_month_and_the_highest_alone(cast: Cast) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    _cap(alice, 10)
    called(mallory, 9)  # without a cap
    told = []
    for calls in (4, 1, 1, 2, 1, 1, 3):
        called(alice, calls)
        alerts.tell_due(clock.now())
        alerts.tell_due(clock.now())
        told.append(_shares(alice, "spend_cap.alert"))
    assert told == [[], [50], [50], [50, 80], [50, 80], [50, 80, 100], [50, 80, 100]]
    # Another cap is another promise: of it two fifths and more are spent, then all.
    _cap(alice, 20)
    alerts.tell_due(clock.now())
    called(alice, 7)
    alerts.tell_due(clock.now())
    assert _shares(alice, "spend_cap.alert")[3:] == [50, 100]
    assert _events(mallory, "spend_cap.alert") == []


def test_a_cap_of_nothing_is_never_told(cast: Cast) -> None:
    """No share of it can be spent; before there was one, the key may have spent."""
    alice = cast.player("alice")
    called(alice, 3)
    _cap(alice, 0)
    alerts.tell_due(clock.now())
    assert _events(alice, "spend_cap.alert") == []


def test_a_raised_and_lowered_cap_is_not_told_again(cast: Cast) -> None:
    alice = cast.player("alice")
    called(alice, 9)
    for cap in (10, 100, 10):
        _cap(alice, cap)
        alerts.tell_due(clock.now())
    assert _shares(alice, "spend_cap.alert") == [80]


def test_many_workers_tell_once(cast: Cast) -> None:
    alice = cast.player("alice", credit=10)
    _cap(alice, 10)
    called(alice, 8)
    _spend(alice, 6)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: alerts.tell_due(clock.now()), range(8)))
    assert _shares(alice, "spend_cap.alert") == [80]
    assert _shares(alice, "credits.alert") == [50]


def test_shares_of_the_credits_are_told_once_until_the_next_top_up(cast: Cast) -> None:
    alice = cast.player("alice", credit=10)
    for amount in (4, 1, 4):
        _spend(alice, amount)
        alerts.tell_due(clock.now())
        alerts.tell_due(clock.now())
    assert _shares(alice, "credits.alert") == [50, 80]
    with db.transaction() as session:
        credits.grant(session, alice.account_id, 9, now=clock.now())
    alerts.tell_due(clock.now())
    assert _shares(alice, "credits.alert") == [50, 80]
    _spend(alice, 10)
    alerts.tell_due(clock.now())
    (last,) = _events(alice, "credits.alert")[2:]
    assert last == {"percent": 100, "balance": 0, "toppedUpTo": 10, "lastsUntil": None}


def test_an_alert_says_when_the_credits_end_at_this_rate(cast: Cast) -> None:
    alice = cast.player("alice", credit=100)
    called(alice, 50, ago=timedelta(days=4))
    _spend(alice, 50)
    alerts.tell_due(clock.now())
    (told,) = _events(alice, "credits.alert")
    # Fifty in five days: the other fifty last five more.
    assert told["lastsUntil"] == (clock.today() + timedelta(days=5)).isoformat()


def test_a_subscribed_webhook_gets_the_alert(cast: Cast) -> None:
    from app import webhooks

    alice = cast.player("alice", credit=10)
    with db.transaction() as session:
        webhooks.register(
            session, alice.account_id, alice.key_id, url="https://192.0.2.7/in",
            events=("credits.alert", "spend_cap.alert"), description=None, now=clock.now(),
        )  # fmt: skip
    _cap(alice, 10)
    called(alice, 5)
    _spend(alice, 5)
    alerts.tell_due(clock.now())
    query = (
        "SELECT e.type FROM webhook_deliveries d JOIN events e ON e.id = d.event_id WHERE d.account_id = :a"
    )
    with db.reading() as session:
        found = sorted(session.scalars(sa.text(query), {"a": alice.account_id}))
    assert found == ["credits.alert", "spend_cap.alert"]


def test_the_mails_go_to_those_whose_role_or_choice_wants_them(
    cast: Cast, letters: list[MailMessage]
) -> None:
    alice = cast.player("alice", credit=10)
    developer, officer = colleague(alice, "developer"), colleague(alice, "compliance")
    _cap(alice, 10)
    called(alice, 8)
    _spend(alice, 5)
    alerts.tell_due(clock.now())
    subjects = [[one.subject for one in _sent(player, letters)] for player in (alice, developer, officer)]
    assert [len(found) for found in subjects] == [2, 1, 0]
    assert "80" in subjects[1][0]
    (letter,) = _sent(developer, letters)
    assert letter.unsubscribe is not None
    assert letter.unsubscribe.startswith("https://desk.example.com/unsubscribe/")
    assert f"https://desk.example.com/portal/keys/{alice.key_id}" in letter.text
    assert letter.unsubscribe in letter.text


def test_a_key_that_expires_within_a_week_is_told_once(cast: Cast, letters: list[MailMessage]) -> None:
    alice = cast.player("alice")
    now = clock.now()
    for days in (3, 8):
        cast.key(alice.account_id, expires_at=now + timedelta(days=days))
    for _ in range(2):
        alerts.tell_due(now)
    (letter,) = _sent(alice, letters)
    assert "/portal/keys/" in letter.text
    alerts.tell_due(now + timedelta(days=2))
    with db.reading() as session:
        told = sa.text("SELECT count(*) FROM alerts WHERE account_id = :a")
        assert session.scalar(told, {"a": alice.account_id}) == 2


def test_old_notes_are_forgotten(cast: Cast) -> None:
    alice, count = cast.player("alice"), sa.text("SELECT count(*) FROM alerts WHERE account_id = :a")
    _cap(alice, 1)
    called(alice)
    alerts.tell_due(clock.now())
    for later, left in ((timedelta(days=300), 1), (timedelta(days=401), 0)):
        now = clock.now() + later
        db.atomically(lambda session, now=now: alerts.forget(session, now=now))  # type: ignore[misc]
        with db.reading() as session:
            assert session.scalar(count, {"a": alice.account_id}) == left
