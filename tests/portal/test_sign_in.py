"""Signing in and out: who gets through, and what is left behind."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import pytest
import redis
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from app import tenancy
from app.platform import redis_client, settings
from app.platform.postgres import db
from app.portal.web.session.origin import local_path
from app.portal.web.session.sessions import ServerSession
from tests.cast import Player
from tests.portal.conftest import PortalClient

Make = Callable[[Player], PortalClient]


def test_the_overview_leads_a_stranger_to_the_form(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    assert visitor.get("/portal/").location == "/portal/sign-in"
    assert "Sign in" in visitor.get("/portal/sign-in").text


def test_asking_for_the_head_of_the_form_is_no_try(stranger: Make, alice: Player) -> None:
    assert stranger(alice).client.head("/portal/sign-in").status_code == 200


def test_the_right_password_opens_the_overview(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    assert visitor.get("/portal/").status_code == 303
    assert visitor.sign_in().location == "/portal/"
    page = visitor.get("/portal/")
    assert page.status_code == 200
    assert alice.email in page.text


def test_case_and_spaces_around_the_address_do_not_matter(stranger: Make, alice: Player) -> None:
    assert stranger(alice).sign_in(f" {alice.email.upper()} ").status_code == 303


def test_signing_in_leads_to_the_page_that_was_asked_for(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    door = visitor.get("/portal/keys").location
    assert visitor.sign_in(path=door).location == "/portal/keys"


@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "javascript:1"],
)
def test_signing_in_never_leads_to_another_site(stranger: Make, alice: Player, elsewhere: str) -> None:
    visitor = stranger(alice)
    answer = visitor.client.post(
        "/portal/sign-in",
        query_string={"next": elsewhere},
        data={
            "csrf_token": visitor.token("/portal/sign-in"),
            "email": alice.email,
            "password": alice.password,
        },
    )
    assert answer.location == "/portal/"


@given(st.text(max_size=40))
def test_a_local_path_has_no_host_however_browsers_read_it(wanted: str) -> None:
    found = local_path(wanted, "/safe")
    # What browsers do before they look: drop these characters, take backslashes for slashes.
    seen = re.sub(r"[\t\r\n]", "", found).replace("\\", "/").strip()
    assert re.match(r"/(?!/)", seen)


def test_known_and_unknown_addresses_get_the_same_answer(stranger: Make, alice: Player) -> None:
    def answer(email: str) -> tuple[int, str]:
        found = stranger(alice).sign_in(email, "wrong password")
        text = re.sub(r'value="[^"]*"', "", found.text)
        return found.status_code, text

    assert answer(alice.email) == answer("nobody@example.com")
    assert answer(alice.email)[0] == 401


def test_empty_fields_are_named(stranger: Make, alice: Player) -> None:
    page = stranger(alice).send("/portal/sign-in", {"email": "", "password": ""})
    assert page.status_code == 422
    assert "Enter your e-mail address." in page.text
    assert "Enter your password." in page.text


@pytest.mark.parametrize("email", ["a\x00b@example.com", "\x00", "é" * 200, "' OR 1=1 --"])
def test_strange_addresses_are_only_wrong(stranger: Make, alice: Player, email: str) -> None:
    assert stranger(alice).sign_in(email, "password1").status_code == 401


def test_the_cookie_is_a_random_id_that_redis_knows_by_its_hash(member: Make, alice: Player) -> None:
    cookie = member(alice).cookie
    assert cookie
    names = [name.decode() for name in redis_client.client().scan_iter("session:*")]
    assert "session:" + hashlib.sha256(cookie.encode()).hexdigest() in names
    assert not any(cookie in name for name in names)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(stranger: Make, alice: Player) -> None:
    header = stranger(alice).get("/portal/sign-in").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Lax" in header
    assert "Secure" not in header


def test_over_tls_the_cookie_belongs_to_this_host_alone(stranger: Make, alice: Player) -> None:
    header = stranger(alice).get("/portal/sign-in", base_url="https://portal.example").headers["Set-Cookie"]
    assert header.startswith("__Host-session=")
    assert "; Secure" in header
    assert "; Path=/" in header
    assert "Domain" not in header


def _published(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    config = settings.current().model_copy(update={"public_url": address})
    monkeypatch.setattr(settings, "current", lambda: config)


def test_behind_a_proxy_that_tells_nothing_the_cookies_are_secure_all_the_same(
    stranger: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _published(monkeypatch, "https://portal.example")
    visitor = stranger(alice)
    # Plain http to the process, as a proxy speaks that ends TLS and forwards no header.
    door = visitor.get("/portal/sign-in", base_url="http://10.0.0.7:8000")
    session = door.headers["Set-Cookie"]
    assert session.startswith("__Host-session=")
    assert "; Secure" in session
    assert "Domain" not in session
    assert door.headers["Strict-Transport-Security"] == "max-age=31536000"
    for path in ("/portal/language/en", "/portal/theme/dark"):
        assert "; Secure" in visitor.get(path).headers["Set-Cookie"]
    for path in ("/api/v1/jurisdictions", "/docs", "/portal/nowhere", "/healthz"):
        assert "Strict-Transport-Security" in visitor.get(path).headers, path


def test_where_the_address_is_plain_http_nothing_claims_to_be_secure(
    stranger: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _published(monkeypatch, "http://portal.example")
    door = stranger(alice).get("/portal/sign-in", base_url="https://portal.example")
    assert door.headers["Set-Cookie"].startswith("session=")
    assert "Secure" not in door.headers["Set-Cookie"]
    assert "Strict-Transport-Security" not in door.headers


def test_signing_in_and_out_works_behind_such_a_proxy(
    stranger: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    _published(monkeypatch, "https://portal.example")
    visitor = stranger(alice)

    def ask(path: str, form: dict[str, str] | None = None) -> TestResponse:
        # As a browser at https does; the test client would keep a Secure cookie from an http address.
        kept = "; ".join(f"{name}={value}" for name, value in jar.items())
        method = "POST" if form is not None else "GET"
        headers = {"Cookie": kept, "Origin": "https://portal.example"}
        answer = fresh.open(path, method=method, data=form, headers=headers, base_url="http://10.0.0.7:8000")
        for line in answer.headers.getlist("Set-Cookie"):
            name, _, rest = line.partition("=")
            jar[name] = rest.partition(";")[0]
        return answer

    fresh, jar = visitor.client.application.test_client(use_cookies=False), {"language": "en"}
    token = re.search(r'name="csrf_token" value="([^"]+)"', ask("/portal/sign-in").text)
    assert token
    form = {"csrf_token": token[1], "email": alice.email, "password": alice.password}
    assert ask("/portal/sign-in", form).location == "/portal/"
    page = ask("/portal/")
    assert page.status_code == 200
    token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
    assert token
    stolen = jar["__Host-session"]
    assert ask("/portal/sign-out", {"csrf_token": token[1]}).status_code == 303
    jar["__Host-session"] = stolen
    assert ask("/portal/").status_code == 303


def test_a_plain_cookie_of_a_neighbour_is_not_read_where_the_address_is_https(
    member: Make, stranger: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = member(alice).cookie or ""
    _published(monkeypatch, "https://portal.example")
    visitor = stranger(alice)
    visitor.client.set_cookie("session", cookie)
    assert visitor.get("/portal/").status_code == 303


def test_signing_in_changes_the_session_id_and_kills_the_old_one(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    visitor.get("/portal/sign-in")
    before = visitor.cookie
    visitor.sign_in()
    assert before
    assert visitor.cookie != before
    old = stranger(alice)
    old.client.set_cookie("session", before)
    assert old.get("/portal/").status_code == 303


def test_an_id_chosen_by_somebody_else_is_not_adopted(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    visitor.client.set_cookie("session", "chosen-by-mallory")
    visitor.get("/portal/sign-in")
    assert visitor.cookie != "chosen-by-mallory"


def test_a_copied_cookie_is_dead_after_sign_out(member: Make, stranger: Make, alice: Player) -> None:
    visitor, thief = member(alice), stranger(alice)
    thief.client.set_cookie("session", visitor.cookie or "")
    assert thief.get("/portal/").status_code == 200
    assert visitor.sign_out().status_code == 303
    assert thief.get("/portal/").status_code == 303
    assert "You have signed out." in visitor.get("/portal/sign-in").text


def test_a_request_under_way_cannot_bring_an_ended_session_back(
    app: Flask, member: Make, stranger: Make, alice: Player
) -> None:
    visitor = member(alice)
    cookie = visitor.cookie or ""
    late = ServerSession(cookie, 60)
    late["seen"] = 1
    visitor.sign_out()
    with app.test_request_context("/portal/"):
        app.session_interface.save_session(app, late, app.response_class())
    thief = stranger(alice)
    thief.client.set_cookie("session", cookie)
    assert thief.get("/portal/").status_code == 303


def test_a_new_password_ends_the_sessions_made_with_the_old_one(member: Make, alice: Player) -> None:
    visitor = member(alice)
    with db.transaction() as session:
        tenancy.set_password(session, alice.email, "another password")
    assert visitor.get("/portal/").status_code == 303


def test_use_keeps_a_session_alive_and_what_a_page_asks_by_itself_does_not(
    member: Make, alice: Player
) -> None:
    visitor = member(alice)
    name = "session:" + hashlib.sha256((visitor.cookie or "").encode()).hexdigest()
    client = redis_client.client()
    client.expire(name, 50)
    visitor.get("/portal/first-steps")
    assert client.ttl(name) <= 50
    visitor.get("/portal/keys")
    assert client.ttl(name) > 3600


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 303),
    ],
)
def test_forms_come_from_our_own_pages(
    stranger: Make, alice: Player, headers: dict[str, str], status: int
) -> None:
    visitor = stranger(alice)
    form = {
        "csrf_token": visitor.token("/portal/sign-in"), "email": alice.email, "password": alice.password,
    }  # fmt: skip
    assert visitor.client.post("/portal/sign-in", data=form, headers=headers).status_code == status


def test_a_form_without_its_token_is_refused(stranger: Make, alice: Player) -> None:
    visitor = stranger(alice)
    visitor.get("/portal/sign-in")
    form = {"email": alice.email, "password": alice.password}
    assert visitor.client.post("/portal/sign-in", data=form).status_code == 400


def test_a_token_of_another_session_is_refused(stranger: Make, member: Make, alice: Player) -> None:
    visitor, other = member(alice), stranger(alice)
    answer = visitor.client.post("/portal/sign-out", data={"csrf_token": other.token("/portal/sign-in")})
    assert answer.status_code == 400
    assert visitor.get("/portal/").status_code == 200


def test_pages_are_never_stored_and_vary_by_who_asks(member: Make, alice: Player) -> None:
    visitor = member(alice)
    for path in ("/portal/", "/portal/keys", "/portal/analyses", "/portal/sign-in"):
        headers = visitor.get(path).headers
        assert headers["Cache-Control"] == "no-store", path
        assert {"Cookie", "HX-Request", "HX-History-Restore-Request"} <= set(headers["Vary"].split(", ")), (
            path
        )


def test_redis_away_is_a_clear_page_and_never_a_500(
    stranger: Make, member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = member(alice), stranger(alice)
    token = outside.token("/portal/sign-in")
    nobody = redis.Redis(unix_socket_path="/nonexistent/redis.sock")
    monkeypatch.setattr(redis_client, "client", lambda: nobody)
    new = stranger(alice)
    answers = [
        inside.get("/portal/"),
        inside.get("/portal/keys"),
        outside.get("/portal/sign-in"),
        new.get("/portal/sign-in"),
        outside.client.post(
            "/portal/sign-in", data={"csrf_token": token, "email": alice.email, "password": alice.password}
        ),
    ]
    for answer in answers:
        assert answer.status_code == 503
        assert "Temporarily unavailable" in answer.text
    nobody.close()
