"""Finding a page of the reference by words: of what an operation is, then of the fields it has. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.portal.reference.fields import Field
from app.portal.reference.operations import Operation
from app.portal.reference.prose import plain

LONGEST = 100
"""Characters of a query that are looked at."""

_WORD = re.compile(r"[^\W_]+")
# More would be a sentence, and every one of them has to be found.
_MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Hit:
    """A page with every word that was looked for; `fields` have those that its name and path have not."""

    page: Operation
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What of a page is searched, folded: its name and path, its words, the names of its fields."""

    page: Operation
    title: str
    words: str
    fields: tuple[tuple[str, str], ...]


def index(pages: Iterable[Operation]) -> tuple[Entry, ...]:
    """The pages ready to be searched, in their order."""
    return tuple(_entry(page) for page in pages)


def search(entries: Iterable[Entry], query: str) -> list[Hit]:
    """The pages that have every word of `query`, or its beginning; those that are called so come first."""
    wanted = _WORD.findall(_folded(query[:LONGEST]))[:_MOST_WORDS]
    if not wanted:
        return []
    hits: list[tuple[int, int, Hit]] = []
    for entry in entries:
        beyond = [word for word in wanted if word not in entry.title]
        names = dict.fromkeys(name for name, folded in entry.fields if any(word in folded for word in beyond))
        inside = " ".join(folded for _, folded in entry.fields)
        places = [_place(word, entry.title, entry.words, inside) for word in wanted]
        if None not in places:
            hits.append((sum(place or 0 for place in places), len(hits), Hit(entry.page, tuple(names))))
    return [hit for *_, hit in sorted(hits, key=lambda ranked: ranked[:2])]


def _place(word: str, *texts: str) -> int | None:
    return next((place for place, text in enumerate(texts) if word in text), None)


def _entry(page: Operation) -> Entry:
    contents = [*page.body, *(content for response in page.responses for content in response.contents)]
    fields = [
        *(field for place in page.parameters.values() for field in place),
        *(field for content in contents for field in content.fields),
    ]
    names = dict.fromkeys(field.name for field in _unfolded(fields) if not field.any_name)
    return Entry(
        page,
        title=_folded(" ".join((page.summary, page.path, page.method, page.tag, page.slug))),
        words=_folded(plain(page.about)),
        fields=tuple((name, _folded(name)) for name in names),
    )


def _unfolded(fields: Iterable[Field]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from _unfolded(field.inside)
        for variant in field.variants:
            yield from _unfolded(variant.fields)


def _folded(text: str) -> str:
    """Without capitals, accents and the joints of names: `api_key_id` and `apiKeyId` are looked for alike."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return bare.replace("_", "").casefold()
