"""Compute the row of a norm or judgment of which several sources speak. Pure.

The row of a norm is a function of the set of its editions: the order of loading does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from datetime import date
from typing import Any, TypeVar

from app.corpus.loading.records import Judgment, NormFacts

Row = TypeVar("Row", NormFacts, Judgment)
# `source` of a norm of which only the entry in an index is known.
INDEX = "index"


def _filled(new: Row, old: Row) -> Row:
    """Return `new` with what it does not say taken from `old`."""
    missing = {
        one.name: getattr(old, one.name) for one in fields(new) if getattr(new, one.name) in (None, "", {})
    }
    return replace(new, **missing)


# Of a norm, what each source says of it, by the day of its edition and the form it came in.
Editions = Mapping[tuple[date | None, str], NormFacts]


def with_edition(known: Editions, found: NormFacts) -> Editions:
    """Add an edition to `known`; the same edition in the same form is replaced: a correction."""
    return {**known, (found.edition, found.source): found}


def norm(editions: Editions) -> NormFacts:
    """Return the row of a norm: the latest edition of its text, filled from earlier ones, then the index.

    An entry of an index never replaces what came with a text, but its status does where it is no older. The
    norm is whole where its latest whole edition is followed by no part in another form. An edition without a
    day is older than any with one.
    """
    by_day = sorted(editions.values(), key=lambda one: (one.edition or date.min, one.source), reverse=True)
    texts = [one for one in by_day if one.source != INDEX]
    entries = [one for one in by_day if one.source == INDEX]
    if not texts:
        return _folded(entries)
    merged = _folded([*texts, *entries])
    if entries:
        entry, text = entries[0], texts[0]
        newer = text.edition is None or (entry.edition is not None and entry.edition >= text.edition)
        if newer and entry.status != text.status:
            merged = replace(
                merged, status=entry.status, repealed=entry.repealed or merged.repealed,
                repealed_by=entry.repealed_by or merged.repealed_by,
            )  # fmt: skip
    return replace(merged, whole=_is_whole(texts))


def _folded(newest_first: list[NormFacts]) -> NormFacts:
    merged = newest_first[0]
    for older in newest_first[1:]:
        merged = _filled(merged, older)
    return merged


def _is_whole(texts: Iterable[NormFacts]) -> bool:
    parts_since: set[str] = set()
    latest = None
    for one in texts:  # newest first
        if one.whole:
            return parts_since <= {one.source} or one.edition == latest
        parts_since.add(one.source)
        latest = one.edition
    return False


def whole_editions(editions: Editions) -> list[date]:
    """Return the days of those editions that had every article of the law."""
    return sorted({one.edition for one in editions.values() if one.whole and one.edition})


def editions_to_json(editions: Editions) -> list[dict[str, Any]] | None:
    """Return `editions` as JSON; `None` for a single one, which the row itself describes."""
    if len(editions) < 2:
        return None
    return [{**asdict(one), "digest": one.digest.hex()} for _, one in sorted(editions.items(), key=_place)]


def _place(item: tuple[tuple[date | None, str], NormFacts]) -> tuple[date, str]:
    (edition, source), _ = item
    return edition or date.min, source


def editions_from_json(row: NormFacts, raw: list[dict[str, Any]] | None) -> Editions:
    """Read what `editions_to_json` returned; without it the row is its only edition."""
    found = [_facts(one) for one in raw] if raw else [row]
    return {(one.edition, one.source): one for one in found}


def _facts(raw: Mapping[str, Any]) -> NormFacts:
    days = {
        name: date.fromisoformat(raw[name]) if raw[name] else None
        for name in ("dated", "published", "in_force", "repealed", "edition")
    }
    return NormFacts(**{**raw, **days, "digest": bytes.fromhex(raw["digest"])})


def judgment(held: Judgment | None, found: Judgment) -> Judgment:
    """Return the row of a judgment: a text keeps what an index entry knows, and the other way round."""
    if held is None:
        return found
    if held.text and not found.text:
        return _filled(held, found)
    return _filled(found, held)
