"""Derive the versions of an article from what the editions loaded so far say of it. Pure.

The versions are a function of the set of editions, so the order in which they were loaded does not matter:

1. A source with history (every version with its days) overrules whatever is no later than its edition; of
   several, the one of the latest edition counts.
2. A text with a day of its own (`in_force_from`) is in force from that day; a text without one was read on
   the day of the edition that had it (`last_updated`). It stands until a later reading has other words, and
   an edition of the whole law that lacks the article ends it.
3. A text without any day stands only as long as nothing dated is known of the article.
4. Of two readings of one day that differ, a text with a day of its own counts before an edition's; between
   equals, that which was loaded last: it corrects the other, and nothing else tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from app.corpus.loading.records import ArticleText, Wording
from app.platform import clock


@dataclass(frozen=True, slots=True)
class Interval:
    """Words (by their digest) in force from a day (inclusive) to a day (exclusive); `None` has no bound."""

    digest: bytes
    in_force_from: date | None
    in_force_to: date | None
    amended_by: str | None = None


class Overlap(ValueError):
    """A source gives an article two intervals that share days, or one that ends before it begins."""

    def __init__(self, first: Interval, second: Interval | None) -> None:
        """Set the message from the days that contradict each other."""
        self.first, self.second = first, second
        one = spelled(first.in_force_from, first.in_force_to)
        if second is None:
            super().__init__(f"the interval {one} ends before it has begun")
        else:
            two = spelled(second.in_force_from, second.in_force_to)
            super().__init__(f"the intervals {one} and {two} overlap")


def spelled(first: date | None, last: date | None) -> str:
    """Format an interval for people: "2020-01-01 to 2021-01-01"."""
    return f"{first or 'the beginning'} to {last or 'today'}"


@dataclass(frozen=True, slots=True)
class Day:
    """The words read on a day. `own`: the source says that they are in force from that very day."""

    digest: bytes
    own: bool = False
    until: date | None = None
    amended_by: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """All versions of an article as one source gives them, on the day of its edition."""

    edition: date | None
    versions: tuple[Interval, ...]

    @property
    def day(self) -> date:
        """The last day of which the source can speak."""
        known = [one.in_force_from for one in self.versions if one.in_force_from]
        return self.edition or max(known, default=date.min)


@dataclass(frozen=True, slots=True)
class Readings:
    """Everything known of one article that counts, without what is overruled."""

    history: History | None = None
    days: Mapping[date, Day] = field(default_factory=dict)
    undated: Day | None = None
    # The day of the edition whose heading and place the article has.
    shown: date | None = None


NOTHING = Readings()


def merged(known: Readings, found: ArticleText, *, history: bool, edition: date | None) -> Readings:
    """Add what one more source says of the article.

    Args:
        known: What is known so far.
        found: The article in the source.
        history: Whether the source has every version with its days.
        edition: The day of the source's edition, if it has one.

    Raises:
        Overlap: The source contradicts itself or, about days of its own, what is known.
    """
    if history:
        made = History(edition, _in_order(found.wordings))
        if known.history is not None and made.day < known.history.day:
            return known
        later = {day: one for day, one in known.days.items() if day > made.day}
        return Readings(made, later, shown=known.shown)
    for wording in found.wordings:
        known = _with_day(known, wording, edition)
    return known


def day_of(found: ArticleText, edition: date | None) -> date:
    """Return the day as of which a source shows an article: its edition's, else that of its latest words."""
    known = [one.in_force_from for one in found.wordings if one.in_force_from]
    return edition or max(known, default=date.min)


def _with_day(known: Readings, wording: Wording, edition: date | None) -> Readings:
    day = wording.in_force_from or edition
    made = Day(wording.digest, wording.in_force_from is not None, wording.in_force_to, wording.amended_by)
    if day is None:
        return known if known.history or known.days else replace(known, undated=made)
    if made.until is not None and made.until <= day:
        raise Overlap(Interval(made.digest, day, made.until), None)
    if known.history is not None and day <= known.history.day:
        return known
    before = known.days.get(day)
    if before is not None and before.own and not made.own:
        return known
    days = {**known.days, day: made}
    _refuse_overlaps(days)
    return Readings(known.history, dict(sorted(days.items())), shown=known.shown)


def _refuse_overlaps(days: Mapping[date, Day]) -> None:
    """Refuse an end that a source gives and that is later than the next beginning that a source gives."""
    before: Interval | None = None
    for day, one in sorted(days.items()):
        if not one.own:
            continue
        made = Interval(one.digest, day, one.until)
        if before is not None and before.in_force_to is not None and before.in_force_to > day:
            raise Overlap(before, made)
        before = made


