"""Child keys: the keys that an organization's master issues to its clients."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Conflict, Invalid, NotFound
from app.tenancy import activity, key_format
from app.tenancy.keys.lifecycle import NewKey, checked_cap, facts_of
from app.tenancy.models import ApiKey, Organization
from app.tenancy.principal import SCOPES, Caller

SUB_KEYS_MAX = 200
UNSET = object()


def create_sub_key(
    session: Session,
    caller: Caller,
    organization: Organization,
    *,
    label: str,
    scopes: Iterable[str] | None,
    expires_in_days: int | None,
    monthly_credit_cap: int | None,
    prefix: str,
    now: datetime,
    created_by: uuid.UUID | None = None,
) -> NewKey:
    """Create a child of the calling master; without `scopes` it gets the master's.

    `organization` comes from `managed_organization(…, lock=True)`: concurrent creations respect the limit.

    Raises:
        Invalid: 422 `SUB_KEY_LIMIT`, `INVALID_SCOPES`, or a bad cap.
    """
    _room(session, organization)
    plaintext = key_format.mint(prefix)
    row = ApiKey(
        account_id=organization.account_id,
        name=label,
        key_prefix=key_format.public_prefix(plaintext),
        key_hash=key_format.digest(plaintext),
        role="child",
        tier=caller.tier,
        scopes=_within(caller, caller.scopes if scopes is None else scopes),
        created_at=now,
        expires_at=now + timedelta(days=expires_in_days) if expires_in_days else None,
        monthly_credit_cap=checked_cap(monthly_credit_cap),
        organization_id=organization.id,
        parent_key_id=caller.key_id,
        child_label=label,
        created_by=created_by,
    )
    session.add(row)
    session.flush()
    activity.record(session, row.account_id, "key.created", activity.of_key(row), details=facts_of(row))
    return NewKey(row, plaintext)


def sub_key(session: Session, organization: Organization, key_id: uuid.UUID) -> ApiKey:
    """Return a child of this organization, locked for a change.

    Raises:
        NotFound: The organization has no such key.
        Conflict: 409 `MASTER_KEY_IMMUTABLE`.
    """
    found = session.scalar(
        sa.select(ApiKey)
        .where(
            ApiKey.id == key_id,
            ApiKey.account_id == organization.account_id,
            ApiKey.organization_id == organization.id,
        )
        .with_for_update()
    )
    if found is None:
        raise NotFound("This organization has no key with this id.")
    if found.role == "master":
        raise Conflict(
            "The master key cannot be changed here. Manage it in the portal.", code="MASTER_KEY_IMMUTABLE"
        )
    return found


def change_sub_key(
    session: Session,
    caller: Caller,
    organization: Organization,
    row: ApiKey,
    *,
    now: datetime,
    active: bool | None = None,
    scopes: Iterable[str] | None = None,
    label: str | None = None,
    monthly_credit_cap: int | object | None = UNSET,
) -> ApiKey:
    """Change the given fields of a child key; revoking and reactivating keep its counters and usage.

    Raises:
        Invalid: 422 for scopes beyond the master's, a bad cap, or too many active keys.
    """
    was_revoked, capped = row.revoked_at is not None, row.monthly_credit_cap
    if scopes is not None:
        row.scopes = _within(caller, scopes)
    if label is not None:
        row.child_label = row.name = label
    if monthly_credit_cap is not UNSET:
        assert monthly_credit_cap is None or isinstance(monthly_credit_cap, int)
        row.monthly_credit_cap = checked_cap(monthly_credit_cap)
    if active is False:
        row.revoked_at = row.revoked_at or now
    elif active is True and row.revoked_at is not None:
        _room(session, organization)
        row.revoked_at = None
    session.flush()
    action: activity.Action = "key.cap_changed" if capped != row.monthly_credit_cap else "key.changed"
    if was_revoked != (row.revoked_at is not None):
        action = "key.reactivated" if was_revoked else "key.revoked"
    activity.record(session, row.account_id, action, activity.of_key(row), details=facts_of(row))
    return row


def _room(session: Session, organization: Organization) -> None:
    count = session.scalar(
        sa.select(sa.func.count()).where(
            ApiKey.account_id == organization.account_id,
            ApiKey.organization_id == organization.id,
            ApiKey.role == "child",
            ApiKey.revoked_at.is_(None),
        )
    )
    if (count or 0) >= SUB_KEYS_MAX:
        raise Invalid(
            f"An organization can have at most {SUB_KEYS_MAX} active child keys. Revoke one first.",
            code="SUB_KEY_LIMIT",
            status=422,
            details={"max": SUB_KEYS_MAX},
        )


def _within(caller: Caller, wanted: Iterable[str]) -> list[str]:
    """Return the scopes in the order of `SCOPES`.

    Raises:
        Invalid: 422 `INVALID_SCOPES`, beyond the master's or none.
    """
    asked = set(wanted)
    if not asked or not asked <= caller.scopes:
        raise Invalid(
            f"scopes: must be one or more scopes of the master key ({', '.join(sorted(caller.scopes))}).",
            code="INVALID_SCOPES",
            status=422,
            details={"field": "scopes", "allowed": sorted(caller.scopes), "got": sorted(asked)},
        )
    return [scope for scope in SCOPES if scope in asked]
