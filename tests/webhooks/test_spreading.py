"""Facts for every account: one row with the fact, then events in batches that keep nobody waiting."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app import webhooks
from app.platform import clock
from app.platform.postgres import db
from app.webhooks.event_bus import broadcasts
from tests.cast import Cast, Player

_LAWS = 50
_ACCOUNTS = 300


def _law(number: int) -> dict[str, object]:
    return {
        "jurisdiction": "ZZ",
        "normId": f"ZZ-{number}",
        "title": "Ley",
        "inForceFrom": None,
        "articles": number,
        "changedArticles": [],
    }


_FORGET = (
    "DELETE FROM webhook_deliveries USING events e WHERE event_id = e.id AND e.type = 'normativa.updated'",
    "DELETE FROM events WHERE type = 'normativa.updated'",
    "DELETE FROM announcements",
    "DELETE FROM api_keys WHERE name = 'crowd'",
    "DELETE FROM accounts WHERE name = 'crowd'",
)
_CROWD = """
    WITH made AS (
        INSERT INTO accounts (id, name, created_at, attestation, citator, mask_names)
        SELECT gen_random_uuid(), 'crowd', now(), false, false, false FROM generate_series(1, :many)
        RETURNING id
    )
    INSERT INTO api_keys (id, account_id, name, key_prefix, key_hash, role, tier, scopes, created_at)
    SELECT gen_random_uuid(), id, 'crowd', 'svc_crowded1', sha256(id::text::bytea), 'solo', 'standard',
        ARRAY['query'], now()
    FROM made
    """
_AUDIENCE = """
    SELECT count(DISTINCT account_id) FROM api_keys
    WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND 'query' = ANY(scopes)
    """


@pytest.fixture
def alice(app: object, cast: Cast) -> Iterator[Player]:
    """Alice among three hundred accounts that may read the law, and whom other tests left."""
    player = cast.player()
    with db.transaction() as session:
        session.execute(sa.text(_CROWD), {"many": _ACCOUNTS - 1})
    yield player
    with db.transaction() as session:
        for statement in _FORGET:
            session.execute(sa.text(statement))


def _audience() -> int:
    with db.reading() as session:
        return int(session.execute(sa.text(_AUDIENCE)).scalar_one())


@contextmanager
def _statements() -> Iterator[list[str]]:
    """What is sent to the database, through SQLAlchemy and past it."""
    sent: list[str] = []
    inner = db.Connection._exchange

    def told(self: db.Connection, *statements: tuple[str, object]) -> object:
        sent.extend(sql for sql, _ in statements)
        return inner(self, *statements)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db.Connection, "_exchange", told)
        yield sent


def _events(account: uuid.UUID) -> list[str]:
    with db.reading() as session:
        page = webhooks.events(session, account, types=("normativa.updated",), limit=200)
        return [row.payload["normId"] for row in page.rows]


def _announce(laws: int = _LAWS) -> None:
    with db.transaction() as session:
        webhooks.announce(
            session, "normativa.updated", map(_law, range(laws)), scope="query", now=clock.now()
        )


def test_fifty_laws_and_three_hundred_accounts_are_one_statement_and_no_lock(alice: Player) -> None:
    with _statements() as sent, db.transaction() as session:
        payloads = [_law(number) for number in range(_LAWS)]
        webhooks.announce(session, "normativa.updated", payloads, scope="query", now=clock.now())
        locks = session.execute(
            sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        ).scalar_one()
    assert len(sent) == 1
    assert locks == 0


def test_they_are_spread_in_few_statements_and_everybody_gets_each_once(alice: Player) -> None:
    with db.transaction() as session:  # of tests before
        session.execute(sa.text("DELETE FROM events WHERE type = 'normativa.updated'"))
    _announce()
    with _statements() as sent:
        batches = webhooks.spread(clock.now())
    everybody = _audience()
    assert everybody >= _ACCOUNTS
    assert batches <= everybody // broadcasts._ACCOUNTS + 2
    assert len(sent) <= 6 * batches + 2
    assert webhooks.spread(clock.now()) == 0
    assert sorted(_events(alice.account_id)) == sorted(f"ZZ-{number}" for number in range(_LAWS))
    with db.reading() as session:
        counts = session.execute(
            sa.text(
                "SELECT count(*), count(DISTINCT account_id), (SELECT count(*) FROM announcements)"
                " FROM events WHERE type = 'normativa.updated'"
            )
        ).one()
    assert tuple(counts) == (_LAWS * everybody, everybody, 0)


def test_a_fact_that_is_rolled_back_leaves_nothing(alice: Player) -> None:
    with db.transaction() as session:
        webhooks.announce(session, "normativa.updated", [_law(1)], scope="query", now=clock.now())
        session.rollback()
    assert webhooks.spread(clock.now()) == 0


def test_what_the_catalogue_does_not_know_is_not_announced(alice: Player) -> None:
    with db.transaction() as session, pytest.raises(ValueError, match="catalogue"):
        webhooks.announce(session, "normativa.updated", [{"x": 1}], scope="query", now=clock.now())


def test_a_publisher_of_an_account_does_not_wait_for_the_load(alice: Player) -> None:
    payload = _law(99)
    with db.transaction() as session:
        webhooks.announce(
            session, "normativa.updated", map(_law, range(_LAWS)), scope="query", now=clock.now()
        )
        began = time.monotonic()
        with db.transaction() as other:
            other.execute(sa.text("SET LOCAL lock_timeout = '2s'"))
            webhooks.publish(other, alice.account_id, "normativa.updated", payload, now=clock.now())
        assert time.monotonic() - began < 2


def test_a_spread_that_broke_off_goes_on_and_says_nothing_twice(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with db.transaction() as session:  # of tests before
        session.execute(sa.text("DELETE FROM events WHERE type = 'normativa.updated'"))
    _announce(3)
    assert broadcasts._spread_batch(clock.now())
    with db.transaction() as session:  # as if the batch had been lost and were spread again
        session.execute(sa.text("UPDATE announcements SET after = NULL"))
    threads = [threading.Thread(target=webhooks.spread, args=(clock.now(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while webhooks.spread(clock.now()):
        pass
    with db.reading() as session:
        counted = session.execute(
            sa.text(
                "SELECT count(*), count(DISTINCT (account_id, payload)) FROM events"
                " WHERE type = 'normativa.updated'"
            )
        ).one()
    assert tuple(counted) == (3 * _audience(), 3 * _audience())


def test_a_reader_that_pages_by_place_misses_nothing_while_others_publish(alice: Player) -> None:
    """Events are committed in the order of their places, whoever publishes beside the spreading."""
    _announce()
    stop = threading.Event()
    published: list[str] = []

    def publish() -> None:
        number = 1_000
        while not stop.is_set() and number < 1_200:
            number += 1
            with db.transaction() as session:
                webhooks.publish(
                    session, alice.account_id, "normativa.updated", _law(number), now=clock.now()
                )
                time.sleep(0.002)  # between drawing the place and committing it
            published.append(f"ZZ-{number}")

    seen: list[str] = []
    place: int | None = None

    def read() -> None:
        nonlocal place
        with db.reading() as session:
            page = webhooks.events(
                session, alice.account_id, types=("normativa.updated",), after=place, limit=7
            )
        seen.extend(row.payload["normId"] for row in page.rows)
        place = page.place

    publisher = threading.Thread(target=publish)
    spreader = threading.Thread(target=webhooks.spread, args=(clock.now(),))
    publisher.start()
    spreader.start()
    while spreader.is_alive():
        read()
    stop.set()
    publisher.join()
    for _ in range(60):
        read()
    assert len(seen) == len(set(seen))
    assert set(seen) == {f"ZZ-{number}" for number in range(_LAWS)} | set(published)


def test_who_has_no_key_in_force_with_the_scope_hears_nothing(alice: Player, cast: Cast) -> None:
    without = cast.player("without", scopes=("analyze",))
    late = cast.player("late", expires_at=clock.now() + timedelta(seconds=1))
    _announce(1)
    webhooks.spread(clock.now() + timedelta(hours=1))
    assert (_events(without.account_id), _events(late.account_id)) == ([], [])
    assert _events(alice.account_id) == ["ZZ-0"]
