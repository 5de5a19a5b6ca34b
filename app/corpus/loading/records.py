"""The records that readers yield and writers take: norms with articles, judgments, and what was left out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal, TypeAlias

Status = Literal["in_force", "repealed", "expired", "annulled"]


def digest_of(*parts: str) -> bytes:
    """Return the SHA-256 of texts, with their boundaries."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class NormFacts:
    """The row of a norm (`CorpusNorm`). `source` is the form it came in, `index` where only its entry did.

    `whole` where every article of the norm is in the source, so that an absent one does not exist.
    """

    jurisdiction: str
    official_id: str
    title: str
    source: str
    digest: bytes
    status: Status = "in_force"
    short_title: str | None = None
    rank: str | None = None
    number: str | None = None
    dated: date | None = None
    published: date | None = None
    in_force: date | None = None
    repealed: date | None = None
    repealed_by: str | None = None
    url: str | None = None
    edition: date | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of an article from a day (inclusive) to a day (exclusive), and what introduced them."""

    text: str
    in_force_from: date | None = None
    in_force_to: date | None = None
    amended_by: str | None = None

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the words."""
        return digest_of(self.text)


@dataclass(frozen=True, slots=True)
class ArticleText:
    """An article with its wordings, oldest first; a source that has only the text in force gives one."""

    number: str
    wordings: tuple[Wording, ...]
    place: int
    heading: str | None = None
    path: tuple[str, ...] = ()
    occurrence: int = 1


@dataclass(frozen=True, slots=True)
class Statute:
    """A norm with articles; with `history` the wordings are all there ever were, else the present one."""

    facts: NormFacts
    articles: tuple[ArticleText, ...]
    history: bool = False


@dataclass(frozen=True, slots=True)
class Judgment:
    """A decision; `text` is empty where only its entry in an index is known."""

    jurisdiction: str
    canonical: str
    court: str
    kind: str
    title: str
    source: str
    digest: bytes
    chamber: str | None = None
    number: str | None = None
    year: int | None = None
    dated: date | None = None
    ecli: str | None = None
    roj: str | None = None
    docket: str | None = None
    judge: str | None = None
    summary: str | None = None
    url: str | None = None
    text: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skip:
    """Something of the source that was not loaded, and why, in words that are counted."""

    reason: str


Record: TypeAlias = Statute | Judgment | NormFacts


@dataclass(frozen=True, slots=True)
class Item:
    """One thing read, with the position in the source after it. `notes` are counted and reported too."""

    position: int
    record: Record | Skip
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: `name` identifies the record of its load, `jurisdiction` is what the operator gave."""

    path: Path
    name: str
    jurisdiction: str | None = None


# Reads what comes after a place, in order; the same file gives the same items at every reading.
Reader: TypeAlias = Callable[[Source, int], Iterator[Item]]
