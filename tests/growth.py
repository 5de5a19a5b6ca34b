"""Whether the time that reading takes grows with the length of a hostile text or with its square."""

import gc
import time
from collections.abc import Callable

SHORT, LONG = 6_400, 32_000
TRIES = 3


def _seconds(read: Callable[[str], object], text: str) -> float:
    """The processor's, so that a neighbour's work does not count.

    Nor does the collector's: late in a test run it visits millions of objects of other tests, now and then,
    and more often for the longer text. What the text itself makes is still collected.
    """
    gc.freeze()
    try:
        started = time.process_time()
        read(text)
        return time.process_time() - started
    finally:
        gc.unfreeze()


def assert_linear(read: Callable[[str], object], unit: str, *, short: int = SHORT, long: int = LONG) -> None:
    """`unit` over and over, `short` and `long` characters of it.

    The growth in length may cost two and a half times its share of time, and a tenth of a second is nobody's;
    its square, at the sizes used here, is five times its share. What once took its share is linear, so a
    measurement that a machine spoiled is taken again. A square that stays under the tenth is not found.
    """
    measured = []
    for _ in range(TRIES):
        measured.append(tuple(_seconds(read, (unit * (n // len(unit) + 1))[:n]) for n in (short, long)))
        if measured[-1][1] < 2.5 * long / short * measured[-1][0] + 0.1:
            return
    raise AssertionError(f"{unit[:40]!r}: seconds for {short} and {long} characters: {measured}")
