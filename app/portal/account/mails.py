"""Which mails a member gets: their settings, and the page behind the link that ends one kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import flash, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response as AnyResponse

from app import branding, mail, tenancy
from app.platform import settings
from app.platform.postgres import db, rls
from app.portal.web.blueprints import front, site
from app.portal.web.display.labels import Words
from app.portal.web.session import access
from app.portal.web.theme import page_branding

KINDS: Mapping[mail.Kind, tuple[Words, Words]] = {
    "cap": (
        _("Caps of keys"),
        _(
            "When half, four fifths and all of a key's monthly cap are spent, with the day on which it is "
            "reached."
        ),
    ),
    "balance": (
        _("Credits"),
        _(
            "When half, four fifths and all of the credits of the last top-up are spent, with how long the "
            "rest lasts."
        ),
    ),
    "webhook_off": (
        _("Webhooks that were deactivated"),
        _("When a receiver is gone, or refused 20 deliveries in a row to the end."),
    ),
    "key_expiring": (_("Keys that expire"), _("Seven days before a key expires.")),
    "export_ready": (
        _("Audit documents"),
        _("When a document of a period that somebody ordered can be downloaded."),
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
    if request.method == "POST":
        chosen = set(request.form.getlist("kinds"))
        with db.transaction() as session:
            offered = [one.kind for one in mail.choices(session, me.account_id, me.member_id)]
            mail.choose(session, me.account_id, me.member_id, {kind: kind in chosen for kind in offered})
        flash(gettext("Saved."), "ok")
        return redirect(url_for("portal.mails"), 303)
    with db.reading() as session:
        rows = [
            ChoiceRow(one.kind, *KINDS[one.kind], one.wanted)
            for one in mail.choices(session, me.account_id, me.member_id)
        ]
    return render_template("portal/account/mails.html", rows=rows, can_send=mail.can_send())


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
