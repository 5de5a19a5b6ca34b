"""Full-text search of the reference: titles first, then descriptions, then fields and error codes. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from app.portal.docs.reference.fields import unfolded
from app.portal.docs.reference.operations import Operation
from app.portal.docs.reference.prose import plain

LONGEST = 100
"""Characters of a query that are looked at."""

_PART = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CODE = re.compile(r'"code": "([A-Z_]+)"')

Starts = frozenset[str]
"""Of each word of a text, what it begins with: `webhook_id` can be found from `webhookid` and from `id`."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A page with every word of the query.

    `names` are the fields and error codes that have the words which its title has not.
    """

    page: Operation
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """The searched text of a page: title and path, description, names of fields and error codes."""

    page: Operation
    title: Starts
    words: Starts
    names: tuple[tuple[str, Starts], ...]


def index(pages: Iterable[Operation]) -> tuple[Entry, ...]:
    """Build the search entries of the pages, in their order."""
    return tuple(_entry(page) for page in pages)


def search(entries: Iterable[Entry], query: str) -> list[Hit]:
    """Return the pages that have, for each word of `query`, a word beginning with it; title matches first.

    Case, accents and the separators of names do not matter: `apiKeyId` matches `api_key_id`.
    """
    wanted = [folded for word in query[:LONGEST].split() if (folded := "".join(_parts(word)))]
    if not wanted:
        return []
    hits: list[tuple[int, int, Hit]] = []
    for entry in entries:
        inside = frozenset(chain.from_iterable(starts for _, starts in entry.names))
        places = [_place(word, entry.title, entry.words, inside) for word in wanted]
        if None not in places:
            beyond = [word for word, place in zip(wanted, places, strict=True) if place]
            names = tuple(name for name, starts in entry.names if any(_has(starts, one) for one in beyond))
            hits.append((sum(place or 0 for place in places), len(hits), Hit(entry.page, names)))
    return [hit for *_, hit in sorted(hits, key=lambda ranked: ranked[:2])]


def _place(word: str, *texts: Starts) -> int | None:
    return next((place for place, starts in enumerate(texts) if _has(starts, word)), None)


def _has(starts: Starts, word: str) -> bool:
    return any(start.startswith(word) for start in starts)


def _entry(page: Operation) -> Entry:
    answers = [content for response in page.answers for content in response.contents]
    # Of errors, which all have the same fields, it is their codes that somebody has before them.
    codes = [
        code
        for response in page.errors
        for content in response.contents
        for example in content.examples
        for code in _CODE.findall(example.text)
    ]
    fields = [
        *chain.from_iterable(page.parameters.values()),
        *chain.from_iterable(content.fields for content in (*page.body, *answers)),
        *chain.from_iterable(response.headers for response in page.responses),
    ]
    names = dict.fromkeys([*(one.name for one in unfolded(fields) if not one.any_name), *codes])
    return Entry(
        page,
        title=_starts(" ".join((page.summary, page.slug, page.path, page.method, page.tag))),
        words=_starts(plain(page.about)),
        names=tuple((name, _starts(name)) for name in names if name),
    )


def _starts(text: str) -> Starts:
    found: set[str] = set()
    for word in text.split():
        parts = _parts(word)
        found.update("".join(parts[place:]) for place in range(len(parts)))
    return frozenset(found)


def _parts(word: str) -> list[str]:
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return [part.casefold() for whole in _PART.findall(bare) for part in _HUMP.split(whole)]
