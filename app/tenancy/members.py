"""Members: the people who sign in to the portal, with a role each (decisions 2)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Literal, get_args

import sqlalchemy as sa
from email_validator import EmailNotValidError, validate_email
from sqlalchemy.orm import Session
from werkzeug.security import check_password_hash, generate_password_hash

from app.platform.errors import Conflict, Invalid, NotFound
from app.tenancy.models import Member

Role = Literal["owner", "admin", "developer", "compliance"]
ROLES: tuple[Role, ...] = get_args(Role)

PASSWORD_MIN, PASSWORD_MAX = 8, 200

# Checked against when the address is unknown, so that both answers take the same time.
_NOBODY = generate_password_hash("no member has this password")


def add_member(session: Session, account_id: uuid.UUID, *, email: str, password: str, role: Role) -> Member:
    """A new member. Raises `Invalid` (address, password, role) or `Conflict` (address in use)."""
    folded = _folded(email)
    if role not in ROLES:
        raise Invalid(f"role: must be one of {', '.join(ROLES)}.", details={"field": "role"})
    if session.scalar(sa.select(Member.id).where(Member.email == folded)):
        raise Conflict("A member with this e-mail address exists already.", code="EMAIL_TAKEN")
    member = Member(account_id=account_id, email=folded, password_hash=_hash(password), role=role)
    session.add(member)
    session.flush()
    return member


def authenticate(session: Session, email: str, password: str, *, now: datetime) -> Member | None:
    """The member whose address and password these are, else `None`, in the same time either way."""
    member = session.scalar(sa.select(Member).where(Member.email == email.strip().lower()))
    known = check_password_hash(member.password_hash if member else _NOBODY, password[:PASSWORD_MAX])
    if member is None or not known:
        return None
    member.last_sign_in_at = now
    session.flush()
    return member


def get_member(session: Session, member_id: uuid.UUID) -> Member:
    """The member. Raises `NotFound`."""
    member = session.get(Member, member_id)
    if member is None:
        raise NotFound("There is no member with this id.")
    return member


def find_member(session: Session, email: str) -> Member | None:
    """The member with this address, if any."""
    return session.scalar(sa.select(Member).where(Member.email == email.strip().lower()))


def set_password(session: Session, email: str, password: str) -> Member:
    """Give the member a new password. Raises `NotFound` or `Invalid`."""
    member = session.scalar(sa.select(Member).where(Member.email == _folded(email)))
    if member is None:
        raise NotFound("There is no member with this e-mail address.")
    member.password_hash = _hash(password)
    session.flush()
    return member


def _folded(email: str) -> str:
    try:
        # The development domains are allowed: a laptop has no mail exchanger to look up.
        return validate_email(email, check_deliverability=False, test_environment=True).normalized.lower()
    except EmailNotValidError:
        raise Invalid(
            "email: must be an e-mail address such as ana@example.com.", details={"field": "email"}
        ) from None


def _hash(password: str) -> str:
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        raise Invalid(
            f"password: must have {PASSWORD_MIN} to {PASSWORD_MAX} characters.",
            details={"field": "password", "min": PASSWORD_MIN, "max": PASSWORD_MAX, "got": len(password)},
        )
    return generate_password_hash(password)
