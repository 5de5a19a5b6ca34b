"""New client: organization, master key, child keys and brand in one form, created together or not at all."""

from __future__ import annotations

from typing import Any

from flask import flash, make_response, redirect, render_template, url_for
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response as AnyResponse
from wtforms import FieldList, Form, FormField, HiddenField, RadioField, SelectMultipleField, StringField
from wtforms.validators import InputRequired, Length, ValidationError
from wtforms.widgets import CheckboxInput, ListWidget

from app import branding, organizations, tenancy
from app.platform import clock, errors, settings
from app.platform.postgres import db
from app.portal.docs.quickstart import curl
from app.portal.keys.organizations import OrganizationForm, free
from app.portal.web.api_address import address
from app.portal.web.blueprints import site
from app.portal.web.display import language
from app.portal.web.display.jinja_env import figure, stamp
from app.portal.web.display.key_picker import choice
from app.portal.web.display.view_models import options, scope_options
from app.portal.web.fields import HIGHEST_CAP, printable, whole_number
from app.portal.web.session import access, form_once

# Child keys that the form can create; more are created on the page of the organization.
ROWS = 6
# Of these, shown without a click.
SHOWN = 2
_LONGEST_DAYS = 3650


class KeyRow(Form):  # type: ignore[misc]  # wtforms ships no types
    """A child key: label, monthly cap and days until it expires. An empty row is no key."""

    label = StringField(
        validators=[Length(max=80, message=_("A name can have at most 80 characters.")), printable]
    )
    cap = StringField()
    days = StringField()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed."""
        return not any((field.data or "").strip() for field in (self.label, self.cap, self.days))

    @property
    def wanted(self) -> organizations.WantedKey:
        """The key that a valid row describes."""
        return organizations.WantedKey(
            self.label.data.strip(),
            whole_number(self.days.data, 1, _LONGEST_DAYS),
            whole_number(self.cap.data, 0, HIGHEST_CAP),
        )

    def validate_label(self, field: Any) -> None:
        """Require a label where something else was typed."""
        text = (field.data or "").strip()
        if not text and not self.is_empty:
            raise ValidationError(gettext("Enter a label for the key."))
        if len(text) == 1:
            raise ValidationError(gettext("A name must have at least 2 characters."))

    def validate_cap(self, field: Any) -> None:
        """Check that the cap is an integer within its bounds."""
        if (field.data or "").strip() and whole_number(field.data, 0, HIGHEST_CAP) is None:
            raise ValidationError(gettext("Enter a whole number from 0 to 1,000,000,000, digits only."))

    def validate_days(self, field: Any) -> None:
        """Check that the lifetime is an integer within its bounds."""
        if (field.data or "").strip() and whole_number(field.data, 1, _LONGEST_DAYS) is None:
            raise ValidationError(gettext("Enter a whole number of days from 1 to 3650."))


class ClientForm(OrganizationForm):
    """Organization, master key, child keys and brand."""

    key = StringField()
    tier = RadioField(choices=tenancy.TIERS, validate_choice=False)
    keys = FieldList(FormField(KeyRow), min_entries=ROWS, max_entries=ROWS)
    scopes = SelectMultipleField(
        choices=tenancy.SCOPES,
        validate_choice=False,
        validators=[InputRequired(_("Choose at least one permission."))],
        widget=ListWidget(),
        option_widget=CheckboxInput(),
    )
    brand_name = StringField(
        validators=[Length(max=80, message=_("A name can have at most 80 characters.")), printable]
    )
    brand_color = StringField()
    brand_email = StringField()
    once = HiddenField()

    @property
    def wanted(self) -> list[organizations.WantedKey]:
        """The child keys of a valid form."""
        return [row.form.wanted for row in self.keys if not row.form.is_empty]

    @property
    def brand(self) -> dict[str, str | None] | None:
        """The brand of a valid form as it is saved; `None` without a name."""
        name = _clean(self.brand_name)
        if not name:
            return None
        return {
            "branding": "partner",
            "partner_brand_name": name,
            "partner_primary_color": _clean(self.brand_color),
            "partner_support_email": _clean(self.brand_email),
        }

    def validate_keys(self, field: Any) -> None:
        """Require one child key: what an organization is for."""
        if all(row.form.is_empty for row in field):
            field[0].form.label.errors = [gettext("Enter a label for the key.")]
            raise ValidationError(gettext("Enter a label for the key."))

    def validate_tier(self, field: Any) -> None:
        """Accept only the tiers of the account's plan; without one, the highest."""
        field.data = field.data or access.current_member().tiers[-1]
        if field.data not in access.current_member().tiers:
            raise ValidationError(gettext("Choose a tier of your plan."))

    def validate_scopes(self, field: Any) -> None:
        """Accept only known scopes."""
        if not set(field.data) <= set(tenancy.SCOPES):
            raise ValidationError(gettext("Choose from the list."))

    def validate_brand_color(self, field: Any) -> None:
        """Check the format `#rrggbb`."""
        if (value := _clean(field)) and not branding.is_color(value):
            raise ValidationError(gettext("A colour must be # and six hexadecimal digits, such as #1f4e79."))

    def validate_brand_email(self, field: Any) -> None:
        """Check the e-mail address."""
        if (value := _clean(field)) and not branding.is_email(value):
            raise ValidationError(gettext("Enter an e-mail address such as ana@example.com."))

    def validate_brand_name(self, field: Any) -> None:
        """Require a name where a colour or an address was typed."""
        if not _clean(field) and (_clean(self.brand_color) or _clean(self.brand_email)):
            raise ValidationError(gettext("Enter the brand name."))


