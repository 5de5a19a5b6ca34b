"""Read the passages of each rule, as their authors wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.platform.data_files import Entry, Words, read_file


class Entries(Entry):
    """What documents say where a rule must be raised, by language, and what they lawfully say instead."""

    es: Words = ()
    en: Words = ()
    lawful: Words = ()
    lawful_en: Words = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a document, the rule that they are about, and whether they meet it or are lawful."""

    rule: str
    author: str
    language: str
    text: str
    lawful: bool


def read(folder: Path) -> tuple[Passage, ...]:
    """Read the passages of all authors, a file each.

    Raises:
        DataFileError: naming the file and every mistake in it.
    """
    return tuple(passage for path in sorted(folder.rglob("*.toml")) for passage in _of(path))


def _of(path: Path) -> Iterator[Passage]:
    for rule, entry in read_file(path, dict[str, Entries]).items():
        for language, texts, lawful in (
            ("es", entry.es, False),
            ("en", entry.en, False),
            ("es", entry.lawful, True),
            ("en", entry.lawful_en, True),
        ):
            for text in texts:
                yield Passage(rule, path.stem, language, text, lawful)
