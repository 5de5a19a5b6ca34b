"""Policies that withhold an analysis with a broken citation (decision 058): off unless somebody sets one.

The most specific one holds: that of the key, else of its organization, else of the account ("user").
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Denied, Invalid, NotFound
from app.tenancy import activity
from app.tenancy.models import ApiKey, EnforcementPolicy
from app.tenancy.principal import Caller, Enforcement

PolicyScope = Literal["api_key", "organization", "user"]
MODE = "block_any_broken"


def effective(caller: Caller) -> Enforcement:
    """Return the policy that holds for a caller, as it was when its key was read."""
    return caller.enforcement


def of_key(session: Session, account_id: uuid.UUID, key_id: uuid.UUID | None) -> EnforcementPolicy | None:
    """Return the policy that holds for a key of an account now; `None` where nobody set one."""
    organization = (
        sa.select(ApiKey.organization_id)
        .where(ApiKey.account_id == account_id, ApiKey.id == key_id)
        .scalar_subquery()
    )
    narrowest = sa.case({"api_key": 0, "organization": 1}, value=EnforcementPolicy.scope, else_=2)
    return session.scalar(
        sa.select(EnforcementPolicy)
        .where(
            EnforcementPolicy.account_id == account_id,
            sa.or_(
                EnforcementPolicy.target_id.is_(None),
                EnforcementPolicy.target_id == key_id,
                EnforcementPolicy.target_id == organization,
            ),
        )
        .order_by(narrowest)
        .limit(1)
    )


@dataclass(frozen=True, slots=True)
class BoundKeys:
    """The keys for which a policy holds, `number` of them: `only` these, or all of the account `but` these.

    An account may have thousands of keys and has few policies: those of an account's own are not listed.
    """

    number: int
    only: Sequence[uuid.UUID] | None = None
    but: Sequence[uuid.UUID] = ()


def bound_keys(
    session: Session, account_id: uuid.UUID, scope: PolicyScope, target: uuid.UUID | None
) -> BoundKeys:
    """Return the keys for which a policy of this scope and target holds, as no narrower one was set."""
    if scope == "api_key":
        return BoundKeys(1, [target]) if target is not None else BoundKeys(0, [])
    targets = sa.select(EnforcementPolicy.target_id).where(
        EnforcementPolicy.account_id == account_id, EnforcementPolicy.target_id.is_not(None)
    )
    keys = sa.select(ApiKey.id).where(ApiKey.account_id == account_id)
    if scope == "organization":
        within = keys.where(ApiKey.organization_id == target, ApiKey.id.not_in(targets))
        found = session.scalars(within).all()
        return BoundKeys(len(found), found)
    but = session.scalars(
        keys.where(
            sa.or_(ApiKey.id.in_(targets), sa.func.coalesce(ApiKey.organization_id.in_(targets), False))
        )
    ).all()
    every = session.scalar(sa.select(sa.func.count()).where(ApiKey.account_id == account_id)) or 0
    return BoundKeys(every - len(but), None, but)


def policies(session: Session, account_id: uuid.UUID) -> Sequence[EnforcementPolicy]:
    """Return every policy of an account: the account's own first, then organizations, then keys."""
    order = sa.case({"user": 0, "organization": 1}, value=EnforcementPolicy.scope, else_=2)
    query = sa.select(EnforcementPolicy).where(EnforcementPolicy.account_id == account_id)
    return session.scalars(query.order_by(order, EnforcementPolicy.updated_at)).all()


def set_policy(
    session: Session,
    caller: Caller,
    *,
    enabled: bool,
    scope: PolicyScope | None,
    api_key_id: uuid.UUID | None,
    now: datetime,
) -> EnforcementPolicy:
    """Set the policy of a key, of the caller's organization or of the account.

    Args:
        session: A session in a transaction.
        caller: Who sets it.
        enabled: Whether outputs with a broken citation are withheld.
        scope: What it is for; `None` means a master's organization, and the account for a solo key.
        api_key_id: The key, with the scope `api_key`; without one, the caller's own.
        now: The current time.

    Raises:
        Denied: A child sets no policy (403).
        NotFound: The key is not one of the account, or not one that this master governs (404).
        Invalid: The scope is `organization` and the caller has none (400).
    """
    if caller.role == "child":
        raise Denied(
            "A child key may not set an enforcement policy; its master's or the account's applies to it.",
            code="FORBIDDEN_CHILD_KEY",
            status=403,
        )
    chosen = scope or ("organization" if caller.role == "master" else "user")
    target = _target(session, caller, chosen, api_key_id)
    return set_account_policy(
        session, caller.account_id, enabled=enabled, scope=chosen, target=target, now=now
    )


def set_account_policy(
    session: Session,
    account_id: uuid.UUID,
    *,
    enabled: bool,
    scope: PolicyScope,
    target: uuid.UUID | None,
    now: datetime,
) -> EnforcementPolicy:
    """Set a policy of an account; `target` is one of its keys or organizations, `None` for the account."""
    # Two who set the same one at once wait for each other.
    session.execute(sa.text("SELECT pg_advisory_xact_lock(hashtext(:a))"), {"a": str(account_id)})
    row = session.scalar(_of(account_id, scope, target))
    if row is None:
        row = EnforcementPolicy(
            id=uuid.uuid4(), account_id=account_id, scope=scope, target_id=target, version=0
        )
        session.add(row)
    row.enabled, row.updated_at, row.version = enabled, now, row.version + 1
    session.flush()
    activity.record(
        session,
        account_id,
        "policy.changed",
        activity.Target("policy", str(row.id)),
        details={"scope": scope, "targetId": str(target) if target else None, "enabled": enabled},
    )
    return row


def _of(account_id: uuid.UUID, scope: str, target: uuid.UUID | None) -> sa.Select[EnforcementPolicy]:
    return sa.select(EnforcementPolicy).where(
        EnforcementPolicy.account_id == account_id,
        EnforcementPolicy.scope == scope,
        EnforcementPolicy.target_id.is_(None) if target is None else EnforcementPolicy.target_id == target,
    )


def _target(
    session: Session, caller: Caller, scope: PolicyScope, api_key_id: uuid.UUID | None
) -> uuid.UUID | None:
    if scope == "user":
        return None
    if scope == "organization":
        if caller.organization_id is None:
            raise Invalid(
                "target.scope: this key is the master of no organization; use user or api_key.",
                details={"field": "target.scope"},
            )
        return caller.organization_id
    if api_key_id is None or api_key_id == caller.key_id:
        return caller.key_id
    key = session.scalar(
        sa.select(ApiKey).where(ApiKey.account_id == caller.account_id, ApiKey.id == api_key_id)
    )
    if key is None or (caller.role == "master" and key.organization_id != caller.organization_id):
        raise NotFound("There is no API key with this id.", details={"field": "target.api_key_id"})
    return key.id
