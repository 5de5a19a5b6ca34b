"""Share the result of an analysis by a link: for members of the account, or for who has its password.

The result itself stays where it is, sealed, and is read each time; a link is gone with it (decision 097).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from flask import (
    after_this_request,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_babel import gettext, ngettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import PasswordField, RadioField, SelectField
from wtforms.validators import InputRequired, Length

from app import branding, governance, jobs, sharing, tenancy
from app.platform import clock, errors, ratelimit, settings
from app.platform.postgres import db, rls
from app.portal.analysis import result_view
from app.portal.analysis.jobs import opened
from app.portal.web import emails
from app.portal.web.blueprints import site
from app.portal.web.display import language
from app.portal.web.display.view_models import options
from app.portal.web.session import access
from app.portal.web.theme import page_branding

# Passwords of links that one network may try in a minute; a link itself is shut after `sharing.TRIES_MAX`.
TRIES_PER_MINUTE = 20
# The links that this browser's session has opened already: with their password, or (`m`) as a member.
_OPENED = "shared"
_OPENED_MAX = 50


class ShareForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """For whom a link is, and for how long."""

    audience = RadioField(
        choices=["members", "password"],
        default="members",
        validators=[InputRequired(_("Choose one of the two."))],
    )
    hours = SelectField(choices=[str(hours) for hours in sharing.HOURS], default=str(sharing.HOURS[-1]))


class LinkPasswordForm(FlaskForm):  # type: ignore[misc]
    """The password of a link."""

    password = PasswordField(
        validators=[
            InputRequired(_("Enter the password.")),
            Length(max=100, message=_("A password can have at most 100 characters.")),
        ]
    )


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One open link as the page lists it."""

    id: uuid.UUID
    for_whom: str
    maker: str
    made_at: datetime
    until: datetime
    opened: str
    tries: str
    icon: str


