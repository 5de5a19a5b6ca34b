"""A partner's people meet neither the house's name nor its host in any mail."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app import branding, mail, portal
from app.platform import clock, settings
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient

HOST = "desk.soler.example"
HOUSE = re.compile("candado", re.IGNORECASE)


@pytest.fixture
def branded(app: Flask, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Player:
    """An account of a partner with a host name of its own."""
    alice = cast.player("alice")
    worn = {
        "branding": "partner", "partner_brand_name": "Soler", "partner_legal_name": "Soler, S.L.P.",
        "partner_support_email": "help@soler.example", "partner_website": "https://www.soler.example/",
    }  # fmt: skip
    with db.transaction() as session:
        branding.save(session, cast.caller(alice), worn, now=clock.now())
    config = settings.current().model_copy(
        update={
            "brand_hosts": f"{HOST}={alice.account_id}",
            "mail_inbox": True,
            "signup_open": True,
            "public_url": "",
        }
    )
    monkeypatch.setattr(settings, "current", lambda: config)
    return alice


class _Host(PortalClient):
    """A browser that opens the partner's host name."""

    def get(self, path: str, **options: object):  # type: ignore[no-untyped-def]
        return self.client.get(path, base_url=f"https://{HOST}", **options)  # type: ignore[arg-type]

    def send(self, path: str, form: dict[str, object], *, on: str | None = None):  # type: ignore[no-untyped-def]
        data = {"csrf_token": self.token(on or path), **form}
        return self.client.post(path, base_url=f"https://{HOST}", data=data)


def _where(text: str) -> list[str]:
    found = HOUSE.finditer(text)
    return [text[max(0, one.start() - 60) : one.end() + 40].replace("\n", " ") for one in found]


def test_no_mail_of_a_partner_names_the_house_or_its_host(
    app: Flask, branded: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[mail.MailMessage] = []
    monkeypatch.setattr("app.mail.outbox._send", found.append)
    config = settings.current().model_copy(update={"public_url": "https://operator.example"})
    monkeypatch.setattr(settings, "current", lambda: config)
    visitor = _Host(app.test_client(), branded)
    assert visitor.sign_in().status_code == 303
    invited = {"email": f"ana-{clock.epoch()}@example.com", "role": "developer"}
    assert visitor.send("/portal/team/invitations", invited, on="/portal/team").status_code == 303
    with db.transaction() as session:
        facts = {"webhook": "x", "host": "hooks.example.com", "reason": "gone"}
        mail.notify(session, branded.account_id, "webhook_off", facts, now=clock.now())
    visitor.send("/portal/sign-out", {}, on="/portal/")
    visitor.send("/portal/forgotten", {"email": branded.email})
    mail.send_due(portal.compose)
    mine = [one for one in found if one.to in (branded.email, invited["email"])]
    assert len(mine) == 3
    for letter in mine:
        words = letter.subject + letter.text + str(letter.sender)
        assert _where(words) == []
        assert "operator.example" not in words
        assert f"https://{HOST}/" in letter.text