def _in_order(wordings: Iterable[Wording]) -> tuple[Interval, ...]:
    """Return the versions of a history, oldest first; one without an end lasts until the next begins."""
    ordered = sorted(wordings, key=lambda one: one.in_force_from or date.min)
    made = [Interval(one.digest, one.in_force_from, one.in_force_to, one.amended_by) for one in ordered]
    for place, one in enumerate(made):
        following = made[place + 1] if place + 1 < len(made) else None
        if following is not None and one.in_force_to is None and following.in_force_from is not None:
            one = made[place] = replace(one, in_force_to=following.in_force_from)
        if one.in_force_from and one.in_force_to and one.in_force_to <= one.in_force_from:
            raise Overlap(
                one, following if following and following.in_force_from == one.in_force_from else None
            )
        if following is not None and (
            one.in_force_to is None
            or following.in_force_from is None
            or following.in_force_from < one.in_force_to
        ):
            raise Overlap(one, following)
    return tuple(made)


def resolved(known: Readings, editions: Iterable[date]) -> tuple[Interval, ...]:
    """Return the versions of an article, oldest first.

    Args:
        known: What is known of the article.
        editions: The days of the editions of its whole law.
    """
    since = known.history.day if known.history is not None else date.min
    absent = {day for day in editions if day > since and day not in known.days}
    versions = list(known.history.versions) if known.history else []
    if known.undated is not None:
        versions = [Interval(known.undated.digest, None, known.undated.until, known.undated.amended_by)]
    unknown_before = not versions
    for day in sorted(absent | set(known.days)):
        one = known.days.get(day)
        if one is None:
            _end(versions, day)
        else:
            since_ever = unknown_before and not one.own
            _begin(versions, day, one, first=None if since_ever else day)
        unknown_before = False
    return tuple(versions)


def _standing(versions: Sequence[Interval], day: date) -> int | None:
    """Return the position of the version in force on `day`."""
    for place, one in enumerate(versions):
        if (one.in_force_from or date.min) <= day and (one.in_force_to is None or day < one.in_force_to):
            return place
    return None


def _end(versions: list[Interval], day: date) -> None:
    place = _standing(versions, day)
    if place is None:
        return
    if versions[place].in_force_from == day:
        del versions[place]
    else:
        versions[place] = replace(versions[place], in_force_to=day)


def _begin(versions: list[Interval], day: date, one: Day, *, first: date | None) -> None:
    place = _standing(versions, day)
    if place is not None and versions[place].digest == one.digest:
        if one.until is not None and versions[place].in_force_to is None:
            versions[place] = replace(versions[place], in_force_to=one.until)
        return
    _end(versions, day)
    later = [v.in_force_from for v in versions if v.in_force_from is not None and v.in_force_from > day]
    ends = [end for end in (one.until, min(later, default=None)) if end is not None]
    versions.append(Interval(one.digest, first, min(ends, default=None), one.amended_by))
    versions.sort(key=lambda version: version.in_force_from or date.min)


def to_json(known: Readings) -> dict[str, Any]:
    """Return `known` as JSON, for the row of the article."""
    found: dict[str, Any] = {}
    if known.history is not None:
        versions = [
            [
                one.digest.hex(),
                clock.iso_day(one.in_force_from),
                clock.iso_day(one.in_force_to),
                one.amended_by,
            ]
            for one in known.history.versions
        ]
        found["history"] = [clock.iso_day(known.history.edition), versions]
    if known.days:
        found["days"] = {day.isoformat(): _of_day(one) for day, one in known.days.items()}
    if known.undated is not None:
        found["undated"] = _of_day(known.undated)
    if known.shown is not None:
        found["shown"] = known.shown.isoformat()
    return found


def from_json(raw: Mapping[str, Any]) -> Readings:
    """Read what `to_json` returned."""
    history = None
    if "history" in raw:
        edition, versions = raw["history"]
        history = History(
            _day(edition),
            tuple(Interval(bytes.fromhex(d), _day(first), _day(last), by) for d, first, last, by in versions),
        )
    days = {date.fromisoformat(day): _as_day(one) for day, one in sorted(raw.get("days", {}).items())}
    undated = _as_day(raw["undated"]) if "undated" in raw else None
    return Readings(history, days, undated, _day(raw.get("shown")))


def guessed(held: Sequence[Interval], *, history: bool, edition: date | None) -> Readings:
    """Reconstruct the readings of an article loaded before readings were stored, from its versions.

    Args:
        held: The stored versions.
        history: Whether they came from a source with every version.
        edition: The day of the edition they came from.
    """
    if not held:
        return NOTHING
    if history:
        return Readings(History(edition, tuple(held)))
    if edition is None and all(one.in_force_from is None for one in held):
        return Readings(undated=Day(held[-1].digest, until=held[-1].in_force_to))
    days: dict[date, Day] = {}
    for one in held:
        first = one.in_force_from or (edition if len(held) == 1 and edition else date.min)
        days[first] = Day(one.digest, one.in_force_from is not None, one.in_force_to, one.amended_by)
    if edition is not None and edition > max(days) and held[-1].in_force_to is None:
        days[edition] = Day(held[-1].digest)
    return Readings(None, days)


def _day(written: str | None) -> date | None:
    return date.fromisoformat(written) if written else None


def _of_day(one: Day) -> list[Any]:
    return [one.digest.hex(), one.own, clock.iso_day(one.until), one.amended_by]


def _as_day(raw: Sequence[Any]) -> Day:
    return Day(bytes.fromhex(raw[0]), raw[1], _day(raw[2]), raw[3])
