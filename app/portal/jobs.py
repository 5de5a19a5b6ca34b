"""Jobs of all the account's keys: their state as it changes, what went wrong in words, results while kept."""

from __future__ import annotations

import json
import uuid

from flask import Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response as AnyResponse

from app import jobs, tenancy
from app.platform import clock, db, errors
from app.portal import access, terms
from app.portal.site import is_fragment, site

SHOWN = 50


@site.get("/jobs", endpoint="jobs")
@access.member_only(access.KEY_ROLES)
def jobs_page() -> str:
    """The newest jobs of the account, whatever their key; for htmx, the list alone."""
    account_id, now = access.visitor().account_id, clock.now()
    status = _status(request.args.get("status"))
    with db.reading() as session:
        rows = jobs.listing(session, account_id, status=status, limit=SHOWN)
        keys = tenancy.keys_by_id(session, account_id, [row.api_key_id for row in rows])
        session.expunge_all()
    return render_template(
        "portal/_jobs.html" if is_fragment() else "portal/jobs.html",
        rows=rows,
        keys=keys,
        status=status,
        statuses=jobs.STATUSES,
        most=SHOWN,
        under_way=any(row.status in ("pending", "running") for row in rows),
        gone={row.id for row in rows if jobs.expired(row, now=now)},
        meaning=jobs.meaning,
        terms=terms,
    )


@site.post("/jobs/<uuid:job_id>/cancel")
@access.member_only(access.KEY_ROLES)
def cancel_job(job_id: uuid.UUID) -> AnyResponse:
    """Cancel what still waits; its credits are free at once."""
    try:
        with db.transaction() as session:
            job = jobs.cancel(session, access.visitor().account_id, job_id, now=clock.now())
        jobs.discard(job.id)
        flash(gettext("Cancelled. Nothing is charged."), "ok")
    except errors.Conflict:
        flash(gettext("It is under way already and cannot be cancelled."), "warn")
    return redirect(url_for("portal.jobs"), 303)


@site.get("/jobs/<uuid:job_id>/result.json")
@access.member_only(access.KEY_ROLES)
def job_result(job_id: uuid.UUID) -> Response:
    """The whole answer of a job, as `GET /api/v1/jobs/<id>` has it under `result`."""
    with db.reading() as session:
        job = jobs.find(session, access.visitor().account_id, job_id)
        session.expunge(job)
    found = jobs.result(job, now=clock.now())
    if found is None:
        raise errors.NotFound("There is no result to download.")
    return Response(
        json.dumps(found, ensure_ascii=False, indent=1),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="job_{job_id}.json"'},
    )


def _status(given: str | None) -> jobs.Status | None:
    return next((one for one in jobs.STATUSES if one == given), None)
