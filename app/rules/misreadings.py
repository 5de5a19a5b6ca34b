"""Recognise what an article is often said to provide, and does not, in the sentence that cites it. Pure.

A lawyer extends `data/misreadings.toml`, for labour and public law `data/misreadings_public.toml`, for
other countries than Spain `data/misreadings_countries.toml`; each entry says what its article provides and
how it is misquoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from app.citations import Citation, extract
from app.platform.data_files import Entry, NotBlank, Wording, Words, read_entry, read_toml
from app.rules.document import Expression
from app.rules.rulebook.schema import Patterns, RuleFileError
from app.text.bilingual import Bilingual
from app.text.normalize import RULES

FILE: Final = Path(__file__).with_name("data") / "misreadings.toml"
PUBLIC: Final = FILE.with_name("misreadings_public.toml")
COUNTRIES: Final = FILE.with_name("misreadings_countries.toml")
_TABLE: Final = "misreading"
_JURISDICTION: Final = "ES"
_NEGATIONS: Final = frozenset((b"no", b"not", b"ni", b"sin"))
_NO_DENIALS: Final = (
    b"no competencia",
    b"no concurrencia",
    b"no obstante",
    b"sin perjuicio",
    b"not only",
    b"si no",
    b"if not",
)
_DENIES_WITHIN, _REACH = 6, 120  # words between a negation and what it denies, and characters
_Place: TypeAlias = tuple[frozenset[str], ...]  # paragraph, letter and so on, the widest first


class Misreading(Entry):
    """What an article provides, and what it is wrongly said to provide."""

    country: str = _JURISDICTION
    cite: NotBlank
    says: Wording
    patterns: Patterns
    unless: Patterns = ()
    examples: Words = ()
    counterexamples: Words = ()

    @property
    def citation(self) -> Citation:
        """The article, read as any citation is."""
        found = extract(self.cite, self.country)
        if len(found) != 1 or not found[0].norm or len(found[0].articles) != 1:
            raise RuleFileError(
                f"{FILE.name}, {self.country}: {self.cite!r} is not the citation of one article"
            )
        return found[0]

    def stands_in(self, said: bytes, around: bytes) -> bool:
        """Tell whether folded words make the article say what it does not, and nothing around mends it."""
        return any(_asserted(one.compiled, said) for one in self.patterns) and not any(
            one.compiled.span(around) for one in self.unless
        )


def misread(citation: Citation, sentence: str, around: str = "") -> Bilingual | None:
    """Return what an article provides, where the sentence that cites it says what it does not.

    Args:
        citation: of one article.
        sentence: what stands before and behind the citation in its sentence, and is said of it.
        around: the whole sentence, where the words that make it right are looked for; without, `sentence`.
    """
    said, whole = _folded(sentence), _folded(around or sentence)
    cited = paragraphs(citation)
    for article in citation.articles:
        known = _by_article().get((citation.norm or "", article), ())
        for meant, one in known:
            # Of an article cited whole, what is said of one of its paragraphs may be meant of another.
            if len(cited) < len(meant) and sum(len(place) > len(cited) for place, _ in known) > 1:
                continue
            if _within(cited, meant) and one.stands_in(said, whole):
                return one.says
    return None


def _folded(text: str) -> bytes:
    return RULES.fold(text).replace(".", "_").encode("ascii")


def _asserted(pattern: Expression, folded: bytes) -> bool:
    """Tell whether a pattern stands in folded words and no negation a few words before denies it."""
    position = 0
    while (found := pattern.span(folded, position)) is not None and found[0] < found[1]:
        before = folded[max(found[0] - _REACH, 0) : found[0]]
        for name in _NO_DENIALS:
            before = before.replace(name, b"")
        near = before.split()[-_DENIES_WITHIN:]
        if not _NEGATIONS.intersection(word.strip(b",:()") for word in near):
            return True
        position = found[1]
    return False


def paragraphs(citation: Citation) -> _Place:
    """Return the paragraph, letter and so on that a citation of one article names."""
    named = citation.divisions[0] if len(citation.divisions) == 1 else ()
    return tuple(frozenset(division.values) for division in named)


def _within(cited: _Place, meant: _Place) -> bool:
    """Tell whether a place that is cited lies in the one that is meant, or names none."""
    return all(one & other for one, other in zip(cited, meant, strict=False))


@lru_cache(maxsize=1)
def misreadings() -> tuple[Misreading, ...]:
    """Return the entries about the law of Spain, read once per process."""
    return (*_read(FILE), *_read(PUBLIC))


@lru_cache(maxsize=1)
def misreadings_of_countries() -> tuple[Misreading, ...]:
    """Return the entries about the law of other countries, read once per process."""
    return tuple(_read(COUNTRIES))


@lru_cache(maxsize=1)
def _by_article() -> Mapping[tuple[str, str], tuple[tuple[_Place, Misreading], ...]]:
    """Return the entries by norm and article with the place that each means, the narrowest first."""
    found: dict[tuple[str, str], list[tuple[_Place, Misreading]]] = {}
    for one in (*misreadings(), *misreadings_of_countries()):
        citation = one.citation
        place = (citation.norm or "", citation.articles[0])
        found.setdefault(place, []).append((paragraphs(citation), one))
    return {key: tuple(sorted(ones, key=lambda one: -len(one[0]))) for key, ones in found.items()}


def _read(file: Path) -> Iterator[Misreading]:
    for row in read_toml(file)[_TABLE]:
        yield read_entry(Misreading, f"{file.name}: {row.get('cite')}", row, {"compiled": False})
