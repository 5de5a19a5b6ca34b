"""OpenAPI 3.1 document of the API; the portal renders it at `/docs`."""

from __future__ import annotations

from flask import Flask

from app.platform import settings
from app.platform.web import openapi

API_VERSION = "1.8.0"

_DESCRIPTION = """\
Legal document analysis. Send plain text; get an analysis in which every statement carries a certainty lock
that code has verified. Personal identifiers are masked before any model sees the text, and nothing of it is
kept.

Every answer carries `X-Request-Id`. Every error has one shape: `error` (a plain sentence), `code` (stable),
`requestId` and, where it helps, `details`.
"""


def create(app: Flask, config: settings.Settings) -> openapi.Document:
    """Register `/api/v1/openapi.json`."""
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
                        "description": "An API key, created in the portal.",
                    }
                }
            },
        },
    )
    return openapi.Document(app)
