"""Format of API keys. Pure.

`<prefix>_` + 32 random base-62 characters (190 bits) + 6 characters of checksum (CRC-32 in base 62), so that
a mistyped key is refused without a database read and a secret scanner can recognise a key (decision 005).
"""

from __future__ import annotations

import hashlib
import secrets
import string
import zlib

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM = 32
_CHECK = 6
PREFIX_LENGTH = 12


def mint(prefix: str) -> str:
    """Return a new plaintext key."""
    body = f"{prefix}_" + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM))
    return body + _checksum(body)


def is_well_formed(token: str, prefix: str) -> bool:
    """Return whether `token` has the format and a valid checksum."""
    if len(token) != len(prefix) + 1 + _RANDOM + _CHECK or not token.startswith(f"{prefix}_"):
        return False
    # isascii first: CRC and the alphabet are defined on ASCII, and a header may carry anything.
    return token.isascii() and token[-_CHECK:] == _checksum(token[:-_CHECK])


def digest(token: str) -> bytes:
    """Return the SHA-256 of the plaintext, which the database stores and looks up."""
    return hashlib.sha256(token.encode()).digest()


def public_prefix(token: str) -> str:
    """Return the first 12 characters, the only part of a key that is shown again (decision 005)."""
    return token[:PREFIX_LENGTH]


def _checksum(body: str) -> str:
    number, characters = zlib.crc32(body.encode()), ""
    for _ in range(_CHECK):
        number, digit = divmod(number, len(_ALPHABET))
        characters = _ALPHABET[digit] + characters
    return characters
