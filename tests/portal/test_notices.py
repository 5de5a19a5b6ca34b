"""Members choose which mails about the account they get, and end a kind by one click without signing in."""

from __future__ import annotations

import base64
import os
import uuid
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import branding, governance, mail, tenancy, webhooks
from app.dev.system_packages import PDF
from app.governance.models import AuditDocument
from app.mail.outbox import MailMessage
from app.platform import clock, settings
from app.platform.errors import NotFound
from app.platform.postgres import db
from app.portal.web import notices
from app.webhooks import endpoints
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, analysed, colleague

Make = Callable[[Player], PortalClient]

SHARE = {"percent": 80, "monthlyCreditCap": 5000, "spent": 4100, "reachedOn": "2026-11-24",
         "resetsAt": "2026-12-01T00:00:00.000Z", "key": str(uuid.uuid4()), "name": "Práctica"}  # fmt: skip
FACTS: dict[mail.Kind, list[dict[str, Any]]] = {
    "cap": [SHARE, {**SHARE, "reachedOn": None}, {**SHARE, "percent": 100, "spent": 5000}],
    "balance": [
        {"percent": 50, "balance": 500, "toppedUpTo": 1000, "lastsUntil": "2026-12-24"},
        {"percent": 80, "balance": 200, "toppedUpTo": 1000, "lastsUntil": None},
        {"percent": 100, "balance": 0, "toppedUpTo": 1000, "lastsUntil": None},
    ],
    "webhook_off": [
        {"webhook": str(uuid.uuid4()), "host": "hooks.example.com", "reason": reason}
        for reason in ("gone", "exhausted")
    ],
    "key_expiring": [
        {"key": str(uuid.uuid4()), "name": "Práctica", "expiresAt": "2026-12-05T10:00:00.000Z"}
    ],
    "export_ready": [
        {"document": str(uuid.uuid4()), "first": "2026-10-01", "last": "2026-10-31",
         "expiresAt": "2026-11-29T10:00:00.000Z"}
    ],
}  # fmt: skip


