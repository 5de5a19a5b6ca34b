"""Looking for words that must be nowhere: raw, in base64, in zlib or gzip, and one in the other."""

from __future__ import annotations

import base64
import binascii
import re
import subprocess
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import redis

from tests.faults.stores import Stores

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


def in_the_stores(
    stores: Stores, url: str, redis_url: str, places: Path, *, table: str, key: bytes
) -> dict[str, set[bytes]]:
    """The canaries in a dump of PostgreSQL, its files and write-ahead log, a dump of Redis and its files.

    `table` and `key` (the beginning of a name in Redis) are in the dumps, so that they are not empty.
    """
    dump = places / "dump.sql"
    program = stores.postgres.binaries / "pg_dump"
    with dump.open("wb") as output:
        subprocess.run([program, "--dbname", url], stdout=output, check=True)
    assert f"CREATE TABLE public.{table}".encode() in dump.read_bytes()
    dumped = places / "redis.dump"
    dumped.write_bytes(_redis_dump(redis_url))
    assert key in dumped.read_bytes()
    assert list((stores.postgres.home / "pg_wal").glob("0000*"))
    # The whole folder: heap, indexes, write-ahead log, append-only file, the servers' logs.
    return found_in_files([dump, dumped, stores.folder])


def _redis_dump(url: str) -> bytes:
    """Every key with its value, read by type; nothing is compressed or packed."""
    client = redis.Redis.from_url(url)
    parts = []
    for key in client.scan_iter():
        kind = client.type(key)
        value: Any = {
            b"string": lambda k: client.get(k),
            b"hash": lambda k: client.hgetall(k),
            b"list": lambda k: client.lrange(k, 0, -1),
            b"set": lambda k: client.smembers(k),
            b"zset": lambda k: client.zrange(k, 0, -1),
            b"stream": lambda k: client.xrange(k),
        }[kind](key)
        parts += [key, *_flat(value)]
    return b"\n".join(parts)


def _flat(value: Any) -> list[bytes]:
    if isinstance(value, bytes):
        return [value]
    if isinstance(value, dict):
        return [piece for pair in value.items() for one in pair for piece in _flat(one)]
    if isinstance(value, list | tuple | set):
        return [piece for one in value for piece in _flat(one)]
    return []
