"""Spanish and English: complete, and switchable."""

from __future__ import annotations

import re

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from flask import Flask
from flask.testing import FlaskClient

from app.governance.documents import translations
from app.platform import settings
from app.platform.catalogue import CATALOGUES, catalogue
from app.text.bilingual import LANGUAGES

# The context of a message, where it has one, and its English.
Message = tuple[str | None, str]
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
_PLACEHOLDER = re.compile(r"%\(\w+\)s|%%|\{\w+\}")


def in_use() -> set[Message]:
    """Every message of code, templates and documents, plurals by their singular."""
    found: set[Message] = set(translations.messages())
    for folder, methods in (("app/portal", [("**.py", "python")]), ("templates", [("**.html", "jinja2")])):
        for _, _, message, _, _ in extract_from_dir(settings.PROJECT / folder, methods, keywords=KEYWORDS):
            found.add((None, message if isinstance(message, str) else message[0]))
    return found


def test_every_message_has_its_spanish_and_no_spanish_is_left_over() -> None:
    with (CATALOGUES / "es/LC_MESSAGES/messages.po").open("rb") as source:
        messages = [message for message in read_po(source, locale="es") if message.id]
    translated = {
        (message.context, message.id if isinstance(message.id, str) else message.id[0])
        for message in messages
        if message.string and (isinstance(message.string, str) or all(message.string))
    }
    assert in_use() - translated == set()
    assert translated - in_use() == set()
    assert [message.id for message in messages if message.fuzzy] == []


def test_translations_keep_their_placeholders() -> None:
    with (CATALOGUES / "es/LC_MESSAGES/messages.po").open("rb") as source:
        for message in read_po(source, locale="es"):
            if not message.id:
                continue
            ids = [message.id] if isinstance(message.id, str) else list(message.id)
            strings = [message.string] if isinstance(message.string, str) else list(message.string)
            for original, spanish in zip(ids, strings, strict=True):
                assert sorted(_PLACEHOLDER.findall(spanish)) == sorted(_PLACEHOLDER.findall(original)), (
                    original
                )


def test_spanish_counts_as_spanish_does() -> None:
    spanish = catalogue("es")
    assert spanish.ngettext("%(num)s key", "%(num)s keys", 1) == "%(num)s clave"
    assert spanish.ngettext("%(num)s key", "%(num)s keys", 0) == "%(num)s claves"


@pytest.mark.parametrize(
    ("header", "heading"),
    [("es-MX,en;q=0.5", "Iniciar sesión"), ("en-US", "Sign in"), ("", "Iniciar sesión")],
)
def test_the_browser_chooses_until_the_visitor_does(client: FlaskClient, header: str, heading: str) -> None:
    page = client.get("/portal/sign-in", headers={"Accept-Language": header}).text
    assert f"<h1>{heading}</h1>" in page


def test_a_choice_of_language_holds_and_leads_back(client: FlaskClient) -> None:
    answer = client.get("/portal/language/en?next=/portal/sign-in%3Fnext%3D/portal/keys")
    assert answer.location == "/portal/sign-in?next=/portal/keys"
    page = client.get("/portal/sign-in", headers={"Accept-Language": "es"}).text
    assert '<html lang="en">' in page
    assert "Sign in" in page


def test_a_choice_of_theme_holds(client: FlaskClient) -> None:
    assert "data-theme" not in client.get("/portal/sign-in").text
    client.get("/portal/theme/dark")
    assert 'data-theme="dark"' in client.get("/portal/sign-in").text
    client.get("/portal/theme/system")
    assert "data-theme" not in client.get("/portal/sign-in").text


@pytest.mark.parametrize("path", ["/portal/language/es", "/portal/theme/dark"])
def test_choosing_never_leads_to_another_site(client: FlaskClient, path: str) -> None:
    assert client.get(f"{path}?next=//evil.example").location == "/portal/"


@pytest.mark.parametrize("path", ["/portal/language/fr", "/portal/theme/pink"])
def test_there_are_only_the_choices_shown(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_figures_and_dates_are_written_as_each_language_does(app: Flask) -> None:
    from datetime import UTC, datetime

    moment = datetime(2020, 11, 20, 9, 5, tzinfo=UTC)
    shown = {}
    for language in LANGUAGES:
        with app.test_request_context("/", headers={"Cookie": f"language={language}"}):
            filters = app.jinja_env.filters
            shown[language] = (filters["figure"](12480), filters["moment"](moment))
    assert shown == {
        "es": ("12.480", "20 nov 2020, 09:05"),
        "en": ("12,480", "20 Nov 2020, 09:05"),
    }
