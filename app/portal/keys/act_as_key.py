"""A member at the work of a key: organizations are run by their master, and members run the master."""

from __future__ import annotations

import uuid

from app import tenancy
from app.platform.postgres import db


def as_master(session: db.Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> tenancy.Caller:
    """The caller that would present an organization's master key, whatever its state.

    Whoever asks has checked that the member may manage keys. Raises `NotFound`.
    """
    master = tenancy.master_of(session, account_id, organization_id)
    return tenancy.as_key(session, account_id, master.id, now=None)
