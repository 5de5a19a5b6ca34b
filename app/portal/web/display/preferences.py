"""Language and theme, kept in their own cookies: they work before sign-in and without Redis."""

from __future__ import annotations

import sqlalchemy as sa
from flask import abort, redirect, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from app import tenancy
from app.platform import redis_client
from app.platform.postgres import db
from app.platform.web import http
from app.portal.web.blueprints import site
from app.portal.web.display import language
from app.portal.web.display.view_models import Option, options
from app.portal.web.session import access
from app.portal.web.session.origin import local_path
from app.text.bilingual import LANGUAGES, language_of

THEME_COOKIE = "theme"
THEMES = ("system", "light", "dark")
_YEAR_S = 365 * 24 * 3600


@site.get("/language/<code>")
@access.public
def choose_language(code: str) -> Response:
    """Set the language and return to the page."""
    if code not in LANGUAGES:
        abort(404)
    _write_in(code)
    return _remember(language.COOKIE, code)


@site.get("/theme/<name>")
@access.public
def choose_theme(name: str) -> Response:
    """Set the theme (`light`, `dark` or `system`) and return to the page."""
    if name not in THEMES:
        abort(404)
    return _remember(THEME_COOKIE, name)


def fixed_theme() -> str | None:
    """Return the theme that the visitor chose against the system's, else None."""
    chosen = theme()
    return None if chosen == "system" else chosen


def themes_offered() -> list[tuple[Option, str]]:
    """Return the themes to choose from, the current one marked, each with its icon."""
    words = {"light": gettext("Light"), "dark": gettext("Dark"), "system": gettext("System")}
    icons = {"light": "sun", "dark": "moon", "system": "half"}
    return [(one, icons[one.value]) for one in options(words, theme())]


def theme() -> str:
    """Return the theme of this request: `system`, `light` or `dark`."""
    chosen = request.cookies.get(THEME_COOKIE, "system")
    return chosen if chosen in THEMES else "system"


def _write_in(code: str) -> None:
    """Note the language for mails to the member, where one is signed in and the stores answer."""
    try:
        if access.is_signed_in():
            with db.transaction() as session:
                tenancy.speak(session, access.current_member().member_id, language_of(code))
    except (redis_client.Unavailable, sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
        # The page itself needs neither store; the next sign-in notes the language too.
        if isinstance(error, sa.exc.SQLAlchemyError) and not db.is_unavailable(error):
            raise


def _remember(cookie: str, value: str) -> Response:
    answer = redirect(local_path(request.args.get("next"), url_for("portal.overview")), 303)
    answer.set_cookie(
        cookie, value, max_age=_YEAR_S, path="/", secure=http.is_secure(), httponly=True, samesite="Lax"
    )
    return answer
