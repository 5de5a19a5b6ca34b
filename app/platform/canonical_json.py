"""Write JSON in its canonical form (RFC 8785), by the standard library's encoder where that writes the same.

The library `rfc8785` is Python throughout and takes several times as long. The two differ in floating-point
numbers, in whole numbers that JavaScript has not, and in the order of names beyond ASCII: such values are
left to the library.
"""

from __future__ import annotations

import json
from typing import Any

import rfc8785

CanonicalizationError = rfc8785.CanonicalizationError

_LARGEST = 2**53 - 1
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, check_circular=False)


def dumps(value: Any) -> bytes:
    """Return the canonical form of `value`.

    Raises:
        CanonicalizationError: it has none.
    """
    if _is_plain(value):
        try:
            return _ENCODER.encode(value).encode()
        except UnicodeEncodeError:
            # Half of a surrogate pair, of which the library tells.
            pass
    return rfc8785.dumps(value)


def _is_plain(value: Any) -> bool:
    """Return whether the standard encoder writes all of `value` as RFC 8785 does."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return bool(-_LARGEST <= value <= _LARGEST)
    if kind is dict:
        return all(type(name) is str and name.isascii() and _is_plain(value[name]) for name in value)
    return kind is list and all(map(_is_plain, value))
