"""Accounts: creation with their first member, and the options of decisions 8."""

from __future__ import annotations

import uuid
import zoneinfo
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.tenancy.members import add_member
from app.tenancy.models import Account, ApiKey, Member, OneTimeLink, Organization
from app.tenancy.principal import Tier

OPTIONS = ("attestation", "citator", "mask_names")


def create_account(
    session: Session, *, name: str, email: str, password: str, plan: Tier = "enterprise"
) -> tuple[Account, Member]:
    """A new tenant with its owner; `plan` is the highest tier of its keys.

    Raises `Invalid` for a bad field, `Conflict` for a taken address.
    """
    name = name.strip()
    if not 1 <= len(name) <= 120:
        raise Invalid("name: must have 1 to 120 characters.", details={"field": "name", "min": 1, "max": 120})
    account = Account(name=name, plan=plan)
    session.add(account)
    session.flush()
    return account, add_member(session, account.id, email=email, password=password, role="owner")


def get_account(session: Session, account_id: uuid.UUID) -> Account:
    """The account. Raises `NotFound`."""
    account = session.get(Account, account_id)
    if account is None:
        raise NotFound("There is no account with this id.")
    return account


def set_options(session: Session, account_id: uuid.UUID, **options: bool) -> Account:
    """Switch options on or off: `attestation`, `citator`, `mask_names`. Raises `NotFound`."""
    account = get_account(session, account_id)
    for name, value in options.items():
        if name not in OPTIONS:
            raise Invalid(f"{name}: is not an option; options are {', '.join(OPTIONS)}.")
        setattr(account, name, value)
    session.flush()
    return account


def describe(session: Session, account_id: uuid.UUID, *, name: str, time_zone: str) -> Account:
    """Change the account's name and the zone its times are shown in. Raises `NotFound`, `Invalid`."""
    account = get_account(session, account_id)
    name = name.strip()
    if not 1 <= len(name) <= 120:
        raise Invalid("name: must have 1 to 120 characters.", details={"field": "name", "min": 1, "max": 120})
    if time_zone not in zoneinfo.available_timezones():
        raise Invalid("time_zone: must be a zone such as Europe/Madrid.", details={"field": "time_zone"})
    account.name, account.time_zone = name, time_zone
    session.flush()
    return account


def set_plan(session: Session, account_id: uuid.UUID, plan: Tier) -> Account:
    """The highest tier of the account's new keys; keys that exist stay. Raises `NotFound`."""
    account = get_account(session, account_id)
    account.plan = plan
    session.flush()
    return account


def close_account(session: Session, account_id: uuid.UUID, *, now: datetime) -> None:
    """End an account: keys are cut off, organizations end, members and open links are deleted.

    Ledger and audit trail stay: they are the books, and hold no text and no member. Raises `NotFound`.
    """
    account = get_account(session, account_id)
    account.closed_at = now
    for statement in (
        sa.update(ApiKey)
        .where(ApiKey.account_id == account_id, ApiKey.revoked_at.is_(None))
        .values(revoked_at=now),
        sa.update(Organization)
        .where(Organization.account_id == account_id, Organization.deleted_at.is_(None))
        .values(deleted_at=now),
        sa.delete(OneTimeLink).where(OneTimeLink.account_id == account_id),
        sa.delete(Member).where(Member.account_id == account_id),
    ):
        session.execute(statement)
    session.flush()
