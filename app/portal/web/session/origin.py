"""Checks against cross-site requests and open redirects."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import current_app, redirect, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.wrappers import Response

from app.platform import errors, settings
from app.portal.web import uploads
from app.portal.web.session import access

_SAFE = {"GET", "HEAD", "OPTIONS"}


def check() -> Response | None:
    """Refuse an unsafe request from another site or without a valid CSRF token.

    Browsers send the origin in `Sec-Fetch-Site` and `Origin`; both must be ours where present.

    Raises:
        Denied: 403 `FOREIGN_ORIGIN`.
        Invalid: 400 `FORM_EXPIRED`.
    """
    if request.method in _SAFE:
        return None
    fetched_from = request.headers.get("Sec-Fetch-Site", "same-origin")
    if fetched_from != "same-origin" or not _is_ours(request.headers.get("Origin")):
        raise errors.Denied(
            "This form was submitted from another site and was rejected.", code="FOREIGN_ORIGIN", status=403
        )
    # The token is read from the form, and the form with it: what a page may send is settled first.
    request.max_content_length = uploads.largest_body(current_app.view_functions.get(request.endpoint or ""))
    try:
        current_app.extensions["csrf"].protect()
    except CSRFError:
        if not access.is_signed_in() and request.endpoint != "portal.sign_in":
            return redirect(url_for("portal.sign_in", next=access.page_of_form()), 303)
        raise errors.Invalid(
            "This form has expired. Go back, reload the page and submit it again.",
            code="FORM_EXPIRED",
        ) from None
    return None


def _is_ours(origin: str | None) -> bool:
    if origin is None:
        return True
    ours = {request.host, urlsplit(settings.current().public_url).netloc}
    try:
        return urlsplit(origin).netloc in ours - {""}
    except ValueError:
        return False


def local_path(wanted: str | None, default: str) -> str:
    r"""Return `wanted` if it is a path of this site, else `default`.

    Browsers read `//host` and `/\\host` as another site and drop tabs and line breaks first.
    """
    if (
        not wanted
        or len(wanted) > 2000
        or not wanted.isprintable()
        or not wanted.startswith("/")
        or wanted.startswith("//")
        or "\\" in wanted
    ):
        return default
    try:
        parts = urlsplit(wanted)
    except ValueError:
        return default
    return default if parts.scheme or parts.netloc else wanted
