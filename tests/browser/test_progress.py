"""A lawyer waits for an analysis: what moves, what is announced, where the focus is."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from app.jobs.execution import runner
from tests.browser.conftest import AXE, LOOKS, Look, Visit
from tests.cast import LEASE, Cast
from tests.jobs.desk import Desk

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: make test installs it"),
]
DESK = Desk()
STAGES = ("reading", "law", "drafting", "judging", "auditing")
# What a screen reader would say: every text that the region gets, but not the one it began with.
LISTEN = """() => {
  window.said = [];
  const region = document.getElementById("progress-said");
  new MutationObserver(() => window.said.push(region.textContent.trim()))
    .observe(region, {childList: true, characterData: true, subtree: true});
}"""


def _sent(here: Visit, cast: Cast) -> uuid.UUID:
    here.sign_in(cast.player("alice"))
    here.open("/portal/analyse")
    here.page.fill("#text", LEASE)
    here.page.click("button.btn--primary")
    here.page.wait_for_url("**/analyse/*-*")
    return uuid.UUID(here.page.url.rpartition("/")[2])


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_a_lawyer_follows_an_analysis(visit: Callable[..., Visit], cast: Cast, look: Look) -> None:
    here = visit(look)
    job_id = _sent(here, cast)
    here.page.evaluate(LISTEN)
    here.page.focus("#progress-cancel button")
    here.page.wait_for_timeout(2000)
    assert here.page.evaluate("document.activeElement.tagName") == "BUTTON", "polling takes no focus"
    assert here.page.evaluate("window.said") == [], "nothing has changed, nothing is said"
    here.check()
    claim = DESK.taken(job_id)
    writer, recorder = DESK.reporter(claim)
    recorder.change(stages=STAGES, stage="drafting", parts=8, parts_read=3, sources_found=41)
    writer.write()
    here.page.wait_for_selector(".progress__now")
    assert here.page.locator("#progress-cancel button").count() == 0
    assert here.page.evaluate("document.activeElement.id") == "progress", "the focus stays where it was"
    here.check()
    recorder.change(more_read=1)
    writer.write()
    expect(here.page.locator(".progress__now .num")).to_contain_text("4")
    recorder.change(stage="judging")
    writer.write()
    expect(here.page.locator(".progress__steps li").nth(3)).to_have_class("progress__now")
    here.page.wait_for_timeout(2000)
    said = here.page.evaluate("window.said")
    assert len(said) == len(set(said)) == 2, "stages are announced, counts are not"
    runner._end(claim, "MODEL_ERROR")
    here.page.wait_for_selector("#progress", state="detached")
    assert "MODEL_ERROR" in here.page.locator("main").inner_text()
    here.check()


def test_without_scripts_the_page_loads_itself_again(visit: Callable[..., Visit], cast: Cast) -> None:
    here = visit(javascript=False)
    job_id = _sent(here, cast)
    claim = DESK.taken(job_id)
    writer, recorder = DESK.reporter(claim)
    recorder.change(stages=STAGES, stage="law", sources_found=1)
    writer.write()
    here.page.wait_for_selector(".progress__now", timeout=10_000)
    assert "1 source found" in here.page.locator(".progress__now").inner_text()
    recorder.change(sources_found=41)
    writer.write()
    here.page.get_by_text("41 sources found").wait_for(timeout=10_000)
    runner._end(claim, "MODEL_ERROR")
    here.page.get_by_text("MODEL_ERROR").wait_for(timeout=10_000)
