"""The page of the service's state: what anybody may know, and nothing of anybody."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient

from app import analysis, jobs
from app.platform import clock, redis_client
from app.platform.confidential import DocumentText
from app.platform.postgres import db
from app.portal.home import status
from tests.cast import LEASE, Cast, Player


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Every visit looks again; nothing of another test waits."""
    with db.transaction() as session:
        session.execute(sa.text("DELETE FROM jobs WHERE status IN ('pending', 'running')"))
        # A job that another test has just ended shows that a worker is there.
        session.execute(
            sa.text(
                "UPDATE jobs SET created_at = created_at - interval '1 day', "
                "completed_at = completed_at - interval '1 day' WHERE completed_at IS NOT NULL"
            )
        )
        session.execute(sa.text("DELETE FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL"))
    status.CACHE.forget()
    yield
    status.CACHE.forget()


def looked(client: FlaskClient) -> tuple[int, str]:
    status.CACHE.forget()
    client.set_cookie("language", "en")
    page = client.get("/status")
    return page.status_code, page.text


def test_everything_works_and_no_figure_is_told(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player("alice")
    code, page = looked(client)
    assert (code, page.count("tag--ok"), "Everything works" in page) == (200, 3, True)
    assert alice.name not in page
    assert "postgres" not in page.lower()
    assert "redis" not in page.lower()


def test_jobs_that_wait_are_slow_and_without_a_worker_away(client: FlaskClient, cast: Cast) -> None:
    alice = cast.player("alice")
    waiting = _job(cast, alice)
    assert looked(client)[0] == 200
    _change(waiting, created_at=clock.now() - timedelta(minutes=3), due_at=clock.now() - timedelta(minutes=3))
    code, page = looked(client)
    assert (code, "Parts of the service are unavailable" in page) == (503, True)
    ended = _job(cast, alice)
    _change(ended, status="cancelled", payload_key=None, completed_at=clock.now())
    code, page = looked(client)
    assert (code, "tag--warn" in page, "Parts of the service are slow" in page) == (200, True, True)


def test_a_store_that_does_not_answer_is_said_in_words(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise redis_client.Unavailable

    monkeypatch.setattr("app.portal.home.status.redis_client.ping", away)
    code, page = looked(client)
    assert (code, page.count("tag--bad")) == (503, 2)
    assert "Try again in a few minutes" in page


def test_the_stores_are_asked_once_for_many_visitors(
    client: FlaskClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("app.portal.home.status.db.ping", lambda: asked.append(1))
    assert [client.get("/status").status_code for _ in range(5)] == [200] * 5
    assert len(asked) == 1


def _job(cast: Cast, player: Player) -> uuid.UUID:
    with db.transaction() as session:
        return jobs.accept(
            session,
            cast.caller(player),
            jobs.Payload.single(analysis.AnalysisRequest(DocumentText(LEASE))),
            request_id=f"req_{uuid.uuid4()}",
            base_url="https://api.example",
            now=clock.now(),
        ).id


def _change(job_id: uuid.UUID, **values: object) -> None:
    with db.transaction() as session:
        session.execute(sa.update(jobs.Job).where(jobs.Job.id == job_id).values(**values))
