"""Activity: what members and keys did with an account, apart from the analyses themselves (decision 065).

Written in the transaction of the act, by the function that does it. Who acts is the context of the current
thread, which the edges set (`acting`): the guard of the API for a key, the portal for a member. Rows are in
the order of their `seq`, which is taken under a lock of the account just before the commit, so that a reader
who goes on from a position misses nothing and no clock decides. Never text of a document, never a secret.
"""

from __future__ import annotations

import ipaddress
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy import orm

from app.platform import clock
from app.platform.postgres.db import Session
from app.tenancy.models import Activity, ApiKey, Member, Organization

ActorKind = Literal["member", "api_key", "visitor", "service"]
Action = Literal[
    "sign_in", "sign_in.failed", "sign_out", "session.ended",
    "password.changed",
    "second_factor.enabled", "second_factor.disabled", "second_factor.unlocked",
    "second_factor.recovery_codes_renewed",
    "member.invited", "member.invitation_withdrawn", "member.joined", "member.role_changed",
    "member.mails_changed", "member.removed",
    "key.created", "key.changed", "key.renamed", "key.rotated", "key.cap_changed", "key.revoked",
    "key.reactivated",
    "organization.created", "organization.changed", "organization.deleted",
    "network.allowed", "network.removed",
    "webhook.created", "webhook.changed", "webhook.rotated", "webhook.deleted",
    "watch.added", "watch.changed", "watch.removed",
    "branding.changed", "policy.changed", "review.recorded",
    "result.shared", "result.link_ended", "result.opened",
    "account.changed", "account.options_changed", "account.plan_changed", "account.threshold_changed",
    "account.closed",
    "engine.set", "engine.removed",
    "document.ordered", "document.downloaded", "document.deleted",
    "export.downloaded",
    "assistant.connected",
    "purchase.begun", "purchase.paid", "purchase.refunded",
    "sso.set", "sso.removed", "sso.required", "sso.domain_proved", "sso.domain_removed",
]  # fmt: skip
ACTIONS: tuple[Action, ...] = get_args(Action)
ACTOR_KINDS: tuple[ActorKind, ...] = get_args(ActorKind)
_WAITING = "activities"


@dataclass(frozen=True, slots=True)
class Actor:
    """Actor of an activity: the name they have now, and their network.

    A `visitor` has not signed in; the `service` is its operator or a task of its own.
    """

    kind: ActorKind = "service"
    id: uuid.UUID | None = None
    name: str | None = None
    network: str | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Object of an activity, under the name it has now."""

    kind: str
    id: str
    name: str | None = None


_SERVICE = Actor()
_actor: ContextVar[Actor] = ContextVar("actor", default=_SERVICE)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Name who acts while the block runs."""
    token = _actor.set(actor)
    try:
        yield
    finally:
        _actor.reset(token)


def current_actor() -> Actor:
    """Return who acts in this thread."""
    return _actor.get()


def by_member(member: Member, address: str | None) -> Actor:
    """Return a member as an actor."""
    return Actor("member", member.id, member.email, network(address))


def network(address: str | None) -> str | None:
    """Return the network of an address, /24 of IPv4 and /48 of IPv6: what is kept of it."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False))


def of_key(key: ApiKey) -> Target:
    """Return a key as a target."""
    return Target("api_key", str(key.id), f"{key.name} ({key.key_prefix}…)")


def of_member(member: Member) -> Target:
    """Return a member as a target."""
    return Target("member", str(member.id), member.email)


def of_organization(organization: Organization) -> Target:
    """Return an organization as a target."""
    return Target("organization", str(organization.id), organization.name)


def record(
    session: orm.Session,
    account_id: uuid.UUID,
    action: Action,
    target: Target | None = None,
    *,
    details: Mapping[str, Any] | None = None,
    actor: Actor | None = None,
) -> None:
    """Note an act of this transaction; it is written as the last thing before the commit.

    Args:
        session: The session of the act. Where it is rolled back, nothing was done and nothing is noted.
        account_id: The account it concerns.
        action: What was done.
        target: What it was done to.
        details: Figures, codes and names of fields; no text and no secret.
        actor: Who did it, where that is not who acts in this thread.
    """
    who = actor or _actor.get()
    session.info.setdefault(_WAITING, []).append(
        {
            "id": uuid.uuid4(),
            "account_id": account_id,
            "at": clock.now(),
            "actor_kind": who.kind,
            "actor_id": who.id,
            "actor_name": who.name,
            "network": who.network,
            "action": action,
            "target_kind": target.kind if target else None,
            "target_id": target.id if target else None,
            "target_name": target.name if target else None,
            "details": dict(details or {}),
        }
    )


@sa.event.listens_for(Session, "before_commit")
def _write(session: orm.Session) -> None:
    waiting = session.info.pop(_WAITING, None)
    if not waiting:
        return
    # What waits for this lock has nothing left to do but to commit, so that nobody waits in a circle.
    for account_id in sorted({str(row["account_id"]) for row in waiting}):
        session.execute(
            sa.text("SELECT pg_advisory_xact_lock(hashtext('activities'), hashtext(:account))"),
            {"account": account_id},
        )
    session.execute(sa.insert(Activity), waiting)


@sa.event.listens_for(Session, "after_soft_rollback")
def _forget(session: orm.Session, _rolled_back: Any) -> None:
    session.info.pop(_WAITING, None)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which activities: from a moment (inclusive) to another (exclusive), of some actions, of one actor."""

    since: datetime | None = None
    until: datetime | None = None
    actions: Sequence[str] = ()
    actor_id: uuid.UUID | None = None


