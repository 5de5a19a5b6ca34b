"""Organizations: a master key and the child keys it issues to clients."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import StringField
from wtforms.validators import DataRequired, Length, ValidationError

from app import organizations, tenancy, usage
from app.platform import clock, errors
from app.platform.postgres import db
from app.portal.keys.act_as_key import as_master
from app.portal.usage import key_usage
from app.portal.web.blueprints import site
from app.portal.web.display import status_labels
from app.portal.web.display.key_picker import choice
from app.portal.web.display.status_labels import EXPIRY_NOTICE
from app.portal.web.display.view_models import is_spent, options
from app.portal.web.fields import identifier, printable
from app.portal.web.session import access, form_version

SHOWN = 30
SEARCHED_FROM = 10


class OrganizationForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Name and description of an organization."""

    name = StringField(
        validators=[
            DataRequired(_("Enter a name for the organization.")),
            Length(max=80, message=_("A name can have at most 80 characters.")),
            printable,
        ]
    )
    description = StringField(
        validators=[Length(max=300, message=_("A note can have at most 300 characters.")), printable]
    )

    def validate_name(self, field: Any) -> None:
        """Check the minimum length without surrounding blanks."""
        if len(field.data.strip()) < 2:
            raise ValidationError(gettext("A name must have at least 2 characters."))


class NewOrganizationForm(OrganizationForm):
    """A new organization, and the key that becomes its master."""

    key = StringField(validators=[DataRequired(_("Choose its master key."))])


@site.get("/organizations", endpoint="organizations")
@access.member_only(access.KEY_ROLES)
def organizations_page() -> str:
    """Show the account's organizations with their usage of the last thirty days."""
    account_id, today = access.current_member().account_id, clock.today()
    with db.reading() as session:
        masters = tenancy.masters_of(session, account_id)
        key_statuses = tenancy.key_statuses(session, account_id, masters.values(), now=clock.now())
        children = tenancy.sub_keys_in_use(session, account_id)
        used = usage.of_organizations(session, account_id, first=today - usage.BURN_WINDOW, last=today)
        rows = [
            (found, masters.get(found.id), children.get(found.id, 0), used.get(found.id, usage.UsageTotals()))
            for found in tenancy.organizations_of(session, account_id)
        ]
    return render_template(
        "portal/keys/organizations.html", rows=rows, key_statuses=key_statuses, terms=status_labels
    )


@site.get("/organizations/new")
@access.member_only(access.KEY_ROLES)
def new_organization() -> str:
    """Show the form for a new organization."""
    return _form(NewOrganizationForm())


@site.post("/organizations")
@access.member_only(access.KEY_ROLES)
def create_organization() -> AnyResponse | str:
    """Create an organization; a solo key becomes its master."""
    form = NewOrganizationForm()
    if not form.validate():
        return make_response(_form(form), 422)
    try:
        with db.transaction() as session:
            account_id = access.current_member().account_id
            # A master is found too, and told that it is one.
            chosen = choice(session, form.key.data, tenancy.KeyFilter(state="in_use"))
            if chosen.key is None:
                form.key.errors = [chosen.complaint or gettext("Choose its master key.")]
                return make_response(_form(form), 422)
            made = organizations.create(
                session,
                tenancy.as_key(session, account_id, chosen.key.id, now=clock.now()),
                name=form.name.data.strip(),
                description=(form.description.data or "").strip() or None,
                now=clock.now(),
            )
            organization_id = made.id
    except errors.Invalid:
        form.name.errors = [gettext("An account can have at most five organizations. Delete one first.")]
        return make_response(_form(form), 422)
    except (errors.Conflict, errors.Denied):
        form.key.errors = [gettext("This key already belongs to an organization. Choose another.")]
        return make_response(_form(form), 422)
    flash(gettext("The organization has been created. Now create a child key for each client."), "ok")
    return redirect(url_for("portal.organization", organization_id=organization_id), 303)


