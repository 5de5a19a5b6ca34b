"""Tell the garbage collector what a process that has loaded everything needs of it."""

from __future__ import annotations

import gc
from typing import Final

# So many containers more than are gone again, and those made since are looked through. A request makes some
# thousands that its end frees without the collector; with Python's 700 it looks at them all meanwhile.
_YOUNG: Final = 5_000


def settle() -> None:
    """Leave alone what is loaded, and look for cycles among what comes after it less often.

    Rules and registry live as long as the process, so the collector need not walk through them each time, nor
    write into memory that a forked process shares.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
