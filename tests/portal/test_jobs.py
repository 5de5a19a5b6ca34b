"""The jobs of an account: their list, cancelling one that waits, results while they are kept."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa
from flask import Flask

from app import jobs, tenancy
from app.platform.postgres import db
from app.portal.web.display.language import catalogue
from tests.cast import LEASE, Cast, Player
from tests.jobs.desk import Desk
from tests.portal.conftest import PortalClient, colleague
from tests.sharing.finished import finished_job

Make = Callable[[Player], PortalClient]
PAGE = "/portal/jobs"


@pytest.fixture
def desk(app: Flask, cast: Cast) -> Iterator[Desk]:
    with Desk.opened() as made:
        yield made


def _failed(job_id: uuid.UUID, code: str) -> None:
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE jobs SET status = 'failed', error_code = :code, completed_at = now(), "
                "payload_key = NULL WHERE id = :id"
            ),
            {"id": job_id, "code": code},
        )


@pytest.mark.parametrize(
    ("language", "heading", "title"),
    [("en", "No jobs yet", "Jobs"), ("es", "Todavía no hay trabajos", "Trabajos")],
)
def test_without_jobs_the_page_says_where_they_come_from(
    member: Make, alice: Player, language: str, heading: str, title: str
) -> None:
    visitor = member(alice)
    visitor.client.set_cookie("language", language)
    page = visitor.get(PAGE).text
    assert heading in page
    assert f"<h1>{title}</h1>" in page
    assert "POST /api/v1/jobs" in page
    assert "hx-get" not in page, "nothing is under way"


def test_a_waiting_job_refreshes_and_can_be_cancelled(
    member: Make, cast: Cast, alice: Player, desk: Desk
) -> None:
    job, visitor = desk.accept(alice), member(alice)
    page = visitor.get(PAGE).text
    assert "Waiting" in page
    assert f'hx-get="{PAGE}"' in page
    assert 'http-equiv="refresh"' in page, "without scripts the page reloads by itself"
    assert visitor.send(f"{PAGE}/{job}/cancel", {}, on=PAGE).location == PAGE
    page = visitor.get(PAGE).text
    assert "Cancelled. You were not charged." in page
    assert "hx-get" not in page
    assert cast.balance(alice).held == 0


def test_a_job_that_has_ended_cannot_be_cancelled(member: Make, alice: Player, desk: Desk) -> None:
    job, visitor = desk.accept(alice), member(alice)
    desk.run(job)
    visitor.send(f"{PAGE}/{job}/cancel", {}, on=PAGE)
    assert "cannot be cancelled" in visitor.get(PAGE).text
    assert desk.row(job).status == "completed"


def test_htmx_gets_the_list_alone(member: Make, alice: Player, desk: Desk) -> None:
    desk.accept(alice)
    page = member(alice).get(PAGE, headers={"HX-Request": "true"}).text
    assert page.startswith('<div id="jobs"')
    assert "<html" not in page


def test_a_result_is_read_or_downloaded_while_it_is_kept(member: Make, alice: Player, desk: Desk) -> None:
    job, visitor = desk.accept(alice), member(alice)
    desk.run(job)
    page = visitor.get(PAGE).text
    assert f'href="/portal/analyse/{job}"' in page
    assert json.loads(visitor.get(f"{PAGE}/{job}/result.json").text)["analysis"].startswith("# ")
    assert f'href="{PAGE}/{job}/report.pdf"' in page
    report = visitor.get(f"{PAGE}/{job}/report.md")
    assert report.text.startswith("**Candado**")
    assert f"analysis-{job.hex[:8]}.md" in report.headers["Content-Disposition"]
    assert visitor.get(f"{PAGE}/{job}/report.odt").status_code == 404
    assert visitor.get(f"{PAGE}/{job}/report.docx-comments").status_code == 409
    desk.forward(hours=200)
    visitor = member(alice)
    page = visitor.get(PAGE).text
    assert "no longer stored" in page
    assert str(job) not in visitor.get(PAGE).text.replace(f'title="{job}"', "")
    assert visitor.get(f"{PAGE}/{job}/result.json").status_code == 404
    assert visitor.get(f"{PAGE}/{job}/report.md").status_code == 410


def test_a_batch_shows_its_progress_and_is_downloaded_as_json(
    member: Make, alice: Player, desk: Desk
) -> None:
    job, visitor = desk.accept(alice, LEASE, LEASE + " Otrosí digo."), member(alice)
    assert desk.take(job)
    with db.transaction() as session:
        session.execute(sa.text("UPDATE jobs SET done = 1 WHERE id = :id"), {"id": job})
    page = visitor.get(PAGE).text
    assert "Batch analysis" in page
    assert '<progress class="meter" value="1" max="2"' in page
    assert "1 of 2" in page


def test_a_batch_that_is_through_offers_its_answer_and_no_page(
    member: Make, alice: Player, desk: Desk
) -> None:
    job, visitor = desk.accept(alice, LEASE, LEASE + " Otrosí digo."), member(alice)
    desk.run(job)
    assert f"/portal/analyse/{job}" not in visitor.get(PAGE).text
    answer = visitor.get(f"{PAGE}/{job}/result.json")
    assert len(json.loads(answer.text)["results"]) == 2
    assert "attachment" in answer.headers["Content-Disposition"]


def test_a_result_of_an_earlier_release_is_read_and_its_report_refused(
    member: Make, cast: Cast, alice: Player
) -> None:
    visitor, job = member(alice), finished_job(cast, alice)
    assert "Reduce it to one month." in visitor.get(f"/portal/analyse/{job}").text
    refused = visitor.get(f"{PAGE}/{job}/report.pdf")
    assert (refused.status_code, "earlier release" in refused.text) == (409, True)


def test_a_failure_is_told_in_the_words_of_the_visitor(member: Make, alice: Player, desk: Desk) -> None:
    job, visitor = desk.accept(alice), member(alice)
    _failed(job, "JOB_TIMEOUT")
    assert jobs.meaning("JOB_TIMEOUT") in visitor.get(PAGE).text
    visitor.client.set_cookie("language", "es")
    assert "superó la duración máxima" in visitor.get(PAGE).text


def test_every_reason_for_a_failure_has_its_spanish() -> None:
    from app.jobs.errors import MEANING

    spanish = catalogue("es")
    assert [code for code, words in MEANING.items() if spanish.gettext(words) == words] == []


def test_the_list_can_be_narrowed_to_a_state(member: Make, alice: Player, desk: Desk) -> None:
    waiting, failed = desk.accept(alice), desk.accept(alice)
    _failed(failed, "JOB_TIMEOUT")
    visitor = member(alice)
    page = visitor.get(f"{PAGE}?status=failed").text
    assert str(failed) in page
    assert str(waiting) not in page
    assert "No matches" in visitor.get(f"{PAGE}?status=completed").text
    assert str(waiting) in visitor.get(f"{PAGE}?status=anything").text


def test_mallory_sees_nothing_of_alices_jobs(
    member: Make, alice: Player, mallory: Player, desk: Desk
) -> None:
    job, visitor = desk.accept(alice), member(mallory)
    desk.run(job)
    assert str(job) not in visitor.get(PAGE).text
    for unknown in (job, uuid.uuid4()):
        assert visitor.get(f"{PAGE}/{unknown}/result.json").status_code == 404
        assert visitor.send(f"{PAGE}/{unknown}/cancel", {}, on="/portal/").status_code == 404


@pytest.mark.parametrize(("role", "allowed"), [("developer", True), ("admin", True), ("compliance", False)])
def test_jobs_are_for_those_who_manage_keys(
    member: Make, alice: Player, desk: Desk, role: tenancy.Role, allowed: bool
) -> None:
    job, visitor = desk.accept(alice), member(colleague(alice, role))
    assert visitor.get(PAGE).status_code == (200 if allowed else 403)
    if not allowed:
        assert visitor.get(f"{PAGE}/{job}/result.json").status_code == 403
        assert visitor.send(f"{PAGE}/{job}/cancel", {}, on="/portal/").status_code == 403
        assert PAGE not in visitor.get("/portal/").text
