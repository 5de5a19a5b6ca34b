"""Choose the reader of a source, by what is loaded and in which format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from app.corpus.loading.readers import (
    judgment_csv,
    judgment_jsonl,
    judgment_text,
    norm_csv,
    statute_akn,
    statute_boe,
    statute_jsonl,
    statute_markdown,
)
from app.corpus.loading.records import Reader, Source
from app.platform.errors import Invalid, NotFound

KINDS = ("statutes", "judgments", "norms")
FORMS = ("markdown", "jsonl", "boe-xml", "akn", "csv")

_READERS: Mapping[tuple[str, str], Reader] = MappingProxyType(
    {
        ("statutes", "markdown"): statute_markdown.read,
        ("statutes", "jsonl"): statute_jsonl.read,
        ("statutes", "boe-xml"): statute_boe.read,
        ("statutes", "akn"): statute_akn.read,
        ("judgments", "markdown"): judgment_text.read,
        ("judgments", "jsonl"): judgment_jsonl.read,
        ("judgments", "csv"): judgment_csv.read,
        ("norms", "csv"): norm_csv.read,
    }
)
_ENDINGS = MappingProxyType(
    {
        "markdown": (".md", ".markdown", ".txt"),
        "jsonl": (".jsonl", ".ndjson"),
        "boe-xml": (".xml",),
        "akn": (".xml", ".akn"),
        "csv": (".csv",),
    }
)


def reader(kind: str, form: str) -> Reader:
    """Return the reader of a format.

    Raises:
        Invalid: The kind does not have the format; the message names those it has.
    """
    found = _READERS.get((kind, form))
    if found is None:
        forms = ", ".join(form for known, form in _READERS if known == kind)
        raise Invalid(f"{kind} cannot be loaded from {form}; forms are {forms}.")
    return found


def sources(path: Path, form: str, jurisdiction: str | None) -> Iterator[Source]:
    """Yield the files of `path`: itself, or those of a folder with the format's extension, sorted by name.

    Raises:
        NotFound: There is none.
    """
    if path.is_file():
        yield _source(path, jurisdiction)
        return
    endings = _ENDINGS[form]
    found = False
    for one in sorted(path.rglob("*")) if path.is_dir() else ():
        if one.is_file() and one.name.removesuffix(".gz").endswith(endings):
            found = True
            yield _source(one, jurisdiction)
    if not found:
        raise NotFound(f"There is no file {', '.join(endings)} at this place.")


def _source(path: Path, jurisdiction: str | None) -> Source:
    # The folder's name with the file's: enough to tell sources apart, and no path of the operator's machine.
    return Source(path, f"{path.resolve().parent.name}/{path.name}", jurisdiction)
