"""Analyse a text in the portal: it runs as a job, and its encrypted result is kept for a limited time."""

from __future__ import annotations

import json
import uuid
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, ngettext
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, RadioField, SelectField, StringField, TextAreaField
from wtforms.validators import ValidationError

from app import analysis, corpus, credits, governance, jobs, reports, tenancy
from app.platform import clock, errors, redis_client, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.platform.web import http
from app.portal.analysis import progress_view
from app.portal.analysis.jobs import OPEN, opened
from app.portal.analysis.progress_view import ProgressView
from app.portal.analysis.report_view import read
from app.portal.web.api_address import address
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import labels, language
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import flags
from app.portal.web.session import access
from app.portal.web.session.form_once import FormToken, number
from app.portal.web.uploads import read_text

PAYERS = tenancy.KeyFilter(state="in_use", scope="analyze", roles=("solo", "master"))
SHORTEST, LONGEST = analysis.TEXT_MIN, analysis.LONG_TEXT_MAX
_FILE_MAX = 4 * LONGEST


class AnalyseForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """A text or a file, and the options of the analysis."""

    text = TextAreaField()
    file = FileField()
    jurisdiction = SelectField(default=analysis.AUTO)
    branch = SelectField(default="civil")
    language = RadioField(choices=analysis.LANGUAGES, default="es", validate_choice=False)
    mode = RadioField(choices=analysis.MODES, default="standard", validate_choice=False)
    key = StringField()
    once = HiddenField()

    document: str = ""

    def validate_text(self, field: Any) -> None:
        """Take the text from the file, or from the field without one, and check its length."""
        self.document = read_text(self.file.data, _FILE_MAX) or (field.data or "").replace("\r\n", "\n")
        size = len(self.document)
        if not SHORTEST <= size <= LONGEST:
            raise ValidationError(
                gettext(
                    "A text must have %(least)s to %(most)s characters; this one has %(n)s.",
                    least=SHORTEST,
                    most=f"{LONGEST:,}".replace(",", "\u202f"),
                    n=size,
                )
            )
        if "\x00" in self.document:
            raise ValidationError(gettext("This is not plain text. Copy the text from the document."))

    def validate_language(self, field: Any) -> None:
        """Accept only the languages of analyses."""
        if field.data not in analysis.LANGUAGES:
            raise ValidationError(gettext("Choose one of the two."))

    def validate_mode(self, field: Any) -> None:
        """Accept only the modes of analyses."""
        if field.data not in analysis.MODES:
            raise ValidationError(gettext("Choose one of the two."))


@site.get("/analyse")
@access.member_only(access.KEY_ROLES)
def analyse() -> AnyResponse:
    """Show the form."""
    form = _form()
    form.once.data = number()
    return _page(form)


