"""Commands of `flask account`: create a tenant, set its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from flask.cli import AppGroup

from app.cli.commands import LazyChoice, account_id_of, as_json, of_account, prints_result

if TYPE_CHECKING:
    from app import tenancy


def _tiers() -> tuple[str, ...]:
    from app import tenancy

    return tenancy.TIERS


account = AppGroup("account", help="Tenants: create one, switch its options.")


@account.command("create")
@click.option("--name", required=True, help="Name of the firm or team.")
@click.option("--email", required=True, help="Address of its owner, who signs in with it.")
@click.option("--password", required=True, help="Password of its owner, 8 to 200 characters.")
@click.option("--credits", "amount", type=int, default=0, show_default=True, help="Credits to start with.")
@as_json
@prints_result
def account_create(name: str, email: str, password: str, amount: int) -> dict[str, Any]:
    """Create an account with its owner."""
    from app import credits, tenancy
    from app.platform import clock, settings
    from app.platform.postgres import db

    with db.transaction() as session:
        made, member = tenancy.create_account(session, name=name, email=email, password=password)
        credits.open_balance(session, made.id, low_threshold=settings.current().low_balance_default)
        if amount:
            credits.grant(session, made.id, amount, now=clock.now(), description="opening credits")
        return {"account_id": str(made.id), "member_id": str(member.id)}


@account.command("set")
@of_account
@click.option("--attestation/--no-attestation", default=None, help="Sign an attestation of each analysis.")
@click.option("--citator/--no-citator", default=None, help="The citator add-on.")
@click.option(
    "--mask-names/--no-mask-names",
    default=None,
    help="Mask names of persons and addresses always, or never; by default, towards models outside.",
)
@click.option("--low-balance", type=int, help="Balance below which credits.low is announced.")
@click.option("--plan", type=LazyChoice(_tiers), help="Highest tier of new keys.")
@as_json
@prints_result
def account_set(
    written: str,
    low_balance: int | None,
    plan: tenancy.Tier | None,
    **options: bool | None,
) -> dict[str, Any]:
    """Switch options of an account (decision 006)."""
    from app import credits, tenancy
    from app.platform.postgres import db

    chosen = {name: value for name, value in options.items() if value is not None}
    with db.transaction() as session:
        account_id = account_id_of(session, written)
        found = tenancy.set_options(session, account_id, **chosen)
        if low_balance is not None:
            credits.set_threshold(session, account_id, low_balance)
        if plan is not None:
            tenancy.set_plan(session, account_id, plan)
        return {
            "account_id": str(found.id),
            "attestation": found.attestation,
            "citator": found.citator,
            "mask_names": found.mask_names,
            "plan": found.plan,
            "low_balance": credits.balance(session, account_id).low_threshold,
        }


@account.command("allow-codes")
@click.option("--email", required=True, help="Address of the member whose codes were stopped.")
@as_json
@prints_result
def account_allow_codes(email: str) -> dict[str, Any]:
    """Let a member enter codes of the second factor again, where no letter can be sent."""
    from app import tenancy
    from app.platform import errors
    from app.platform.postgres import db

    with db.transaction() as session:
        member = tenancy.find_member(session, email)
        if member is None:
            raise errors.NotFound("There is no member with this e-mail address.")
        tenancy.second_factor.allow_again(session, member)
        return {"member_id": str(member.id), "email": member.email}
