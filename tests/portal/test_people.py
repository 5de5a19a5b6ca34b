"""How people come in, prove who they are, and leave: mails, invitations, second factor, sessions, team."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pyotp
import pytest
import sqlalchemy as sa
from flask import Flask, url_for
from flask.testing import FlaskClient
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.test import Client

from app import mail, portal, tenancy
from app.platform import clock, redis_client, settings
from app.platform.postgres import db
from app.portal.web import emails
from app.tenancy import one_time_links, second_factor
from app.tenancy.members import Role
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]
LINK = re.compile(r"http://localhost(/portal/\S+)")
SPENT = "already used"


@pytest.fixture
def inbox(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[mail.InboxMail]]:
    """Mails go to the local mailbox; calling it sends what waits and reads it."""
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM outgoing_mails"))
    config = settings.current().model_copy(update={"mail_inbox": True, "signup_open": True})
    monkeypatch.setattr(settings, "current", lambda: config)

    def read() -> list[mail.InboxMail]:
        mail.send_due(portal.compose)
        return mail.inbox_mails()

    return read


def _link(letter: mail.InboxMail) -> str:
    found = LINK.search(letter.text)
    assert found, letter.text
    return found[1]


def _new(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("language", "en")
    return client


def _visitor(app: Flask, player: Player) -> PortalClient:
    return PortalClient(_new(app), player)


def _open_accounts() -> int:
    with db.reading() as session:
        return int(session.scalar(sa.text("SELECT count(*) FROM accounts")) or 0)


# A forgotten password


def test_a_forgotten_password_is_replaced_once(
    app: Flask, member: Make, alice: Player, inbox: Callable
) -> None:  # type: ignore[type-arg]
    old = member(alice)
    stranger = _visitor(app, alice)
    assert (
        "Check your e-mail" in stranger.send("/portal/forgotten", {"email": f" {alice.email.upper()} "}).text
    )
    (letter,) = inbox()
    assert letter.to == alice.email
    path = _link(letter)
    assert alice.email in stranger.get(path).text
    assert stranger.send(path, {"password": "short"}).status_code == 422
    done = stranger.send(path, {"password": "four words are better"})
    assert (done.status_code, done.location) == (303, "/portal/sign-in")
    assert old.get("/portal/").status_code == 303, "sessions of the old password are over"
    assert stranger.sign_in().status_code == 401
    assert stranger.sign_in(password="four words are better").status_code == 303
    again = stranger.get(path)
    assert again.status_code == 404
    assert SPENT in again.text
    assert "changed" in inbox()[0].subject


def test_known_and_unknown_addresses_get_one_answer(app: Flask, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    unknown = "nobody-at-all@example.com"
    for path in ("/portal/forgotten", "/portal/sign-up"):
        answers = set()
        for email in (alice.email, unknown):
            answer = _visitor(app, alice).send(path, {"email": email})
            answers.add((answer.status_code, answer.text.replace(email, "…")))
        assert len(answers) == 1
    assert sorted((one.to, one.subject.split(" ")[0]) for one in inbox()) == sorted(
        [(alice.email, "A"), (alice.email, "Your"), (unknown, "Create")]
    )


def test_a_stale_link_opens_nothing(app: Flask, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    visitor = _visitor(app, alice)
    visitor.send("/portal/forgotten", {"email": alice.email})
    path = _link(inbox()[0])
    later = clock.now() + timedelta(minutes=61)
    clock.install(lambda: later)
    try:
        assert visitor.get(path).status_code == 404
    finally:
        clock.install(None)


def test_letters_are_throttled(app: Flask, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    visitor = _visitor(app, alice)
    statuses = [visitor.send("/portal/forgotten", {"email": alice.email}).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_without_a_way_to_send_nothing_is_promised(app: Flask, client: FlaskClient) -> None:
    for path in ("/portal/forgotten", "/portal/sign-up", "/portal/mail"):
        assert client.get(path).status_code == 404
    assert "Forgotten" not in client.get("/portal/sign-in").text


def test_a_letter_rests_sealed(app: Flask, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    _visitor(app, alice).send("/portal/forgotten", {"email": alice.email})
    with db.reading() as session:
        rows = session.execute(sa.text("SELECT row_to_json(m)::text, sealed FROM outgoing_mails m")).all()
    assert len(rows) == 1
    assert alice.email not in rows[0][0]
    assert alice.email.encode() not in rows[0][1]
    inbox()
    with db.reading() as session:
        assert session.scalar(sa.text("SELECT count(*) FROM outgoing_mails")) == 0


# Beginning an account


def test_a_stranger_opens_an_account(app: Flask, cast: Cast, inbox: Callable) -> None:  # type: ignore[type-arg]
    before = _open_accounts()
    email = f"nueva-{clock.epoch()}@example.com"
    visitor = _visitor(app, Player("new", None, email, "a long password", None, ""))  # type: ignore[arg-type]
    visitor.send("/portal/sign-up", {"email": email})
    assert _open_accounts() == before
    path = _link(inbox()[0])
    assert "Enter the name" in visitor.send(path, {"password": "a long password", "name": ""}).text
    done = visitor.send(path, {"password": "a long password", "name": "Despacho Ribera"})
    assert (done.status_code, done.location) == (303, "/portal/")
    assert "Despacho Ribera" in visitor.get("/portal/").text
    assert _open_accounts() == before + 1
    # The first call does not make the credits low.
    assert 'value="5"' in visitor.get("/portal/credits").text
    # The plan of a new account is the smallest.
    form = {"name": "k", "tier": "enterprise", "scopes": "analyze", "once": "x"}
    assert visitor.send("/portal/keys", form, on="/portal/keys/new").status_code == 422
    assert (
        visitor.send("/portal/keys", {**form, "tier": "standard"}, on="/portal/keys/new").status_code == 200
    )


# Invitations and team


def test_an_invited_colleague_joins(app: Flask, member: Make, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    visitor, email = member(alice), f"ana-{clock.epoch()}@example.com"
    for _ in range(2):
        sent = visitor.send(
            "/portal/team/invitations", {"email": email, "role": "compliance"}, on="/portal/team"
        )
        assert sent.status_code == 303
    assert visitor.get("/portal/team").text.count(f"{email}</b>") == 1
    newest, older = inbox()
    ana = _visitor(app, alice)
    assert ana.get(_link(older)).status_code == 404, "the second invitation takes the place of the first"
    assert "Compliance" in ana.get(_link(newest)).text
    joined = ana.send(_link(newest), {"password": "a long password"})
    assert (joined.status_code, joined.location) == (303, "/portal/")
    assert ana.get("/portal/team").status_code == 403
    assert ana.get("/portal/analyses").status_code == 200
    assert email in visitor.get("/portal/team").text
    again = visitor.send("/portal/team/invitations", {"email": email, "role": "admin"}, on="/portal/team")
    assert again.status_code == 422


def test_an_address_of_another_account_is_told_its_owner_alone(
    app: Flask,
    member: Make,
    alice: Player,
    mallory: Player,
    inbox: Callable,  # type: ignore[type-arg]
) -> None:
    visitor = member(alice)
    sent = visitor.send(
        "/portal/team/invitations", {"email": mallory.email, "role": "developer"}, on="/portal/team"
    )
    assert sent.status_code == 303
    answer = _visitor(app, mallory).send(_link(inbox()[0]), {"password": "a long password"})
    assert answer.status_code == 422
    assert "another account" in answer.text


def test_where_no_mail_leaves_the_link_is_shown(app: Flask, member: Make, alice: Player) -> None:
    page = member(alice).send(
        "/portal/team/invitations", {"email": "link@example.com", "role": "admin"}, on="/portal/team"
    )
    found = LINK.search(page.text)
    assert found
    assert _visitor(app, alice).get(found[1].split("<")[0]).status_code == 200


def test_an_invitation_is_withdrawn(app: Flask, member: Make, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    visitor = member(alice)
    visitor.send(
        "/portal/team/invitations", {"email": "gone@example.com", "role": "admin"}, on="/portal/team"
    )
    action = re.search(r'action="(/portal/team/invitations/[^"]+)"', visitor.get("/portal/team").text)
    assert action
    assert visitor.send(action[1], {}, on="/portal/team").status_code == 303
    assert _visitor(app, alice).get(_link(inbox()[0])).status_code == 404


@pytest.mark.parametrize(
    ("role", "status"), [("owner", 200), ("admin", 200), ("developer", 403), ("compliance", 403)]
)
def test_who_may_manage_the_team(member: Make, alice: Player, role: Role, status: int) -> None:
    visitor = member(colleague(alice, role))
    assert visitor.get("/portal/team").status_code == status
    assert visitor.get("/portal/account").status_code == status
    assert visitor.get("/portal/account/close").status_code == (200 if role == "owner" else 403)
    assert visitor.get("/portal/profile").status_code == 200


def _member_id(player: Player) -> str:
    with db.reading() as session:
        found = tenancy.find_member(session, player.email)
        assert found
        return str(found.id)


def test_an_admin_makes_nobody_an_owner_and_touches_none(member: Make, alice: Player) -> None:
    admin, developer = colleague(alice, "admin"), colleague(alice, "developer")
    visitor = member(admin)
    assert visitor.get(f"/portal/team/{_member_id(alice)}").status_code == 403
    path = f"/portal/team/{_member_id(developer)}"
    assert visitor.send(path, {"role": "owner"}).status_code == 400
    assert visitor.send(path, {"role": "compliance"}).status_code == 303
    with db.reading() as session:
        found = tenancy.find_member(session, developer.email)
        assert found
        assert found.role == "compliance"


def test_a_removed_member_is_out_at_once(member: Make, alice: Player) -> None:
    developer = colleague(alice, "developer")
    theirs, visitor = member(developer), member(alice)
    path = f"/portal/team/{_member_id(developer)}/remove"
    assert "signed out everywhere" in visitor.get(path).text
    assert visitor.send(path, {}).status_code == 303
    assert theirs.get("/portal/").status_code == 303
    assert theirs.sign_in().status_code == 401


def test_the_last_owner_stays(member: Make, alice: Player) -> None:
    visitor, me = member(alice), _member_id(alice)
    visitor.send(f"/portal/team/{me}/remove", {})
    visitor.send(f"/portal/team/{me}", {"role": "admin"})
    page = visitor.get("/portal/team").text
    assert "needs an owner" in page
    assert visitor.get("/portal/account/close").status_code == 200


def test_another_tenants_member_is_unknown(member: Make, alice: Player, mallory: Player) -> None:
    visitor = member(alice)
    for path in (f"/portal/team/{_member_id(mallory)}", f"/portal/team/{_member_id(mallory)}/remove"):
        assert visitor.get(path).status_code == 404


# Password, second factor, sessions


def test_a_changed_password_ends_the_other_sessions(app: Flask, member: Make, alice: Player) -> None:
    other, visitor = member(alice), member(alice)
    wrong = {"current": "not it", "password": "a longer password"}
    assert visitor.send("/portal/profile/password", wrong, on="/portal/profile").status_code == 422
    right = {"current": alice.password, "password": "a longer password"}
    assert visitor.send("/portal/profile/password", right, on="/portal/profile").status_code == 303
    assert visitor.get("/portal/profile").status_code == 200
    assert other.get("/portal/profile").status_code == 303
    assert _visitor(app, alice).sign_in(password="a longer password").status_code == 303


def _protected(visitor: PortalClient) -> tuple[str, list[str]]:
    """Connect an app; its secret and the recovery codes."""
    page = visitor.get("/portal/profile/second-factor").text
    found = re.search(r'mono wrap">((?:[A-Z2-7]{4} ?){8})<', page)
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)
    assert found
    assert token
    secret = found[1].replace(" ", "")
    code = pyotp.TOTP(secret).at(clock.now())
    done = visitor.client.post("/portal/profile/second-factor", data={"csrf_token": token[1], "code": code})
    codes = re.findall(r"\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b", done.text)
    assert len(codes) == 10
    return secret, codes


def test_the_second_factor_is_asked_for_and_opens_once(app: Flask, member: Make, alice: Player) -> None:
    elsewhere, first = member(alice), member(alice)
    secret, codes = _protected(first)
    assert first.get("/portal/profile").status_code == 200
    assert elsewhere.get("/portal/profile").status_code == 303, "sessions without the factor end"
    visitor = _visitor(app, alice)
    halfway = visitor.sign_in()
    assert halfway.location.startswith("/portal/sign-in/code")
    assert visitor.get("/portal/").status_code == 303, "the password alone opens nothing"
    later = clock.now() + timedelta(seconds=60)
    clock.install(lambda: later)
    try:
        code = pyotp.TOTP(secret).at(later)
        wrong = "000000" if code != "000000" else "111111"
        assert visitor.send("/portal/sign-in/code", {"code": wrong}).status_code == 401
        assert visitor.send("/portal/sign-in/code", {"code": code}).status_code == 303
        assert visitor.get("/portal/").status_code == 200
        second = _visitor(app, alice)
        second.sign_in()
        assert second.send("/portal/sign-in/code", {"code": code}).status_code == 401, "a code opens once"
        assert second.send("/portal/sign-in/code", {"code": codes[3].upper()}).status_code == 303
        third = _visitor(app, alice)
        third.sign_in()
        assert third.send("/portal/sign-in/code", {"code": codes[3]}).status_code == 401
    finally:
        clock.install(None)


@pytest.mark.parametrize("code", ["１２３４５６", "١٢٣٤٥٦", "²" * 6, "ñ"])
def test_digits_of_other_scripts_are_only_wrong(app: Flask, member: Make, alice: Player, code: str) -> None:
    visitor = member(alice)
    visitor.get("/portal/profile/second-factor")
    assert visitor.send("/portal/profile/second-factor", {"code": code}).status_code == 422
    _protected(visitor)
    stranger = _visitor(app, alice)
    stranger.sign_in()
    assert stranger.send("/portal/sign-in/code", {"code": code}).status_code == 401


def test_codes_cannot_be_guessed_on(app: Flask, member: Make, alice: Player) -> None:
    _protected(member(alice))
    visitor = _visitor(app, alice)
    visitor.sign_in()
    statuses = [visitor.send("/portal/sign-in/code", {"code": f"00000{n}"}).status_code for n in range(7)]
    assert statuses[-2:] == [429, 429]


def _stopped(app: Flask, player: Player) -> tuple[str, list[str], PortalClient]:
    """A member whose codes were stopped: their app's secret and recovery codes, and a browser halfway in."""
    first = _visitor(app, player)
    first.sign_in()
    secret, codes = _protected(first)
    statuses = []
    for n in range(second_factor.FAILURES_MAX):
        if n % 3 == 0:  # a new session each time: it is the member's failures that count
            visitor = _visitor(app, player)
            visitor.sign_in()
        redis_client.client().delete(*redis_client.client().keys("rate:code:*") or ["none"])
        statuses.append(visitor.send("/portal/sign-in/code", {"code": f"00000{n}"}).status_code)
    assert statuses == [401] * (second_factor.FAILURES_MAX - 1) + [403]
    redis_client.client().delete(*redis_client.client().keys("rate:code:*"))
    return secret, codes, visitor