@site.post("/analyse")
@access.member_only(access.KEY_ROLES)
def start_analysis() -> AnyResponse:
    """Accept the text as a job and redirect to its progress."""
    form, me = _form(), access.current_member()
    if not form.validate():
        return _page(form)
    payer = _payer(form)
    if payer.key is None:
        form.key.errors = [payer.complaint or gettext("Choose the API key to charge.")]
        return _page(form)
    ticket = FormToken(me.account_id, form.once.data)
    if not ticket.take():
        flash(gettext("This form has already started its analysis."), "warn")
        return redirect(url_for("portal.analyse"), 303)
    payload = jobs.Payload.single(
        analysis.AnalysisRequest(
            text=DocumentText(form.document),
            jurisdiction=form.jurisdiction.data,
            branch=form.branch.data,
            language=form.language.data,
            mode=form.mode.data,
        )
    )
    now = clock.now()
    try:
        with ticket.returned_on_failure(), db.transaction() as session:
            caller = tenancy.as_key(session, me.account_id, payer.key.id, now=now)
            job = jobs.accept(
                session, caller, payload, request_id=http.request_id(), base_url=address(), now=now
            )
    except credits.SpendCapReached:
        form.key.errors = [gettext("This key has reached its monthly cap. Choose another or raise the cap.")]
        return _page(form)
    except errors.Exhausted as exhausted:
        if exhausted.status != 402:
            raise
        form.mode.errors = [gettext("You do not have enough credits for this analysis.")]
        return _page(form)
    jobs.enqueue([job])
    return redirect(url_for("portal.analysis", job_id=job.id), 303)


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
    found = analysis.preview(text, asked, language.current(), _engine())
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
    return render_template(
        "portal/analysis/analysis.html",
        job=job,
        record=_record(job),
        can_comment=reports.can_comment(job, result),
        **_shown(result),
    )


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
    names: dict[str, analysis.sandbox.Name] = {known: known for known in analysis.sandbox.NAMES}
    if name not in names:
        raise errors.NotFound("There is no sample with this name.")
    sample = analysis.sandbox.sample(names[name])
    config = settings.current()
    shown = analysis.sandbox.canned_answer(
        names[name],
        language.current(),
        "deep",
        author=config.service_name,
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
    return render_template(
        "portal/analysis/analysis.html", job=None, sample=sample, record=None, **_shown(result)
    )


def _found(job_id: uuid.UUID) -> tuple[jobs.Job, dict[str, Any] | None]:
    job = opened(job_id)
    return job, jobs.result(job, now=clock.now()) if job.kind == "analyze" else None


def _record(job: jobs.Job) -> governance.AuditRecord | None:
    """Return the audit record of the analysis: what was masked, by which engine, when."""
    with db.reading() as session:
        record = governance.record_of(session, job.account_id, job.request_id)
        session.expunge_all()
    return record


def _shown(result: dict[str, Any]) -> dict[str, Any]:
    reading = read(result["analysis"])
    checks = result["citationChecks"]["checks"]
    return {
        "result": result,
        "reading": reading,
        "checks": [
            {**one, "tone": _verdict_tone(one["status"])}
            for one in sorted(checks, key=lambda one: list(labels.VERDICTS).index(one["status"]))
        ],
        "verdict_of": {one["citation"]: one for one in checks},
        "audit": result.get("audit"),
        "findings": [_finding(one) for one in (result.get("audit") or {"findings": ()})["findings"]],
        "attacks": _attacks(result.get("audit")),
        "locks": {s.lock for part in reading.parts for s in part.statements if s.lock},
    }


def _attacks(audit: dict[str, Any] | None) -> dict[int, list[dict[str, Any]]]:
    """Return the findings of node B by the position of the statement they concern, from 1."""
    found: dict[int, list[dict[str, Any]]] = {}
    for finding in audit["findings"] if audit else ():
        if finding.get("statement"):
            found.setdefault(finding["statement"], []).append(_finding(finding))
    return found


def _finding(finding: dict[str, Any]) -> dict[str, Any]:
    """Return a finding of node B with the tone of its icon."""
    return {**finding, "tone": "bad" if finding["severity"] == "high" else "warn"}


def _verdict_tone(status: str) -> str:
    return "ok" if status == "verified" else "bad" if status in labels.BROKEN else ""


def _form() -> AnalyseForm:
    form = AnalyseForm()
    engine = _engine()
    countries = sorted(
        (language.territory(one.code), one.code, corpus.assessment(one.code, engine))
        for one in corpus.jurisdictions()
    )
    form.jurisdiction.choices = [
        (analysis.AUTO, gettext("Detect from the text")),
        *((code, labels.country(name, level)) for name, code, level in countries),
    ]
    form.branch.choices = [(name, labels.BRANCHES[name]) for name in analysis.BRANCHES]
    return form


def _engine() -> str:
    """Return the engine of node A that works for the account: its own, or the operator's."""
    with db.reading() as session:
        own = analysis.own_engines.engines_of(session, access.current_member().account_id)
        found = next((one.engine for one in own if one.node == "A"), None)
    return found or settings.current().node_a_engine


def _payer(form: AnalyseForm) -> Choice:
    """Return the key that the analysis is charged to."""
    with db.reading() as session:
        found = choice(session, form.key.data, PAYERS)
        session.expunge_all()
    return found


def _prices(mode: analysis.Mode) -> list[str]:
    """Return what an analysis costs, in words, by how often `TEXT_MAX` characters are begun, from 1."""
    costs = (analysis.price(mode, size) for size in range(analysis.TEXT_MAX, LONGEST + 1, analysis.TEXT_MAX))
    return [ngettext("%(num)s credit", "%(num)s credits", cost) for cost in costs]


def _page(form: AnalyseForm) -> AnyResponse:
    me, payer = access.current_member(), _payer(form)
    with db.reading() as session:
        balance = credits.balance(session, me.account_id)
    try:
        redis_client.client().ping()
        away = False
    except redis_client.Unavailable:
        away = True
    page = render_template(
        "portal/analysis/analyse.html",
        form=form,
        payer=payer,
        balance=balance.balance - balance.held,
        samples=analysis.sandbox.samples(),
        unit=analysis.TEXT_MAX,
        prices={mode: _prices(mode) for mode in analysis.MODES},
        units=min(analysis.units(len(form.document)), analysis.units(LONGEST)),
        hours=settings.current().job_result_hours,
        away=away,
        is_deep=form.mode.data == "deep",
        is_english=form.language.data == "en",
        complaint=form.key.errors[0] if form.key.errors else None,
    )
    return make_response(page, 422 if form.errors else 200)