@pytest.fixture
def letters(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[MailMessage]:
    """What left for a mail server, oldest first."""
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM outgoing_mails"))
    config = settings.current().model_copy(
        update={"mail_inbox": True, "public_url": "https://desk.example.com"}
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    found: list[MailMessage] = []
    monkeypatch.setattr("app.mail.outbox._send", found.append)
    return found


def _notify(player: Player, kind: mail.Kind, facts: dict[str, Any]) -> None:
    with db.transaction() as session:
        mail.notify(session, player.account_id, kind, facts, now=clock.now())


def _of(player: Player) -> uuid.UUID:
    with db.reading() as session:
        member = tenancy.find_member(session, player.email)
        assert member is not None
        return member.id


def _path(letter: MailMessage) -> str:
    assert letter.unsubscribe is not None
    return letter.unsubscribe.removeprefix("https://desk.example.com")


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_mail_says_what_happened_and_how_to_end_its_kind(
    alice: Player, letters: list[MailMessage], language: str
) -> None:
    with db.transaction() as session:
        tenancy.speak(session, _of(alice), "es" if language == "es" else "en")
    for kind, cases in FACTS.items():
        for facts in cases:
            _notify(alice, kind, facts)
    mail.send_due(notices.compose)
    assert len(letters) == sum(len(cases) for cases in FACTS.values())
    for letter in letters:
        assert "%(" not in letter.subject + letter.text
        assert letter.unsubscribe is not None
        assert letter.unsubscribe in letter.text
        assert "https://desk.example.com/portal/profile/mails" in letter.text
        assert letter.text.rstrip().endswith("Candado")
    words = letters[0].subject + letters[0].text
    expected = {
        "es": ("80\u00a0%", "24 de noviembre de 2026", "4.100"),
        "en": ("80%", "24 November 2026", "4,100"),
    }
    for word in expected[language]:
        assert word in words


def test_a_member_chooses_and_the_role_decides_the_rest(
    member: Make, alice: Player, letters: list[MailMessage]
) -> None:
    developer = colleague(alice, "developer")
    visitor = member(developer)
    page = visitor.get("/portal/profile/mails").text
    assert {kind for kind in mail.KINDS if f'value="{kind}"' in page} == set(mail.KINDS)
    assert page.count(" checked") == 3
    assert visitor.send("/portal/profile/mails", {"kinds": ["balance", "cap"]}).status_code == 303
    for kind in ("balance", "webhook_off"):
        _notify(alice, kind, FACTS[kind][0])
    mail.send_due(notices.compose)
    assert sorted(one.to for one in letters) == sorted([developer.email, alice.email, alice.email])


def test_an_officer_is_offered_what_they_may_see(member: Make, alice: Player) -> None:
    page = member(colleague(alice, "compliance")).get("/portal/profile/mails").text
    assert [kind for kind in mail.KINDS if f'value="{kind}"' in page] == ["export_ready"]


def test_one_click_ends_a_kind_without_a_session_and_opening_the_link_does_not(
    client: FlaskClient, alice: Player, letters: list[MailMessage]
) -> None:
    _notify(alice, "cap", SHARE)
    mail.send_due(notices.compose)
    path = _path(letters[0])
    assert client.get(path).status_code == 200
    _notify(alice, "cap", SHARE)
    mail.send_due(notices.compose)
    assert len(letters) == 2
    # As RFC 8058 has it: no cookie, no token of a form, a body of its own.
    answer = client.post(path, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    _notify(alice, "cap", SHARE)
    _notify(alice, "balance", FACTS["balance"][0])
    mail.send_due(notices.compose)
    assert len(letters) == 3
    assert letters[2].unsubscribe != letters[0].unsubscribe


def test_a_mail_that_waits_is_not_sent_after_its_kind_was_ended(
    client: FlaskClient, alice: Player, letters: list[MailMessage]
) -> None:
    _notify(alice, "cap", SHARE)
    client.post(f"/unsubscribe/{mail.unsubscribe_token(_of(alice), 'cap')}")
    mail.send_due(notices.compose)
    assert letters == []


def test_a_link_that_was_not_made_here_ends_nothing(client: FlaskClient, alice: Player) -> None:
    token = mail.unsubscribe_token(_of(alice), "cap")
    first = "B" if token[0] != "B" else "C"
    for wrong in (first + token[1:], token[:-3], "x", "A" * 44, "ñ" * 44):
        assert client.post(f"/unsubscribe/{wrong}").status_code == 404
        with pytest.raises(NotFound):
            mail.read_unsubscribe_token(wrong)
    # Neither another kind nor another member by a changed letter: whatever changes what it says is refused.
    raw = base64.urlsafe_b64decode(token)
    for place in range(len(raw)):
        changed = bytearray(raw)
        changed[place] ^= 1
        wrong = base64.urlsafe_b64encode(bytes(changed)).decode()
        with pytest.raises(NotFound):
            mail.read_unsubscribe_token(wrong)
    with db.reading() as session:
        assert mail.is_wanted(session, alice.account_id, _of(alice), "cap")


def test_the_link_of_a_member_who_left_is_a_404(client: FlaskClient, alice: Player) -> None:
    developer = colleague(alice, "developer")
    token = mail.unsubscribe_token(_of(developer), "cap")
    with db.transaction() as session:
        tenancy.remove_member(session, alice.account_id, _of(developer))
    assert client.get(f"/unsubscribe/{token}").status_code == 404


def test_mallory_cannot_choose_for_alice(alice: Player, mallory: Player) -> None:
    with pytest.raises(NotFound), db.transaction() as session:
        mail.choose(session, mallory.account_id, _of(alice), {"cap": False})


def test_a_partners_mail_and_page_bear_its_name_and_host(
    client: FlaskClient, alice: Player, letters: list[MailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    with db.transaction() as session:
        worn = {"branding": "partner", "partner_brand_name": "Soler"}
        branding.save(session, Cast.caller(alice), worn, now=clock.now())
    config = settings.current().model_copy(update={"brand_hosts": f"desk.soler.example={alice.account_id}"})
    monkeypatch.setattr(settings, "current", lambda: config)
    _notify(alice, "cap", SHARE)
    mail.send_due(notices.compose)
    (letter,) = letters
    assert letter.sender == "Soler"
    assert "https://desk.soler.example/unsubscribe/" in letter.text
    words = letter.subject + letter.text + client.get(letter.unsubscribe.partition(".example")[2]).text  # type: ignore[union-attr]
    assert "Soler" in words
    assert "andado" not in words
    assert "desk.example.com" not in words


def test_a_webhook_that_is_deactivated_and_a_finished_document_are_mailed_to_who_wants_them(
    alice: Player, letters: list[MailMessage]
) -> None:
    officer, now = colleague(alice, "compliance"), clock.now()
    with db.transaction() as session:
        row = webhooks.register(
            session, alice.account_id, alice.key_id, url="https://hooks.example.com/secret-path",
            events=("credits.low",), description=None, now=now,
        ).row  # fmt: skip
        endpoints.deactivate(session, row, "gone", now=now)
    mail.send_due(notices.compose)
    (letter,) = letters
    assert letter.to == alice.email
    assert "hooks.example.com" in letter.text
    assert "secret-path" not in letter.text
    assert f"/portal/webhooks/{row.id}" in letter.text
    letters.clear()
    analysed(alice)
    today = clock.today()
    with db.transaction() as session:
        session.execute(sa.delete(AuditDocument))
        document = governance.order(
            session, alice.account_id, today, today, key_id=None, flagged=False, language="es", now=now
        ).id
    if not PDF.is_met():
        needed = f"apt-get install {' '.join(PDF.packages)}"
        assert "CI" not in os.environ, needed
        pytest.skip(f"no text layout libraries on this machine: {needed}")
    assert governance.make_due("w1")
    with db.reading() as session:
        found = governance.find(session, alice.account_id, document)
        assert (found.status, found.error_code) == ("ready", None)
    mail.send_due(notices.compose)
    assert {letter.to for letter in letters} == {alice.email, officer.email}
    assert all(f"/portal/analyses/documents/{document}" in letter.text for letter in letters)
