"""The check of a webhook's signature. What is pasted is neither stored nor logged."""

from __future__ import annotations

from flask import make_response, render_template
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response
from wtforms import PasswordField, TextAreaField
from wtforms.validators import InputRequired, Length, ValidationError

from app import webhooks
from app.platform import clock
from app.portal import access
from app.portal.site import site

_BODY_MOST = 200_000


class SignatureForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """What arrived, and the secret it should be signed with."""

    header = TextAreaField(
        validators=[
            InputRequired(_("Paste the signature header.")),
            Length(max=4000, message=_("A header has at most 4,000 characters.")),
        ]
    )
    body = TextAreaField(
        validators=[
            InputRequired(_("Paste the body.")),
            Length(max=_BODY_MOST, message=_("A body has at most 200,000 characters.")),
        ]
    )
    secret = PasswordField(validators=[InputRequired(_("Paste the secret."))])

    def validate_secret(self, field: PasswordField) -> None:
        if not field.data.strip().startswith("whsec_") or len(field.data) > 200:
            raise ValidationError(gettext("A secret begins with whsec_ and is one line."))


@site.route("/webhooks/signature", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def check_signature() -> Response:
    """Say whether a signature is genuine, and if not, why. The answer to a POST: nothing of it is kept."""
    form = SignatureForm()
    verdict = None
    if form.is_submitted() and form.validate():
        verdict = webhooks.verify(form.secret.data.strip(), form.header.data, form.body.data, now=clock.now())
    page = render_template(
        "portal/signature.html",
        form=form,
        verdict=verdict,
        outcome=verdict.outcome.value if verdict else None,
        now=clock.now(),
    )
    return make_response(page, 422 if form.errors else 200)
