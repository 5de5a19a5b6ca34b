"""Accounts: creation with their first member, and the options of decisions 8."""

from __future__ import annotations

import uuid

from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.tenancy.members import add_member
from app.tenancy.models import Account, Member

OPTIONS = ("attestation", "citator", "mask_names")


def create_account(session: Session, *, name: str, email: str, password: str) -> tuple[Account, Member]:
    """A new tenant with its owner. Raises `Invalid` for a bad field, `Conflict` for a taken address."""
    name = name.strip()
    if not 1 <= len(name) <= 120:
        raise Invalid("name: must have 1 to 120 characters.", details={"field": "name", "min": 1, "max": 120})
    account = Account(name=name)
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
