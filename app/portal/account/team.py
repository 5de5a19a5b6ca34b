"""Team page: members, roles, invitations."""

from __future__ import annotations

import uuid

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import EmailField, RadioField
from wtforms.validators import DataRequired, Length, ValidationError

from app import branding, mail, sso, tenancy
from app.platform import clock, errors
from app.platform.postgres import db
from app.portal.web import emails
from app.portal.web.blueprints import site
from app.portal.web.display import labels
from app.portal.web.display.view_models import Option, options
from app.portal.web.session import access, form_version
from app.portal.web.session.sessions import end_sessions


class InviteForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """Address and role of a new member."""

    email = EmailField(
        validators=[
            DataRequired(_("Enter an e-mail address.")),
            Length(max=254, message=_("An e-mail address can have at most 254 characters.")),
        ]
    )
    role = RadioField(choices=tenancy.ROLES, default="developer", validate_choice=False)

    def validate_role(self, field: RadioField) -> None:
        """Accept only roles that the signed-in member may grant."""
        if field.data not in _grantable():
            raise ValidationError(gettext("Choose one of the roles."))


@site.get("/team")
@access.member_only(access.TEAM_ROLES)
def team() -> AnyResponse:
    """Show members and open invitations."""
    return _page(InviteForm())


@site.post("/team/invitations")
@access.member_only(access.TEAM_ROLES)
def invite() -> AnyResponse:
    """Invite a member; the link is mailed, or shown where no mail can be sent."""
    form, me = InviteForm(), access.current_member()
    if not form.validate():
        return _page(form)
    href = None
    try:
        with db.transaction() as session:
            row, token = tenancy.one_time_links.invite(
                session, me.account_id, email=form.email.data, role=form.role.data, now=clock.now()
            )
            href = emails.link("portal.join", token, account_id=me.account_id)
            letter = emails.invitation(
                row.email,
                account=me.account_name,
                inviter=me.email,
                role=str(labels.ROLES[form.role.data]),
                href=href,
                brand=branding.of_account(session, me.account_id),
            )
            mail.post(session, letter, account_id=me.account_id, now=clock.now())
            address = row.email
    except errors.Conflict:
        form.email.errors = [gettext("This e-mail address already belongs to a member.")]
        return _page(form)
    except errors.Invalid as error:
        if error.status == 422:
            form.email.errors = [gettext("There are already 100 open invitations. Withdraw one first.")]
        else:
            form.email.errors = [gettext("Enter an e-mail address such as ana@example.com.")]
        return _page(form)
    if not mail.can_send():
        return _page(InviteForm(formdata=None), link=href, invited=address)
    flash(gettext("%(email)s has been invited.", email=address), "ok")
    return redirect(url_for("portal.team"), 303)


@site.post("/team/invitations/<uuid:link_id>/withdraw")
@access.member_only(access.TEAM_ROLES)
def withdraw(link_id: uuid.UUID) -> AnyResponse:
    """Withdraw an invitation, whose link then no longer works."""
    with db.transaction() as session:
        tenancy.one_time_links.withdraw(session, access.current_member().account_id, link_id)
    flash(gettext("The invitation has been withdrawn."), "ok")
    return redirect(url_for("portal.team"), 303)


@site.route("/team/<uuid:member_id>", methods=["GET", "POST"])
@access.member_only(access.TEAM_ROLES)
def member(member_id: uuid.UUID) -> AnyResponse | str:
    """Show a member, and change their role."""
    me = access.current_member()
    with db.transaction() as session:
        form_version.take_turn(session)
        row = _found(session, member_id)
        if request.method == "POST":
            wanted = request.form.get("role", "")
            roles = [role for role in _grantable() if role == wanted]
            if not roles:
                raise errors.Invalid("Choose one of the roles.")
            if form_version.is_stale(row.role):
                return make_response(_member_page(row, is_stale=True), 409)
            try:
                tenancy.change_role(session, me.account_id, member_id, roles[0])
            except errors.Conflict:
                flash(gettext("An account needs an owner. Make another member an owner first."), "warn")
                return redirect(url_for("portal.member", member_id=member_id), 303)
            flash(gettext("The role of %(email)s has been changed.", email=row.email), "ok")
            return redirect(url_for("portal.team"), 303)
        return _member_page(row)


@site.route("/team/<uuid:member_id>/remove", methods=["GET", "POST"])
@access.member_only(access.TEAM_ROLES)
def remove_member(member_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation; then remove the member."""
    me = access.current_member()
    with db.transaction() as session:
        row = _found(session, member_id)
        if request.method != "POST":
            comes_back = sso.may_come_back(session, me.account_id, row.email)
            return render_template("portal/account/remove_member.html", member=row, comes_back=comes_back)
        try:
            tenancy.remove_member(session, me.account_id, member_id)
        except errors.Conflict:
            flash(gettext("An account needs an owner. Make another member an owner first."), "warn")
            return redirect(url_for("portal.team"), 303)
    end_sessions(member_id)
    if member_id == me.member_id:
        access.leave()
        return redirect(url_for("portal.sign_in"), 303)
    flash(gettext("%(email)s has been removed and signed out everywhere.", email=row.email), "ok")
    return redirect(url_for("portal.team"), 303)


def _found(session: db.Session, member_id: uuid.UUID) -> tenancy.Member:
    """Return a member whom the signed-in member may change; only an owner may change an owner.

    Raises:
        NotFound: The account has no such member.
        Denied: 403.
    """
    me = access.current_member()
    row = tenancy.get_member(session, member_id)
    if row.account_id != me.account_id:
        raise errors.NotFound("There is no member with this id.")
    if row.role == "owner" and me.role != "owner":
        raise errors.Denied("Only an owner changes an owner.", code="ROLE_REQUIRED", status=403)
    return row


def _member_page(row: tenancy.Member, *, is_stale: bool = False) -> str:
    return render_template(
        "portal/account/member.html",
        member=row,
        roles=_roles(row.role),
        version=form_version.version(row.role),
        is_stale=is_stale,
    )


def _grantable() -> tuple[tenancy.Role, ...]:
    """Return the roles that the signed-in member may grant; only an owner grants `owner`."""
    return tenancy.ROLES if access.current_member().role == "owner" else tenancy.ROLES[1:]


def _roles(chosen: str | None) -> list[Option]:
    return options([(role, labels.ROLES[role]) for role in _grantable()], chosen)


def _page(form: InviteForm, *, link: str | None = None, invited: str | None = None) -> AnyResponse:
    me = access.current_member()
    with db.reading() as session:
        page = render_template(
            "portal/account/team.html",
            form=form,
            members=[
                (member, member.id == me.member_id, me.is_owner or member.role != "owner")
                for member in tenancy.members_of(session, me.account_id)
            ],
            invitations=tenancy.one_time_links.invitations(session, me.account_id, now=clock.now()),
            roles=_roles(form.role.data),
            link=link,
            invited=invited,
        )
    return make_response(page, 422 if form.errors else 200)
