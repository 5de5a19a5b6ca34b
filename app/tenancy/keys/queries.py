"""Queries of an account's keys: by id, by name or state, paginated.

An account may have thousands of keys: callers read only those that they show.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session, aliased

from app.platform.errors import NotFound
from app.tenancy.models import ApiKey, Organization
from app.tenancy.principal import KeyRole, Scope

# In use: neither revoked nor past its end, nor is its master. A revoked key counts as revoked, whatever its
# end.
KeyState = Literal["in_use", "expired", "revoked"]
KEY_STATES: tuple[KeyState, ...] = get_args(KeyState)
# Why a key opens nothing: its own doing, its master's, or its organization was deleted.
KeyEnd = Literal["revoked", "expired", "master_revoked", "master_expired", "organization_deleted"]

_PREFIX = 12
# In use first, then revoked; of each the newest first. Named by the index of the table.
ORDER = (ApiKey.revoked_at.is_(None), ApiKey.created_at, ApiKey.id)
# Made once: an alias of a table is slow to make.
_MASTER = aliased(ApiKey)


@dataclass(frozen=True, slots=True)
class KeyFilter:
    """Conditions of a list of keys.

    `text` is part of the name or the beginning of the key, case-insensitive.
    """

    text: str = ""
    roles: tuple[KeyRole, ...] = ()
    state: KeyState | None = None
    scope: Scope | None = None
    organization_id: uuid.UUID | None = None
    key_id: uuid.UUID | None = None
    # Whether the key is a connected assistant's, which nobody can use by hand.
    issued: bool | None = None
    # Only keys that may spend this many credits a month.
    monthly_credit_cap: int | None = None


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """Whether a key is accepted.

    `end` is why not, `None` while it is; `stops_at` is when it expires, by itself or with its master. While
    `rotating`, the secret before the last rotation is accepted, too.
    """

    end: KeyEnd | None
    stops_at: datetime | None
    rotating: bool = False


@dataclass(frozen=True, slots=True)
class KeyPage:
    """A page of keys: those in use first, then newest first.

    `more` is the last key of the page, after which the next page begins; `None` on the last page.
    """

    rows: Sequence[ApiKey]
    more: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class KeyCounts:
    """Number of keys in each state."""

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
    """Return a page of the account's keys that match `wanted`, after the key `after` where given."""
    query = sa.select(ApiKey).where(ApiKey.account_id == account_id, *_conditions(wanted, account_id, now))
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
    """Return the keys with these ids that belong to the account, by id."""
    wanted = {key_id for key_id in ids if key_id is not None}
    if not wanted:
        return {}
    query = sa.select(ApiKey).where(ApiKey.account_id == account_id, ApiKey.id.in_(wanted))
    return {row.id: row for row in session.scalars(query)}


def key_status(
    key: ApiKey, *, master: ApiKey | None, organization: Organization | None, now: datetime
) -> KeyStatus:
    """Return whether a key is accepted, by the same rules as `principal.identify`. Pure.

    `master` and `organization` are those of a child key.
    """
    stops_at = min(
        (row.expires_at for row in (key, master) if row is not None and row.expires_at is not None),
        default=None,
    )
    rotating = key.previous_until is not None and key.previous_until > now
    return KeyStatus(_end(key, master, organization, now), stops_at, rotating)


def _end(
    key: ApiKey, master: ApiKey | None, organization: Organization | None, now: datetime
) -> KeyEnd | None:
    if key.revoked_at is not None:
        deleted = organization.deleted_at if organization else None
        # A key that was cut off before that was cut off for itself.
        return "organization_deleted" if deleted is not None and deleted <= key.revoked_at else "revoked"
    if master is not None and master.revoked_at is not None:
        return "master_revoked"
    if key.expires_at is not None and key.expires_at <= now:
        return "expired"
    if master is not None and master.expires_at is not None and master.expires_at <= now:
        return "master_expired"
    return None


def key_statuses(
    session: Session, account_id: uuid.UUID, rows: Collection[ApiKey], *, now: datetime
) -> dict[uuid.UUID, KeyStatus]:
    """Return whether each of the account's keys `rows` is accepted, by key id."""
    masters = keys_by_id(session, account_id, [row.parent_key_id for row in rows])
    wanted = {row.organization_id for row in rows if row.role == "child"}
    query = sa.select(Organization).where(
        Organization.account_id == account_id, Organization.id.in_(wanted - {None})
    )
    organizations = {row.id: row for row in session.scalars(query)} if wanted else {}
    return {
        row.id: key_status(
            row,
            master=masters.get(row.parent_key_id) if row.parent_key_id else None,
            organization=organizations.get(row.organization_id) if row.organization_id else None,
            now=now,
        )
        for row in rows
    }


def key_of(session: Session, account_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    """Return a key of the account for reading, revoked or not. Raises `NotFound`."""
    row = session.scalar(sa.select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id))
    if row is None:
        raise NotFound("There is no API key with this id.")
    return row


