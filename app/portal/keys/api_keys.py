"""API keys: list, create, rename, rotate, revoke. The plaintext of a key is shown only once.

Child keys are listed here too, and changed on the page of their organization.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from flask import flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from sqlalchemy.orm import Session
from werkzeug.wrappers import Response as AnyResponse
from wtforms import HiddenField, RadioField, SelectMultipleField, StringField
from wtforms.validators import DataRequired, InputRequired, Length, Optional, ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from app import organizations, tenancy
from app.platform import clock, settings
from app.platform.postgres import db
from app.portal.docs.quickstart import curl
from app.portal.usage import key_usage
from app.portal.web.api_address import address
from app.portal.web.blueprints import site
from app.portal.web.display import language, status_labels
from app.portal.web.display.status_labels import EXPIRY_NOTICE
from app.portal.web.display.view_models import is_spent, options, scope_options, still_to_come
from app.portal.web.fields import Day, identifier, midnight, printable
from app.portal.web.session import access, form_once, form_version

SHOWN = 30
_LONGEST = timedelta(days=3650)
_NOTHING = "There is nothing at this address."


def _ahead(_form: FlaskForm, field: Any) -> None:
    if field.data and not clock.today() <= field.data <= clock.today() + _LONGEST:
        raise ValidationError(gettext("Choose a date from today, at most ten years ahead."))


class NameForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """The name of a key."""

    name = StringField(
        validators=[
            DataRequired(_("Enter a name for the key.")),
            Length(max=80, message=_("A name can have at most 80 characters.")),
            printable,
        ]
    )


class KeyForm(NameForm):
    """Name, tier, scopes and expiry of a new key."""

    tier = RadioField(choices=tenancy.TIERS, default="standard", validate_choice=False)
    scopes = SelectMultipleField(
        choices=tenancy.SCOPES,
        default=["analyze"],
        validate_choice=False,
        validators=[InputRequired(_("Choose at least one permission."))],
        widget=ListWidget(),
        option_widget=CheckboxInput(),
    )
    expires = Day(
        validators=[Optional(), _ahead],
    )
    once = HiddenField()

    def validate_tier(self, field: Any) -> None:
        """Accept only the tiers of the account's plan."""
        if field.data not in access.current_member().tiers:
            raise ValidationError(gettext("Choose a tier of your plan."))

    def validate_scopes(self, field: Any) -> None:
        """Accept only known scopes."""
        if not set(field.data) <= set(tenancy.SCOPES):
            raise ValidationError(gettext("Choose from the list."))


@site.get("/keys")
@access.member_only(access.KEY_ROLES)
def keys() -> str:
    """Show a page of the account's keys, those in use first, filtered by kind, state or name."""
    return _list()


@site.get("/keys/new")
@access.member_only(access.KEY_ROLES)
def new_key() -> str:
    """Show the form for a new key."""
    form = KeyForm()
    form.once.data = form_once.number()
    return _form(form)


@site.post("/keys")
@access.member_only(access.KEY_ROLES)
def create_key() -> AnyResponse | str:
    """Create a key and show its plaintext once, above the list."""
    form = KeyForm()
    if not form.validate():
        return make_response(_form(form), 422)
    me = access.current_member()
    ticket = form_once.FormToken(me.account_id, form.once.data)
    if not ticket.take():
        flash(
            gettext(
                "This form has already created its key. If you did not copy it, revoke it and create another."
            ),
            "warn",
        )
        return redirect(url_for("portal.keys"), 303)
    with ticket.returned_on_failure(), db.transaction() as session:
        made = organizations.account_keys.create(
            session,
            me.account_id,
            name=form.name.data,
            tier=form.tier.data,
            scopes=form.scopes.data,
            # The last instant of a day: a key works on the day it was given.
            expires_at=midnight(form.expires.data, days=1),
            created_by=me.member_id,
            prefix=settings.current().key_prefix,
            now=clock.now(),
        )
    return _list(made)


@site.get("/keys/<uuid:key_id>")
@access.member_only(access.KEY_ROLES)
def key(key_id: uuid.UUID) -> AnyResponse | str:
    """Show one key: state, usage and actions."""
    row = _found(key_id)
    return _elsewhere(row) or _page(row)


