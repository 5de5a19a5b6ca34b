"""How passwords are guessed, and that strangers' guesses shut nobody out (decision 040)."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
import sqlalchemy as sa
from flask import Flask

from app import tenancy
from app.platform import redis_client, settings
from app.platform.postgres import db
from app.portal.auth.sign_in import TRIES_PER_ADDRESS
from app.portal.web.session import throttling
from app.portal.web.session.throttling import ACCOUNT, ADDRESS, FAMILIAR, LETTERS, PROOF, attempt, network
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]
HOME, OFFICE = "198.51.100.7", "198.51.100.8"
STRANGE = (f"203.0.113.{n}" for n in count(1))


@pytest.fixture
def at(app: Flask, cast: Cast) -> Callable[[Player, str], PortalClient]:
    """Somebody with a fresh browser at an address."""

    def make(player: Player, address: str) -> PortalClient:
        client = app.test_client()
        client.set_cookie("language", "en")
        client.environ_base["REMOTE_ADDR"] = address
        return PortalClient(client, player)

    return make


At = Callable[[Player, str], PortalClient]


def _guess(visitor: PortalClient, times: int, email: str | None = None) -> list[int]:
    return [visitor.sign_in(email, f"guess number {n}").status_code for n in range(times)]


def _open_the_gates() -> None:
    """As if the time had passed that they are shut for."""
    for name in redis_client.client().scan_iter("gate:*"):
        redis_client.client().hdel(name, "until")


def test_guessing_is_slowed_for_known_and_unknown_addresses_alike(at: At, alice: Player) -> None:
    for email, address in ((alice.email, next(STRANGE)), ("nobody@example.com", next(STRANGE))):
        assert _guess(at(alice, address), ACCOUNT.free + 1, email) == [401] * ACCOUNT.free + [429]
    # The right password of a stranger waits as well, else the wait would tell which guess was right.
    refused = at(alice, next(STRANGE)).sign_in()
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= ACCOUNT.first_s


def test_the_wait_grows_with_each_failure(at: At, alice: Player) -> None:
    stranger = at(alice, next(STRANGE))
    _guess(stranger, ACCOUNT.free)
    waits = []
    for _ in range(8):
        waits.append(int(stranger.sign_in(password="wrong again").headers["Retry-After"]))
        _open_the_gates()
        assert stranger.sign_in(password="wrong again").status_code == 401
    for wait, expected in zip(waits, [30, 60, 120, 240, 480, 900, 900, 900], strict=True):
        assert expected - 3 <= wait <= expected


def test_many_addresses_guess_no_faster_than_one(at: At, alice: Player) -> None:
    statuses = [at(alice, next(STRANGE)).sign_in(password=f"guess {n}").status_code for n in range(12)]
    assert statuses == [401] * ACCOUNT.free + [429] * (12 - ACCOUNT.free)


def test_strangers_do_not_shut_out_who_signed_in_from_here_before(at: At, alice: Player) -> None:
    assert at(alice, HOME).sign_in().status_code == 303
    for _ in range(3):
        _guess(at(alice, next(STRANGE)), 6)
    again = at(alice, HOME)
    assert again.client.get_cookie("browser") is None, "a fresh browser: the network alone is known"
    assert again.sign_in().status_code == 303
    assert at(alice, OFFICE).sign_in().status_code == 429


def test_a_browser_that_was_here_is_known_on_another_network(at: At, alice: Player) -> None:
    mine = at(alice, HOME)
    mine.sign_in()
    mine.sign_out()
    _guess(at(alice, next(STRANGE)), 6)
    mine.client.environ_base["REMOTE_ADDR"] = OFFICE
    assert mine.sign_in().status_code == 303


def test_failures_of_the_same_network_do_not_shut_out_a_known_browser(at: At, alice: Player) -> None:
    mine, neighbour = at(alice, HOME), at(alice, HOME)
    mine.sign_in()
    mine.sign_out()
    for _ in range(FAMILIAR.free + 5):
        neighbour.sign_in(password="a guess")
    assert at(alice, HOME).sign_in().status_code == 429
    assert mine.sign_in().status_code == 303


def test_one_address_cannot_try_many_accounts_and_shuts_out_none_that_it_knows(at: At, alice: Player) -> None:
    at(alice, HOME).sign_in()
    neighbour = at(alice, HOME)
    statuses = [
        neighbour.sign_in(f"n{n}@example.com", "some password").status_code for n in range(ADDRESS.free + 1)
    ]
    assert statuses == [401] * ADDRESS.free + [429]
    assert at(alice, HOME).sign_in().status_code == 303


def test_a_flood_from_one_network_shuts_out_none_that_it_knows(at: At, alice: Player) -> None:
    at(alice, HOME).sign_in()
    neighbour = at(alice, HOME)
    token = neighbour.token("/portal/sign-in")
    for n in range(TRIES_PER_ADDRESS):
        form = {"csrf_token": token, "email": f"n{n}@example.com", "password": "some password"}
        neighbour.client.post("/portal/sign-in", data=form)
    assert neighbour.sign_in("new@example.com", "some password").status_code == 429
    assert at(alice, HOME).sign_in().status_code == 303


def test_a_wrong_password_is_answered_alike_whether_the_network_is_known_or_not(
    at: At, alice: Player
) -> None:
    at(alice, HOME).sign_in()
    _guess(at(alice, next(STRANGE)), 6)
    _guess(at(alice, next(STRANGE)), 6, "nobody@example.com")
    answers = set()
    for email in (alice.email, "nobody@example.com"):
        answer = at(alice, HOME).sign_in(email, "wrong again")
        text = re.sub(r'value="[^"]*"|\d+ seconds', "", answer.text)
        answers.add((answer.status_code, text))
    assert len(answers) == 1
    assert answers.pop()[0] == 429


def test_own_mistakes_are_forgiven_by_the_right_password(at: At, alice: Player) -> None:
    mine = at(alice, HOME)
    mine.sign_in()
    mine.sign_out()
    for _ in range(4):
        assert _guess(mine, 3) == [401] * 3
        assert mine.sign_in().status_code == 303
        mine.sign_out()


def test_a_success_elsewhere_does_not_give_a_guesser_more_tries(
    at: At, alice: Player, mallory: Player
) -> None:
    guesser = at(mallory, next(STRANGE))
    assert _guess(guesser, 4, alice.email) == [401] * 4
    assert guesser.sign_in().status_code == 303, "with their own account"
    guesser.sign_out()
    at(alice, HOME).sign_in()
    assert _guess(guesser, 2, alice.email) == [401, 429]


def test_tries_at_the_same_time_are_counted_too(cast: Cast) -> None:
    with ThreadPoolExecutor(40) as pool:
        tried = list(pool.map(lambda _: attempt(("together", ACCOUNT)), range(200)))
    assert sum(one.allowed for one in tried) == ACCOUNT.free


def test_a_try_taken_back_is_no_failure(cast: Cast) -> None:
    for _ in range(50):
        tried = attempt(("right", ACCOUNT))
        assert tried.allowed
        tried.take_back()
    assert list(redis_client.client().scan_iter("gate:*")) == []


def test_gates_forget_by_themselves(cast: Cast) -> None:
    for name, rule in (("a", ACCOUNT), ("b", ADDRESS), ("c", FAMILIAR), ("d", PROOF), ("e", LETTERS)):
        assert rule.longest_s <= rule.forget_s
        attempt((name, rule))
        assert 0 < redis_client.client().ttl(f"gate:{name}") <= rule.forget_s


def test_redis_learns_neither_names_nor_addresses(at: At, alice: Player) -> None:
    at(alice, HOME).sign_in()
    _guess(at(alice, OFFICE), 2)
    client = redis_client.client()
    for name in client.scan_iter("*"):
        if name.startswith((b"gate:", b"familiar:")):
            kept = name + b"".join(client.zrange(name, 0, -1) if client.type(name) == b"zset" else [])
            assert not any(word.encode() in kept for word in (alice.email, HOME, OFFICE)), name


def test_a_mark_that_somebody_else_chose_is_not_taken_over(at: At, alice: Player) -> None:
    visitor = at(alice, HOME)
    visitor.client.set_cookie("browser", "chosen-by-mallory")
    visitor.sign_in()
    mark = visitor.client.get_cookie("browser")
    assert mark
    assert mark.value != "chosen-by-mallory"
    assert len(mark.value) >= 40
    visitor.sign_out()
    visitor.sign_in()
    kept = visitor.client.get_cookie("browser")
    assert kept
    assert kept.value == mark.value


def test_the_mark_is_out_of_reach_of_scripts_and_of_plain_http(
    at: At, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cookie() -> str:
        answer = at(alice, HOME).sign_in()
        return next(line for line in answer.headers.getlist("Set-Cookie") if "browser=" in line)

    assert {"HttpOnly", "SameSite=Lax"} <= set(cookie().split("; "))
    config = settings.current().model_copy(update={"public_url": "https://localhost"})
    visitor = at(alice, HOME)
    token = visitor.token("/portal/sign-in")
    form = {"csrf_token": token, "email": alice.email, "password": alice.password}
    session = visitor.cookie
    monkeypatch.setattr(settings, "current", lambda: config)
    visitor.client.set_cookie("__Host-session", session or "", secure=False)
    answer = visitor.client.post("/portal/sign-in", data=form)
    secure = next(line for line in answer.headers.getlist("Set-Cookie") if "browser=" in line)
    assert secure.startswith("__Host-browser=")
    assert "Secure" in secure.split("; ")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_household_counts_as_one_address(address: str | None, counted: str) -> None:
    assert network(address) == counted


def test_a_password_is_hashed_for_every_try_whoever_is_meant(
    at: At, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    real = tenancy.members.check_password_hash

    def counted(kept: str, given: str) -> bool:
        hashed.append(kept.split("$")[0])
        return real(kept, given)

    monkeypatch.setattr(tenancy.members, "check_password_hash", counted)
    for email in (alice.email, "nobody@example.com"):
        hashed.clear()
        _guess(at(alice, next(STRANGE)), 8, email)
        # As costly for the eighth, behind a shut gate, as for the first.
        assert len(hashed) == 8
        assert len(set(hashed)) == 1


def test_a_session_left_open_is_no_place_to_guess_the_password(at: At, alice: Player) -> None:
    visitor = at(alice, HOME)
    visitor.sign_in()
    form = {"current": "not it", "password": "four words are better"}
    path = "/portal/profile/password"
    statuses = [visitor.send(path, form, on="/portal/profile").status_code for _ in range(PROOF.free + 1)]
    assert statuses == [422] * PROOF.free + [429]
    right = visitor.send(path, {**form, "current": alice.password}, on="/portal/profile")
    assert right.status_code == 429


def test_only_a_full_sign_in_makes_a_network_known(at: At, alice: Player) -> None:
    with db.transaction() as session:
        member = tenancy.find_member(session, alice.email)
        assert member
        member.totp_secret = b"sealed"
        before = member.last_sign_in_at
    assert at(alice, OFFICE).sign_in().location.startswith("/portal/sign-in/code")
    with db.reading() as session:
        member = tenancy.find_member(session, alice.email)
        assert member
        assert member.last_sign_in_at == before
    _guess(at(alice, next(STRANGE)), 6)
    assert at(alice, OFFICE).sign_in().status_code == 429


def test_a_colleague_is_not_shut_out_with_another(at: At, alice: Player) -> None:
    other = colleague(alice, "admin")
    _guess(at(alice, next(STRANGE)), 8)
    assert at(other, next(STRANGE)).sign_in().status_code == 303


def test_asking_for_a_letter_takes_the_same_statements_for_everybody(
    app: Flask, at: At, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings.current().model_copy(update={"mail_inbox": True, "signup_open": True})
    monkeypatch.setattr(settings, "current", lambda: config)

    def asked(path: str, email: str) -> list[str]:
        visitor = at(alice, next(STRANGE))
        token = visitor.token(path)
        found: list[str] = []

        def note(_c: object, _cursor: object, statement: str, *_: object) -> None:
            found.append(statement)

        sa.event.listen(db.engine(), "before_cursor_execute", note)
        try:
            answer = visitor.client.post(path, data={"csrf_token": token, "email": email})
        finally:
            sa.event.remove(db.engine(), "before_cursor_execute", note)
        assert answer.status_code == 200
        return found

    for path in ("/portal/forgotten", "/portal/sign-up"):
        known, unknown = asked(path, alice.email), asked(path, "nobody@example.com")
        assert known == unknown
        assert any("outgoing_mails" in statement for statement in known)
        assert not any("members" in statement for statement in known)


def test_letters_to_one_reader_grow_rare(at: At, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    config = settings.current().model_copy(update={"mail_inbox": True})
    monkeypatch.setattr(settings, "current", lambda: config)
    statuses = []
    for _ in range(2):
        for _ in range(LETTERS.free + 1):
            asker = at(alice, next(STRANGE))
            statuses.append(asker.send("/portal/forgotten", {"email": alice.email}).status_code)
        _open_the_gates()
    assert statuses == [200] * LETTERS.free + [429] + [200] + [429] * LETTERS.free


def test_origin_takes_any_text_for_an_address() -> None:
    for email in ("\ud800", "\x00", "", "x" * 300):
        assert len(throttling.origin(email, "not an address", None).account) == 32
