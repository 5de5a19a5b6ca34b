"""What changes where a norm, an article or a judgment is loaded over one that is there. Pure.

A source with history replaces what is held. A source with the present text only adds a version from the day
of
its edition, where it is later than the one held, and otherwise corrects the text in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TypeVar

from app.corpus.loading.records import ArticleText, Judgment, NormFacts, Wording

Row = TypeVar("Row", NormFacts, Judgment)
# `source` of a norm of which only the entry in an index is known.
INDEX = "index"


@dataclass(frozen=True, slots=True)
class Held:
    """One version that is there."""

    version: int
    digest: bytes
    in_force_from: date | None
    in_force_to: date | None
    amended_by: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """One version as it is to be; `text` is `None` where the words that are there stay."""

    version: int
    in_force_from: date | None
    in_force_to: date | None
    amended_by: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """Versions to write, how many the article then has, and whether its words or days changed."""

    written: tuple[Written, ...]
    versions: int
    changed: bool


def article(
    held: Sequence[Held], found: ArticleText, *, history: bool, edition: date | None, before: date | None
) -> Change:
    """What becomes of an article: `held` are its versions so far, oldest first, `before` the edition held."""
    if history or not held:
        rows = tuple(
            Written(number, one.in_force_from, one.in_force_to, one.amended_by, one.text)
            for number, one in enumerate(found.wordings, start=1)
            if number > len(held) or not _same(held[number - 1], one)
        )
        return Change(rows, len(found.wordings), bool(rows) or len(held) > len(found.wordings))
    last, wording = held[-1], found.wordings[-1]
    if last.digest == wording.digest:
        return Change((), len(held), False)
    since = wording.in_force_from or (edition if edition and before and edition > before else None)
    if since is None or since == last.in_force_from:
        row = Written(last.version, last.in_force_from, last.in_force_to, last.amended_by, wording.text)
        return Change((row,), len(held), True)
    closed = Written(last.version, last.in_force_from, since, last.amended_by, None)
    opened = Written(last.version + 1, since, wording.in_force_to, wording.amended_by, wording.text)
    return Change((closed, opened), len(held) + 1, True)


def gone(held: Sequence[Held], edition: date | None) -> Change:
    """An article that a new edition of the whole law no longer has: its last version ends with the
    edition.
    """
    last = held[-1]
    if last.in_force_to is not None or edition is None:
        return Change((), len(held), False)
    row = Written(last.version, last.in_force_from, edition, last.amended_by, None)
    return Change((row,), len(held), True)


def _same(held: Held, wording: Wording) -> bool:
    return (held.digest, held.in_force_from, held.in_force_to, held.amended_by) == (
        wording.digest, wording.in_force_from, wording.in_force_to, wording.amended_by,
    )  # fmt: skip


def _filled(new: Row, old: Row) -> Row:
    """`new` with what it does not say taken from `old`."""
    missing = {
        one.name: getattr(old, one.name) for one in fields(new) if getattr(new, one.name) in (None, "", {})
    }
    return replace(new, **missing)


def norm(held: NormFacts | None, found: NormFacts) -> NormFacts:
    """The row that a norm gets. An entry of an index never replaces what came with a text, but its status
    does
    where it is no older; a text takes from the entry what it does not say itself.
    """
    if held is None:
        return found
    newer = held.edition is None or (found.edition is not None and found.edition >= held.edition)
    if found.source == INDEX and held.source != INDEX:
        merged = _filled(held, found)
        if newer and found.status != held.status:
            merged = replace(
                merged, status=found.status, repealed=found.repealed or held.repealed,
                repealed_by=found.repealed_by or held.repealed_by,
            )  # fmt: skip
        return merged
    merged = _filled(found, held)
    if held.source == INDEX and found.source != INDEX and not newer and found.edition is not None:
        merged = replace(merged, status=held.status)
    return replace(merged, whole=found.whole or (held.whole and held.source == found.source))


def judgment(held: Judgment | None, found: Judgment) -> Judgment:
    """The row that a judgment gets: a text over an entry keeps what the entry knows, and the other way
    round.
    """
    if held is None:
        return found
    if held.text and not found.text:
        return _filled(held, found)
    return _filled(found, held)
