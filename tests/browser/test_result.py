"""The errands at a result, in clicks from its page: evidence, a link for a client, and paper."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.conftest import AXE, OPPOSITES, Look, Visit
from tests.browser.errand import Errand
from tests.cast import Cast
from tests.sharing.finished import SECRET, finished_job

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]


@pytest.mark.parametrize("look", OPPOSITES, ids=str)
def test_a_lawyer_reads_the_gravest_risk_and_shows_it_to_a_client(
    visit: Callable[..., Visit], cast: Cast, look: Look
) -> None:
    alice = cast.player("alice")
    here = visit(look)
    here.sign_in(alice)
    here.open(f"/portal/analyse/{finished_job(cast, alice)}")
    page = here.page
    # Severity, words, article and what to do without a click; the evidence by one.
    risk = page.locator(".entry--bad")
    for words in ("two months of rent", "art. 36.1 LAU", "Reduce it to one month."):
        assert words in risk.inner_text()
    errand = Errand(here)
    errand.click(".entry--bad > .proof > summary")
    assert page.locator(".entry--bad blockquote").is_visible()
    assert errand.clicks == 1
    here.check()

    # A link with a password: the page of links, the choice, the button.
    errand = Errand(here)
    errand.click("a[href$='/share']")
    errand.click("label:has(input[value=password])")
    errand.click("main form.box button[type=submit]")
    assert errand.clicks == 3
    here.check()
    path = re.sub(r"^https?://[^/]+", "", page.inner_text("#new-link"))
    password = page.inner_text("#new-password")

    # The client has no account, and no scripts.
    there = visit(look, javascript=False)
    there.open(path)
    there.page.fill("#password", password)
    there.page.press("#password", "Enter")
    there.page.wait_for_selector(".reading")
    assert SECRET in there.page.inner_text("main")


def test_paper_has_the_whole_result_and_nothing_to_click(visit: Callable[..., Visit], cast: Cast) -> None:
    alice = cast.player("alice")
    here = visit(OPPOSITES[0])
    here.sign_in(alice)
    here.open(f"/portal/analyse/{finished_job(cast, alice)}")
    here.page.emulate_media(media="print")
    assert not here.page.locator("main .btn:visible, .nav:visible, .top:visible, .foot:visible").count()
    assert here.page.locator(".entry .said").first.is_visible()
    assert here.page.locator(".entry__do").first.is_visible()
