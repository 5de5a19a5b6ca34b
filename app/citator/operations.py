"""The citator: parsed arguments in, the answer as a JSON object out (decision 034).

The HTTP routes and the tool server call these, so both answer alike. Schemas stand here for both.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from app import corpus, webhooks
from app.citator import authority_lookup, graph, timeline, validity, watching
from app.citator.authority_lookup import Authority
from app.citator.schemas import (
    CitationQuery,
    LinksQuery,
    LinksResponse,
    TimelineQuery,
    TimelineResponse,
    ValidityResponse,
)
from app.platform import clock
from app.platform.errors import Denied, NotFound
from app.platform.postgres import db
from app.platform.web import parameters
from app.tenancy import Caller

__all__ = [
    "CitationQuery",
    "LinksQuery",
    "LinksResponse",
    "TimelineQuery",
    "TimelineResponse",
    "ValidityResponse",
    "citation_timeline",
    "citation_validity",
    "cited_by",
    "jurisdiction_of",
    "links",
    "paging",
    "require_addon",
    "resolved",
    "validity_of",
    "watch",
    "watched_on_the_wire",
]


def require_addon(caller: Caller) -> None:
    """Raise `Denied` (403 `ADDON_REQUIRED`) where the account does not have the citator."""
    if not caller.citator:
        raise Denied(
            "This account does not have the citator add-on.",
            code="ADDON_REQUIRED",
            status=403,
            details={"addon": "citator"},
        )


def citation_validity(caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
    """Tell whether a citation is still good law; `query` is a loaded `CitationQuery`."""
    require_addon(caller)
    return validity_of(query)


def validity_of(query: dict[str, Any]) -> dict[str, Any]:
    """Tell what `citation_validity` tells, for code that knows whether the account has the add-on."""
    now = clock.now()
    on = query.get("fecha") or now.date()
    with db.reading() as session:
        found = authority_lookup.resolve(session, query["citation"], jurisdiction_of(query))
        stands = (
            validity.of(session, found, on=on, worded=query.get("redaccion"))
            if found
            else validity.Validity("unknown")
        )
    return {
        "citation": query["citation"],
        "resolved": found.on_the_wire() if found else None,
        "validity": stands.standing,
        "since": clock.iso_day(stands.since),
        "because": [
            {
                "by": link.authority.title,
                "treatment": link.treatment,
                "date": clock.iso_day(link.dated),
                "url": link.authority.url,
                "partial": link.partial,
                "article": link.article or None,
                "line": link.line,
                "source": link.source,
            }
            for link in stands.because
        ],
        "wording": {
            "inForceFrom": clock.iso_day(stands.wording.since),
            "inForceTo": clock.iso_day(stands.wording.until),
            "amendedBy": stands.wording.amended_by,
        }
        if stands.wording
        else None,
        "note": stands.note,
        "checkedAt": clock.iso(now),
    }


def cited_by(caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
    """List who cites an authority; `query` is a loaded `LinksQuery`. Raises `NotFound` (404)."""
    require_addon(caller)
    with db.reading() as session:
        found = resolved(session, query)
        page = graph.citing(session, found, **paging(query))
    return links(query, found, page, cites=False)


def citation_timeline(caller: Caller, query: dict[str, Any]) -> dict[str, Any]:
    """Tell what happened to an authority, in order of time; `query` is a loaded `TimelineQuery`.

    Raises `NotFound` (404).
    """
    require_addon(caller)
    with db.reading() as session:
        found = resolved(session, query)
        entries = timeline.of(session, found)
    return {
        "id": query["id"],
        "resolved": found.on_the_wire(),
        "data": [
            {
                "date": clock.iso_day(entry.day),
                "kind": entry.kind,
                "treatment": entry.treatment,
                "by": entry.by,
                "detail": entry.detail,
                "url": entry.url,
                "partial": entry.partial,
                "line": entry.line,
            }
            for entry in entries
        ],
    }


def resolved(session: db.Session, query: dict[str, Any]) -> Authority:
    """Return what `id` names. Raises `NotFound` (404)."""
    found = authority_lookup.resolve(session, query["id"], jurisdiction_of(query))
    if found is None:
        raise NotFound("There is no judgment or norm with this id.", details={"field": "id"})
    return found


def paging(query: dict[str, Any]) -> dict[str, Any]:
    """Return which page of links is asked for, as the graph takes it."""
    return {
        "treatment": query.get("treatment"),
        "after": parameters.decode_cursor(query.get("cursor")) or 0,
        "limit": query["limit"],
    }


def links(query: dict[str, Any], found: Authority, page: graph.Page, *, cites: bool) -> dict[str, Any]:
    """Return a page of links as a `LinksResponse`; `cites` where they are what the authority cites."""
    return {
        "id": query["id"],
        "resolved": found.on_the_wire(),
        "count": page.total,
        "data": [
            {
                **replace(link.authority, article=link.article if cites else "").on_the_wire(),
                "treatment": link.treatment,
                "partial": link.partial,
                "citedArticle": link.article or None,
                "count": link.times,
                "source": link.source,
            }
            for link in page.links
        ],
        "has_more": page.next_place is not None,
        "next_cursor": parameters.encode_cursor(page.next_place),
    }


def jurisdiction_of(query: dict[str, Any]) -> str | None:
    """Return the jurisdiction asked for, if any.

    Raises:
        Invalid: The code is not known.
    """
    written = query.get("jurisdiction") or query.get("jurisdiccion")
    return None if written is None else corpus.known_code(str(written))


def watch(
    session: db.Session, caller: Caller, body: dict[str, Any], *, now: datetime
) -> tuple[webhooks.Watch, bool]:
    """Watch what a loaded `WatchBody` names; return the watch and whether it is new.

    Raises:
        Invalid: 400, nothing known can be read in the citation; 422 `WATCH_LIMIT`.
    """
    return watching.watch(
        session, caller.account_id, body["citation"], jurisdiction_of(body), mail=body["mail"], now=now
    )


def watched_on_the_wire(row: webhooks.Watch) -> dict[str, Any]:
    """Return a watch as the API shows it."""
    return {
        "id": str(row.id),
        "kind": row.kind,
        "subject": row.subject,
        "title": row.title,
        "article": row.article,
        "jurisdiction": row.jurisdiction,
        "url": row.url,
        "mail": row.mail,
        "createdAt": clock.iso(row.created_at),
    }
