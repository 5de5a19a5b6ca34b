"""An account's connection to its provider, and the domains that it has proved."""

from __future__ import annotations

import re
import secrets
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import tenancy
from app.platform import crypto, settings
from app.platform.errors import Conflict, Invalid, NotFound
from app.platform.postgres import db
from app.sso import protocol
from app.sso.models import SsoConnection, SsoDomain

# Who joins by a proved domain is no owner.
JOINING_ROLES: tuple[tenancy.Role, ...] = ("developer", "compliance", "admin")
DOMAINS_MAX = 20
_LABELS = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
_LABEL = "_sso"
_TXT_S = 5.0

Lookup = Callable[[str], Sequence[str]]


def connection_of(session: Session, account_id: uuid.UUID) -> SsoConnection | None:
    """Return the account's connection, if it has one."""
    return session.scalar(sa.select(SsoConnection).where(SsoConnection.account_id == account_id))


def get_connection(session: Session, connection_id: uuid.UUID) -> SsoConnection:
    """Return the connection that a visitor names, of an account that is open. Raises `NotFound`."""
    row = session.get(SsoConnection, connection_id)
    if row is None or tenancy.get_account(session, row.account_id).closed_at is not None:
        raise NotFound("There is no single sign-on at this address.")
    return row


def connection_of_domain(session: Session, email: str) -> SsoConnection | None:
    """Return the connection of the account that has proved the domain of an address."""
    domain = email.strip().lower().rpartition("@")[2]
    return session.scalar(
        sa.select(SsoConnection)
        .join(SsoDomain, SsoDomain.account_id == SsoConnection.account_id)
        .join(tenancy.Account, tenancy.Account.id == SsoConnection.account_id)
        .where(
            SsoDomain.domain == domain,
            SsoDomain.verified_at.is_not(None),
            tenancy.Account.closed_at.is_(None),
        )
    )


def save_connection(
    session: db.Session,
    account_id: uuid.UUID,
    *,
    issuer: str,
    client_id: str,
    client_secret: str | None,
    role: tenancy.Role,
    now: datetime,
) -> SsoConnection:
    """Save an account's connection, after `protocol.check_issuer`.

    With the same issuer and client it stays, and an empty secret leaves the old one. Otherwise it is another
    one: nobody has signed in through it, and it is required of nobody.
    """
    if role not in JOINING_ROLES:
        raise Invalid("role: must be developer, compliance or admin.", details={"field": "role"})
    account = tenancy.lock_account(session, account_id)
    row = connection_of(session, account_id)
    if row is not None and (row.issuer, row.client_id) != (issuer, client_id):
        session.delete(row)
        session.flush()
        account.required_connection = row = None
    if row is None:
        row = SsoConnection(
            id=uuid.uuid4(),
            account_id=account_id,
            issuer=issuer,
            client_id=client_id,
            role=role,
            created_at=now,
        )
        session.add(row)
    row.role = role
    if client_secret:
        row.client_secret = crypto.seal(_key(), client_secret.encode(), context=row.id.bytes)
    session.flush()
    tenancy.activity.record(session, account_id, "sso.set", _target(row), details={"role": role})
    return row


def remove_connection(session: db.Session, account_id: uuid.UUID) -> None:
    """Remove an account's connection; members sign in with their passwords again. Raises `NotFound`."""
    account, row = tenancy.lock_account(session, account_id), connection_of(session, account_id)
    if row is None:
        raise NotFound("The account has no single sign-on.")
    account.required_connection = None
    session.delete(row)
    session.flush()
    tenancy.activity.record(session, account_id, "sso.removed", _target(row))


def require(session: db.Session, account_id: uuid.UUID, *, required: bool) -> None:
    """Set whether members but owners must sign in through the connection, from their next request on.

    Raises:
        NotFound: There is no connection.
        Conflict: 409 `SSO_UNTESTED`, nobody has signed in through it yet.
    """
    account, row = tenancy.lock_account(session, account_id), connection_of(session, account_id)
    if row is None:
        raise NotFound("The account has no single sign-on.")
    if required and row.tested_at is None:
        raise Conflict("Sign in through it once before it is required.", code="SSO_UNTESTED")
    account.required_connection = row.id if required else None
    session.flush()
    tenancy.activity.record(session, account_id, "sso.required", _target(row), details={"required": required})


def note_tested(session: Session, row: SsoConnection, *, now: datetime) -> None:
    """Record that a member has signed in through a connection."""
    if row.tested_at is None:
        row.tested_at = now
        session.flush()


