"""Read the exemplars of each type of clause or kind of document, and tell whether weights are of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from app.platform.data_files import (
    DataFileError,
    Entry,
    FromList,
    NotBlank,
    Wording,
    Words,
    read_entry,
    read_toml,
)

APP = Path(__file__).parents[2]
COMMAND = "python -m app.rules.weights"
NONE = "none"
"""The file of sentences that are of no type: parties, recitals, definitions, narrative, signatures."""
_CODE = (
    "rules/clause_types/features.py",
    "rules/clause_types/kind_model.py",
    "rules/clause_types/part_words.py",
    "rules/clause_types/training.py",
    "rules/passages/index.py",
    "rules/passages/texts.py",
    "rules/passages/training.py",
    "rules/data/synonyms.toml",
    "rules/data/languages/de/synonyms.toml",
    "rules/data/languages/fr/synonyms.toml",
    "rules/data/languages/it/synonyms.toml",
    "rules/data/languages/pt/synonyms.toml",
    "text/normalize.py",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is learnt: a folder of exemplars, a file for each class, and where its weights are written.

    `shown` is what the folder holds, as messages call it.
    """

    folder: Path
    weights: Path
    shown: str


_LEARNT = APP / "rules/clause_types"
CLAUSES = Subject(APP / "rules/data/exemplars", _LEARNT / "weights.bin", "exemplars of clauses")
KINDS = Subject(
    APP / "rules/data/kind_exemplars", _LEARNT / "kind_weights.bin", "exemplars of kinds of document"
)
PASSAGES = Subject(APP / "rules/data/passages", _LEARNT / "passage_weights.bin", "passages of rules")


def passages_of(code: str) -> Subject | None:
    """Return the passages of the rules of a country; None where nobody has written any.

    Those of Spain stand in the folder itself, those of another country in a folder by its code.
    """
    if code == "ES":
        return PASSAGES
    folder = PASSAGES.folder / code.lower()
    if not (code.replace("-", "").isalpha() and folder.is_dir()):
        return None
    return Subject(
        folder,
        PASSAGES.weights.with_name(f"passage_weights_{code.lower()}.bin"),
        f"passages of rules of {code}",
    )


def subjects() -> tuple[Subject, ...]:
    """Return all that is learnt from."""
    countries = sorted(path.name.upper() for path in PASSAGES.folder.iterdir() if path.is_dir())
    found = (CLAUSES, KINDS, PASSAGES, *map(passages_of, countries))
    return tuple(one for one in found if one is not None)


class WeightsError(RuntimeError):
    """There are no weights, or not those of these exemplars; the message names the command to run."""


class Author(Entry):
    """The exemplars of one author; whoever measures leaves out one author at a time."""

    name: NotBlank
    es: Words = ()
    en: Words = ()


class ClauseType(Entry):
    """What a type of clause provides or a kind of document does, and exemplars of it."""

    definition: Wording
    authors: Annotated[tuple[Author, ...], FromList] = Field(alias="author")


@dataclass(frozen=True, slots=True)
class Exemplar:
    """One clause or excerpt as an author wrote it, its type or kind and its language."""

    type: str
    author: str
    language: str
    text: str


@lru_cache(maxsize=2)
def type_ids(folder: Path = CLAUSES.folder) -> tuple[str, ...]:
    """Return the ids of all types, sorted: the names of their files."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml") if path.stem != NONE))


def read(folder: Path = CLAUSES.folder) -> tuple[Exemplar, ...]:
    """Read all exemplars, those of no type included.

    Raises:
        DataFileError: naming the file and every mistake in it.
    """
    found: dict[str, str] = {}
    exemplars = []
    for path in sorted(folder.glob("*.toml")):
        for exemplar in _of(path):
            # The same words in two types would teach that neither is meant.
            if found.setdefault(exemplar.text, path.stem) != path.stem:
                raise DataFileError(
                    f"{path.name}: also in {found[exemplar.text]}.toml: {exemplar.text[:60]!r}"
                )
            exemplars.append(exemplar)
    return tuple(exemplars)


def _of(path: Path) -> Iterator[Exemplar]:
    """Yield the exemplars of one file."""
    clause_type = read_entry(ClauseType, path.name, read_toml(path))
    for author in clause_type.authors:
        for language, texts in (("es", author.es), ("en", author.en)):
            for text in texts:
                yield Exemplar(path.stem, author.name, language, text)


def digest(subject: Subject = CLAUSES) -> str:
    """Return the SHA-256 of the exemplars and of the code that reads and learns from them, in hexadecimal."""
    made = hashlib.sha256()
    for path in [*sorted(subject.folder.glob("*.toml")), *(APP / name for name in _CODE)]:
        made.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def archive(subject: Subject) -> bytes:
    """Return what was learnt from the exemplars of a subject, a NumPy archive.

    Raises:
        WeightsError: when it is missing, or is not of these exemplars.
    """
    try:
        made_of, _, learnt = subject.weights.read_bytes().partition(b"\n")
    except FileNotFoundError:
        raise WeightsError(f"The weights of the {subject.shown} are missing. Run: {COMMAND}") from None
    if made_of != digest(subject).encode("ascii"):
        raise WeightsError(f"The weights are not of these {subject.shown}. Run: {COMMAND}")
    return learnt


def is_fresh(subject: Subject = CLAUSES) -> bool:
    """Tell whether there are weights of these exemplars. Their file begins with a line of the digest."""
    try:
        with subject.weights.open("rb") as held:
            return held.readline(80).strip() == digest(subject).encode("ascii")
    except OSError:
        return False


def check() -> None:
    """Check that there are weights of all exemplars, those that a process loads only when it needs them too.

    Raises:
        WeightsError: naming those that are missing, or are not of these exemplars.
    """
    for subject in subjects():
        if not is_fresh(subject):
            raise WeightsError(f"The weights of the {subject.shown} are missing or stale. Run: {COMMAND}")
