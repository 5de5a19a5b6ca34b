"""Which mails a member gets: their settings, and the page behind the link that ends one kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app import branding, mail, tenancy
from app.platform import settings
from app.platform.postgres import db, rls
from app.portal.web.blueprints import front, site
from app.portal.web.display.labels import Words
from app.portal.web.session import access, form_version
from app.portal.web.theme import page_branding

KINDS: Mapping[mail.Kind, tuple[Words, Words]] = {
    "cap": (
        _("Monthly caps"),
        _("When a key has spent half, four fifths and all of its monthly cap, with a forecast."),
    ),
    "balance": (
        _("Credits"),
        _(
            "When half, four fifths and all of the credits you had after the last top-up are spent, with a "
            "forecast."
        ),
    ),
    "webhook_off": (
        _("Deactivated webhooks"),
        _("When a receiver answers 410 Gone, or 20 deliveries in a row fail for good."),
    ),
    "key_expiring": (_("Expiring keys"), _("Seven days before a key expires.")),
    "export_ready": (
        _("Audit documents"),
        _("When a document that somebody ordered is ready to download."),
    ),
}


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One kind of mail as the settings show it."""

    kind: mail.Kind
    name: Words
    hint: Words
    wanted: bool


@site.route("/profile/mails", methods=["GET", "POST"])
@access.member_only()
def mails() -> AnyResponse | str:
    """Show which mails the member gets; save the choice."""
    me = access.current_member()
    with db.transaction() as session:
        form_version.take_turn(session)
        offered = mail.choices(session, me.account_id, me.member_id)
        saved = [(one.kind, one.wanted) for one in offered]
        is_stale = request.method == "POST" and form_version.is_stale(saved)
        if request.method == "POST" and not is_stale:
            chosen = set(request.form.getlist("kinds"))
            wanted = {one.kind: one.kind in chosen for one in offered}
            mail.choose(session, me.account_id, me.member_id, wanted)
            flash(gettext("Saved."), "ok")
            return redirect(url_for("portal.mails"), 303)
    page = render_template(
        "portal/account/mails.html",
        rows=[ChoiceRow(one.kind, *KINDS[one.kind], one.wanted) for one in offered],
        can_send=mail.can_send(),
        version=form_version.version(saved),
        is_stale=is_stale,
    )
    return make_response(page, 409 if is_stale else 200)


@front.route("/unsubscribe/<token>", methods=["GET", "POST"])
@access.public
def unsubscribe(token: str) -> str:
    """Ask whether to end one kind of mail; end it on POST, as mail programs send it (RFC 8058).

    A GET changes nothing: scanners of mails open every link. The token is the permission, so that neither a
    session nor a token of a form is needed.
    """
    member_id, kind = mail.read_unsubscribe_token(token)
    is_done = request.method == "POST"
    with rls.as_system(), db.transaction() as session:
        member = tenancy.get_member(session, member_id)
        account = tenancy.get_account(session, member.account_id)
        if is_done:
            mail.choose(session, account.id, member_id, {kind: False})
        branded = page_branding(
            branding.of_account(session, account.id),
            account_name=account.name,
            service_name=settings.current().service_name,
        )
    name, hint = KINDS[kind]
    return render_template(
        "portal/account/unsubscribe.html", name=name, hint=hint, is_done=is_done, page_branding=branded
    )
