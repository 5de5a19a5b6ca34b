"""Second factor: codes from an app (TOTP, RFC 6238), and recovery codes for when it is lost."""

from __future__ import annotations

import base64
import hashlib
import secrets
from datetime import datetime

import pyotp
from sqlalchemy.orm import Session

from app.platform import crypto
from app.platform.errors import Invalid
from app.tenancy import activity
from app.tenancy.models import Member

RECOVERY_CODES = 10
# After so many wrong codes none opens any more, until a letter is answered (decision 040).
FAILURES_MAX = 10
_STEP_S = 30
# A clock may be a step off, no more.
_TOLERATED = (0, -1, 1)


def new_secret() -> str:
    """Return 160 random bits in base32, as apps take them (RFC 4226, section 4, R6)."""
    return pyotp.random_base32()


def address(secret: str, member: Member, issuer: str) -> str:
    """Return the `otpauth:` URL that apps read from a QR code."""
    return str(pyotp.TOTP(secret, name=member.email, issuer=issuer).provisioning_uri())


def enable(
    session: Session, member: Member, secret: str, code: str, *, key: bytes, now: datetime
) -> list[str]:
    """Enable the second factor and return the recovery codes, which are shown only once.

    Args:
        session: The session.
        member: Locked by the caller.
        secret: The TOTP secret in base32.
        code: A current code, which proves that the app has the secret.
        key: 32 bytes that encrypt the secret.
        now: The current time.

    Raises:
        Invalid: The code is wrong.
    """
    step = _matching(secret, code, after=-1, now=now)
    if step is None:
        raise Invalid(
            "code: does not match. Check the clock of your device and enter the current code.",
            details={"field": "code"},
        )
    member.totp_secret = crypto.seal(key, secret.encode(), context=member.id.bytes)
    member.totp_last_step, member.totp_failures = step, 0
    activity.record(session, member.account_id, "second_factor.enabled", activity.of_member(member))
    return _new_recovery_codes(session, member)


def renew_recovery_codes(session: Session, member: Member) -> list[str]:
    """Replace the member's recovery codes and return the new ones."""
    target = activity.of_member(member)
    activity.record(session, member.account_id, "second_factor.recovery_codes_renewed", target)
    return _new_recovery_codes(session, member)


def _new_recovery_codes(session: Session, member: Member) -> list[str]:
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    member.recovery_hashes = [_hash(code) for code in codes]
    session.flush()
    return codes


def check(session: Session, member: Member, code: str, *, key: bytes, now: datetime) -> bool:
    """Return whether `code` is a current code of the app or an unused recovery code; each is accepted once.

    A wrong code is counted; once `stopped`, no code is accepted. The caller has locked `member`.

    Raises:
        Unreadable: The secret was encrypted with another key.
    """
    if stopped(member):
        return False
    fits = _opens(member, code, key=key, now=now)
    member.totp_failures = 0 if fits else member.totp_failures + 1
    session.flush()
    return fits


def stopped(member: Member) -> bool:
    """Return whether codes are blocked after `FAILURES_MAX` wrong ones (decision 040)."""
    return member.totp_failures >= FAILURES_MAX


def allow_again(session: Session, member: Member) -> None:
    """Unblock the member's codes."""
    member.totp_failures = 0
    session.flush()
    activity.record(session, member.account_id, "second_factor.unlocked", activity.of_member(member))


def _opens(member: Member, code: str, *, key: bytes, now: datetime) -> bool:
    plain = "".join(code.split()).replace("-", "")
    if member.totp_secret is not None and plain.isascii() and plain.isdigit() and len(plain) == 6:
        secret = crypto.unseal(key, member.totp_secret, context=member.id.bytes).decode()
        step = _matching(secret, plain, after=member.totp_last_step or -1, now=now)
        if step is None:
            return False
        member.totp_last_step = step
        return True
    digest = _hash(plain)
    left = [known for known in member.recovery_hashes if not secrets.compare_digest(known, digest)]
    if len(left) == len(member.recovery_hashes):
        return False
    member.recovery_hashes = left
    return True


def disable(session: Session, member: Member) -> None:
    """Disable the second factor."""
    member.totp_secret, member.totp_last_step, member.recovery_hashes = None, None, []
    member.totp_failures = 0
    session.flush()
    activity.record(session, member.account_id, "second_factor.disabled", activity.of_member(member))


def _matching(secret: str, code: str, *, after: int, now: datetime) -> int | None:
    """Return the time step of this code, if it is near `now` and after the last one used."""
    present, given = int(now.timestamp()) // _STEP_S, "".join(code.split()).encode()
    app = pyotp.TOTP(secret)
    for offset in _TOLERATED:
        step = present + offset
        # As bytes: digits of other scripts are no ASCII, and comparing them as text raises.
        if step > after and secrets.compare_digest(app.at(step * _STEP_S).encode(), given):
            return step
    return None


def _recovery_code() -> str:
    """Return 80 random bits in groups of four characters."""
    text = base64.b32encode(secrets.token_bytes(10)).decode().lower()
    return "-".join(text[i : i + 4] for i in range(0, 16, 4))


def _hash(code: str) -> bytes:
    return hashlib.sha256(code.replace("-", "").lower().encode()).digest()
