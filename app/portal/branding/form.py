"""Branding of a key: a form, with a preview of what clients will see."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, replace
from typing import Any, Literal

from flask import Response, flash, make_response, redirect, render_template, request, url_for
from flask_babel import gettext
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response as AnyResponse
from wtforms import RadioField, StringField
from wtforms.validators import ValidationError

from app import branding, tenancy
from app.branding import Branding
from app.platform import addresses, clock, errors, settings
from app.platform.postgres import db
from app.portal.branding import preview as previews
from app.portal.web import theme, uploads
from app.portal.web.blueprints import is_fragment, site
from app.portal.web.display import language, status_labels
from app.portal.web.display.key_picker import Choice, choice
from app.portal.web.display.view_models import flags, options
from app.portal.web.session import access, form_version
from app.text.bilingual import LANGUAGES, Language, language_of

ADDRESSES: tuple[Literal["partner_logo_url", "partner_website"], ...] = (
    "partner_logo_url",
    "partner_website",
)
# Keys that may have a branding of their own: child keys have their master's.
HOLDERS = tenancy.KeyFilter(roles=("solo", "master"), state="in_use")
_NO_KEY = "There is no API key with this id."


class BrandingForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """The fields of a branding (decision 039); an empty field clears the saved value."""

    branding = RadioField(choices=branding.MODES, default="nexus", validate_choice=False)
    partner_brand_name = StringField()
    partner_legal_name = StringField()
    partner_logo_url = StringField()
    partner_primary_color = StringField()
    partner_support_email = StringField()
    partner_website = StringField()

    def validate_branding(self, field: Any) -> None:
        """Accept only the three modes."""
        if field.data not in branding.MODES:
            raise ValidationError(gettext("Choose one of the three."))

    def validate_partner_brand_name(self, field: Any) -> None:
        """Check the name, which the mode `partner` requires."""
        _check_name(field, branding.BRAND_NAME_MAX)
        if self.branding.data == "partner" and not _clean(field.data):
            raise ValidationError(gettext("Enter the brand name."))

    def validate_partner_legal_name(self, field: Any) -> None:
        """Check length and characters."""
        _check_name(field, branding.LEGAL_NAME_MAX)

    def validate_partner_primary_color(self, field: Any) -> None:
        """Check the format `#rrggbb`."""
        value = _clean(field.data)
        if value and not branding.is_color(value):
            raise ValidationError(gettext("A colour must be # and six hexadecimal digits, such as #1f4e79."))

    def validate_partner_support_email(self, field: Any) -> None:
        """Check the e-mail address."""
        value = _clean(field.data)
        if value and not branding.is_email(value):
            raise ValidationError(gettext("Enter an e-mail address such as ana@example.com."))

    def validate_partner_logo_url(self, field: Any) -> None:
        """Check that it is an absolute URL."""
        _check_address(field)

    def validate_partner_website(self, field: Any) -> None:
        """Check that it is an absolute URL."""
        _check_address(field)

    def values(self) -> dict[str, str | None]:
        """Return the fields as they are saved."""
        return {name: _clean(field.data) for name, field in self._fields.items() if name != "csrf_token"}

    def valid_branding(self) -> Branding:
        """Return the branding made of the valid fields; an invalid field counts as empty."""
        values = {name: None if name in self.errors else value for name, value in self.values().items()}
        mode = values.pop("branding")
        return Branding(branding=next((m for m in branding.MODES if m == mode), "nexus"), **values)


@site.get("/branding", endpoint="branding")
@access.member_only(access.KEY_ROLES)
def branding_page() -> AnyResponse | str:
    """Show the branding of the key `key` (by default the first) and its preview."""
    chosen = _chosen()
    key = chosen.key
    if key is None:
        return render_template("portal/branding/branding.html", key=None, chosen=chosen)
    with db.reading() as session:
        found = branding.get(session, key.account_id, key.id)
    return _page(BrandingForm(formdata=None, data=asdict(found)), found, key, chosen)


@site.post("/branding")
@access.member_only(access.KEY_ROLES)
def save_branding() -> AnyResponse | str:
    """Save the branding; with `do=preview`, or for htmx, only show it."""
    chosen = _chosen()
    key = chosen.key
    if key is None:
        raise errors.NotFound(_NO_KEY)
    form = BrandingForm()
    right = form.validate()
    preview = request.form.get("do") == "preview"
    if is_fragment() or preview or not right or not _reachable(form):
        return _page(form, form.valid_branding(), key, chosen, unsaved=True, preview=preview)
    with db.transaction() as session:
        form_version.take_turn(session)
        newer = branding.get(session, key.account_id, key.id)
        if form_version.is_stale(asdict(newer)):
            shown = BrandingForm(formdata=None, data=asdict(newer))
            return _page(shown, newer, key, chosen, is_stale=True)
        caller = tenancy.as_key(session, key.account_id, key.id, now=None)
        saved = branding.save(session, caller, form.values(), now=clock.now())
    flash(previews.saved(saved.applied_to_keys), "ok")
    return redirect(url_for("portal.branding", key=key.id), 303)


@site.get("/branding/logo")
@access.member_only(access.KEY_ROLES)
def branding_logo() -> Response:
    """Serve the stored logo as PNG."""
    key = _chosen().key
    with db.reading() as session:
        logo = branding.logo_of(session, key.account_id, key.id) if key else None
    if logo is None or logo.data is None:
        raise errors.NotFound("There is no logo.")
    return Response(logo.data, mimetype="image/png")


@site.post("/branding/logo")
@access.member_only(access.KEY_ROLES)
def upload_logo() -> AnyResponse:
    """Store an uploaded logo: its pixels, drawn again as PNG; nothing else of the file is kept."""
    key, file = _chosen().key, uploads.uploaded(request.files.get("logo"))
    if key is None:
        raise errors.NotFound(_NO_KEY)
    back = redirect(url_for("portal.branding", key=key.id, _anchor="logo"), 303)
    if file is None:
        flash(gettext("Choose a file first."), "warn")
        return back
    try:
        image = branding.redrawn(file.data)
    except branding.NotALogo as refused:
        why = previews.in_words(str(refused))
        flash(gettext("This file cannot be used as a logo: %(why)s.", why=why), "bad")
        return back
    with db.transaction() as session:
        caller = tenancy.as_key(session, key.account_id, key.id, now=None)
        branding.upload_logo(session, caller, image, now=clock.now())
    flash(gettext("The logo has been stored."), "ok")
    return back


@site.post("/branding/logo/remove")
@access.member_only(access.KEY_ROLES)
def remove_logo() -> AnyResponse:
    """Delete the uploaded logo; documents show the brand name again."""
    key = _chosen().key
    if key is None:
        raise errors.NotFound(_NO_KEY)
    with db.transaction() as session:
        branding.remove_logo(session, tenancy.as_key(session, key.account_id, key.id, now=None))
    flash(gettext("The logo has been removed."), "ok")
    return redirect(url_for("portal.branding", key=key.id, _anchor="logo"), 303)


@site.get("/branding/agreement.<tongue>")
@access.member_only(access.KEY_ROLES)
def branding_agreement(tongue: str) -> Response:
    """Download the data-processing agreement as PDF in `es` or `en`."""
    document_language = _document_language(tongue)
    found, logo, _ = _branding_of_chosen()
    made = branding.agreement(found, logo, language=document_language, service_name=previews.service())
    return _download(made, branding.agreement_file_name(document_language))


@site.get("/branding/processing-record.<tongue>")
@access.member_only(access.KEY_ROLES)
def branding_record(tongue: str) -> Response:
    """Download the record of processing activities as PDF in `es` or `en`."""
    document_language = _document_language(tongue)
    found, logo, owner = _branding_of_chosen()
    made = branding.processing_record(
        found,
        logo,
        language=document_language,
        mask_names=owner.mask_names is not False,
        on=clock.today(),
        own_engines=(owner.own_engine_a, owner.own_engine_b),
    )
    return _download(made, branding.record_file_name(document_language))


def _document_language(tongue: str) -> Language:
    if tongue not in LANGUAGES:
        raise errors.NotFound("There is no such document.")
    return language_of(tongue)


def _branding_of_chosen() -> tuple[branding.Branding, branding.Logo | None, tenancy.Caller]:
    """Return branding and logo of the chosen key, and the key with what its account chose."""
    key = _chosen().key
    if key is None:
        raise errors.NotFound("There is no such document.")
    with db.reading() as session:
        owner = tenancy.as_key(session, key.account_id, key.id, now=None)
        found = branding.get(session, key.account_id, key.id)
        return found, branding.logo_of(session, key.account_id, key.id), owner


def _download(made: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made, 200, headers, mimetype="application/pdf")


def _chosen() -> Choice:
    """Return the key of the URL; without one, a master first, since its branding applies to the most keys.

    Raises:
        NotFound: The account has no such key.
    """
    account_id, now = access.current_member().account_id, clock.now()
    with db.reading() as session:
        chosen = choice(session, request.args.get("key"), HOLDERS)
        if not chosen.typed:
            masters = replace(HOLDERS, roles=("master",))
            first = tenancy.keys_page(session, account_id, masters, now=now, limit=1).rows or chosen.keys
            chosen = replace(chosen, key=next(iter(first), None))
        session.expunge_all()
    return chosen


def _page(
    form: BrandingForm,
    found: Branding,
    key: tenancy.ApiKey,
    chosen: Choice,
    *,
    unsaved: bool = False,
    preview: bool = False,
    is_stale: bool = False,
) -> AnyResponse:
    with db.reading() as session:
        saved = branding.get(session, key.account_id, key.id)
        logo = branding.logo_of(session, key.account_id, key.id)
        children = tenancy.sub_keys_in_use(session, key.account_id)
        sub_key_count = children.get(key.organization_id, 0) if key.organization_id else 0
    # The picture there is belongs to the address that is saved.
    saved_logo = logo if found.partner_logo_url == saved.partner_logo_url else None
    color = theme.color(found)
    body = render_template(
        "portal/branding/_branding_preview.html" if is_fragment() else "portal/branding/branding.html",
        form=form,
        version=form_version.version(asdict(saved)),
        is_stale=is_stale,
        found=found,
        saved=saved,
        key=key,
        chosen=chosen,
        sub_key_count=sub_key_count,
        logo=logo,
        why=previews.why_no_logo(logo),
        mode_previews=previews.mode_previews(
            found,
            saved_logo,
            language.current(),
            clock.today(),
            account_name=access.current_member().account_name,
        ),
        color=color,
        is_hard_to_read=color.contrast < branding.LEAST_CONTRAST,
        least=branding.LEAST_CONTRAST,
        is_own=key.role != "master",
        voices=options([(mode, status_labels.VOICES[mode]) for mode in branding.MODES], form.branding.data),
        logo_is=flags(logo.state if logo else None),
        unsaved=unsaved and found != saved,
        preview=preview,
        terms=status_labels,
        longest={"name": branding.BRAND_NAME_MAX, "legal": branding.LEGAL_NAME_MAX, "url": addresses.MAX_URL},
    )
    if is_stale:
        return make_response(body, 409)
    return make_response(body, 422 if form.errors and not is_fragment() else 200)


def _reachable(form: BrandingForm) -> bool:
    """Return whether the URLs may be called. It may query a name server: call it outside a transaction."""
    for name in ADDRESSES:
        field = form[name]
        if value := _clean(field.data):
            try:
                branding.check_url(value, field=name)
            except errors.Invalid:
                field.errors = [
                    gettext(
                        "This URL is not allowed. Use https at a public address, without user name or "
                        "password, on one of the ports %(ports)s.",
                        ports=settings.current().outgoing_ports,
                    )
                ]
    return not form.errors


def _clean(value: str | None) -> str | None:
    return unicodedata.normalize("NFC", branding.trimmed(value or "")) or None


def _check_name(field: Any, longest: int) -> None:
    value = _clean(field.data) or ""
    if len(value) > longest:
        raise ValidationError(gettext("A name can have at most %(n)s characters.", n=longest))
    if not branding.is_one_line(value):
        raise ValidationError(gettext("Use letters, digits and punctuation on one line."))


def _check_address(field: Any) -> None:
    value = _clean(field.data)
    if value and (not branding.is_absolute(value) or len(value) > addresses.MAX_URL):
        raise ValidationError(gettext("Enter a full URL such as https://www.example.com/logo.png."))
