"""Which readers there are: by what is loaded and in which form."""

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
    """The reader of a form. Raises `Invalid` naming the forms that there are."""
    found = _READERS.get((kind, form))
    if found is None:
        forms = ", ".join(form for known, form in _READERS if known == kind)
        raise Invalid(f"{kind} cannot be loaded from {form}; forms are {forms}.")
    return found


def sources(path: Path, form: str, jurisdiction: str | None) -> Iterator[Source]:
    """The files of `path`: itself, or those of a folder that end as the form does, in order of name.

    Raises `NotFound` where there is none.
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
