"""Check of a webhook's signature. Pasted text is neither stored nor logged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import make_response, render_template
from flask_babel import gettext
from flask_babel import lazy_gettext as _
from flask_wtf import FlaskForm
from werkzeug.wrappers import Response
from wtforms import PasswordField, TextAreaField
from wtforms.validators import InputRequired, Length, ValidationError

from app import webhooks
from app.platform import clock
from app.portal.web.blueprints import site
from app.portal.web.display.labels import Words
from app.portal.web.session import access

_BODY_MOST = 200_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence: text, or characters of a header (`code`)."""

    words: Words
    code: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """The explanation of a result: tone, icon, heading, and a paragraph in pieces."""

    tone: str
    icon: str
    heading: Words
    text: Sequence[Piece]


def _finding(tone: str, heading: Words, *text: Words | Piece) -> Finding:
    pieces = [part if isinstance(part, Piece) else Piece(part) for part in text]
    return Finding(tone, tone, heading, pieces)


_FINDINGS: Mapping[webhooks.Outcome, Finding] = {
    webhooks.Outcome.VALID: _finding(
        "ok",
        _("The signature is valid"),
        _("It was made with this secret over this body, less than five minutes ago."),
    ),
    webhooks.Outcome.STALE: _finding(
        "warn",
        _("Genuine, but too old to accept"),
        _(
            "It was made with this secret over this body, but its timestamp is more than five minutes "
            "off. That is normal for an old message; an endpoint must reject it as a possible replay. If "
            "it happens with new messages, check the clock of your server."
        ),
    ),
    webhooks.Outcome.REWRITTEN: _finding(
        "warn",
        _("The body was reformatted"),
        _(
            "The signature matches the same JSON as it was sent, but not this exact text. Verify the raw "
            "body before parsing it."
        ),
    ),
    webhooks.Outcome.MISMATCH: _finding(
        "bad",
        _("The signature does not match"),
        _(
            "It was made with another secret or over another body. Check that the secret is complete, "
            "belongs to this webhook and was not rotated, and that the body is complete and unchanged."
        ),
    ),
    webhooks.Outcome.MALFORMED: _finding(
        "bad",
        _("The header is not valid"),
        _("It has a timestamp or signature twice, or parts that we do not send. An endpoint must reject it."),
    ),
    webhooks.Outcome.NO_SIGNATURE: _finding(
        "bad",
        _("There is no signature in this header"),
        _("A signature has the form"),
        Piece("t=1763654400,v1=5f2a…", code=True),
    ),
    webhooks.Outcome.NO_TIME: _finding(
        "bad",
        _("The header has no timestamp"),
        _("The part"),
        Piece("t=…", code=True),
        _("or the line"),
        Piece("webhook-timestamp", code=True),
        _("is missing or is not a number of seconds."),
    ),
    webhooks.Outcome.NO_ID: _finding(
        "bad",
        _("The line webhook-id is missing"),
        _(
            "It is part of the signed content. Paste the three lines webhook-id, webhook-timestamp and "
            "webhook-signature."
        ),
    ),
    webhooks.Outcome.NO_KEY: _finding(
        "bad", _("This is not a signing secret"), _("It was probably not copied completely.")
    ),
}


class SignatureForm(FlaskForm):  # type: ignore[misc]  # flask_wtf ships no types
    """A received header and body, and the secret."""

    header = TextAreaField(
        validators=[
            InputRequired(_("Paste the signature header.")),
            Length(max=4000, message=_("A header can have at most 4,000 characters.")),
        ]
    )
    body = TextAreaField(
        validators=[
            InputRequired(_("Paste the body.")),
            Length(max=_BODY_MOST, message=_("A body can have at most 200,000 characters.")),
        ]
    )
    secret = PasswordField(validators=[InputRequired(_("Paste the signing secret."))])

    def validate_secret(self, field: PasswordField) -> None:
        """Check the form of a secret."""
        if not field.data.strip().startswith("whsec_") or len(field.data) > 200:
            raise ValidationError(gettext("A signing secret begins with whsec_ and is one line."))


@site.route("/webhooks/signature", methods=["GET", "POST"])
@access.member_only(access.KEY_ROLES)
def check_signature() -> Response:
    """Show whether a signature is valid, and if not, why."""
    form = SignatureForm()
    verdict = None
    if form.is_submitted() and form.validate():
        verdict = webhooks.verify(form.secret.data.strip(), form.header.data, form.body.data, now=clock.now())
    page = render_template(
        "portal/webhooks/signature.html",
        form=form,
        verdict=verdict,
        finding=_FINDINGS[verdict.outcome] if verdict else None,
    )
    return make_response(page, 422 if form.errors else 200)
