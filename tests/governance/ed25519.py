"""Ed25519 in plain Python, written from RFC 8032, section 5.1: slow, and independent of any library."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, P - 2, P) % P
_ROOT = pow(2, (P - 1) // 4, P)

# Extended homogeneous coordinates (X, Y, Z, T), x = X/Z, y = Y/Z, xy = T/Z (5.1.4).
Point = tuple[int, int, int, int]


def public_of(seed: bytes) -> bytes:
    """Return the public key of a private one (5.1.5)."""
    return _encoded(_times(_secret(seed)[0], _BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """Sign (5.1.6)."""
    scalar, prefix = _secret(seed)
    public = _encoded(_times(scalar, _BASE))
    nonce = _hashed(prefix, message)
    commitment = _encoded(_times(nonce, _BASE))
    answer = (nonce + _hashed(commitment, public, message) * scalar) % ORDER
    return commitment + answer.to_bytes(32, "little")


def verifies(public: bytes, message: bytes, signature: bytes) -> bool:
    """Verify as strictly as the RFC allows (5.1.7): canonical points, a small scalar, no cofactor."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment = _decoded(public), _decoded(signature[:32])
    answer = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or answer >= ORDER:
        return False
    challenge = _hashed(signature[:32], public, message)
    return _equal(_times(answer, _BASE), _plus(commitment, _times(challenge, key)))


def _secret(seed: bytes) -> tuple[int, bytes]:
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return (scalar & ((1 << 254) - 8)) | (1 << 254), digest[32:]


def _hashed(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def _plus(one: Point, two: Point) -> Point:
    a, b = (one[1] - one[0]) * (two[1] - two[0]) % P, (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * _D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(scalar: int, point: Point) -> Point:
    found: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            found = _plus(found, point)
        point, scalar = _plus(point, point), scalar >> 1
    return found


def _equal(one: Point, two: Point) -> bool:
    return (one[0] * two[2] - two[0] * one[2]) % P == 0 and (one[1] * two[2] - two[1] * one[2]) % P == 0


def _encoded(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decoded(data: bytes) -> Point | None:
    y = int.from_bytes(data, "little")
    sign_bit, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * _ROOT % P
    if (x * x - square) % P or (x == 0 and sign_bit):
        return None
    if x & 1 != sign_bit:
        x = P - x
    return x, y, 1, x * y % P


_BASE: Point = _decoded((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or (0, 1, 1, 0)
