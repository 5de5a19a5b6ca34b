"""What a stranger sees at `/`: the service or a partner, an example, and the way in."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest
from flask import Flask
from pydantic import ValidationError

from app.platform import settings
from app.platform.settings import Settings
from tests.cast import Player
from tests.portal.brands import send
from tests.portal.conftest import PortalClient

Make = Callable[[Player], PortalClient]
HOST = "portal.ibanez-soler.example"


@pytest.fixture
def branded(monkeypatch: pytest.MonkeyPatch) -> Callable[[uuid.UUID], None]:
    """Calling it with an account gives it `HOST`; strangers may sign up."""

    def give(account_id: uuid.UUID) -> None:
        config = settings.current().model_copy(
            update={"brand_hosts": f"{HOST}={account_id}", "signup_open": True, "mail_inbox": True}
        )
        monkeypatch.setattr(settings, "current", lambda: config)

    return give


def test_a_stranger_reads_what_it_is_and_a_member_goes_to_the_overview(
    stranger: Make, member: Make, alice: Player
) -> None:
    page = stranger(alice).get("/")
    assert page.status_code == 200
    for address in ("/example", "/docs", "/portal/sign-in"):
        assert f'href="{address}"' in page.text
    # Strangers may open no account unless the operator says so.
    assert "/portal/sign-up" not in page.text
    assert not stranger(alice).get("/").headers.getlist("Set-Cookie")
    assert member(alice).get("/").location == "/portal/"


def test_the_landing_page_shows_statements_of_the_example_with_their_locks(
    stranger: Make, alice: Player
) -> None:
    visitor = stranger(alice)
    shown = re.findall(r"Payment at|ninety days", visitor.get("/").text)
    assert shown
    assert 'class="lock lock--' in visitor.get("/").text


@pytest.mark.parametrize(("language", "words"), [("es", "dolo"), ("en", "wilful")])
def test_the_example_has_the_document_and_the_evidence_of_each_statement(
    stranger: Make, alice: Player, language: str, words: str
) -> None:
    visitor = stranger(alice)
    visitor.client.set_cookie("language", language)
    page = visitor.get("/example")
    assert page.status_code == 200
    assert words in page.text
    assert "NARANJAL LOGÍSTICA, S.L." in page.text
    assert page.text.count('<details class="proof">') >= 5


def test_the_host_of_a_partner_bears_the_partners_brand_until_sign_in(
    app: Flask, stranger: Make, member: Make, alice: Player, branded: Callable[[uuid.UUID], None]
) -> None:
    send(member(alice))
    branded(alice.account_id)
    client = app.test_client()
    client.set_cookie("language", "en")
    for path in (
        "/",
        "/example",
        "/docs",
        "/portal/sign-in",
        "/portal/sign-up",
        "/portal/forgotten",
        "/nope",
    ):
        page = client.get(path, headers={"Host": HOST, "Accept": "text/html"})
        assert page.status_code == (404 if path == "/nope" else 200)
        assert "Ibáñez &amp; Soler" in page.text, path
        assert "Candado" not in page.text, path
    # Ports and capitals name the same host; another host is the service's own.
    assert "Ibáñez &amp; Soler" in client.get("/", headers={"Host": f"{HOST.upper()}:8443"}).text
    assert "Ibáñez" not in client.get("/", headers={"Host": "elsewhere.example"}).text


def test_the_host_of_an_unknown_account_is_the_services_own(
    app: Flask, member: Make, alice: Player, branded: Callable[[uuid.UUID], None]
) -> None:
    send(member(alice))
    branded(uuid.uuid4())
    assert app.test_client().get("/", headers={"Host": HOST}).status_code == 200
    assert "Ibáñez" not in app.test_client().get("/", headers={"Host": HOST}).text


@pytest.mark.parametrize(
    "entry", ["firm.example", "firm.example=abc", f"https://firm.example={uuid.UUID(int=7)}"]
)
def test_a_malformed_brand_host_stops_the_start(entry: str) -> None:
    with pytest.raises(ValidationError, match="brand_hosts"):
        Settings(brand_hosts=entry)
