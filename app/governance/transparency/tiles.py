"""Tiles of a transparency log: 256 consecutive hashes of one height (C2SP tlog-tiles). Pure.

Tile `index` of level `level` holds the hashes of the complete subtrees of height `8 * level`; a tile of fewer
than 256 hashes is partial and is not hashed into the level above.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from app.governance.transparency.merkle import HASH_SIZE, fold, leaf_hash

WIDTH = 256
HEIGHT = 8
_PATH = re.compile(r"(0|[1-9]\d?)/((?:x\d{3}/)*\d{3})(?:\.p/([1-9]\d{0,2}))?")


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Address of a tile; `width` is below 256 for a partial one."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The path behind `tile/`, such as `0/x001/x234/067` or `1/000.p/17`."""
        digits = f"{self.index:03d}"
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        place = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
        return f"{self.level}/{place}" + ("" if self.width == WIDTH else f".p/{self.width}")

    @classmethod
    def from_path(cls, path: str) -> Tile | None:
        """Read the path behind `tile/`; return `None` where it is not how a tile's address is spelled."""
        match = _PATH.fullmatch(path)
        if match is None:
            return None
        level, width = int(match[1]), int(match[3] or WIDTH)
        found = cls(level, int(match[2].replace("x", "").replace("/", "")), width)
        if level > 63 or width > WIDTH or (match[3] and width == WIDTH) or found.path != path:
            return None
        return found


def width_at(level: int, index: int, size: int) -> int:
    """Return how many hashes a tile has in a tree of `size` leaves: 0 to 256."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - index * WIDTH))


def tiles_of(old: int, new: int) -> Iterator[Tile]:
    """List the tiles that a tree of `new` leaves has and one of `old` leaves has not, in order of levels."""
    level = 0
    while new >> HEIGHT * level:
        count, before = new >> HEIGHT * level, old >> HEIGHT * level
        if count > before:
            for index in range(before // WIDTH, -(-count // WIDTH)):
                yield Tile(level, index, width_at(level, index, new))
        level += 1


def extend(
    old: int, entries: list[bytes], read: Callable[[int, int], bytes]
) -> Mapping[tuple[int, int], bytes]:
    """Return the changed and new tiles after `entries` were appended to a tree of `old` leaves.

    Args:
        old: Leaves before.
        entries: The entries to append, unhashed.
        read: The bytes of a stored tile by level and index; asked only for those that grow.

    Returns:
        The bytes of each tile (hashes one after the other) by level and index.
    """
    changed: dict[tuple[int, int], bytes] = {}
    hashes, start, level = [leaf_hash(entry) for entry in entries], old, 0
    while hashes:
        above: list[bytes] = []
        first = start // WIDTH
        grown = (read(level, first) if start % WIDTH else b"")[: start % WIDTH * HASH_SIZE]
        data = grown + b"".join(hashes)
        for at in range(0, len(data), WIDTH * HASH_SIZE):
            tile = data[at : at + WIDTH * HASH_SIZE]
            changed[level, first + at // (WIDTH * HASH_SIZE)] = tile
            if len(tile) == WIDTH * HASH_SIZE:
                above.append(fold(split(tile)))
        hashes, start, level = above, first, level + 1
    return changed


def split(tile: bytes) -> list[bytes]:
    """Return the hashes of a tile."""
    return [tile[at : at + HASH_SIZE] for at in range(0, len(tile), HASH_SIZE)]


class TileReader:
    """Reads hashes of subtrees from tiles, each fetched once.

    Args:
        fetch: The bytes of a tile by level and index.
    """

    def __init__(self, fetch: Callable[[int, int], bytes]) -> None:
        self._fetch = fetch
        self._tiles: dict[tuple[int, int], list[bytes]] = {}

    def __call__(self, level: int, index: int) -> bytes:
        """Return the hash of the subtree of height `level` at `index`.

        Raises:
            LookupError: The tile that it lies in is shorter than it should be.
        """
        tile_level, height = divmod(level, HEIGHT)
        first = index << height
        key = (tile_level, first // WIDTH)
        if key not in self._tiles:
            self._tiles[key] = split(self._fetch(*key))
        at = first % WIDTH
        hashes = self._tiles[key][at : at + (1 << height)]
        if len(hashes) != 1 << height or len(hashes[-1]) != HASH_SIZE:
            raise LookupError(f"tile {key[0]}/{key[1]} has no hashes up to {at + (1 << height)}")
        return fold(hashes)
