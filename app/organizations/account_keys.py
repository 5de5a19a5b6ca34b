"""The keys that members manage: solo keys and masters. Child keys are managed by their master."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from app import tenancy
from app.organizations.sub_keys import announce
from app.platform.errors import Conflict
from app.platform.postgres.db import Session
from app.tenancy import ApiKey, NewKey


def create(
    session: Session,
    account_id: uuid.UUID,
    *,
    name: str,
    tier: str,
    scopes: Iterable[str],
    expires_at: datetime | None,
    created_by: uuid.UUID | None,
    prefix: str,
    now: datetime,
    issued_to: str | None = None,
    monthly_credit_cap: int | None = None,
) -> NewKey:
    """Create a solo key, `issued_to` the client of an OAuth grant where it acts for one.

    Raises:
        Invalid: Name, tier, scopes, expiry, cap.
        NotFound: The account.
    """
    made = tenancy.create_key(
        session,
        account_id,
        name=name,
        tier=tier,
        scopes=scopes,
        expires_at=expires_at,
        created_by=created_by,
        prefix=prefix,
        now=now,
        issued_to=issued_to,
        monthly_credit_cap=monthly_credit_cap,
    )
    announce(session, "created", made.row, now=now)
    return made


def rename(session: Session, account_id: uuid.UUID, key_id: uuid.UUID, name: str, *, now: datetime) -> ApiKey:
    """Rename a key, revoked or not. Raises `NotFound`, `Conflict` (a child key), `Invalid`."""
    row = _own(session, account_id, key_id)
    if row.name != name.strip():
        tenancy.rename_key(session, row, name)
        announce(session, "updated", row, now=now)
    return row


def rotate(
    session: Session,
    account_id: uuid.UUID,
    key_id: uuid.UUID,
    *,
    overlap: timedelta,
    prefix: str,
    now: datetime,
) -> NewKey:
    """Replace the secret of a key; the old one is accepted for `overlap` longer, at most 7 days.

    Raises:
        NotFound: The key.
        Conflict: A child key, a revoked key, or the key of an OAuth grant.
        Invalid: The overlap.
    """
    row = _own(session, account_id, key_id)
    if not row.active:
        raise Conflict("This API key has been revoked. Create another.", code="KEY_REVOKED")
    made = tenancy.rotate_key(session, row, overlap=overlap, prefix=prefix, now=now)
    announce(session, "updated", row, now=now)
    return made


def revoke(session: Session, account_id: uuid.UUID, key_id: uuid.UUID, *, now: datetime) -> ApiKey:
    """Revoke a key for good; repeating it is harmless. Raises `NotFound`, `Conflict` (a child key)."""
    row = _own(session, account_id, key_id)
    if row.active:
        tenancy.revoke_key(session, key_id, now=now, account_id=account_id)
        announce(session, "revoked", row, now=now)
    return row


def _own(session: Session, account_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    row = tenancy.own_key(session, account_id, key_id)
    if row.role == "child":
        raise Conflict("A child key is managed in its organization.", code="SUB_KEY")
    return row
