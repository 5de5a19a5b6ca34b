"""Read the passages of each rule, as their authors wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.platform.data_files import Entry, Words, read_file
from app.text.tongues import Tongue

# The field of each language: of defects and of lawful clauses.
_FIELDS: Final[Mapping[Tongue, tuple[str, str]]] = {
    "es": ("es", "lawful"),
    "en": ("en", "lawful_en"),
    "pt": ("pt", "lawful_pt"),
    "fr": ("fr", "lawful_fr"),
    "it": ("it", "lawful_it"),
    "de": ("de", "lawful_de"),
}


class Entries(Entry):
    """What documents say where a rule must be raised, by language, and what they lawfully say instead."""

    es: Words = ()
    en: Words = ()
    pt: Words = ()
    fr: Words = ()
    it: Words = ()
    de: Words = ()
    lawful: Words = ()
    """In Spanish."""
    lawful_en: Words = ()
    lawful_pt: Words = ()
    lawful_fr: Words = ()
    lawful_it: Words = ()
    lawful_de: Words = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a document, the rule that they are about, and whether they meet it or are lawful."""

    rule: str
    author: str
    language: Tongue
    text: str
    lawful: bool


def read(folder: Path) -> tuple[Passage, ...]:
    """Read the passages of all authors of one country, a file each; what stands in folders below is not read.

    Raises:
        DataFileError: naming the file and every mistake in it.
    """
    return tuple(passage for path in sorted(folder.glob("*.toml")) for passage in _of(path))


def _of(path: Path) -> Iterator[Passage]:
    for rule, entry in read_file(path, dict[str, Entries]).items():
        for lawful in (False, True):
            for language, fields in _FIELDS.items():
                for text in getattr(entry, fields[lawful]):
                    yield Passage(rule, path.stem, language, text, lawful)
