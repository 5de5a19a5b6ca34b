"""Geometry of charts that the server draws: an SVG of 300 by 100 stretched to its box. Pure.

Words, totals and axis labels are HTML beside it, so that they never stretch.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

WIDTH, HEIGHT = 300, 100
_FILLED = 0.76
_TICKS = 4

Value = tuple[date, int | None]


@dataclass(frozen=True, slots=True)
class Slot:
    """One period: its bar, and the column that belongs to it. `value` is `None` without a measurement."""

    start: date
    value: int | None
    left: float
    wide: float
    bar_left: float
    bar_wide: float
    top: float
    high: float

    @property
    def weekend(self) -> bool:
        return self.start.weekday() >= 5


@dataclass(frozen=True, slots=True)
class Chart:
    """`ceiling` is the value at the upper edge; `line` and `before` are path data, empty without points."""

    slots: tuple[Slot, ...]
    ceiling: int
    line: str
    before: str

    @property
    def ticks(self) -> list[date]:
        """The starts that are written under the axis, evenly apart, the first and the last among them."""
        last = len(self.slots) - 1
        if last < 0:
            return []
        places = dict.fromkeys(round(i * last / (_TICKS - 1)) for i in range(_TICKS))
        return [self.slots[place].start for place in places]

    @property
    def peak(self) -> Slot | None:
        """The highest period, the first of them where several are; `None` where nothing is above zero."""
        measured = [slot for slot in self.slots if slot.value]
        return max(measured, key=lambda slot: slot.value or 0) if measured else None

    @property
    def lowest(self) -> int:
        return min((slot.value for slot in self.slots if slot.value is not None), default=0)


def chart(values: Sequence[Value], before: Sequence[Value] = ()) -> Chart:
    """The chart of `values`, oldest first; `before` is the period before, drawn to the same scale."""
    ceiling = rounded_up(max((value or 0 for _, value in itertools.chain(values, before)), default=0))
    wide = WIDTH / max(1, len(values))
    bar_wide = min(wide * _FILLED, 24.0)
    slots = []
    for number, (start, value) in enumerate(values):
        high = HEIGHT * (value or 0) / ceiling
        left = number * wide
        slots.append(
            Slot(
                start=start,
                value=value,
                left=round(left, 2),
                wide=round(wide, 2),
                bar_left=round(left + (wide - bar_wide) / 2, 2),
                bar_wide=round(bar_wide, 2),
                top=round(HEIGHT - high, 2),
                high=round(high, 2),
            )
        )
    return Chart(tuple(slots), ceiling, _path(values, ceiling), _path(before, ceiling))


def rounded_up(value: int) -> int:
    """The next value that is easy to read and has a half that is too: 2, 4, 6, 8, 10, 12, 16, 20, 30, …"""
    if value <= 10:
        return max(2, value + value % 2)
    scale = int(10 ** (len(str(value)) - 1))
    return next(
        step * scale // 10
        for step in (10, 12, 16, 20, 30, 40, 50, 60, 80, 100)
        if step * scale // 10 >= value
    )


def _path(values: Sequence[Value], ceiling: int) -> str:
    """A line through what was measured; it stops where nothing was, and one point alone is a dot."""
    wide = WIDTH / max(1, len(values))
    written: list[str] = []
    for known, run in itertools.groupby(enumerate(values), key=lambda item: item[1][1] is not None):
        if not known:
            continue
        points = [
            f"{(number + 0.5) * wide:.1f} {HEIGHT - HEIGHT * (value or 0) / ceiling:.1f}"
            for number, (_, value) in run
        ]
        written.append(f"M{'L'.join(points)}" + ("h.01" if len(points) == 1 else ""))
    return "".join(written)
