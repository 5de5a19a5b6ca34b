"""The application as the judges call it, in a server of its own: granian with `serve` as its factory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint

from app.factory import create_app
from app.mcp import endpoint
from app.platform import settings
from tests.mcp.judges import fixture_server

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

FIXTURES = "/api/mcp/fixtures"


def serve() -> WSGIApplication:
    """Return the application with the suite's fixtures at `FIXTURES`, behind the view of the tool server.

    The conformance suite sends no key: below `/as/<key>` the key in the path takes the place of the header.
    """
    config = settings.current()
    app, routes = create_app(config), Blueprint("fixtures", __name__)
    fixtures = fixture_server.build()
    endpoint.serve(routes, FIXTURES, lambda: fixtures, config)
    app.register_blueprint(routes)

    def answer(environ: dict[str, Any], start: StartResponse) -> Any:
        _, first, *rest = environ["PATH_INFO"].split("/")
        if first == "as":
            environ["PATH_INFO"] = "/" + "/".join(rest[1:])
            environ.setdefault("HTTP_AUTHORIZATION", f"Bearer {rest[0]}")
        return app.wsgi_app(environ, start)

    return answer
