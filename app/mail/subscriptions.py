"""Which mails about an account a member gets, and the links that end one kind of them.

A mail that a member asked for (a password, an invitation) is none of these: it is always sent.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import Session

from app import tenancy
from app.mail import outbox
from app.mail.models import NotificationSetting
from app.platform import crypto, settings
from app.platform.errors import NotFound
from app.platform.postgres import bulk, db
from app.tenancy import Member, Role

# In the order in which the settings list them; a link in a mail that was sent names a kind by its place.
Kind = Literal["cap", "balance", "webhook_off", "key_expiring", "export_ready"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_MANAGERS: frozenset[Role] = frozenset(("owner", "admin"))
_OF_KEYS: frozenset[Role] = _MANAGERS | {"developer"}
# The roles that get a kind of mail unless a member chose otherwise.
DEFAULTS: Mapping[Kind, frozenset[Role]] = {
    "cap": _OF_KEYS,
    "balance": _MANAGERS,
    "webhook_off": _OF_KEYS,
    "key_expiring": _OF_KEYS,
    "export_ready": _MANAGERS | {"compliance"},
}
# The roles to which the pages are open that a kind of mail is about.
OPEN_TO: Mapping[Kind, frozenset[Role]] = {
    **dict.fromkeys(KINDS, _OF_KEYS),
    "export_ready": _OF_KEYS | {"compliance"},
}
_TAG_BYTES = 16

_RECIPIENTS = """
    SELECT coalesce(json_agg(json_build_object('id', m.id, 'email', m.email, 'language', m.language)
                             ORDER BY m.email), '[]'::json) AS members
    FROM members m
    LEFT JOIN notification_settings s ON s.member_id = m.id AND s.kind = %(kind)s
    WHERE m.account_id = %(account)s AND m.role = ANY(%(open_to)s)
        AND coalesce(s.wanted, m.role = ANY(%(roles)s))
    """


@dataclass(frozen=True, slots=True)
class Choice:
    """One kind of mail in a member's settings."""

    kind: Kind
    wanted: bool
    is_default: bool


def notify(
    session: db.Session, account_id: uuid.UUID, kind: Kind, facts: Mapping[str, Any], *, now: datetime
) -> None:
    """Request a mail about an account for each member who wants its kind, in the caller's transaction.

    `facts` are what the composer writes of it, values of JSON. Does nothing where no mail can be sent.
    """
    if not outbox.can_send():
        return
    asked = {
        "account": account_id,
        "kind": kind,
        "roles": sorted(DEFAULTS[kind]),
        "open_to": sorted(OPEN_TO[kind]),
    }
    wishes = [
        {
            "wanted": "notice",
            "kind": kind,
            "account": str(account_id),
            "member": one["id"],
            "email": one["email"],
            "language": one["language"],
            "facts": json.dumps(dict(facts)),
        }
        for one in session.one(_RECIPIENTS, asked).members
    ]
    outbox.ask_all(session, wishes, account_id=account_id, now=now)


def choices(session: Session, account_id: uuid.UUID, member_id: uuid.UUID) -> Sequence[Choice]:
    """Return the kinds of mail that a member's role may get, with the member's choice. Raises `NotFound`."""
    member = _member(session, account_id, member_id)
    query = sa.select(NotificationSetting.kind, NotificationSetting.wanted).where(
        NotificationSetting.account_id == account_id, NotificationSetting.member_id == member_id
    )
    chosen: dict[str, bool] = {row.kind: row.wanted for row in session.execute(query)}
    return [
        Choice(kind, chosen.get(kind, member.role in DEFAULTS[kind]), kind not in chosen)
        for kind in KINDS
        if member.role in OPEN_TO[kind]
    ]


def is_wanted(session: Session, account_id: uuid.UUID, member_id: uuid.UUID, kind: Kind) -> bool:
    """Return whether the member is one of the account still, and wants this kind of mail."""
    try:
        return any(one.kind == kind and one.wanted for one in choices(session, account_id, member_id))
    except NotFound:
        return False


def choose(
    session: db.Session, account_id: uuid.UUID, member_id: uuid.UUID, wanted: Mapping[Kind, bool]
) -> None:
    """Store a member's choice for these kinds; what stays as it is by default is not stored.

    Raises:
        NotFound: The account has no such member.
    """
    member = _member(session, account_id, member_id)
    before = {one.kind: one for one in choices(session, account_id, member_id)}
    changed = {kind: to for kind, to in wanted.items() if kind in before and before[kind].wanted != to}
    for kind, to in changed.items():
        row = {"member_id": member_id, "account_id": account_id, "kind": kind, "wanted": to}
        session.execute(
            postgresql.insert(NotificationSetting)
            .values(row)
            .on_conflict_do_update(index_elements=["member_id", "kind"], set_={"wanted": to})
        )
    if changed:
        session.flush()
        details = {str(kind): to for kind, to in changed.items()}
        target = tenancy.activity.of_member(member)
        tenancy.activity.record(session, account_id, "member.mails_changed", target, details=details)


def unsubscribe_token(member_id: uuid.UUID, kind: Kind) -> str:
    """Return what ends one kind of mail for one member, without a sign-in; it can do nothing else."""
    body = member_id.bytes + bytes([KINDS.index(kind)])
    return base64.urlsafe_b64encode(body + _tag(body)).decode()


def read_unsubscribe_token(token: str) -> tuple[uuid.UUID, Kind]:
    """Return the member and the kind of mail of a token. Raises `NotFound` where we did not make it."""
    try:
        raw = base64.b64decode(token.encode(), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    body, tag = raw[:17], raw[17:]
    if len(body) != 17 or not hmac.compare_digest(tag, _tag(body)) or body[16] >= len(KINDS):
        raise NotFound("This link is not complete. Open it again from the e-mail.", code="LINK_SPENT")
    return uuid.UUID(bytes=body[:16]), KINDS[body[16]]


def _tag(body: bytes) -> bytes:
    key = crypto.service_key(settings.current().secret_key.get_secret_value(), "unsubscribe")
    return hmac.new(key, body, hashlib.sha256).digest()[:_TAG_BYTES]


def _member(session: Session, account_id: uuid.UUID, member_id: uuid.UUID) -> Member:
    row = session.scalar(sa.select(Member).where(Member.id == member_id, Member.account_id == account_id))
    if row is None:
        raise NotFound("There is no member with this id.")
    return row


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of unsent mails and choices of a closed account; return how many rows."""
    return bulk.erase(session, ("outgoing_mails", "notification_settings"), account_id)