@site.route("/analyse/<uuid:job_id>/share", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def share_result(job_id: uuid.UUID) -> AnyResponse:
    """Show the links to a result; make another one, whose address and password are shown this once."""
    job, form = opened(job_id), ShareForm()
    if request.method != "POST":
        return _share_page(job, form)
    if not form.validate():
        return _share_page(job, form, status=422)
    me = access.current_member()
    try:
        with db.transaction() as database:
            made = sharing.make(
                database,
                jobs.find(database, me.account_id, job_id),
                member_id=me.member_id,
                audience=cast(sharing.Audience, form.audience.data),
                hours=int(form.hours.data),
                now=clock.now(),
            )
    except errors.Invalid:
        flash(
            gettext("This result already has %(n)s open links. End one first.", n=sharing.LINKS_MAX), "warn"
        )
        return _share_page(job, form, status=422)
    return _share_page(job, ShareForm(formdata=None), made=made)


@site.post("/analyse/<uuid:job_id>/share/<uuid:link_id>/end")
@access.member_only(access.KEY_ROLES)
def end_link(job_id: uuid.UUID, link_id: uuid.UUID) -> AnyResponse:
    """End a link: it opens nothing from now on."""
    opened(job_id)
    with db.transaction() as database:
        sharing.end(database, access.current_member().account_id, job_id, link_id)
    flash(gettext("The link has been ended and no longer works."), "ok")
    return redirect(url_for("portal.share_result", job_id=job_id), 303)


@site.route("/shared/<token>", methods=["GET", "POST"])
@access.public
def shared_result(token: str) -> AnyResponse:
    """Show a shared result: to members of its account, and to who has given the password of the link."""
    after_this_request(_not_indexed)
    _limit()
    with rls.as_system(), db.reading() as database:
        link, job = sharing.find(database, token, now=clock.now())
        database.expunge(link)
        database.expunge(job)
    is_member = access.is_signed_in() and access.current_member().account_id == link.account_id
    if is_member and access.current_member().lacks_second_factor:
        return redirect(url_for("portal.add_second_factor"), 303)
    # What a member opened without its password is shut again for who is no member any more.
    opened_as = link.id.hex + ("m" if is_member else "")
    if opened_as not in session.get(_OPENED, ()):
        if not is_member and link.audience == "members":
            if access.is_signed_in():
                raise errors.NotFound("This link does not open anything, or no longer.", code="LINK_SPENT")
            return redirect(url_for("portal.sign_in", next=request.path), 303)
        if not is_member:
            refused = _refused(link)
            if refused is not None:
                return refused
        _let_in(link, opened_as)
        if request.method == "POST":
            return redirect(request.path, 303)
    return _result_page(link, job)


def _refused(link: sharing.ResultLink) -> AnyResponse | None:
    """Return the page that asks for the password of a link, or `None` where the right one was sent."""
    form = LinkPasswordForm()
    if request.method != "POST":
        return _password_page(form)
    if not form.validate():
        return _password_page(form, 422)
    with rls.acting_for(link.account_id), db.transaction() as database:
        if sharing.passes(database, link, form.password.data):
            return None
    return _password_page(form, 401, refused=True)


def _let_in(link: sharing.ResultLink, opened_as: str) -> None:
    """Remember in the visitor's session how they opened a link, and count it."""
    session[_OPENED] = [*session.get(_OPENED, ()), opened_as][-_OPENED_MAX:]
    actor = (
        access.actor()
        if access.is_signed_in() and access.current_member().account_id == link.account_id
        else tenancy.activity.Actor("visitor", network=tenancy.activity.network(request.remote_addr))
    )
    with (
        rls.acting_for(link.account_id),
        tenancy.activity.acting(actor),
        db.transaction() as database,
    ):
        sharing.count_opening(database, link)


def _limit() -> None:
    """Slow down who tries passwords, or fills the store of sessions with visits."""
    tries = request.method == "POST"
    name = f"shared:{request.remote_addr}" if tries else f"door:{request.remote_addr}"
    limit = TRIES_PER_MINUTE if tries else settings.current().rate_public
    if access.is_signed_in():
        return
    seen = ratelimit.limiter().hit(name, limit)
    if not seen.allowed:
        raise errors.Exhausted("Too many visits in a minute; wait a little.", retry_after=seen.retry_after)


def _not_indexed(response: Any) -> Any:
    """Keep search engines away from the page."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


def _result_page(link: sharing.ResultLink, job: jobs.Job) -> AnyResponse:
    with rls.acting_for(link.account_id):
        result = jobs.result(job, now=clock.now())
        if result is None:
            raise errors.NotFound("This link does not open anything, or no longer.", code="LINK_SPENT")
        with db.reading() as database:
            account = tenancy.get_account(database, link.account_id)
            record = governance.record_of(database, job.account_id, job.request_id)
            tongue = record.content["language"] if record is not None else language.current()
            brand = page_branding(
                branding.of_account(database, link.account_id),
                account_name=account.name,
                service_name=settings.current().service_name,
            )
            sender = account.name
    page = make_response(
        render_template(
            "portal/analysis/shared.html",
            job=None,
            record=None,
            tongue=tongue,
            sender=sender,
            until=link.expires_at,
            page_branding=brand,
            **result_view.values(result),
        )
    )
    page.headers["Referrer-Policy"] = "no-referrer"
    return page


def _password_page(form: LinkPasswordForm, status: int = 200, *, refused: bool = False) -> AnyResponse:
    page = render_template(
        "portal/analysis/shared_password.html", form=form, refused=refused, most=sharing.TRIES_MAX
    )
    return make_response(page, status)


def _share_page(
    job: jobs.Job, form: ShareForm, *, status: int = 200, made: sharing.NewLink | None = None
) -> AnyResponse:
    with db.reading() as database:
        names = {one.id: one.email for one in tenancy.members_of(database, job.account_id)}
        rows = [
            _row(one, names.get(one.member_id, ""))
            for one in sharing.links_of(database, job.account_id, job.id, now=clock.now())
        ]
    page = render_template(
        "portal/analysis/share.html",
        job=job,
        has_result=job.kind == "analyze"
        and job.status == "completed"
        and not jobs.expired(job, now=clock.now()),
        form=form,
        rows=rows,
        made=made,
        address=emails.link("portal.shared_result", made.token, account_id=job.account_id) if made else "",
        most=sharing.TRIES_MAX,
        with_password=form.audience.data == "password",
        durations=options(
            [(str(hours), ngettext("%(num)s hour", "%(num)s hours", hours)) for hours in sharing.HOURS],
            form.hours.data,
        ),
    )
    return make_response(page, status)


def _row(link: sharing.ResultLink, maker: str) -> LinkRow:
    has_password = link.audience == "password"
    shut = link.tries >= sharing.TRIES_MAX
    tries = ngettext("%(num)s wrong password", "%(num)s wrong passwords", link.tries)
    return LinkRow(
        id=link.id,
        for_whom=gettext("Anybody with the password") if has_password else gettext("Members of the account"),
        maker=maker,
        made_at=link.created_at,
        until=link.expires_at,
        opened=ngettext("opened %(num)s time", "opened %(num)s times", link.opened),
        tries=gettext("closed after too many wrong passwords") if shut else tries if link.tries else "",
        icon="key" if has_password else "users",
    )
