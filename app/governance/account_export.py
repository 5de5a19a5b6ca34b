"""Export of all data stored about an account (GDPR, articles 15 and 20)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from app import usage
from app.platform import clock
from app.platform.postgres import db

FORMAT = "dsr-export/1"

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
    "assistants": "oauth_grants",
    "credit_balance": "credit_balances",
    "credit_ledger": "credit_ledger",
    "purchases": "purchases",
    "notification_settings": "notification_settings",
    "sign_on_providers": "sso_connections",
    "sign_on_domains": "sso_domains",
    "sign_on_identities": "sso_identities",
    "webhooks": "webhook_endpoints",
    "watches": "watches",
    "webhook_deliveries": "webhook_deliveries",
    "events": "events",
    "jobs": "jobs",
    "documents": "documents",
    "result_links": "result_links",
    "comparisons": "comparisons",
    "audit_records": "audit_records",
    "log_positions": "log_positions",
    "enforcement_policies": "enforcement_policies",
    "own_engines": "own_engines",
    "activity": "activities",
    "audit_documents": "audit_documents",
    "redactions": "redaction_events",
    "calls": "usage_calls",
    "usage_by_day": "usage_days",
    "tokens_by_day": "usage_tokens",
}
# Tables of accounts that tell nothing about anybody beyond what is in a section.
LEFT_OUT: Mapping[str, str] = {
    "alerts": "that spent shares and expiring keys were told once; what was told is in events",
    "audit_heads": "the head of the chain; its records are all in audit_records",
    "chain_checks": "progress and result of the last verification of audit_records",
    "credit_holds": "credits reserved for requests in progress",
    "outgoing_mails": "e-mails about to be sent, encrypted",
    "usage_months": "monthly totals of what is in usage_days",
    "event_horizons": "the position up to which events were deleted because of their age",
    "oauth_tokens": "hashes of the tokens of connected assistants; what was granted is in assistants",
    "idempotency_records": "fingerprints of requests of the last 24 hours; no content",
}
# A hash of a password and secrets, sealed or not, are nobody's information and somebody's risk.
_HIDDEN = frozenset({"password_hash", "recovery_hashes", "totp_last_step", "code_challenge", "token"})
_BATCH = 1_000
_ABOUT = {
    "what": "Everything this service stores about the account, its members and keys, as of generated_at.",
    "not_kept": "Documents and analyses are not stored and therefore not included; audit_records has "
    "their metadata.",
    "left_out": "Password hashes, key hashes, signing secrets, API keys of own engines and the stored copy "
    "of a logo (its URL is included).",
    "law": "Regulation (EU) 2016/679, articles 15 and 20.",
}


# The lists that clients of this interface read (decision 037), told again under their names: of a table, its
# columns under the names on the wire. `+` takes a value of the hashed content of an audit record.
LISTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "outputs": (
        "audit_records",
        {
            "request_id": "request_id", "analysis_id": "id", "created_at": "at", "api_key_id": "api_key_id",
            "jurisdiction": "+jurisdiction", "legal_branch": "+legalBranch", "language": "+language",
            "mode": "+mode", "models": "+models", "credits_charged": "+credits",
            "document_characters": "+documentCharacters", "document_sha256": "+documentHash",
            "analysis_sha256": "+analysisHash",
        },
    ),
    "credits_ledger": (
        "credit_ledger",
        {
            "id": "id", "created_at": "created_at", "amount": "amount", "kind": "kind",
            "reference_type": "reference_type", "reference_id": "reference_id", "api_key_id": "api_key_id",
            "description": "description", "operation_type": "operation_type",
            "balance_after": "balance_after",
        },
    ),
    "api_keys_metadata": (
        "api_keys",
        {
            "id": "id", "name": "name", "key_prefix": "key_prefix", "role": "role", "tier": "tier",
            "scopes": "scopes", "child_label": "child_label", "organization_id": "organization_id",
            "parent_key_id": "parent_key_id", "created_at": "created_at", "last_used_at": "last_used_at",
            "expires_at": "expires_at", "revoked_at": "revoked_at",
        },
    ),
}  # fmt: skip
SCHEMA_VERSION = "1"
_WARNINGS = (
    "Documents and analyses are not stored: outputs has the metadata and hashes of each, not its text.",
    "Password hashes, keys and their hashes, two-factor secrets, signing secrets and the API keys of own "
    "engines are not included.",
    "Single calls are stored for a limited time and daily totals for longer, so calls begins later than "
    "usage_by_day.",
)
_MEMBER_LEFT_OUT = (
    "Documents and analyses are not stored and therefore not included.",
    "The password hash, recovery codes and two-factor secret are not included.",
    "The addresses of other members and of the invited are not included: where an act was about one of them, "
    "target_name is null.",
    "Acts of other members are not included, also where they were about this member; nor are calls and other "
    "data of the account, which its owners export.",
)


def bundle(account_id: uuid.UUID, *, initiated_by: str) -> Iterator[bytes]:
    """Yield the export as JSON in UTF-8: `__meta`, `profile`, `auth`, one list per section, and their counts.

    It is one snapshot of the database, in constant memory, with rows in the order of their keys.

    Args:
        account_id: The account.
        initiated_by: The requester, `api_key:<id>` or `member:<id>`.
    """
    with db.reading() as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        now = clock.iso(clock.now())
        profile, auth = _who(session, account_id)
        head = {
            "__meta": {
                "generated_at": now,
                "schema_version": SCHEMA_VERSION,
                "legal_basis": _ABOUT["law"],
                "data_subject_id": str(account_id),
                "initiated_by": initiated_by,
                "note": _ABOUT["what"],
            },
            "profile": profile,
            "auth": auth,
            "format": FORMAT,
            "generated_at": now,
            "about": _ABOUT,
        }
        yield json.dumps(head, ensure_ascii=False, default=_plain)[:-1].encode()
        counts: dict[str, int] = {}
        for section, name in SECTIONS.items():
            yield from _list(section, _rows(session, db.Base.metadata.tables[name], account_id), counts)
        for section, (name, columns) in LISTS.items():
            rows = _renamed(session, db.Base.metadata.tables[name], account_id, columns)
            yield from _list(section, rows, counts)
        tail = {"__counts": counts, "__warnings": [*_WARNINGS, *_set_aside(session)]}
        yield b", " + json.dumps(tail, ensure_ascii=False)[1:].encode() + b"\n"


def _set_aside(session: db.Session) -> Iterator[str]:
    """Yield a warning for each month of calls that is detached: its rows are stored and not in `calls`."""
    for one in usage.months(session):
        if not one.attached:
            yield (
                f"The single calls of {one.month:%Y-%m} are set aside and not in calls; usage_by_day counts "
                "them. Ask for them, or for this export again, if you need them."
            )


def member_bundle(
    account_id: uuid.UUID, member_id: uuid.UUID, *, sessions: Sequence[Mapping[str, Any]]
) -> Iterator[bytes]:
    """Yield what is stored about one member as JSON in UTF-8: row, acts, keys, reviews and sessions.

    It is one snapshot of the database, in constant memory.

    Args:
        account_id: The account.
        member_id: The member, of this account.
        sessions: Where the member is signed in, as the caller knows it.
    """
    tables = db.Base.metadata.tables
    members, keys, acts, trail = (
        tables[name] for name in ("members", "api_keys", "activities", "audit_records")
    )
    # An address is information about its owner, who is not the one that asks (GDPR, article 15(4)).
    is_of_another = sa.and_(
        acts.c.target_kind.in_(("member", "invitation")),
        acts.c.target_id.is_distinct_from(str(member_id)),
    )
    hidden = {
        acts.c.target_name: sa.case((is_of_another, None), else_=acts.c.target_name).label("target_name")
    }
    sections: Mapping[str, tuple[sa.Table, sa.ColumnElement[bool], Any]] = {
        "activity": (acts, acts.c.actor_id == member_id, acts.c.seq),
        "api_keys_created": (keys, keys.c.created_by == member_id, keys.c.created_at),
        "reviews": (trail, sa.and_(trail.c.kind == "review", trail.c.member_id == member_id), trail.c.seq),
    }
    with db.reading() as session:
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        mine = sa.select(*shown(members)).where(members.c.account_id == account_id, members.c.id == member_id)
        head = {
            "__meta": {
                "generated_at": clock.iso(clock.now()),
                "schema_version": SCHEMA_VERSION,
                "legal_basis": _ABOUT["law"],
                "data_subject_id": str(member_id),
                "left_out": list(_MEMBER_LEFT_OUT),
            },
            "member": dict(session.execute(mine).mappings().one()),
            "sessions": list(sessions),
        }
        yield json.dumps(head, ensure_ascii=False, default=_plain)[:-1].encode()
        counts: dict[str, int] = {}
        for section, (table, of_member, order) in sections.items():
            columns = [hidden.get(column, column) for column in shown(table)]
            query = sa.select(*columns).where(table.c.account_id == account_id, of_member).order_by(order)
            yield from _list(section, _as_json(session, query), counts)
        yield b", " + json.dumps({"__counts": counts}, ensure_ascii=False)[1:].encode() + b"\n"


def _as_json(session: db.Session, query: sa.Select[Any]) -> Iterator[list[str]]:
    found = session.execute(query.execution_options(yield_per=_BATCH)).mappings()
    for rows in found.partitions(_BATCH):
        yield [json.dumps(dict(row), default=_plain, ensure_ascii=False) for row in rows]


def _list(section: str, batches: Iterator[list[str]], counts: dict[str, int]) -> Iterator[bytes]:
    """Yield one JSON list in pieces and store its length in `counts`."""
    counts[section] = 0
    yield f', "{section}": ['.encode()
    between = b""
    for rows in batches:
        yield between + ", ".join(rows).encode()
        between = b", "
        counts[section] += len(rows)
    yield b"]"


def _who(session: db.Session, account_id: uuid.UUID) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the account's profile and the sign-in state of its members, without secrets and hashes."""
    accounts, members = db.Base.metadata.tables["accounts"], db.Base.metadata.tables["members"]
    account = session.execute(sa.select(*shown(accounts)).where(accounts.c.id == account_id)).mappings().one()
    people = session.execute(
        sa.select(
            members.c.id,
            members.c.email,
            members.c.role,
            members.c.created_at,
            members.c.last_sign_in_at,
            members.c.totp_secret.is_not(None).label("second_factor"),
        )
        .where(members.c.account_id == account_id)
        .order_by(members.c.created_at, members.c.id)
    )
    owner = [dict(row) for row in people.mappings()]
    emails = [one["email"] for one in owner if one["role"] == "owner"]
    return {**account, "emails": emails}, {"members": owner}


