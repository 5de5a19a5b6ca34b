"""Act as the master key of an organization on behalf of a member."""

from __future__ import annotations

import uuid

from app import tenancy
from app.platform.postgres import db


def as_master(session: db.Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> tenancy.Caller:
    """Return the caller of an organization's master key, whatever its state. Raises `NotFound`.

    The view has checked that the member may manage keys.
    """
    master = tenancy.master_of(session, account_id, organization_id)
    return tenancy.as_key(session, account_id, master.id, now=None)
