"""What the log of activity holds."""

from __future__ import annotations

from app import tenancy
from app.platform.postgres import db
from tests.cast import Player


def done(player: Player) -> list[tenancy.Activity]:
    """What happened in the player's account, newest first."""
    with db.reading() as session:
        found = tenancy.activity.activities(session, player.account_id, tenancy.activity.Filter(), limit=200)
        session.expunge_all()
    return list(found)
