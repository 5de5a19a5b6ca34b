"""A page of the analysed document as a picture, with the words of a quotation marked."""

from __future__ import annotations

import uuid

from flask import Response, request

from app import documents, jobs, tenancy
from app.platform import clock, errors
from app.platform.postgres import db
from app.portal.analysis.jobs import opened
from app.portal.web.blueprints import site
from app.portal.web.session import access

_WIDTH = 1100
_MARKS_MAX = 20


@site.get("/analyse/<uuid:job_id>/pages/<int:page>.png")
@access.member_only(access.KEY_ROLES)
def document_page(job_id: uuid.UUID, page: int) -> Response:
    """Return a page of the document of a job while its result is kept; `mark` is `start-end`, repeated.

    The offsets are those of `quotes[]`. It is drawn in a process of its own and stored nowhere.
    """
    job = opened(job_id)
    result = jobs.result(job, now=clock.now())
    ref = (result or {}).get("documentRef")
    if not ref:
        raise errors.NotFound("This analysis has no document with pages.")
    with db.reading() as session:
        # The document is the key's that was charged, whose members may see its results.
        caller = tenancy.as_key(session, job.account_id, job.api_key_id, now=clock.now())
        kept = documents.find(session, caller, uuid.UUID(ref))
        session.expunge(kept)
    picture = documents.page_image(
        documents.original(kept),
        kept.media_type,
        page,
        marks=_marks(request.args.getlist("mark")),
        width=_WIDTH,
        reading=documents.reading_of(kept),
    )
    return Response(picture, mimetype="image/png", headers={"Cache-Control": "private, no-store"})


def _marks(given: list[str]) -> list[tuple[int, int]]:
    found = []
    for one in given[:_MARKS_MAX]:
        start, _, end = one.partition("-")
        if start.isdecimal() and end.isdecimal() and len(one) < 24 and int(start) < int(end):
            found.append((int(start), int(end)))
    return found
