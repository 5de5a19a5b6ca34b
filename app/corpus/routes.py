"""GET /api/v1/jurisdictions."""

from __future__ import annotations

from flask import Response

from app import corpus
from app.corpus.schemas import JurisdictionsResponse
from app.platform import openapi, web
from app.tenancy.guard import public

routes = openapi.Routes("law", __name__, url_prefix="/api/v1", description="The law the service knows of.")

_NOTE = (
    "corpus counts what code can check here: statutes whose existence, articles and repeal are known, and "
    "judgments loaded. A jurisdiction with zero is analysed too; its citations come back as not_verifiable."
)
_EXAMPLE = {
    "jurisdictions": [
        {
            "code": "ES",
            "name": "Spain",
            "nameEs": "España",
            "legalSystem": "civil",
            "language": "es",
            "corpus": {"statutes": 57, "judgments": 0},
        }
    ],
    "total": 1,
    "legalSystems": ["civil"],
    "note": _NOTE,
}


@routes.route("/jurisdictions", methods=["GET"])
@public
@routes.response(200, JurisdictionsResponse, headers=openapi.RATE_HEADERS, example=_EXAMPLE)
@openapi.fails(routes, 429, 500)
@routes.doc(operationId="jurisdictions", security=[])
def jurisdictions() -> Response:
    """List the supported jurisdictions

    Needs no key.
    """
    known = corpus.jurisdictions()
    return web.answer(
        {
            "jurisdictions": [
                {
                    "code": item.code,
                    "name": item.name,
                    "nameEs": item.name_es,
                    "legalSystem": item.legal_system,
                    "language": item.language,
                    "corpus": {"statutes": corpus.norm_count(item.code), "judgments": 0},
                }
                for item in known
            ],
            "total": len(known),
            "legalSystems": sorted({item.legal_system for item in known}),
            "note": _NOTE,
        },
        headers={"Cache-Control": "public, max-age=300"},
    )
