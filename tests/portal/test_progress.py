"""The page of an analysis under way: what it shows, what it tells a page that has seen the rest."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest

from app.jobs.execution import runner
from app.platform import clock
from tests.cast import LEASE, Player
from tests.jobs.desk import Desk
from tests.portal.conftest import PortalClient

Make = Callable[[Player], PortalClient]
HTMX = {"HX-Request": "true"}


class Watched:
    """An analysis that a test moves on, and the page that follows it."""

    def __init__(self, visitor: PortalClient) -> None:
        self.visitor = visitor
        form = {
            "text": LEASE,
            "jurisdiction": "ES",
            "branch": "civil",
            "language": "es",
            "mode": "standard",
            "key": str(visitor.player.key_id),
            "once": clock.now().isoformat(),
        }
        self.path = str(visitor.send("/portal/analyse", form).location)
        self.job_id = uuid.UUID(self.path.rpartition("/")[2])
        self.seen = ""

    def take(self) -> None:
        desk = Desk()
        self.claim = desk.taken(self.job_id)
        self.writer, self.recorder = desk.reporter(self.claim)

    def move(self, **changes: object) -> None:
        self.recorder.change(**changes)  # type: ignore[arg-type]
        self.writer.write()

    def poll(self) -> tuple[int, str]:
        """What the page that has seen so much is told."""
        answer = self.visitor.get(f"{self.path}?seen={self.seen}", headers=HTMX)
        found = re.search(r'id="progress-seen" value="([^"]+)"', answer.text)
        if found:
            self.seen = found[1]
        return answer.status_code, " ".join(answer.text.split())


@pytest.fixture
def watched(member: Make, alice: Player) -> Watched:
    return Watched(member(alice))


def test_the_page_shows_the_stages_with_their_counts(watched: Watched) -> None:
    assert "progress__steps" not in watched.visitor.get(watched.path).text
    watched.take()
    assert "Analysis in progress" in watched.visitor.get(watched.path).text
    stages = ("reading", "law", "drafting", "judging", "auditing")
    watched.move(stages=stages, stage="drafting", parts=8, parts_read=3, sources_found=41)
    page = watched.visitor.get(watched.path).text
    shown = [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in re.findall(r"<li.*?</li>", page, re.S)]
    assert shown[-5:] == [
        "Read the text (done)",
        "Find the law it calls for (done) 41 sources found",
        "Draft the analysis 3 of 8 parts read",
        "Judge every statement and citation",
        "Check the analysis a second time",
    ]
    assert page.count('aria-current="step"') == 1
    assert "Cancel</button>" not in page, "it has begun"


def test_a_page_that_has_seen_it_is_told_nothing(watched: Watched) -> None:
    status, text = watched.poll()
    assert status == 200
    assert 'role="status"' in text
    assert "Cancel" in text
    assert watched.poll() == (204, "")
    watched.take()
    status, text = watched.poll()
    assert (status, "Cancel</button>" in text) == (200, False)
    assert 'id="progress-cancel" hx-swap-oob="true"' in text
    assert watched.poll() == (204, "")


def test_stages_are_announced_and_counts_are_not(watched: Watched) -> None:
    watched.take()
    watched.move(stage="drafting", parts=8)
    _, text = watched.poll()
    assert '<p class="vh" role="status" id="progress-said" hx-swap-oob="innerHTML">' in text
    assert "Analysis in progress: Draft the analysis" in text
    watched.move(parts_read=1)
    status, text = watched.poll()
    assert (status, "1 of 8 parts read" in text, "role=" in text) == (200, True, False)
    watched.move(stage="judging", statements_judged=1, sources_found=1)
    _, text = watched.poll()
    assert "1 statement judged · 1 source found" in text
    assert 'role="status"' in text


def test_the_end_brings_the_page_of_the_end(watched: Watched) -> None:
    watched.take()
    watched.poll()
    runner._end(watched.claim, "MODEL_ERROR")
    answer = watched.visitor.get(f"{watched.path}?seen={watched.seen}", headers=HTMX)
    assert (answer.text, answer.headers["HX-Refresh"]) == ("", "true")
    assert "It could not be analysed" in watched.visitor.get(watched.path).text


@pytest.mark.parametrize("seen", ["", "x", "running.drafting", "%3Cscript%3E", "a" * 5000])
def test_a_page_may_claim_to_have_seen_anything(watched: Watched, seen: str) -> None:
    watched.take()
    watched.move(stage="drafting")
    watched.seen = seen
    status, text = watched.poll()
    assert (status, "Draft the analysis" in text, "script" in text) == (200, True, False)
    assert LEASE[:30] not in text
