"""Audit documents of any period: ordered here, made by a worker, downloaded while kept."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import format_decimal, gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import BooleanField, DateField
from wtforms.validators import InputRequired, ValidationError

from app import governance, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.audit.analyses import pdf_file
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import language
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import flags
from app.portal.web.session import access

# Why a document could not be made, and what to do.
WHY: Mapping[str, Any] = {
    "TOO_MANY_RECORDS": _(
        "The period has more analyses than a document can contain. Choose a shorter period."
    ),
    "ATTEMPTS_EXHAUSTED": _("Failed after 3 attempts (worker crash). Generate it again."),
    "NOT_TAKEN": _(
        "It was not started within a day. Generate it again; if this persists, tell the operator of the "
        "service."
    ),
    "FILE_LOST": _("Its file was lost. Generate it again."),
    "DEPENDENCY_UNAVAILABLE": _(
        "A part of the service was unavailable for too long. Generate it again later."
    ),
    "INTERNAL_ERROR": _("Internal error. Generate it again; if this persists, contact support."),
}
STAGES: Mapping[str, Any] = {
    "chain": _("Recomputing the hashes of the chain"),
    "pages": _("Laying out the pages"),
}


class PeriodForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """First and last day (inclusive, UTC) and a filter; the key is chosen separately."""

    first = DateField(name="from", validators=[InputRequired(_("Choose the first day."))])
    last = DateField(name="to", validators=[InputRequired(_("Choose the last day."))])
    flagged = BooleanField()

    def validate_last(self, field: Any) -> None:
        """Check that the period does not run backwards."""
        if self.first.data and field.data and field.data < self.first.data:
            raise ValidationError(gettext("The last day is before the first day."))


@site.get("/analyses/documents")
@access.member_only()
def documents() -> AnyResponse:
    """Show the form, filled in from the URL, and the earlier orders."""
    with db.reading() as session:
        chosen = choice(session, request.args.get("key"))
    return _page(_form(request.args), chosen)


@site.post("/analyses/documents")
@access.member_only()
def order_document() -> AnyResponse:
    """Order a document and redirect to its progress."""
    form, me = _form(None), access.current_member()
    with db.reading() as session:
        chosen = choice(session, request.form.get("key"))
    if not form.validate() or chosen.complaint:
        return _page(form, chosen, 422)
    try:
        with db.transaction() as session:
            made = governance.order(
                session,
                me.account_id,
                form.first.data,
                form.last.data,
                key_id=chosen.key_id,
                flagged=form.flagged.data,
                language=language.current(),
                now=clock.now(),
            )
    except errors.Invalid:
        form.last.errors = [_too_many()]
        return _page(form, chosen, 422)
    except errors.Exhausted as exhausted:
        form.last.errors = [_too_busy(exhausted)]
        return _page(form, chosen, 422)
    return redirect(url_for("portal.document", document_id=made.id), 303)


@site.get("/analyses/documents/<uuid:document_id>")
@access.member_only()
def document(document_id: uuid.UUID) -> str:
    """Show the progress of a document, then its download; for htmx, only that part of the page."""
    with db.reading() as session:
        found = governance.find(session, access.current_member().account_id, document_id)
        named = [found.api_key_id] if found.api_key_id else []
        keys = {key.id: key.name for key in tenancy.keys_by_id(session, found.account_id, named).values()}
        session.expunge(found)
    status = _status(found)
    stage = STAGES.get(found.stage or "") if status == "running" else None
    state = f"{status}.{found.stage or ''}"
    return render_template(
        "portal/web/_document.html" if is_fragment() else "portal/audit/document.html",
        document=found,
        status_is=flags(status),
        state=state,
        said=stage or gettext("Waiting in the queue"),
        is_news=is_fragment() and request.args.get("seen") != state,
        under_way=status in ("pending", "running"),
        stage=stage,
        why=WHY["FILE_LOST"] if status == "lost" else WHY.get(found.error_code or "", WHY["INTERNAL_ERROR"]),
        key_name=keys.get(found.api_key_id) if found.api_key_id else None,
        size=_size(found.size),
    )


@site.get("/analyses/documents/<uuid:document_id>.pdf")
@access.member_only()
def document_file(document_id: uuid.UUID) -> AnyResponse:
    """Download the document; where its file is gone, redirect to its page."""
    with db.reading() as session:
        found = governance.find(session, access.current_member().account_id, document_id)
        session.expunge(found)
    parts = governance.file_of(found, now=clock.now())
    if parts is None:
        return redirect(url_for("portal.document", document_id=document_id), 303)
    access.note("document.downloaded", tenancy.activity.Target("document", str(found.id)))
    return pdf_file(parts, f"audit_{found.first_day}_{found.last_day}.pdf", size=found.size)


@site.post("/analyses/documents/<uuid:document_id>/again")
@access.member_only()
def document_again(document_id: uuid.UUID) -> AnyResponse:
    """Order a document again that failed or is no longer kept."""
    try:
        with db.transaction() as session:
            made = governance.again(session, access.current_member().account_id, document_id, now=clock.now())
    except (errors.Invalid, errors.Exhausted) as error:
        flash(_too_many() if isinstance(error, errors.Invalid) else _too_busy(error), "warn")
        return redirect(url_for("portal.document", document_id=document_id), 303)
    except errors.Conflict:
        return redirect(url_for("portal.document", document_id=document_id), 303)
    return redirect(url_for("portal.document", document_id=made.id), 303)


@site.post("/analyses/documents/<uuid:document_id>/delete")
@access.member_only()
def delete_document(document_id: uuid.UUID) -> AnyResponse:
    """Delete a document with its key; one that is being made is aborted."""
    with db.transaction() as session:
        found = governance.delete(session, access.current_member().account_id, document_id)
    governance.discard(found)
    flash(gettext("The document has been deleted. The audit trail is unchanged."), "ok")
    return redirect(url_for("portal.documents"), 303)


def _page(form: PeriodForm, chosen: Choice, status: int = 200) -> Response:
    with db.reading() as session:
        account_id = access.current_member().account_id
        rows = governance.listing(session, account_id)
        named = [row.api_key_id for row in rows if row.api_key_id]
        keys = {key.id: key.name for key in tenancy.keys_by_id(session, account_id, named).values()}
        session.expunge_all()
    page = render_template(
        "portal/audit/documents.html",
        form=form,
        keys=chosen,
        rows=[
            (row, flags(_status(row)), keys.get(row.api_key_id) if row.api_key_id else None) for row in rows
        ],
        spans=_spans(clock.today()),
        most=governance.RECORDS_MAX,
        hours=settings.current().audit_document_hours,
        why=WHY,
    )
    return make_response(page, status)


def _form(arguments: Mapping[str, str] | None) -> PeriodForm:
    """Return the form, filled in from the URL where `arguments` are given, else from the request's body."""
    form = PeriodForm(formdata=None) if arguments is not None else PeriodForm()
    if arguments is not None:
        form.first.data, form.last.data = _day(arguments.get("from")), _day(arguments.get("to"))
        form.flagged.data = arguments.get("flagged") == "1"
    return form


