"""A member at the work of a key: organizations are run by their master, and members run the master."""

from __future__ import annotations

import uuid
from typing import cast

from sqlalchemy.orm import Session

from app import tenancy
from app.platform.errors import NotFound


def as_key(row: tenancy.ApiKey) -> tenancy.Caller:
    """The caller that would present this key. Whoever asks has checked that the member may manage keys."""
    return tenancy.Caller(
        key_id=row.id,
        account_id=row.account_id,
        key_prefix=row.key_prefix,
        role=cast(tenancy.KeyRole, row.role),
        tier=cast(tenancy.Tier, row.tier),
        scopes=frozenset(cast(list[tenancy.Scope], row.scopes)),
        monthly_credit_cap=row.monthly_credit_cap,
        organization_id=row.organization_id,
        parent_key_id=row.parent_key_id,
    )


def master_of(session: Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> tenancy.ApiKey:
    """The master key of an organization, revoked or not. Raises `NotFound`, for another account's too."""
    for row in tenancy.keys_of(session, account_id):
        if row.role == "master" and row.organization_id == organization_id:
            return row
    raise NotFound("There is no organization with this id.")
