"""Build the timeline of an authority."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from app import corpus
from app.citator import graph
from app.citator.authority_lookup import Authority
from app.platform.postgres import db

EntryKind = Literal["publication", "version", "amendment", "repeal", "treatment"]
_MOST = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a timeline; `partial` where it touched only part, `line` the words that say so."""

    day: date | None
    kind: EntryKind
    treatment: str | None = None
    by: str | None = None
    detail: str | None = None
    url: str | None = None
    partial: bool = False
    line: str | None = None


_ORDER: Final = ("publication", "version", "amendment", "treatment", "repeal")


def of(session: db.Session, authority: Authority) -> list[Entry]:
    """Return publication, versions, amendments, repeal and up to 500 treatments, oldest first.

    Of an article they are its own versions, what was done to it, and the end of its norm. What happened on an
    unknown day comes last.
    """
    entries = [Entry(authority.dated, "publication", detail=authority.title, url=authority.url)]
    if authority.kind == "norm":
        entries += _of_norm(session, authority)
    page = graph.citing(session, authority, treatment=None, after=0, limit=_MOST)
    kinds: dict[str, EntryKind] = {"amends": "amendment", "repeals": "repeal"}
    told = {(entry.kind, entry.day) for entry in entries}
    for link in page.links:
        kind = kinds.get(link.treatment, "treatment")
        if kind == "repeal" and not link.article and (kind, link.dated) in told:
            continue
        entries.append(
            Entry(
                link.dated,
                kind,
                link.treatment,
                link.authority.title,
                link.article or None,
                link.authority.url,
                link.partial,
                link.line,
            )
        )
    return sorted(
        entries,
        key=lambda entry: (
            entry.kind != "publication" and entry.day is None,
            entry.day or date.min,
            _ORDER.index(entry.kind),
            entry.by or "",
            entry.detail or "",
        ),
    )


def _of_norm(session: db.Session, authority: Authority) -> list[Entry]:
    row, known = corpus.loaded_norm(session, authority.form), corpus.norm(authority.form)
    entries: list[Entry] = []
    if row is not None and authority.article:
        entries += [
            Entry(
                one.in_force_from,
                "version",
                None,
                one.amended_by,
                authority.article,
                corpus.permanent(row, authority.article),
            )
            for one in corpus.article_versions(session, row, authority.article)
            if one.in_force_from is not None
        ]
    elif row is not None:
        entries += [
            Entry(
                one.since, "version", None, one.amended_by, f"{one.articles} articles", corpus.permanent(row)
            )
            for one in corpus.editions(session, row)
            if one.since is not None
        ]
    repealed = (known.repealed if known else None) or (row.repealed if row else None)
    if repealed:
        by = "; ".join(known.successors) if known and known.successors else row.repealed_by if row else None
        note = known.repeal_note or None if known else None
        entries.append(
            Entry(repealed, "repeal", "repeals", by, authority.title, None, note is not None, note)
        )
    return entries
