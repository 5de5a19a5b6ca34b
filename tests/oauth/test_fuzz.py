"""Anything is sent to the endpoints of OAuth, also several times at once: never a 5xx, one grant a code."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, example, given, settings
from werkzeug.test import TestResponse

from app.oauth.models import OAuthGrant, OAuthToken
from app.platform.postgres import db
from app.platform.postgres.db import Session
from tests.faults.waiting import eventually
from tests.oauth.browser import Assistant
from tests.oauth.conftest import CONNECT, listing

_FIXTURES = settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
_WORDS = st.sampled_from([
    "", "code", "S256", "plain", "none", "mcp", "mcp query analyze", "authorization_code", "refresh_token",
    "client_credentials", "password", "http://localhost/api/mcp/connect", "http://[",
    "https://assistant.example/callback", "javascript:alert(1)", "svc-code-x", "svc-access-x", "é", "\x00",
    "\ud7ff", "a" * 5000, "%00", "null", "code token",
])  # fmt: skip
_NAMES = st.sampled_from([
    "response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method",
    "resource", "grant_type", "code", "code_verifier", "refresh_token", "token", "token_type_hint", "prompt",
    "client_secret", "request", "request_uri", "response_mode", "nonce", "é",
])  # fmt: skip
_VALUES = st.one_of(_WORDS, st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
_FORMS = st.dictionaries(_NAMES, st.lists(_VALUES, min_size=1, max_size=2), max_size=9)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_VALUES, inner, max_size=3),
    max_leaves=8,
)
_METADATA = st.dictionaries(
    st.sampled_from(
        ["redirect_uris", "client_name", "grant_types", "response_types", "scope", "jwks", "logo_uri"]
    ),
    _JSON,
)
_ADDRESSES = st.integers(1, 2**24 - 2).map(lambda n: f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}")


def _send(client: FlaskClient, path: str, address: str, **what: Any) -> TestResponse:
    # From another address each time, so that the limit of requests from one does not answer.
    return client.post(path, environ_overrides={"REMOTE_ADDR": address}, **what)


@_FIXTURES
@example(
    form={"grant_type": ["refresh_token"], "refresh_token": ["é"], "client_id": ["é"]},
    address="10.0.0.1",
    known=True,
)
@example(form={"grant_type": ["authorization_code"], "code": ["é"]}, address="10.0.0.1", known=True)
@example(form={"grant_type": ["authorization_code"], "code": ["\x00"]}, address="10.0.0.1", known=True)
@given(form=_FORMS, address=_ADDRESSES, known=st.booleans())
@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke"])
def test_any_form_is_answered(
    client: FlaskClient,
    assistant: Assistant,
    path: str,
    form: dict[str, list[str]],
    address: str,
    known: bool,
) -> None:
    if known:
        form = {**form, "client_id": [assistant.client_id]}
    answer = _send(client, path, address, data=form)
    assert answer.status_code < 500, answer.text
    if path == "/oauth/token":
        assert answer.status_code in (400, 401, 429), answer.text
        assert answer.get_json()["error"]
        assert answer.headers["Cache-Control"] == "no-store"


@_FIXTURES
@given(body=st.one_of(_METADATA, _JSON), address=_ADDRESSES)
def test_any_metadata_are_answered(
    client: FlaskClient, assistant: Assistant, body: Any, address: str
) -> None:
    answer = _send(client, "/oauth/register", address, json=body)
    assert answer.status_code in (201, 400, 429), answer.text
    assert answer.get_json()


@_FIXTURES
@given(
    body=st.binary(max_size=200),
    kind=st.sampled_from(["application/json", "text/plain", "multipart/form-data", ""]),
)
@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/register"])
def test_any_bytes_are_answered(
    client: FlaskClient, assistant: Assistant, path: str, body: bytes, kind: str
) -> None:
    address = f"10.1.{len(body)}.{sum(body) & 255}"
    assert _send(client, path, address, data=body, content_type=kind).status_code < 500


@_FIXTURES
@given(query=_FORMS, known=st.booleans())
def test_any_authorization_request_is_answered(
    browser: FlaskClient, assistant: Assistant, query: dict[str, list[str]], known: bool
) -> None:
    if known:
        query = {**query, "client_id": [assistant.client_id], "redirect_uri": [assistant.callback]}
    answer = browser.get("/portal/authorize", query_string=query)
    assert answer.status_code in (200, 302, 400), answer.text
    if answer.status_code == 302:
        assert answer.location.startswith(assistant.callback), answer.location


@pytest.mark.parametrize(
    "header",
    ["Bearer é", "Bearer \x80", "bearer", "Bearer  ", "Basic YTpi", "Bearer a b", "Bearer " + "x" * 9000],
)
def test_any_credentials_are_refused(client: FlaskClient, assistant: Assistant, header: str) -> None:
    answer = client.post(CONNECT, json={}, headers={"Authorization": header})
    assert answer.status_code == 401
    assert "resource_metadata" in answer.headers["WWW-Authenticate"]


def _at_once(app: Flask, work: Callable[[FlaskClient], TestResponse], times: int = 2) -> list[TestResponse]:
    """Do `work` in as many threads, all of which begin together."""
    start, found = threading.Barrier(times), []

    def one() -> None:
        client = app.test_client()
        start.wait()
        found.append(work(client))

    threads = [threading.Thread(target=one) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_a_code_that_is_exchanged_twice_at_once_gives_tokens_once_and_ends(
    app: Flask, client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    code = assistant.code(browser)
    form = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": assistant.callback,
        "client_id": assistant.client_id, "code_verifier": assistant.verifier,
    }  # fmt: skip
    answers = _at_once(app, lambda each: each.post("/oauth/token", data=form), 4)
    won = [answer for answer in answers if answer.status_code == 200]
    assert len(won) == 1
    assert {answer.get_json()["error"] for answer in answers if answer is not won[0]} == {"invalid_grant"}
    assert listing(client, won[0].get_json()["access_token"]).status_code == 401


def test_a_refresh_token_that_is_used_twice_at_once_serves_both(
    app: Flask, client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    """A client with several windows does so; the grace period is for it, and neither is thrown out."""
    token = assistant.connected(browser)["refresh_token"]
    form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": assistant.client_id}
    answers = _at_once(app, lambda each: each.post("/oauth/token", data=form), 4)
    assert [answer.status_code for answer in answers] == [200] * 4
    made = {answer.get_json()["access_token"] for answer in answers}
    assert len(made) == 4
    assert {listing(client, one).status_code for one in made} == {200}


def test_a_refresh_and_a_revocation_at_once_leave_nothing_that_works(
    app: Flask, client: FlaskClient, browser: FlaskClient, assistant: Assistant
) -> None:
    tokens = assistant.connected(browser)
    refresh = {
        "grant_type": "refresh_token",
        "refresh_token": tokens["refresh_token"],
        "client_id": assistant.client_id,
    }
    revoke = {"token": tokens["refresh_token"], "client_id": assistant.client_id}
    work = iter([("/oauth/token", refresh), ("/oauth/revoke", revoke)])
    lock = threading.Lock()

    def either(each: FlaskClient) -> TestResponse:
        with lock:
            path, form = next(work)
        return each.post(path, data=form)

    answers = _at_once(app, either)
    assert all(answer.status_code in (200, 400) for answer in answers)
    made = [answer.get_json(silent=True) or {} for answer in answers]
    for token in (tokens["access_token"], *(one["access_token"] for one in made if "access_token" in one)):
        assert listing(client, token).status_code == 401


@pytest.mark.parametrize("kind", ["access", "refresh"])
@pytest.mark.parametrize("does", ["exchange", "revoke"])
def test_a_token_that_is_deleted_while_a_request_waits_for_its_grant_opens_nothing(
    app: Flask, browser: FlaskClient, assistant: Assistant, does: str, kind: str
) -> None:
    token = assistant.connected(browser)[f"{kind}_token"]
    own = {"client_id": assistant.client_id}
    path, form = {
        "exchange": ("/oauth/token", {"grant_type": "refresh_token", "refresh_token": token, **own}),
        "revoke": ("/oauth/revoke", {"token": token, **own}),
    }[does]
    answers: list[TestResponse] = []
    request = threading.Thread(target=lambda: answers.append(app.test_client().post(path, data=form)))
    with db.transaction() as session:
        grants = session.scalars(sa.select(OAuthGrant).with_for_update()).all()
        request.start()
        assert eventually(lambda: _waiting(session) > 0)
        session.execute(sa.delete(OAuthToken).where(OAuthToken.grant_id.in_([one.id for one in grants])))
    request.join()
    assert [answer.status_code for answer in answers] == [400 if does == "exchange" else 200]


def _waiting(session: Session) -> int:
    sql = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    return int(session.scalar(sa.text(sql)) or 0)


@pytest.mark.parametrize(
    "client_id",
    [
        "https://127.0.0.1/client.json", "https://localhost/client.json", "https://[::1]/client.json",
        "https://10.0.0.1/client.json", "https://169.254.169.254/latest/meta-data", "https://0.0.0.0/x",
        "https://192.168.1.1:8443/client.json", "https://2130706433/client.json", "https://0x7f.1/client.json",
        "https://metadata.internal:22/x", "https://user@127.0.0.1/x", "https://[::ffff:127.0.0.1]/x",
        "http://169.254.169.254/latest", "file:///etc/passwd", "gopher://127.0.0.1:6379/_x",
    ],
)  # fmt: skip
def test_a_metadata_document_at_an_inner_address_is_not_read(
    browser: FlaskClient, assistant: Assistant, client_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled: list[Any] = []
    monkeypatch.setattr("socket.socket.connect", lambda self, where: _note(dialled, where, self))
    page = browser.get(assistant.address(client_id=client_id))
    assert page.status_code == 400
    assert dialled == []


def _note(dialled: list[Any], where: Any, _: Any) -> None:
    dialled.append(where)
    raise OSError("nothing is dialled in this test")
