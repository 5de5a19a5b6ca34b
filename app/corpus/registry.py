"""Read the registry of norms: which exist, which articles they have, what repealed them. Facts, no texts.

Files in `data/norms`: `ES.toml` and `00_articles.toml` are generated (tools/norms_from_markdown.py,
tools/norms_from_articles.py), the others are written by hand and meant to be extended; `ES_index.csv.gz`
holds number, date and status of the consolidated norms of Spain, `ES_ministries.csv.gz` those of orders,
circulars, instructions, resolutions and acts known by their day (tools/norms_of_ministries.py).
"""

import csv
import gzip
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field

from app.citations import norm_names
from app.platform import data_files

_FOLDER = Path(__file__).parent / "data" / "norms"
_PART = re.compile(r"(?P<prefix>recital |anexo |[a-z]{0,2})(?P<first>\d+)(?:-(?P<last>\d+))?")
_PLAIN = re.compile(r"\d+")
Known = Literal["yes", "no", "unknown"]


@dataclass(frozen=True, slots=True)
class NumberSet:
    """A set of numbers of articles, dispositions or amendments, written `1-9, 9 bis`, `da1-3`, `am1-27`.

    `16-1` is one French article, since a range goes up.
    """

    ranges: tuple[tuple[str, int, int], ...] = ()
    extras: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, written: str) -> "NumberSet":
        """Parse the notation of the data files."""
        ranges: list[tuple[str, int, int]] = []
        extras: set[str] = set()
        for part in filter(None, (piece.strip() for piece in written.split(","))):
            match = _PART.fullmatch(part)
            first = int(match["first"]) if match else 0
            last = int(match["last"] or first) if match else 0
            if match and first <= last:
                ranges.append((match["prefix"], first, last))
            else:
                extras.add(part)
        return cls(tuple(ranges), frozenset(extras))

    def __contains__(self, number: str) -> bool:
        """Tell whether a number is in the set."""
        match = _PART.fullmatch(number)
        if match and match["last"] is None:
            value = int(match["first"])
            return any(
                prefix == match["prefix"] and low <= value <= high for prefix, low, high in self.ranges
            )
        # Where numbers have a dash, each is listed as itself: "2-316" of the Uniform Commercial Code.
        itself = match and (match["prefix"], int(match["first"]), int(match["last"])) in self.ranges
        return bool(itself) or number in self.extras

    @property
    def last(self) -> int:
        """The highest plain article number, 0 when there is none."""
        return max((high for prefix, _, high in self.ranges if not prefix), default=0)

    def numbers(self, prefix: str) -> bool:
        """Tell whether the set has any number with a prefix ("recital ")."""
        return any(one == prefix for one, _, _ in self.ranges)

    def __bool__(self) -> bool:
        """Tell whether the set has any number."""
        return bool(self.ranges or self.extras)