def test_after_ten_wrong_codes_none_opens_until_the_letter_is_answered(
    app: Flask,
    alice: Player,
    inbox: Callable,  # type: ignore[type-arg]
) -> None:
    secret, codes, visitor = _stopped(app, alice)
    page = visitor.get("/portal/sign-in/code")
    assert page.status_code == 403
    assert "Codes are no longer accepted." in page.text
    assert 'name="code"' not in page.text
    fresh = _visitor(app, alice)
    fresh.sign_in()
    later = clock.now() + timedelta(seconds=60)
    clock.install(lambda: later)
    try:
        right = pyotp.TOTP(secret).at(later)
        for code in (right, codes[0]):
            form = {"csrf_token": fresh.token("/portal/profile"), "code": code}
            assert fresh.client.post("/portal/sign-in/code", data=form).status_code == 403
        assert fresh.get("/portal/").status_code == 303
        (letter,) = inbox()
        assert letter.to == alice.email
        assert "Wrong codes" in letter.subject
        path = _link(letter)
        reader = _visitor(app, alice)
        assert "It was me" in reader.get(path).text
        assert fresh.get("/portal/sign-in/code").status_code == 403, "looking at the page answers nothing"
        assert reader.send(path, {}).location == "/portal/sign-in"
        assert reader.get(path).status_code == 404, "The link can be used once"
        assert reader.get("/portal/").status_code == 303, "and opens nothing by itself"
        assert fresh.send("/portal/sign-in/code", {"code": right}).status_code == 303
    finally:
        clock.install(None)