@site.post("/keys/<uuid:key_id>")
@access.member_only(access.KEY_ROLES)
def rename_key(key_id: uuid.UUID) -> AnyResponse | str:
    """Rename a key."""
    form, row = NameForm(), _found(key_id)
    if moved := _elsewhere(row):
        return moved
    if not form.validate():
        return make_response(_page(row, form=form), 422)
    with db.transaction() as session:
        form_version.take_turn(session)
        is_stale = form_version.is_stale(tenancy.key_of(session, row.account_id, key_id).name)
        if not is_stale:
            name = form.name.data
            organizations.account_keys.rename(session, row.account_id, key_id, name, now=clock.now())
    if is_stale:
        return make_response(_page(_found(key_id), is_stale=True), 409)
    flash(gettext("The key has been renamed."), "ok")
    return redirect(url_for("portal.key", key_id=key_id), 303)


@site.route("/keys/<uuid:key_id>/rotate", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def rotate_key(key_id: uuid.UUID) -> AnyResponse | str:
    """Ask how long the old secret stays valid; then rotate the key and show the new one once."""
    row = _found(key_id)
    if moved := _elsewhere(row, "portal.rotate_sub_key"):
        return moved
    if not row.active:
        flash(gettext("A revoked key cannot be rotated. Create another key."), "warn")
        return redirect(url_for("portal.key", key_id=key_id), 303)
    if row.issued_to is not None:
        flash(
            gettext("An assistant's key has no secret. To replace it, revoke it and connect again."), "warn"
        )
        return redirect(url_for("portal.key", key_id=key_id), 303)
    hours = status_labels.chosen_overlap(request.form.get("overlap"))
    if hours is None:
        page = render_template(
            "portal/keys/rotate_key.html",
            key=row,
            overlaps=options([(hours, status_labels.overlap(hours)) for hours in status_labels.OVERLAPS], 24),
            number=form_once.number(),
            wrong=request.method == "POST",
            terms=status_labels,
        )
        return make_response(page, 422 if request.method == "POST" else 200)
    ticket = form_once.FormToken(row.account_id, request.form.get("once"))
    if not ticket.take():
        flash(
            gettext("This form has already rotated the key. If you did not copy it, rotate it again."), "warn"
        )
        return redirect(url_for("portal.key", key_id=key_id), 303)
    with ticket.returned_on_failure(), db.transaction() as session:
        made = organizations.account_keys.rotate(
            session,
            row.account_id,
            key_id,
            overlap=timedelta(hours=hours),
            prefix=settings.current().key_prefix,
            now=clock.now(),
        )
    return _page(made.row, made=made)


@site.route("/keys/<uuid:key_id>/revoke", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def revoke_key(key_id: uuid.UUID) -> AnyResponse | str:
    """Ask for confirmation, listing the consequences; then revoke the key."""
    row = _found(key_id)
    if moved := _elsewhere(row, "portal.cut_off"):
        return moved
    if request.method == "POST":
        with db.transaction() as session:
            revoked = organizations.account_keys.revoke(session, row.account_id, key_id, now=clock.now())
            name = revoked.name
        flash(
            gettext(
                "“%(name)s” has been revoked. Its next request gets 401; its records are kept.", name=name
            ),
            "ok",
        )
        return redirect(url_for("portal.keys"), 303)
    if not row.active:
        return redirect(url_for("portal.key", key_id=key_id), 303)
    with db.reading() as session:
        calls = key_usage.last_30_days(session, key_id).calls
        children = tenancy.sub_keys_in_use(session, row.account_id)
    sub_key_count = children.get(row.organization_id, 0) if row.organization_id else 0
    return render_template("portal/keys/revoke_key.html", key=row, calls=calls, sub_key_count=sub_key_count)


def _found(key_id: uuid.UUID) -> tenancy.ApiKey:
    """Return a key of the account. Raises `NotFound`."""
    with db.reading() as session:
        row = tenancy.key_of(session, access.current_member().account_id, key_id)
        session.expunge(row)
    return row


def _elsewhere(row: tenancy.ApiKey, page: str = "portal.sub_key") -> AnyResponse | None:
    """Return a redirect for a child key, which has its page with its organization; `None` for other keys."""
    if row.role != "child":
        return None
    with db.reading() as session:
        there = {found.id for found in tenancy.organizations_of(session, row.account_id)}
    if row.organization_id not in there:
        return redirect(url_for("portal.keys", q=row.key_prefix), 303)
    return redirect(url_for(page, organization_id=row.organization_id, key_id=row.id), 303)


def _list(made: tenancy.NewKey | None = None) -> str:
    me, now = access.current_member(), clock.now()
    asked = {name: request.args.get(name, "").replace("\x00", "").strip() for name in ("q", "state", "role")}
    wanted = tenancy.KeyFilter(
        text=asked["q"],
        state=next((state for state in tenancy.KEY_STATES if state == asked["state"]), None),
        roles=tuple(role for role in tenancy.KEY_ROLES if role == asked["role"]),
    )
    after = identifier(request.args.get("after"), _NOTHING)
    with db.reading() as session:
        page = tenancy.keys_page(session, me.account_id, wanted, now=now, after=after, limit=SHOWN)
        counts = tenancy.count_keys(session, me.account_id, now=now)
        used = key_usage.of_keys(session, [row.id for row in page.rows])
        key_statuses = tenancy.key_statuses(session, me.account_id, page.rows, now=now)
        creators = _creators(session, page.rows)
        organizations_by_id = {found.id: found for found in tenancy.organizations_of(session, me.account_id)}
        session.expunge_all()
    kept = {name: value for name, value in asked.items() if value}
    return render_template(
        "portal/keys/keys.html",
        made=made,
        ready_curl=made and curl(address(), made.plaintext, language.current()),
        old_key_until=still_to_come(made.row.previous_until, now) if made else None,
        can_analyse=made is not None and "analyze" in made.row.scopes,
        rows=[(row, row.role == "child") for row in page.rows],
        states=options(status_labels.KEY_STATES, asked["state"]),
        roles=options(status_labels.KEY_ROLES, asked["role"]),
        counts=counts,
        all_keys=counts.in_use + counts.expired + counts.revoked,
        used=used,
        creators=creators,
        organizations_by_id=organizations_by_id,
        key_statuses=key_statuses,
        asked=asked,
        filtered=bool(kept),
        first_page=after is None,
        newest=_linked(kept),
        older=page.more and _linked({**kept, "after": str(page.more)}),
        now=now,
        soon=now + EXPIRY_NOTICE,
        terms=status_labels,
    )


def _page(
    row: tenancy.ApiKey,
    *,
    form: NameForm | None = None,
    made: tenancy.NewKey | None = None,
    is_stale: bool = False,
) -> str:
    now = clock.now()
    if form is None:
        # The request that rotated the key carries fields of another form.
        form = NameForm(formdata=None)
        form.name.data = row.name
    with db.reading() as session:
        used = key_usage.last_30_days(session, row.id)
        month = key_usage.this_month(session, row.id)
        creators = _creators(session, [row])
        children = tenancy.sub_keys_in_use(session, row.account_id)
        key_status = tenancy.key_statuses(session, row.account_id, [row], now=now)[row.id]
        organizations_by_id = {found.id: found for found in tenancy.organizations_of(session, row.account_id)}
        session.expunge_all()
    return render_template(
        "portal/keys/key.html",
        key=row,
        key_status=key_status,
        form=form,
        version=form_version.version(row.name),
        is_stale=is_stale,
        made=made,
        ready_curl=made and curl(address(), made.plaintext, language.current()),
        used=used,
        month=month,
        is_spent=is_spent(month.credits, row.monthly_credit_cap),
        old_key_until=still_to_come(row.previous_until, now),
        can_analyse="analyze" in row.scopes,
        creator=creators.get(row.id),
        org=organizations_by_id.get(row.organization_id) if row.organization_id else None,
        sub_key_count=children.get(row.organization_id, 0) if row.organization_id else 0,
        rate=settings.current().tier_rates[row.tier],
        now=now,
        soon=now + EXPIRY_NOTICE,
        terms=status_labels,
    )


def _creators(session: Session, rows: Iterable[tenancy.ApiKey]) -> dict[uuid.UUID, str]:
    """Return who created each key, in words; unknown creators are left out."""
    account_id, found = access.current_member().account_id, {}
    members = {one.id: one.email for one in tenancy.members_of(session, account_id)}
    for row in rows:
        if row.created_by is not None:
            found[row.id] = members.get(row.created_by) or gettext("a former member")
        elif row.role == "child":
            found[row.id] = gettext("its master key, via the API")
    return found


def _form(form: KeyForm) -> str:
    return render_template(
        "portal/keys/new_key.html",
        form=form,
        scopes=scope_options(tenancy.SCOPES, form.scopes.data),
        tiers=options(
            [(tier, settings.current().tier_rates[tier]) for tier in access.current_member().tiers],
            form.tier.data,
        ),
        expires=form.expires.raw_data[0] if form.expires.raw_data else "",
        earliest=clock.today(),
        furthest=clock.today() + _LONGEST,
    )


def _linked(values: dict[str, str]) -> str:
    return f"{url_for('portal.keys')}?{urlencode(values)}" if values else url_for("portal.keys")
