"""The page on assistants: set-up to copy, who is connected, and whether a connection works."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import tenancy, usage
from app.platform import ratelimit, settings
from app.platform.postgres import db
from app.portal.assistants import client_setup
from app.usage.models import UsageCall
from tests.cast import Cast, Player
from tests.mcp.assistant import rpc
from tests.oauth.browser import Assistant, signed_in
from tests.oauth.conftest import grant_key
from tests.portal.conftest import PortalClient, tight

Member = Callable[[Player], PortalClient]
PAGE = "/portal/assistants"
DOCS = (settings.PROJECT / "docs" / "tools.md").read_text("utf-8")


def findings(page: str) -> dict[str, str]:
    """The lines of the check, by what was checked."""
    listed = tight(page).partition('<ul class="list">')[2].partition("</ul>")[0]
    return {html.unescape(a): html.unescape(b) for a, b in re.findall(r"<b>(.*?)</b><p>(.*?)</p>", listed)}


@pytest.mark.parametrize("code", client_setup.NAMES)
def test_what_is_copied_stands_in_the_docs_and_names_this_service(
    member: Member, alice: Player, code: str
) -> None:
    made = client_setup.client(code, name="Candado", address="https://law.example.com", key_prefix="svc_")
    for way in (made.oauth, made.key):
        assert way.snippet.text in DOCS
    page = member(alice).get(f"{PAGE}?client={code}").text
    for way in (made.oauth, made.key):
        there = way.snippet.text.replace("https://law.example.com", "http://localhost")
        assert there in html.unescape(page)


def test_an_unknown_client_shows_the_first(member: Member, alice: Player) -> None:
    assert "Add custom connector" in member(alice).get(f"{PAGE}?client=%00nobody").text


def test_a_connected_assistant_is_listed_until_long_after_it_is_revoked(
    app: Flask, client: FlaskClient, member: Member, alice: Player, mallory: Player
) -> None:
    visitor = member(alice)
    assert "No assistant is connected" in visitor.get(PAGE).text
    browser, assistant = signed_in(app, alice), Assistant(client)
    token = assistant.connected(browser, cap="40")["access_token"]
    row = tight(visitor.get(PAGE).text).partition("<tbody>")[2].partition("</tbody>")[0]
    for words in ("assistant.example", "Search the law", "Analyse documents", "0 of 40", "Revoke"):
        assert words in row
    assert "assistant.example" not in member(mallory).get(PAGE).text
    visitor.send(f"/portal/keys/{grant_key(alice).id}/revoke", {})
    answer = rpc(
        client, None, "tools/list", path="/api/mcp/connect", headers={"Authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 401
    row = tight(visitor.get(PAGE).text).partition("<tbody>")[2].partition("</tbody>")[0]
    assert "revoked on" in row
    assert "/revoke" not in row


def test_the_check_calls_the_server_as_the_key(member: Member, alice: Player) -> None:
    page = member(alice).send(PAGE, {"key": str(alice.key_id)})
    assert page.status_code == 200
    found = findings(page.text)
    assert found == {
        "Current clients": "Answered in revision 2026-07-28 of the protocol.",
        "Older clients": "Answered in revision 2025-11-25 of the protocol.",
        "Tools": "14 tools are offered.",
        "A free tool": found["A free tool"],
        "Citation check": "verify_citation answered about art. 1902 CC: verified.",
        "Analyses": found["Analyses"],
    }
    assert "The connection works" in page.text
    assert "http://localhost/api/mcp" in page.text
    # Three requests of the protocol and two calls of tools; the page itself is no call of the key.
    assert usage_by_endpoint(alice) == {
        "/api/mcp": 3,
        "/api/mcp:list_jurisdictions": 1,
        "/api/mcp:verify_citation": 1,
    }


def test_the_check_of_a_connected_assistant_goes_through_its_door(
    app: Flask, client: FlaskClient, member: Member, alice: Player
) -> None:
    Assistant(client).connected(signed_in(app, alice), scopes=["query"])
    page = member(alice).send(PAGE, {"key": str(grant_key(alice).id)}).text
    assert "The connection works, within the permissions of the key" in page
    assert "http://localhost/api/mcp/connect" in page
    assert findings(page)["Analyses"].startswith("The key lacks this permission.")


@pytest.mark.parametrize(
    ("scopes", "heading", "line"),
    [
        (("query",), "The connection does not work", ("Current clients", "The key lacks this permission.")),
        (("mcp",), "within the permissions of the key", ("Citation check", "The key lacks this permission.")),
    ],
)
def test_the_check_names_a_missing_permission(
    member: Member,
    alice: Player,
    cast: Cast,
    scopes: tuple[tenancy.Scope, ...],
    heading: str,
    line: tuple[str, str],
) -> None:
    key_id, _ = cast.key(alice.account_id, scopes=scopes)
    page = member(alice).send(PAGE, {"key": str(key_id)}).text
    assert heading in page
    assert findings(page)[line[0]].startswith(line[1])


def test_the_check_says_that_a_key_must_wait(member: Member, alice: Player) -> None:
    window = settings.current().rate_management
    for _ in range(window):
        ratelimit.limiter().hit(f"management:{alice.key_id}", window)
    found = findings(member(alice).send(PAGE, {"key": str(alice.key_id)}).text)
    assert found == {
        "Current clients": "The key has reached its requests per minute. Wait a minute and check again."
    }


def test_only_a_key_of_the_account_in_use_is_checked(member: Member, alice: Player, mallory: Player) -> None:
    visitor = member(alice)
    assert visitor.send(PAGE, {"key": str(mallory.key_id)}).status_code == 404
    assert visitor.send(PAGE, {"key": ""}).status_code == 422
    assert visitor.send(PAGE, {"key": "\x00"}).status_code == 422
    assert visitor.send(PAGE, {"key": "nobody has this"}).status_code == 422


def test_no_header_names_the_caller(client: FlaskClient, alice: Player) -> None:
    for name in ("app.caller", "App-Caller", "HTTP_app.caller"):
        assert client.get("/api/v1/branding", headers={name: str(alice.key_id)}).status_code == 401


def usage_by_endpoint(player: Player) -> dict[str, int]:
    while usage.drain("check"):
        pass
    calls = sa.select(UsageCall.endpoint, sa.func.count()).where(UsageCall.account_id == player.account_id)
    with db.reading() as session:
        return {row[0]: row[1] for row in session.execute(calls.group_by(UsageCall.endpoint))}
