"""Commands of `flask key`: create, cap and revoke API keys."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import click
from flask.cli import AppGroup

from app.cli.commands import LazyChoice, account_id_of, as_json, of_account, prints_result


def _tiers() -> tuple[str, ...]:
    from app import tenancy

    return tenancy.TIERS


key = AppGroup("key", help="API keys: create, revoke.")


@key.command("create")
@of_account
@click.option("--name", required=True, help="What the key is for, 1 to 80 characters.")
@click.option("--tier", type=LazyChoice(_tiers), default="standard", show_default=True)
@click.option("--scopes", show_default="all", help="Separated by commas.")
@click.option("--expires-in-days", type=click.IntRange(1, 3650), help="Expiry, in days from now.")
@click.option("--monthly-credit-cap", type=int, help="Credits it may spend in a calendar month.")
@click.option("--expires-at", help="Expiry, ISO 8601, such as 2027-01-31T00:00:00Z; without a zone: UTC.")
@as_json
@prints_result
def key_create(
    written: str,
    name: str,
    tier: str,
    scopes: str | None,
    expires_in_days: int | None,
    expires_at: str | None,
    monthly_credit_cap: int | None,
) -> dict[str, Any]:
    """Create an API key; its plaintext is shown this once."""
    from app import organizations, tenancy
    from app.platform import clock, settings
    from app.platform.postgres import db

    now = clock.now()
    chosen = scopes.split(",") if scopes is not None else tenancy.SCOPES
    with db.transaction() as session:
        made = tenancy.create_key(
            session,
            account_id_of(session, written),
            name=name,
            tier=tier,
            scopes=[scope.strip() for scope in chosen if scope.strip()],
            prefix=settings.current().key_prefix,
            now=now,
            expires_at=_expiry(now, expires_in_days, expires_at),
            monthly_credit_cap=monthly_credit_cap,
        )
        organizations.announce(session, "created", made.row, now=now)
        return {"id": str(made.row.id), "key": made.plaintext, "key_prefix": made.row.key_prefix}


@key.command("revoke")
@click.argument("key_id", metavar="ID", type=click.UUID)
@as_json
@prints_result
def key_revoke(key_id: uuid.UUID) -> dict[str, Any]:
    """Revoke an API key; it is refused from the next request on."""
    from app import organizations, tenancy
    from app.platform import clock
    from app.platform.postgres import db

    now = clock.now()
    with db.transaction() as session:
        row = tenancy.revoke_key(session, key_id, now=now)
        assert row.revoked_at is not None
        # Revoked once more it keeps its first moment, of which was told.
        if row.revoked_at == now:
            organizations.announce(session, "revoked", row, now=now)
        return {"id": str(row.id), "key_prefix": row.key_prefix, "revoked_at": clock.iso(row.revoked_at)}


@key.command("cap")
@click.argument("key_id", metavar="ID", type=click.UUID)
@click.option("--credits", "amount", type=int, help="Credits a calendar month; leave out for no cap.")
@as_json
@prints_result
def key_cap(key_id: uuid.UUID, amount: int | None) -> dict[str, Any]:
    """Cap what an API key may spend in a month, or lift the cap."""
    from app import organizations, tenancy
    from app.platform import clock
    from app.platform.postgres import db

    with db.transaction() as session:
        before = session.get(tenancy.ApiKey, key_id)
        was = before.monthly_credit_cap if before else None
        row = tenancy.set_monthly_cap(session, key_id, amount)
        # A cap set once more tells nothing new.
        if row.monthly_credit_cap != was:
            organizations.announce(session, "updated", row, now=clock.now())
        return {"id": str(row.id), "monthly_credit_cap": row.monthly_credit_cap}


def _expiry(now: datetime, days: int | None, moment: str | None) -> datetime | None:
    from app.platform import errors

    if days is not None and moment is not None:
        raise errors.Invalid("Give --expires-in-days or --expires-at, not both.")
    if days is not None:
        return now + timedelta(days=days)
    if moment is None:
        return None
    try:
        found = datetime.fromisoformat(moment)
    except ValueError:
        raise errors.Invalid("--expires-at: must be ISO 8601, such as 2027-01-31T00:00:00Z.") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
