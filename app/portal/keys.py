"""API keys: list, create, revoke. A key's plaintext is in the answer that creates it and nowhere else."""

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
from wtforms import HiddenField, RadioField, SelectMultipleField, StringField
from wtforms.validators import DataRequired, InputRequired, Length, Optional, ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from app import governance, tenancy
from app.platform import clock, db, errors, settings
from app.portal import access, language, once, wording
from app.portal.fields import Day, midnight, printable
from app.portal.overview import EXPIRY_NOTICE, address
from app.portal.quickstart import curl
from app.portal.site import site

_LONGEST = timedelta(days=3650)
_SURVEYED = 200


def _ahead(_form: FlaskForm, field: Any) -> None:
    if field.data and not clock.today() <= field.data <= clock.today() + _LONGEST:
        raise ValidationError(gettext("Choose a day from today on, at most ten years ahead."))


class KeyForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """What a new key is called, how fast it may call, what it may do and until when."""

    name = StringField(
        validators=[
            DataRequired(_("Give the key a name.")),
            Length(max=80, message=_("A name has at most 80 characters.")),
            printable,
        ]
    )
    tier = RadioField(choices=tenancy.TIERS, default="standard", validate_choice=False)
    scopes = SelectMultipleField(
        choices=tenancy.SCOPES,
        default=["analyze"],
        validate_choice=False,
        validators=[InputRequired(_("Choose at least one thing the key may do."))],
        widget=ListWidget(),
        option_widget=CheckboxInput(),
    )
    expires = Day(
        validators=[Optional(), _ahead],
    )
    once = HiddenField()

    def validate_tier(self, field: Any) -> None:
        if field.data not in access.visitor().tiers:
            raise ValidationError(gettext("Choose one of your plan."))

    def validate_scopes(self, field: Any) -> None:
        if not set(field.data) <= set(tenancy.SCOPES):
            raise ValidationError(gettext("Choose from the list."))


@site.get("/keys")
@access.member_only(access.KEY_ROLES)
def keys() -> str:
    """Every key of the account, revoked ones too."""
    return _list()


@site.get("/keys/new")
@access.member_only(access.KEY_ROLES)
def new_key() -> str:
    """The form for a new key."""
    form = KeyForm()
    form.once.data = once.number()
    return _form(form)


@site.post("/keys")
@access.member_only(access.KEY_ROLES)
def create_key() -> AnyResponse | str:
    """Create a key and show it, this once, above the list."""
    form = KeyForm()
    if not form.validate():
        return make_response(_form(form), 422)
    visitor = access.visitor()
    ticket = once.Ticket(visitor.account_id, form.once.data)
    if not ticket.take():
        flash(
            gettext(
                "That form has made its key already. If it was not copied, revoke it and create another."
            ),
            "warn",
        )
        return redirect(url_for("portal.keys"), 303)
    with ticket.returned_on_failure(), db.transaction() as session:
        made = tenancy.create_key(
            session,
            visitor.account_id,
            name=form.name.data,
            tier=form.tier.data,
            scopes=form.scopes.data,
            prefix=settings.current().key_prefix,
            now=clock.now(),
            # The last instant of a day: a key works on the day it was given.
            expires_at=midnight(form.expires.data, days=1),
        )
    return _list(made)


@site.route("/keys/<uuid:key_id>/revoke", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def revoke_key(key_id: uuid.UUID) -> AnyResponse | str:
    """Ask, saying what will happen; then cut the key off."""
    visitor, now = access.visitor(), clock.now()
    if request.method == "POST":
        with db.transaction() as session:
            row = tenancy.revoke_key(session, key_id, now=now, account_id=visitor.account_id)
            name = row.name
        flash(gettext("“%(name)s” is revoked. Its next call gets 401; its records stay.", name=name), "ok")
        return redirect(url_for("portal.keys"), 303)
    with db.reading() as session:
        found = [key for key in tenancy.keys_of(session, visitor.account_id) if key.id == key_id]
        if not found:
            raise errors.NotFound("There is no API key with this id.")
        latest = _latest_use(session, visitor)
    if not found[0].active:
        return redirect(url_for("portal.keys"), 303)
    return render_template("portal/revoke_key.html", key=found[0], used=latest.get(key_id))


def _list(made: tenancy.NewKey | None = None) -> str:
    visitor, config = access.visitor(), settings.current()
    with db.reading() as session:
        every = tenancy.keys_of(session, visitor.account_id)
        latest = _latest_use(session, visitor)
    now = clock.now()
    return render_template(
        "portal/keys.html",
        made=made,
        ready_curl=made and curl(address(), made.plaintext, language.current()),
        in_use=[key for key in every if key.active],
        revoked=sorted(
            (key for key in every if key.revoked_at), key=lambda key: key.revoked_at or now, reverse=True
        ),
        latest=latest,
        now=now,
        soon=now + EXPIRY_NOTICE,
        rates=config.tier_rates,
    )


def _form(form: KeyForm) -> str:
    return render_template(
        "portal/new_key.html",
        form=form,
        rates={tier: settings.current().tier_rates[tier] for tier in access.visitor().tiers},
        scope_words=[(scope, wording.SCOPES[scope], wording.SCOPE_HINTS[scope]) for scope in tenancy.SCOPES],
        earliest=clock.today(),
        furthest=clock.today() + _LONGEST,
    )


def _latest_use(session: Session, visitor: access.Visitor) -> dict[uuid.UUID, datetime]:
    """When each key last made an analysis, as far as the newest records tell."""
    found: dict[uuid.UUID, datetime] = {}
    for record in governance.records(session, visitor.account_id, limit=_SURVEYED):
        found.setdefault(record.api_key_id, record.at)
    return found
