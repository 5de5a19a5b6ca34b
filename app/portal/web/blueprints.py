"""The two blueprints that screens hang their routes on, and what every request to them goes through."""

from __future__ import annotations

from flask import Blueprint, Response, request

from app.portal.web import origin

site = Blueprint("portal", __name__, url_prefix="/portal")
front = Blueprint("front", __name__)

site.before_request(origin.check)


@site.after_request
def never_stored(response: Response) -> Response:
    """No cache, shared or the browser's own, keeps a page of the portal."""
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(("Cookie", "Accept-Language", "HX-Request", "HX-History-Restore-Request"))
    return response


def is_fragment() -> bool:
    """Whether htmx asks for a part of a page rather than the page."""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not request.headers.get("HX-History-Restore-Request")