def shown(table: sa.Table) -> list[sa.Column[Any]]:
    """Return the exported columns of a table.

    Columns of bytes are left out, which are hashes and encrypted secrets, and so are hidden ones.
    """
    return [
        column
        for column in table.columns
        if not isinstance(column.type, sa.LargeBinary) and column.name not in _HIDDEN
    ]


def _rows(session: db.Session, table: sa.Table, account_id: uuid.UUID) -> Iterator[list[str]]:
    owner = table.c.id if table.name == "accounts" else table.c.account_id
    # Records of the trail in the order of their chain, so that a reader can follow it.
    order = (table.c.seq,) if table.name == "audit_records" else tuple(table.primary_key.columns)
    query = sa.select(*shown(table)).where(owner == account_id).order_by(*order)
    yield from _as_json(session, query)


def _renamed(
    session: db.Session, table: sa.Table, account_id: uuid.UUID, columns: Mapping[str, str]
) -> Iterator[list[str]]:
    taken = [
        (table.c.content[source[1:]] if source.startswith("+") else table.c[source]).label(name)
        for name, source in columns.items()
    ]
    order = table.c.seq if "seq" in table.c else table.c.created_at
    query = sa.select(*taken).where(table.c.account_id == account_id).order_by(order)
    if "kind" in table.c and table.name == "audit_records":
        # Reviews are in the section; this list has the analyses.
        query = query.where(table.c.kind == "analysis")
    yield from _as_json(session, query)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return clock.iso(value)
    if isinstance(value, date | uuid.UUID):
        return str(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
