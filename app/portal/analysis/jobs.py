"""Jobs of all the account's keys: their status, their errors in words, their results while kept.

The holder of a sub-key may be another firm: of its jobs members see status, times and cost, but no result
(decision 009).
"""

from __future__ import annotations

import json
import uuid

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as AnyResponse

from app import jobs
from app.platform import clock, errors
from app.platform.postgres import db
from app.portal.web import access, status_labels
from app.portal.web.blueprints import is_fragment, site

SHOWN = 50


@site.get("/jobs", endpoint="jobs")
@access.member_only(access.KEY_ROLES)
def jobs_page() -> str:
    """Show the newest jobs of the account's keys; for htmx, only the list."""
    account_id, now = access.current_member().account_id, clock.now()
    status = _status(request.args.get("status"))
    with db.reading() as session:
        rows = jobs.summaries(session, account_id, now=now, status=status, limit=SHOWN)
    return render_template(
        "portal/analysis/_jobs.html" if is_fragment() else "portal/analysis/jobs.html",
        rows=rows,
        status=status,
        statuses=jobs.STATUSES,
        most=SHOWN,
        under_way=any(row.status in ("pending", "running") for row in rows),
        meaning=jobs.meaning,
        terms=status_labels,
    )


@site.post("/jobs/<uuid:job_id>/cancel")
@access.member_only(access.KEY_ROLES)
def cancel_job(job_id: uuid.UUID) -> AnyResponse:
    """Cancel a pending job; its held credits are released."""
    opened(job_id)
    try:
        with db.transaction() as session:
            job = jobs.cancel(session, access.current_member().account_id, job_id, now=clock.now())
        jobs.discard(job.id)
        flash(gettext("Cancelled. You were not charged."), "ok")
    except errors.Conflict:
        flash(gettext("The analysis has already started and cannot be cancelled."), "warn")
    return redirect(url_for("portal.jobs"), 303)


@site.get("/jobs/<uuid:job_id>/result.json")
@access.member_only(access.KEY_ROLES)
def job_result(job_id: uuid.UUID) -> Response:
    """Download the answer of a job, the `result` of `GET /api/v1/jobs/<id>`."""
    found = jobs.result(opened(job_id), now=clock.now())
    if found is None:
        raise errors.NotFound("There is no result to download.")
    return Response(
        json.dumps(found, ensure_ascii=False, indent=1),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="job_{job_id}.json"'},
    )


def opened(job_id: uuid.UUID) -> jobs.Job:
    """Return a job of the account that the signed-in member may open.

    A job of a sub-key ends the request with 403 and a page with its status.

    Raises:
        NotFound: The account has no such job.
    """
    account_id = access.current_member().account_id
    with db.reading() as session:
        try:
            job = jobs.find(session, account_id, job_id)
        except errors.NotFound:
            shown = jobs.summary(session, account_id, job_id, now=clock.now())
        else:
            session.expunge(job)
            return job
    page = render_template(
        "portal/analysis/sub_key_job.html", job=shown, meaning=jobs.meaning, terms=status_labels
    )
    raise Forbidden(response=make_response(page, 403))


def _status(given: str | None) -> jobs.Status | None:
    return next((one for one in jobs.STATUSES if one == given), None)
