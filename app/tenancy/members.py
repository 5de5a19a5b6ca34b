"""Members: the people who sign in to the portal, each with a role (decision 006)."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, get_args

import sqlalchemy as sa
from email_validator import EmailNotValidError, validate_email
from sqlalchemy.orm import Session
from werkzeug.security import check_password_hash, generate_password_hash

from app.platform.errors import Conflict, Invalid, NotFound
from app.tenancy import activity, passwords
from app.tenancy.models import Account, Member, OneTimeLink
from app.text.bilingual import Language

Role = Literal["owner", "admin", "developer", "compliance"]
ROLES: tuple[Role, ...] = get_args(Role)

# Checked against when the address is unknown, so that both answers take the same time.
# Written out, as making one takes as long as a sign-in, and every command would wait for it; of the method
# that `generate_password_hash` uses, and of a password that was thrown away.
_NOBODY = (
    "scrypt:32768:8:1$2zC3mRtP8psbU1Nu$"
    "2abc6125814e59ae81fcaea40934e0a084680b326af475cdbcb426b8b430656b"
    "d8be865d7c7f718d1994a48dda46f5bcdc9caca59b9580ceac6bd60c1032e1ca"
)


def add_member(session: Session, account_id: uuid.UUID, *, email: str, password: str, role: Role) -> Member:
    """Create a member. Raises `Invalid` (address, password, role) or `Conflict` (address in use)."""
    address = normalize_email(email)
    if role not in ROLES:
        raise Invalid(f"role: must be one of {', '.join(ROLES)}.", details={"field": "role"})
    if session.scalar(sa.select(Member.id).where(Member.email == address)):
        raise Conflict("A member with this e-mail address already exists.", code="EMAIL_TAKEN")
    member = Member(account_id=account_id, email=address, role=role)
    _give(session, member, password)
    session.add(member)
    session.flush()
    activity.record(session, account_id, "member.joined", activity.of_member(member), details={"role": role})
    return member


def authenticate(session: Session, email: str, password: str) -> Member | None:
    """Return the member with this address and password, else `None`, in the same time either way."""
    member = session.scalar(sa.select(Member).where(Member.email == email.strip().lower()))
    known = check_password_hash(member.password_hash if member else _NOBODY, password[: passwords.LONGEST])
    return member if member is not None and known else None


def signed_in(session: Session, member: Member, *, language: Language, now: datetime) -> None:
    """Record that the member has signed in, with the second factor where there is one, in this language."""
    member.last_sign_in_at, member.language = now, language
    session.flush()


def speak(session: Session, member_id: uuid.UUID, language: Language) -> None:
    """Note the language that a member uses, for mails. Raises `NotFound`."""
    get_member(session, member_id).language = language
    session.flush()


def get_member(session: Session, member_id: uuid.UUID, *, lock: bool = False) -> Member:
    """Return the member, with `lock` locked for a change. Raises `NotFound`."""
    member = session.get(Member, member_id, with_for_update=lock)
    if member is None:
        raise NotFound("There is no member with this id.")
    return member


def find_member(session: Session, email: str) -> Member | None:
    """Return the member with this address, or `None`."""
    return session.scalar(sa.select(Member).where(Member.email == email.strip().lower()))


def set_password(session: Session, email: str, password: str) -> Member:
    """Set the password of the member with this address. Raises `NotFound` or `Invalid`."""
    member = session.scalar(sa.select(Member).where(Member.email == normalize_email(email)))
    if member is None:
        raise NotFound("There is no member with this e-mail address.")
    choose_password(session, member, password)
    return member


def members_of(session: Session, account_id: uuid.UUID) -> Sequence[Member]:
    """Return the account's members, owners first, then by role and address."""
    order = sa.case({role: place for place, role in enumerate(ROLES)}, value=Member.role)
    return session.scalars(
        sa.select(Member).where(Member.account_id == account_id).order_by(order, Member.email)
    ).all()


def change_role(session: Session, account_id: uuid.UUID, member_id: uuid.UUID, role: Role) -> Member:
    """Change a member's role. Raises `NotFound`, `Invalid`, `Conflict` (the last owner)."""
    if role not in ROLES:
        raise Invalid(f"role: must be one of {', '.join(ROLES)}.", details={"field": "role"})
    member = _locked(session, account_id, member_id)
    if member.role == "owner" and role != "owner":
        _another_owner(session, member)
    before, member.role = member.role, role
    session.flush()
    if before != role:
        activity.record(
            session,
            account_id,
            "member.role_changed",
            activity.of_member(member),
            details={"from": before, "to": role},
        )
    return member


def remove_member(session: Session, account_id: uuid.UUID, member_id: uuid.UUID) -> Member:
    """Delete a member; their sessions end on the next request.

    Raises:
        NotFound: There is no such member.
        Conflict: 409 `LAST_OWNER`.
    """
    member = _locked(session, account_id, member_id)
    if member.role == "owner":
        _another_owner(session, member)
    session.delete(member)
    session.flush()
    activity.record(
        session, account_id, "member.removed", activity.of_member(member), details={"role": member.role}
    )
    return member


def choose_password(session: Session, member: Member, password: str) -> None:
    """Set the member's new password; end the sessions and reset links of the old. Raises `Invalid`."""
    _give(session, member, password)
    session.execute(
        sa.delete(OneTimeLink).where(OneTimeLink.member_id == member.id, OneTimeLink.kind == "reset")
    )
    session.flush()
    activity.record(session, member.account_id, "password.changed", activity.of_member(member))


def password_is(member: Member, password: str) -> bool:
    """Return whether this is the member's password: asked again before what cannot be undone."""
    return check_password_hash(member.password_hash, password[: passwords.LONGEST])


def _locked(session: Session, account_id: uuid.UUID, member_id: uuid.UUID) -> Member:
    """Return the member after locking the account, so that concurrent changes leave one owner."""
    session.execute(sa.select(Account.id).where(Account.id == account_id).with_for_update())
    member = session.scalar(sa.select(Member).where(Member.id == member_id, Member.account_id == account_id))
    if member is None:
        raise NotFound("There is no member with this id.")
    return member


def _another_owner(session: Session, member: Member) -> None:
    others = sa.select(Member.id).where(
        Member.account_id == member.account_id, Member.role == "owner", Member.id != member.id
    )
    if session.scalar(others.limit(1)) is None:
        raise Conflict("An account needs an owner. Make another member an owner first.", code="LAST_OWNER")


def normalize_email(email: str) -> str:
    """Return the e-mail address in its normal form, in lower case. Raises `Invalid`."""
    try:
        # The development domains are allowed: a laptop has no mail exchanger to look up.
        return validate_email(email, check_deliverability=False, test_environment=True).normalized.lower()
    except EmailNotValidError:
        raise Invalid(
            "email: must be an e-mail address such as ana@example.com.", details={"field": "email"}
        ) from None


def _give(session: Session, member: Member, password: str) -> None:
    """Store the hash of an acceptable password. Raises `Invalid`."""
    account = session.get(Account, member.account_id)
    passwords.check(password, about=(member.email, account.name if account else ""))
    member.password_hash = generate_password_hash(password)
