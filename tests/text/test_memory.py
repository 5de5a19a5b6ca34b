"""Free memory given back to the system."""

from __future__ import annotations

from app.text import memory


def test_it_may_be_given_back_at_any_time() -> None:
    kept = bytearray(b"kept") * 1_000
    memory.give_back()
    memory.give_back()
    assert kept[-4:] == b"kept"
