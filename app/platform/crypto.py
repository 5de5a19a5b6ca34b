"""Sealing what must rest for a while: AES-256-GCM, a data key of its own for each thing.

A data key rests in PostgreSQL, wrapped by a key derived from `SECRET_KEY`; the ciphertext rests in Redis. A
dump of either store alone reveals nothing (decision 028).
"""

from __future__ import annotations

import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_NONCE = 12


class Unreadable(Exception):
    """The ciphertext was altered, or sealed with another key or for another purpose."""


def new_key() -> bytes:
    """32 random bytes."""
    return AESGCM.generate_key(256)


def seal(key: bytes, clear: bytes, *, context: bytes) -> bytes:
    """Nonce and ciphertext. `context` is not stored but must be the same to open: what this is, and whose."""
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(key).encrypt(nonce, clear, context)


def unseal(key: bytes, sealed: bytes, *, context: bytes) -> bytes:
    """What was sealed. Raises `Unreadable`."""
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], context)
    except (InvalidTag, ValueError):
        raise Unreadable("cannot be opened with this key and context") from None


@lru_cache(maxsize=8)
def service_key(secret: str, purpose: str) -> bytes:
    """A key for one purpose, derived from `SECRET_KEY` (HKDF-SHA256, RFC 5869)."""
    return HKDF(SHA256(), 32, salt=None, info=f"candado/{purpose}".encode()).derive(secret.encode())
