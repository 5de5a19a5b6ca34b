"""Child keys of an organization: create, change, revoke, reactivate, rotate. Plaintext is shown once."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, SelectMultipleField, StringField
from wtforms.validators import DataRequired, InputRequired, Length, ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from app import organizations, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.keys.act_as_key import as_master
from app.portal.usage.key_usage import last_30_days, this_month
from app.portal.web.blueprints import site
from app.portal.web.display import status_labels
from app.portal.web.display.status_labels import EXPIRY_NOTICE
from app.portal.web.display.view_models import is_spent, options, scope_options, still_to_come
from app.portal.web.fields import MonthlyCapForm, printable, whole_number
from app.portal.web.session import access, form_once, form_version

_LONGEST_DAYS = 3650
_ONE = "/organizations/<uuid:organization_id>/keys/<uuid:key_id>"


class SubKeyForm(MonthlyCapForm):
    """Label, scopes and monthly cap of a child key."""

    label = StringField(
        validators=[
            DataRequired(_("Enter a label for the key.")),
            Length(max=80, message=_("A name can have at most 80 characters.")),
            printable,
        ]
    )
    scopes = SelectMultipleField(
        choices=tenancy.SCOPES,
        validate_choice=False,
        validators=[InputRequired(_("Choose at least one permission."))],
        widget=ListWidget(),
        option_widget=CheckboxInput(),
    )

    def validate_label(self, field: Any) -> None:
        """Check the minimum length without surrounding blanks."""
        if len(field.data.strip()) < 2:
            raise ValidationError(gettext("A name must have at least 2 characters."))

    def validate_scopes(self, field: Any) -> None:
        """Accept only known scopes."""
        if not set(field.data) <= set(tenancy.SCOPES):
            raise ValidationError(gettext("Choose from the list."))


class NewSubKeyForm(SubKeyForm):
    """A new child key with its lifetime."""

    days = StringField()
    once = HiddenField()

    def validate_days(self, field: Any) -> None:
        """Check that the lifetime is an integer within its bounds."""
        if (field.data or "").strip() and self.lasting is None:
            raise ValidationError(gettext("Enter a whole number of days from 1 to 3650."))

    @property
    def lasting(self) -> int | None:
        """The lifetime in days; `None` without one."""
        return whole_number(self.days.data, 1, _LONGEST_DAYS)


@site.get("/organizations/<uuid:organization_id>/keys/new")
@access.member_only(access.KEY_ROLES)
def new_sub_key(organization_id: uuid.UUID) -> str:
    """Show the form for a new child key."""
    form = NewSubKeyForm()
    form.once.data = form_once.number()
    form.scopes.data = ["analyze"]
    return _new(form, organization_id)


@site.post("/organizations/<uuid:organization_id>/keys")
@access.member_only(access.KEY_ROLES)
def create_sub_key(organization_id: uuid.UUID) -> AnyResponse | str:
    """Create a child key and show its plaintext once, on its page."""
    form = NewSubKeyForm()
    if not form.validate():
        return make_response(_new(form, organization_id), 422)
    account_id = access.current_member().account_id
    ticket = form_once.FormToken(account_id, form.once.data)
    if not ticket.take():
        flash(
            gettext(
                "This form has already created its child key. If you did not copy it, rotate the child key."
            ),
            "warn",
        )
        return redirect(url_for("portal.organization", organization_id=organization_id), 303)
    try:
        with ticket.returned_on_failure(), db.transaction() as session:
            made = organizations.create_sub_key(
                session,
                as_master(session, account_id, organization_id),
                organization_id,
                label=form.label.data.strip(),
                scopes=form.scopes.data,
                created_by=access.current_member().member_id,
                expires_in_days=form.lasting,
                monthly_credit_cap=form.monthly_cap,
                prefix=settings.current().key_prefix,
                now=clock.now(),
            )
    except errors.Invalid as refused:
        _complain(form, refused)
        return make_response(_new(form, organization_id), 422)
    return _page(organization_id, made.row.id, made=made)


@site.get(_ONE)
@access.member_only(access.KEY_ROLES)
def sub_key(organization_id: uuid.UUID, key_id: uuid.UUID) -> str:
    """Show one child key: state, usage and form."""
    return _page(organization_id, key_id)


@site.post(_ONE)
@access.member_only(access.KEY_ROLES)
def change_sub_key(organization_id: uuid.UUID, key_id: uuid.UUID) -> AnyResponse | str:
    """Change a child key's label, scopes and cap."""
    form = SubKeyForm()
    account_id = access.current_member().account_id
    if not form.validate():
        return make_response(_page(organization_id, key_id, form=form), 422)
    try:
        with db.transaction() as session:
            form_version.take_turn(session)
            if form_version.is_stale(*_edited(_child(session, organization_id, key_id)[1])):
                return make_response(_page(organization_id, key_id, is_stale=True), 409)
            organizations.change_sub_key(
                session,
                as_master(session, account_id, organization_id),
                organization_id,
                key_id,
                now=clock.now(),
                scopes=form.scopes.data,
                label=form.label.data.strip(),
                monthly_credit_cap=form.monthly_cap,
            )
    except errors.Invalid as refused:
        _complain(form, refused)
        return make_response(_page(organization_id, key_id, form=form), 422)
    flash(gettext("The child key has been changed. The change takes effect on its next request."), "ok")
    return redirect(_address(organization_id, key_id), 303)


