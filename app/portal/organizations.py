"""Organizations: a master key and the sub-keys it hands to clients."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse
from wtforms import StringField
from wtforms.validators import DataRequired, Length, ValidationError

from app import organizations, tenancy, usage
from app.platform import clock, db, errors
from app.portal import access, terms
from app.portal.acting import as_key, master_of
from app.portal.fields import identifier, printable
from app.portal.overview import EXPIRY_NOTICE
from app.portal.site import site

MONTH = timedelta(days=30)


class OrganizationForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """What an organization is called, and a note."""

    name = StringField(
        validators=[
            DataRequired(_("Give the organization a name.")),
            Length(max=80, message=_("A name has at most 80 characters.")),
            printable,
        ]
    )
    description = StringField(
        validators=[Length(max=300, message=_("A note has at most 300 characters.")), printable]
    )

    def validate_name(self, field: Any) -> None:
        if len(field.data.strip()) < 2:
            raise ValidationError(gettext("A name has at least 2 characters."))


class NewOrganizationForm(OrganizationForm):
    """A new organization, and the key that becomes its master."""

    key = StringField(validators=[DataRequired(_("Choose the key that becomes its master."))])


@site.get("/organizations", endpoint="organizations")
@access.member_only(access.KEY_ROLES)
def organizations_page() -> str:
    """The account's organizations, with what their keys did lately."""
    account_id = access.visitor().account_id
    with db.reading() as session:
        keys = tenancy.keys_of(session, account_id)
        masters = {key.organization_id: key for key in keys if key.role == "master"}
        rows = [
            (
                found,
                masters.get(found.id),
                sum(
                    1
                    for key in keys
                    if key.role == "child" and key.organization_id == found.id and key.active
                ),
                lately(session, found.id).totals,
            )
            for found in tenancy.organizations_of(session, account_id)
        ]
    return render_template("portal/organizations.html", rows=rows)


@site.get("/organizations/new")
@access.member_only(access.KEY_ROLES)
def new_organization() -> str:
    """The form for a new organization."""
    return _form(NewOrganizationForm())


@site.post("/organizations")
@access.member_only(access.KEY_ROLES)
def create_organization() -> AnyResponse | str:
    """Found an organization; a key on its own becomes its master."""
    form = NewOrganizationForm()
    if not form.validate():
        return make_response(_form(form), 422)
    message = "There is no API key with this id."
    wanted = identifier(form.key.data, message)
    try:
        with db.transaction() as session:
            keys = tenancy.keys_of(session, access.visitor().account_id)
            row = next((key for key in keys if key.id == wanted and key.active), None)
            if row is None:
                raise errors.NotFound(message)
            made = organizations.found(
                session,
                as_key(row),
                name=form.name.data.strip(),
                description=(form.description.data or "").strip() or None,
                now=clock.now(),
            )
            organization_id = made.id
    except errors.Invalid:
        form.name.errors = [gettext("An account has at most five organizations. Delete one first.")]
        return make_response(_form(form), 422)
    except (errors.Conflict, errors.Denied):
        form.key.errors = [gettext("This key belongs to an organization already. Choose another.")]
        return make_response(_form(form), 422)
    flash(gettext("The organization is there. Now create a sub-key for each client."), "ok")
    return redirect(url_for("portal.organization", organization_id=organization_id), 303)


@site.get("/organizations/<uuid:organization_id>")
@access.member_only(access.KEY_ROLES)
def organization(organization_id: uuid.UUID) -> str:
    """One organization: its master, its sub-keys, and the usage of each in the last thirty days."""
    now = clock.now()
    with db.reading() as session:
        master = master_of(session, access.visitor().account_id, organization_id)
        row = tenancy.governed(session, as_key(master), organization_id)
        children = [key for key in tenancy.keys_in(session, row) if key.role == "child"]
        report = lately(session, organization_id)
        month = spent_this_month(session, organization_id)
    return render_template(
        "portal/organization.html",
        row=row,
        master=master,
        children=children,
        in_use=sum(key.active for key in children),
        most=tenancy.SUB_KEYS_MAX,
        totals=report.totals,
        used={item.api_key_id: item for item in report.by_key},
        month=month,
        now=now,
        soon=now + EXPIRY_NOTICE,
        terms=terms,
    )


@site.route("/organizations/<uuid:organization_id>/edit", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def edit_organization(organization_id: uuid.UUID) -> AnyResponse | str:
    """Change an organization's name and note."""
    form = OrganizationForm()
    with db.transaction() as session:
        master = master_of(session, access.visitor().account_id, organization_id)
        row = tenancy.governed(session, as_key(master), organization_id, lock=True)
        if request.method == "POST" and form.validate():
            row.name = form.name.data.strip()
            row.description = (form.description.data or "").strip() or None
            flash(gettext("The organization is changed."), "ok")
            return redirect(url_for("portal.organization", organization_id=organization_id), 303)
        name, description = row.name, row.description
    if request.method == "GET":
        form.name.data, form.description.data = name, description
    page = render_template(
        "portal/edit_organization.html", form=form, name=name, organization_id=organization_id
    )
    return make_response(page, 422 if form.errors else 200)


@site.route("/organizations/<uuid:organization_id>/delete", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def delete_organization(organization_id: uuid.UUID) -> AnyResponse | str:
    """Ask, saying who is cut off; then delete."""
    account_id = access.visitor().account_id
    if request.method == "POST":
        with db.transaction() as session:
            caller = as_key(master_of(session, account_id, organization_id))
            cut = organizations.dissolve(session, caller, organization_id, now=clock.now())
        flash(terms.dissolved(cut), "ok")
        return redirect(url_for("portal.organizations"), 303)
    with db.reading() as session:
        master = master_of(session, account_id, organization_id)
        row = tenancy.governed(session, as_key(master), organization_id)
        cut_off = [key for key in tenancy.keys_in(session, row) if key.role == "child" and key.active]
        report = lately(session, organization_id)
    used = {item.api_key_id: item.calls for item in report.by_key}
    return render_template(
        "portal/delete_organization.html",
        row=row,
        master=master,
        cut_off=cut_off,
        used=used,
        calls=sum(used.get(key.id, 0) for key in cut_off),
    )


def lately(session: Session, organization_id: uuid.UUID) -> usage.Report:
    """What an organization's keys did in the last thirty days."""
    today = clock.today()
    question = usage.ask_of_account(
        session,
        access.visitor().account_id,
        today=today,
        first=today - MONTH,
        last=today,
        granularity="month",
        organization_id=organization_id,
    )
    return usage.report(session, question)


def spent_this_month(session: Session, organization_id: uuid.UUID) -> dict[uuid.UUID, int]:
    """Credits of each key since the first of the month, which caps are about (UTC)."""
    today = clock.today()
    question = usage.ask_of_account(
        session,
        access.visitor().account_id,
        today=today,
        first=today.replace(day=1),
        last=today,
        granularity="month",
        organization_id=organization_id,
    )
    return {item.api_key_id: item.credits for item in usage.report(session, question).by_key}


def works(key: tenancy.ApiKey, now: datetime) -> bool:
    """Whether a key is neither cut off nor past its end."""
    return key.active and not (key.expires_at and key.expires_at <= now)


def _form(form: NewOrganizationForm) -> str:
    now = clock.now()
    with db.reading() as session:
        every = tenancy.keys_of(session, access.visitor().account_id)
        keys = [key for key in every if key.role == "solo" and works(key, now)]
    return render_template("portal/new_organization.html", form=form, keys=keys)
