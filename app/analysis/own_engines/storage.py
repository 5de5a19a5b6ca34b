"""Keep an account's own engines, their API keys sealed (decision 081)."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app import tenancy
from app.analysis.own_engines.models import OwnEngine
from app.platform import crypto, settings
from app.platform.postgres import bulk
from app.platform.postgres.db import Statements

Node = Literal["A", "B"]
Vendor = Literal["anthropic", "openai"]
Protocol = Literal["messages", "responses", "chat"]

NODES: tuple[Node, ...] = get_args(Node)

_PURPOSE = "own_engines"
# Of a shorter key, four characters would be too much of it.
_HINTED, _HINT = 12, 4


@dataclass(frozen=True, slots=True)
class Chosen:
    """What an account chooses for a node. `repr` shows no key.

    Attributes:
        node: which node.
        engine: the vendor whose protocol is spoken.
        model: the model's name.
        base_url: where it is; `None` for the vendor's own address.
        protocol: `messages` for `anthropic`; `responses` or `chat` for `openai`.
        api_key: the key, in clear.
    """

    node: Node
    engine: Vendor
    model: str
    base_url: str | None
    protocol: Protocol
    api_key: str

    def __repr__(self) -> str:
        return f"<Chosen {self.engine} for node {self.node}>"


def engines_of(session: Session, account_id: uuid.UUID) -> Sequence[OwnEngine]:
    """Return the account's own engines, that of node A first."""
    query = sa.select(OwnEngine).where(OwnEngine.account_id == account_id).order_by(OwnEngine.node)
    return session.scalars(query).all()


def keep(session: Session, account_id: uuid.UUID, chosen: Chosen, *, tested_at: datetime) -> OwnEngine:
    """Keep an engine that was tested, in place of the one before."""
    _one_at_a_time(session, account_id)
    before = _remove(session, account_id, [chosen.node])
    who, key = tenancy.activity.current_actor(), chosen.api_key
    row = OwnEngine(
        id=uuid.uuid4(),
        account_id=account_id,
        node=chosen.node,
        engine=chosen.engine,
        model=chosen.model,
        base_url=chosen.base_url,
        protocol=chosen.protocol,
        key_hint=key[-_HINT:] if len(key) >= _HINTED else "",
        tested_at=tested_at,
        created_at=tested_at,
        set_by_kind=who.kind,
        set_by_id=who.id,
        set_by_name=who.name,
    )
    row.api_key = crypto.seal(_sealing_key(), key.encode(), context=_context(row))
    session.add(row)
    session.flush()
    tenancy.activity.record(
        session, account_id, "engine.set", _target(row), details=_details(row) | {"replaced": bool(before)}
    )
    return row


def remove(session: Session, account_id: uuid.UUID, nodes: Sequence[Node]) -> list[str]:
    """Remove the account's engines of some nodes; return the nodes that had one.

    From the next request on the operator's engines work there.
    """
    _one_at_a_time(session, account_id)
    gone = _remove(session, account_id, nodes)
    for row in gone:
        tenancy.activity.record(session, account_id, "engine.removed", _target(row), details=_details(row))
    return [row.node for row in gone]


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a closed account's own engines; return how many."""
    return bulk.erase(session, ("own_engines",), account_id)


def api_key(row: OwnEngine) -> str:
    """Return the key in clear.

    Raises:
        crypto.Unreadable: it was sealed for another row, address or `SECRET_KEY`.
    """
    return crypto.unseal(_sealing_key(), row.api_key, context=_context(row)).decode()


def _remove(session: Session, account_id: uuid.UUID, nodes: Sequence[Node]) -> list[OwnEngine]:
    gone = [row for row in engines_of(session, account_id) if row.node in nodes]
    for row in gone:
        session.delete(row)
    session.flush()
    return gone


def _one_at_a_time(session: Session, account_id: uuid.UUID) -> None:
    session.execute(
        sa.text("SELECT pg_advisory_xact_lock(hashtext('own_engines'), hashtext(:account))"),
        {"account": str(account_id)},
    )


def _context(row: OwnEngine) -> bytes:
    """Return what the key is sealed for: whoever can write rows cannot send it to an address of theirs."""
    address = hashlib.sha256(f"{row.engine}\n{row.base_url or ''}".encode()).digest()
    return row.account_id.bytes + row.id.bytes + address


def _sealing_key() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), _PURPOSE)


def _target(row: OwnEngine) -> tenancy.activity.Target:
    return tenancy.activity.Target("engine", str(row.id), f"{row.node}: {row.engine} {row.model}")


def _details(row: OwnEngine) -> dict[str, str | bool]:
    return {
        "node": row.node,
        "engine": row.engine,
        "model": row.model,
        "officialAddress": row.base_url is None,
    }
