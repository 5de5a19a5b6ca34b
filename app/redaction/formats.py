"""Read the tables of formats of identifiers.

Columns of `formats/*.toml`: `name` is the type; `country` the jurisdiction it belongs to (empty: all);
`check` a rule of `checks.py`; `bare` spellings are recognised anywhere when the check agrees, `home`
spellings only where the jurisdiction is that country; `labelled` compact shapes (no separators) are accepted
after one of `labels`; after `weak_labels` (words that mean other things too) the check must agree. `strong`:
check and form together leave no doubt. In a spelling `9` is a digit, `A` a letter, `X` either, `{n}` and
`{n,m}` repeat.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from app.platform.data_files import Entry, Filled, Texts, read_file
from app.redaction.check_digits import Rule, rule_named

_TABLES = Path(__file__).with_name("formats")
_FILES = ("iberia.toml", "latin_america.toml", "western_europe.toml", "europe.toml", "world.toml")
_REPEAT = re.compile(r"([9AX])\{(\d+)(?:,(\d+))?\}")
# Territories whose people carry the numbers of another jurisdiction.
_KIN = {"PR": frozenset({"PR", "US"})}
_CLASSES = {"9": "[0-9]", "A": "[A-Z&]", "X": "[A-Z0-9&]"}


@dataclass(frozen=True, slots=True)
class Format:
    """One identifier of one country. `shape` and `lead` apply to the compact, upper-case value."""

    type: str
    country: str
    strong: bool
    longest: int
    shape: re.Pattern[str]
    lead: re.Pattern[str] | None
    check: str | None

    def rule(self) -> Rule | None:
        """Return the rule of its check digit, if it has one."""
        return rule_named(self.check) if self.check else None

    def verdict(self, compact: str) -> bool | None:
        """Tell whether the check digit agrees; None where the number has none."""
        if self.lead and not self.lead.match(compact):
            return False
        rule = self.rule()
        return rule(compact) if rule else None


def _known_rule(name: str) -> str:
    """Return the name of a rule of check digits.

    Raises:
        ValueError: when there is no such rule.
    """
    try:
        rule_named(name)
    except ImportError:
        raise ValueError(f"names the rule {name!r}, which does not exist") from None
    return name


def _expression(source: str) -> str:
    """Return a regular expression.

    Raises:
        ValueError: when it is none.
    """
    try:
        re.compile(source)
    except re.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    return source


_Country = Annotated[str, Field(pattern="^([A-Z]{2})?$")]


class _Row(Entry):
    """A format of an identifier; the columns are explained above."""

    name: Filled
    country: _Country
    check: Annotated[str, AfterValidator(_known_rule)] | None = None
    strong: bool = False
    labels: Texts = ()
    weak_labels: Texts = ()
    labelled: Texts = ()
    bare: Texts = ()
    home: Texts = ()
    lead: Annotated[str, AfterValidator(_expression)] | None = None


class _File(Entry):
    type: list[_Row]


class _PhoneRow(Entry):
    """Telephone numbers of a country: calling code, how many digits follow it, spellings at home."""

    country: _Country
    calling: Annotated[str, Field(pattern=r"^\d{1,4}$")]
    digits: Annotated[list[int], Field(min_length=2, max_length=2)]
    lead: Annotated[str, AfterValidator(_expression)]
    home: Texts


class _Phones(Entry):
    country: list[_PhoneRow]


class _Context(Entry):
    other_things: Texts
    currencies: Texts
    dockets: Texts


@dataclass(frozen=True, slots=True)
class CallingCode:
    """A country's calling code and how many digits follow it."""

    code: str
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything the detectors look up. Keys of `bare` and `home` are spellings in the kinds of a view."""

    bare: Mapping[str, tuple[Format, ...]]
    home: Mapping[str, tuple[Format, ...]]
    prefixes: frozenset[str]
    labels: Mapping[str, tuple[tuple[Format, bool], ...]]
    calling: Mapping[str, CallingCode]
    other_things: tuple[str, ...]
    currencies: tuple[str, ...]
    dockets: frozenset[str]


def at_home(country: str, jurisdiction: str) -> bool:
    """Tell whether numbers of `country` are the ordinary ones in `jurisdiction`.

    The stateless ones always are.
    """
    return not country or country in _KIN.get(jurisdiction, (jurisdiction,))


def repeats(spelling: str) -> Iterator[str]:
    """Yield every spelling that `{n}` and `{n,m}` stand for."""
    match = _REPEAT.search(spelling)
    if match is None:
        yield spelling
        return
    low = int(match[2])
    for count in range(low, int(match[3] or low) + 1):
        yield from repeats(spelling[: match.start()] + match[1] * count + spelling[match.end() :])


def kinds_of(spelling: str) -> Iterator[str]:
    """Yield the spelling in the kinds of a view: every `X` is once a digit and once a letter."""
    for plain in repeats(spelling):
        slots = [("9", "A") if mark == "X" else (mark,) for mark in re.sub(r"\d", "9", plain)]
        yield from ("".join(choice) for choice in itertools.product(*slots))


def shape_of(spellings: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for the compact forms of the spellings."""
    shapes = dict.fromkeys(re.sub(r"[^9AX{},0-9]", "", spelling) for spelling in spellings)
    parts = (re.sub(r"[9AX](?![^{]*\})", lambda mark: _CLASSES[mark[0]], shape) for shape in shapes)
    return re.compile("|".join(parts) or r"(?!)")


