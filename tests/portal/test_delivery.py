"""The page of one delivery: what was sent and each attempt."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from html import unescape

import sqlalchemy as sa

from app import webhooks
from app.platform import clock
from app.platform.postgres import db
from app.webhooks.claims import AttemptResult, ClaimedDelivery
from tests.cast import Player
from tests.portal.conftest import PortalClient, tight
from tests.portal.webhooks import registered

Make = Callable[[Player], PortalClient]


def waiting(player: Player) -> tuple[uuid.UUID, uuid.UUID]:
    """A webhook with a test event that waits for its first attempt."""
    hook = registered(player)
    with db.transaction() as session:
        _, delivery = webhooks.send_test(session, player.account_id, player.key_id, hook, now=clock.now())
    return hook, delivery


def attempted(*answers: tuple[int | None, str | None]) -> None:
    """One attempt for each answer, as a sender makes them; what waits is due at once."""

    def make(claimed: ClaimedDelivery) -> AttemptResult:
        code, error = left.pop(0)
        return AttemptResult(claimed, clock.now(), code, error, slow=False)

    left = list(answers)
    sender = webhooks.Sender(make, threads=1)
    while left:
        with db.transaction() as session:
            session.execute(
                sa.text("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'failed'")
            )
        sender.round()
    sender.finish()


def test_each_attempt_is_listed_with_its_answer(member: Make, alice: Player) -> None:
    with db.transaction() as session:
        session.execute(sa.text("UPDATE webhook_deliveries SET status = 'exhausted', next_attempt_at = NULL"))
    hook, delivery = waiting(alice)
    path = f"/portal/webhooks/{hook}/deliveries/{delivery}"
    visitor = member(alice)
    page = visitor.get(path).text
    assert "None yet" in page
    assert 'http-equiv="refresh"' in page
    assert f'href="{path}"' in visitor.get(f"/portal/webhooks/{hook}").text
    attempted((503, "answered 503"), (None, "timed out"), (204, None))
    page = unescape(visitor.get(path).text)
    attempts = tight(page).split('id="h-a"')[1].split("</section>")[0]
    assert attempts.count("<li>") == 3
    assert attempts.index("answered 503") < attempts.index("no response") < attempts.index("answered 204")
    assert '"webhook.test"' in page
    assert str(hook) in page
    assert f"Delivery-Id: {delivery}" in page
    # No signature is remembered, and none is made up.
    assert "webhook-signature: …" in page
    assert "v1=" not in page
    assert 'http-equiv="refresh"' not in page


def test_only_the_newest_attempts_are_remembered(alice: Player, member: Make) -> None:
    hook, delivery = waiting(alice)
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE webhook_deliveries SET attempts = 6, status = 'exhausted', next_attempt_at = NULL, "
                "last_status_code = 503 WHERE id = :id"
            ),
            {"id": delivery},
        )
    # One of the release before, which remembered none.
    page = member(alice).get(f"/portal/webhooks/{hook}/deliveries/{delivery}").text
    assert "Only the last attempt of this delivery is known." in page
    assert "answered 503" in page


def test_a_delivery_is_its_accounts_and_its_webhooks(member: Make, alice: Player, mallory: Player) -> None:
    hook, delivery = waiting(alice)
    other = registered(alice)
    assert member(mallory).get(f"/portal/webhooks/{hook}/deliveries/{delivery}").status_code == 404
    assert member(alice).get(f"/portal/webhooks/{other}/deliveries/{delivery}").status_code == 404
    assert member(alice).get(f"/portal/webhooks/{hook}/deliveries/{uuid.uuid4()}").status_code == 404
