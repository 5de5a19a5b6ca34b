"""API keys: create, rename, rotate, revoke. The plaintext is returned once and not stored."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform import clock
from app.platform.errors import Conflict, Invalid, NotFound
from app.platform.postgres.db import Statements
from app.tenancy import activity, key_format
from app.tenancy.accounts import get_account
from app.tenancy.models import ApiKey
from app.tenancy.principal import SCOPES, TIERS

_MAX_CAP = 1_000_000_000


@dataclass(frozen=True, slots=True)
class NewKey:
    """A new key with its plaintext, which exists only here."""

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
    issued_to: str | None = None,
) -> NewKey:
    """Create a solo key; `created_by` is the member who created it in the portal.

    `issued_to` is the host of the client whose OAuth grant acts through the key (decision 061).

    Raises:
        Invalid: 400 for name, tier or expiry; 422 for the scopes (`INVALID_SCOPES`) or the cap.
        NotFound: The account.
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
        raise Invalid("expires_at: must be in the future.", details={"field": "expires_at"})
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
        issued_to=issued_to,
    )
    session.add(row)
    session.flush()
    activity.record(session, account_id, "key.created", activity.of_key(row), details=facts_of(row))
    return NewKey(row, plaintext)


def facts_of(row: ApiKey) -> dict[str, Any]:
    """Return what the log of activity says of a new or changed key."""
    return {
        "role": row.role,
        "scopes": list(row.scopes),
        "monthlyCreditCap": row.monthly_credit_cap,
        "expiresAt": clock.iso(row.expires_at) if row.expires_at else None,
    }


def set_monthly_cap(session: Session, key_id: uuid.UUID, cap: int | None) -> ApiKey:
    """Limit a key to `cap` credits per calendar month (UTC); `None` removes the limit.

    It takes effect on the next request. Raises `Invalid` (422), `NotFound`.
    """
    row = session.get(ApiKey, key_id, with_for_update=True)
    if row is None:
        raise NotFound("There is no API key with this id.")
    row.monthly_credit_cap = checked_cap(cap)
    session.flush()
    activity.record(
        session,
        row.account_id,
        "key.cap_changed",
        activity.of_key(row),
        details={"monthlyCreditCap": row.monthly_credit_cap},
    )
    return row


def checked_name(name: str) -> str:
    """Return a key's name without surrounding blanks. Raises `Invalid`."""
    name = name.strip()
    if not 1 <= len(name) <= 80:
        raise Invalid("name: must have 1 to 80 characters.", details={"field": "name", "min": 1, "max": 80})
    return name


def checked_cap(cap: int | None) -> int | None:
    """Return a monthly cap that is within its bounds, `None` for no cap. Raises `Invalid` (422)."""
    if cap is not None and not 0 <= cap <= _MAX_CAP:
        raise Invalid(
            f"monthlyCreditCap: must be a whole number from 0 to {_MAX_CAP}, or null for no cap.",
            status=422,
            details={"field": "monthlyCreditCap", "min": 0, "max": _MAX_CAP, "got": cap},
        )
    return cap


def keys_of(session: Session, account_id: uuid.UUID) -> Sequence[ApiKey]:
    """Return every key of the account, revoked ones included, newest first."""
    return session.scalars(
        sa.select(ApiKey).where(ApiKey.account_id == account_id).order_by(ApiKey.created_at.desc())
    ).all()


def revoke_key(
    session: Session, key_id: uuid.UUID, *, now: datetime, account_id: uuid.UUID | None = None
) -> ApiKey:
    """Revoke a key for good; repeating it is harmless. Raises `NotFound`.

    `account_id` limits the search to one tenant; the operator's command line passes none.
    """
    query = sa.select(ApiKey).where(ApiKey.id == key_id).with_for_update()
    if account_id is not None:
        query = query.where(ApiKey.account_id == account_id)
    row = session.scalar(query)
    if row is None:
        raise NotFound("There is no API key with this id.")
    if row.revoked_at is None:
        activity.record(session, row.account_id, "key.revoked", activity.of_key(row))
    row.revoked_at = row.revoked_at or now
    session.flush()
    return row


def rename_key(session: Session, row: ApiKey, name: str) -> None:
    """Rename a key. The caller has locked `row`. Raises `Invalid`."""
    row.name = checked_name(name)
    session.flush()
    activity.record(session, row.account_id, "key.renamed", activity.of_key(row))


OVERLAP_MAX = timedelta(days=7)


def rotate_key(session: Session, row: ApiKey, *, overlap: timedelta, prefix: str, now: datetime) -> NewKey:
    """Replace the secret of a key, which keeps its id, counters and caps.

    The old secret is accepted for `overlap` longer, at most 7 days; one that an earlier rotation left ends at
    once. The caller has locked `row`. Raises `Invalid` (422), `Conflict` (the key of an OAuth grant).
    """
    if row.issued_to is not None:
        raise Conflict(
            "This key belongs to a connected assistant and has no secret. Revoke it, and connect again.",
            code="KEY_OF_A_GRANT",
        )
    if not timedelta(0) <= overlap <= OVERLAP_MAX:
        raise Invalid(
            "overlapHours: must be a whole number from 0 to 168.",
            status=422,
            details={"field": "overlapHours", "min": 0, "max": 168},
        )
    plaintext = key_format.mint(prefix)
    row.previous_hash, row.previous_until = (row.key_hash, now + overlap) if overlap else (None, None)
    row.key_hash = key_format.digest(plaintext)
    row.key_prefix = key_format.public_prefix(plaintext)
    session.flush()
    activity.record(
        session,
        row.account_id,
        "key.rotated",
        activity.of_key(row),
        details={"overlapHours": round(overlap.total_seconds() / 3600)},
    )
    return NewKey(row, plaintext)


def own_key(session: Session, account_id: uuid.UUID, key_id: uuid.UUID) -> ApiKey:
    """Return a key of the account, locked for a change. Raises `NotFound`."""
    row = session.scalar(
        sa.select(ApiKey).where(ApiKey.id == key_id, ApiKey.account_id == account_id).with_for_update()
    )
    if row is None:
        raise NotFound("There is no API key with this id.")
    return row


def record_key_use(session: Statements, used: Mapping[uuid.UUID, datetime]) -> None:
    """Record when keys were last used; an earlier time than the recorded one changes nothing."""
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
