"""A sparse matrix and its products with dense ones, on numpy alone. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Dense = npt.NDArray[np.float32]
# Stored values multiplied at once: bounds the memory of a product, whatever the size of the matrix.
_AT_ONCE = 200_000


@dataclass(frozen=True, slots=True)
class Sparse:
    """Compressed rows: row `i` holds `values[starts[i]:starts[i+1]]` in the columns of the same slice."""

    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: Dense
    width: int

    @property
    def height(self) -> int:
        return len(self.starts) - 1

    def times(self, dense: Dense) -> Dense:
        """This matrix times a dense one."""
        product = np.zeros((self.height, dense.shape[1]), np.float32)
        row = 0
        while row < self.height:
            end = int(np.searchsorted(self.starts, self.starts[row] + _AT_ONCE, side="right")) - 1
            end = min(self.height, max(end, row + 1))
            first, last = int(self.starts[row]), int(self.starts[end])
            if last > first:
                filled = self.starts[row:end] < self.starts[row + 1 : end + 1]
                scaled = dense[self.columns[first:last]] * self.values[first:last, None]
                sums = np.add.reduceat(scaled, self.starts[row:end][filled] - first, axis=0)
                product[row:end][filled] = sums
            row = end
        return product

    def transposed(self) -> Sparse:
        order = np.argsort(self.columns, kind="stable")
        rows = np.repeat(np.arange(self.height, dtype=np.int32), np.diff(self.starts))
        starts = np.zeros(self.width + 1, np.int64)
        np.cumsum(np.bincount(self.columns, minlength=self.width), out=starts[1:])
        return Sparse(starts, rows[order], self.values[order], self.height)


def principal(matrix: Sparse, dimensions: int, *, rounds: int = 2, seed: int = 20_170_501) -> Dense:
    """The leading right singular vectors times the inverse square root of their singular values, one
    column each.

    Randomised subspace iteration (Halko, Martinsson and Tropp 2011, algorithm 4.4). Fewer columns come back
    where the matrix has not as many dimensions.
    """
    wanted = min(dimensions + 16, matrix.height, matrix.width)
    across = matrix.transposed()
    basis: Dense = np.random.default_rng(seed).standard_normal((matrix.width, wanted)).astype(np.float32)
    for _ in range(rounds):
        left, _ = np.linalg.qr(matrix.times(basis))
        basis, _ = np.linalg.qr(across.times(left))
    _, singular, turned = np.linalg.svd(matrix.times(basis), full_matrices=False)
    kept = min(dimensions, int((singular > 1e-4 * max(float(singular[0]), 1e-9)).sum()))
    found: Dense = (basis @ turned[:kept].T) / np.sqrt(singular[:kept])
    return found.astype(np.float32)
