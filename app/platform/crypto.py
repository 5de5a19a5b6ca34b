"""Encryption of data at rest: AES-256-GCM with a separate data key for each item.

The data key is stored in PostgreSQL, wrapped by a key derived from `SECRET_KEY`; the ciphertext is stored in
Redis. A dump of one store alone reveals nothing (decision 028).
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
    """Return a new random key of 32 bytes."""
    return AESGCM.generate_key(256)


def seal(key: bytes, clear: bytes, *, context: bytes) -> bytes:
    """Encrypt `clear` with AES-256-GCM and return the 12-byte nonce followed by the ciphertext.

    Args:
        key: 32 bytes.
        clear: The bytes to encrypt.
        context: Associated data, such as the kind of item and the id of its owner. It is not stored, and
            `unseal` needs the same value.
    """
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(key).encrypt(nonce, clear, context)


def unseal(key: bytes, sealed: bytes, *, context: bytes) -> bytes:
    """Decrypt what `seal` returned.

    Raises:
        Unreadable: The bytes were altered, or sealed with another key or context.
    """
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], context)
    except (InvalidTag, ValueError):
        raise Unreadable("cannot be opened with this key and context") from None


@lru_cache(maxsize=8)
def service_key(secret: str, purpose: str) -> bytes:
    """Derive a 32-byte key for one purpose from `SECRET_KEY` (HKDF-SHA256, RFC 5869)."""
    return HKDF(SHA256(), 32, salt=None, info=f"candado/{purpose}".encode()).derive(secret.encode())
