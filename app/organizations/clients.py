"""A new client in one step: organization, master key and child keys."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app import tenancy
from app.organizations import account_keys, sub_keys
from app.platform.postgres.db import Session


@dataclass(frozen=True, slots=True)
class WantedKey:
    """A child key to create: label, days until it expires and monthly cap in credits, `None` for no limit."""

    label: str
    expires_in_days: int | None = None
    monthly_credit_cap: int | None = None


@dataclass(frozen=True, slots=True)
class NewClient:
    """What was created. `master` is `None` where an existing key became the master."""

    organization: tenancy.Organization
    caller: tenancy.Caller
    master: tenancy.NewKey | None
    keys: Sequence[tenancy.NewKey]


def create_client(
    session: Session,
    account_id: uuid.UUID,
    *,
    name: str,
    description: str | None,
    master_id: uuid.UUID | None,
    tier: tenancy.Tier,
    scopes: Sequence[str],
    keys: Sequence[WantedKey],
    created_by: uuid.UUID,
    prefix: str,
    now: datetime,
) -> NewClient:
    """Create an organization with its child keys and, where none is given, its master key.

    All or nothing is the caller's: what is raised here must roll its transaction back.

    Args:
        session: The caller's transaction.
        account_id: The account.
        name: Name of the organization, and of a master key that is created.
        description: A note about it.
        master_id: A solo key in use that becomes the master; `None` creates one with every scope.
        tier: Tier of a master key that is created; child keys have their master's.
        scopes: Scopes of every child key.
        keys: The child keys.
        created_by: The member.
        prefix: Prefix of new keys.
        now: The current time.

    Raises:
        NotFound: The master key.
        Denied: It is a child key, revoked or expired.
        Conflict: It is a master already, or an assistant's.
        Invalid: 422 for a sixth organization, scopes beyond the master's, or a bad cap.
    """
    made = None
    if master_id is None:
        made = account_keys.create(
            session,
            account_id,
            name=name,
            tier=tier,
            scopes=tenancy.SCOPES,
            expires_at=None,
            created_by=created_by,
            prefix=prefix,
            now=now,
        )
        master_id = made.row.id
    organization = sub_keys.create(
        session,
        tenancy.as_key(session, account_id, master_id, now=now),
        name=name,
        description=description,
        now=now,
    )
    # As the master that it is now.
    caller = tenancy.as_key(session, account_id, master_id, now=now)
    children = [
        sub_keys.create_sub_key(
            session,
            caller,
            organization.id,
            label=one.label,
            scopes=scopes,
            expires_in_days=one.expires_in_days,
            monthly_credit_cap=one.monthly_credit_cap,
            prefix=prefix,
            now=now,
            created_by=created_by,
        )
        for one in keys
    ]
    return NewClient(organization, caller, made, children)
