"""Jobs of all the account's keys: their state as it changes, what went wrong in words, results while kept.

A sub-key's holder may be another firm: of its jobs members see state, times and cost, and what came of them
is the sub-key's alone (decision 009).
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
    """The newest jobs of the account, whatever their key; for htmx, the list alone."""
    account_id, now = access.visitor().account_id, clock.now()
    status = _status(request.args.get("status"))
    with db.reading() as session:
        rows = jobs.standings(session, account_id, now=now, status=status, limit=SHOWN)
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
    """Cancel what still waits; its credits are free at once."""
    opened(job_id)
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
    found = jobs.result(opened(job_id), now=clock.now())
    if found is None:
        raise errors.NotFound("There is no result to download.")
    return Response(
        json.dumps(found, ensure_ascii=False, indent=1),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="job_{job_id}.json"'},
    )


def opened(job_id: uuid.UUID) -> jobs.Job:
    """Find a job that the visitor may open; raise `NotFound` for one that is not of their account.

    One of a sub-key ends the request with 403 and a page that says how it stands, and why no more.
    """
    account_id = access.visitor().account_id
    with db.reading() as session:
        try:
            job = jobs.find(session, account_id, job_id)
        except errors.NotFound:
            shown = jobs.standing(session, account_id, job_id, now=clock.now())
        else:
            session.expunge(job)
            return job
    page = render_template(
        "portal/analysis/sub_key_job.html", job=shown, meaning=jobs.meaning, terms=status_labels
    )
    raise Forbidden(response=make_response(page, 403))


def _status(given: str | None) -> jobs.Status | None:
    return next((one for one in jobs.STATUSES if one == given), None)
