"""Compute when a personal action is time-barred in Spain: five years (art. 1964.2 CC). Pure.

Two rules move that day. An action born before 7 October 2015, when Law 42/2015 cut fifteen years to
five, is barred on 7 October 2020 at the latest (its fifth transitional provision and art. 1939 CC). And
limitation stood still from 14 March to 3 June 2020 (fourth additional provision of Royal Decree 463/2020,
lifted by art. 10 of Royal Decree 537/2020): the days that it stood still are added.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from app.deadlines.calendars import add_months

_REFORM: Final = date(2015, 10, 7)
_STOPPED: Final = date(2020, 3, 14)
_RESUMED: Final = date(2020, 6, 4)


@dataclass(frozen=True, slots=True)
class Limitation:
    """The last day by the plain count, and with the days that limitation stood still in 2020 if any."""

    nominal: date
    suspended: date | None = None

    @property
    def days(self) -> tuple[date, ...]:
        """Return the days, the plain count first."""
        return (self.nominal,) if self.suspended is None else (self.nominal, self.suspended)


def personal_action(claimable: date) -> Limitation:
    """Return when an action that could be brought from `claimable` on is time-barred, uninterrupted."""
    if claimable < _REFORM:
        nominal = min(add_months(claimable, 180), add_months(_REFORM, 60))
    else:
        nominal = add_months(claimable, 60)
    if nominal < _STOPPED or claimable >= _RESUMED:
        return Limitation(nominal)
    still = (_RESUMED - max(claimable, _STOPPED)).days
    return Limitation(nominal, nominal + timedelta(days=still))
