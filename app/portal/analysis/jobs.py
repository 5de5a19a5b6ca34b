"""Jobs of all the account's keys: their status, their errors in words, their results while kept.

The holder of a child key may be another firm: of its jobs members see status, times and cost, but no result
(decision 009).
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as AnyResponse

from app import jobs, reports
from app.platform import clock, errors
from app.platform.postgres import db
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import status_labels
from app.portal.web.display.view_models import Option, options, tone_class
from app.portal.web.session import access

SHOWN = 50
OPEN = ("pending", "running")


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job as the list shows it, and what may be done with it."""

    job: jobs.JobSummary

    @property
    def tag_class(self) -> str:
        """The CSS class of the tag with its status."""
        return tag_class(self.job)

    @property
    def is_running(self) -> bool:
        """Whether a worker has it."""
        return self.job.status == "running"

    @property
    def has_result(self) -> bool:
        """Whether it completed."""
        return self.job.status == "completed"

    @property
    def is_withheld(self) -> bool:
        """Whether its result is for the holder of a child key alone."""
        return self.job.of_child and self.has_result

    @property
    def can_cancel(self) -> bool:
        """Whether members may cancel it."""
        return not self.job.of_child and self.job.status == "pending"

    @property
    def can_download(self) -> bool:
        """Whether members may have its result."""
        return not self.job.of_child and self.has_result and not self.job.expired

    @property
    def can_read(self) -> bool:
        """Whether its result has a page."""
        return self.job.kind == "analyze"


def tag_class(job: jobs.JobSummary) -> str:
    """Return the CSS class of the tag with a job's status."""
    return tone_class("tag", status_labels.JOB_TONES[job.status])


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
        rows=[JobRow(row) for row in rows],
        status=status,
        statuses=_statuses(status),
        most=SHOWN,
        is_cut=len(rows) == SHOWN,
        under_way=any(row.status in OPEN for row in rows),
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


@site.get("/jobs/<uuid:job_id>/report.<any(pdf, docx, md, 'docx-comments'):form>")
@access.member_only(access.KEY_ROLES)
def job_report(job_id: uuid.UUID, form: reports.Format) -> Response:
    """Download the report of a job, as `GET /api/v1/jobs/<id>/report` gives it."""
    made = reports.report_on(opened(job_id), form, now=clock.now())
    return Response(
        made.data,
        mimetype=made.media_type,
        headers={"Content-Disposition": f'attachment; filename="{made.name}"'},
    )


def opened(job_id: uuid.UUID) -> jobs.Job:
    """Return a job of the account that the signed-in member may open.

    A job of a child key ends the request with 403 and a page with its status.

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
        "portal/analysis/sub_key_job.html",
        job=shown,
        tag_class=tag_class(shown),
        meaning=jobs.meaning,
        terms=status_labels,
    )
    raise Forbidden(response=make_response(page, 403))


def _statuses(chosen: jobs.Status | None) -> list[Option]:
    return options([(one, status_labels.JOB_STATUSES[one]) for one in jobs.STATUSES], chosen)


def _status(given: str | None) -> jobs.Status | None:
    return next((one for one in jobs.STATUSES if one == given), None)