@site.get("/organizations/<uuid:organization_id>")
@access.member_only(access.KEY_ROLES)
def organization(organization_id: uuid.UUID) -> str:
    """Show one organization: its master, its child keys, and their usage of the last thirty days."""
    now, today = clock.now(), clock.today()
    account_id = access.current_member().account_id
    text, state = request.args.get("q", "").replace("\x00", ""), _state(request.args.get("state"))
    with db.reading() as session:
        caller = as_master(session, account_id, organization_id)
        row = tenancy.managed_organization(session, caller, organization_id)
        master = tenancy.master_of(session, account_id, organization_id)
        every = tenancy.KeyFilter(roles=("child",), organization_id=organization_id)
        page = tenancy.keys_page(
            session,
            account_id,
            replace(every, text=text, state=state),
            now=now,
            after=identifier(request.args.get("after"), "There is nothing at this address."),
            limit=SHOWN,
        )
        counts = tenancy.count_keys(session, account_id, every, now=now)
        used = usage.of_organization(
            session, account_id, organization_id, first=today - usage.BURN_WINDOW, last=today
        )
        month = key_usage.of_this_month(session, [key.id for key in page.rows])
        key_statuses = tenancy.key_statuses(session, account_id, page.rows, now=now)
    return render_template(
        "portal/keys/organization.html",
        row=row,
        master=master,
        children=page.rows,
        key_statuses=key_statuses,
        more=page.more,
        first_page="after" not in request.args,
        asked={"q": text, "state": state},
        states=options({**status_labels.KEY_STATES, "revoked": gettext("Suspended")}, state),
        can_search=counts.in_use + counts.expired + counts.revoked > SEARCHED_FROM,
        ends_soon=master.expires_at is not None and master.expires_at <= now + EXPIRY_NOTICE,
        scopes={key.id: [scope for scope in key.scopes if scope in master.scopes] for key in page.rows},
        spent_keys={
            key.id: is_spent(month[key.id].credits if key.id in month else 0, key.monthly_credit_cap)
            for key in page.rows
        },
        all_children=counts.in_use + counts.expired + counts.revoked,
        in_use=counts.in_use + counts.expired,
        most=tenancy.SUB_KEYS_MAX,
        totals=usage.add_up(used.values()),
        used=used,
        month={key_id: sums.credits for key_id, sums in month.items()},
        now=now,
        soon=now + EXPIRY_NOTICE,
        terms=status_labels,
    )


@site.route("/organizations/<uuid:organization_id>/edit", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def edit_organization(organization_id: uuid.UUID) -> AnyResponse | str:
    """Change an organization's name and description."""
    form = OrganizationForm()
    with db.transaction() as session:
        form_version.take_turn(session)
        caller = as_master(session, access.current_member().account_id, organization_id)
        row = tenancy.managed_organization(session, caller, organization_id, lock=True)
        name, description = row.name, row.description
        is_stale = request.method == "POST" and form_version.is_stale(name, description)
        if request.method == "POST" and not is_stale and form.validate():
            tenancy.change_organization(
                session,
                row,
                name=form.name.data.strip(),
                description=(form.description.data or "").strip() or None,
            )
            flash(gettext("The organization has been changed."), "ok")
            return redirect(url_for("portal.organization", organization_id=organization_id), 303)
    if request.method == "GET" or is_stale:
        form.name.data, form.description.data = name, description
    page = render_template(
        "portal/keys/edit_organization.html",
        form=form,
        version=form_version.version(name, description),
        is_stale=is_stale,
        name=name,
        organization_id=organization_id,
    )
    return make_response(page, 409 if is_stale else 422 if form.errors else 200)


@site.route("/organizations/<uuid:organization_id>/delete", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def delete_organization(organization_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation, listing the child keys that are revoked; then delete the organization."""
    account_id = access.current_member().account_id
    if request.method == "POST":
        with db.transaction() as session:
            caller = as_master(session, account_id, organization_id)
            cut = organizations.delete(session, caller, organization_id, now=clock.now())
        flash(status_labels.dissolved(cut), "ok")
        return redirect(url_for("portal.organizations"), 303)
    with db.reading() as session:
        master = tenancy.master_of(session, account_id, organization_id)
        row = tenancy.managed_organization(
            session, as_master(session, account_id, organization_id), organization_id
        )
        # As many as may be in use at once: the reader is to see each of them.
        cut_off = [
            key
            for key in tenancy.keys_page(
                session,
                account_id,
                tenancy.KeyFilter(roles=("child",), organization_id=organization_id),
                now=clock.now(),
                limit=tenancy.SUB_KEYS_MAX,
            ).rows
            if key.active
        ]
        sums = key_usage.of_keys(session, [key.id for key in cut_off])
    used = {key_id: found.calls for key_id, found in sums.items()}
    return render_template(
        "portal/keys/delete_organization.html",
        row=row,
        master=master,
        cut_off=cut_off,
        used=used,
        calls=sum(used.get(key.id, 0) for key in cut_off),
    )


def free() -> tenancy.KeyFilter:
    """Return the filter of keys that may become a master: solo, in use, and no assistant's."""
    return tenancy.KeyFilter(roles=("solo",), state="in_use", issued=False)


def _state(given: str | None) -> tenancy.KeyState | None:
    return next((state for state in tenancy.KEY_STATES if state == given), None)


def _form(form: NewOrganizationForm) -> str:
    with db.reading() as session:
        try:
            chosen = choice(session, form.key.data, free())
        except errors.NotFound:
            chosen = choice(session, None, free())
        session.expunge_all()
    return render_template(
        "portal/keys/new_organization.html",
        form=form,
        chosen=chosen,
        blank=gettext("Choose a key") if chosen.has_several else "",
        complaint=form.key.errors[0] if form.key.errors else None,
    )
