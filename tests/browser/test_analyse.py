"""A lawyer analyses a text in the browser and looks at the evidence."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from app.jobs.execution import runner
from tests.browser.conftest import AXE, LOOKS, Look, Visit
from tests.cast import LEASE, Cast

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_lawyer_sees_the_proof_in_the_text(visit: Callable[..., Visit], cast: Cast, look: Look) -> None:
    here = visit(look)
    here.sign_in(cast.player("alice"))
    here.open("/portal/analyse")
    here.check()
    here.page.fill("#text", LEASE)
    here.page.check("input[name=mode][value=deep]")
    here.page.click("button.btn--primary")
    here.page.wait_for_url("**/analyse/*-*")
    here.check()
    assert runner.run(uuid.UUID(here.page.url.rpartition("/")[2]), "test-worker")
    here.page.wait_for_selector(".reading")
    here.page.locator(".proof summary").first.click()
    here.page.locator("[data-quote] + button").first.click()
    assert here.page.locator("mark").inner_text() in LEASE
    here.check()
    here.open("/portal/analyse/samples/demand_co")
    here.check()


def test_a_text_survives_the_end_of_a_session_in_its_tab_alone(
    visit: Callable[..., Visit], cast: Cast
) -> None:
    here, alice = visit(LOOKS[0]), cast.player("alice")
    here.sign_in(alice)
    here.open("/portal/analyse")
    here.page.fill("#text", LEASE)
    here.context.clear_cookies(name="session")
    here.page.click("form[data-analyse] button.btn--primary")
    here.page.wait_for_url(lambda url: "/sign-in?next=" in url)
    here.page.fill("#email", alice.email)
    here.page.fill("#password", alice.password)
    here.page.click("main button[type=submit]")
    here.page.wait_for_url("**/portal/analyse")
    assert here.page.locator("[data-restored]").is_visible()
    assert here.page.input_value("#text") == LEASE
    here.check()
    here.page.click("[data-restored] button")
    here.open("/portal/analyse")
    assert here.page.input_value("#text") == ""
    # A result opened meanwhile ends no draft; an hour and another member do.
    here.page.fill("#text", LEASE)
    here.open(f"/portal/analyse/{uuid.uuid4()}")
    here.open("/portal/analyse")
    assert here.page.input_value("#text") == LEASE
    here.page.evaluate("""() => {
        sessionStorage.setItem("draft:somebody-else", JSON.stringify({ text: "theirs", at: Date.now() }));
        for (const key of Object.keys(sessionStorage).filter((one) => !one.includes("else"))) {
            if (key.startsWith("draft:")) sessionStorage.setItem(key, JSON.stringify({ text: "old", at: 1 }));
        }
    }""")
    here.open("/portal/analyse")
    assert here.page.input_value("#text") == ""
    assert here.page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('draft'))") == []
    # Who signs out leaves nothing for the next person at this tab.
    here.page.fill("#text", LEASE)
    here.page.click("form[data-leaves] button")
    here.page.wait_for_url("**/sign-in*")
    assert here.page.evaluate("sessionStorage.length") == 0
