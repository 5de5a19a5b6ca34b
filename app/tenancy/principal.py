"""Who calls: a key read from the database on every request, so that revocation holds on the next one."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from app.platform.db import Statements
from app.platform.errors import Denied
from app.tenancy import tokens

Scope = Literal["analyze", "query", "mcp"]
Tier = Literal["standard", "premium", "enterprise"]
KeyRole = Literal["solo", "master", "child"]

SCOPES: tuple[Scope, ...] = get_args(Scope)
TIERS: tuple[Tier, ...] = get_args(Tier)


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated key and its tenant, for the length of one request."""

    key_id: uuid.UUID
    account_id: uuid.UUID
    key_prefix: str
    role: KeyRole
    tier: Tier
    scopes: frozenset[Scope]
    monthly_credit_cap: int | None = None
    mask_names: bool = False
    attestation: bool = False
    citator: bool = False


_BY_HASH = """
    SELECT k.id, k.account_id, k.key_prefix, k.role, k.tier, k.scopes, k.expires_at, k.revoked_at,
           k.monthly_credit_cap, a.mask_names, a.attestation, a.citator
    FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE k.key_hash = %(hash)s
    """


def identify(session: Statements, token: str, *, prefix: str, now: datetime) -> Caller:
    """The caller behind a plaintext key.

    Raises `Denied` (401): `UNAUTHENTICATED` for a malformed or unknown key, `KEY_REVOKED`, `KEY_EXPIRED`.
    """
    if not tokens.is_well_formed(token, prefix):
        raise Denied("This API key is not valid: check that it was copied whole.")
    row = session.one(_BY_HASH, {"hash": tokens.digest(token)})
    if row is None:
        raise Denied("This API key is not known.")
    if row.revoked_at is not None:
        raise Denied("This API key was revoked; use another or ask its owner for one.", code="KEY_REVOKED")
    if row.expires_at is not None and row.expires_at <= now:
        raise Denied("This API key has expired; ask its owner for a new one.", code="KEY_EXPIRED")
    return Caller(
        key_id=row.id,
        account_id=row.account_id,
        key_prefix=row.key_prefix,
        role=row.role,
        tier=row.tier,
        scopes=frozenset(row.scopes),
        monthly_credit_cap=row.monthly_credit_cap,
        mask_names=row.mask_names,
        attestation=row.attestation,
        citator=row.citator,
    )
