"""Everything kept of an account, for who asks for it (GDPR, articles 15 and 20)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from app.platform import clock, db

FORMAT = "candado-dsr-export/1"

# Sections of the bundle, in its order, and the tables they come from.
SECTIONS: Mapping[str, str] = {
    "account": "accounts",
    "members": "members",
    "api_keys": "api_keys",
    "organizations": "organizations",
    "ip_allowlist": "ip_allowlist",
    "branding": "branding_configs",
    "logos": "branding_logos",
    "invitations": "one_time_links",
    "credit_balance": "credit_balances",
    "credit_ledger": "credit_ledger",
    "webhooks": "webhook_endpoints",
    "webhook_deliveries": "webhook_deliveries",
    "events": "events",
    "jobs": "jobs",
    "audit_records": "audit_records",
    "audit_documents": "audit_documents",
    "redactions": "redaction_events",
    "calls": "usage_calls",
    "usage_by_day": "usage_days",
}
# Tables of accounts that tell nothing about anybody beyond what is in a section.
LEFT_OUT: Mapping[str, str] = {
    "audit_heads": "the end of the chain whose records are all in audit_records",
    "credit_holds": "credits reserved for requests that run at this moment",
    "outgoing_mails": "letters that leave within seconds, sealed",
    "usage_months": "the sums by month of what is in usage_days",
    "idempotency_records": "fingerprints of requests of the last 24 hours; no content",
}
# A hash of a password and secrets, sealed or not, are nobody's information and somebody's risk.
_HIDDEN = frozenset({"password_hash", "recovery_hashes", "totp_last_step"})
_BATCH = 1_000
_ABOUT = {
    "what": "Everything this service keeps of the account, its members and keys, as of generated_at.",
    "not_kept": "Documents and analyses are not kept and therefore not here; audit_records holds metadata.",
    "left_out": "Password hashes, hashes of keys, signing secrets, our copy of a logo (its URL is there).",
    "law": "Regulation (EU) 2016/679, articles 15 and 20.",
}


def bundle(account_id: uuid.UUID) -> Iterator[bytes]:
    """JSON, UTF-8, in pieces: an object with `format`, `generated_at`, `about` and one list per section.

    One snapshot, in constant memory; rows in the order of their keys. Raises what the database raises.
    """
    with db.reading() as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        head = {"format": FORMAT, "generated_at": clock.iso(clock.now()), "about": _ABOUT}
        yield json.dumps(head, ensure_ascii=False)[:-1].encode()
        for section, name in SECTIONS.items():
            yield f', "{section}": ['.encode()
            between = b""
            for rows in _rows(session, db.Base.metadata.tables[name], account_id):
                yield between + ", ".join(rows).encode()
                between = b", "
            yield b"]"
        yield b"}\n"


def shown(table: sa.Table) -> list[sa.Column[Any]]:
    """The columns that the bundle shows: neither bytes, which are hashes and sealed secrets, nor hidden."""
    return [
        column
        for column in table.columns
        if not isinstance(column.type, sa.LargeBinary) and column.name not in _HIDDEN
    ]


def _rows(session: db.Session, table: sa.Table, account_id: uuid.UUID) -> Iterator[list[str]]:
    owner = table.c.id if table.name == "accounts" else table.c.account_id
    query = sa.select(*shown(table)).where(owner == account_id).order_by(*table.primary_key.columns)
    found = session.execute(query.execution_options(yield_per=_BATCH)).mappings()
    for rows in found.partitions(_BATCH):
        yield [json.dumps(dict(row), default=_plain, ensure_ascii=False) for row in rows]


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return clock.iso(value)
    if isinstance(value, date | uuid.UUID):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
