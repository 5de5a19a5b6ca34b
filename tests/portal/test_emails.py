"""Mails to an account's people are signed as the branding's preview shows."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from flask import Flask
from flask.testing import FlaskClient

from app import branding, mail, portal, tenancy
from app.mail.outbox import MailMessage
from app.platform import clock, settings
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient

Make = Callable[[Player], PortalClient]

SIGNED = {
    "branding": "partner",
    "partner_brand_name": "Ibáñez & Soler",
    "partner_legal_name": "Ibáñez y Soler Abogados, S.L.P.",
    "partner_support_email": "soporte@ibanez-soler.example",
    "partner_website": "https://www.ibanez-soler.example/",
}
FEET = {
    "nexus": "Candado",
    "partner": "Ibáñez y Soler Abogados, S.L.P. · "
    "soporte@ibanez-soler.example · https://www.ibanez-soler.example/",
    "none": "soporte@ibanez-soler.example · https://www.ibanez-soler.example/",
}


@pytest.fixture
def letters(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[MailMessage]:
    """What left for a mail server, oldest first."""
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM outgoing_mails"))
    config = settings.current().model_copy(update={"mail_inbox": True, "signup_open": True})
    monkeypatch.setattr(settings, "current", lambda: config)
    found: list[MailMessage] = []
    monkeypatch.setattr("app.mail.outbox._send", found.append)
    return found


def _wear(player: Player, **changes: str | None) -> None:
    with db.transaction() as session:
        branding.save(session, Cast.caller(player), {**SIGNED, **changes}, now=clock.now())


def _three(visitor: PortalClient, player: Player, letters: list[MailMessage]) -> list[MailMessage]:
    """An invitation, a reset and the notice of the new password."""
    invited = {"email": f"ana-{clock.epoch()}@example.com", "role": "developer"}
    assert visitor.send("/portal/team/invitations", invited, on="/portal/team").status_code == 303
    visitor.send("/portal/forgotten", {"email": player.email})
    mail.send_due(portal.compose)
    path = re.search(r"https?://[^/]+(/\S+)", letters[-1].text)
    assert path
    visitor.send(path[1], {"password": "four words are better"})
    mail.send_due(portal.compose)
    return letters[-3:]


@pytest.mark.parametrize("mode", ["nexus", "partner", "none"])
def test_every_letter_is_signed_as_the_preview_shows(
    member: Make, alice: Player, letters: list[MailMessage], mode: str
) -> None:
    _wear(alice, branding=mode)
    visitor = member(alice)
    page = visitor.get("/portal/branding").text
    shown = page.split(f'id="h-{mode}"')[1].split("extract--foot")[1].split("</p>")[0].removeprefix('">')
    foot = html.unescape(re.sub(r"<[^>]*>", "", shown)).strip()
    assert foot == FEET[mode]
    found = _three(visitor, alice, letters)
    assert len(found) == 3
    for letter in found:
        assert letter.text.endswith(f"\n\n{foot}\n")
        assert letter.reply_to == (None if mode == "nexus" else SIGNED["partner_support_email"])
        assert letter.sender == {"nexus": None, "partner": "Ibáñez & Soler", "none": ""}[mode]
        words = letter.subject + letter.text
        assert ("Candado" in words) is (mode == "nexus")
        assert ("Ibáñez & Soler" in letter.subject) is (mode == "partner")


def test_the_page_behind_a_letter_appears_as_the_letter_did(
    member: Make, alice: Player, letters: list[MailMessage], client: FlaskClient
) -> None:
    _wear(alice)
    visitor = member(alice)
    invited = {"email": f"nueva-{clock.epoch()}@example.com", "role": "developer"}
    visitor.send("/portal/team/invitations", invited, on="/portal/team")
    visitor.send("/portal/forgotten", {"email": alice.email})
    mail.send_due(portal.compose)
    for letter in letters[-2:]:
        path = re.search(r"https?://[^/]+(/portal/\S+)", letter.text)
        assert path
        page = client.get(path[1], headers={"Accept-Language": "en"}).text
        assert '<span class="logo__name">Ibáñez &amp; Soler</span>' in page
        assert "Candado" not in re.sub(r"<[^>]*>", "", page)


def test_a_partner_without_a_legal_name_signs_with_its_brand(
    member: Make, alice: Player, letters: list[MailMessage]
) -> None:
    _wear(alice, partner_legal_name=None, partner_support_email=None, partner_website=None)
    for letter in _three(member(alice), alice, letters):
        assert letter.text.endswith("\n\nIbáñez & Soler\n")
        assert letter.reply_to is None


def test_nobody_signs_where_there_is_nothing_to_sign_with(
    member: Make, alice: Player, letters: list[MailMessage]
) -> None:
    _wear(alice, branding="none", partner_support_email=None, partner_website=None)
    first, *_ = _three(member(alice), alice, letters)
    assert first.text.endswith("If you were not expecting this, ignore this e-mail.\n")


def test_letters_to_strangers_are_the_services_own(
    member: Make, alice: Player, letters: list[MailMessage]
) -> None:
    _wear(alice)
    visitor = member(alice)
    for email in (alice.email, f"nadie-{clock.epoch()}@example.com"):
        visitor.send("/portal/sign-up", {"email": email})
    mail.send_due(portal.compose)
    assert [letter.text.splitlines()[-1] for letter in letters] == ["Candado"] * 2


def test_letters_wear_the_oldest_masters_branding_then_another_keys(cast: Cast, alice: Player) -> None:
    def brand() -> str | None:
        with db.reading() as session:
            return branding.of_account(session, alice.account_id).partner_brand_name

    keys = [cast.key(alice.account_id) for _ in range(2)]
    first, second = (Player(**{**vars(alice), "key_id": one, "key": key}) for one, key in keys)
    assert brand() is None
    _wear(second, partner_brand_name="Second")
    assert brand() == "Second"
    _wear(first, partner_brand_name="First")
    assert brand() == "First"
    cast.organization(second)
    assert brand() == "Second"
    with db.transaction() as session:
        tenancy.revoke_key(session, second.key_id, now=clock.now())
    assert brand() == "First"
    with db.reading() as session:
        stranger = cast.player("mallory")
        assert branding.of_account(session, stranger.account_id) == branding.Branding()
