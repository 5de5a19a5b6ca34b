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
# Columns narrower than with so many periods nobody can point at; the table below the charts has every value.
_POINTED_AT = 124

Value = tuple[date, int | None]


@dataclass(frozen=True, slots=True)
class Slot:
    """One period and the column that belongs to it. `value` is `None` without a measurement."""

    start: date
    value: int | None
    left: float
    wide: float


@dataclass(frozen=True, slots=True)
class Chart:
    """`ceiling` is the value at the upper edge. The others are path data, empty where there is nothing to
    draw: the bars of weekdays and of weekends; a line, and that of the period before.
    """

    slots: tuple[Slot, ...]
    ceiling: int
    bars: str
    weekend_bars: str
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
    def columns(self) -> Sequence[Slot]:
        """What shows its value when it is pointed at."""
        return self.slots if len(self.slots) <= _POINTED_AT else ()

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
    slots = tuple(
        Slot(start, value, round(number * wide, 2), round(wide, 2))
        for number, (start, value) in enumerate(values)
    )
    bars = _bars(slots, ceiling)
    return Chart(
        slots,
        ceiling,
        "".join(bar for start, bar in bars if start.weekday() < 5),
        "".join(bar for start, bar in bars if start.weekday() >= 5),
        _path(values, ceiling),
        _path(before, ceiling),
    )


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


def _bars(slots: Sequence[Slot], ceiling: int) -> list[tuple[date, str]]:
    """Each period with a value, and its bar as a closed path: a year's are drawn as two elements."""
    drawn = []
    for slot in slots:
        if slot.value:
            wide = min(slot.wide * _FILLED, 24.0)
            left, high = slot.left + (slot.wide - wide) / 2, HEIGHT * slot.value / ceiling
            drawn.append((slot.start, f"M{left:.2f} {HEIGHT}v-{high:.2f}h{wide:.2f}V{HEIGHT}z"))
    return drawn


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