def master_of(session: Session, account_id: uuid.UUID, organization_id: uuid.UUID) -> ApiKey:
    """Return the master key of an organization, revoked or not.

    Raises:
        NotFound: The organization is unknown, or another account's.
    """
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
    """Return the master keys of the account's organizations, revoked or not, by organization id."""
    query = sa.select(ApiKey).where(
        ApiKey.account_id == account_id, ApiKey.role == "master", ApiKey.organization_id.is_not(None)
    )
    return {row.organization_id: row for row in session.scalars(query) if row.organization_id}


def count_keys(
    session: Session, account_id: uuid.UUID, wanted: KeyFilter = KeyFilter(), *, now: datetime
) -> KeyCounts:
    """Count the account's keys that match `wanted`, by state."""
    # Each key is judged once: an account may have thousands.
    revoked, ended = _revoked(account_id), _ended(account_id, now)
    state = sa.case((revoked, "revoked"), (ended, "expired"), else_="in_use").label("state")
    judged = sa.select(state).where(ApiKey.account_id == account_id, *_conditions(wanted, account_id, now))
    rows = judged.subquery()
    found = session.execute(sa.select(rows.c.state, sa.func.count()).group_by(rows.c.state))
    return KeyCounts(**{**dict.fromkeys(KEY_STATES, 0), **{row[0]: row[1] for row in found}})


def expiring_keys(
    session: Session, account_id: uuid.UUID, *, now: datetime, until: datetime, limit: int
) -> Sequence[ApiKey]:
    """Return the `limit` keys in use that expire first, of those that expire by `until`."""
    stops = (
        ApiKey.account_id == account_id,
        *_in_state("in_use", account_id, now),
        ApiKey.expires_at <= until,
    )
    query = sa.select(ApiKey).where(*stops).order_by(ApiKey.expires_at, ApiKey.id).limit(limit)
    return session.scalars(query).all()


def sub_keys_in_use(session: Session, account_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """Count, by organization id, the child keys that are not revoked and whose master is not revoked."""
    query = (
        sa.select(ApiKey.organization_id, sa.func.count())
        .where(
            ApiKey.account_id == account_id,
            ApiKey.role == "child",
            sa.not_(_either(account_id, lambda key: key.revoked_at.is_not(None))),
        )
        .group_by(ApiKey.organization_id)
    )
    return {row[0]: row[1] for row in session.execute(query) if row[0] is not None}


def _conditions(wanted: KeyFilter, account_id: uuid.UUID, now: datetime) -> list[Any]:
    found: list[Any] = []
    text = wanted.text.strip()
    if text:
        # A whole key that is pasted is searched by its beginning; the rest is ignored.
        beginning = ApiKey.key_prefix.istartswith(text[:_PREFIX], autoescape=True)
        found.append(sa.or_(ApiKey.name.icontains(text, autoescape=True), beginning))
    if wanted.roles:
        found.append(ApiKey.role.in_(wanted.roles))
    if wanted.state is not None:
        found += _in_state(wanted.state, account_id, now)
    if wanted.scope is not None:
        found.append(ApiKey.scopes.contains([wanted.scope]))
    if wanted.organization_id is not None:
        found.append(ApiKey.organization_id == wanted.organization_id)
    if wanted.key_id is not None:
        found.append(ApiKey.id == wanted.key_id)
    if wanted.issued is not None:
        found.append(ApiKey.issued_to.is_not(None) if wanted.issued else ApiKey.issued_to.is_(None))
    if wanted.monthly_credit_cap is not None:
        found.append(ApiKey.monthly_credit_cap == wanted.monthly_credit_cap)
    return found


def _in_state(state: KeyState, account_id: uuid.UUID, now: datetime) -> list[Any]:
    revoked = _revoked(account_id)
    if state == "revoked":
        return [revoked]
    ended = _ended(account_id, now)
    return [sa.not_(revoked), ended if state == "expired" else sa.not_(ended)]


def _revoked(account_id: uuid.UUID) -> sa.ColumnElement[bool]:
    return _either(account_id, lambda key: key.revoked_at.is_not(None))


def _ended(account_id: uuid.UUID, now: datetime) -> sa.ColumnElement[bool]:
    return _either(account_id, lambda key: sa.func.coalesce(key.expires_at <= now, False))


def _either(
    account_id: uuid.UUID, fits: Callable[[type[ApiKey]], sa.ColumnElement[bool]]
) -> sa.ColumnElement[bool]:
    """Return the condition that a key or its master fits; the account's few masters are looked up once."""
    masters = sa.select(_MASTER.id).where(
        _MASTER.account_id == account_id, _MASTER.role == "master", fits(_MASTER)
    )
    return sa.or_(fits(ApiKey), sa.func.coalesce(ApiKey.parent_key_id.in_(masters), False))
