"""Operations of a master key on its organization and child keys, with their events (decision 008)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

from app import tenancy, webhooks
from app.platform.postgres.db import Session
from app.tenancy import ApiKey, Caller, NewKey, Organization

Change = Literal["created", "updated", "revoked"]


def announce(session: Session, change: Change, *keys: ApiKey, now: datetime) -> None:
    """Publish the event of each key, in the caller's transaction, as its last step."""
    for key in keys:
        webhooks.publish(
            session,
            key.account_id,
            f"apikey.{change}",
            {
                "apiKeyId": str(key.id),
                "keyPrefix": key.key_prefix,
                "name": key.name,
                "role": key.role,
            },
            now=now,
            api_key_id=key.id,
        )


def create(
    session: Session, caller: Caller, *, name: str, description: str | None, now: datetime
) -> Organization:
    """Create an organization with the calling solo key as its master.

    Raises:
        Denied: 403, as `tenancy.create_organization` does.
        Conflict: 409.
        Invalid: 422.
    """
    made = tenancy.create_organization(session, caller, name=name, description=description, now=now)
    announce(session, "updated", tenancy.own_key(session, caller.account_id, caller.key_id), now=now)
    return made


def delete(session: Session, caller: Caller, organization_id: uuid.UUID, *, now: datetime) -> int:
    """Delete an organization; return how many child keys were revoked.

    Its master becomes a solo key; its records are kept for audit. Raises `NotFound`, `Denied` (403).
    """
    organization = tenancy.managed_organization(session, caller, organization_id, lock=True)
    cut = tenancy.delete_organization(session, organization, now=now)
    announce(session, "revoked", *cut, now=now)
    announce(session, "updated", tenancy.own_key(session, caller.account_id, caller.key_id), now=now)
    return len(cut)


def create_sub_key(
    session: Session,
    caller: Caller,
    organization_id: uuid.UUID,
    *,
    label: str,
    scopes: Iterable[str] | None,
    expires_in_days: int | None,
    monthly_credit_cap: int | None,
    prefix: str,
    now: datetime,
    created_by: uuid.UUID | None = None,
) -> NewKey:
    """Create a child key; `created_by` is the member who did it for the master, if one did.

    Raises:
        NotFound: The organization.
        Denied: 403.
        Invalid: 422.
    """
    organization = tenancy.managed_organization(session, caller, organization_id, lock=True)
    made = tenancy.create_sub_key(
        session,
        caller,
        organization,
        label=label,
        scopes=scopes,
        expires_in_days=expires_in_days,
        monthly_credit_cap=monthly_credit_cap,
        prefix=prefix,
        now=now,
        created_by=created_by,
    )
    announce(session, "created", made.row, now=now)
    return made


def change_sub_key(
    session: Session,
    caller: Caller,
    organization_id: uuid.UUID,
    key_id: uuid.UUID,
    *,
    now: datetime,
    active: bool | None = None,
    scopes: Iterable[str] | None = None,
    label: str | None = None,
    monthly_credit_cap: int | object | None = tenancy.UNSET,
) -> ApiKey:
    """Change a child key. Raises `NotFound`, `Denied` (403), `Conflict` (a master), `Invalid` (422)."""
    organization = tenancy.managed_organization(session, caller, organization_id, lock=True)
    row = tenancy.sub_key(session, organization, key_id)
    was_active = row.active
    tenancy.change_sub_key(
        session,
        caller,
        organization,
        row,
        now=now,
        active=active,
        scopes=scopes,
        label=label,
        monthly_credit_cap=monthly_credit_cap,
    )
    announce(session, "revoked" if was_active and not row.active else "updated", row, now=now)
    return row


def revoke_sub_key(
    session: Session, caller: Caller, organization_id: uuid.UUID, key_id: uuid.UUID, *, now: datetime
) -> ApiKey:
    """Revoke a child key; its usage is kept, and it can be reactivated. Raises as `change_sub_key` does."""
    organization = tenancy.managed_organization(session, caller, organization_id, lock=True)
    row = tenancy.sub_key(session, organization, key_id)
    if row.active:
        tenancy.change_sub_key(session, caller, organization, row, now=now, active=False)
        announce(session, "revoked", row, now=now)
    return row


def rotate_sub_key(
    session: Session,
    caller: Caller,
    organization_id: uuid.UUID,
    key_id: uuid.UUID,
    *,
    overlap: timedelta,
    prefix: str,
    now: datetime,
) -> NewKey:
    """Replace a child key's secret; the old one is accepted for `overlap` longer.

    Raises as `change_sub_key` does.
    """
    organization = tenancy.managed_organization(session, caller, organization_id, lock=True)
    row = tenancy.sub_key(session, organization, key_id)
    made = tenancy.rotate_key(session, row, overlap=overlap, prefix=prefix, now=now)
    announce(session, "updated", row, now=now)
    return made
