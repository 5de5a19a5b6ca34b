"""Read times of day: "7:00", "siete de la mañana", "3 pm". Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from app.analysis.support.words import Token, is_unit

_MORNING: Final = frozenset({"manana", "madrugada", "morning", "am"})
_AFTERNOON: Final = frozenset({"tarde", "afternoon", "evening", "pm"})
_NIGHT: Final = frozenset({"noche", "night"})
_BETWEEN: Final = frozenset({"de", "la", "in", "the", "at"})
_TO: Final = frozenset({"a", "y", "to", "and", "-", "–"})
_NOON, _DAY, _HOUR, _AT_NIGHT = 12, 24, 60, 3
_WORDS_BEHIND: Final = 3


class ClockTime(NamedTuple):
    """A time of day at `start:end` of a text, in minutes from midnight."""

    minutes: int
    start: int
    end: int


def clock_times(tokens: Sequence[Token]) -> list[ClockTime]:
    """Return the times of day among `tokens`, in order.

    Of "de siete a nueve de la mañana" and "between eight and ten in the morning", both are in the morning.
    """
    found: list[ClockTime] = []
    for at, token in enumerate(tokens):
        hour = _whole(token, _DAY)
        if hour is None or (found and token.start < found[-1].end):
            continue
        minutes, last = _with_minutes(tokens, at)
        half = next(_halves(tokens, last + 1), 0)
        if half == 0 and last == at:
            half = _of_next(tokens, at)
            if half == 0:
                continue  # a number, no time of day
        if half and hour <= _NOON:
            midnight = half == _AT_NIGHT and hour == _NOON
            hour = 0 if midnight else hour % _NOON + (half > 1) * _NOON
        found.append(ClockTime(hour * _HOUR + minutes, token.start, tokens[last].end))
    return found


def _whole(token: Token, below: int) -> int | None:
    """Return a whole number from 0 to `below`."""
    if token.kind != "number" or token.figure is None or token.figure % 1 or token.figure >= below + 1:
        return None
    return int(token.figure)


def _with_minutes(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return the minutes of "7:30" and the place of its last token; 0 and `at` where there are none."""
    if (
        at + 2 < len(tokens)
        and tokens[at + 1].text in (":", ".")
        and tokens[at + 1].start == tokens[at].end
        and tokens[at + 2].start == tokens[at + 1].end
        and tokens[at + 2].end - tokens[at + 2].start == len("00")
        and (minutes := _whole(tokens[at + 2], _HOUR - 1)) is not None
    ):
        return minutes, at + 2
    return 0, at


def _halves(tokens: Sequence[Token], start: int) -> Iterator[int]:
    """Yield 1 where the morning is named at `start`, 2 where the afternoon is, 3 where the night is."""
    for one in tokens[start : start + _WORDS_BEHIND]:
        if one.text in _MORNING:
            yield 1
        elif one.text in _AFTERNOON:
            yield 2
        elif one.text in _NIGHT:
            yield _AT_NIGHT
        elif one.text not in _BETWEEN and not is_unit(one):
            return


def _of_next(tokens: Sequence[Token], at: int) -> int:
    """Return the half of the day of "eight and ten in the morning" at "eight"; 0 where there is none."""
    if at + 2 < len(tokens) and tokens[at + 1].text in _TO and _whole(tokens[at + 2], _NOON) is not None:
        return next(_halves(tokens, _with_minutes(tokens, at + 2)[1] + 1), 0)
    return 0
