"""Ed25519 keys with which the service signs: attestations and exports, and the heads of its transparency log.

A private key rests in PostgreSQL, sealed under a key made from `SECRET_KEY`. Public keys stay published for
good. A new key is published before it signs, so that nobody meets a signature whose key the caches do not
have yet.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.governance.models import SigningKey
from app.platform import crypto, settings

Purpose = Literal["attestation", "log"]
# How long a new key is published before it signs.
OVERLAP = timedelta(hours=24)
_SEALING = "signing-keys"


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key with the id under which its public half is published. `repr` shows no key."""

    kid: str
    key: Ed25519PrivateKey

    def __repr__(self) -> str:
        return f"<Signer {self.kid}>"


def signer(session: Session, purpose: Purpose, *, at: datetime) -> Signer:
    """Return the key that signs for `purpose` at a moment, making the first one where there is none.

    Raises:
        crypto.Unreadable: `SECRET_KEY` is not the one under which the key was sealed.
    """
    row = session.scalar(_signing(purpose, at))
    if row is None:
        oldest = sa.select(SigningKey).where(SigningKey.purpose == purpose)
        row = session.scalar(oldest.order_by(SigningKey.signs_from).limit(1))
    if row is None:
        _add(session, purpose, signs_from=at, now=at, first=True)
        row = session.scalars(_signing(purpose, at)).one()
    clear = crypto.unseal(_sealing_key(), row.sealed_key, context=row.kid.encode())
    return Signer(row.kid, Ed25519PrivateKey.from_private_bytes(clear))


def rotate(
    session: Session, purpose: Purpose, *, now: datetime, overlap: timedelta = OVERLAP
) -> tuple[str, datetime]:
    """Make a key that signs from `now + overlap`, until when the one before signs.

    Returns:
        Its id and the moment from which it signs.
    """
    signer(session, purpose, at=now)
    return _add(session, purpose, signs_from=now + overlap, now=now, first=False), now + overlap


def published(session: Session, purpose: Purpose) -> Sequence[SigningKey]:
    """Return every key of `purpose` that ever signed or will, the oldest first."""
    query = sa.select(SigningKey).where(SigningKey.purpose == purpose)
    return session.scalars(query.order_by(SigningKey.signs_from)).all()


def public_key(session: Session, purpose: Purpose, kid: str) -> bytes | None:
    """Return the 32 bytes of a published key, `None` where there is none of that id."""
    query = sa.select(SigningKey.public_key).where(SigningKey.purpose == purpose, SigningKey.kid == kid)
    return session.scalar(query)


def signed_at(keys: Sequence[SigningKey], at: datetime) -> str | None:
    """Return the id of the key that signed at a moment, by the rule of `signer`; `None` without keys."""
    order = sorted(keys, key=lambda key: key.signs_from)
    found = [key.kid for key in order if key.signs_from <= at] or [key.kid for key in order[:1]]
    return found[-1] if found else None


def as_jwk(key: SigningKey) -> dict[str, Any]:
    """Return a public key as a JSON Web Key (RFC 8037), with the moment from which it signs.

    With that, a signature by a key that had been replaced by then is refused. Readers that do not know the
    member ignore it (RFC 7517, section 4).
    """
    return {
        "kty": "OKP",
        "crv": "Ed25519",
        "x": base64url(key.public_key),
        "kid": key.kid,
        "alg": "EdDSA",
        "use": "sig",
        "signs_from": key.signs_from.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }


def base64url(data: bytes) -> str:
    """Encode without padding (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def thumbprint(public: bytes) -> str:
    """Return the JWK thumbprint of an Ed25519 key (RFC 7638), by which it is known."""
    members = {"crv": "Ed25519", "kty": "OKP", "x": base64url(public)}
    return base64url(hashlib.sha256(json.dumps(members, separators=(",", ":")).encode()).digest())


def _signing(purpose: Purpose, at: datetime) -> sa.Select[SigningKey]:
    query = sa.select(SigningKey).where(SigningKey.purpose == purpose, SigningKey.signs_from <= at)
    return query.order_by(SigningKey.signs_from.desc()).limit(1)


def _add(session: Session, purpose: Purpose, *, signs_from: datetime, now: datetime, first: bool) -> str:
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()
    kid = thumbprint(public)
    sealed = crypto.seal(_sealing_key(), key.private_bytes_raw(), context=kid.encode())
    row = {
        "kid": kid,
        "purpose": purpose,
        "public_key": public,
        "sealed_key": sealed,
        "created_at": now,
        "signs_from": signs_from,
        "first": first,
    }
    # Two processes may sign for the first time at once: one key is the first, and both use it.
    session.execute(insert(SigningKey).values(row).on_conflict_do_nothing())
    return kid


def _sealing_key() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), _SEALING)
