"""The caller of a request: its key is read from the database each time, so revocation is immediate."""

from __future__ import annotations

import ipaddress
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, LiteralString, get_args

from app.platform.errors import Denied, NotFound
from app.platform.postgres.db import Statements
from app.tenancy import key_format

Scope = Literal["analyze", "query", "mcp"]
Tier = Literal["standard", "premium", "enterprise"]
KeyRole = Literal["solo", "master", "child"]

KEY_ROLES: tuple[KeyRole, ...] = get_args(KeyRole)
SCOPES: tuple[Scope, ...] = get_args(Scope)
TIERS: tuple[Tier, ...] = get_args(Tier)


@dataclass(frozen=True, slots=True)
class Enforcement:
    """The policy that holds for a caller; `scope` and version 0 say that nobody set one."""

    enabled: bool = False
    version: int = 0
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class OwnEngine:
    """An engine of the account's own at one node (decision 081); each that is set has another `id`.

    `official` is true where it is asked at its vendor's address.
    """

    id: uuid.UUID
    vendor: str
    official: bool


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated key and its tenant, for one request."""

    key_id: uuid.UUID
    account_id: uuid.UUID
    key_prefix: str
    role: KeyRole
    tier: Tier
    scopes: frozenset[Scope]
    monthly_credit_cap: int | None = None
    # A child's organization and master; a master's organization.
    organization_id: uuid.UUID | None = None
    parent_key_id: uuid.UUID | None = None
    # `None`: nobody chose, the engine decides.
    mask_names: bool | None = None
    attestation: bool = False
    citator: bool = False
    # How its answers are branded (its master's choice, where it has one), as the owner of branding reads it.
    branding: str | None = None
    brand_name: str | None = None
    enforcement: Enforcement = Enforcement()
    # `None`: the operator's engine works at that node.
    own_engine_a: OwnEngine | None = None
    own_engine_b: OwnEngine | None = None


# The key, its master, its account's switches and engines, the name its answers carry, and its policy.
_COLUMNS: LiteralString = """
    SELECT k.id, k.account_id, k.key_prefix, k.role, k.tier, k.scopes, k.expires_at, k.revoked_at,
           k.monthly_credit_cap, k.organization_id, k.parent_key_id,
           p.scopes AS parent_scopes, p.tier AS parent_tier, p.expires_at AS parent_expires_at,
           p.revoked_at AS parent_revoked_at, a.mask_names, a.attestation, a.citator,
           b.branding, b.partner_brand_name,
           oa.id AS engine_a, oa.engine AS vendor_a, oa.base_url IS NULL AS official_a,
           ob.id AS engine_b, ob.engine AS vendor_b, ob.base_url IS NULL AS official_b,
           e.enabled AS policy_enabled, e.version AS policy_version, e.scope AS policy_scope,
    """
# Whether the address is allowed: null where the account lists none.
_ALLOWED: LiteralString = """
           (SELECT bool_or(coalesce(%(address)s::inet <<= w.cidr, false)) FROM ip_allowlist w
            WHERE w.account_id = k.account_id) AS allowed
    """
_TABLES: LiteralString = """
    FROM api_keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN api_keys p ON p.id = k.parent_key_id
    LEFT JOIN branding_configs b ON b.api_key_id = coalesce(k.parent_key_id, k.id)
    LEFT JOIN own_engines oa ON oa.account_id = k.account_id AND oa.node = 'A'
    LEFT JOIN own_engines ob ON ob.account_id = k.account_id AND ob.node = 'B'
    LEFT JOIN LATERAL (
        SELECT s.enabled, s.version, s.scope FROM enforcement_policies s
        WHERE s.account_id = k.account_id
          AND (s.target_id IS NULL OR s.target_id IN (k.id, k.organization_id))
        ORDER BY s.scope = 'api_key' DESC, s.scope = 'organization' DESC LIMIT 1
    ) e ON true
    """
# A key is found by its plaintext or by that of its rotated predecessor, in one statement.
_BY_HASH = f"""{_COLUMNS}{_ALLOWED}{_TABLES}
    WHERE k.key_hash = %(hash)s OR (k.previous_hash = %(hash)s AND k.previous_until > %(now)s)
    """
_BY_ID = f"{_COLUMNS} NULL::bool AS allowed {_TABLES} WHERE k.id = %(id)s AND k.account_id = %(account)s"
_BY_ID_FROM = f"{_COLUMNS}{_ALLOWED}{_TABLES} WHERE k.id = %(id)s AND k.account_id = %(account)s"


def identify(
    session: Statements, token: str, *, prefix: str, now: datetime, address: str | None = None
) -> Caller:
    """Return the caller with this plaintext key.

    A child key loses the scopes that its master lost, has its master's tier, and ends with its master.

    Args:
        session: Statements that see the rows of all tenants.
        token: The plaintext key.
        prefix: Expected prefix of keys of this service.
        now: The current time.
        address: IP address of the caller, checked against the account's allow-list.

    Raises:
        Denied: 401 `UNAUTHENTICATED` for a malformed or unknown key, `KEY_REVOKED`, `KEY_EXPIRED`; 403
            `IP_NOT_ALLOWED` for an address that is not on the account's list.
    """
    if not key_format.is_well_formed(token, prefix):
        raise Denied("This API key is malformed. Check that it was copied completely.")
    values = {"hash": key_format.digest(token), "now": now, "address": _plain(address)}
    row = session.one(_BY_HASH, values)
    if row is None:
        raise Denied("This API key is unknown.")
    _refuse(row, now)
    return _caller(row)


def _refuse(row: Any, now: datetime) -> None:
    """Raise `Denied` where the key, its master or the address may not call."""
    if row.revoked_at is not None or row.parent_revoked_at is not None:
        raise Denied(
            "This API key has been revoked. Use another key, or ask the account owner for one.",
            code="KEY_REVOKED",
        )
    if any(end is not None and end <= now for end in (row.expires_at, row.parent_expires_at)):
        raise Denied("This API key has expired. Ask the account owner for a new one.", code="KEY_EXPIRED")
    if row.allowed is False:
        raise Denied(
            "API keys of this account cannot be used from your IP address. Ask the account owner to add "
            "it to the allow-list.",
            code="IP_NOT_ALLOWED",
            status=403,
        )


def _caller(row: Any) -> Caller:
    """Build the caller from the row of its key, master and account."""
    scopes = frozenset(row.scopes)
    return Caller(
        key_id=row.id,
        account_id=row.account_id,
        key_prefix=row.key_prefix,
        role=row.role,
        tier=row.parent_tier or row.tier,
        scopes=scopes if row.parent_scopes is None else scopes & frozenset(row.parent_scopes),
        monthly_credit_cap=row.monthly_credit_cap,
        organization_id=row.organization_id,
        parent_key_id=row.parent_key_id,
        mask_names=row.mask_names,
        attestation=row.attestation,
        citator=row.citator,
        branding=row.branding,
        brand_name=row.partner_brand_name,
        enforcement=Enforcement(row.policy_enabled, row.policy_version, row.policy_scope)
        if row.policy_scope
        else Enforcement(),
        own_engine_a=own_engine(row, "a"),
        own_engine_b=own_engine(row, "b"),
    )


def own_engine(row: Any, node: Literal["a", "b"]) -> OwnEngine | None:
    """Return a caller's own engine at a node from the row of its key."""
    found = row.engine_a, row.vendor_a, row.official_a
    if node == "b":
        found = row.engine_b, row.vendor_b, row.official_b
    return OwnEngine(*found) if found[0] else None


