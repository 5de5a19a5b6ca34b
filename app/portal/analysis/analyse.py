"""Analyse a text in the portal: it runs as a job, and its encrypted result is kept for a limited time."""

from __future__ import annotations

import json
import uuid
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_wtf.file import FileField
from werkzeug.wrappers import Response as AnyResponse
from wtforms import TextAreaField
from wtforms.validators import ValidationError

from app import analysis, documents, governance, jobs, reports
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.analysis import progress_view, result_view
from app.portal.analysis.jobs import OPEN, opened
from app.portal.analysis.options import (
    LONGEST,
    SHORTEST,
    OptionsForm,
    Submission,
    choices,
    engine_of_account,
    judge_length,
    keep,
    page_values,
    payer_of,
    submit,
)
from app.portal.analysis.progress_view import ProgressView
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import language
from app.portal.web.display.view_models import flags
from app.portal.web.session import access
from app.portal.web.session.form_once import FormToken, number
from app.portal.web.uploads import ACCEPTED, problem, read, takes_files, uploaded


class AnalyseForm(OptionsForm):
    """A text or a file, and the options of the analysis."""

    text = TextAreaField()
    file = FileField()

    document: str = ""

    def validate_text(self, field: Any) -> None:
        """Check the length of the text, where no file was chosen instead of it."""
        self.document = (field.data or "").replace("\r\n", "\n")
        if self.file.data is not None and self.file.data.filename:
            self.document = ""
            return
        judge_length(len(self.document))
        if "\x00" in self.document:
            raise ValidationError(gettext("This is not plain text. Copy the text from the document."))


@site.get("/analyse")
@access.member_only(access.KEY_ROLES)
def analyse() -> AnyResponse:
    """Show the form."""
    form = _form()
    form.once.data = number()
    return _page(form)


@site.post("/analyse")
@access.member_only(access.KEY_ROLES)
@takes_files(1)
def start_analysis() -> AnyResponse:
    """Accept the text or the file as a job and redirect to its progress."""
    form = _form()
    if not form.validate():
        return _page(form)
    payer = payer_of(form)
    if payer.key is None:
        form.key.errors = [payer.complaint or gettext("Choose the API key to charge.")]
        return _page(form)
    ticket = FormToken(access.current_member().account_id, form.once.data)
    if not ticket.take():
        flash(gettext("This form has already started its analysis."), "warn")
        return redirect(url_for("portal.analyse"), 303)
    with ticket.returned_on_failure():
        file, found = uploaded(form.file.data), None
        if file is not None:
            try:
                found = read(file)
                judge_length(len(found.text))
            except documents.DocumentUnreadable as unreadable:
                form.file.errors = [problem(unreadable.code)]
            except ValidationError as error:
                form.file.errors = [str(error)]
        if form.file.errors:
            ticket.give_back()
            return _page(form)
        if file is not None and found is not None and analysis.units(len(found.text)) > 1:
            # It costs more than this page could say before it was read.
            ticket.give_back()
            ref = keep(payer.key.id, file, found)
            flash(gettext("This file is long. Its price stands below: nothing has been charged yet."), "warn")
            chosen = {"ref": str(ref), "key": payer.key.key_prefix, "mode": form.mode.data}
            return redirect(url_for("portal.new_matter", **chosen), 303)
        sent = submit(form, payer.key.id, [Submission.of(form.document, file, found)])
    if not sent:
        ticket.give_back()
        return _page(form)
    return redirect(url_for("portal.analysis", job_id=sent[0].id), 303)


@site.post("/analyse/law")
@access.member_only(access.KEY_ROLES)
def law_of_text() -> AnyResponse | str:
    """Return, for htmx, the law that would be assessed for the text, before anything is charged."""
    form = _form()
    known = {code for code, _label in form.jurisdiction.choices}
    asked = form.jurisdiction.data if form.jurisdiction.data in known else analysis.AUTO
    text = (form.text.data or "")[:LONGEST]
    if len(text) < SHORTEST and asked == analysis.AUTO:
        return render_template("portal/law/_law.html", found=None)
    found = analysis.preview(text, asked, language.current(), engine_of_account())
    return render_template("portal/law/_law.html", found=found)


@site.get("/analyse/<uuid:job_id>", endpoint="analysis")
@access.member_only(access.KEY_ROLES)
def analysis_view(job_id: uuid.UUID) -> AnyResponse | str:
    """Show the progress of a job, then its result while it is kept."""
    job, result = _found(job_id)
    progress = progress_view.view(job) if job.status in OPEN else None
    if is_fragment():
        return _update(job, progress)
    if result is None:
        return render_template("portal/analysis/progress.html", **_waiting(job, progress))
    record = _record(job)
    return render_template(
        "portal/analysis/analysis.html",
        job=job,
        record=record,
        downloads=_downloads(job, record, can_comment=reports.can_comment(job, result)),
        **result_view.values(result),
    )