def test_the_letter_about_codes_is_sent_again_on_request(
    app: Flask,
    alice: Player,
    inbox: Callable,  # type: ignore[type-arg]
) -> None:
    _, _, visitor = _stopped(app, alice)
    again = visitor.send("/portal/sign-in/code/letter", {}, on="/portal/sign-in/code")
    assert "has been sent again" in again.text
    first, second = sorted(inbox(), key=lambda one: one.at)
    for path in map(_link, (first, second)):
        assert _visitor(app, alice).get(path).status_code == 200, "a further letter does not spoil the first"
    stranger = _visitor(app, alice)
    token = {"csrf_token": stranger.token("/portal/sign-in")}
    assert stranger.client.post("/portal/sign-in/code/letter", data=token).location == "/portal/sign-in"
    statuses = [
        visitor.send("/portal/sign-in/code/letter", {}, on="/portal/sign-in/code").status_code
        for _ in range(3)
    ]
    assert statuses == [200, 200, 429]


def test_where_no_letter_leaves_the_operator_allows_codes_again(app: Flask, alice: Player) -> None:
    _, _, visitor = _stopped(app, alice)
    page = visitor.get("/portal/sign-in/code").text
    assert "Ask the operator" in page
    assert "Send the e-mail" not in page
    command = ["account", "allow-codes", "--email", alice.email]
    assert app.test_cli_runner().invoke(args=command).exit_code == 0
    assert visitor.get("/portal/sign-in/code").status_code == 200
    assert app.test_cli_runner().invoke(args=[*command[:-1], "nobody@example.com"]).exit_code == 1


