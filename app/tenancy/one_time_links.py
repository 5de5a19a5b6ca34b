"""One-time links in mails: invitations, password resets, sign-ups, unlocking of the second factor."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.platform.errors import Conflict, Invalid, NotFound
from app.tenancy import activity, second_factor
from app.tenancy.accounts import create_account, get_account
from app.tenancy.members import (
    ROLES,
    Role,
    add_member,
    choose_password,
    find_member,
    get_member,
    normalize_email,
)
from app.tenancy.models import Account, Member, OneTimeLink

LASTS = {
    "invitation": timedelta(days=7),
    "reset": timedelta(hours=1),
    "sign_up": timedelta(hours=24),
    "second_factor": timedelta(hours=24),
}
INVITATIONS_MAX = 100
# Links of one kind to one reader that open at the same time: a further letter, which anybody can ask for,
# must not spoil the one that is being read.
OPEN_MAX = 5


def invite(
    session: Session, account_id: uuid.UUID, *, email: str, role: Role, now: datetime
) -> tuple[OneTimeLink, str]:
    """Create an invitation and its token; it replaces an earlier one for the same address.

    Whether the address belongs to a member of another account is not checked here, so that the inviting
    account does not learn it; the reader of the mail does.

    Raises:
        Invalid: The address or the role is wrong; 422 with 100 open invitations.
        Conflict: 409 `EMAIL_TAKEN`, a member of this account.
    """
    address = normalize_email(email)
    if role not in ROLES:
        raise Invalid(f"role: must be one of {', '.join(ROLES)}.", details={"field": "role"})
    session.execute(sa.select(Account.id).where(Account.id == account_id).with_for_update())
    member = find_member(session, address)
    if member is not None and member.account_id == account_id:
        raise Conflict(
            "This e-mail address already belongs to a member.", code="EMAIL_TAKEN", details={"field": "email"}
        )
    waiting = invitations(session, account_id, now=now)
    for link in waiting:
        if link.email == address:
            session.delete(link)
    if len(waiting) >= INVITATIONS_MAX:
        raise Invalid(
            f"An account can have at most {INVITATIONS_MAX} open invitations. Withdraw one first.",
            status=422,
            details={"max": INVITATIONS_MAX},
        )
    made = _made(session, "invitation", address, now=now, account_id=account_id, role=role)
    target = activity.Target("invitation", str(made[0].id), address)
    activity.record(session, account_id, "member.invited", target, details={"role": role})
    return made


def invitations(session: Session, account_id: uuid.UUID, *, now: datetime) -> Sequence[OneTimeLink]:
    """Return the account's open invitations, newest first."""
    return session.scalars(
        sa.select(OneTimeLink)
        .where(
            OneTimeLink.account_id == account_id,
            OneTimeLink.kind == "invitation",
            OneTimeLink.expires_at > now,
        )
        .order_by(OneTimeLink.created_at.desc(), OneTimeLink.id)
    ).all()


def withdraw(session: Session, account_id: uuid.UUID, link_id: uuid.UUID) -> None:
    """Delete an invitation. Raises `NotFound`."""
    link = session.scalar(
        sa.select(OneTimeLink).where(OneTimeLink.id == link_id, OneTimeLink.account_id == account_id)
    )
    if link is None or link.kind != "invitation":
        raise NotFound("There is no invitation with this id.")
    session.delete(link)
    session.flush()
    target = activity.Target("invitation", str(link.id), link.email)
    activity.record(session, account_id, "member.invitation_withdrawn", target)


def begin_reset(session: Session, email: str, *, now: datetime) -> tuple[OneTimeLink, str] | None:
    """Create a password reset link; `None` where no member has the address."""
    member = find_member(session, email)
    if member is None:
        return None
    return _of_member(session, "reset", member, now=now)


def begin_allowing_codes(session: Session, email: str, *, now: datetime) -> tuple[OneTimeLink, str] | None:
    """Create a link that unlocks the second factor; `None` where the member's codes are not blocked."""
    member = find_member(session, email)
    if member is None or not second_factor.stopped(member):
        return None
    return _of_member(session, "second_factor", member, now=now)


def begin_sign_up(session: Session, email: str, *, now: datetime) -> tuple[OneTimeLink, str] | None:
    """Create a link to open an account; `None` where a member has the address already. Raises `Invalid`."""
    address = normalize_email(email)
    if find_member(session, address) is not None:
        return None
    _make_room(session, OneTimeLink.email == address, OneTimeLink.kind == "sign_up")
    return _made(session, "sign_up", address, now=now)