@dataclass(frozen=True, slots=True)
class Norm:
    """One norm of the registry.

    `articles` lists those that exist: with `exact` down to the last "bis", with `complete` false only some.
    `articles_max` stands alone where the highest number is known but not every number below it. `empty` are
    those repealed or without content, `empty_numbers` the form of those of a numbering that was given up,
    `no_numbers` the form of those that no edition ever had ("L9876-1" of a code in eight parts),
    `empty_parts` subdivisions ("52.d") that are empty; `sole_title` says
    that no other act ever bore the title.
    """

    key: str
    jurisdiction: str
    title: str
    official_id: str | None = None
    url: str | None = None
    dated: date | None = None
    in_force: date | None = None
    articles: NumberSet = NumberSet()
    dispositions: NumberSet = NumberSet()
    dispositions_open: bool = False
    empty: NumberSet = NumberSet()
    empty_parts: frozenset[str] = frozenset()
    empty_numbers: re.Pattern[str] | None = None
    no_numbers: re.Pattern[str] | None = None
    complete: bool = True
    exact: bool = False
    articles_max: int = 0
    repealed: date | None = None
    successors: tuple[str, ...] = ()
    repeal_note: str = ""
    repeal_note_en: str = ""
    sole_title: bool = False

    def is_empty(self, number: str) -> bool:
        """Tell whether an article is repealed or without content."""
        return number in self.empty or bool(self.empty_numbers and self.empty_numbers.fullmatch(number))

    def has(self, number: str) -> Known:
        """Tell whether an article or disposition exists: `unknown` if the registry does not list all."""
        if number[:2] in ("da", "dt", "df", "dd"):
            if number in self.dispositions:
                return "yes"
            return "no" if self.exact and not self.dispositions_open else "unknown"
        if number in self.articles:
            return "yes"
        if self.no_numbers and self.no_numbers.fullmatch(number):
            return "no"
        if number.startswith("recital ") and self.articles.numbers("recital "):
            return "no"
        if self.key.startswith("US:cfr:") and number.isdigit():
            # A part of the regulations exists where one of its sections does.
            return "yes" if any(one.startswith(f"{number}.") for one in self.articles.extras) else "unknown"
        plain = _PLAIN.match(number)
        # Suffixed articles come and go with amendments: only an exact list says that one does not exist.
        if self.exact or (self.articles and self.complete and number.isdigit()):
            return "no"
        if self.articles_max and plain and int(plain[0]) > self.articles_max:
            return "no"
        return "unknown"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the index: a numbered norm of the State (`region` empty) or of an autonomous community.

    An act of a ministry or agency has its number in full ("HFP/816/2017") as `mark`, none if it is known by
    its day, and `issuer` (`app.citations.issuer_named`).
    """

    region: str
    rank: str
    number: int
    dated: date
    official_id: str
    status: Literal["", "r", "x", "a"]
    mark: str = ""
    issuer: str = ""

    @property
    def url(self) -> str:
        """The address of the norm by its BOE number."""
        return f"https://www.boe.es/buscar/act.php?id={self.official_id}"


# Under another name, since a field is called `date`.
Day = date
_Numbers = Annotated[str, Field(pattern=r"^[A-Za-z0-9 ,.\-]*$")]


class _NormFacts(data_files.Entry):
    """Entry of a norm in a file. A later file may add to it, so nothing is required."""

    title: data_files.Filled | None = None
    id: data_files.Filled | None = None
    url: Annotated[str, Field(pattern="^https?://")] | None = None
    date: Day | None = None
    published: Day | None = None
    in_force: Day | None = None
    checked: Day | None = None
    articles: _Numbers = ""
    # Some more that exist, beside a list of another file or where not all are known.
    further: _Numbers = ""
    articles_max: Annotated[int, Field(ge=0)] | None = None
    dispositions: _Numbers = ""
    dispositions_open: bool = False
    empty: _Numbers = ""
    empty_parts: data_files.Texts = ()
    # Articles of a numbering that was given up, by their form.
    empty_numbers: data_files.Filled | None = None
    # Numbers that no edition ever had, by their form.
    no_numbers: data_files.Filled | None = None
    complete: bool = True
    exact: bool = False
    repealed: Day | None = None
    successors: data_files.Texts = ()
    repeal_note: str = ""
    repeal_note_en: str = ""
    sole_title: bool = False
    also: data_files.Texts = ()


class _NormFile(data_files.Entry):
    norms: dict[data_files.Filled, _NormFacts] = Field(default_factory=dict)
    last_number: dict[
        data_files.Filled, dict[Annotated[str, Field(pattern=r"^\d{4}$")], Annotated[int, Field(ge=0)]]
    ] = Field(default_factory=dict)


@cache
def _files() -> tuple[_NormFile, ...]:
    return tuple(data_files.read_file(path, _NormFile) for path in sorted(_FOLDER.glob("*.toml")))


def _norm(key: str, raw: Mapping[str, Any], titles: Mapping[str, str]) -> Norm:
    listed, further = raw.get("articles", ""), raw.get("further", "")
    complete = raw.get("complete", not further)
    articles = NumberSet.parse(", ".join(filter(None, (listed, further))))
    return Norm(
        key=key,
        jurisdiction=key.split(":", 1)[0],
        title=raw.get("title") or titles.get(key, key),
        official_id=raw.get("id"),
        url=raw.get("url"),
        dated=raw.get("date"),
        in_force=raw.get("in_force"),
        articles=articles,
        dispositions=NumberSet.parse(raw.get("dispositions", "")),
        dispositions_open=raw.get("dispositions_open", False),
        empty=NumberSet.parse(raw.get("empty", "")),
        empty_numbers=re.compile(raw["empty_numbers"]) if raw.get("empty_numbers") else None,
        no_numbers=re.compile(raw["no_numbers"]) if raw.get("no_numbers") else None,
        empty_parts=frozenset(raw.get("empty_parts", ())),
        complete=complete,
        exact=raw.get("exact", False),
        articles_max=raw.get("articles_max", articles.last if complete else 0),
        repealed=raw.get("repealed"),
        successors=tuple(raw.get("successors", ())),
        repeal_note=raw.get("repeal_note", ""),
        repeal_note_en=raw.get("repeal_note_en", ""),
        sole_title=raw.get("sole_title", False),
    )


@cache
def norms() -> Mapping[str, Norm]:
    """Return every norm of the registry by normal form; a later file adds to or corrects an earlier one.

    What `further` lists in several files adds up.
    """
    titles = {entry.norm: entry.names[0] for entry in norm_names() if entry.names}
    raw: dict[str, dict[str, Any]] = {}
    for file in _files():
        for key, facts in file.norms.items():
            stated = {name: getattr(facts, name) for name in facts.model_fields_set}
            known = raw.get(key, {})
            if stated.get("further") and known.get("further"):
                stated["further"] = f"{known['further']}, {stated['further']}"
            raw[key] = known | stated
    return MappingProxyType({key: _norm(key, facts, titles) for key, facts in raw.items()})


@cache
def aliases() -> Mapping[str, str]:
    """Return the keys of norms by their other normal forms (`CO:ley:84/1873` is `CO:CC`) and official ids."""
    found: dict[str, str] = {}
    for file in _files():
        for key, facts in file.norms.items():
            for other in facts.also:
                found[other] = key
            if facts.id is not None:
                found[f"{key.split(':', 1)[0]}:{facts.id}"] = key
    return MappingProxyType(found)


@cache
def sole_titles() -> Mapping[str, Norm]:
    """Return norms whose title no other act ever bore, by their normal form without the year."""
    return MappingProxyType({key.rpartition("-")[0]: one for key, one in norms().items() if one.sole_title})


@cache
def _by_number() -> Mapping[tuple[str, str], tuple[Norm, ...]]:
    found: dict[tuple[str, str], list[Norm]] = {}
    for key, one in norms().items():
        series, _, numbered = key.rpartition(":")
        number, _, year = numbered.partition("/")
        if year.isdigit():
            found.setdefault((series, number), []).append(one)
    return MappingProxyType({key: tuple(value) for key, value in found.items()})


def same_number(series: str, number: str) -> tuple[Norm, ...]:
    """Return the norms of a series ("CO:ley") with a number, of any year."""
    return _by_number().get((series, number), ())


@cache
def _in_turn(series: str, since: int) -> tuple[tuple[int, ...], tuple[Norm, ...]]:
    """Return the numbers of a series whose laws are numbered on since a year, in order, with their norms."""
    numbered: dict[int, Norm] = {}
    for key, one in norms().items():
        number, _, year = key.rpartition(":")[2].partition("/")
        if key.startswith(f"{series}:") and number.isdigit() and year.isdigit() and int(year) >= since:
            numbered[int(number)] = one
    ordered = sorted(numbered)
    return tuple(ordered), tuple(numbered[number] for number in ordered)


def neighbours(series: str, number: int, since: int) -> tuple[Norm | None, Norm | None]:
    """Return the norms of a series right before and right behind a number that the registry lacks.

    Args:
        series: The series ("CO:ley").
        number: The number.
        since: The year from which its numbers run on.
    """
    numbers, found = _in_turn(series, since)
    place = bisect_left(numbers, number)
    return found[place - 1] if place else None, found[place] if place < len(found) else None


@cache
def _regional() -> Mapping[tuple[str, str], tuple[Norm, ...]]:
    found: dict[tuple[str, str], list[Norm]] = {}
    for key, one in norms().items():
        region, _, numbered = key.partition(":")
        rank, _, number = numbered.partition(":")
        if region.startswith("ES-") and "/" in number:
            found.setdefault((rank, number), []).append(one)
    return MappingProxyType({key: tuple(value) for key, value in found.items()})


def regional(rank: str, number: str) -> tuple[Norm, ...]:
    """Return the norms of the communities of Spain with a rank and number ("ley", "7/2021")."""
    return _regional().get((rank, number), ())


def norm(key: str) -> Norm | None:
    """Return the norm of a normal form ("ES:ley:29/1994", "ES:CC", "ES:BOE-A-1889-4763"), or `None`."""
    return norms().get(aliases().get(key, key))


@cache
def norm_count(jurisdiction: str) -> int:
    """Count the norms of `jurisdiction` that the registry knows by name, without the index of numbers."""
    return sum(1 for entry in norms().values() if entry.jurisdiction == jurisdiction.upper())


@cache
def _index() -> tuple[Mapping[tuple[str, str], tuple[Entry, ...]], Mapping[str, Entry]]:
    by_number: dict[tuple[str, str], list[Entry]] = {}
    by_id: dict[str, Entry] = {}
    with gzip.open(_FOLDER / "ES_index.csv.gz", "rt", encoding="utf-8") as file:
        for region, rank, number, dated, identifier, status in csv.reader(file):
            day = date(int(dated[:4]), int(dated[4:6]), int(dated[6:]))
            official = identifier if identifier[:1].isalpha() else f"BOE-A-{identifier}"
            assert status in ("", "r", "x", "a"), "the index has four statuses"
            entry = Entry(region, rank, int(number), day, official, status)  # type: ignore[arg-type]
            by_number.setdefault((rank, f"{entry.number}/{day.year}"), []).append(entry)
            by_id[official] = entry
    return MappingProxyType({key: tuple(value) for key, value in by_number.items()}), MappingProxyType(by_id)


def numbered(rank: str, number: str) -> tuple[Entry, ...]:
    """Return the norms of Spain and its regions with a rank and number ("ley", "4/1983"), State first."""
    return _index()[0].get((rank, number), ())


def indexed(official_id: str) -> Entry | None:
    """Return the row of the index with a BOE identifier."""
    return _index()[1].get(official_id)


@cache
def _ministries() -> Mapping[str, tuple[Entry, ...]]:
    found: dict[str, list[Entry]] = {}
    with gzip.open(_FOLDER / "ES_ministries.csv.gz", "rt", encoding="utf-8") as file:
        for rank, mark, issuer, dated, official, status in csv.reader(file):
            day = date(int(dated[:4]), int(dated[4:6]), int(dated[6:]))
            assert status in ("", "r", "x", "a"), "the index has four statuses"
            entry = Entry("", rank, 0, day, official, status, mark, issuer)  # type: ignore[arg-type]
            found.setdefault(f"ES:{rank}:{mark or day.isoformat()}", []).append(entry)
    return MappingProxyType({key: tuple(value) for key, value in found.items()})


def ministerial(key: str) -> tuple[Entry, ...]:
    """Return the acts of ministries and agencies with a normal form ("ES:orden:HFP/816/2017").

    Several may share a day ("ES:orden:1994-12-27") or, of different agencies, a number.
    """
    return _ministries().get(key, ())


@cache
def closed_series() -> Mapping[tuple[str, int], int]:
    """Return the last number of each series, by rank and year, that is known to have ended."""
    return MappingProxyType(
        {
            (rank, int(year)): last
            for file in _files()
            for rank, years in file.last_number.items()
            for year, last in years.items()
        }
    )
