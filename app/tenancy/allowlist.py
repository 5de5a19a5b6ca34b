"""IP allow-list: the networks from which an account's keys may be used (decision 041)."""

from __future__ import annotations

import ipaddress
import uuid
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Conflict, Invalid, NotFound
from app.tenancy import activity
from app.tenancy.models import Account, AllowedAddress

ENTRIES_MAX = 200

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def allowed_addresses(session: Session, account_id: uuid.UUID) -> Sequence[AllowedAddress]:
    """Return the account's list, oldest first; with an empty list every address is allowed."""
    return session.scalars(
        sa.select(AllowedAddress)
        .where(AllowedAddress.account_id == account_id)
        .order_by(AllowedAddress.created_at, AllowedAddress.id)
    ).all()


def allow_address(
    session: Session, account_id: uuid.UUID, *, cidr: str, label: str | None, now: datetime
) -> AllowedAddress:
    """Add a network; it takes effect on the next request.

    Raises:
        Invalid: 400 where `cidr` is no network; 422 with more than `ENTRIES_MAX` entries.
        Conflict: 409 `ALREADY_LISTED`.
    """
    try:
        network = ipaddress.ip_network(cidr.strip())
    except ValueError:
        raise Invalid(
            "cidr: must be a network such as 203.0.113.0/24 or 2001:db8::/48, "
            "with no bits set after the prefix.",
            details={"field": "cidr", "expected": "CIDR"},
        ) from None
    session.execute(sa.select(Account.id).where(Account.id == account_id).with_for_update())
    present = allowed_addresses(session, account_id)
    if any(entry.cidr == str(network) for entry in present):
        raise Conflict("This network is already on the allow-list.", code="ALREADY_LISTED")
    if len(present) >= ENTRIES_MAX:
        raise Invalid(
            f"An account can have at most {ENTRIES_MAX} networks on its allow-list. Delete one first.",
            status=422,
            details={"max": ENTRIES_MAX},
        )
    made = AllowedAddress(account_id=account_id, cidr=str(network), label=label, created_at=now)
    session.add(made)
    session.flush()
    activity.record(
        session, account_id, "network.allowed", activity.Target("network", str(made.id), made.cidr)
    )
    return made


def disallow_address(session: Session, account_id: uuid.UUID, entry_id: uuid.UUID) -> None:
    """Remove a network from the list. Raises `NotFound`."""
    found = session.scalar(
        sa.select(AllowedAddress).where(
            AllowedAddress.id == entry_id, AllowedAddress.account_id == account_id
        )
    )
    if found is None:
        raise NotFound("There is no allow-list entry with this id.", details={"field": "id"})
    session.delete(found)
    session.flush()
    activity.record(
        session, account_id, "network.removed", activity.Target("network", str(found.id), found.cidr)
    )


def is_network(cidr: str) -> bool:
    """Return whether `cidr` is a network as `allow_address` takes it."""
    try:
        ipaddress.ip_network(cidr.strip())
    except ValueError:
        return False
    return True


def left_out(cidr: str, networks: Sequence[str]) -> list[str]:
    """Return those of `networks` that are not wholly within `cidr`; all of them where that is no network.

    A network that overlaps is among them: whoever was seen there may have had an address beyond `cidr`.
    """
    try:
        allowed = ipaddress.ip_network(cidr.strip())
    except ValueError:
        return list(networks)
    return [one for one in networks if not _within(ipaddress.ip_network(one), allowed)]


def _within(inner: _Network, outer: _Network) -> bool:
    # `subnet_of` compares only networks of the same version.
    same = inner.version == outer.version
    return same and inner.network_address in outer and inner.broadcast_address in outer


def covers(entries: Sequence[AllowedAddress], address: str | None) -> bool:
    """Return whether the list allows `address`; an empty list allows every address."""
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return not entries
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return not entries or any((mapped or found) in ipaddress.ip_network(entry.cidr) for entry in entries)
