"""The tree of RFC 9162 against a naive recursion and against known roots."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.governance.transparency import merkle, tiles
from tests.governance.transparency.vectors import ENTRIES, ROOTS, reader


def naive(entries: list[bytes]) -> bytes:
    """Hash as the RFC defines it, without any cleverness."""
    if not entries:
        return hashlib.sha256(b"").digest()
    if len(entries) == 1:
        return merkle.leaf_hash(entries[0])
    half = 1
    while half * 2 < len(entries):
        half *= 2
    return merkle.node_hash(naive(entries[:half]), naive(entries[half:]))


def numbered(count: int) -> list[bytes]:
    return [str(at).encode() for at in range(count)]


def test_known_roots() -> None:
    for size, expected in enumerate(ROOTS):
        assert merkle.root(reader(ENTRIES[:size]), size).hex() == expected


def test_known_inclusion_proof() -> None:
    proof = merkle.inclusion_proof(reader(ENTRIES), 5, 8)
    assert [one.hex() for one in proof] == [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]


@given(st.integers(1, 1400), st.data())
def test_every_leaf_proves_itself_and_nothing_else(size: int, data: st.DataObject) -> None:
    entries = numbered(size)
    index = data.draw(st.integers(0, size - 1))
    read = reader(entries)
    root = merkle.root(read, size)
    assert root == naive(entries)
    proof = merkle.inclusion_proof(read, index, size)
    leaf = merkle.leaf_hash(entries[index])
    assert merkle.root_of_inclusion(leaf, index, size, proof) == root
    assert merkle.root_of_inclusion(merkle.leaf_hash(b"other"), index, size, proof) != root
    with pytest.raises(merkle.BadProof):
        merkle.root_of_inclusion(leaf, index, size, [*proof, b"\0" * 32])


@given(st.integers(1, 900), st.integers(0, 900))
def test_a_tree_is_the_beginning_of_a_later_one(old: int, more: int) -> None:
    new = old + more
    entries = numbered(new)
    read = reader(entries)
    old_root, new_root = naive(entries[:old]), naive(entries)
    proof = merkle.consistency_proof(read, old, new)
    merkle.check_consistency(old, old_root, new, new_root, proof)
    with pytest.raises(merkle.BadProof):
        merkle.check_consistency(old, b"\1" * 32, new, new_root, proof)
    with pytest.raises(merkle.BadProof):
        merkle.check_consistency(old, old_root, new, b"\1" * 32, proof)
    if proof:
        for at in range(len(proof)):
            changed = [*proof[:at], b"\2" * 32, *proof[at + 1 :]]
            with pytest.raises(merkle.BadProof):
                merkle.check_consistency(old, old_root, new, new_root, changed)
        with pytest.raises(merkle.BadProof):
            merkle.check_consistency(old, old_root, new, new_root, proof[:-1])


@given(st.lists(st.integers(0, 300), min_size=1, max_size=6))
def test_a_tree_grown_in_steps_has_the_tiles_of_one_made_at_once(steps: list[int]) -> None:
    stored: dict[tuple[int, int], bytes] = {}
    entries = numbered(sum(steps))
    size = 0
    for count in steps:
        grown = tiles.extend(size, entries[size : size + count], lambda level, index: stored[level, index])
        named = {(tile.level, tile.index) for tile in tiles.tiles_of(size, size + count)}
        assert named == set(grown)
        stored.update(grown)
        size += count
    assert stored == dict(tiles.extend(0, entries, lambda level, index: b""))
    for (level, index), data in stored.items():
        assert len(data) // 32 == tiles.width_at(level, index, size)


def test_the_tiles_of_a_tree_of_70_000() -> None:
    found = list(tiles.tiles_of(0, 70_000))
    assert sum(tile.level == 0 and tile.width == 256 for tile in found) == 273
    assert [tile for tile in found if tile.width < 256] == [
        tiles.Tile(0, 273, 112),
        tiles.Tile(1, 1, 17),
        tiles.Tile(2, 0, 1),
    ]


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (tiles.Tile(0, 1234067), "0/x001/x234/067"),
        (tiles.Tile(0, 0), "0/000"),
        (tiles.Tile(1, 7, 17), "1/007.p/17"),
        (tiles.Tile(0, 1000), "0/x001/000"),
    ],
)
def test_paths_of_tiles(tile: tiles.Tile, path: str) -> None:
    assert tile.path == path
    assert tiles.Tile.from_path(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "",
        "0",
        "0/1",
        "00/001",
        "64/000",
        "0/x000/001",
        "0/001.p/0",
        "0/001.p/256",
        "0/001.p/01",
        "0/x1/001",
        "-1/000",
        "0/001/",
        "0/٠٠١",
    ],
)
def test_other_spellings_of_paths_are_refused(path: str) -> None:
    assert tiles.Tile.from_path(path) is None
