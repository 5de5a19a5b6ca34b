"""Compare two versions of a contract in the portal, and read what changed side by side."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, flash, make_response, redirect, render_template, url_for
from flask_babel import gettext
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, RadioField, StringField, TextAreaField
from wtforms.validators import ValidationError

from app import analysis, comparison, credits, documents, tenancy
from app.comparison import operations
from app.platform import clock, errors, settings
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.platform.web import http
from app.portal.analysis.comparison_view import clause_rows, risk_groups
from app.portal.analysis.options import PAYERS
from app.portal.web.api_address import address
from app.portal.web.blueprints import site
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import flags
from app.portal.web.session import access
from app.portal.web.session.form_once import FormToken, number
from app.portal.web.uploads import read_document


class CompareForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Two texts or files, the language of the answer, and the key that pays."""

    before = TextAreaField()
    before_file = FileField()
    after = TextAreaField()
    after_file = FileField()
    language = RadioField(choices=analysis.LANGUAGES, default="es", validate_choice=False)
    key = StringField()
    once = HiddenField()

    def __init__(self) -> None:
        super().__init__()
        self.versions: dict[str, comparison.Version] = {}

    def validate_before(self, field: Any) -> None:
        """Read the earlier version."""
        self.versions["before"] = _version(field.data, self.before_file.data)

    def validate_after(self, field: Any) -> None:
        """Read the later version."""
        self.versions["after"] = _version(field.data, self.after_file.data)

    def validate_language(self, field: Any) -> None:
        """Accept only the languages of analyses."""
        if field.data not in analysis.LANGUAGES:
            raise ValidationError(gettext("Choose one of the two."))


def _version(typed: str | None, file: Any) -> comparison.Version:
    """Return a version from its file, or from its field without one.

    Raises:
        ValidationError: it has too little or too much text, or none can be read of the file.
    """
    reading: documents.Reading | None = read_document(file)
    text = reading.text if reading else DocumentText((typed or "").replace("\r\n", "\n"))
    if not analysis.TEXT_MIN <= len(text) <= analysis.TEXT_MAX:
        raise ValidationError(
            gettext(
                "A text must have %(least)s to %(most)s characters; this one has %(n)s.",
                least=analysis.TEXT_MIN,
                most=f"{analysis.TEXT_MAX:,}".replace(",", "\u202f"),
                n=len(text),
            )
        )
    if "\x00" in text.reveal():
        raise ValidationError(gettext("This is not plain text. Copy the text from the document."))
    return comparison.Version(text, None, reading)


@site.get("/compare")
@access.member_only(access.KEY_ROLES)
def compare() -> AnyResponse:
    """Show the form."""
    form = CompareForm()
    form.once.data = number()
    return _page(form)


@site.post("/compare")
@access.member_only(access.KEY_ROLES)
def start_comparison() -> AnyResponse:
    """Compare both versions, charge once, and redirect to what was found."""
    form, me = CompareForm(), access.current_member()
    if not form.validate():
        return _page(form)
    payer = _payer(form)
    if payer.key is None:
        form.key.errors = [payer.complaint or gettext("Choose the API key to charge.")]
        return _page(form)
    ticket = FormToken(me.account_id, form.once.data)
    if not ticket.take():
        flash(gettext("This form has already been sent."), "warn")
        return redirect(url_for("portal.compare"), 303)
    asked = analysis.AnalysisRequest(
        text=DocumentText(""), jurisdiction=analysis.AUTO, language=form.language.data
    )
    with db.reading() as session:
        caller = tenancy.as_key(session, me.account_id, payer.key.id, now=clock.now())
    try:
        with ticket.returned_on_failure():
            answer = comparison.compare_and_charge(
                caller,
                form.versions["before"],
                form.versions["after"],
                asked,
                request_id=http.request_id(),
                base_url=address(),
            )
    except comparison.SameVersions:
        form.after.errors = [gettext("Both versions have the same words. You were not charged.")]
        return _page(form)
    except credits.SpendCapReached:
        form.key.errors = [gettext("This key has reached its monthly cap. Choose another or raise the cap.")]
        return _page(form)
    except errors.Exhausted as exhausted:
        if exhausted.status != 402:
            raise
        form.key.errors = [gettext("You do not have enough credits for this comparison.")]
        return _page(form)
    except errors.Invalid as invalid:
        if invalid.code != "OUTPUT_WITHHELD_BY_POLICY":
            raise
        form.after.errors = [
            gettext("The policy withholds analyses with a broken citation. You were not charged.")
        ]
        return _page(form)
    return redirect(url_for("portal.comparison", comparison_id=answer["comparisonId"]), 303)


@site.get("/compare/<uuid:comparison_id>", endpoint="comparison")
@access.member_only(access.KEY_ROLES)
def comparison_view(comparison_id: uuid.UUID) -> str:
    """Show what changed: the summary, the risks, and the clauses side by side."""
    row, kept = _opened(comparison_id)
    clauses = clause_rows(kept.answer["clauses"])
    return render_template(
        "portal/analysis/comparison.html",
        row=row,
        answer=kept.answer,
        tongue=kept.language,
        clauses=clauses,
        groups=risk_groups(kept.answer["risks"], clauses),
    )


@site.get("/compare/<uuid:comparison_id>/report.<form>")
@access.member_only(access.KEY_ROLES)
def comparison_file(comparison_id: uuid.UUID, form: str) -> Response:
    """Download the text with its changes tracked, or the analysis."""
    if form not in operations.FORMATS:
        raise errors.NotFound("There is no file of this form.")
    made = operations.report(*_opened(comparison_id), form)
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"'}
    return Response(made.data, mimetype=made.media_type, headers=headers)


def _opened(comparison_id: uuid.UUID) -> tuple[comparison.Comparison, comparison.KeptComparison]:
    with db.reading() as session:
        row = comparison.find_for_member(session, access.current_member().account_id, comparison_id)
        session.expunge(row)
    return row, comparison.open_kept(row)


def _payer(form: CompareForm) -> Choice:
    """Return the key that the comparison is charged to."""
    with db.reading() as session:
        found = choice(session, form.key.data, PAYERS)
        session.expunge_all()
    return found


def _page(form: CompareForm) -> AnyResponse:
    payer = _payer(form)
    with db.reading() as session:
        balance = credits.balance(session, access.current_member().account_id)
    page = render_template(
        "portal/analysis/compare.html",
        form=form,
        payer=payer,
        balance=balance.balance - balance.held,
        price=comparison.CREDITS,
        hours=settings.current().comparison_hours,
        language_is=flags(form.language.data),
        complaint=form.key.errors[0] if form.key.errors else None,
    )
    return make_response(page, 422 if form.errors else 200)