def test_who_signs_in_hears_of_wrong_codes_before(app: Flask, member: Make, alice: Player) -> None:
    _, codes = _protected(member(alice))
    visitor = _visitor(app, alice)
    visitor.sign_in()
    for n in range(3):
        visitor.send("/portal/sign-in/code", {"code": f"00000{n}"})
    assert visitor.send("/portal/sign-in/code", {"code": codes[0]}).status_code == 303
    assert "3 wrong codes were entered with your password" in visitor.get("/portal/profile").text
    again = _visitor(app, alice)
    again.sign_in()
    again.send("/portal/sign-in/code", {"code": codes[1]})
    assert "wrong codes" not in again.get("/portal/profile").text


@pytest.mark.parametrize(
    ("language", "why"),
    [("en", "This is a very common password"), ("es", "una de las contraseñas más usadas")],
)
def test_a_common_password_is_refused_wherever_one_is_chosen(
    app: Flask,
    member: Make,
    alice: Player,
    inbox: Callable,  # type: ignore[type-arg]
    language: str,
    why: str,
) -> None:
    visitor, email = member(alice), f"leo-{clock.epoch()}@example.com"
    visitor.send("/portal/team/invitations", {"email": email, "role": "admin"}, on="/portal/team")
    visitor.send("/portal/sign-up", {"email": f"new-{email}"})
    visitor.send("/portal/forgotten", {"email": alice.email})
    paths = [_link(letter) for letter in inbox()]
    assert len(paths) == 3
    visitor.client.set_cookie("language", language)
    form = {"password": "P4ssw0rd!", "name": "Firm", "current": alice.password}
    answers = [visitor.send(path, form) for path in paths]
    answers.append(visitor.send("/portal/profile/password", form, on="/portal/profile"))
    for answer in answers:
        assert answer.status_code == 422
        beside = re.search(r'id="password-err">(.*?)</p>', answer.text, re.DOTALL)
        assert beside
        assert why in beside[1]
    for path in paths:
        assert visitor.get(path).status_code == 200, "the link is not spent by a refused password"