@site.get("/organizations/client")
@access.member_only(access.KEY_ROLES)
def new_client() -> str:
    """Show the form for a new client."""
    form = ClientForm(formdata=None)
    form.once.data = form_once.number()
    form.scopes.data, form.tier.data = ["analyze"], access.current_member().tiers[-1]
    return _page(form)


@site.post("/organizations/client")
@access.member_only(access.KEY_ROLES)
def create_client() -> AnyResponse | str:
    """Create organization, master, child keys and brand in one transaction; show the secrets once."""
    form = ClientForm()
    if not form.validate():
        return make_response(_page(form), 422)
    me, now = access.current_member(), clock.now()
    ticket = form_once.FormToken(me.account_id, form.once.data)
    if not ticket.take():
        flash(
            gettext(
                "This form has already created its client. If you did not copy its keys, rotate them on the "
                "page of the organization."
            ),
            "warn",
        )
        return redirect(url_for("portal.organizations"), 303)
    try:
        with ticket.returned_on_failure(), db.transaction() as session:
            chosen = choice(session, form.key.data, free())
            if chosen.typed and chosen.key is None:
                raise errors.Conflict("No key fits.")
            made = organizations.create_client(
                session,
                me.account_id,
                name=form.name.data.strip(),
                description=(form.description.data or "").strip() or None,
                master_id=chosen.key_id,
                tier=form.tier.data,
                scopes=form.scopes.data,
                keys=form.wanted,
                created_by=me.member_id,
                prefix=settings.current().key_prefix,
                now=now,
            )
            if form.brand:
                branding.save(session, made.caller, form.brand, now=now)
    except errors.DomainError as refused:
        _complain(form, refused)
        return make_response(_page(form), 422)
    first = made.keys[0]
    can_analyse = "analyze" in first.row.scopes
    return render_template(
        "portal/keys/client_ready.html",
        made=made,
        notes=[_limits(one.row) for one in made.keys],
        first_curl=curl(address(), first.plaintext, language.current()) if can_analyse else None,
    )


def _complain(form: ClientForm, refused: errors.DomainError) -> None:
    """Put what the domain refused at the field that it is about."""
    if refused.code == "ORGANIZATION_LIMIT":
        form.name.errors = [gettext("An account can have at most five organizations. Delete one first.")]
    elif refused.code == "INVALID_SCOPES":
        form.scopes.errors = [
            gettext("A child key cannot have more permissions than its master key. Choose from the list.")
        ]
    elif isinstance(refused, errors.Conflict | errors.Denied | errors.NotFound):
        form.key.errors = [gettext("This key already belongs to an organization. Choose another.")]
    else:
        raise refused


def _limits(key: tenancy.ApiKey) -> str:
    """Return what limits a new child key, in words."""
    cap = key.monthly_credit_cap
    spends = (
        gettext("No monthly cap") if cap is None else gettext("At most %(n)s credits a month", n=figure(cap))
    )
    ends = (
        gettext("does not expire")
        if key.expires_at is None
        else gettext("until %(when)s", when=stamp(key.expires_at))
    )
    return f"{spends}, {ends}"


def _clean(field: Any) -> str | None:
    return (field.data or "").strip() or None


def _page(form: ClientForm) -> str:
    tiers = access.current_member().tiers
    with db.reading() as session:
        try:
            chosen = choice(session, form.key.data, free())
        except errors.NotFound:
            chosen = choice(session, None, free())
        session.expunge_all()
    rows = list(form.keys)
    return render_template(
        "portal/keys/new_client.html",
        form=form,
        chosen=chosen,
        complaint=form.key.errors[0] if form.key.errors else None,
        scopes=scope_options(tenancy.SCOPES, form.scopes.data),
        tiers=options([(tier, settings.current().tier_rates[tier]) for tier in tiers], form.tier.data),
        has_tiers=len(tiers) > 1,
        first_rows=rows[:SHOWN],
        other_rows=rows[SHOWN:],
        others_open=any(not row.form.is_empty for row in rows[SHOWN:]),
    )
