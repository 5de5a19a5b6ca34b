"""The register of an account's keys: one by its id, some by name or state, a page at a time.

An account may have thousands: whoever shows keys asks for those they show.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import NotFound
from app.tenancy.models import ApiKey
from app.tenancy.principal import KeyRole, Scope

# In use: neither revoked nor past its end. A revoked key counts as revoked, whatever its end.
KeyState = Literal["in_use", "expired", "revoked"]
KEY_STATES: tuple[KeyState, ...] = get_args(KeyState)

_PREFIX = 12
# In use first, then revoked; of each the newest first. Named by the index of the table.
ORDER = (ApiKey.revoked_at.is_(None), ApiKey.created_at, ApiKey.id)


@dataclass(frozen=True, slots=True)
class KeyFilter:
    """Which keys: `text` is part of the name or the beginning of the key, in whatever case."""

    text: str = ""
    roles: tuple[KeyRole, ...] = ()
    state: KeyState | None = None
    scope: Scope | None = None
    organization_id: uuid.UUID | None = None
    key_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class KeyPage:
    """Keys in use first, the newest of them first; `more` is where the next page begins after, if any."""

    rows: Sequence[ApiKey]
    more: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class KeyCounts:
    """How many keys there are in each state."""

    in_use: int
    expired: int
    revoked: int


def keys_page(
    session: Session,
    account_id: uuid.UUID,
    wanted: KeyFilter,
    *,
    now: datetime,
    after: uuid.UUID | None = None,
    limit: int,
) -> KeyPage:
    """The account's keys that fit, behind the key `after` where given; what is revoked meanwhile moves."""
    query = sa.select(ApiKey).where(ApiKey.account_id == account_id, *_conditions(wanted, now))
    if after is not None:
        place = sa.select(*ORDER).where(ApiKey.account_id == account_id, ApiKey.id == after)
        found = session.execute(place).one_or_none()
        if found is None:
            return KeyPage((), None)
        query = query.where(sa.tuple_(*ORDER) < sa.tuple_(*map(sa.literal, found)))
    rows = session.scalars(query.order_by(*(part.desc() for part in ORDER)).limit(limit + 1)).all()
    return KeyPage(rows[:limit], rows[limit - 1].id if len(rows) > limit else None)


def keys_by_id(
    session: Session, account_id: uuid.UUID, ids: Collection[uuid.UUID | None]
) -> dict[uuid.UUID, ApiKey]:
    """Those of `ids` that are the account's."""
    wanted = {key_id for key_id in ids if key_id is not None}
    if not wanted:
        return {}
    query = sa.select(ApiKey).where(ApiKey.account_id == account_id, ApiKey.id.in_(wanted))
    return {row.id: row for row in session.scalars(query)}


def key_of(session: Session, account_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    """A key of the account, revoked or not, to look at. Raises `NotFound`."""
    row = session.scalar(sa.select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id))
    if row is None:
        raise NotFound("There is no API key with this id.")
    return row


def master_of(session: Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> ApiKey:
    """The master key of an organization, revoked or not. Raises `NotFound`, for another account's too."""
    row = session.scalar(
        sa.select(ApiKey).where(
            ApiKey.account_id == account_id,
            ApiKey.role == "master",
            ApiKey.organization_id == organization_id,
        )
    )
    if row is None:
        raise NotFound("There is no organization with this id.")
    return row


def masters_of(session: Session, account_id: uuid.UUID) -> dict[uuid.UUID, ApiKey]:
    """The master key of each of the account's organizations, revoked or not."""
    query = sa.select(ApiKey).where(
        ApiKey.account_id == account_id, ApiKey.role == "master", ApiKey.organization_id.is_not(None)
    )
    return {row.organization_id: row for row in session.scalars(query) if row.organization_id}


def count_keys(
    session: Session, account_id: uuid.UUID, wanted: KeyFilter = KeyFilter(), *, now: datetime
) -> KeyCounts:
    """How many of the account's keys fit, by state."""
    states = [sa.func.count().filter(*_in_state(state, now)) for state in KEY_STATES]
    query = sa.select(*states).where(ApiKey.account_id == account_id, *_conditions(wanted, now))
    return KeyCounts(**dict(zip(KEY_STATES, session.execute(query).one(), strict=True)))


def expiring_keys(
    session: Session, account_id: uuid.UUID, *, now: datetime, until: datetime, limit: int
) -> tuple[int, Sequence[ApiKey]]:
    """How many keys in use stop by `until`, and those that stop first."""
    stops = (ApiKey.account_id == account_id, *_in_state("in_use", now), ApiKey.expires_at <= until)
    count = session.scalar(sa.select(sa.func.count()).where(*stops)) or 0
    rows = session.scalars(
        sa.select(ApiKey).where(*stops).order_by(ApiKey.expires_at, ApiKey.id).limit(limit)
    )
    return count, rows.all()


def sub_keys_in_use(session: Session, account_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """How many sub-keys that are not revoked each organization of the account has."""
    query = (
        sa.select(ApiKey.organization_id, sa.func.count())
        .where(ApiKey.account_id == account_id, ApiKey.role == "child", ApiKey.revoked_at.is_(None))
        .group_by(ApiKey.organization_id)
    )
    return {row[0]: row[1] for row in session.execute(query) if row[0] is not None}


def _conditions(wanted: KeyFilter, now: datetime) -> list[Any]:
    found: list[Any] = []
    text = wanted.text.strip()
    if text:
        # Whoever pastes a whole key means its beginning; the rest is nobody's business here.
        beginning = ApiKey.key_prefix.istartswith(text[:_PREFIX], autoescape=True)
        found.append(sa.or_(ApiKey.name.icontains(text, autoescape=True), beginning))
    if wanted.roles:
        found.append(ApiKey.role.in_(wanted.roles))
    if wanted.state is not None:
        found += _in_state(wanted.state, now)
    if wanted.scope is not None:
        found.append(ApiKey.scopes.contains([wanted.scope]))
    if wanted.organization_id is not None:
        found.append(ApiKey.organization_id == wanted.organization_id)
    if wanted.key_id is not None:
        found.append(ApiKey.id == wanted.key_id)
    return found


def _in_state(state: KeyState, now: datetime) -> list[Any]:
    if state == "revoked":
        return [ApiKey.revoked_at.is_not(None)]
    ended = ApiKey.expires_at <= now
    if state == "expired":
        return [ApiKey.revoked_at.is_(None), ended]
    return [ApiKey.revoked_at.is_(None), sa.or_(ApiKey.expires_at.is_(None), sa.not_(ended))]
