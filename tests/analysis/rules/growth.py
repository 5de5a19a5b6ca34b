"""Whether reading time grows with the length of a hostile text or with its square."""

import time
from collections.abc import Callable

SHORT, LONG = 4_000, 32_000


def seconds(read: Callable[[str], object], text: str) -> float:
    started = time.perf_counter()
    read(text)
    return time.perf_counter() - started


def assert_linear(read: Callable[[str], object], unit: str) -> None:
    """Eight times the text may take twenty times as long (noise), not sixty-four; a slow run is repeated."""
    measured = []
    for _ in range(3):
        measured.append((seconds(read, (unit * SHORT)[:SHORT]), seconds(read, (unit * LONG)[:LONG])))
        if measured[-1][1] < 20 * measured[-1][0] + 0.1:
            return
    raise AssertionError(f"{unit!r}: seconds for {SHORT} and {LONG} characters: {measured}")
