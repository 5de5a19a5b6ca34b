"""Request and response schemas of branding (decision 039)."""

from __future__ import annotations

import unicodedata
from typing import Any, ClassVar

import marshmallow as ma
from marshmallow import fields

from app.branding import values
from app.branding.attribution import MODES
from app.branding.models import BRAND_NAME_MAX, LEGAL_NAME_MAX
from app.platform.addresses import MAX_URL
from app.platform.web.openapi import Body, Choice, Problem, Text, got
from app.platform.web.parameters import Query

COLOR = "^#[0-9a-fA-F]{6}$"


class Clearable(Text):
    """A string field that `null` and an empty string clear (decision 003)."""

    def __init__(self, **described: Any) -> None:
        super().__init__(allow_none=True, metadata=described)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        text = values.trimmed(str(super()._deserialize(value, attr, data, **kwargs)))
        return self.checked(text) if text else None

    def checked(self, text: str) -> str:
        """Return the value to store. Raises `ValidationError`."""
        return text


class Mode(Clearable):
    """The field `branding`, one of three words."""

    def checked(self, text: str) -> str:
        """Return one of `MODES`. Raises `ValidationError`."""
        return str(Choice(*MODES).deserialize(text))


class Name(Clearable):
    """A field with one line of visible characters."""

    def __init__(self, longest: int, **described: Any) -> None:
        super().__init__(maxLength=longest, **described)
        self._longest = longest

    def checked(self, text: str) -> str:
        """Return the text in NFC. Raises `ValidationError` where it is too long or not one visible line."""
        text = unicodedata.normalize("NFC", text)
        if len(text) > self._longest:
            raise ma.ValidationError(
                Problem(
                    f"must have at most {self._longest} characters, has {len(text)}.",
                    max=self._longest,
                    got=len(text),
                )
            )
        if not values.is_one_line(text):
            raise ma.ValidationError(
                Problem("must be one line without control or invisible characters.", expected="one line")
            )
        return text


class WebAddress(Clearable):
    """A field with an absolute URL; whether it may be called is checked later."""

    def checked(self, text: str) -> str:
        """Return the URL. Raises `ValidationError` where it is too long or not absolute."""
        if len(text) > MAX_URL:
            raise ma.ValidationError(
                Problem(f"must have at most {MAX_URL} characters.", max=MAX_URL, got=len(text))
            )
        if not values.is_absolute(text):
            raise ma.ValidationError(
                Problem("must be an absolute URL such as https://www.example.com/logo.png.", expected="uri")
            )
        return text


class Color(Clearable):
    """A field with a colour, `#` and six hexadecimal digits."""

    def checked(self, text: str) -> str:
        """Return the colour. Raises `ValidationError`."""
        if not values.is_color(text):
            raise ma.ValidationError(
                Problem(
                    f"must be # and six hexadecimal digits, such as #1f4e79; {got(text)}.", expected=COLOR
                )
            )
        return text


class Email(Clearable):
    """A field with an e-mail address."""

    def checked(self, text: str) -> str:
        """Return the address. Raises `ValidationError` where it is too long or malformed."""
        if len(text) > values.EMAIL_MAX:
            longest = values.EMAIL_MAX
            raise ma.ValidationError(
                Problem(
                    f"must have at most {longest} characters, has {len(text)}.", max=longest, got=len(text)
                )
            )
        if not values.is_email(text):
            raise ma.ValidationError(
                Problem("must be an e-mail address such as support@example.com.", expected="email")
            )
        return text


class BrandingChange(Body):
    """Body of PUT /branding: absent fields stay, `null` or an empty string clears."""

    wrong_field: ClassVar[int] = 422

    branding = Mode(
        enum=[*MODES, "", None],
        description="nexus: the name of the service; partner: partner_brand_name instead; none: no name.",
    )
    partner_brand_name = Name(BRAND_NAME_MAX, description="Required when branding is partner.")
    partner_legal_name = Name(
        LEGAL_NAME_MAX,
        description="Used in the audit-trail PDF, the data-processing agreement and the record of "
        "processing activities.",
    )
    partner_logo_url = WebAddress(
        format="uri",
        maxLength=MAX_URL,
        description="URL of a PNG or JPEG at a public https address; fetched once.",
    )
    partner_primary_color = Color(
        pattern=f"{COLOR[:-1]}$|^$", description="Hexadecimal colour such as #1f4e79."
    )
    partner_support_email = Email(description="Reply-to address of messages.", maxLength=values.EMAIL_MAX)
    partner_website = WebAddress(
        format="uri", maxLength=MAX_URL, description="A public https URL; shown in the footer of e-mails."
    )

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Keep the snake_case name of the field."""
        field_obj.data_key = field_name
        super().on_bind_field(field_name, field_obj)

    @ma.pre_load
    def _null_is_absent(self, data: Any, **_: Any) -> Any:
        # Here null says something (decision 003).
        return data


class BrandingConfig(ma.Schema):
    """The branding of a key."""

    branding = fields.String(required=True, metadata={"enum": list(MODES)})
    partner_brand_name = fields.String(required=True, allow_none=True, metadata={"maxLength": BRAND_NAME_MAX})
    partner_legal_name = fields.String(required=True, allow_none=True, metadata={"maxLength": LEGAL_NAME_MAX})
    partner_logo_url = fields.String(required=True, allow_none=True, metadata={"format": "uri"})
    partner_primary_color = fields.String(required=True, allow_none=True, metadata={"pattern": COLOR})
    partner_support_email = fields.String(required=True, allow_none=True)
    partner_website = fields.String(required=True, allow_none=True, metadata={"format": "uri"})


class BrandingShown(BrandingConfig):
    """The branding of the calling key; a child's is its master's."""

    api_key_id = fields.UUID(required=True, metadata={"description": "The calling key."})


class BrandingSaved(ma.Schema):
    """What was saved."""

    ok = fields.Boolean(required=True, metadata={"enum": [True]})
    applied_to_keys = fields.Integer(
        required=True,
        metadata={
            "description": "Number of keys that use this branding: 1, or the master key and its active "
            "child keys."
        },
    )
    config = fields.Nested(BrandingConfig, required=True)
    requestId = fields.String(required=True)  # noqa: N815 (a wire name)


class AgreementQuery(Query):
    """Query of GET /branding/dpa and GET /branding/processing-record."""

    language = Choice("es", "en", load_default="es", metadata={"description": "Language of the document."})