def _plain(address: str | None) -> str | None:
    """Return an address as PostgreSQL compares it: mapped IPv4 as IPv4, without a zone.

    Anything else (the peer of a Unix socket) is `None` and matches no entry of a list.
    """
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


def as_key(session: Statements, account_id: uuid.UUID, key_id: uuid.UUID, *, now: datetime | None) -> Caller:
    """Return the caller that a member acts as when working with a key of their account in the portal.

    The allow-list does not apply, since it is about the use of keys.

    Args:
        session: Statements of the account.
        account_id: The member's account.
        key_id: A key of this account.
        now: The current time; `None` accepts revoked and expired keys, so that a member can clean up after a
            revoked master.

    Raises:
        NotFound: The key.
        Denied: As in `identify`.
    """
    row = session.one(_BY_ID, {"id": key_id, "account": account_id})
    if row is None:
        raise NotFound("There is no API key with this id.")
    if now is not None:
        _refuse(row, now)
    return _caller(row)


def identify_key(
    session: Statements,
    account_id: uuid.UUID,
    key_id: uuid.UUID,
    *,
    now: datetime,
    address: str | None = None,
) -> Caller:
    """Return the caller of a key that something else than its plaintext opened, such as a token.

    Args:
        session: Statements that see the rows of the account.
        account_id: Account of the key.
        key_id: The key.
        now: The current time.
        address: IP address of the caller, checked against the account's allow-list.

    Raises:
        Denied: As in `identify`.
    """
    values = {"id": key_id, "account": account_id, "address": _plain(address)}
    row = session.one(_BY_ID_FROM, values)
    if row is None:
        raise Denied("This API key is unknown.")
    _refuse(row, now)
    return _caller(row)
