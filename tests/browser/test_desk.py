"""Usage, credits, webhooks and organizations in Debian's Chromium: every page, and a partner's errand."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from app.platform import settings
from app.portal.web.display import key_picker
from tests.browser.conftest import AXE, LOOKS, OPPOSITES, Look, Visit
from tests.cast import LEASE, Cast, Player
from tests.portal.calls import called
from tests.portal.organizations import organizations_of
from tests.portal.webhooks import ended, registered, told

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]

Visits = Callable[..., Visit]


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.fixture(autouse=True)
def listed_hosts(app: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("WEBHOOK_ALLOW_HOSTS", "hooks.test")
    settings.current.cache_clear()
    yield
    monkeypatch.undo()
    settings.current.cache_clear()


def busy(alice: Player, cast: Cast) -> tuple[uuid.UUID, uuid.UUID, uuid.UUID]:
    """An account that has been at work: an organization, its child key and a webhook."""
    child = cast.child(alice)
    (organization,) = organizations_of(alice)
    for days in range(40):
        called(alice, 3 + days % 5, ago=timedelta(days=days), key_id=child.key_id if days % 2 else None)
    called(alice, 2, status=500, credits=0)
    hook = registered(alice)
    told(alice, 2)
    ended(hook)
    told(alice)
    return organization.id, child.key_id, hook


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_the_desk_of_a_busy_account_is_accessible_and_fits(visit: Visits, cast: Cast, look: Look) -> None:
    broke, alice = cast.player("broke", credit=0), cast.player("alice")
    organization, key, hook = busy(alice, cast)
    here = visit(look)
    here.sign_in(broke)
    here.open("/portal/credits")
    here.check()
    here.context.clear_cookies()
    here.sign_in(alice)
    for path in (
        "", "usage", "usage?from=2026-02-01&to=2026-01-01", "credits", "keys", "webhooks", f"webhooks/{hook}",
        "organizations", f"organizations/{organization}", f"organizations/{organization}/keys/{key}",
    ):  # fmt: skip
        here.open(f"/portal/{path}")
        here.check()


@pytest.mark.parametrize(
    ("look", "javascript"),
    [(OPPOSITES[0], True), (OPPOSITES[1], True), (LOOKS[2], False)],
    ids=lambda value: str(value),
)
def test_a_partner_issues_a_sub_key_and_cuts_it_off(
    visit: Visits, alice: Player, look: Look, javascript: bool
) -> None:
    here = visit(look, javascript=javascript)
    here.sign_in(alice)
    page = here.page
    here.open("/portal/organizations")
    page.click("main a[href$='/organizations/new']")
    page.fill("#name", "Despacho Ribera")
    page.click("main button[type=submit]")
    page.click("main a.btn--primary")
    page.click("main button[type=submit]")
    page.wait_for_selector("[role=alert]")
    page.fill("#label", "Gestoría Llorente")
    page.fill("#cap", "50")
    page.click("main button[type=submit]")
    page.wait_for_selector("#new-key")
    shown = page.inner_text("#new-key")
    if javascript:
        here.check()
    api = here.context.request
    asked = {"headers": {"Authorization": f"Bearer {shown}"}, "data": {"text": LEASE}}
    assert api.post(here.address + "/api/v1/analyze", **asked).status == 200
    page.click("a[href$='/cut-off']")
    page.wait_for_url("**/cut-off")
    if javascript:
        here.check()
    page.click("main button[type=submit]")
    page.wait_for_selector(".note--ok")
    assert shown not in page.content()
    if javascript:
        here.check()
    assert api.post(here.address + "/api/v1/analyze", **asked).json()["code"] == "KEY_REVOKED"
    page.click("form[action$='/let-in'] button")
    page.wait_for_selector(".note--ok")
    assert api.post(here.address + "/api/v1/analyze", **asked).status == 200


def test_choosing_a_key_redraws_the_report_in_place(visit: Visits, alice: Player, cast: Cast) -> None:
    _, key, _ = busy(alice, cast)
    here = visit()
    here.sign_in(alice)
    here.open("/portal/usage")
    assert here.page.locator("table:has-text('Junior')").count() == 1
    here.page.evaluate("document.title = 'the same page'")
    here.page.select_option("#api_key_id", str(alice.key_id))
    here.page.wait_for_selector("table:has-text('Junior')", state="detached")
    assert str(alice.key_id) in here.page.url
    assert str(key) not in here.page.url
    here.page.select_option("#granularity", "week")
    here.page.wait_for_url("**granularity=week**")
    assert here.page.locator("figure.chart").count() == 4
    here.page.fill("#from", "2026-02-01")
    here.page.fill("#to", "2026-01-01")
    here.page.click("main form button[type=submit]")
    here.page.wait_for_selector("#from-err")
    here.check()


@pytest.mark.parametrize("javascript", [True, False])
def test_among_many_keys_the_busiest_are_listed_after_the_page(
    visit: Visits, alice: Player, cast: Cast, javascript: bool
) -> None:
    busy(alice, cast)
    for _ in range(key_picker.OFFERED):
        cast.key(alice.account_id)
    here = visit(LOOKS[0], javascript=javascript)
    here.sign_in(alice)
    here.open("/portal/usage")
    if not javascript:
        here.page.click("#by-key a")
    here.page.wait_for_selector("#by-key table:has-text('Junior')")
    if javascript:
        assert here.page.locator("figure.chart").count() == 4
        here.check()


def test_a_test_is_watched_until_it_ends(visit: Visits, alice: Player, cast: Cast) -> None:
    hook = registered(alice)
    here = visit(LOOKS[3])
    here.sign_in(alice)
    here.open(f"/portal/webhooks/{hook}")
    here.page.click("form[action$='/test'] button")
    here.page.wait_for_selector("#deliveries[hx-get]")
    ended(hook)
    here.page.wait_for_selector("#deliveries .tag--bad", timeout=15_000)
    assert here.page.locator("#deliveries[hx-get]").count() == 0
    here.check()
    here.page.click("#deliveries nav a >> nth=1")
    here.page.wait_for_url("**status=exhausted")
    here.page.click("#deliveries .act button")
    here.page.wait_for_selector(".note--ok")


def test_a_signature_is_checked_by_hand(visit: Visits, alice: Player) -> None:
    here = visit(LOOKS[2])
    here.sign_in(alice)
    here.open("/portal/webhooks/signature")
    here.page.fill("#header", "X-Service-Signature: t=1763654400,v1=5f2a")
    here.page.fill("#body", '{"id": 1}')
    here.page.fill("#secret", "whsec_abcd")
    here.page.click("main button[type=submit]")
    here.page.wait_for_selector(".note--bad h2")
    assert here.page.input_value("#secret") == ""
    here.check()
