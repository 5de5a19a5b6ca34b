"""Record how far an analysis has come: its stage and some counts, never a word of the document.

`recording` is the span of one analysis; outside of such a span the functions here do nothing. They change a
value in memory and wait for nothing, so they may be called with the CPU lock held (decision 074).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, get_args

Stage = Literal["reading", "law", "drafting", "judging", "restating", "auditing", "repair"]

STAGES: Final[tuple[Stage, ...]] = get_args(Stage)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an analysis has come: fixed words and numbers.

    Attributes:
        stage: what is being done.
        stages: what is done in all, in this order; `restating` and `repair` join them when node A is asked
            again.
        parts: the parts in which a model reads the document; 1 where it is read whole.
        parts_read: how many of them are read.
        sources_found: passages of law found for the document, and citations found in the loaded law.
        statements_judged: statements whose citations were checked and whose locks are assigned.
    """

    stage: Stage = "reading"
    stages: tuple[Stage, ...] = ("reading", "drafting", "judging")
    parts: int = 1
    parts_read: int = 0
    sources_found: int = 0
    statements_judged: int = 0

    def as_plain(self) -> dict[str, Any]:
        """Return the progress as JSON values."""
        return {**asdict(self), "stages": list(self.stages)}

    @classmethod
    def from_plain(cls, plain: Any) -> Progress:
        """Return what `as_plain` gave. Raises `ValueError` for anything else."""
        counts = ("parts", "parts_read", "sources_found", "statements_judged")
        if (
            not isinstance(plain, dict)
            or set(plain) != {"stage", "stages", *counts}
            or not isinstance(plain["stages"], list)
            or not all(one in STAGES for one in plain["stages"])
            or plain["stage"] not in plain["stages"]
            or not all(type(plain[name]) is int for name in counts)
        ):
            raise ValueError("not the progress of an analysis")
        return cls(**{**plain, "stages": tuple(plain["stages"])})


class ProgressRecorder:
    """The progress of one analysis. Thread-safe: its parts are read at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = Progress()

    @property
    def now(self) -> Progress:
        """Return the progress at this moment."""
        return self._now

    def change(self, *, more_parts: int = 0, more_read: int = 0, **values: Any) -> None:
        """Set fields of the progress; `more_parts` and `more_read` are added to their counts."""
        with self._lock:
            now = self._now
            if more_parts or more_read:
                values["parts"] = now.parts + more_parts
                values["parts_read"] = min(now.parts_read + more_read, values["parts"])
            self._now = replace(now, **values)


_recorder: ContextVar[ProgressRecorder | None] = ContextVar("progress_recorder", default=None)


@contextmanager
def recording(recorder: ProgressRecorder) -> Iterator[None]:
    """Record in `recorder` what the analysis within reports."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)


def begin(*, law: bool, deep: bool) -> None:
    """Begin with the stage `reading`.

    Args:
        law: whether law is looked up for a model.
        deep: whether the analysis is audited.
    """
    left_out = {"restating", "repair", *(() if law else ("law",)), *(() if deep else ("auditing",))}
    _change(
        stage="reading",
        stages=tuple(one for one in STAGES if one not in left_out),
        parts=1,
        parts_read=0,
        sources_found=0,
        statements_judged=0,
    )


def stage(name: Stage) -> None:
    """Tell that this stage begins."""
    recorder = _recorder.get()
    if recorder is not None:
        stages = recorder.now.stages
        joined = tuple(one for one in STAGES if one in stages or one == name)
        recorder.change(stage=name, stages=joined)


def parts(number: int) -> None:
    """Tell that the document is read in so many parts, from the first again."""
    _change(parts=number, parts_read=0)


def part_halved() -> None:
    """Tell that a part is read in two."""
    _change(more_parts=1)


def part_read() -> None:
    """Tell that a part is read."""
    _change(more_read=1)


def sources_found(number: int) -> None:
    """Tell how many sources were found."""
    _change(sources_found=number)


def statements_judged(number: int) -> None:
    """Tell how many statements are judged."""
    _change(statements_judged=number)


def _change(**values: Any) -> None:
    recorder = _recorder.get()
    if recorder is not None:
        recorder.change(**values)
