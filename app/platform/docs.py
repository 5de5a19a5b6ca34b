"""The OpenAPI 3.1 document and its browser, both served from this process: no outside host."""

from __future__ import annotations

from flask import Flask, Response, current_app, render_template

from app.platform import openapi, settings, web

API_VERSION = "1.8.0"

_DESCRIPTION = """\
Legal document analysis. Send plain text; get an analysis in which every statement carries a certainty lock
that code has verified. Personal identifiers are masked before any model sees the text, and nothing of it is
kept.

Every answer carries `X-Request-Id`. Every error has one shape: `error` (a plain sentence), `code` (stable),
`requestId` and, where it helps, `details`.
"""


def create(app: Flask, config: settings.Settings) -> openapi.Document:
    """Register `/api/v1/openapi.json` and `/docs`."""
    app.config.update(
        API_TITLE=f"{config.service_name} API",
        API_VERSION=API_VERSION,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {
                "description": _DESCRIPTION,
                "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            },
            "servers": [{"url": config.public_url or "/"}],
            "security": [{"bearerAuth": []}],
            "components": {
                "securitySchemes": {
                    "bearerAuth": {
                        "type": "http",
                        "scheme": "bearer",
                        "bearerFormat": f"{config.key_prefix}_…",
                        "description": "An API key, issued in the portal or on the command line.",
                    }
                }
            },
        },
    )
    app.add_url_rule("/docs", "docs", browser)
    return openapi.Document(app)


def browser() -> Response:
    """Swagger UI. Its script sets inline styles, which the portal's policy forbids: this page allows them."""
    page = Response(render_template("docs.html", service=current_app.config["API_TITLE"]))
    page.headers["Content-Security-Policy"] = web.CSP.replace(
        "style-src 'self'", "style-src 'self' 'unsafe-inline'"
    )
    return page