def _downloads(
    job: jobs.Job, record: governance.AuditRecord | None, *, can_comment: bool
) -> list[tuple[str, str]]:
    """Return names and addresses of the forms in which a result can be had, beside the report as PDF."""

    def report(form: str) -> str:
        return url_for("portal.job_report", job_id=job.id, form=form)

    found = [
        (gettext("Report (Word)"), report("docx")),
        (gettext("Report (Markdown)"), report("md")),
        (gettext("Analysis (Markdown)"), url_for("portal.download_analysis", job_id=job.id, form="md")),
        (gettext("Analysis (JSON)"), url_for("portal.download_analysis", job_id=job.id, form="json")),
    ]
    if can_comment:
        found.insert(0, (gettext("Your Word file with comments"), report("docx-comments")))
    if record is not None:
        audit = url_for("portal.analysis_document", seq=record.seq)
        found.append((gettext("Audit record (PDF)"), audit))
    return found


def _update(job: jobs.Job, progress: ProgressView | None) -> AnyResponse | str:
    """Return, for htmx, what has changed on the page of an open job; nothing where nothing has."""
    if progress is None:
        # The page that waits becomes the page of the result, scripts included, or says what became of it.
        return Response(headers={"HX-Refresh": "true"})
    seen = request.args.get("seen")
    if seen == progress.seen:
        return Response(status=204)
    return render_template(
        "portal/analysis/_update.html",
        is_news=progress.is_news_to(seen),
        **_waiting(job, progress, is_update=True),
    )


def _waiting(job: jobs.Job, progress: ProgressView | None, *, is_update: bool = False) -> dict[str, Any]:
    return {
        "is_update": is_update,
        "job": job,
        "progress": progress,
        "heading": gettext("Waiting in the queue")
        if job.status == "pending"
        else gettext("Analysis in progress"),
        "status_is": flags(job.status),
    }


@site.post("/analyse/<uuid:job_id>/cancel")
@access.member_only(access.KEY_ROLES)
def cancel_analysis(job_id: uuid.UUID) -> AnyResponse:
    """Cancel a pending job; its held credits are released."""
    opened(job_id)
    try:
        with db.transaction() as session:
            job = jobs.cancel(session, access.current_member().account_id, job_id, now=clock.now())
        jobs.discard(job.id)
    except errors.Conflict:
        flash(gettext("The analysis has already started and cannot be cancelled."), "warn")
        return redirect(url_for("portal.analysis", job_id=job_id), 303)
    flash(gettext("Cancelled. You were not charged."), "ok")
    return redirect(url_for("portal.analyse"), 303)


@site.get("/analyse/<uuid:job_id>/download.<form>")
@access.member_only(access.KEY_ROLES)
def download_analysis(job_id: uuid.UUID, form: str) -> Response:
    """Download the analysis as Markdown, or the whole answer as JSON."""
    _job, result = _found(job_id)
    if result is None or form not in ("md", "json"):
        raise errors.NotFound("There is no result to download.")
    body = result["analysis"] if form == "md" else json.dumps(result, ensure_ascii=False, indent=1)
    return Response(
        body,
        mimetype="text/markdown" if form == "md" else "application/json",
        headers={"Content-Disposition": f'attachment; filename="analysis_{job_id}.{form}"'},
    )


@site.get("/analyse/samples/<name>")
@access.member_only(access.KEY_ROLES)
def sample_analysis(name: str) -> str:
    """Show one of the six sandbox samples, free of charge."""
    return render_template(
        "portal/analysis/analysis.html",
        job=None,
        record=None,
        **sample_values(name, access.current_member().page_branding.name),
    )


def sample_values(name: str, author: str) -> dict[str, Any]:
    """Return what a template needs to show a sandbox sample in the visitor's language, by `author`.

    Raises:
        NotFound: there is no sample with that name.
    """
    names: dict[str, analysis.sandbox.Name] = {known: known for known in analysis.sandbox.NAMES}
    if name not in names:
        raise errors.NotFound("There is no sample with this name.")
    sample = analysis.sandbox.sample(names[name])
    config = settings.current()
    shown = analysis.sandbox.canned_answer(
        names[name],
        language.current(),
        "deep",
        author=author,
        wire_name=config.wire_name,
        on=clock.today(),
    )
    result = {
        "analysis": shown.analysis,
        "model": shown.model,
        "citationChecks": shown.citation_checks,
        "audit": shown.audit,
        "jurisdiction": sample.jurisdiction,
        "legalBranch": sample.branch,
        "mode": "deep",
        "creditsCharged": 0,
        "processingMs": None,
    }
    return {"sample": sample, **result_view.values(result)}


def _found(job_id: uuid.UUID) -> tuple[jobs.Job, dict[str, Any] | None]:
    job = opened(job_id)
    return job, jobs.result(job, now=clock.now()) if job.kind == "analyze" else None


def _record(job: jobs.Job) -> governance.AuditRecord | None:
    """Return the audit record of the analysis: what was masked, by which engine, when."""
    with db.reading() as session:
        record = governance.record_of(session, job.account_id, job.request_id)
        session.expunge_all()
    return record


def _form() -> AnalyseForm:
    return choices(AnalyseForm())


def _page(form: AnalyseForm) -> AnyResponse:
    page = render_template(
        "portal/analysis/analyse.html",
        form=form,
        samples=analysis.sandbox.samples(),
        accepted=ACCEPTED,
        units=min(analysis.units(len(form.document)), analysis.units(LONGEST)),
        hours=settings.current().job_result_hours,
        **page_values(form),
    )
    return make_response(page, 422 if form.errors else 200)
