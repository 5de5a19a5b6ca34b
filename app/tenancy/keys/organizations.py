"""Organizations: created from a solo key and managed by their master key (decision 008)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Conflict, Denied, Invalid, NotFound
from app.tenancy import activity
from app.tenancy.models import Account, ApiKey, Member, Organization
from app.tenancy.principal import Caller

ORGANIZATIONS_MAX = 5


def create_organization(
    session: Session, caller: Caller, *, name: str, description: str | None, now: datetime
) -> Organization:
    """Create an organization; the calling solo key becomes its master.

    Raises:
        Denied: 403 `FORBIDDEN_CHILD_KEY`.
        Conflict: 409 `ALREADY_MASTER`, `KEY_OF_A_GRANT`.
        Invalid: 422 `ORGANIZATION_LIMIT`, five exist.
    """
    if caller.role == "child":
        raise _child()
    # Creations of one account wait for each other here, so that the count below holds.
    session.execute(sa.select(Account.id).where(Account.id == caller.account_id).with_for_update())
    key = _key(session, caller.account_id, caller.key_id)
    if key.role == "master":
        raise Conflict("This key is already the master of an organization.", code="ALREADY_MASTER")
    if key.issued_to is not None:
        raise Conflict("This key belongs to a connected assistant. Use another key.", code="KEY_OF_A_GRANT")
    if len(organizations_of(session, caller.account_id)) >= ORGANIZATIONS_MAX:
        raise Invalid(
            f"An account can have at most {ORGANIZATIONS_MAX} organizations. Delete one first.",
            code="ORGANIZATION_LIMIT",
            status=422,
            details={"max": ORGANIZATIONS_MAX},
        )
    made = Organization(account_id=caller.account_id, name=name, description=description, created_at=now)
    session.add(made)
    session.flush()
    key.role, key.organization_id = "master", made.id
    session.flush()
    activity.record(
        session,
        caller.account_id,
        "organization.created",
        activity.of_organization(made),
        details={"masterKeyId": str(key.id)},
    )
    return made


def organizations_of(session: Session, account_id: uuid.UUID) -> Sequence[Organization]:
    """Return the account's organizations that are not deleted, oldest first."""
    return session.scalars(
        sa.select(Organization)
        .where(Organization.account_id == account_id, Organization.deleted_at.is_(None))
        .order_by(Organization.created_at, Organization.id)
    ).all()


def visible_organizations(session: Session, caller: Caller) -> list[tuple[Organization, int]]:
    """Return the organizations that a key may list, each with its number of active children.

    A child sees its own organization only.
    """
    children = sa.select(ApiKey.organization_id, sa.func.count()).where(
        ApiKey.account_id == caller.account_id, ApiKey.role == "child", ApiKey.revoked_at.is_(None)
    )
    counts = {row[0]: row[1] for row in session.execute(children.group_by(ApiKey.organization_id))}
    return [
        (found, counts.get(found.id, 0))
        for found in organizations_of(session, caller.account_id)
        if caller.role != "child" or found.id == caller.organization_id
    ]


def managed_organization(
    session: Session, caller: Caller, organization_id: uuid.UUID, *, lock: bool = False
) -> Organization:
    """Return an organization whose master is the caller, with `lock` locked for a change.

    Raises:
        NotFound: It is unknown, deleted or another account's.
        Denied: 403 for any other key of the same account.
    """
    query = sa.select(Organization).where(
        Organization.id == organization_id,
        Organization.account_id == caller.account_id,
        Organization.deleted_at.is_(None),
    )
    found = session.scalar(query.with_for_update() if lock else query)
    if found is None:
        raise NotFound("There is no organization with this id.")
    if caller.role == "child":
        raise _child()
    if caller.role != "master" or caller.organization_id != found.id:
        raise Denied("Only the master key of this organization can do this.", code="NOT_MASTER", status=403)
    return found


def keys_in(session: Session, organization: Organization) -> Sequence[ApiKey]:
    """Return the organization's keys: the master first, then the children, newest first."""
    return session.scalars(
        sa.select(ApiKey)
        .where(ApiKey.account_id == organization.account_id, ApiKey.organization_id == organization.id)
        .order_by(ApiKey.role != "master", ApiKey.created_at.desc(), ApiKey.id)
    ).all()


def delete_organization(session: Session, organization: Organization, *, now: datetime) -> list[ApiKey]:
    """Delete an organization softly: its children are revoked and its master becomes a solo key.

    Its usage and audit records are kept. `organization` comes from `managed_organization(…, lock=True)`.

    Returns:
        The children that were active.
    """
    cut = []
    for key in keys_in(session, organization):
        if key.role == "master":
            key.role, key.organization_id = "solo", None
        elif key.revoked_at is None:
            key.revoked_at = now
            cut.append(key)
    organization.deleted_at = now
    session.flush()
    activity.record(
        session,
        organization.account_id,
        "organization.deleted",
        activity.of_organization(organization),
        details={"keysRevoked": len(cut)},
    )
    return cut


def change_organization(
    session: Session, organization: Organization, *, name: str, description: str | None
) -> None:
    """Set name and description. `organization` comes from `governed(…, lock=True)`."""
    organization.name, organization.description = name, description
    session.flush()
    activity.record(
        session, organization.account_id, "organization.changed", activity.of_organization(organization)
    )


def owner_of(session: Session, account_id: uuid.UUID) -> uuid.UUID | None:
    """Return the id of the first owner of the account; `None` if it has none."""
    return session.scalar(
        sa.select(Member.id)
        .where(Member.account_id == account_id, Member.role == "owner")
        .order_by(Member.created_at)
        .limit(1)
    )


def _key(session: Session, account_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    found = session.scalar(
        sa.select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id).with_for_update()
    )
    if found is None:
        raise NotFound("There is no API key with this id.")
    return found


def _child() -> Denied:
    return Denied(
        "A child key cannot do this. Use the master key of its organization.",
        code="FORBIDDEN_CHILD_KEY",
        status=403,
    )
