"""What holds for every page."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.platform import redis_client, settings
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, analysed, colleague
from tests.portal.pages import FILES, PAGES, example, furnished

Make = Callable[[Player], PortalClient]


def test_every_route_says_who_may_enter(app: Flask) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith(("portal.", "front."))]
    assert len(rules) >= 10
    assert [str(r) for r in rules if not hasattr(app.view_functions[r.endpoint], "required")] == []


def test_the_table_of_pages_has_every_page(app: Flask) -> None:
    router = app.url_map.bind("localhost")
    named = {str(router.match(example(page), return_rule=True)[0]) for page in PAGES}
    members = {
        str(rule)
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
        and getattr(app.view_functions[rule.endpoint], "required", ("",))[0] == "member"
    }
    assert named | FILES == members
    assert not named & FILES


def test_strangers_see_no_page_of_members(app: Flask, client: FlaskClient) -> None:
    for rule in app.url_map.iter_rules():
        if getattr(app.view_functions[rule.endpoint], "required", ("",))[0] == "member":
            path = re.sub(r"<uuid:\w+>", "4b5b1a52-0b4f-4c51-9f0e-2a1f7a3d8a11", str(rule))
            path = re.sub(r"<int:\w+>", "1", path)
            path = re.sub(r"<any\((\w+).*?\):form>", r"\1", path)
            answer = client.get(path) if "GET" in (rule.methods or ()) else client.post(path)
            assert answer.status_code == 303, path
            assert answer.location.startswith("/portal/sign-in"), path


def test_a_form_that_lacks_its_fields_is_no_error_of_the_service(
    app: Flask, cast: Cast, member: Make, alice: Player
) -> None:
    router = app.url_map.bind("localhost")
    known: dict[str, object] = {"domain": "firm.example", "slug": "sandbox-analyze", "name": "demand_co"}
    for path in furnished(cast, alice):
        known |= router.match(path.partition("?")[0])[1]
    known |= {"link_id": known["job_id"], "entry_id": known["job_id"]}
    visitor = member(alice)
    token = visitor.token("/portal/profile")
    sent = 0
    for rule in app.url_map.iter_rules():
        is_form = "POST" in (rule.methods or ()) and rule.endpoint.startswith("portal.")
        if not is_form or rule.endpoint == "portal.sign_out" or rule.arguments - known.keys():
            continue
        path = router.build(rule.endpoint, {name: known[name] for name in rule.arguments})
        for form in ({}, {"x": "y", "seen": "", "once": "", "key": "\x00"}):
            sent += 1
            answer = visitor.client.post(path, data={"csrf_token": token, **form})
            assert answer.status_code < 500, (path, form)
    assert sent > 100


# What the role is for, and what concerns the person alone.
_COMPLIANCE = {
    "overview", "first_steps", "find", "analyses_sheet", "export_member",
    "analyses", "chain", "check_chain", "analysis_document", "period_document",
    "analysis_record", "analysis_attestation", "analysis_proof", "find_analysis", "documents",
    "order_document", "document", "document_file", "document_again", "delete_document", "law",
    "watches", "activity", "activity_sheet", "policies", "guide", "profile", "change_password",
    "end_session", "add_second_factor", "remove_second_factor", "renew_recovery_codes", "mails",
}  # fmt: skip


def test_a_compliance_officer_may_enter_the_audit_trail_and_nothing_else(
    app: Flask, member: Make, alice: Player
) -> None:
    visitor = member(colleague(alice, "compliance"))
    token = visitor.token("/portal/profile")
    open_to_them = set()
    for rule in app.url_map.iter_rules():
        kind, roles = getattr(app.view_functions[rule.endpoint], "required", ("", None))
        if kind != "member":
            continue
        if "compliance" in (roles or ()):
            open_to_them.add(rule.endpoint.removeprefix("portal."))
            continue
        path = re.sub(r"<uuid:\w+>", "4b5b1a52-0b4f-4c51-9f0e-2a1f7a3d8a11", str(rule))
        path = re.sub(r"<(?:int:)?\w+>", "1", re.sub(r"<any\((\w+).*?\):form>", r"\1", path))
        for method in {"GET", "POST"} & (rule.methods or set()):
            answer = visitor.client.open(path, method=method, data={"csrf_token": token})
            assert answer.status_code == 403, f"{method} {path}"
    assert open_to_them == _COMPLIANCE


def test_pages_hold_no_inline_script_or_style_and_nothing_from_outside(
    member: Make, alice: Player, cast: Cast
) -> None:
    visitor = member(alice)
    for path in (*furnished(cast, alice), "/docs", "/docs/analyze", "/nowhere"):
        answer = visitor.get(path)
        assert answer.status_code == (404 if path == "/nowhere" else 200), path
        page = answer.text
        assert not re.search(r"<script(?![^>]*\bsrc=)", page), path
        assert not re.search(r"<style|\sstyle=|\son\w+=", page), path
        assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', page), path


def test_pages_are_small(member: Make, alice: Player, cast: Cast) -> None:
    for number in range(50):
        analysed(alice, citations={"verified": number, "not_found": 1, "not_verifiable": 2})
    visitor = member(alice)
    css = sum(len(gzip.compress(p.read_bytes())) for p in (settings.PROJECT / "static/css").glob("*.css"))
    for path in furnished(cast, alice):
        page = visitor.get(path)
        assert len(gzip.compress(page.data)) + css < 30_000, path


@pytest.mark.parametrize(("language", "heading"), [("en", "Page not found"), ("es", "Aquí no hay nada")])
def test_an_error_page_needs_neither_visitor_nor_stores(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, language: str, heading: str
) -> None:
    def away(*_: object, **__: object) -> None:
        raise AssertionError("an error page asked a store")

    monkeypatch.setattr(db, "engine", away)
    monkeypatch.setattr(redis_client, "client", away)
    client.set_cookie("language", language)
    client.set_cookie("session", "whatever")
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert heading in answer.text
    assert answer.headers["X-Request-Id"] in answer.text


def test_an_english_message_is_not_shown_on_a_spanish_page(app: Flask) -> None:
    from app.portal.web.display.jinja_env import error_words

    message = "The service is briefly unavailable; nothing was charged. Try again."
    for language, spoken in (("en", True), ("es", False)):
        with app.test_request_context("/", headers={"Cookie": f"language={language}"}):
            assert (error_words(503, message)["text"] == message) is spoken


def test_assets_are_kept_for_good_under_an_address_of_their_content(client: FlaskClient) -> None:
    page = client.get("/portal/sign-in").text
    found = re.search(r'href="(/static/css/portal\.css\?v=[0-9a-f]{12})"', page)
    assert found
    with client.get(found[1]) as kept:
        assert "immutable" in kept.headers["Cache-Control"]
    with client.get("/static/css/portal.css") as plain:
        assert "immutable" not in (plain.headers.get("Cache-Control") or "")


def test_the_api_asks_no_session(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.portal.web.session import sessions

    def asked(*_: object) -> None:
        raise AssertionError("the API read a session")

    monkeypatch.setattr(sessions, "_load", asked)
    client.set_cookie("session", "whatever")
    assert client.get("/api/v1/jurisdictions").status_code == 200
    assert client.get("/docs").status_code == 200
    assert client.get("/docs/analyze").status_code == 200
