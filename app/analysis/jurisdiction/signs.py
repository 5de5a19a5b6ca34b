"""Load the words that point to a jurisdiction, from `data/jurisdiction_signs.toml`, ready to be looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import re2
from pydantic import AfterValidator, Field, field_validator

from app.citations import norm_names
from app.platform.data_files import Entry, Texts, read_file
from app.text import linear
from app.text.expression_sets import ExpressionSets
from app.text.normalize import CITATIONS

# Letters and figures of any script. A class of characters alone is matched in linear time by `re` too, which
# counts in characters from the start: ten times as fast where the text is not ASCII.
WORD: Final = re.compile(r"[^\W_]+")

_FILE: Final = Path(__file__).parents[1] / "data" / "jurisdiction_signs.toml"


class Sign(NamedTuple):
    """Meaning of a phrase: points per country, category, whether it must stand in capitals."""

    points: Mapping[str, float]
    category: str
    capitals: bool


class Pattern(NamedTuple):
    """An expression whose matches count as signs; `shown` is false for identifiers of persons."""

    expression: Any
    points: Mapping[str, float]
    category: str
    shown: bool


@dataclass(slots=True)
class PhraseNode:
    """One step in the tree of phrases: words that may follow, and the signs of the phrase that ends here."""

    following: dict[str, PhraseNode] = field(default_factory=dict)
    signs: list[Sign] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Signs:
    """Everything the file and the named norms say, ready to be looked up."""

    phrases: PhraseNode
    patterns: tuple[Pattern, ...]
    # Tell which of the patterns match a text.
    sets: ExpressionSets
    languages: tuple[str, ...]
    # The languages of which a word is one of the commonest.
    languages_of: Mapping[str, tuple[str, ...]]
    language_points: Mapping[str, Mapping[str, float]]
    spoken: Mapping[str, frozenset[str]]
    weights: Mapping[str, float]
    abbreviations: frozenset[str]


Category = Literal[
    "clause", "clause_law", "clause_weak", "clause_quoted", "forum", "court_clause", "law_of", "laws",
    "forms", "acronyms", "law_acronyms", "courts", "authorities", "identifiers", "usage", "names", "money",
    "places",
]  # fmt: skip


def _expression(source: str) -> str:
    """Return an expression that `re2` accepts.

    Raises:
        ValueError: when it does not.
    """
    try:
        linear.compile(source)
    except re2.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    return source


class _Cues(Entry):
    clause: Texts
    clause_weak: Texts
    clause_after: Texts
    court: Texts


class _LawOf(Entry):
    before: Texts
    after: Texts


class _Phrases(Entry):
    phrases: Texts


class _WordList(Entry):
    words: Texts


class _Languages(Entry):
    words: dict[str, Texts]
    points: dict[str, dict[str, float]]


class _PatternEntry(Entry):
    expression: Annotated[str, AfterValidator(_expression)]
    category: Category
    countries: Annotated[Texts, Field(min_length=1)]
    personal: bool = False


class _Country(Entry):
    languages: Texts
    names: Texts
    adjectives: Texts = ()
    law_adjectives: Texts = ()
    forum: Texts = ()
    laws: Texts = ()
    acronyms: Texts = ()
    courts: Texts = ()
    authorities: Texts = ()
    usage: Texts = ()
    places: Texts = ()
    money: Texts = ()


class _File(Entry):
    """The file of signs; its head explains the fields."""

    weights: dict[str, float]
    cues: _Cues
    law_of: _LawOf
    shared: _Phrases
    abbreviations: _WordList
    language: _Languages
    pattern: list[_PatternEntry]
    country: dict[str, _Country]

    @field_validator("weights")
    @classmethod
    def _weighs_each_category(cls, weights: dict[str, float]) -> dict[str, float]:
        if set(weights) != set(get_args(Category)):
            raise ValueError(f"must have exactly {', '.join(get_args(Category))}")
        return weights


def _words(text: str) -> tuple[str, ...]:
    return tuple(str(match[0]) for match in WORD.finditer(CITATIONS.fold(text).lower()))


@cache
def signs_of_jurisdictions() -> Signs:
    """Read the file and the names of norms, once per process."""
    raw = read_file(_FILE, _File)
    weights = raw.weights
    owners: dict[tuple[Category, tuple[str, ...], bool], list[str]] = {}

    def own(category: Category, phrases: Iterable[str], country: str, capitals: bool = False) -> None:
        for phrase in phrases:
            countries = owners.setdefault((category, _words(phrase), capitals), [])
            if country not in countries:
                countries.append(country)

    for country, entry in raw.country.items():
        own("names", entry.names, country)
        own("forum", entry.forum, country)
        own("laws", entry.laws, country)
        own("courts", entry.courts, country)
        own("authorities", entry.authorities, country)
        own("money", entry.money, country)
        own("places", entry.places, country)
        own("usage", entry.usage, country)
        own("acronyms", entry.acronyms, country, capitals=True)
        forms = (*entry.adjectives, *entry.law_adjectives)
        for noun in raw.law_of.before:
            own("law_of", (f"{noun} {form}" for form in forms), country)
        for noun in raw.law_of.after:
            own("law_of", (f"{form} {noun}" for form in forms), country)
        own("names", entry.adjectives, country)
    known = frozenset(raw.country)
    for norm in norm_names():
        if norm.jurisdiction in known:
            own("laws", (name for name in norm.names if " " in name), norm.jurisdiction)
            own("law_acronyms", _unmistakable(norm.short), norm.jurisdiction, capitals=True)
    for phrase in raw.shared.phrases:
        owners.pop(("laws", _words(phrase), False), None)
    root = PhraseNode()
    cues = raw.cues
    for cue, phrases in (
        ("clause", cues.clause),
        ("clause_weak", cues.clause_weak),
        ("clause_after", cues.clause_after),
        ("court", cues.court),
    ):
        for phrase in phrases:
            _plant(root, _words(phrase), Sign({}, cue, False))
    for (category, words, capitals), countries in owners.items():
        share = weights[category] / len(countries)
        _plant(root, words, Sign(dict.fromkeys(countries, share), category, capitals))
    patterns = tuple(_patterns(raw.pattern, weights))
    languages = {code: frozenset(words) for code, words in raw.language.words.items()}
    return Signs(
        phrases=root,
        patterns=patterns,
        sets=ExpressionSets([one.expression.pattern for one in patterns]),
        languages=tuple(languages),
        languages_of={
            word: tuple(code for code, words in languages.items() if word in words)
            for word in frozenset[str]().union(*languages.values())
        },
        language_points=raw.language.points,
        spoken={country: frozenset(entry.languages) for country, entry in raw.country.items()},
        weights=weights,
        abbreviations=frozenset(raw.abbreviations.words),
    )


def _unmistakable(short: Iterable[str]) -> Iterator[str]:
    """Return the abbreviations that are hardly anything but a law: three or more letters, no dots."""
    for form in short:
        if len(form) >= 3 and form.isalpha() and sum(letter.isupper() for letter in form) >= 2:
            yield form


def _patterns(entries: Iterable[_PatternEntry], weights: Mapping[str, float]) -> Iterator[Pattern]:
    for entry in entries:
        share = weights[entry.category] / len(entry.countries)
        yield Pattern(
            linear.compile(entry.expression),
            dict.fromkeys(entry.countries, share),
            entry.category,
            not entry.personal,
        )


def _plant(root: PhraseNode, words: Sequence[str], sign: Sign) -> None:
    node = root
    for word in words:
        node = node.following.setdefault(word, PhraseNode())
    node.signs.append(sign)
