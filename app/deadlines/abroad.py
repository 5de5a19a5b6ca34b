"""Count periods of other countries than Spain, by the calendars and rules of `data/countries`.

A file names the holidays of the years that are known, and for each regime which days count, what a month is
and whether the last day moves. Invariant: a day that is not known to be a holiday counts, so that a period
may end too early, never too late.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from app.deadlines.calendars import LONGEST_DAYS, add_months
from app.deadlines.steps import Step
from app.platform.data_files import Entry, Filled, FromList, Texts, read_file

_FOLDER: Final = Path(__file__).parent / "data" / "countries"
_DAY: Final = timedelta(days=1)
_MONTH_DAY: Final = r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"
_MOST_MONTHS: Final = 1_200
_Text = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class _Regime(Entry):
    """How a body of law counts.

    `holidays` names a calendar of the file; `weekend` days of the week that do not count, Monday 0. `days`,
    `natural` and `months` are the articles on working days, calendar days and months; `rolls` that by which a
    last day that does not count moves on. `recess` are stretches of the year in which nothing runs. A month
    that lacks the day ends on its `last` day, or on the `next_working` one of the month after. `continuous`
    counts calendar days outside the recess even where working days are asked for.
    """

    id: Filled
    holidays: Filled
    weekend: Annotated[tuple[Annotated[int, Field(ge=0, le=6)], ...], FromList]
    text: Filled
    days: Filled
    months: Filled
    natural: Filled | None = None
    rolls: str = ""
    recess: Annotated[
        tuple[Annotated[tuple[Annotated[str, Field(pattern=_MONTH_DAY)], ...], FromList], ...], FromList
    ] = ()
    overflow: Literal["last", "next_working"] = "last"
    month_days: Annotated[int, Field(ge=0)] = 0
    continuous: bool = False


class _Country(Entry):
    """The file of a country."""

    code: Annotated[str, Field(pattern="^[A-Z]{2}$")]
    calendars: dict[Filled, Texts]
    regime: Annotated[tuple[_Regime, ...], FromList]


@dataclass(frozen=True, slots=True)
class Counted:
    """The last day of a period, the rule in words with its article, what must be noted, and the steps."""

    due: date
    rule: str
    adjustments: tuple[str, ...]
    steps: tuple[Step, ...]
    regime: str
    assumed: bool


@cache
def countries() -> Mapping[str, _Country]:
    """Return the countries whose periods are counted, by code."""
    read = (read_file(path, _Country) for path in sorted(_FOLDER.glob("*.toml")))
    return MappingProxyType({one.code: one for one in read})


def regimes(code: str) -> tuple[str, ...]:
    """Return the regimes known of a country; none for one that is not counted."""
    known = countries().get(code)
    return tuple(one.id for one in known.regime) if known is not None else ()


def count(
    code: str, start: date, amount: int, unit: str, *, regime: str | None, local: Collection[date] = ()
) -> Counted:
    """Compute the last day of a period.

    Args:
        code: The country, one of `countries`.
        start: The day that triggers the period; it is not counted.
        amount: How many units.
        unit: habiles, naturales, meses or anios.
        regime: One of `regimes`; without, procedural for working days and months, civil for the others.
        local: Further days to exclude.

    Raises:
        ValueError: The period is longer than is computed.
        OverflowError: It ends behind the last day of the calendar.
    """
    assumed = regime is None
    wanted = regime or ("procesal" if unit in ("habiles", "meses") else "civil")
    return _Counter(code, wanted, frozenset(local)).count(start, amount, unit, assumed=assumed)


class _Counter:
    """One regime of one country with its days that do not count."""

    def __init__(self, code: str, regime: str, local: frozenset[date]) -> None:
        country = countries()[code]
        self.code, self.local = code, local
        self.law = next(one for one in country.regime if one.id == regime)
        self.holidays = frozenset(map(date.fromisoformat, country.calendars[self.law.holidays]))
        self.years = sorted({day.year for day in self.holidays})

    def count(self, start: date, amount: int, unit: str, *, assumed: bool) -> Counted:
        law = self.law
        if amount > (LONGEST_DAYS if unit in ("habiles", "naturales") else _MOST_MONTHS):
            raise ValueError("the period is too long")
        steps = [Step(start + _DAY, "Primer día del cómputo: el siguiente al inicial.", law.days)]
        skipped: list[date] = []
        if unit in ("meses", "anios"):
            nominal, basis = self._months(start, amount * (12 if unit == "anios" else 1)), law.months
        elif unit == "naturales" or law.continuous:
            nominal, basis = self._running(start, amount, skipped), law.natural or law.days
        else:
            nominal, basis = self._working(start, amount, skipped), law.days
        words = {"habiles": law.text, "naturales": "Días naturales"}.get(unit, "De fecha a fecha")
        if unit == "habiles" and law.id == "civil":
            words = "Días hábiles pactados"
        if law.continuous and unit != "meses":
            words = law.text
        told = [day.strftime("%d/%m/%Y") for day in skipped if day.weekday() not in law.weekend]
        steps.append(Step(nominal, f"Último día del cómputo: {amount} {_UNITS[unit]}.", basis))
        due = nominal
        adjustments = []
        if told:
            adjustments.append(f"No se han contado: {', '.join(told[:12])}{' …' if len(told) > 12 else ''}.")
        if law.rolls and not self._counts(nominal):
            due = next(day for day in self._after(nominal) if self._counts(day))
            steps.append(Step(due, "El último día es inhábil: se prorroga al siguiente hábil.", law.rolls))
            adjustments.append(f"Último día inhábil: se prorroga al siguiente hábil ({law.rolls}).")
        if not set(range(start.year, due.year + 1)) <= set(self.years):
            known = f"{self.years[0]} y {self.years[-1]}"
            adjustments.append(f"Solo constan los festivos de {known}: en otros años cuentan como hábiles.")
        adjustments.append("No se incluyen cierres que se acuerdan cada año ni otros festivos locales.")
        if assumed:
            adjustments.append(f"Se ha supuesto el régimen «{law.id}»: indique regime si es otro.")
        return Counted(due, f"{words} ({basis})", tuple(adjustments), tuple(steps), law.id, assumed)

    def _months(self, start: date, months: int) -> date:
        if self.law.month_days:
            return start + timedelta(days=self.law.month_days * months)
        end = add_months(start, months)
        if end.day != start.day and self.law.overflow == "next_working":
            return next(day for day in self._after(end) if self._counts(day))
        return end

    def _running(self, start: date, amount: int, skipped: list[date]) -> date:
        """Return the day after so many calendar days, those of a recess left out where the period stops."""
        if not self.law.continuous:
            return start + timedelta(days=amount)
        return self._walk(start, amount, skipped, lambda day: not self._recess(day))

    def _working(self, start: date, amount: int, skipped: list[date]) -> date:
        return self._walk(start, amount, skipped, lambda day: self._counts(day) and not self._recess(day))

    def _walk(self, start: date, amount: int, skipped: list[date], counts: Callable[[date], bool]) -> date:
        day = start
        for day in self._after(start):
            if counts(day):
                amount -= 1
                if not amount:
                    break
            else:
                skipped.append(day)
        return day

    def _after(self, day: date) -> Iterator[date]:
        for ahead in range(1, 4 * LONGEST_DAYS):
            yield day + timedelta(days=ahead)

    def _counts(self, day: date) -> bool:
        """Tell whether a day is a working one; a recess makes it none."""
        off = day.weekday() in self.law.weekend or day in self.holidays or day in self.local
        return not off and not self._recess(day)

    def _recess(self, day: date) -> bool:
        place = f"{day:%m-%d}"
        return any(
            first <= place <= last if first <= last else place >= first or place <= last
            for first, last in self.law.recess
        )


_UNITS: Final[Mapping[str, str]] = MappingProxyType(
    {"habiles": "días hábiles", "naturales": "días naturales", "meses": "meses", "anios": "años"}
)