def opened(session: Session, token: str, kinds: Collection[str], *, now: datetime) -> OneTimeLink:
    """Return the link of a token, locked.

    Raises:
        NotFound: `LINK_SPENT`: it is unknown, used, too old or of another kind.
    """
    link = session.scalar(
        sa.select(OneTimeLink).where(OneTimeLink.token_hash == _hash(token)).with_for_update()
    )
    if link is None or link.kind not in kinds or link.expires_at <= now:
        raise NotFound("This link has expired or was already used. Request a new one.", code="LINK_SPENT")
    return link


def expired(session: Session, token: str, kinds: Collection[str], *, now: datetime) -> OneTimeLink | None:
    """Return the link of a token that has expired unused, where it is of these kinds and still known."""
    return session.scalar(
        sa.select(OneTimeLink).where(
            OneTimeLink.token_hash == _hash(token),
            OneTimeLink.kind.in_(kinds),
            OneTimeLink.expires_at <= now,
        )
    )


def join(session: Session, link: OneTimeLink, *, password: str) -> Member:
    """Accept an invitation: create the member and delete the link.

    Raises:
        Invalid: The password.
        Conflict: 409 `EMAIL_TAKEN`.
        NotFound: The account.
    """
    assert link.account_id is not None, "an invitation is to an account"
    get_account(session, link.account_id)
    role: Role = next(role for role in ROLES if role == link.role)
    member = add_member(session, link.account_id, email=link.email, password=password, role=role)
    session.delete(link)
    session.flush()
    return member


def sign_up(session: Session, link: OneTimeLink, *, name: str, password: str) -> tuple[Account, Member]:
    """Open the account of a sign-up link. Raises `Invalid` (name, password), `Conflict` (address in use)."""
    made = create_account(session, name=name, email=link.email, password=password, plan="standard")
    session.execute(
        sa.delete(OneTimeLink).where(OneTimeLink.email == link.email, OneTimeLink.kind == "sign_up")
    )
    return made


def reset(session: Session, link: OneTimeLink, *, password: str) -> Member:
    """Set the new password, which ends the member's sessions and reset links. Raises `Invalid`."""
    assert link.member_id is not None, "a reset has a member"
    member = get_member(session, link.member_id, lock=True)
    choose_password(session, member, password)
    return member


def allow_codes(session: Session, link: OneTimeLink) -> Member:
    """Unlock the member's second factor and delete every such link."""
    assert link.member_id is not None, "stopped codes have a member"
    member = get_member(session, link.member_id, lock=True)
    second_factor.allow_again(session, member)
    session.execute(
        sa.delete(OneTimeLink).where(OneTimeLink.member_id == member.id, OneTimeLink.kind == "second_factor")
    )
    return member


def forget_links(session: Session, *, now: datetime) -> int:
    """Delete expired links; return how many."""
    found = session.execute(
        sa.delete(OneTimeLink).where(OneTimeLink.expires_at <= now).returning(OneTimeLink.id)
    )
    return len(found.all())


def _of_member(session: Session, kind: str, member: Member, *, now: datetime) -> tuple[OneTimeLink, str]:
    _make_room(session, OneTimeLink.member_id == member.id, OneTimeLink.kind == kind)
    return _made(session, kind, member.email, now=now, account_id=member.account_id, member_id=member.id)


def _make_room(session: Session, *which: sa.ColumnElement[bool]) -> None:
    """Delete the oldest of these links, so that with one more there are `OPEN_MAX`."""
    newest = sa.select(OneTimeLink.id).where(*which).order_by(OneTimeLink.created_at.desc(), OneTimeLink.id)
    session.execute(sa.delete(OneTimeLink).where(OneTimeLink.id.in_(newest.offset(OPEN_MAX - 1))))


def _made(
    session: Session,
    kind: str,
    email: str,
    *,
    now: datetime,
    account_id: uuid.UUID | None = None,
    member_id: uuid.UUID | None = None,
    role: str | None = None,
) -> tuple[OneTimeLink, str]:
    token = secrets.token_urlsafe(32)
    link = OneTimeLink(
        kind=kind,
        email=email,
        account_id=account_id,
        member_id=member_id,
        role=role,
        token_hash=_hash(token),
        created_at=now,
        expires_at=now + LASTS[kind],
    )
    session.add(link)
    session.flush()
    return link, token


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
