"""The organizations of an account."""

from __future__ import annotations

from app import tenancy
from app.platform.postgres import db
from tests.cast import Player


def organizations_of(player: Player) -> list[tenancy.Organization]:
    with db.reading() as session:
        return list(tenancy.organizations_of(session, player.account_id))
