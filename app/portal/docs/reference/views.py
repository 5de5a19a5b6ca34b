"""Views of the API reference at `/docs`. They use no sessions, and no stores but on a partner's host name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from flask import Flask, Response, current_app, make_response, render_template, request

from app.platform import settings
from app.platform.errors import NotFound
from app.platform.web import openapi, public_address
from app.portal.docs import recipes
from app.portal.docs.error_codes import ERRORS, advice_template
from app.portal.docs.reference.documents import Reference, read
from app.portal.docs.reference.limits import limit_words
from app.portal.docs.reference.samples import BASE
from app.portal.docs.reference.search import LONGEST, search
from app.portal.web.blueprints import front
from app.portal.web.display import language
from app.portal.web.host_branding import site_name
from app.portal.web.session import access

_EXTENSION = "reference"
# Names under which a process keeps it: the service's, and those of partners with a host name of their own.
_NAMES = 4


def register(app: Flask, document: Callable[[], Mapping[str, Any]]) -> None:
    """Register the reference on `app`; `document` is parsed when its first page under a name is served."""

    @lru_cache(maxsize=_NAMES)
    def under(name: str) -> Reference:
        return read(openapi.named(document(), name))

    app.extensions[_EXTENSION] = under


def warm(app: Flask) -> None:
    """Parse the document now, so that the first page need not wait."""
    app.extensions[_EXTENSION](settings.current().service_name)


@front.get("/docs")
@access.public
def reference() -> Response:
    """Show the introduction and all operations; with `q`, the search results."""
    asked = request.args.get("q", "")[:LONGEST].strip()
    if not asked:
        return _page("portal/docs/reference/front.html")
    return _page(
        "portal/docs/reference/search.html", asked=asked, hits=search(the_reference().entries, asked)
    )


@front.get("/docs/errors")
@access.public
def error_codes() -> Response:
    """Show every code of an error with what to do about it: where the `Link` header of errors leads."""
    return _page(
        "portal/docs/reference/errors.html", errors=ERRORS, advice=advice_template(language.current())
    )


@front.get("/docs/<slug>")
@access.public
def operation(slug: str) -> Response:
    """Show one operation or one webhook event; `in` chooses the language of the sample."""
    api_reference = the_reference()
    page = api_reference.pages.get(slug)
    if page is None:
        raise NotFound("There is nothing at this address.")
    before, after = api_reference.neighbours(page)
    return _page("portal/docs/reference/operation.html", one=page, before=before, after=after)


def the_reference() -> Reference:
    """Return the parsed document of this process, under the name that the visitor's host bears."""
    found: Reference = current_app.extensions[_EXTENSION](site_name())
    return found


def _page(template: str, **shown: Any) -> Response:
    wanted = request.args.get("in")
    tongue: recipes.Tongue = next((name for name in recipes.TONGUES if name == wanted), "curl")
    page = make_response(
        render_template(
            template,
            api_reference=the_reference(),
            base=public_address.base(),
            placeholder=BASE,
            tongue=tongue,
            # The choice goes along from page to page.
            chosen=None if tongue == "curl" else tongue,
            names=recipes.NAMES,
            limit_words=limit_words,
            **shown,
        )
    )
    page.headers["Cache-Control"] = "no-cache"
    page.vary.update(("Cookie", "Accept-Language"))
    return page
