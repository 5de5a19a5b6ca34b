"""Accounts: creation with their first member, and their options (decision 006)."""

from __future__ import annotations

import uuid
import zoneinfo
from datetime import datetime, timedelta
from typing import LiteralString

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.platform.postgres import bulk
from app.platform.postgres.db import Statements
from app.tenancy.members import add_member
from app.tenancy.models import Account, ApiKey, Member, OneTimeLink, Organization
from app.tenancy.principal import Tier

# Requests, jobs and usage entries that were under way at an account's end are over by then.
_SETTLING = timedelta(hours=1)

OPTIONS = ("attestation", "citator", "mask_names")


def create_account(
    session: Session, *, name: str, email: str, password: str, plan: Tier = "enterprise"
) -> tuple[Account, Member]:
    """A new tenant with its owner; `plan` is the highest tier of its keys.

    Raises `Invalid` for a bad field, `Conflict` for a taken address.
    """
    name = _checked_name(name)
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


def set_options(session: Session, account_id: uuid.UUID, **options: bool | None) -> Account:
    """Switch options on or off: `attestation`, `citator`, `mask_names`. Raises `NotFound`.

    `mask_names` may be `None` too: names are then masked where an engine outside the process is used.
    """
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
    name = _checked_name(name)
    if time_zone not in zoneinfo.available_timezones():
        raise Invalid("time_zone: must be a zone such as Europe/Madrid.", details={"field": "time_zone"})
    account.name, account.time_zone = name, time_zone
    session.flush()
    return account


def _checked_name(name: str) -> str:
    """An account's name without the blanks around it. Raises `Invalid`.

    One line: it stands in the subject of letters, where a line break would begin another header.
    """
    name = name.strip()
    if not 1 <= len(name) <= 120:
        raise Invalid("name: must have 1 to 120 characters.", details={"field": "name", "min": 1, "max": 120})
    if not name.isprintable():
        raise Invalid(
            "name: must be one line without control or invisible characters.", details={"field": "name"}
        )
    return name


def set_plan(session: Session, account_id: uuid.UUID, plan: Tier) -> Account:
    """The highest tier of the account's new keys; keys that exist stay. Raises `NotFound`."""
    account = get_account(session, account_id)
    account.plan = plan
    session.flush()
    return account


def close_account(session: Session, account_id: uuid.UUID, *, now: datetime) -> None:
    """End an account: keys are cut off, organizations end, members and open links are deleted.

    What else is to go is deleted afterwards, in batches (portal/closing.py). Ledger and audit trail stay:
    they are the books, and hold no text and no member. Raises `NotFound`.
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


# The rows stay, because ledger and trail name them; what a person wrote into them does not.
_ERASE_NAMES: tuple[LiteralString, ...] = (
    """
    UPDATE api_keys SET name = 'closed', child_label = NULL, created_by = NULL
    WHERE account_id = %(account)s
      AND (name <> 'closed' OR child_label IS NOT NULL OR created_by IS NOT NULL)
    """,
    """
    UPDATE organizations SET name = 'closed', description = NULL
    WHERE account_id = %(account)s AND (name <> 'closed' OR description IS NOT NULL)
    """,
)
_ACCOUNTS_TO_ERASE = """
    SELECT coalesce(array_agg(id), '{}') AS ids FROM (
        SELECT id FROM accounts WHERE closed_at IS NOT NULL AND erased_at IS NULL ORDER BY closed_at LIMIT 100
    ) AS oldest
    """
_ERASED = """
    UPDATE accounts SET erased_at = %(now)s WHERE id = %(account)s AND closed_at < %(settled)s AND erased_at
    IS NULL
    """


def accounts_to_erase(session: Statements) -> list[uuid.UUID]:
    """Return closed accounts of which there may be something left to delete, the longest closed first."""
    return list(session.one(_ACCOUNTS_TO_ERASE, {}).ids)


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete the allow-list of a closed account, and names of keys and organizations; return how many."""
    tables = ("one_time_links", "members", "ip_allowlist")
    gone = bulk.erase(session, tables, account_id)
    return gone + sum(session.run(sql, {"account": account_id}) for sql in _ERASE_NAMES)


def note_erased(session: Statements, account_id: uuid.UUID, *, now: datetime) -> None:
    """Remember that nothing is left to delete, unless the account was closed a short while ago.

    What was under way at that moment may still write.
    """
    session.run(_ERASED, {"account": account_id, "now": now, "settled": now - _SETTLING})
