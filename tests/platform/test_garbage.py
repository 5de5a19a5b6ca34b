"""What is loaded is left alone by the collector, and what comes after it is looked through less often."""

from __future__ import annotations

import gc

from app.platform.processes import garbage


def test_what_is_loaded_is_left_alone() -> None:
    before, kept = gc.get_threshold(), {"loaded": []}
    try:
        garbage.settle()
        assert gc.get_freeze_count() > 0
        assert not any(one is kept for one in gc.get_objects())
        assert gc.get_threshold()[0] > 700
        assert gc.get_threshold()[1:] == before[1:]
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
