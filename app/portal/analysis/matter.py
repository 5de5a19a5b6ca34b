"""Several files as one matter: read when they are chosen, analysed as one job each, shown together.

A matter is what jobs that are started together have in common; it has no name. The names of the files stay
in the browser: the service is sent none and stores none (decision 083).
"""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext, ngettext
from flask_wtf.file import MultipleFileField
from werkzeug.wrappers import Response as AnyResponse
from wtforms.validators import ValidationError

from app import analysis, documents, jobs, reports, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.analysis import progress_view, result_view
from app.portal.analysis.jobs import OPEN
from app.portal.analysis.options import (
    PAYERS,
    OptionsForm,
    Submission,
    choices,
    judge_length,
    page_values,
    payer_of,
    price_of,
    submit,
)
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import labels, status_labels
from app.portal.web.display.key_picker import choice
from app.portal.web.display.view_models import tone_class
from app.portal.web.session import access
from app.portal.web.session.form_once import FormToken, number
from app.portal.web.uploads import ACCEPTED, problem, read, takes_files, uploaded, warnings

# Files of a matter, and those that a browser without scripts may send in one form.
FILES_MAX, FILES_AT_ONCE = 50, 5
_SEVERE = ("high", "medium", "low")


class MatterForm(OptionsForm):
    """Files to read, documents that were read before, and the options of their analyses."""

    files = MultipleFileField()


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read and kept, as its row shows it."""

    ref: str
    kind: str
    pages: str
    size: str
    notes: Sequence[str]
    units: int


@dataclass(frozen=True, slots=True)
class MatterRow:
    """One document of a matter: how far its analysis is and, at the end, how many risks it has."""

    number: int
    job: jobs.Job
    ref: str
    kind: str
    status: str
    icon: str
    tag_class: str
    said: str
    step: int
    steps: int
    risks: Mapping[str, int]
    can_read: bool
    can_cancel: bool

    @property
    def is_open(self) -> bool:
        """Whether its analysis has not ended."""
        return self.job.status in OPEN

    @property
    def risk_words(self) -> str:
        """The risks found, by severity, in words."""
        told = (result_view.risks_in_words(name, number) for name, number in self.risks.items() if number)
        return ", ".join(told) if any(self.risks.values()) else gettext("no risks found")


@site.get("/matters/new")
@access.member_only(access.KEY_ROLES)
def new_matter() -> AnyResponse:
    """Show the form for several files, with those that were read before."""
    form = choices(MatterForm(request.args, meta={"csrf": False}))
    form.once.data = number()
    refs = request.args.getlist("ref")
    payer = payer_of(form) if refs else None
    kept, problems = _kept(payer.key.id, refs) if payer is not None and payer.key is not None else ([], [])
    if problems:
        form.files.errors = problems
    return _page(form, kept, problems)


@site.post("/matters/files")
@access.member_only(access.KEY_ROLES)
@takes_files(1)
def read_matter_file() -> AnyResponse | str:
    """Read one file and keep it; return its row, which names it for the form, or what is wrong with it."""
    file = uploaded(request.files.get("file"))
    if file is None:
        return _row(None, gettext("No file arrived. Choose it again."))
    with db.reading() as session:
        payer = choice(session, request.form.get("key"), PAYERS)
        session.expunge_all()
    if payer.key is None:
        return _row(None, payer.complaint or gettext("Choose the API key to charge."))
    try:
        found = read(file)
        judge_length(len(found.text))
        with db.transaction() as session:
            caller = tenancy.as_key(
                session, access.current_member().account_id, payer.key.id, now=clock.now()
            )
            ref = documents.keep(session, caller, found, file.data).id
    except (documents.DocumentUnreadable, documents.TooManyDocuments) as refused:
        return _row(None, problem(refused.code))
    except ValidationError as error:
        return _row(None, str(error))
    return _row(_read_file(ref, found), None)


@site.post("/matters")
@access.member_only(access.KEY_ROLES)
@takes_files(FILES_AT_ONCE)
def start_matter() -> AnyResponse:
    """Accept every document as a job of one matter, or none, and redirect to the matter."""
    form = choices(MatterForm())
    if not form.validate():
        return _page(form, [], [])
    payer = payer_of(form)
    if payer.key is None:
        form.key.errors = [payer.complaint or gettext("Choose the API key to charge.")]
        return _page(form, [], [])
    kept, problems = _kept(payer.key.id, request.form.getlist("ref"))
    chosen = [one for one in map(uploaded, form.files.data or ()) if one is not None]
    if len(chosen) > FILES_AT_ONCE or len(chosen) + len(kept) > FILES_MAX:
        form.files.errors = [
            gettext("Choose at most %(n)s files at a time.", n=FILES_AT_ONCE if chosen else FILES_MAX)
        ]
        return _page(form, kept, problems)
    for place, file in enumerate(chosen, 1):
        try:
            found = read(file)
            judge_length(len(found.text))
            kept.append(Submission(found.text, file, found))
        except (documents.DocumentUnreadable, ValidationError) as refused:
            words = (
                problem(refused.code) if isinstance(refused, documents.DocumentUnreadable) else str(refused)
            )
            problems.append(gettext("File %(n)s: %(problem)s", n=place, problem=words))
    if problems or not kept:
        form.files.errors = problems or [gettext("Choose at least one file.")]
        return _page(form, [one for one in kept if one.ref], problems)
    ticket = FormToken(access.current_member().account_id, form.once.data)
    if not ticket.take():
        flash(gettext("This form has already started its analysis."), "warn")
        return redirect(url_for("portal.new_matter"), 303)
    matter_id = uuid.uuid4()
    with ticket.returned_on_failure():
        sent = submit(form, payer.key.id, kept, matter_id)
    if not sent:
        ticket.give_back()
        return _page(form, [one for one in kept if one.ref], [])
    return redirect(url_for("portal.matter", matter_id=matter_id), 303)


@site.get("/matters/<uuid:matter_id>", endpoint="matter")
@access.member_only(access.KEY_ROLES)
def matter_view(matter_id: uuid.UUID) -> str:
    """Show the documents of a matter; for htmx, the list alone."""
    found = _jobs(matter_id)
    rows = [_matter_row(place, job) for place, job in enumerate(found, 1)]
    over = sum(not row.is_open for row in rows)
    return render_template(
        "portal/analysis/_matter.html" if is_fragment() else "portal/analysis/matter.html",
        matter_id=matter_id,
        rows=rows,
        under_way=any(row.is_open for row in rows),
        over=over,
        is_news=is_fragment() and request.args.get("seen") != str(over),
        can_download=any(row.can_read for row in rows),
        risks={name: sum(row.risks.get(name, 0) for row in rows) for name in _SEVERE},
        severities=labels.SEVERITIES,
        charged=sum(row.job.credits_charged for row in rows),
        until=max((job.result_expires_at for job in found if job.result_expires_at), default=None),
    )


@site.get("/matters/<uuid:matter_id>/results.zip")
@access.member_only(access.KEY_ROLES)
def download_matter(matter_id: uuid.UUID) -> Response:
    """Download what was found in every document: as a report for Word, as Markdown and as JSON."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, job in enumerate(_jobs(matter_id), 1):
            result = jobs.result(job, now=clock.now()) if job.status == "completed" else None
            if result is None:
                continue
            report = reports.report_on(job, "docx", now=clock.now())
            archive.writestr(f"document-{place:02d}.docx", report.data)
            archive.writestr(f"document-{place:02d}.md", result["analysis"])
            archive.writestr(f"document-{place:02d}.json", json.dumps(result, ensure_ascii=False, indent=1))
        if not archive.namelist():
            raise errors.NotFound("There is no result to download.")
    name = f"matter-{str(matter_id)[:8]}.zip"
    return Response(
        packed.getvalue(),
        mimetype="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _jobs(matter_id: uuid.UUID) -> list[jobs.Job]:
    with db.reading() as session:
        found = list(jobs.of_matter(session, access.current_member().account_id, matter_id))
        session.expunge_all()
    if not found:
        raise errors.NotFound("There is no such matter.")
    return found


def _matter_row(place: int, job: jobs.Job) -> MatterRow:
    result = jobs.result(job, now=clock.now()) if job.status == "completed" else None
    progress = progress_view.view(job) if job.status in OPEN else None
    steps = progress.steps if progress else ()
    now = next((at for at, step in enumerate(steps, 1) if step.is_now), 0)
    said = str(steps[now - 1].words) if now else ""
    if job.error_code:
        said = gettext(jobs.meaning(job.error_code))
    elif job.status == "completed" and result is None:
        said = gettext("The result is no longer stored")
    found = [one for one in (result or {}).get("statements", ()) if one["section"] == "risks"]
    return MatterRow(
        number=place,
        job=job,
        ref=str((result or {}).get("documentRef") or ""),
        kind=_title(result),
        status=str(status_labels.JOB_STATUSES[job.status]),
        icon=status_labels.JOB_ICONS[job.status],
        tag_class=tone_class("tag", status_labels.JOB_TONES[job.status]),
        said=said,
        step=now,
        steps=len(steps),
        risks={name: sum(one.get("severity") == name for one in found) for name in _SEVERE} if result else {},
        can_read=result is not None,
        can_cancel=job.status == "pending",
    )


def _title(result: Mapping[str, Any] | None) -> str:
    """Return what the analysis calls the document: the first line of its text."""
    return result["analysis"].partition("\n")[0].removeprefix("# ").strip() if result else ""


def _kept(key_id: uuid.UUID, refs: Sequence[str]) -> tuple[list[Submission], list[str]]:
    """Return the documents that were read before, and what is wrong with those that cannot be had."""
    kept: list[Submission] = []
    problems: list[str] = []
    for place, ref in enumerate(dict.fromkeys(refs), 1):
        try:
            with db.reading() as session:
                me = access.current_member()
                caller = tenancy.as_key(session, me.account_id, key_id, now=clock.now())
                document = documents.find(session, caller, uuid.UUID(ref))
                session.expunge(document)
            found = documents.reading_of(document)
        except (ValueError, documents.UnknownDocument):
            words = gettext("It is no longer kept, or was read for another key. Choose it again.")
            problems.append(gettext("File %(n)s: %(problem)s", n=place, problem=words))
            continue
        kept.append(Submission(found.text, None, found, uuid.UUID(ref)))
    return kept, problems


def _read_file(ref: uuid.UUID, found: documents.Reading) -> ReadFile:
    pages = found.page_count
    told = ngettext("%(num)s page", "%(num)s pages", pages) if pages else ""
    if found.ocr:
        told = f"{told} · OCR" if told else "OCR"
    size = ngettext("%(num)s character", "%(num)s characters", len(found.text))
    notes = warnings([one.code for one in found.warnings])
    return ReadFile(
        str(ref), labels.media_type(found.media_type), told, size, notes, analysis.units(len(found.text))
    )


def _row(file: ReadFile | None, complaint: str | None) -> AnyResponse:
    page = render_template("portal/analysis/_file.html", file=file, complaint=complaint)
    return make_response(page, 200)


def _total(rows: Sequence[ReadFile], mode: str) -> str:
    """Return how many files there are and what they cost together; nothing without files."""
    price = price_of(sum(row.units for row in rows), mode)
    return gettext("{files} files, {price} in all").format(files=len(rows), price=price) if rows else ""


def _page(form: MatterForm, kept: Sequence[Submission], problems: Sequence[str]) -> AnyResponse:
    rows = [_read_file(one.ref, one.reading) for one in kept if one.ref and one.reading]
    page = render_template(
        "portal/analysis/new_matter.html",
        form=form,
        files=rows,
        accepted=ACCEPTED,
        at_once=FILES_AT_ONCE,
        most=FILES_MAX,
        hours=settings.current().job_result_hours,
        minutes=settings.current().document_ttl_minutes,
        units=1,
        total=_total(rows, str(form.mode.data)),
        **page_values(form),
    )
    return make_response(page, 422 if form.errors else 200)
