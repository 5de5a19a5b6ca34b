"""Operations on /api/v1/branding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from typing import Any, ParamSpec

from flask import Response

from app import branding
from app.branding import examples, schemas
from app.branding.configuration import UrlField
from app.platform import clock, settings
from app.platform.errors import Invalid
from app.platform.postgres import db
from app.platform.web import http, openapi
from app.tenancy import Caller
from app.tenancy.guard import caller, require_key

P = ParamSpec("P")

_PDF_HEADERS = {
    **openapi.RATE_HEADERS,
    "Content-Disposition": {"schema": {"type": "string"}, "description": "Suggested file name."},
}
_PDF = {"type": "string", "format": "binary", "description": "PDF/A-3u, tagged."}
_PDF_ANSWER: dict[str, Any] = {
    "schema": _PDF,
    "content_type": "application/pdf",
    "description": "The document.",
    "headers": _PDF_HEADERS,
    "example": "%PDF-1.7 …",
}

routes = openapi.Routes(
    "branding",
    __name__,
    url_prefix="/api/v1",
    description="Branding: name, colour and logo of a partner (white label).",
)


def _not_a_child(view: Callable[P, Any]) -> Callable[P, Any]:
    """Refuse a child key before its body is parsed."""

    @wraps(view)
    def refused(*args: P.args, **kwargs: P.kwargs) -> Any:
        branding.owned(caller())
        return view(*args, **kwargs)

    return refused


@routes.route("/branding", methods=["GET"])
@require_key()
@routes.response(200, schemas.BrandingShown, headers=openapi.RATE_HEADERS, example=examples.SHOWN)
@openapi.fails(routes, 401, 429, 500, 503)
@routes.doc(operationId="getBranding")
def show() -> Response:
    """Get the branding

    Of the calling key; a child key has the branding of its master key.
    """
    me = caller()
    with db.reading() as session:
        found = branding.get(session, me.account_id, branding.holder(me))
    return http.answer({**asdict(found), "api_key_id": str(me.key_id)})


@routes.route("/branding", methods=["PUT"])
@require_key(manages="account")
@_not_a_child
@routes.arguments(schemas.BrandingChange, example=examples.CHANGE)
@routes.response(200, schemas.BrandingSaved, headers=openapi.RATE_HEADERS, example=examples.SAVED)
@openapi.fails(
    routes, 400, 401, 403, 413, 415, 422, 429, 500, 503,
    examples={400: examples.MALFORMED, 403: examples.A_CHILD, 422: examples.WRONG_COLOR},
)  # fmt: skip
@routes.doc(operationId="updateBranding")
def update(body: dict[str, Any]) -> Response:
    """Change the branding

    Omitted fields keep their value; `null` or an empty string clears a field. Applies from the next
    analysis, to the key and, for a master key, to all its child keys. URLs must be https at a public address
    (422 `URL_NOT_ALLOWED`); a host name that does not resolve yet is accepted. The logo is fetched in the
    background.
    """
    # Outside the transaction: it may ask a name server.
    _check_urls(body)
    with db.transaction() as session:
        saved = branding.save(session, caller(), body, now=clock.now())
    return http.answer(
        {
            "ok": True,
            "applied_to_keys": saved.applied_to_keys,
            "config": asdict(saved.branding),
            "requestId": http.request_id(),
        }
    )


@routes.route("/branding/dpa", methods=["GET"])
@require_key()
@_not_a_child
@routes.arguments(schemas.AgreementQuery, location="query")
@routes.alt_response(200, **_PDF_ANSWER)
@openapi.fails(
    routes, 400, 401, 403, 409, 429, 500, 503,
    examples={403: examples.A_CHILD, 409: examples.NO_LEGAL_NAME},
)  # fmt: skip
@routes.doc(operationId="dataProcessingAgreement")
def dpa(query: dict[str, Any]) -> Response:
    """Get the data-processing agreement

    A draft under Article 28(3) GDPR as PDF, in the name of `partner_legal_name` and with the partner's
    letterhead. Details that only the parties know are left in brackets. 409 if no legal name is saved.
    """
    me, language = caller(), query["language"]
    found, logo = _branding_of(me)
    made = branding.agreement(found, logo, language=language, service_name=settings.current().service_name)
    return _download(made, branding.agreement_file_name(language))


@routes.route("/branding/processing-record", methods=["GET"])
@require_key()
@_not_a_child
@routes.arguments(schemas.AgreementQuery, location="query")
@routes.alt_response(200, **_PDF_ANSWER)
@openapi.fails(
    routes, 400, 401, 403, 409, 429, 500, 503,
    examples={403: examples.A_CHILD, 409: examples.NO_CONTROLLER},
)  # fmt: skip
@routes.doc(operationId="processingRecord")
def processing_record(query: dict[str, Any]) -> Response:
    """Get the record of processing activities

    What Article 30(2) GDPR asks of a processor, as PDF: categories of processing, periods, recipients and
    measures as this installation is set up today, for the controller in `partner_legal_name`. Details that
    only the operator knows are left in brackets. 409 if no legal name is saved.
    """
    me, language = caller(), query["language"]
    found, logo = _branding_of(me)
    made = branding.processing_record(
        found,
        logo,
        language=language,
        mask_names=me.mask_names is not False,
        on=clock.today(),
        own_engines=(me.own_engine_a, me.own_engine_b),
    )
    return _download(made, branding.record_file_name(language))


def _branding_of(me: Caller) -> tuple[branding.Branding, branding.Logo | None]:
    with db.reading() as session:
        holder = branding.holder(me)
        return branding.get(session, me.account_id, holder), branding.logo_of(session, me.account_id, holder)


def _download(made: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made, 200, headers, mimetype="application/pdf")


def _check_urls(body: dict[str, Any]) -> None:
    """Check the URLs of a body; raise `Invalid` for the first wrong one, with all of them listed."""
    wrong: list[tuple[str, Invalid]] = []
    fields: tuple[UrlField, ...] = ("partner_logo_url", "partner_website")
    for field in fields:
        if url := body.get(field):
            try:
                branding.check_url(url, field=field)
            except Invalid as error:
                wrong.append((field, error))
    if wrong:
        first = wrong[0][1]
        named = [{"field": name, "message": one.message.removeprefix(f"{name}: ")} for name, one in wrong]
        raise Invalid(
            first.message,
            code=first.code,
            status=first.status,
            details={"field": wrong[0][0], "errors": named},
        )