def activities(
    session: orm.Session,
    account_id: uuid.UUID,
    chosen: Filter,
    *,
    before: int | None = None,
    after: int | None = None,
    limit: int,
) -> Sequence[Activity]:
    """Return activities of an account, newest first; with `after` the oldest first behind that position.

    Args:
        session: The caller's transaction.
        account_id: The account.
        chosen: The filter.
        before: Position before which the page begins, `None` for the newest.
        after: Position behind which the page begins, for a reader that goes on; 0 for the oldest.
        limit: Size of the page.
    """
    query = sa.select(Activity).where(Activity.account_id == account_id)
    if chosen.since is not None:
        query = query.where(Activity.at >= chosen.since)
    if chosen.until is not None:
        query = query.where(Activity.at < chosen.until)
    if chosen.actions:
        query = query.where(Activity.action.in_(chosen.actions))
    if chosen.actor_id is not None:
        query = query.where(Activity.actor_id == chosen.actor_id)
    if before is not None:
        query = query.where(Activity.seq < before)
    if after is not None:
        query = query.where(Activity.seq > after)
    order = Activity.seq.desc() if after is None else Activity.seq
    return session.scalars(query.order_by(order).limit(limit)).all()


def actors(session: orm.Session, account_id: uuid.UUID) -> list[tuple[uuid.UUID, str]]:
    """Return the members and keys that occur as actors, by id, with the newest name of each."""
    newest = (
        sa.select(Activity.actor_id, sa.func.max(Activity.seq).label("seq"))
        .where(Activity.account_id == account_id, Activity.actor_id.is_not(None))
        .group_by(Activity.actor_id)
        .subquery()
    )
    query = (
        sa.select(Activity.actor_id, Activity.actor_name)
        .join(newest, newest.c.seq == Activity.seq)
        .where(Activity.account_id == account_id)
        .order_by(Activity.actor_name)
    )
    return [(actor_id, name or "–") for actor_id, name in session.execute(query) if actor_id is not None]


def networks_seen(
    session: orm.Session, account_id: uuid.UUID, *, since: datetime, limit: int = 12
) -> list[tuple[str, datetime]]:
    """Return the networks where members and keys acted since then, each with its last act, newest first."""
    last = sa.func.max(Activity.at)
    query = (
        sa.select(Activity.network, last)
        .where(
            Activity.account_id == account_id,
            Activity.at >= since,
            Activity.network.is_not(None),
            Activity.actor_kind.in_(("member", "api_key")),
        )
        .group_by(Activity.network)
        .order_by(last.desc())
        .limit(limit)
    )
    return [(network, at) for network, at in session.execute(query) if network is not None]


def sign_in_failed(session: orm.Session, email: str, address: str | None, *, step: str) -> None:
    """Note that somebody failed to sign in as the member with this address, where there is one.

    The commit does not wait for the disk, so that the answer does not tell by its time whether there is one.
    """
    session.execute(sa.text("SET LOCAL synchronous_commit = off"))
    member = session.scalar(sa.select(Member).where(Member.email == email.strip().lower()))
    if member is not None:
        record(
            session,
            member.account_id,
            "sign_in.failed",
            of_member(member),
            details={"step": step},
            actor=Actor("visitor", network=network(address)),
        )
