"""Looking for words that must be nowhere: raw, in base64, in zlib or gzip, and one in the other."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

MARK = "Canario"
_FOUND = re.compile(rb"(?i)canario[0-9a-f]{12}")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{20,}")
# zlib at its four usual levels, gzip.
_COMPRESSED = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")


def found_in(blob: bytes, depth: int = 2) -> set[bytes]:
    """The canaries in `blob`, in whatever of these wrappings."""
    found = set(_FOUND.findall(blob))
    if depth == 0:
        return found
    for run in _BASE64.findall(blob):
        plain = run.replace(b"-", b"+").replace(b"_", b"/")
        for start in range(4):
            piece = plain[start : start + (len(plain) - start) // 4 * 4]
            try:
                found |= found_in(base64.b64decode(piece), depth - 1)
            except binascii.Error:
                continue
    for match in _COMPRESSED.finditer(blob):
        bits = 31 if match.group()[0] == 0x1F else 15
        try:
            opened = zlib.decompressobj(bits).decompress(blob[match.start() :], 10_000_000)
        except zlib.error:
            continue
        found |= found_in(opened, depth - 1)
    return found


def found_in_files(roots: Iterable[Path]) -> dict[str, set[bytes]]:
    """The canaries in all files below `roots`, by file."""
    found = {}
    for root in roots:
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            try:
                if path.is_file() and not path.is_symlink() and (seen := found_in(path.read_bytes())):
                    found[str(path)] = seen
            except OSError:
                continue
    return found
