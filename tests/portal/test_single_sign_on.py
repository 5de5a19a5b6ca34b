"""Members sign in at their account's own provider; nobody else does, whoever lies."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app import sso, tenancy
from app.platform import clock, settings
from app.platform.errors import Conflict, NotFound
from app.platform.postgres import db
from tests.cast import Player
from tests.portal.conftest import PortalClient, colleague
from tests.sso.provider import CLIENT_ID, CLIENT_SECRET, Provider, providing

Make = Callable[[Player], PortalClient]


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, app: Flask, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """A provider that says the truth; hosts of the tests may be called."""
    running.__dict__.update(
        person={"sub": f"p-{uuid.uuid4()}", "email_verified": True},
        spoiled={}, metadata={}, algorithm="RS256", thin=False, signs_with=running.key, codes={}, asked=[],
    )  # fmt: skip
    config = settings.current().model_copy(update={"sso_allow_hosts": "127.0.0.1"})
    monkeypatch.setattr(settings, "current", lambda: config)
    return running


@dataclass
class Desk:
    """Single sign-on of an account: its connection, and browsers that use it."""

    app: Flask
    provider: Provider
    connection_id: uuid.UUID

    def browser(self) -> FlaskClient:
        client = self.app.test_client()
        client.set_cookie("language", "en")
        return client

    def start(self, client: FlaskClient) -> str:
        answer = client.get(f"/portal/sso/{self.connection_id}")
        assert answer.status_code == 303
        return str(answer.location)

    def back(self, client: FlaskClient, address: str) -> TestResponse:
        parts = urlsplit(address)
        return client.get(f"{parts.path}?{parts.query}")

    def sign_in(self, email: str, client: FlaskClient | None = None) -> TestResponse:
        self.provider.person["email"] = email
        browser = client or self.browser()
        return self.back(browser, self.provider.authorize(self.start(browser)))


def _connect(player: Player, provider: Provider, role: tenancy.Role = "developer") -> uuid.UUID:
    with db.transaction() as session:
        row = sso.save_connection(
            session, player.account_id, issuer=provider.url, client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET, role=role, now=clock.now(),
        )  # fmt: skip
        return row.id


@pytest.fixture
def desk(app: Flask, alice: Player, provider: Provider) -> Desk:
    return Desk(app, provider, _connect(alice, provider))


def _refused(answer: TestResponse, word: str) -> bool:
    return answer.status_code == 403 and word in answer.text


def _prove(player: Player, domain: str) -> None:
    with db.transaction() as session:
        row = sso.add_domain(session, player.account_id, domain, now=clock.now())
        records = [sso.txt_record(row)[1]]
        assert sso.check_domain(session, player.account_id, domain, now=clock.now(), lookup=lambda _: records)


def _members(player: Player) -> dict[str, str]:
    with db.reading() as session:
        return {one.email: one.role for one in tenancy.members_of(session, player.account_id)}


def test_a_member_signs_in_and_is_known_by_the_providers_subject(desk: Desk, alice: Player) -> None:
    client = desk.browser()
    answer = desk.sign_in(alice.email, client)
    assert (answer.status_code, answer.location) == (303, "/portal/")
    assert client.get("/portal/").status_code == 200
    # A new address at the provider is still the same person, and nobody else gets the old one.
    assert desk.sign_in("other@elsewhere.example").status_code == 303
    desk.provider.person["sub"] = "somebody else"
    assert _refused(desk.sign_in(alice.email), "belonged to somebody else")


@pytest.mark.parametrize("methods", [["client_secret_basic"], ["client_secret_post"]])
def test_the_client_is_named_as_the_provider_wants_it(desk: Desk, alice: Player, methods: list[str]) -> None:
    desk.provider.metadata = {"token_endpoint_auth_methods_supported": methods}
    assert desk.sign_in(alice.email).status_code == 303


def test_an_address_may_be_told_at_the_userinfo_address(desk: Desk, alice: Player) -> None:
    desk.provider.thin = True
    assert desk.sign_in(alice.email).status_code == 303
    assert "/userinfo" in desk.provider.asked


SPOILED: list[tuple[str, dict[str, Any], str]] = [
    ("wrong issuer", {"spoiled": {"iss": "https://other.example"}}, "could not be verified"),
    ("no issuer", {"spoiled": {"iss": None}}, "could not be verified"),
    ("another client's", {"spoiled": {"aud": "another"}}, "could not be verified"),
    ("two audiences", {"spoiled": {"aud": [CLIENT_ID, "another"]}}, "could not be verified"),
    ("expired", {"spoiled": {"exp": 1_700_000_000}}, "could not be verified"),
    ("without end", {"spoiled": {"exp": None}}, "could not be verified"),
    ("of the future", {"spoiled": {"iat": 4_000_000_000}}, "could not be verified"),
    ("another nonce", {"spoiled": {"nonce": "another"}}, "could not be verified"),
    ("no nonce", {"spoiled": {"nonce": None}}, "could not be verified"),
    ("no subject", {"spoiled": {"sub": None}}, "could not be verified"),
    ("a number as subject", {"spoiled": {"sub": 7}}, "could not be verified"),
    ("another access token's", {"spoiled": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}}, "could not be verified"),
    ("unsigned", {"algorithm": "none"}, "could not be verified"),
    ("signed with the secret", {"algorithm": "HS256"}, "could not be verified"),
    ("unverified", {"spoiled": {"email_verified": False}}, "not verified your e-mail"),
    ("verified in words", {"spoiled": {"email_verified": "true"}}, "not verified your e-mail"),
    ("silent on that", {"spoiled": {"email_verified": None}}, "not verified your e-mail"),
]


def test_a_token_that_is_wrong_in_any_way_signs_nobody_in(desk: Desk, alice: Player) -> None:
    for name, changes, word in SPOILED:
        desk.provider.__dict__.update({"spoiled": {}, "algorithm": "RS256", **changes})
        client = desk.browser()
        assert _refused(desk.sign_in(alice.email, client), word), name
        assert client.get("/portal/").status_code == 303, name
    desk.provider.__dict__.update(spoiled={}, algorithm="RS256", signs_with=desk.provider.stranger)
    assert _refused(desk.sign_in(alice.email), "could not be verified")


def test_an_answer_is_taken_once_and_by_the_browser_that_asked(desk: Desk, alice: Player) -> None:
    desk.provider.person["email"] = alice.email
    mine, thief = desk.browser(), desk.browser()
    address = desk.provider.authorize(desk.start(mine))
    assert _refused(desk.back(thief, address), "does not belong")  # a browser that asked for nothing
    desk.start(thief)
    assert _refused(desk.back(thief, address), "does not belong")  # one that asked for something else
    wrong = address.rpartition("state=")[0] + "state=wrong"
    assert _refused(desk.back(mine, wrong), "does not belong")
    # That attempt is used up, whatever it was answered.
    assert _refused(desk.back(mine, address), "does not belong")
    address = desk.provider.authorize(desk.start(mine))
    assert desk.back(mine, address).status_code == 303
    assert _refused(desk.back(mine, address), "does not belong")


def test_an_attempt_ends_after_ten_minutes(
    desk: Desk, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.provider.person["email"] = alice.email
    client = desk.browser()
    address = desk.provider.authorize(desk.start(client))
    later = clock.epoch() + 601
    monkeypatch.setattr("app.portal.auth.sign_on.clock.epoch", lambda: later)
    assert _refused(desk.back(client, address), "does not belong")


def test_one_providers_answer_is_never_taken_for_anothers(
    desk: Desk, alice: Player, mallory: Player, provider: Provider
) -> None:
    with providing() as evil:
        hers = _connect(mallory, evil)
        client = desk.browser()
        # Mallory sends the visitor back with her own provider's code, to the other connection's address.
        desk.start(client)
        ours = desk.start(client)
        evil.person["email"] = alice.email
        begun = client.get(f"/portal/sso/{hers}")
        crossed = evil.authorize(str(begun.location)).replace(str(hers), str(desk.connection_id))
        assert _refused(desk.back(client, crossed), "does not belong")
        # An answer that names another issuer, as RFC 9207 has it; and none where one was promised.
        for metadata, more in (
            ({}, f"&iss={evil.url}"),
            ({"authorization_response_iss_parameter_supported": True}, ""),
        ):
            provider.metadata, provider.person["email"] = metadata, alice.email
            ours = provider.authorize(desk.start(client))
            assert _refused(desk.back(client, ours + more), "a different provider")
        provider.metadata = {"authorization_response_iss_parameter_supported": True}
        ours = provider.authorize(desk.start(client))
        assert desk.back(client, f"{ours}&iss={provider.url}").status_code == 303


def test_a_provider_signs_in_nobody_of_another_account(
    app: Flask, alice: Player, mallory: Player, provider: Provider
) -> None:
    hers = Desk(app, provider, _connect(mallory, provider, role="admin"))
    _prove(mallory, f"mallory-{uuid.uuid4().hex[:8]}.example")
    before = _members(alice), _members(mallory)
    assert _refused(hers.sign_in(alice.email), "not a member")
    assert _refused(hers.sign_in("nobody@example.com"), "not a member")
    assert (_members(alice), _members(mallory)) == before


def test_who_was_invited_or_has_an_address_of_a_proved_domain_joins(desk: Desk, alice: Player) -> None:
    domain = f"firm-{uuid.uuid4().hex[:8]}.example"
    carol, dave = f"carol@{domain}", f"Dave@{domain.upper()}"
    assert _refused(desk.sign_in(carol), "not a member")
    with db.transaction() as session:
        tenancy.one_time_links.invite(
            session, alice.account_id, email=carol, role="compliance", now=clock.now()
        )
    assert desk.sign_in(carol).status_code == 303
    desk.provider.person["sub"] = "dave"
    with db.transaction() as session:
        sso.add_domain(session, alice.account_id, domain, now=clock.now())
    assert _refused(desk.sign_in(dave), "not a member")  # claimed, but not proved
    with db.transaction() as session:
        sso.remove_domain(session, alice.account_id, domain)
    _prove(alice, domain)
    desk.provider.person["sub"] = "eve"
    assert _refused(desk.sign_in(f"eve@sub.{domain}"), "not a member")
    desk.provider.person["sub"] = "dave"
    assert desk.sign_in(dave).status_code == 303
    assert {carol: "compliance", dave.lower(): "developer"}.items() <= _members(alice).items()


def test_a_domain_is_proved_by_one_account_and_by_its_own_record(alice: Player, mallory: Player) -> None:
    domain = f"firm-{uuid.uuid4().hex[:8]}.example"
    _prove(alice, domain)
    with db.transaction() as session:
        row = sso.add_domain(session, mallory.account_id, domain, now=clock.now())
        name, text = sso.txt_record(row)
        assert (name, text) == (f"_sso.{domain}", f"service-domain={row.token}")
        seen: list[str] = []
        assert not sso.check_domain(
            session, mallory.account_id, domain, now=clock.now(), lookup=lambda one: seen.append(one) or ["x"]
        )  # type: ignore[func-returns-value]
        assert seen == [name]
        with pytest.raises(Conflict):
            sso.check_domain(session, mallory.account_id, domain, now=clock.now(), lookup=lambda _: [text])
    with pytest.raises(NotFound), db.transaction() as session:
        sso.remove_domain(session, mallory.account_id, "firm.example")


def test_required_sign_on_ends_other_sessions_at_once_and_owners_keep_their_way_back(
    desk: Desk, member: Make, stranger: Make, alice: Player
) -> None:
    owner, developer = member(alice), colleague(alice, "developer")
    by_password = member(developer)

    def require(word: str) -> None:
        owner.send("/portal/account/sign-on/required", {"required": word}, on="/portal/account/sign-on")

    require("y")
    assert "Sign in through it once" in owner.get("/portal/account/sign-on").text
    assert by_password.get("/portal/").status_code == 200
    client = desk.browser()
    desk.sign_in(developer.email, client)
    require("y")
    # Sent once more, by a tab that was opened before, it stays what that button said.
    require("y")
    assert by_password.get("/portal/").status_code == 303
    assert client.get("/portal/").status_code == 200
    assert owner.get("/portal/").status_code == 200
    again = stranger(developer)
    answer = again.sign_in()
    assert answer.status_code == 403
    assert f"/portal/sso/{desk.connection_id}" in answer.text
    assert again.get("/portal/").status_code == 303
    # A wrong password tells nothing of it.
    assert "single sign-on." not in stranger(developer).sign_in(password="wrong password").text
    assert stranger(alice).sign_in().status_code == 303
    require("n")
    assert stranger(developer).sign_in().status_code == 303


def test_sessions_end_with_the_connection_that_began_them_where_it_is_required(
    desk: Desk, alice: Player
) -> None:
    developer, client = colleague(alice, "developer"), desk.browser()
    desk.sign_in(developer.email, client)
    with db.transaction() as session:
        sso.require(session, alice.account_id, required=True)
    assert client.get("/portal/").status_code == 200
    with db.transaction() as session:
        account = tenancy.lock_account(session, alice.account_id)
        account.required_connection = uuid.uuid4()
    assert client.get("/portal/").status_code == 303


def test_an_invitation_leads_to_the_sign_on_that_is_required(desk: Desk, alice: Player) -> None:
    desk.sign_in(alice.email)
    email = f"carol-{uuid.uuid4().hex[:8]}@example.com"
    with db.transaction() as session:
        sso.require(session, alice.account_id, required=True)
        _, token = tenancy.one_time_links.invite(
            session, alice.account_id, email=email, role="developer", now=clock.now()
        )
    client = desk.browser()
    answer = client.get(f"/portal/join/{token}")
    assert (answer.status_code, answer.location) == (303, f"/portal/sso/{desk.connection_id}")
    desk.provider.person["sub"] = "carol"
    assert desk.sign_in(email, client).status_code == 303
    assert _members(alice)[email] == "developer"


def _save(visitor: PortalClient, **changes: str) -> TestResponse:
    form = {"issuer": "", "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "role": "developer"}
    sent: dict[str, object] = {**form, "current": visitor.player.password, **changes}
    return visitor.send("/portal/account/sign-on", sent)


def test_an_owner_sets_it_up_and_nothing_secret_is_shown_or_at_rest(
    member: Make, alice: Player, provider: Provider
) -> None:
    owner = member(alice)
    assert _save(owner, issuer=provider.url).status_code == 303
    page = owner.get("/portal/account/sign-on").text
    assert CLIENT_SECRET not in page
    assert "/callback" in page
    with db.reading() as session:
        row = sso.connection_of(session, alice.account_id)
        assert row is not None
        assert row.client_secret is not None
        assert CLIENT_SECRET.encode() not in row.client_secret
        first = row.id
    # An empty secret keeps the old one, another client is another connection.
    assert _save(owner, issuer=provider.url, client_secret="", role="compliance").status_code == 303
    with db.reading() as session:
        row = sso.connection_of(session, alice.account_id)
        assert row is not None
        assert (row.id, row.role) == (first, "compliance")
        assert sso.client_of(row, "").client_secret == CLIENT_SECRET
    assert _save(owner, issuer=provider.url, client_id="another", client_secret="").status_code == 303
    with db.reading() as session:
        row = sso.connection_of(session, alice.account_id)
        assert row is not None
        assert row.id != first
        assert row.client_secret is None
    actions = sa.text(
        "SELECT action FROM activities WHERE account_id = :a AND action LIKE 'sso.%' ORDER BY seq"
    )
    asked = owner.get("/portal/account/sign-on/remove").text
    assert "Remove single sign-on?" in asked
    assert "Nobody has signed in through it yet." in asked
    with db.reading() as session:
        assert sso.connection_of(session, alice.account_id) is not None
    assert owner.send("/portal/account/sign-on/remove", {}).status_code == 303
    assert owner.get("/portal/account/sign-on/remove").status_code == 404
    with db.reading() as session:
        assert sso.connection_of(session, alice.account_id) is None
        found = list(session.scalars(actions, {"a": alice.account_id}))
    assert found == ["sso.set", "sso.set", "sso.set", "sso.removed"]


def test_what_cannot_be_a_provider_is_refused_with_the_reason(
    member: Make, alice: Player, provider: Provider
) -> None:
    owner = member(alice)
    for issuer, word in (
        ("", "Enter the address of the issuer."),
        ("https://10.0.0.7/", "Enter the https://"),
        ("http://firm.example", "Enter the https://"),
        (f"{provider.url}?x=1", "Enter the https://"),
        (f"{provider.url}/", "another issuer"),
        (f"{provider.url}/nothing", "did not answer"),
    ):
        answer = _save(owner, issuer=issuer)
        assert answer.status_code == 422, issuer
        assert word in answer.text, issuer
    provider.metadata = {"token_endpoint": "https://192.168.0.1/token"}
    assert "cannot be used" in _save(owner, issuer=provider.url).text
    assert "not your current password" in _save(owner, issuer=provider.url, current="x").text


def test_an_owner_lists_domains_and_the_page_shows_their_records(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, page = member(alice), "/portal/account/sign-on"
    domain = f"firm-{uuid.uuid4().hex[:8]}.example"
    for wrong in ("", "firm", "a b.example", "*.firm.example", "-x.example"):
        assert owner.send(f"{page}/domains", {"domain": wrong}, on=page).status_code == 422
    assert owner.send(f"{page}/domains", {"domain": domain.upper()}, on=page).status_code == 303
    assert owner.send(f"{page}/domains", {"domain": domain}, on=page).status_code == 422
    assert f"_sso.{domain}" in owner.get(page).text
    published: list[str] = []
    monkeypatch.setattr("app.sso.connections.look_up_txt", lambda _: published)
    owner.send(f"{page}/domains/{domain}/check", {}, on=page)
    assert "was not found" in owner.get(page).text
    with db.reading() as session:
        published.append(sso.txt_record(sso.domains_of(session, alice.account_id)[0])[1])
    owner.send(f"{page}/domains/{domain}/check", {}, on=page)
    assert "verified domain" in owner.get(page).text
    assert owner.send(f"{page}/domains/{domain}/remove", {}, on=page).status_code == 303
    assert owner.send(f"{page}/domains/{domain}/remove", {}, on=page).status_code == 404


def test_only_owners_see_the_settings(member: Make, alice: Player) -> None:
    for role in ("admin", "developer", "compliance"):
        assert member(colleague(alice, role)).get("/portal/account/sign-on").status_code == 403  # type: ignore[arg-type]


def test_the_provider_is_found_by_a_proved_domain_alone(desk: Desk, stranger: Make, alice: Player) -> None:
    visitor, domain = stranger(alice), f"firm-{uuid.uuid4().hex[:8]}.example"
    assert visitor.send("/portal/sso", {"email": f"x@{domain}"}).status_code == 422
    _prove(alice, domain)
    page = visitor.send("/portal/sso", {"email": f"x@{domain}"})
    assert page.status_code == 200
    assert f"/portal/sso/{desk.connection_id}" in page.text
    assert visitor.get(f"/portal/sso/{uuid.uuid4()}").status_code == 404
    assert visitor.get(f"/portal/sso/{uuid.uuid4()}/callback").status_code == 404


def test_a_second_factor_is_the_providers_business(desk: Desk, alice: Player) -> None:
    developer, client = colleague(alice, "developer"), desk.browser()
    with db.transaction() as session:
        tenancy.require_second_factor(session, alice.account_id, required=True)
    desk.sign_in(developer.email, client)
    assert client.get("/portal/").status_code == 200


def test_a_closed_accounts_sign_on_opens_nothing(desk: Desk, alice: Player) -> None:
    client = desk.browser()
    address = desk.provider.authorize(desk.start(client))
    with db.transaction() as session:
        tenancy.close_account(session, alice.account_id, now=clock.now())
    assert desk.back(client, address).status_code == 404


def test_values_of_an_attempt_do_not_name_the_secret(provider: Provider) -> None:
    client = sso.Client(provider.url, CLIENT_ID, CLIENT_SECRET, "https://x.example/cb")
    assert CLIENT_SECRET not in repr(client)
    _, attempt = sso.begin(client)
    assert CLIENT_SECRET not in repr(attempt)
    assert replace(attempt) == attempt


def test_signing_in_makes_a_new_session_and_leads_nowhere_else(desk: Desk, alice: Player) -> None:
    desk.provider.person["email"] = alice.email
    client = desk.browser()
    for elsewhere in ("//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
        answer = client.get(f"/portal/sso/{desk.connection_id}", query_string={"next": elsewhere})
        before = client.get_cookie("session")
        back = desk.back(client, desk.provider.authorize(str(answer.location)))
        after = client.get_cookie("session")
        assert (back.status_code, back.location) == (303, "/portal/"), elsewhere
        # Whoever knew the session before it was signed in knows nothing now.
        assert before is not None
        assert after is not None
        assert before.value != after.value
        stale = desk.browser()
        stale.set_cookie("session", before.value)
        assert stale.get("/portal/").status_code == 303


def test_no_other_way_leads_around_a_required_sign_on(desk: Desk, stranger: Make, alice: Player) -> None:
    developer = colleague(alice, "developer")
    desk.sign_in(developer.email)
    with db.transaction() as session:
        sso.require(session, alice.account_id, required=True)
        asked = tenancy.one_time_links.begin_reset(session, developer.email, now=clock.now())
        assert asked is not None
    # A new password, chosen by a link to the mailbox, opens nothing either.
    visitor, chosen = stranger(developer), "four unrelated words"
    visitor.send(f"/portal/reset/{asked[1]}", {"password": chosen})
    assert visitor.get("/portal/").status_code == 303
    assert visitor.sign_in(password=chosen).status_code == 403
    for path in ("/portal/", "/portal/keys", "/portal/profile", "/portal/authorize", "/portal/analyses.csv"):
        assert visitor.get(path).status_code == 303, path


def test_who_removes_a_member_hears_that_the_provider_can_let_them_in_again(
    desk: Desk, member: Make, alice: Player
) -> None:
    domain = f"firm-{uuid.uuid4().hex[:8]}.example"
    _prove(alice, domain)
    email = f"ana@{domain}"
    client = desk.browser()
    assert desk.sign_in(email, client).status_code == 303
    with db.reading() as session:
        found = tenancy.find_member(session, email)
        assert found is not None
    owner, page = member(alice), f"/portal/team/{found.id}/remove"
    assert "They can join again through your provider" in owner.get(page).text
    assert owner.send(page, {}).status_code == 303
    assert client.get("/portal/").status_code == 303
    assert desk.sign_in(email).status_code == 303
    assert _members(alice)[email] == "developer"
    other = colleague(alice, "developer")
    with db.reading() as session:
        found = tenancy.find_member(session, other.email)
        assert found is not None
    assert "cannot sign in again" in owner.get(f"/portal/team/{found.id}/remove").text
