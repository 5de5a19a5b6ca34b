"""Count the periods that a rule sets by law, from the days that the document gives for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any, Final

from app.deadlines import (
    COUNTING,
    Unit,
    add_months,
    contribution_payment,
    count_abroad,
    personal_action,
    tax_payment,
)
from app.rules.facts.keyword_index import table
from app.rules.periods.bases import Anchor, Bases, part_names
from app.text.bilingual import Bilingual

# Calendars in which no holiday moves a day, so that no local one can.
CIVIL: Final = frozenset({"civil", "personal_action", "agency_notice"})


@dataclass(frozen=True, slots=True)
class Counted:
    """The day from which a period runs, and the days that come of it, in the order of the rule's `runs`."""

    since: Anchor
    days: tuple[date, ...]


def count(parameters: Mapping[str, Any], bases: Bases) -> tuple[Counted, ...]:
    """Return what comes of the period of a rule, for the first of its bases that the document dates.

    Args:
        parameters: those of the rule. `since` names bases in order of preference; `each` counts from each of
            their days and not only from the first. `calendar` is one of `app.deadlines`, "tax_payment" (with
            `enforced`), "contribution_payment", "personal_action", "agency_notice" (with `until_of`, the
            bases of its beginning), or a regime of another country ("CO:procesal"). The period is `number` of
            `unit`, or `runs`: for each day told a list of steps (number, unit, and a calendar of its own
            where it has one), a negative one counted backwards from the day before it.
            With `to_come`, days before the document's own are left out: parents came of age long ago.
            `met_by` names what the period is the limit of (`met`).
            With `longest`, it is counted only for a contract that ends within so many months.
        bases: the days of the document.
    """
    for part in parameters.get("since", ()):
        anchors = bases.get(part)
        if anchors:
            longest, end = parameters.get("longest"), bases.first("end")
            if longest is not None and (end is None or end.day > add_months(anchors[0].day, longest)):
                return ()
            chosen = anchors if parameters.get("each") else anchors[:1]
            counted = tuple(_counted(parameters, chosen, bases))
            own = bases.first("written") if parameters.get("to_come") else None
            return tuple(one for one in counted if own is None or max(one.days) > own.day)
    return ()


def met(parameters: Mapping[str, Any], counted: Sequence[Counted], bases: Bases) -> bool:
    """Tell whether what a period is the limit of came in time, so that nobody has it before him any more.

    `met_by` names the bases of that event: a decision that was notified within the months of its procedure
    has no last day to heed.
    """
    events = [anchor for part in parameters.get("met_by", ()) for anchor in bases.get(part)[:1]]
    days = [day for one in counted for day in one.days]
    return bool(events and days) and events[0].day <= min(days)


def missing(parameters: Mapping[str, Any]) -> Bilingual | None:
    """Return the name of the day that the period of a rule runs from."""
    parts: Sequence[str] = parameters.get("since", ())
    return _names().get(parts[0]) if parts else None


@cache
def _names() -> Mapping[str, Bilingual]:
    """Return the name of each part that a day may play."""
    told = {key: Bilingual(one["es"], one["en"]) for key, one in table("bases.toml")["names"].items()}
    return told | dict(part_names())


def _counted(parameters: Mapping[str, Any], anchors: Sequence[Anchor], bases: Bases) -> Iterator[Counted]:
    for anchor in anchors:
        try:
            if parameters["calendar"] == "agency_notice":
                days = _agency_notice(parameters, anchor.day, bases)
            else:
                days = _days(parameters, anchor.day)
        except (ValueError, OverflowError):
            continue
        yield Counted(anchor, days)


def _agency_notice(parameters: Mapping[str, Any], given: date, bases: Bases) -> tuple[date, ...]:
    """Return the last day of the legal notice of an agency contract (art. 25 of Law 12/1992).

    Raises:
        ValueError: where the contract did not last six whole years or less than one: then how its years are
            counted is disputed, and no day is told.
    """
    began = [one.day for part in parameters["until_of"] for one in bases.get(part) if one.day < given]
    if not began:
        raise ValueError("the contract has no beginning")
    first = min(began)
    if add_months(first, 72) <= given:
        months = 6
    elif add_months(first, 12) > given:
        months = 1
    else:
        raise ValueError("the months of notice are disputed")
    end = add_months(given, months)
    return (add_months(end.replace(day=1), 1) - timedelta(days=1),)


def _days(parameters: Mapping[str, Any], since: date) -> tuple[date, ...]:
    """Return the days that come of the period.

    Raises:
        ValueError: where a period is out of range.
        OverflowError: where it ends behind the last day of the calendar.
    """
    calendar = parameters["calendar"]
    if calendar == "tax_payment":
        return (tax_payment(since, enforced=bool(parameters["enforced"])).due,)
    if calendar == "contribution_payment":
        return (contribution_payment(since).due,)
    if calendar == "personal_action":
        return personal_action(since).days
    runs = parameters.get("runs") or [[[parameters["number"], parameters["unit"]]]]
    found = []
    for steps in runs:
        day = since
        for number, unit, *own in steps:
            day = _step(own[0] if own else calendar, day, number, unit)
        found.append(day)
    return tuple(found)


_ABROAD: Final[Mapping[Unit, str]] = {
    "day": "naturales",
    "natural_day": "naturales",
    "business_day": "habiles",
    "month": "meses",
    "year": "anios",
}


def _step(calendar: str, day: date, number: int, unit: Unit) -> date:
    code, abroad, regime = calendar.partition(":")
    if abroad and number > 0:
        return count_abroad(code, day, number, _ABROAD[unit], regime=regime).due
    if number > 0:
        return COUNTING[calendar](day, number, unit, ()).due  # type: ignore[index]
    if unit in ("month", "year"):
        return add_months(day, number * (12 if unit == "year" else 1))
    return day + timedelta(days=number)
