"""Merkle tree of RFC 9162, section 2.1: hashes, inclusion proofs and consistency proofs.

Pure. The tree is over entries that only their number and leaf hashes describe; a proof is made from a
`Reader`, which gives the hash of any complete subtree, so that nothing needs all leaves in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

HASH_SIZE = 32
# The root of a tree without leaves (RFC 9162, 2.1.1).
EMPTY_ROOT = hashlib.sha256(b"").digest()


class Reader(Protocol):
    """Gives hashes of complete subtrees of a tree."""

    def __call__(self, level: int, index: int) -> bytes:
        """Return the hash of the subtree over leaves `index << level` to `(index + 1) << level`."""


class BadProof(Exception):
    """A proof does not lead to the root it was held against."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf: SHA-256 of 0x00 and the entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node: SHA-256 of 0x01 and its two children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(read: Reader, size: int) -> bytes:
    """Return the root of the first `size` leaves."""
    if size == 0:
        return EMPTY_ROOT
    return _range_hash(read, 0, size)


def inclusion_proof(read: Reader, index: int, size: int) -> list[bytes]:
    """Return the hashes that lead from leaf `index` to the root of `size` leaves, from the leaf upwards.

    Raises:
        ValueError: There is no such leaf in a tree of that size.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size}")
    return _path(read, index, 0, size)


def consistency_proof(read: Reader, old: int, new: int) -> list[bytes]:
    """Return the hashes that show that the tree of `old` leaves is the beginning of the one of `new` leaves.

    Raises:
        ValueError: The old tree is empty or larger than the new one.
    """
    if not 0 < old <= new:
        raise ValueError(f"no proof from {old} to {new} leaves")
    return _subproof(read, old, 0, new, whole=True)


def root_of_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that an inclusion proof leads to (RFC 9162, 2.1.3.2).

    Raises:
        BadProof: The proof has the wrong number of hashes, or there is no such leaf.
    """
    if not 0 <= index < size:
        raise BadProof(f"no leaf {index} in a tree of {size}")
    inner = (index ^ (size - 1)).bit_length()
    border = (index >> inner).bit_count()
    if len(proof) != inner + border:
        raise BadProof(f"expected {inner + border} hashes, got {len(proof)}")
    found = leaf
    for height, sibling in enumerate(proof[:inner]):
        found = node_hash(sibling, found) if index >> height & 1 else node_hash(found, sibling)
    for sibling in proof[inner:]:
        found = node_hash(sibling, found)
    return found


def check_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that a tree of `old` leaves is the beginning of one of `new` leaves (RFC 9162, 2.1.4.2).

    Raises:
        BadProof: It is not, or the proof does not show it.
    """
    if old == 0 or old > new:
        raise BadProof(f"no proof leads from {old} to {new} leaves")
    if old == new:
        if proof or old_root != new_root:
            raise BadProof("two trees of one size have different roots")
        return
    hashes = list(proof)
    if old & (old - 1) == 0:
        hashes.insert(0, old_root)
    if not hashes:
        raise BadProof("the proof is empty")
    number, last = old - 1, new - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    first = second = hashes[0]
    for one in hashes[1:]:
        if last == 0:
            raise BadProof("the proof is too long")
        if number & 1 or number == last:
            first, second = node_hash(one, first), node_hash(one, second)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            second = node_hash(second, one)
        number, last = number >> 1, last >> 1
    if last or first != old_root or second != new_root:
        raise BadProof("the proof does not connect the two roots")


def fold(hashes: Iterable[bytes]) -> bytes:
    """Return the hash of a complete subtree from its 2^n leaves or subtree hashes, in order."""
    row = list(hashes)
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def _largest_power_below(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1


def _range_hash(read: Reader, start: int, size: int) -> bytes:
    """Hash `size` leaves from `start`, which is a multiple of the largest power of two not above `size`."""
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return read(level, start >> level)
    half = _largest_power_below(size)
    return node_hash(_range_hash(read, start, half), _range_hash(read, start + half, size - half))


def _path(read: Reader, index: int, start: int, size: int) -> list[bytes]:
    if size == 1:
        return []
    half = _largest_power_below(size)
    if index < half:
        return [*_path(read, index, start, half), _range_hash(read, start + half, size - half)]
    return [*_path(read, index - half, start + half, size - half), _range_hash(read, start, half)]


def _subproof(read: Reader, old: int, start: int, size: int, *, whole: bool) -> list[bytes]:
    if old == size:
        return [] if whole else [_range_hash(read, start, size)]
    half = _largest_power_below(size)
    if old <= half:
        left = _subproof(read, old, start, half, whole=whole)
        return [*left, _range_hash(read, start + half, size - half)]
    right = _subproof(read, old - half, start + half, size - half, whole=False)
    return [*right, _range_hash(read, start, half)]