@lru_cache(maxsize=4096)
def key_of_label(words: str) -> str:
    """Return a label without case, dots, spaces and signs."""
    return re.sub(r"[^a-z]", "", words.lower())


def _prefixes(spelling: str) -> Iterator[str]:
    """Yield the spelling cut after each of its groups."""
    for group in re.finditer(r"[9A]+", spelling):
        yield spelling[: group.end()]


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(row for name in _FILES for row in read_file(_TABLES / name, _File).type)


def _phone_rows(phones: _Phones) -> Iterator[_Row]:
    for one in phones.country:
        yield _Row(name="PHONE", country=one.country, lead=one.lead, home=one.home)


@cache
def tables() -> Tables:
    """Read the tables; once per process."""
    bare: dict[str, list[Format]] = {}
    home: dict[str, list[Format]] = {}
    labels: dict[str, list[tuple[Format, bool]]] = {}
    phones = read_file(_TABLES / "phones.toml", _Phones)
    context = read_file(_TABLES / "context.toml", _Context)
    for row in itertools.chain(_rows(), _phone_rows(phones)):
        every = [*row.labelled, *row.bare, *row.home]
        fmt = Format(
            row.name,
            row.country,
            row.strong,
            max(
                (len(re.sub(r"[^9AX]", "", one)) for spelling in every for one in repeats(spelling)),
                default=0,
            ),
            shape_of(every),
            re.compile(row.lead) if row.lead is not None else None,
            row.check,
        )
        for table, spellings in ((bare, row.bare), (home, row.home)):
            for kinds in dict.fromkeys(kind for spelling in spellings for kind in kinds_of(spelling)):
                table.setdefault(kinds, []).append(fmt)
        for column, weak in ((row.labels, False), (row.weak_labels, True)):
            for words in column:
                entries = labels.setdefault(key_of_label(words), [])
                if all(entry[0] is not fmt for entry in entries):
                    entries.append((fmt, weak))
    return Tables(
        bare={kinds: tuple(formats) for kinds, formats in bare.items()},
        home={kinds: tuple(formats) for kinds, formats in home.items()},
        prefixes=frozenset(part for kinds in (*bare, *home) for part in _prefixes(kinds)),
        labels={key: tuple(entries) for key, entries in labels.items()},
        calling={one.calling: CallingCode(one.calling, *one.digits) for one in phones.country},
        other_things=tuple(context.other_things),
        currencies=tuple(context.currencies),
        dockets=frozenset(context.dockets),
    )


@cache
def national_phones() -> tuple[Format, ...]:
    """Return the national telephone numbers of every country that has spellings of its own."""
    rows = (fmt for formats in tables().home.values() for fmt in formats if fmt.type == "PHONE")
    return tuple({fmt.country: fmt for fmt in rows}.values())


@cache
def label_words() -> tuple[str, ...]:
    """Return every label as written in the tables, longest first."""
    words: set[str] = set()
    for row in _rows():
        words.update(row.labels)
        words.update(row.weak_labels)
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


@lru_cache(maxsize=128)
def spellings_in(jurisdiction: str) -> Mapping[str, tuple[Format, ...]]:
    """Return the spellings recognised without a label in a jurisdiction."""
    known = tables()
    merged = dict(known.bare)
    for kinds, formats in known.home.items():
        ours = tuple(fmt for fmt in formats if at_home(fmt.country, jurisdiction))
        if ours:
            merged[kinds] = merged.get(kinds, ()) + ours
    return merged
