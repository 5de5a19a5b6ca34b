"""Keys near their monthly cap, and when they reach it."""

from __future__ import annotations

import uuid
from datetime import date

import pytest

from app import usage
from app.platform import clock
from app.platform.postgres import db
from app.tenancy.keys.lifecycle import set_monthly_cap
from tests.cast import Cast
from tests.portal.calls import called


@pytest.mark.parametrize(
    ("spent", "cap", "today", "reached"),
    [
        (90, 100, date(2026, 11, 9), date(2026, 11, 10)),
        (50, 100, date(2026, 11, 15), date(2026, 11, 30)),
        (50, 101, date(2026, 11, 15), None),
        (100, 100, date(2026, 11, 15), date(2026, 11, 15)),
        (0, 100, date(2026, 11, 15), None),
        (0, 0, date(2026, 11, 15), date(2026, 11, 15)),
        (1, 1_000_000_000, date(2026, 11, 30), None),
    ],
)
def test_a_cap_is_reached_at_the_average_rate(
    spent: int, cap: int, today: date, reached: date | None
) -> None:
    assert usage.CapUse(uuid.uuid4(), None, "key", cap, spent).reached_on(today) == reached


def test_keys_near_their_cap_come_nearest_first(cast: Cast) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    other, uncapped, far = (cast.key(alice.account_id)[0] for _ in range(3))
    with db.transaction() as session:
        for key, cap in ((alice.key_id, 100), (other, 10), (far, 1000), (mallory.key_id, 1)):
            set_monthly_cap(session, key, cap)
    called(alice, 80)
    called(alice, 9, key_id=other)
    called(alice, 50, key_id=uncapped)
    called(alice, 100, key_id=far)
    called(mallory, 5)

    def near(percent: int) -> list[tuple[uuid.UUID, int]]:
        with db.reading() as session:
            found = usage.near_caps(session, alice.account_id, today=clock.today(), percent=percent, limit=5)
        return [(one.api_key_id, one.percent) for one in found]

    assert near(80) == [(other, 90), (alice.key_id, 80)]
    assert near(81) == [(other, 90)]
    assert near(0) == [(other, 90), (alice.key_id, 80), (far, 10)]