@site.route(f"{_ONE}/cut-off", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def cut_off(organization_id: uuid.UUID, key_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation, with the key's latest usage; then revoke the child key."""
    account_id = access.current_member().account_id
    if request.method == "POST":
        with db.transaction() as session:
            caller = as_master(session, account_id, organization_id)
            row = organizations.revoke_sub_key(session, caller, organization_id, key_id, now=clock.now())
            name = row.name
        flash(
            gettext(
                "“%(name)s” has been suspended. Its next request gets 401; its usage is kept.", name=name
            ),
            "ok",
        )
        return redirect(_address(organization_id, key_id), 303)
    with db.reading() as session:
        _, row = _child(session, organization_id, key_id)
        calls = last_30_days(session, key_id).calls
    if not row.active:
        return redirect(_address(organization_id, key_id), 303)
    return render_template("portal/auth/cut_off.html", key=row, organization_id=organization_id, calls=calls)


@site.post(f"{_ONE}/let-in")
@access.member_only(access.KEY_ROLES)
def let_in(organization_id: uuid.UUID, key_id: uuid.UUID) -> AnyResponse:
    """Reactivate a revoked child key."""
    account_id = access.current_member().account_id
    try:
        with db.transaction() as session:
            organizations.change_sub_key(
                session,
                as_master(session, account_id, organization_id),
                organization_id,
                key_id,
                now=clock.now(),
                active=True,
            )
        flash(gettext("The child key has been reactivated, with its counters and cap."), "ok")
    except errors.Invalid:
        flash(status_labels.no_room(tenancy.SUB_KEYS_MAX), "warn")
    return redirect(_address(organization_id, key_id), 303)


@site.route(f"{_ONE}/rotate", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def rotate_sub_key(organization_id: uuid.UUID, key_id: uuid.UUID) -> AnyResponse | str:
    """Ask how long the old secret stays valid; then rotate the child key and show the new one once."""
    account_id = access.current_member().account_id
    with db.reading() as session:
        _, row = _child(session, organization_id, key_id)
    hours = status_labels.chosen_overlap(request.form.get("overlap"))
    if hours is None:
        page = render_template(
            "portal/keys/rotate_sub_key.html",
            key=row,
            organization_id=organization_id,
            overlaps=options([(hours, status_labels.overlap(hours)) for hours in status_labels.OVERLAPS], 24),
            number=form_once.number(),
            wrong=request.method == "POST",
            terms=status_labels,
        )
        return make_response(page, 422 if request.method == "POST" else 200)
    ticket = form_once.FormToken(account_id, request.form.get("once"))
    if not ticket.take():
        flash(
            gettext("This form has already rotated the key. If you did not copy it, rotate it again."), "warn"
        )
        return redirect(_address(organization_id, key_id), 303)
    with ticket.returned_on_failure(), db.transaction() as session:
        made = organizations.rotate_sub_key(
            session,
            as_master(session, account_id, organization_id),
            organization_id,
            key_id,
            overlap=timedelta(hours=hours),
            prefix=settings.current().key_prefix,
            now=clock.now(),
        )
    return _page(organization_id, key_id, made=made)


def _page(
    organization_id: uuid.UUID,
    key_id: uuid.UUID,
    *,
    form: SubKeyForm | None = None,
    made: tenancy.NewKey | None = None,
    is_stale: bool = False,
) -> str:
    now = clock.now()
    with db.reading() as session:
        master, row = _child(session, organization_id, key_id)
        caller = tenancy.as_key(session, master.account_id, master.id, now=None)
        organization = tenancy.managed_organization(session, caller, organization_id)
        used = last_30_days(session, key_id)
        month = this_month(session, key_id).credits
        key_status = tenancy.key_statuses(session, master.account_id, [row], now=now)[row.id]
    if form is None:
        # The request that made or rotated the key carries fields of another form.
        form = SubKeyForm(formdata=None)
        form.label.data, form.scopes.data = row.child_label, list(row.scopes)
        form.cap.data = "" if row.monthly_credit_cap is None else str(row.monthly_credit_cap)
    return render_template(
        "portal/keys/sub_key.html",
        organization=organization,
        master=master,
        key=row,
        form=form,
        version=form_version.version(*_edited(row)),
        is_stale=is_stale,
        made=made,
        scopes=scope_options(master.scopes, form.scopes.data),
        is_spent=is_spent(month, row.monthly_credit_cap),
        old_key_until=still_to_come(row.previous_until, now),
        used=used if used.calls else None,
        month=month,
        key_status=key_status,
        usable=key_status.end is None,
        now=now,
        soon=now + EXPIRY_NOTICE,
        terms=status_labels,
    )


def _edited(row: tenancy.ApiKey) -> tuple[object, ...]:
    """Return what the form changes, as it is saved."""
    return row.child_label, list(row.scopes), row.monthly_credit_cap


def _new(form: NewSubKeyForm, organization_id: uuid.UUID) -> str:
    with db.reading() as session:
        account_id = access.current_member().account_id
        master = tenancy.master_of(session, account_id, organization_id)
        organization = tenancy.managed_organization(
            session, as_master(session, account_id, organization_id), organization_id
        )
    return render_template(
        "portal/keys/new_sub_key.html",
        form=form,
        organization=organization,
        scopes=scope_options(master.scopes, form.scopes.data),
    )


def _child(
    session: db.Session, organization_id: uuid.UUID, key_id: uuid.UUID
) -> tuple[tenancy.ApiKey, tenancy.ApiKey]:
    """Return the master and the child key. Raises `NotFound`, also for the id of the master."""
    account_id = access.current_member().account_id
    master = tenancy.master_of(session, account_id, organization_id)
    row = tenancy.key_of(session, account_id, key_id)
    if row.role != "child" or row.organization_id != organization_id:
        raise errors.NotFound("There is no API key with this id.")
    return master, row


def _complain(form: SubKeyForm, refused: errors.Invalid) -> None:
    if refused.code == "INVALID_SCOPES":
        form.scopes.errors = [
            gettext("A child key cannot have more permissions than its master key. Choose from the list.")
        ]
    else:
        form.label.errors = [status_labels.no_room(tenancy.SUB_KEYS_MAX)]


def _address(organization_id: uuid.UUID, key_id: uuid.UUID) -> str:
    return url_for("portal.sub_key", organization_id=organization_id, key_id=key_id)
