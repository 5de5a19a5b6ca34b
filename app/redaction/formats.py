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
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Calling:
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
    calling: Mapping[str, Calling]
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


def _rows() -> Iterator[dict[str, Any]]:
    for name in _FILES:
        yield from tomllib.loads((_TABLES / name).read_text("utf-8"))["type"]


def _phone_rows(phones: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for row in phones["country"]:
        yield {**row, "name": "PHONE"}


@cache
def tables() -> Tables:
    """Read the tables; once per process."""
    bare: dict[str, list[Format]] = {}
    home: dict[str, list[Format]] = {}
    labels: dict[str, list[tuple[Format, bool]]] = {}
    phones = tomllib.loads((_TABLES / "phones.toml").read_text("utf-8"))
    context = tomllib.loads((_TABLES / "context.toml").read_text("utf-8"))
    for row in itertools.chain(_rows(), _phone_rows(phones)):
        written: list[str] = row.get("bare", [])
        at_home_only: list[str] = row.get("home", [])
        every = [*row.get("labelled", []), *written, *at_home_only]
        fmt = Format(
            row["name"],
            row["country"],
            row.get("strong", False),
            max(
                (len(re.sub(r"[^9AX]", "", one)) for spelling in every for one in repeats(spelling)),
                default=0,
            ),
            shape_of(every),
            re.compile(row["lead"]) if "lead" in row else None,
            row.get("check"),
        )
        for table, spellings in ((bare, written), (home, at_home_only)):
            for kinds in dict.fromkeys(kind for spelling in spellings for kind in kinds_of(spelling)):
                table.setdefault(kinds, []).append(fmt)
        for column, weak in (("labels", False), ("weak_labels", True)):
            for words in row.get(column, []):
                entries = labels.setdefault(key_of_label(words), [])
                if all(entry[0] is not fmt for entry in entries):
                    entries.append((fmt, weak))
    return Tables(
        bare={kinds: tuple(formats) for kinds, formats in bare.items()},
        home={kinds: tuple(formats) for kinds, formats in home.items()},
        prefixes=frozenset(part for kinds in (*bare, *home) for part in _prefixes(kinds)),
        labels={key: tuple(entries) for key, entries in labels.items()},
        calling={row["calling"]: Calling(row["calling"], *row["digits"]) for row in phones["country"]},
        other_things=tuple(context["other_things"]),
        currencies=tuple(context["currencies"]),
        dockets=frozenset(context["dockets"]),
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
        words.update(row.get("labels", []))
        words.update(row.get("weak_labels", []))
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
