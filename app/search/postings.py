"""Encode postings as bytes that are appended to while indexing and read whole while searching. Pure.

A posting is three bytes, the ordinal within its block and a weight. A block holds 65,536 passages: those
before the last are never written again, so growing a large corpus costs only what is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

BLOCK = 65_536
_POSTING = np.dtype([("ordinal", "<u2"), ("weight", "u1")])


@dataclass(frozen=True, slots=True)
class Postings:
    """Occurrences of one stem: ordinals ascending, weights from 1 to 255."""

    ordinals: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.uint8]

    @property
    def count(self) -> int:
        """The number of passages."""
        return len(self.ordinals)

    @property
    def size(self) -> int:
        """Size in memory, in bytes."""
        return self.ordinals.nbytes + self.weights.nbytes + 200

    def until(self, ordinal: int) -> Postings:
        """Return those before an ordinal."""
        end = int(np.searchsorted(self.ordinals, ordinal))
        return Postings(self.ordinals[:end], self.weights[:end])

    def followed_by(self, later: Postings) -> Postings:
        """Return these and `later`, all of whose ordinals are higher."""
        return Postings(
            np.concatenate([self.ordinals, later.ordinals]), np.concatenate([self.weights, later.weights])
        )


NONE = Postings(np.zeros(0, np.uint32), np.zeros(0, np.uint8))


def pack(weights: Iterable[tuple[int, Mapping[str, int]]]) -> dict[tuple[str, int], bytes]:
    """Encode the weights of new passages.

    Args:
        weights: Ordinal and weight by stem of each passage, ordinals ascending.

    Returns:
        Bytes to append, by stem and block number.
    """
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for ordinal, of_passage in weights:
        block, within = divmod(ordinal, BLOCK)
        for stem, weight in of_passage.items():
            found.setdefault((stem, block), []).append((within, weight))
    return {key: np.array(rows, _POSTING).tobytes() for key, rows in found.items()}


def renumbered(found: Postings, ordinals: npt.NDArray[np.int64]) -> list[tuple[int, bytes]]:
    """Encode postings with other ordinals.

    Args:
        found: Postings.
        ordinals: By ordinal the new one, -1 for a passage that is no more; the order stays.

    Returns:
        Block number and bytes, in ascending order.
    """
    moved = ordinals[found.ordinals]
    kept = moved >= 0
    blocks, within = np.divmod(moved[kept], BLOCK)
    rows = np.empty(len(within), _POSTING)
    rows["ordinal"], rows["weight"] = within, found.weights[kept]
    return [(int(block), rows[blocks == block].tobytes()) for block in np.unique(blocks)]


def unpack(blocks: Iterable[tuple[int, bytes]]) -> Postings:
    """Decode the blocks of one stem, given as block number and bytes in ascending order."""
    ordinals, weights = [], []
    for block, raw in blocks:
        rows = np.frombuffer(raw, _POSTING)
        ordinals.append(rows["ordinal"].astype(np.uint32) + np.uint32(block * BLOCK))
        weights.append(rows["weight"])
    return Postings(np.concatenate(ordinals), np.concatenate(weights)) if ordinals else NONE
