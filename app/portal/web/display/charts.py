"""Geometry of server-rendered SVG charts, 300 by 100 units stretched to their box. Pure.

Text and axis labels are HTML beside the SVG, so that they are not stretched.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

WIDTH, HEIGHT = 300, 100
_FILLED, _WIDEST = 0.76, 24.0
_TICKS = 4
# Columns narrower than with so many periods nobody can point at.
POINTED_AT = 124

Value = tuple[date, int | None]


@dataclass(frozen=True, slots=True)
class Column:
    """One period and its column. `value` is `None` without a measurement."""

    start: date
    value: int | None
    left: float
    wide: float


@dataclass(frozen=True)
class Chart:
    """A chart of `values`, oldest first; `earlier` is the period before, drawn to the same scale.

    `ceiling` is the value at the upper edge. `bars`, `weekend_bars`, `line` and `before` (the line of
    `earlier`) are SVG path data, empty where there is nothing to draw. Weekends are marked where `is_daily`.
    """

    values: Sequence[Value]
    earlier: Sequence[Value]
    ceiling: int
    is_daily: bool = True

    @property
    def bars(self) -> str:
        """Path of the bars of Monday to Friday, one path for all."""
        return self._bars(range(5))

    @property
    def weekend_bars(self) -> str:
        """Path of the bars of Saturday and Sunday."""
        return self._bars(range(5, 7))

    @cached_property
    def line(self) -> str:
        """Path of the line of `values`."""
        return _path(self.values, self.ceiling)

    @cached_property
    def before(self) -> str:
        """Path of the line of `earlier`."""
        return _path(self.earlier, self.ceiling)

    @property
    def first(self) -> date:
        """Start of the first period."""
        return self.values[0][0]

    @property
    def last(self) -> date:
        """Start of the last period."""
        return self.values[-1][0]

    @property
    def ticks(self) -> list[date]:
        """The starts to write under the axis, evenly spaced, including the first and the last."""
        last = len(self.values) - 1
        if last < 0:
            return []
        places = dict.fromkeys(round(i * last / (_TICKS - 1)) for i in range(_TICKS))
        return [self.values[place][0] for place in places]

    @property
    def columns(self) -> Sequence[Column]:
        """The columns that show their value on hover; none with more than `POINTED_AT` periods."""
        if len(self.values) > POINTED_AT:
            return ()
        wide = self._wide
        return [
            Column(start, value, round(number * wide, 2), round(wide, 2))
            for number, (start, value) in enumerate(self.values)
        ]

    @property
    def peak(self) -> Value | None:
        """The highest period, the first of several; `None` where no value is above zero."""
        highest = max(self.values, key=lambda item: item[1] or 0, default=None)
        return highest if highest and highest[1] else None

    @property
    def lowest(self) -> int:
        """The lowest value, 0 without values."""
        return min((value for _, value in self.values if value is not None), default=0)

    @property
    def _wide(self) -> float:
        return WIDTH / max(1, len(self.values))

    def _bars(self, weekdays: range) -> str:
        wide = min(self._wide * _FILLED, _WIDEST)
        inset, scale = (self._wide - wide) / 2, HEIGHT / self.ceiling
        return "".join(
            f"M{number * self._wide + inset:.2f} {HEIGHT}v-{value * scale:.2f}h{wide:.2f}V{HEIGHT}z"
            for number, (start, value) in enumerate(self.values)
            if value and start.weekday() in weekdays
        )


def chart(values: Sequence[Value], before: Sequence[Value] = (), *, is_daily: bool = True) -> Chart:
    """Return the chart of `values`, oldest first; `before` is the period before, drawn to the same scale."""
    highest = max((value or 0 for _, value in itertools.chain(values, before)), default=0)
    return Chart(values, before, rounded_up(highest), is_daily)


def rounded_up(value: int) -> int:
    """Round up to a value that is easy to read and whose half is round: 2, 4, 6, 8, 10, 12, 16, 20, 30."""
    if value <= 10:
        return max(2, value + value % 2)
    scale = int(10 ** (len(str(value)) - 1))
    return next(
        step * scale // 10
        for step in (10, 12, 16, 20, 30, 40, 50, 60, 80, 100)
        if step * scale // 10 >= value
    )


def _path(values: Sequence[Value], ceiling: int) -> str:
    """Return the path of a line; it is interrupted where a value is missing, and a single point is a dot."""
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
