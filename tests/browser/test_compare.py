"""Two versions compared in a browser: the form, then both sides, in every look."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import AXE, LOOKS, Look, Visit
from tests.cast import LEASE, Cast

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]

BEFORE = f"{LEASE}\n\nCUARTA.- Penalización. El retraso en la entrega se sanciona con 1.000 euros."
AFTER = (
    BEFORE.replace("1.000 euros", "5.000 euros").replace("un año", "tres años")
    + "\n\nQUINTA.- Fuero. Madrid."
)


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_both_versions_are_read_side_by_side(visit: Callable[[Look], Visit], cast: Cast, look: Look) -> None:
    here = visit(look)
    here.sign_in(cast.player("alice"))
    here.open("/portal/compare")
    here.check()
    here.page.fill("#before", BEFORE)
    here.page.fill("#after", AFTER)
    here.page.locator("form .btn--primary").click()
    here.page.wait_for_url("**/portal/compare/*-*")
    here.check()
    assert here.page.locator("del", has_text="1.000").count() == 1
    tops = here.page.locator(".diff[open] .diff__side").evaluate_all(
        "them => them.slice(0, 2).map(one => one.getBoundingClientRect().top)"
    )
    # Side by side where there is room, else one below the other.
    assert (tops[0] == tops[1]) == (look.width > 1000)
    assert here.page.locator("ins", has_text="5.000").count() == 1
    assert "line-through" in here.page.locator("del").first.evaluate(
        "one => getComputedStyle(one).textDecoration"
    )
    assert "underline" in here.page.locator("ins").first.evaluate(
        "one => getComputedStyle(one).textDecoration"
    )


def test_both_texts_outlive_a_session_that_ended(visit: Callable[[Look], Visit], cast: Cast) -> None:
    alice = cast.player("alice")
    here = visit(LOOKS[0])
    here.sign_in(alice)
    here.open("/portal/compare")
    here.page.fill("#before", BEFORE)
    here.page.fill("#after", AFTER)
    here.context.clear_cookies(name="session")
    here.page.locator("form .btn--primary").click()
    here.page.wait_for_url(lambda url: "/sign-in?next=" in url)
    here.page.fill("#email", alice.email)
    here.page.fill("#password", alice.password)
    here.page.click("main button[type=submit]")
    here.page.wait_for_url("**/portal/compare")
    assert (here.page.input_value("#before"), here.page.input_value("#after")) == (BEFORE, AFTER)
    assert here.page.locator("[data-restored]").is_visible()
    here.page.locator("form .btn--primary").click()
    here.page.wait_for_url("**/portal/compare/*-*")
    assert here.page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('draft'))") == []