def _status(found: governance.AuditDocument) -> str:
    """Return the status, with `lost` and `expired` also where the row does not say so yet."""
    if found.status != "ready":
        return found.status
    if found.expires_at is not None and found.expires_at <= clock.now():
        return "expired"
    return "ready" if governance.is_kept(found) else "lost"


def _size(octets: int) -> str:
    """Format a size in bytes: 340 kB, 43.6 MB."""
    if octets < 1_000_000:
        return f"{format_decimal(round(octets / 1000))}\u00a0kB"
    return f"{format_decimal(round(octets / 1_000_000, 1))}\u00a0MB"


def _too_many() -> str:
    return str(
        gettext(
            "A document can contain at most %(n)s analyses and this period has more. Choose a shorter "
            "period or one key.",
            n=format_decimal(governance.RECORDS_MAX),
        )
    )


def _too_busy(exhausted: errors.Exhausted) -> str:
    if exhausted.code == "DOCUMENTS_FULL":
        return str(gettext("The stored documents use all the storage of the account. Delete one first."))
    return str(
        gettext(
            "%(n)s documents of this account are already being generated. Wait until one is ready.",
            n=governance.OPEN_MAX,
        )
    )


def _day(given: str | None) -> date | None:
    try:
        return date.fromisoformat(given or "")
    except ValueError:
        return None


def _spans(today: date) -> Sequence[tuple[str, date, date]]:
    """Return the usual periods with their names."""
    month = today.replace(day=1)
    quarter = month.replace(month=(month.month - 1) // 3 * 3 + 1)
    year = today.replace(month=1, day=1)
    one = timedelta(days=1)
    before = quarter - one
    return (
        (gettext("Last month"), (month - one).replace(day=1), month - one),
        (gettext("Last quarter"), before.replace(month=before.month - 2, day=1), before),
        (gettext("This year to date"), year, today),
        (gettext("Last year"), year.replace(year=year.year - 1), year - one),
    )
