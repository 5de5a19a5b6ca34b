"""The two blueprints of the portal, and the hooks of every request to them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, has_request_context, request

from app.portal.web.host_branding import branding_of_host
from app.portal.web.session import origin

site = Blueprint("portal", __name__, url_prefix="/portal")
front = Blueprint("front", __name__)

site.before_request(origin.check)


@front.app_context_processor
def host_branding() -> dict[str, Any]:
    """Give pages in the frame of strangers the branding of their host, unless a view passes its own.

    Pages of errors have no blueprint, so every template is given it; those of mails have no host.
    """
    return {"page_branding": branding_of_host()} if has_request_context() else {}


@site.after_request
def never_stored(response: Response) -> Response:
    """Forbid caching of pages, by shared caches and by the browser."""
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(("Cookie", "Accept-Language", "HX-Request", "HX-History-Restore-Request"))
    return response


def is_fragment() -> bool:
    """Return whether htmx asks for a part of a page."""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not request.headers.get("HX-History-Restore-Request")
