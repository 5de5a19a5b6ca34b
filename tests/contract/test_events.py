"""GET /api/v1/events (decision 029)."""

from __future__ import annotations

import random
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import webhooks
from app.platform import clock, settings
from app.platform.postgres import db, rls
from app.platform.processes.thread_pool import ContextPool
from tests.cast import Cast, Player

PATH = "/api/v1/events"
LOW = {"balance": 1, "threshold": 2}


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


def _publish(player: Player, event: str = "credits.low", key_id: uuid.UUID | None = None) -> str:
    payload = webhooks.CATALOGUE[event].example
    found = db.atomically(
        lambda session: webhooks.publish(
            session, player.account_id, event, payload, now=clock.now(), api_key_id=key_id
        )
    )
    return str(found)


def _get(client: FlaskClient, auth: dict[str, str], **query: Any) -> Any:
    response = client.get(PATH, query_string=query, headers=auth)
    assert response.status_code == 200, response.text
    return response.get_json()


def test_a_page_is_oldest_first_and_each_event_whole(client: FlaskClient, alice: Player) -> None:
    empty = _get(client, alice.auth)
    assert empty == {"data": [], "has_more": False, "next_cursor": None, "retained_since": None}
    first, second = _publish(alice), _publish(alice, "apikey.created", alice.key_id)
    body = _get(client, alice.auth)
    assert [row["id"] for row in body["data"]] == [first, second]
    assert body["data"][1] == {
        "id": second,
        "event_id": second,
        "type": "apikey.created",
        "created_at": body["data"][1]["created_at"],
        "api_key_id": str(alice.key_id),
        "payload": dict(webhooks.CATALOGUE["apikey.created"].example),
    }
    assert body["data"][0]["api_key_id"] is None


def test_a_reader_goes_on_where_it_stopped(client: FlaskClient, alice: Player) -> None:
    ids = [_publish(alice) for _ in range(7)]
    seen: list[str] = []
    cursor: dict[str, str] = {}
    more = True
    while more:
        body = _get(client, alice.auth, limit=3, **cursor)
        seen += [row["id"] for row in body["data"]]
        cursor, more = {"cursor": body["next_cursor"]}, body["has_more"]
    assert seen == ids
    assert _get(client, alice.auth, **cursor) == {
        "data": [],
        "has_more": False,
        "next_cursor": cursor["cursor"],
        "retained_since": None,
    }
    later = _publish(alice)
    assert [row["id"] for row in _get(client, alice.auth, **cursor)["data"]] == [later]


def test_filters(client: FlaskClient, alice: Player) -> None:
    _publish(alice)
    between = clock.now()
    created = _publish(alice, "apikey.created")
    revoked = _publish(alice, "apikey.revoked")

    def ids(**query: Any) -> list[str]:
        return [row["id"] for row in _get(client, alice.auth, **query)["data"]]

    assert ids(type="apikey.created,apikey.revoked") == [created, revoked]
    assert ids(type="apikey.revoked") == [revoked]
    assert ids(since=between.isoformat()) == [created, revoked]
    assert ids(since=between.isoformat().replace("+00:00", "Z"), type="apikey.revoked") == [revoked]
    assert ids(since=(clock.today() + timedelta(days=1)).isoformat()) == []
    assert len(ids(since=clock.today().isoformat())) == 3