def test_a_password_of_ones_own_names_is_refused(app: Flask, member: Make, alice: Player) -> None:
    local = alice.email.partition("@")[0]
    for password in (local, f"{local}99", "Candado2026!"):
        form = {"current": alice.password, "password": password}
        answer = member(alice).send("/portal/profile/password", form, on="/portal/profile")
        assert answer.status_code == 422
        assert "This is based on your e-mail address" in answer.text


def test_a_further_letter_does_not_spoil_the_link_that_is_being_read(
    app: Flask,
    alice: Player,
    inbox: Callable,  # type: ignore[type-arg]
) -> None:
    visitor = _visitor(app, alice)
    for _ in range(2):
        visitor.send("/portal/forgotten", {"email": alice.email})
    newest, older = map(_link, inbox())
    assert visitor.send(older, {"password": "four words are better"}).status_code == 303
    for path in (newest, older):
        assert visitor.get(path).status_code == 404, "one password, and every link to choose it is spent"


def test_links_to_one_reader_are_few(alice: Player, cast: Cast) -> None:
    now = clock.now()
    with db.transaction() as session:
        for n in range(one_time_links.OPEN_MAX + 3):
            begun = one_time_links.begin_reset(session, alice.email, now=now + timedelta(seconds=n))
            assert begun
    with db.reading() as session:
        found = session.scalars(
            sa.text("SELECT created_at FROM one_time_links WHERE email = :email"), {"email": alice.email}
        ).all()
    assert len(found) == one_time_links.OPEN_MAX
    assert min(found) == now + timedelta(seconds=3)


