"""Encode postings as bytes that are appended to while indexing and read whole while searching. Pure.

A posting is three bytes, the ordinal within its block and a weight. A block holds 65,536 passages: those
before the last are never written again, so growing a large corpus costs only what is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

BLOCK = 65_536
# What a posting takes in memory: four bytes of an ordinal and one of a weight.
_BYTES = 5
_POSTING = np.dtype([("ordinal", "<u2"), ("weight", "u1")])


class Postings:
    """Occurrences of one stem: ordinals ascending, weights from 1 to 255.

    Attributes:
        count: The number of passages.
        most: The highest weight.
        table: Of a stem that stands in many passages, the weights by ordinal, 0 where it does not stand: it
            takes less memory than ordinals and is read without looking for them. `None` for others.
    """

    __slots__ = ("_ordinals", "_weights", "count", "most", "table")

    def __init__(self, ordinals: npt.NDArray[np.uint32], weights: npt.NDArray[np.uint8]) -> None:
        """Hold ordinals and weights."""
        self._ordinals, self._weights = ordinals, weights
        self.count = len(ordinals)
        self.most = int(weights.max(initial=0))
        self.table: npt.NDArray[np.uint8] | None = None

    @property
    def ordinals(self) -> npt.NDArray[np.uint32]:
        """The ordinals, ascending."""
        return self._ordinals if self.table is None else np.flatnonzero(self.table).astype(np.uint32)

    @property
    def weights(self) -> npt.NDArray[np.uint8]:
        """The weights in the order of `ordinals`."""
        if self.table is None:
            return self._weights
        weights: npt.NDArray[np.uint8] = self.table[self.table > 0]
        return weights

    @property
    def size(self) -> int:
        """Size in memory, in bytes."""
        held = self._ordinals.nbytes + self._weights.nbytes
        return 300 + (held if self.table is None else self.table.nbytes)

    def compact(self) -> Postings:
        """Return these, as a table where that takes less memory."""
        length = int(self._ordinals[-1]) + 1 if self.table is None and self.count else 0
        if self.count * _BYTES <= length:
            return self
        table = np.zeros(length, np.uint8)
        table[self._ordinals] = self._weights
        found = Postings(NONE.ordinals, NONE.weights)
        found.count, found.most, found.table = self.count, self.most, table
        return found

    def weights_of(self, ordinals: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
        """Return the weights in some passages, 0 where it does not stand; ascending ordinals are quickest."""
        found: npt.NDArray[np.uint8]
        if self.table is not None:
            found = self.table.take(ordinals, mode="clip")
            found *= ordinals < len(self.table)
            return found
        if not self.count:
            return np.zeros(len(ordinals), np.uint8)
        at = self._ordinals.searchsorted(ordinals)
        found = self._weights.take(at, mode="clip")
        found *= self._ordinals.take(at, mode="clip") == ordinals
        return found

    def before(self, ordinal: int) -> Postings:
        """Return those before an ordinal."""
        if self.table is None and (not self.count or self._ordinals[-1] < ordinal):
            return self
        ordinals, weights = self.ordinals, self.weights
        end = int(np.searchsorted(ordinals, ordinal))
        return Postings(ordinals[:end], weights[:end])

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
