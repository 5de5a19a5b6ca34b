"""API keys: issuing, listing, revoking. The plaintext is returned once and stored nowhere."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Invalid, NotFound
from app.tenancy import tokens
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
) -> NewKey:
    """A new solo key. Raises `Invalid` (name, tier, scopes, expiry, cap) or `NotFound` (the account)."""
    get_account(session, account_id)
    wanted = set(scopes)
    name = name.strip()
    if not 1 <= len(name) <= 80:
        raise Invalid("name: must have 1 to 80 characters.", details={"field": "name", "min": 1, "max": 80})
    if tier not in TIERS:
        raise Invalid(f"tier: must be one of {', '.join(TIERS)}.", details={"field": "tier"})
    if not wanted or not wanted <= set(SCOPES):
        raise Invalid(
            f"scopes: must be one or more of {', '.join(SCOPES)}.", code="INVALID_SCOPES", status=422
        )
    if expires_at is not None and expires_at <= now:
        raise Invalid("expires_at: must lie in the future.", details={"field": "expires_at"})
    plaintext = tokens.mint(prefix)
    row = ApiKey(
        account_id=account_id,
        name=name,
        key_prefix=tokens.public_prefix(plaintext),
        key_hash=tokens.digest(plaintext),
        tier=tier,
        # In the order of the specification, so that equal sets look equal.
        scopes=[scope for scope in SCOPES if scope in wanted],
        created_at=now,
        expires_at=expires_at,
        monthly_credit_cap=_cap(monthly_credit_cap),
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
    row.monthly_credit_cap = _cap(cap)
    session.flush()
    return row


def _cap(cap: int | None) -> int | None:
    if cap is not None and not 0 <= cap <= _MAX_CAP:
        raise Invalid(
            f"monthlyCreditCap: must be 0 to {_MAX_CAP}, or empty for no cap.",
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
