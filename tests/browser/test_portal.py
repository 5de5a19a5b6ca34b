"""The portal in Debian's Chromium: every page in every look, and the errands of the people who use it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app import mail, tenancy
from app.platform.postgres import db
from tests.browser.conftest import AXE, LOOKS, Look, Visit
from tests.cast import Cast, Player
from tests.portal.conftest import analysed, colleague
from tests.portal.pages import PAGES, furnished

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]

Visits = Callable[..., Visit]

# Of the reference: its front, a body with nested fields and many forms, many parameters, an event.
REFERENCE = (
    "/docs", "/docs/analyze?in=python", "/docs/create-job", "/docs/usage", "/docs/on-analysis-completed",
    "/docs?q=webhook+id", "/docs?q=zebra",
)  # fmt: skip


@pytest.fixture
def alice(cast: Cast) -> Player:
    return cast.player("alice")


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_every_page_is_accessible_and_fits(visit: Visits, cast: Cast, look: Look) -> None:
    newcomer, regular = cast.player("newcomer", credit=5), cast.player("regular")
    for number in range(3):
        analysed(regular, citations={"verified": number, "not_found": 1, "mismatch": number})
    here = visit(look)
    with db.reading() as session:
        member = tenancy.find_member(session, regular.email)
        assert member is not None
    ended = f"/unsubscribe/{mail.unsubscribe_token(member.id, 'cap')}"
    for path in ("/", "/example", "/status", "/portal/sign-in", "/portal/sso", ended, "/nowhere", *REFERENCE):
        here.open(path)
        here.check()
    # Both sizes, schemes and languages see every page, empty and filled; the other looks half of them each.
    pages, empty = furnished(cast, regular), [page for page in PAGES if "{" not in page]
    if look in (LOOKS[1], LOOKS[2]):
        pages, empty = pages[LOOKS.index(look) - 1 :: 2], []
    for player, shown in ((newcomer, empty), (regular, pages)):
        here.context.clear_cookies()
        here.sign_in(player)
        for path in shown:
            here.open(path)
            here.check()
            if look is LOOKS[0]:
                here.check_widths(480, 768, 1024, 1920)


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_wrong_password_is_said_accessibly(visit: Visits, alice: Player, look: Look) -> None:
    here = visit(look)
    here.open("/portal/sign-in")
    here.page.fill("#email", alice.email)
    here.page.fill("#password", "wrong password")
    here.page.press("#password", "Enter")
    here.page.wait_for_selector("[role=alert]")
    here.check()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_an_integrator_creates_a_key_copies_it_and_cuts_it_off(
    visit: Visits, alice: Player, look: Look
) -> None:
    here = visit(look)
    here.context.grant_permissions(["clipboard-read", "clipboard-write"])
    here.sign_in(alice)
    here.open("/portal/keys/new")
    here.page.click("main button[type=submit]")
    here.page.wait_for_selector("[role=alert]")
    here.check()
    here.page.fill("#name", "Case files")
    here.page.check("input[value=query]")
    here.page.click("main button[type=submit]")
    shown = here.page.inner_text("#new-key")
    here.page.click("[data-copy=new-key]")
    assert here.page.evaluate("navigator.clipboard.readText()") == shown
    here.page.click("summary")
    here.check()

    here.page.click("tr:has-text('Case files') a")
    here.page.click("main a.btn--danger")
    here.page.click("main button[type=submit]")
    here.page.wait_for_selector(".note--ok")
    assert shown not in here.page.content()
    here.check()
    answer = here.context.request.post(
        here.address + "/api/v1/analyze", headers={"Authorization": f"Bearer {shown}"}, data={"text": "x"}
    )
    assert answer.json()["code"] == "KEY_REVOKED"


def test_the_overview_notices_the_first_analysis_by_itself(visit: Visits, alice: Player) -> None:
    here = visit()
    here.sign_in(alice)
    here.page.wait_for_selector(".steps")
    analysed(alice)
    here.page.wait_for_selector("table", timeout=15_000)
    here.check()


@pytest.mark.parametrize("javascript", [True, False])
def test_a_compliance_officer_verifies_the_chain(visit: Visits, alice: Player, javascript: bool) -> None:
    analysed(alice)
    here = visit(javascript=javascript)
    here.sign_in(colleague(alice, "compliance"))
    here.page.click("nav a[href='/portal/analyses']")
    if not javascript:
        here.page.click("main a[href='/portal/analyses/chain']")
    here.page.wait_for_selector(".chain .i--ok")
    assert here.page.locator("a[href='/portal/keys']").count() == 0


def test_everything_works_without_javascript(visit: Visits, alice: Player) -> None:
    here = visit(javascript=False)
    here.sign_in(alice)
    assert here.page.locator("[data-copy]:visible").count() == 0
    here.page.click("main a[href='/portal/keys/new']")
    here.page.fill("#name", "Plain")
    here.page.click("main button[type=submit]")
    assert here.page.inner_text("#new-key").startswith("svc_")
    here.page.click("tr:has-text('Plain') a")
    here.page.click("main a.btn--danger")
    here.page.click("main button[type=submit]")
    here.page.wait_for_selector(".note--ok")
    here.page.click("nav button[type=submit]")
    here.page.wait_for_url("**/portal/sign-in")
    here.open("/portal/keys")
    assert "/portal/sign-in" in here.page.url


def test_the_keyboard_alone_is_enough(visit: Visits, alice: Player) -> None:
    here = visit()
    here.open("/portal/sign-in")
    keyboard = here.page.keyboard
    keyboard.type(alice.email)  # the field has the focus already
    keyboard.press("Tab")
    keyboard.type(alice.password)
    keyboard.press("Enter")
    here.page.wait_for_url("**/portal/")
    keyboard.press("Tab")
    assert here.page.evaluate("document.activeElement.className") == "skip"
    keyboard.press("Enter")
    keyboard.press("Tab")
    assert here.page.evaluate("document.activeElement.closest('main') !== null")


def test_the_menu_opens_on_a_phone(visit: Visits, alice: Player) -> None:
    here = visit(LOOKS[2])
    here.sign_in(alice)
    link = here.page.locator("nav a[href='/portal/analyses']")
    assert not link.is_visible()
    here.page.click(".top__menu")
    here.check()
    link.click()
    here.page.wait_for_url("**/portal/analyses")


def test_language_and_theme_switch_in_place(visit: Visits, alice: Player) -> None:
    here = visit()
    here.sign_in(alice)
    here.open("/portal/keys")
    here.page.click("a[hreflang=es]")
    assert here.page.url.endswith("/portal/keys")
    assert here.page.inner_text("h1") == "Claves de API"
    here.page.click("a[href*='/theme/dark']")
    here.page.wait_for_selector("html[data-theme=dark] footer")
    dark = here.page.evaluate("getComputedStyle(document.body).backgroundColor")
    here.page.click("a[href*='/theme/light']")
    here.page.wait_for_selector("html[data-theme=light] footer")
    assert here.page.evaluate("getComputedStyle(document.body).backgroundColor") != dark
    here.check()


@pytest.mark.parametrize("look", [LOOKS[0], LOOKS[2]], ids=str)
def test_an_operation_is_found_by_keyboard_and_its_sample_copied(visit: Visits, look: Look) -> None:
    here = visit(look)
    here.context.grant_permissions(["clipboard-read", "clipboard-write"])
    here.open("/docs")
    here.page.focus("main a[href='/docs/create-webhook']")
    here.page.keyboard.press("Enter")
    here.page.wait_for_url("**/docs/create-webhook")
    here.page.focus("a[href*='in=python']:has-text('Python')")
    here.page.keyboard.press("Enter")
    here.page.wait_for_url("**/docs/create-webhook?in=python*")
    here.page.focus("[data-copy=sample]")
    here.page.keyboard.press("Enter")
    assert here.page.evaluate("navigator.clipboard.readText()") == here.page.text_content("#sample")
    for summary in here.page.locator("main summary").all():
        if not summary.evaluate("it => it.parentElement.open"):
            summary.focus()
            here.page.keyboard.press("Enter")
    assert here.page.locator("main details:not([open])").count() == 0
    here.check()


def test_an_error_is_found_by_a_field_and_its_address_unfolds_it(visit: Visits) -> None:
    here = visit(LOOKS[0])
    here.open("/docs")
    here.page.fill("#q", "idempotency batch")
    here.page.press("#q", "Enter")
    here.page.wait_for_url("**/docs?q=*")
    here.page.click("main a[href='/docs/analyze-batch']")
    here.page.wait_for_url("**/docs/analyze-batch")
    assert not here.page.evaluate("document.getElementById('status-409').open")
    here.open("/docs/analyze-batch#status-409")
    assert here.page.evaluate("document.getElementById('status-409').open")
    here.page.evaluate("location.hash = '#status-402'")
    here.page.wait_for_function("document.getElementById('status-402').open")
    assert here.complaints == []


def test_the_reference_works_without_javascript(visit: Visits) -> None:
    here = visit(LOOKS[2], javascript=False)
    here.open("/docs/analyze")
    link = here.page.locator("#nav a[href='/docs/analyze-batch']")
    assert not link.is_visible()
    here.page.click(".top__menu")
    link.click()
    here.page.wait_for_url("**/docs/analyze-batch")
    assert here.page.locator("[data-copy]:visible").count() == 0
    here.page.click(".refturn [rel=next]")
    here.page.wait_for_url("**/docs/sandbox-analyze")
    assert here.complaints == []