def test_a_password_changed_inside_spends_the_links_of_letters(
    app: Flask,
    member: Make,
    alice: Player,
    inbox: Callable,  # type: ignore[type-arg]
) -> None:
    visitor = member(alice)
    visitor.send("/portal/forgotten", {"email": alice.email})
    path = _link(inbox()[0])
    form = {"current": alice.password, "password": "four words are better"}
    assert visitor.send("/portal/profile/password", form, on="/portal/profile").status_code == 303
    assert _visitor(app, alice).get(path).status_code == 404


def test_who_answers_a_letter_is_not_shut_out_by_strangers(
    app: Flask,
    alice: Player,
    inbox: Callable,  # type: ignore[type-arg]
) -> None:
    stranger, owner = _visitor(app, alice), _visitor(app, alice)
    stranger.client.environ_base["REMOTE_ADDR"] = "203.0.113.77"
    for n in range(6):
        stranger.sign_in(password=f"guess {n}")
    assert owner.sign_in().status_code == 429
    owner.send("/portal/forgotten", {"email": alice.email})
    owner.send(_link(inbox()[0]), {"password": "four words are better"})
    assert owner.sign_in(password="four words are better").status_code == 303


def test_letters_of_the_worker_lead_where_the_pages_are(app: Flask) -> None:
    with app.test_request_context():
        for wanted, page in (
            ("reset", "reset_password"),
            ("sign_up", "join"),
            ("second_factor", "allow_codes"),
        ):
            path = emails.PATHS[wanted]  # type: ignore[index]
            assert path.format(token="t") == url_for(f"portal.{page}", token="t")


def test_a_letter_speaks_the_language_of_who_asked(app: Flask, alice: Player, inbox: Callable) -> None:  # type: ignore[type-arg]
    visitor = _visitor(app, alice)
    visitor.client.set_cookie("language", "es")
    visitor.send("/portal/forgotten", {"email": alice.email})
    assert "contraseña" in inbox()[0].subject


def test_the_secret_rests_sealed(member: Make, alice: Player) -> None:
    secret, codes = _protected(member(alice))
    with db.reading() as session:
        found = tenancy.find_member(session, alice.email)
        assert found
        assert found.totp_secret
        assert secret.encode() not in found.totp_secret
        assert not any(code.encode() in b"".join(found.recovery_hashes) for code in codes)
    assert not [key for key in redis_client.client().keys("*") if secret.encode() in key]


