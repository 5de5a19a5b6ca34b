"""Read the exemplars of each type of clause or kind of document, and tell whether weights are of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from app.platform.data_files import (
    DataFileError,
    Entry,
    FromList,
    NotBlank,
    Wording,
    Words,
    read_entry,
    read_file,
    read_toml,
)
from app.text.tongues import Tongue

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

    `shown` is what the folder holds, as messages call it; `also` are folders whose files are learnt from too.
    """

    folder: Path
    weights: Path
    shown: str
    also: tuple[Path, ...] = ()


SPOKEN: Final[Mapping[Tongue, tuple[str, ...]]] = {
    "de": ("de",),
    "fr": ("fr",),
    "it": ("it",),
    "pt": ("br", "pt"),
}
"""The countries whose documents are in a language, by their folders."""
_TONGUES: Final = tuple(SPOKEN)
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
    return PASSAGES if code == "ES" else _below(PASSAGES, code.lower())


def kinds_of(tongue: Tongue) -> Subject | None:
    """Return the exemplars of kinds of document in a language; None where nobody has written any.

    Those in Spanish and English stand in the folder itself, those in another one in a folder by its code.
    """
    if tongue in ("es", "en"):
        return KINDS
    found = _below(KINDS, tongue)
    if found is None:
        return None
    # What the rules of a kind are about is what its documents speak of: their passages teach the kind.
    of_countries = [(PASSAGES.folder / code, APP / "rules/data" / code) for code in SPOKEN[tongue]]
    return replace(found, also=tuple(folder for folders in of_countries for folder in folders))


def _below(subject: Subject, name: str) -> Subject | None:
    """Return what is learnt apart from a folder below that of a subject, if there is one of that name."""
    folder = subject.folder / name
    if not name.replace("-", "").isalpha() or not folder.is_dir():
        return None
    weights = subject.weights.with_stem(f"{subject.weights.stem}_{name}")
    return Subject(folder, weights, f"{subject.shown} of {name.upper()}")


def subjects() -> tuple[Subject, ...]:
    """Return all that is learnt from."""
    countries = [path.name.upper() for path in sorted(PASSAGES.folder.iterdir()) if path.is_dir()]
    found = [*map(kinds_of, _TONGUES), *map(passages_of, countries)]
    return (CLAUSES, KINDS, PASSAGES, *(one for one in found if one is not None))


class WeightsError(RuntimeError):
    """There are no weights, or not those of these exemplars; the message names the command to run."""


class Author(Entry):
    """The exemplars of one author; whoever measures leaves out one author at a time."""

    name: NotBlank
    es: Words = ()
    en: Words = ()


class Excerpts(Entry):
    """Excerpts of a kind of document by one author, in a language beside Spanish and English."""

    pt: Words = ()
    fr: Words = ()
    it: Words = ()
    de: Words = ()


class ClauseType(Entry):
    """What a type of clause provides or a kind of document does, and exemplars of it."""

    definition: Wording
    authors: Annotated[tuple[Author, ...], FromList] = Field(alias="author")


@dataclass(frozen=True, slots=True)
class Exemplar:
    """One clause or excerpt as an author wrote it, its type or kind and its language."""

    type: str
    author: str
    language: Tongue
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
        for text in author.es:
            yield Exemplar(path.stem, author.name, "es", text)
        for text in author.en:
            yield Exemplar(path.stem, author.name, "en", text)


def read_of_language(folder: Path) -> tuple[Exemplar, ...]:
    """Read the excerpts of kinds of document in one language, whose folder has a file for each author.

    Raises:
        DataFileError: naming the file and every mistake in it.
    """
    return tuple(
        Exemplar(kind, path.stem, tongue, text)
        for path in sorted(folder.glob("*.toml"))
        for kind, excerpts in read_file(path, dict[str, Excerpts]).items()
        for tongue in _TONGUES
        for text in getattr(excerpts, tongue)
    )


def digest(subject: Subject = CLAUSES) -> str:
    """Return the SHA-256 of the exemplars and of the code that reads and learns from them, in hexadecimal."""
    made = hashlib.sha256()
    folders = [sorted(folder.glob("*.toml")) for folder in (subject.folder, *subject.also)]
    for path in [*(path for folder in folders for path in folder), *(APP / name for name in _CODE)]:
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
