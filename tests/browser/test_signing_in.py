"""Pages of whoever is refused at the door, and keys that open nothing, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from app import mail, portal, tenancy
from app.platform import clock, settings
from app.platform.postgres import db
from tests.browser.conftest import LOOKS, Look, Visit
from tests.cast import Cast

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_refusals_at_the_door_can_be_read(
    visit: Callable[..., Visit], cast: Cast, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = settings.current().model_copy(update={"mail_inbox": True})
    monkeypatch.setattr(settings, "current", lambda: config)
    alice, here = cast.player("alice"), visit(look)
    here.sign_in(alice)
    here.open("/portal/profile/second-factor")
    with db.transaction() as session:
        member = tenancy.find_member(session, alice.email)
        assert member
        member.totp_secret, member.totp_failures = b"sealed", tenancy.second_factor.FAILURES_MAX
    here.context.clear_cookies()
    here.sign_in_halfway(alice)
    assert here.page.url.endswith("/portal/sign-in/code?next=/portal/")
    here.check()
    here.page.click("form button[type=submit]")
    here.page.wait_for_url("**/sign-in/code/letter")
    here.check()
    mail.send_due(portal.compose)
    letter = mail.inbox_mails()[0]
    path = re.search(r"(/portal/codes/\S+)", letter.text)
    assert path
    here.open(path[1])
    here.check()
    here.page.click("form button[type=submit]")
    here.page.wait_for_url("**/portal/sign-in")
    here.check()
    with db.transaction() as session:
        begun = tenancy.one_time_links.begin_reset(session, alice.email, now=clock.now())
        assert begun
    here.open(f"/portal/reset/{begun[1]}")
    here.page.fill("#password", "Password1234")
    here.page.press("#password", "Enter")
    here.page.wait_for_selector("#password-err")
    here.check()
    here.context.clear_cookies()
    for _ in range(6):
        here.open("/portal/sign-in")
        here.page.fill("#email", "nobody@example.com")
        here.page.fill("#password", "some guess")
        here.page.press("#password", "Enter")
        here.page.wait_for_selector(".note--bad")
    here.check()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_keys_that_open_nothing_are_told_apart(visit: Callable[..., Visit], cast: Cast, look: Look) -> None:
    alice, here = cast.player("alice"), visit(look)
    organization = cast.organization(alice)
    child = cast.child(alice, organization)
    with db.transaction() as session:
        tenancy.revoke_key(session, alice.key_id, now=clock.now())
    here.sign_in(alice)
    for path in (
        "/portal/keys",
        f"/portal/organizations/{organization}",
        f"/portal/organizations/{organization}/keys/{child.key_id}",
        "/portal/organizations",
    ):
        here.open(path)
        here.check()