def test_the_second_factor_is_switched_off_with_the_password(app: Flask, member: Make, alice: Player) -> None:
    visitor = member(alice)
    _protected(visitor)
    path = "/portal/profile/second-factor/off"
    assert visitor.send(path, {"current": "wrong one"}).status_code == 422
    fresh = visitor.send("/portal/profile/recovery-codes", {"current": alice.password})
    assert len(re.findall(r"\b[a-z2-7]{4}(?:-[a-z2-7]{4}){3}\b", fresh.text)) == 10
    assert visitor.send(path, {"current": alice.password}).status_code == 303
    assert _visitor(app, alice).sign_in().location == "/portal/"


def test_sessions_are_listed_and_ended(app: Flask, member: Make, alice: Player, mallory: Player) -> None:
    here, there, third = member(alice), member(alice), member(alice)
    theirs = member(mallory)
    page = here.get("/portal/profile").text
    names = re.findall(r'name="name" value="([^"]+)"', page)
    assert len(names) == 2
    assert "this one" in page
    foreign = re.findall(r'name="name" value="([^"]+)"', theirs.get("/portal/profile").text)
    assert foreign == []
    here.send("/portal/profile/sessions/end", {"name": names[0]}, on="/portal/profile")
    assert sorted(v.get("/portal/profile").status_code for v in (there, third)) == [200, 303]
    theirs.send("/portal/profile/sessions/end", {"name": names[1]}, on="/portal/profile")
    assert sorted(v.get("/portal/profile").status_code for v in (there, third)) == [200, 303]
    here.send("/portal/profile/sessions/end", {}, on="/portal/profile")
    assert [v.get("/portal/profile").status_code for v in (here, there, third)] == [200, 303, 303]


# The account


def test_the_account_is_described(member: Make, alice: Player) -> None:
    visitor = member(alice)
    sent = visitor.send("/portal/account", {"name": "Ribera", "time_zone": "Europe/Madrid"})
    assert sent.status_code == 303
    page = visitor.get("/portal/account").text
    assert "Ribera" in page
    assert "Times are Europe/Madrid" in page
    assert visitor.send("/portal/account", {"name": "", "time_zone": "Mars/Base"}).status_code == 422


@pytest.mark.parametrize("name", ["Ribera\nBcc: all@example.com", "Ribera\x00", "Ribera\u202e"])
def test_an_account_is_called_by_one_line(member: Make, alice: Player, name: str) -> None:
    answer = member(alice).send("/portal/account", {"name": name, "time_zone": "UTC"})
    assert answer.status_code == 422
    assert "on one line" in answer.text


def test_a_note_of_a_network_is_one_line(member: Make, alice: Player) -> None:
    form = {"cidr": "192.0.2.0/24", "label": "Office\x00"}
    assert member(alice).send("/portal/account/networks", form, on="/portal/account").status_code == 422


def test_options_and_networks_hold_on_the_next_request(
    client: FlaskClient, member: Make, cast: Cast, alice: Player
) -> None:
    visitor = member(alice)
    visitor.send("/portal/account/options", {"mask_names": "y"}, on="/portal/account")
    assert cast.caller(alice).mask_names is True
    visitor.send("/portal/account/options", {"mask_names": "n"}, on="/portal/account")
    assert cast.caller(alice).mask_names is False
    assert 'value="n" checked' in visitor.get("/portal/account").text
    visitor.send("/portal/account/options", {"mask_names": ""}, on="/portal/account")
    assert cast.caller(alice).mask_names is None
    wrong = visitor.send("/portal/account/networks", {"cidr": "10.0.0.1/8"}, on="/portal/account")
    assert wrong.status_code == 422
    assert "203.0.113.0/24" in wrong.text
    asked = visitor.send("/portal/account/networks", {"cidr": "192.0.2.0/24"}, on="/portal/account")
    assert asked.status_code == 422
    assert "127.0.0.0/24" in asked.text.split('role="alert"')[1], "the network alice signed in from"
    # So is an entry that holds but a part of that network: a colleague may be in the other.
    half = visitor.send("/portal/account/networks", {"cidr": "127.0.0.0/30"}, on="/portal/account")
    assert half.status_code == 422
    assert client.get("/api/v1/usage", headers=alice.auth).status_code == 200
    sure = {"cidr": "192.0.2.0/24", "confirmed": "y"}
    assert visitor.send("/portal/account/networks", sure, on="/portal/account").status_code == 303
    assert client.get("/api/v1/usage", headers=alice.auth).status_code == 403
    twice = visitor.send("/portal/account/networks", {"cidr": "192.0.2.0/24"}, on="/portal/account")
    assert "already" in twice.text
    action = re.search(
        r'action="(/portal/account/networks/[^"]+/remove)"', visitor.get("/portal/account").text
    )
    assert action
    visitor.send(action[1], {}, on="/portal/account")
    assert client.get("/api/v1/usage", headers=alice.auth).status_code == 200


