"""Commands of `flask credits`: grant credits, show the balance."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import click
from flask.cli import AppGroup

from app.cli.commands import account_id_of, as_json, of_account, prints_result

if TYPE_CHECKING:
    from app.platform.postgres import db

credit = AppGroup("credits", help="Credits: grant, show the balance.")


@credit.command("grant")
@of_account
@click.option("--amount", type=int, required=True, help="Credits to add.")
@as_json
@prints_result
def credits_grant(written: str, amount: int) -> dict[str, Any]:
    """Add credits to an account."""
    from app import credits
    from app.platform import clock
    from app.platform.postgres import db

    with db.transaction() as session:
        account_id = account_id_of(session, written)
        credits.grant(
            session,
            account_id,
            amount,
            now=clock.now(),
            kind="admin_gift",
            description="granted by the operator",
        )
        return _balance(session, account_id)


@credit.command("balance")
@of_account
@as_json
@prints_result
def credits_balance(written: str) -> dict[str, Any]:
    """Show an account's credits."""
    from app.platform.postgres import db

    with db.reading() as session:
        return _balance(session, account_id_of(session, written))


def _balance(session: db.Session, account_id: uuid.UUID) -> dict[str, Any]:
    from app import credits

    found = credits.balance(session, account_id)
    return {"balance": found.balance, "held": found.held}
