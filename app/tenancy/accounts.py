"""Accounts: creation with their first member, options, plan and closing (decision 006)."""

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
from app.tenancy import activity
from app.tenancy.members import add_member
from app.tenancy.models import Account, ApiKey, Member, OneTimeLink, Organization
from app.tenancy.principal import Tier

# Requests, jobs and usage entries that were under way at an account's end are over by then.
_SETTLING = timedelta(hours=1)

OPTIONS = ("attestation", "citator", "mask_names")


def create_account(
    session: Session, *, name: str, email: str, password: str, plan: Tier = "enterprise"
) -> tuple[Account, Member]:
    """Create a tenant with its owner; `plan` is the highest tier that its keys may have.

    Raises:
        Invalid: A field is wrong.
        Conflict: 409 `EMAIL_TAKEN`.
    """
    name = _checked_name(name)
    account = Account(name=name, plan=plan)
    session.add(account)
    session.flush()
    return account, add_member(session, account.id, email=email, password=password, role="owner")


def get_account(session: Session, account_id: uuid.UUID) -> Account:
    """Return the account. Raises `NotFound`."""
    account = session.get(Account, account_id)
    if account is None:
        raise NotFound("There is no account with this id.")
    return account


def lock_account(session: Session, account_id: uuid.UUID) -> Account:
    """Return the account, locked for a change. Raises `NotFound`."""
    account = session.get(Account, account_id, with_for_update=True)
    if account is None:
        raise NotFound("There is no account with this id.")
    return account


def set_options(session: Session, account_id: uuid.UUID, **options: bool | None) -> Account:
    """Set the options `attestation`, `citator` and `mask_names`. Raises `NotFound`, `Invalid`.

    `mask_names` may be `None`: names are then masked only where an engine outside the process is used
    (decision 024).
    """
    account = get_account(session, account_id)
    for name, value in options.items():
        if name not in OPTIONS:
            raise Invalid(f"{name}: unknown option. The options are {', '.join(OPTIONS)}.")
        setattr(account, name, value)
    session.flush()
    activity.record(session, account_id, "account.options_changed", details=options)
    return account


def require_second_factor(session: Session, account_id: uuid.UUID, *, required: bool) -> None:
    """Set whether members need a second factor, from their next request on. Raises `NotFound`."""
    account = get_account(session, account_id)
    account.second_factor_required = required
    session.flush()
    activity.record(
        session, account_id, "account.options_changed", details={"second_factor_required": required}
    )


def describe(session: Session, account_id: uuid.UUID, *, name: str, time_zone: str) -> Account:
    """Set the account's name and the time zone of its portal pages. Raises `NotFound`, `Invalid`."""
    account = get_account(session, account_id)
    name = _checked_name(name)
    if time_zone not in zoneinfo.available_timezones():
        raise Invalid(
            "time_zone: must be an IANA time zone such as Europe/Madrid.", details={"field": "time_zone"}
        )
    changed = [
        field
        for field, old, new in (("name", account.name, name), ("time_zone", account.time_zone, time_zone))
        if old != new
    ]
    account.name, account.time_zone = name, time_zone
    session.flush()
    activity.record(session, account_id, "account.changed", details={"fields": changed})
    return account


def _checked_name(name: str) -> str:
    """Return an account's name without surrounding blanks. Raises `Invalid`.

    It must be one line, because it is used in subjects of mails, where a line break would start another
    header.
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
    """Set the highest tier of the account's new keys; existing keys keep theirs. Raises `NotFound`."""
    account = get_account(session, account_id)
    account.plan = plan
    session.flush()
    activity.record(session, account_id, "account.plan_changed", details={"plan": plan})
    return account


def close_account(session: Session, account_id: uuid.UUID, *, now: datetime) -> None:
    """Close an account: revoke its keys, end its organizations, delete its members and one-time links.

    A scheduled task deletes the rest afterwards, in batches (portal/account/closing.py). Ledger and audit
    trail are kept; they hold no text and no member. Raises `NotFound`.
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
    activity.record(session, account_id, "account.closed")


# The rows stay, because ledger and trail name them; what a person wrote into them does not.
_ERASE_NAMES: tuple[LiteralString, ...] = (
    """
    UPDATE activities SET actor_name = NULL, target_name = NULL, network = NULL, details = '{}'
    WHERE account_id = %(account)s
        AND (num_nonnulls(actor_name, target_name, network) > 0 OR details <> '{}')
    """,
    """
    UPDATE api_keys SET name = 'closed', child_label = NULL, created_by = NULL, issued_to = NULL
    WHERE account_id = %(account)s AND (name <> 'closed' OR child_label IS NOT NULL
        OR created_by IS NOT NULL OR issued_to IS NOT NULL)
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
    """Return up to 100 closed accounts that may have rows left to delete, the longest closed first."""
    return list(session.one(_ACCOUNTS_TO_ERASE, {}).ids)


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a closed account's allow-list, policies and the names of its keys; return the row count."""
    tables = ("one_time_links", "members", "ip_allowlist", "enforcement_policies")
    gone = bulk.erase(session, tables, account_id)
    return gone + sum(session.run(sql, {"account": account_id}) for sql in _ERASE_NAMES)


def note_erased(session: Statements, account_id: uuid.UUID, *, now: datetime) -> None:
    """Mark the account as erased, unless it was closed less than an hour ago.

    Requests that were running when it was closed may still write rows.
    """
    session.run(_ERASED, {"account": account_id, "now": now, "settled": now - _SETTLING})