def test_the_export_is_the_accounts_own(member: Make, alice: Player, mallory: Player) -> None:
    answer = member(alice).get("/portal/account/export")
    assert answer.status_code == 200
    assert alice.email in answer.text
    assert mallory.email not in answer.text


def test_an_account_is_closed(client: FlaskClient, member: Make, alice: Player) -> None:
    other, visitor = member(colleague(alice, "admin")), member(alice)
    path = "/portal/account/close"
    for form in ({"name": "another", "current": alice.password}, {"name": alice.name, "current": "wrong"}):
        assert visitor.send(path, form).status_code == 422
    assert client.get("/api/v1/usage", headers=alice.auth).status_code == 200
    assert visitor.send(path, {"name": alice.name, "current": alice.password}).status_code == 303
    assert client.get("/api/v1/usage", headers=alice.auth).status_code == 401
    assert [v.get("/portal/").status_code for v in (visitor, other)] == [303, 303]
    assert visitor.sign_in().status_code == 401


@pytest.mark.parametrize(
    ("host", "address", "status"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 200),
        ("localhost:8000", "127.0.0.1", 200),
        ("LocalHost:8000", "127.0.0.1", 200),
        ("[::1]:8000", "::1", 200),
        ("dev.example.test", "127.0.0.1", 200),
        # A name of somebody else's that leads here: DNS rebinding.
        ("rebind.example", "127.0.0.1", 404),
        ("rebind.example:8000", "127.0.0.1", 404),
        ("127.0.0.1.rebind.example:8000", "127.0.0.1", 404),
        ("localhost.rebind.example:8000", "127.0.0.1", 404),
        ("localhost", "127.0.0.1", 404),
        ("localhost:9000", "127.0.0.1", 404),
        ("0.0.0.0:8000", "127.0.0.1", 404),
        ("", "127.0.0.1", 404),
        ("localhost:8000", "203.0.113.9", 404),
    ],
)
def test_the_local_mailbox_answers_the_host_it_was_started_for(
    app: Flask, monkeypatch: pytest.MonkeyPatch, host: str, address: str, status: int
) -> None:
    config = settings.current().model_copy(
        update={
            "mail_inbox": True,
            "public_url": "http://dev.example.test",
            "host": "127.0.0.1",
            "port": 8000,
        }
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    answer = app.test_client().get(
        "/portal/mail", headers={"Host": host}, environ_base={"REMOTE_ADDR": address}
    )
    assert answer.status_code == status


def test_a_header_for_proxies_does_not_open_the_local_mailbox(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a proxy believed, a script on the rebound page could set what it says."""
    config = settings.current().model_copy(update={"mail_inbox": True})
    monkeypatch.setattr(settings, "current", lambda: config)
    behind = ProxyFix(app.wsgi_app, x_for=1, x_host=1)
    answer = Client(behind).get(
        "/portal/mail",
        headers={
            "Host": "rebind.example",
            "X-Forwarded-Host": "127.0.0.1:8000",
            "X-Forwarded-For": "127.0.0.1",
        },
        environ_base={"REMOTE_ADDR": "127.0.0.1"},
    )
    assert answer.status_code == 404
