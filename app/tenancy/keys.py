"""API keys: issuing, listing, revoking. The plaintext is returned once and stored nowhere."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.platform.postgres.db import Statements
from app.tenancy import key_format
from app.tenancy.accounts import get_account
from app.tenancy.models import ApiKey
from app.tenancy.principal import SCOPES, TIERS

_MAX_CAP = 1_000_000_000


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key at its creation, the one moment its plaintext exists."""

    row: ApiKey
    plaintext: str

    def __repr__(self) -> str:
        return f"<NewKey {self.row.key_prefix}…>"


def create_key(
    session: Session,
    account_id: uuid.UUID,
    *,
    name: str,
    tier: str,
    scopes: Iterable[str],
    prefix: str,
    now: datetime,
    expires_at: datetime | None = None,
    monthly_credit_cap: int | None = None,
    created_by: uuid.UUID | None = None,
) -> NewKey:
    """A new solo key, `created_by` the member who made it in the portal.

    Raises `Invalid` (name, tier, scopes, expiry, cap) or `NotFound` (the account).
    """
    get_account(session, account_id)
    wanted = set(scopes)
    name = checked_name(name)
    if tier not in TIERS:
        raise Invalid(f"tier: must be one of {', '.join(TIERS)}.", details={"field": "tier"})
    if not wanted or not wanted <= set(SCOPES):
        raise Invalid(
            f"scopes: must be one or more of {', '.join(SCOPES)}.", code="INVALID_SCOPES", status=422
        )
    if expires_at is not None and expires_at <= now:
        raise Invalid("expires_at: must lie in the future.", details={"field": "expires_at"})
    plaintext = key_format.mint(prefix)
    row = ApiKey(
        account_id=account_id,
        name=name,
        key_prefix=key_format.public_prefix(plaintext),
        key_hash=key_format.digest(plaintext),
        tier=tier,
        # In the order of `SCOPES`, so that equal sets look equal.
        scopes=[scope for scope in SCOPES if scope in wanted],
        created_at=now,
        expires_at=expires_at,
        monthly_credit_cap=checked_cap(monthly_credit_cap),
        created_by=created_by,
    )
    session.add(row)
    session.flush()
    return NewKey(row, plaintext)


def set_monthly_cap(session: Session, key_id: uuid.UUID, cap: int | None) -> ApiKey:
    """Let a key spend at most `cap` credits in a calendar month (UTC); `None` lifts the cap.

    Holds on the next request. Raises `Invalid` or `NotFound`.
    """
    row = session.get(ApiKey, key_id, with_for_update=True)
    if row is None:
        raise NotFound("There is no API key with this id.")
    row.monthly_credit_cap = checked_cap(cap)
    session.flush()
    return row


def checked_name(name: str) -> str:
    """A key's name without the blanks around it. Raises `Invalid`."""
    name = name.strip()
    if not 1 <= len(name) <= 80:
        raise Invalid("name: must have 1 to 80 characters.", details={"field": "name", "min": 1, "max": 80})
    return name


def checked_cap(cap: int | None) -> int | None:
    """A monthly cap within its bounds, `None` for no cap. Raises `Invalid` (422)."""
    if cap is not None and not 0 <= cap <= _MAX_CAP:
        raise Invalid(
            f"monthlyCreditCap: must be 0 to {_MAX_CAP}, or empty for no cap.",
            status=422,
            details={"field": "monthlyCreditCap", "min": 0, "max": _MAX_CAP, "got": cap},
        )
    return cap


def keys_of(session: Session, account_id: uuid.UUID) -> Sequence[ApiKey]:
    """Every key of the account, revoked ones included, newest first."""
    return session.scalars(
        sa.select(ApiKey).where(ApiKey.account_id == account_id).order_by(ApiKey.created_at.desc())
    ).all()


def revoke_key(
    session: Session, key_id: uuid.UUID, *, now: datetime, account_id: uuid.UUID | None = None
) -> ApiKey:
    """Cut a key off for good; doing it twice is harmless. Raises `NotFound`.

    `account_id` limits the search to one tenant; the operator's command line passes none.
    """
    query = sa.select(ApiKey).where(ApiKey.id == key_id).with_for_update()
    if account_id is not None:
        query = query.where(ApiKey.account_id == account_id)
    row = session.scalar(query)
    if row is None:
        raise NotFound("There is no API key with this id.")
    row.revoked_at = row.revoked_at or now
    session.flush()
    return row


def rename_key(session: Session, row: ApiKey, name: str) -> None:
    """Call a key something else. `row` is locked by the caller. Raises `Invalid`."""
    row.name = checked_name(name)
    session.flush()


OVERLAP_MAX = timedelta(days=7)


def rotate_key(session: Session, row: ApiKey, *, overlap: timedelta, prefix: str, now: datetime) -> NewKey:
    """A new secret for a key that keeps its identity, counters and caps.

    The old secret opens for `overlap` longer, at most 7 days; a rotation before that ends a still older one
    at once. `row` is locked by the caller. Raises `Invalid`.
    """
    if not timedelta(0) <= overlap <= OVERLAP_MAX:
        raise Invalid(
            "overlapHours: must be 0 to 168.",
            status=422,
            details={"field": "overlapHours", "min": 0, "max": 168},
        )
    plaintext = key_format.mint(prefix)
    row.previous_hash, row.previous_until = (row.key_hash, now + overlap) if overlap else (None, None)
    row.key_hash = key_format.digest(plaintext)
    row.key_prefix = key_format.public_prefix(plaintext)
    session.flush()
    return NewKey(row, plaintext)


def own_key(session: Session, account_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    """A key of the account, locked for a change. Raises `NotFound`."""
    row = session.scalar(
        sa.select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id).with_for_update()
    )
    if row is None:
        raise NotFound("There is no API key with this id.")
    return row


def touched(session: Statements, used: Mapping[uuid.UUID, datetime]) -> None:
    """Remember when keys were last used; a time before the one remembered changes nothing."""
    # In the order of their ids, so that two workers that meet wait for each other and never in a circle.
    ordered = sorted(used)
    session.run(_TOUCH, {"ids": ordered, "times": [used[key] for key in ordered]})


_TOUCH = """
    WITH used AS (
        SELECT k.id, u.at FROM unnest(%(ids)s::uuid[], %(times)s::timestamptz[]) AS u(id, at)
        JOIN api_keys k ON k.id = u.id
        WHERE k.last_used_at IS NULL OR k.last_used_at < u.at ORDER BY k.id FOR NO KEY UPDATE OF k
    )
    UPDATE api_keys k SET last_used_at = used.at FROM used WHERE k.id = used.id
    """