def client_of(row: SsoConnection, redirect_uri: str) -> protocol.Client:
    """Return the client of a connection, with its secret. Raises `ProviderFailed` where it cannot be read."""
    try:
        secret = (
            crypto.unseal(_key(), row.client_secret, context=row.id.bytes).decode()
            if row.client_secret is not None
            else None
        )
    except crypto.Unreadable:
        raise protocol.ProviderFailed("secret") from None
    return protocol.Client(row.issuer, row.client_id, secret, redirect_uri)


def domains_of(session: Session, account_id: uuid.UUID) -> Sequence[SsoDomain]:
    """Return the domains that an account claims, by name."""
    return session.scalars(
        sa.select(SsoDomain).where(SsoDomain.account_id == account_id).order_by(SsoDomain.domain)
    ).all()


def add_domain(session: db.Session, account_id: uuid.UUID, domain: str, *, now: datetime) -> SsoDomain:
    """Claim a domain, which is to be proved. Raises `Invalid`; `Conflict` where it is claimed already."""
    name = _checked(domain)
    tenancy.lock_account(session, account_id)
    claimed = domains_of(session, account_id)
    if any(one.domain == name for one in claimed):
        raise Conflict("This domain is on the list already.", code="DOMAIN_TAKEN")
    if len(claimed) >= DOMAINS_MAX:
        raise Invalid(f"An account can have {DOMAINS_MAX} domains. Remove one first.", status=422)
    row = SsoDomain(account_id=account_id, domain=name, token=secrets.token_hex(16), created_at=now)
    session.add(row)
    session.flush()
    return row


def txt_record(row: SsoDomain) -> tuple[str, str]:
    """Return name and text of the TXT record that proves a domain."""
    return f"{_LABEL}.{row.domain}", f"{settings.current().wire_name.lower()}-domain={row.token}"


def check_domain(
    session: db.Session, account_id: uuid.UUID, domain: str, *, now: datetime, lookup: Lookup | None = None
) -> bool:
    """Look whether the record that proves a domain is there; return whether it is proved now.

    Raises:
        NotFound: The account does not claim it.
        Conflict: 409 `DOMAIN_TAKEN`, another account has proved it. This account's record is there, so it
            learns no more than that.
    """
    row = _domain(session, account_id, domain)
    name, text = txt_record(row)
    if text not in (lookup or look_up_txt)(name):
        return False
    try:
        with session.begin_nested():
            row.verified_at = now
            session.flush()
    except sa.exc.IntegrityError:
        raise Conflict("Another account has proved this domain.", code="DOMAIN_TAKEN") from None
    target = tenancy.activity.Target("domain", row.domain, row.domain)
    tenancy.activity.record(session, account_id, "sso.domain_proved", target)
    return True


def remove_domain(session: db.Session, account_id: uuid.UUID, domain: str) -> None:
    """Give a domain up: nobody joins by it any more. Members stay. Raises `NotFound`."""
    row = _domain(session, account_id, domain)
    session.delete(row)
    session.flush()
    target = tenancy.activity.Target("domain", row.domain, row.domain)
    tenancy.activity.record(session, account_id, "sso.domain_removed", target)


def look_up_txt(name: str) -> list[str]:
    """Return the TXT records of a name; none where it has none or nobody answers."""
    import dns.exception
    import dns.resolver

    try:
        found = dns.resolver.resolve(name, "TXT", lifetime=_TXT_S, search=False)
    except (dns.exception.DNSException, OSError):
        return []
    return [b"".join(record.strings).decode("utf-8", "replace") for record in found]


def is_proved(session: Session, account_id: uuid.UUID, email: str) -> bool:
    """Return whether the account has proved the domain of an address; a domain below it is another one."""
    domain = email.rpartition("@")[2]
    return any(one.domain == domain and one.verified_at for one in domains_of(session, account_id))


def _domain(session: Session, account_id: uuid.UUID, domain: str) -> SsoDomain:
    query = sa.select(SsoDomain).where(SsoDomain.account_id == account_id, SsoDomain.domain == domain.lower())
    row = session.scalar(query)
    if row is None:
        raise NotFound("There is no such domain on the list.")
    return row


def _checked(domain: str) -> str:
    name = domain.strip().lower().rstrip(".")
    try:
        name = name.encode("idna").decode() if not name.isascii() else name
    except UnicodeError:
        name = ""
    if len(name) > 253 or not _LABELS.fullmatch(name):
        raise Invalid("domain: must be a domain such as firm.example.", details={"field": "domain"})
    return name


def _key() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), "sso")


def _target(row: SsoConnection) -> tenancy.activity.Target:
    return tenancy.activity.Target("sso", str(row.id), row.issuer)
