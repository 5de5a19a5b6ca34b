"""Language of a visitor, and Flask-Babel with the catalogue of `app.platform.catalogue`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import cast

from babel import Locale
from babel.support import NullTranslations
from flask import Flask, g, request
from flask_babel import Babel, Domain, get_locale

from app.platform.catalogue import catalogue
from app.portal.web.session import access
from app.text.bilingual import LANGUAGES, Language, language_of

COOKIE = "language"
NAMES = {"es": "Español", "en": "English"}

# British English for dates and figures; Spanish as in Spain.
LOCALES = {"es": "es_ES", "en": "en_GB"}


_outside: ContextVar[Language | None] = ContextVar("language", default=None)


class _PlainCatalogues(Domain):  # type: ignore[misc]  # flask_babel ships no types
    def get_translations(self) -> NullTranslations:
        return catalogue(current())


class _Languages(Babel):  # type: ignore[misc]  # flask_babel ships no types
    domain_instance = _PlainCatalogues()


def install(app: Flask) -> None:
    """Install Flask-Babel: `_()` in templates, language of the visitor, time zone of the account."""
    # Read now, not in the first request.
    catalogue("es")
    _Languages(
        app,
        default_locale="es_ES",
        default_timezone="UTC",
        locale_selector=_select,
        timezone_selector=_zone,
    )
    # A long list asks for a word a thousand times. Flask-Babel's own way to it is several times longer, and
    # Jinja's `_` is a call that looks up `gettext` and calls it.
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]  # the i18n extension brings it
        gettext=lambda one: catalogue(current()).ugettext(one),
        ngettext=lambda one, many, n: catalogue(current()).ungettext(one, many, n),
        pgettext=lambda context, one: catalogue(current()).upgettext(context, one),
        npgettext=lambda context, one, many, n: catalogue(current()).unpgettext(context, one, many, n),
        newstyle=True,
    )
    app.jinja_env.globals["_"] = app.jinja_env.globals["gettext"]


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Use `es` or `en` while the block runs outside a request, for the worker's mails."""
    token = _outside.set(language)
    try:
        yield
    finally:
        _outside.reset(token)


def current() -> Language:
    """Return the language of this request, or that of `speaking`."""
    if outside := _outside.get():
        return outside
    # A page asks some hundred times, and Flask-Babel looks in four places each time.
    try:
        return cast("Language", g.spoken)
    except (AttributeError, RuntimeError):
        locale: Locale | None = get_locale()
        if locale is None:
            return "en"
        g.spoken = language_of(locale.language)
        return cast("Language", g.spoken)


def territory(code: str) -> str:
    """Return the name of a country in the visitor's language, or the code itself."""
    locale = get_locale()
    return str(locale.territories.get(code, code)) if locale else code


def _zone() -> str:
    """Return the account's time zone; days are counted in UTC everywhere."""
    return access.current_member().time_zone if access.is_signed_in() else "UTC"


def _select() -> str:
    chosen = request.cookies.get(COOKIE, "")
    if chosen not in LANGUAGES:
        # A Mexican's es-MX is Spanish: the library's own matching prefers a later exact "en".
        wanted = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
        chosen = next((code for code in wanted if code in LANGUAGES), "es")
    return LOCALES[chosen]


def offered() -> list[tuple[str, str, bool]]:
    """Return code and name of each language, and whether it is the visitor's."""
    return [(code, name, code == current()) for code, name in NAMES.items()]