def test_a_child_sees_its_own_and_a_stranger_nothing(client: FlaskClient, cast: Cast, alice: Player) -> None:
    carol = cast.child(alice)
    _publish(alice)
    _publish(alice, "apikey.updated", alice.key_id)
    own = _publish(alice, "apikey.created", carol.key_id)
    seen = _get(client, carol.auth)
    assert [row["id"] for row in seen["data"]] == [own]
    assert len(_get(client, alice.auth)["data"]) == 3
    assert _get(client, cast.player("mallory").auth)["data"] == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"type": "no.such"}, "type"),
        ({"type": "credits.low,"}, "type"),
        ({"since": "yesterday"}, "since"),
        ({"since": "0001-01-01T00:00:00+14:00"}, "since"),
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"cursor": "!"}, "cursor"),
    ],
)
def test_a_wrong_parameter_is_named(
    client: FlaskClient, alice: Player, query: dict[str, str], field: str
) -> None:
    response = client.get(PATH, query_string=query, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (400, "VALIDATION_ERROR")
    assert response.get_json()["details"]["field"] == field


def test_an_event_committed_late_is_not_passed_over(alice: Player) -> None:
    """The second publisher waits for the first, so that no reader sees the later number first."""
    drawn, free, second = threading.Event(), threading.Event(), threading.Event()

    @rls.as_system()
    def slowly() -> None:
        with db.transaction() as session:
            webhooks.publish(session, alice.account_id, "credits.low", LOW, now=clock.now())
            drawn.set()
            free.wait(30)

    @rls.as_system()
    def after() -> None:
        _publish(alice)
        second.set()

    threads = [threading.Thread(target=slowly), threading.Thread(target=after)]
    threads[0].start()
    drawn.wait(30)
    threads[1].start()
    assert not second.wait(0.5)
    with db.reading() as session:
        assert webhooks.events(session, alice.account_id, limit=9).rows == []
    free.set()
    for thread in threads:
        thread.join()
    with db.reading() as session:
        assert len(webhooks.events(session, alice.account_id, limit=9).rows) == 2


def test_a_reader_beside_many_writers_misses_nothing(alice: Player) -> None:
    published: set[str] = set()
    over = threading.Event()
    seen: list[str] = []

    def write(number: int) -> None:
        random_pause = random.Random(number)
        for _ in range(15):
            with db.transaction() as session:
                made = webhooks.publish(session, alice.account_id, "credits.low", LOW, now=clock.now())
                over.wait(random_pause.random() / 200)
            published.add(str(made))

    @rls.as_system()
    def read() -> None:
        place, last = None, False
        while True:
            last = over.is_set()
            with db.reading() as session:
                page = webhooks.events(session, alice.account_id, after=place, limit=5)
            seen.extend(str(row.id) for row in page.rows)
            place = page.place
            if last and not page.more:
                return

    reader = threading.Thread(target=read)
    reader.start()
    with ContextPool(6) as pool:
        list(pool.map(write, range(6)))
    over.set()
    reader.join()
    assert len(seen) == len(set(seen)) == 90
    assert set(seen) == published


def _forget(before: datetime) -> int:
    return db.atomically(lambda session: webhooks.forget_events(session, before=before))


def test_events_past_their_days_are_deleted_in_batches_and_younger_ones_stay(
    client: FlaskClient, cast: Cast, alice: Player
) -> None:
    mallory = cast.player("mallory")
    for _ in range(5):
        _publish(alice)
    _publish(mallory)
    time.sleep(0.01)
    between = clock.now()
    young = _publish(alice)
    while db.atomically(lambda session: webhooks.forget_events(session, before=between, limit=2)):
        pass
    page = _get(client, alice.auth)
    assert [row["id"] for row in page["data"]] == [young]
    assert datetime.fromisoformat(page["retained_since"]) < between
    assert _get(client, mallory.auth)["data"] == []


def test_the_worker_deletes_events_after_the_days_of_the_setting(
    client: FlaskClient, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app import factory

    config = settings.current().model_copy(update={"events_days": 7})
    [task] = [one for one in factory.create_scheduler(config, "test")._tasks if one.name == "old events"]
    _publish(alice)
    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + timedelta(days=6, hours=23))
    task.work()
    assert len(_get(client, alice.auth)["data"]) == 1
    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + timedelta(days=7, hours=1))
    task.work()
    assert _get(client, alice.auth)["data"] == []


def test_a_cursor_from_before_deleted_events_is_answered_and_not_a_gap(
    client: FlaskClient, alice: Player
) -> None:
    first = _publish(alice)
    early = _get(client, alice.auth)["next_cursor"]
    _publish(alice)
    late = _get(client, alice.auth)["next_cursor"]
    time.sleep(0.01)
    _forget(clock.now())
    kept = _publish(alice)
    response = client.get(PATH, query_string={"cursor": early}, headers=alice.auth)
    assert (response.status_code, response.get_json()["code"]) == (410, "CURSOR_EXPIRED")
    details = response.get_json()["details"]
    assert details["field"] == "cursor"
    assert details["retainedSince"]
    # Who had read all that was deleted has no gap, and goes on.
    assert [row["id"] for row in _get(client, alice.auth, cursor=late)["data"]] == [kept]
    assert [row["id"] for row in _get(client, alice.auth)["data"]] == [kept]
    assert first != kept


def test_a_reader_whose_filter_lets_nothing_through_does_not_fall_behind(
    client: FlaskClient, alice: Player
) -> None:
    _publish(alice, "apikey.created")
    cursor = _get(client, alice.auth, type="apikey.created")["next_cursor"]
    for _ in range(3):
        _publish(alice)
        cursor = _get(client, alice.auth, type="apikey.created", cursor=cursor)["next_cursor"]
    time.sleep(0.01)
    _forget(clock.now())
    wanted = _publish(alice, "apikey.created")
    page = _get(client, alice.auth, type="apikey.created", cursor=cursor)
    assert [row["id"] for row in page["data"]] == [wanted]


def test_an_event_whose_delivery_is_still_in_the_log_stays(client: FlaskClient, alice: Player) -> None:
    made = client.post("/api/v1/webhooks", json={"url": "https://hooks.example.com/x"}, headers=alice.auth)
    assert made.status_code == 201
    event = _publish(alice, "credits.low")
    time.sleep(0.01)
    _forget(clock.now())
    assert [row["id"] for row in _get(client, alice.auth)["data"]] == [event]
