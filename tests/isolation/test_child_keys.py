"""What came of a child key's work is that child's alone (decision 009), for everybody of its account.

One job of a child and one of the master, each with a word of its own in text and result; every role opens
everything that lists or opens a job.
"""

from __future__ import annotations

import importlib.util
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from flask import Flask
from flask.testing import FlaskClient

from app import jobs, tenancy
from app.platform import clock, redis_client, settings
from app.platform.errors import NotFound
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.jobs.desk import Desk
from tests.portal.conftest import PortalClient, colleague

HER_PARTY, OUR_PARTY = "Quevedina", "Lopedevega"
JOBS, ANALYSE = "/portal/jobs", "/portal/analyse"


@dataclass
class Scene:
    """A master with a sister key and a child; jobs of master and child that ended, and the child's batch."""

    desk: Desk
    master: Player
    sister: Player
    child: Player
    ours: uuid.UUID
    hers: uuid.UUID
    batch: uuid.UUID
    waiting: uuid.UUID


@pytest.fixture
def scene(app: Flask, cast: Cast) -> Iterator[Scene]:
    with Desk.opened() as desk:
        master = cast.player("alice")
        key_id, key = cast.key(master.account_id)
        sister = Player(**{**vars(master), "key_id": key_id, "key": key})
        child = cast.child(master)
        ours, hers = desk.accept(master, _text(OUR_PARTY)), desk.accept(child, _text(HER_PARTY))
        batch = desk.accept(child, _text(HER_PARTY), _text(HER_PARTY) + " Otrosí digo.")
        for job in (ours, hers, batch):
            assert desk.run(job)
        waiting = desk.accept(child, _text(HER_PARTY))
        yield Scene(desk, master, sister, child, ours, hers, batch, waiting)


def _text(party: str) -> str:
    return LEASE.replace("Prado", party)


def _visitor(app: Flask, player: Player, language: str = "en") -> PortalClient:
    client = app.test_client()
    client.set_cookie("language", language)
    visitor = PortalClient(client, player)
    assert visitor.sign_in().status_code == 303
    return visitor


def _openings(job: uuid.UUID | str) -> list[str]:
    """Every address of the portal that opens a job, read off the routes."""
    return [
        f"{ANALYSE}/{job}",
        f"{ANALYSE}/{job}/download.md",
        f"{ANALYSE}/{job}/download.json",
        f"{ANALYSE}/{job}/pages/1.png",
        f"{ANALYSE}/{job}/share",
        f"{JOBS}/{job}/result.json",
        *(f"{JOBS}/{job}/report.{form}" for form in ("pdf", "docx", "md", "docx-comments")),
    ]


def test_the_addresses_that_open_a_job_are_all_tried(app: Flask) -> None:
    rules = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/portal/") and "<uuid:job_id>" in rule.rule and "GET" in (rule.methods or ())
    }
    tried = {
        re.sub(r"download\.\w+", "download.<form>", path.replace("ID", "<uuid:job_id>"))
        for path in _openings("ID")
    }
    rules = {re.sub(r"report\.<any.*>", "report.md", rule).replace("<int:page>", "1") for rule in rules}
    assert rules == {re.sub(r"report\..*", "report.md", path) for path in tried}


@pytest.mark.parametrize("role", ["owner", "admin", "developer", "compliance"])
def test_members_see_state_and_cost_of_a_childs_job_and_cannot_open_it(
    app: Flask, scene: Scene, role: tenancy.Role
) -> None:
    visitor = _visitor(app, scene.master if role == "owner" else colleague(scene.master, role))
    allowed = role != "compliance"
    listed = visitor.get(JOBS)
    assert listed.status_code == (200 if allowed else 403)
    for job in (scene.hers, scene.batch, scene.waiting):
        for path in _openings(job):
            for headers in ({}, {"HX-Request": "true"}):
                answer = visitor.get(path, headers=headers)
                assert answer.status_code == 403, path
                assert HER_PARTY not in answer.text, path
                assert "attachment" not in answer.headers.get("Content-Disposition", ""), path
        if allowed:
            assert str(job) in listed.text
            assert not [path for path in _openings(job) if path in listed.text], "no link that opens it"
            assert f"{job}/cancel" not in listed.text
            page = visitor.get(f"{ANALYSE}/{job}").text
            assert "only to the holder of this child key" in page
            assert "Junior" in page
            assert "Waiting" in page if job == scene.waiting else "Completed" in page
    for path in (
        "/portal/",
        "/portal/analyses",
        "/portal/credits",
        "/portal/usage",
        "/portal/webhooks",
        "/portal/account/export",
    ):
        assert HER_PARTY not in visitor.get(path, follow_redirects=True).text, path
    if allowed:
        assert f'href="{ANALYSE}/{scene.ours}"' in listed.text
        assert OUR_PARTY in visitor.get(f"{ANALYSE}/{scene.ours}").text
        assert OUR_PARTY in visitor.get(f"{JOBS}/{scene.ours}/result.json").text


def test_members_cannot_cancel_a_childs_job(app: Flask, scene: Scene) -> None:
    visitor = _visitor(app, scene.master)
    for path in (f"{JOBS}/{scene.waiting}/cancel", f"{ANALYSE}/{scene.waiting}/cancel"):
        assert visitor.send(path, {}, on="/portal/keys/new").status_code == 403
    assert scene.desk.row(scene.waiting).status == "pending"
    assert scene.desk.run(scene.waiting)


@pytest.mark.parametrize("role", ["owner", "developer"])
def test_for_another_account_a_childs_job_is_not_there(
    app: Flask, cast: Cast, scene: Scene, role: tenancy.Role
) -> None:
    mallory = cast.player("mallory")
    visitor = _visitor(app, mallory if role == "owner" else colleague(mallory, role))
    for job in (scene.hers, scene.ours, uuid.uuid4()):
        for path in _openings(job):
            answer = visitor.get(path)
            assert answer.status_code == 404
            assert HER_PARTY not in answer.text
    assert str(scene.hers) not in visitor.get(JOBS).text


def test_the_page_says_why_in_spanish_too(app: Flask, scene: Scene) -> None:
    visitor = _visitor(app, scene.master, "es")
    page = visitor.get(f"{ANALYSE}/{scene.hers}").text
    assert "solo para quien tiene esta subclave" in page
    assert "solo para quien la tiene" in visitor.get(JOBS).text


def test_keys_open_their_own_and_a_child_its_own_alone(client: FlaskClient, cast: Cast, scene: Scene) -> None:
    cousin = cast.child(scene.sister)
    mallory = cast.player("mallory")
    may = {
        "master": (scene.master, {scene.ours}),
        "sister": (scene.sister, {scene.ours}),
        "child": (scene.child, {scene.hers, scene.batch, scene.waiting}),
        "cousin": (cousin, set()),
        "mallory": (mallory, set()),
    }
    everything = (scene.ours, scene.hers, scene.batch, scene.waiting)
    for who, (player, openable) in may.items():
        for job in everything:
            answer = client.get(f"/api/v1/jobs/{job}", headers=player.auth)
            assert answer.status_code == (200 if job in openable else 404), (who, job)
            if job not in openable:
                assert HER_PARTY not in answer.text
                refused = client.delete(f"/api/v1/jobs/{job}", headers=player.auth)
                assert refused.status_code == 404, (who, job)
        listed = {job["id"] for job in client.get("/api/v1/jobs", headers=player.auth).get_json()["jobs"]}
        assert listed <= set(map(str, openable)), who
        for path in (
            "/api/v1/events",
            "/api/v1/credits/ledger",
            "/api/v1/usage",
            "/api/v1/webhooks",
            "/api/v1/account/dsr/export",
        ):
            told = client.get(path, headers=player.auth).text
            assert HER_PARTY not in told, (who, path)
            if who in ("cousin", "mallory"):
                assert str(scene.hers) not in told, (who, path)


def test_a_standing_has_no_way_to_the_result(app: Flask, scene: Scene) -> None:
    with db.reading() as session:
        found = jobs.summary(session, scene.master.account_id, scene.hers, now=clock.now())
        with pytest.raises(NotFound):
            jobs.find(session, scene.master.account_id, scene.hers)
    assert (found.of_child, found.status, found.credits_charged) == (True, "completed", 1)
    assert found.key_name == "Junior"
    assert not [name for name in dir(found) if name in ("result_key", "payload_key", "attempt")]


def test_an_analysis_says_truly_who_may_read_it(app: Flask, scene: Scene) -> None:
    for language, false, true in (
        ("en", "only you see", "owners, administrators and developers of your account"),
        ("es", "solo usted ve", "función de titular, administración o desarrollo"),
    ):
        page = _visitor(app, scene.master, language).get(ANALYSE).text
        assert false not in page
        assert true in page


# Idempotency keys


ASKED: dict[str, dict[str, Any]] = {
    "/api/v1/analyze": {"text": LEASE},
    "/api/v1/analyze/batch": {"documents": [{"text": LEASE}]},
    "/api/v1/jobs": {"kind": "analyze", "payload": {"text": LEASE}},
    "/api/v1/webhooks": {"url": "https://93.184.215.14/in"},
}
CHANGED: dict[str, dict[str, Any]] = {
    "/api/v1/analyze": {"text": _text(OUR_PARTY)},
    "/api/v1/analyze/batch": {"documents": [{"text": _text(OUR_PARTY)}]},
    "/api/v1/jobs": {"kind": "analyze", "payload": {"text": _text(OUR_PARTY)}},
    "/api/v1/webhooks": {"url": "https://93.184.215.14/other"},
}


@pytest.mark.parametrize("path", ASKED)
def test_firms_that_share_an_idempotency_key_neither_meet_nor_hear_of_each_other(
    client: FlaskClient, cast: Cast, path: str
) -> None:
    alice = cast.player("alice")
    organization = cast.organization(alice)
    first, second = cast.child(alice, organization), cast.child(alice, organization)
    key = {"Idempotency-Key": f"invoice-{uuid.uuid4()}"}
    bodies = {}
    for player, body in ((first, ASKED[path]), (second, CHANGED[path]), (alice, ASKED[path])):
        answer = client.post(path, json=body, headers={**player.auth, **key})
        assert answer.status_code in (200, 201, 202), answer.text
        assert "Idempotency-Replayed" not in answer.headers
        bodies[player.key_id] = answer.data
        again = client.post(path, json=body, headers={**player.auth, **key})
        assert (again.data, again.headers["Idempotency-Replayed"]) == (answer.data, "true")
    assert len(set(bodies.values())) == 3


@pytest.mark.parametrize("path", ["/api/v1/analyze", "/api/v1/analyze/batch", "/api/v1/jobs"])
def test_keys_of_one_firm_share_their_idempotency_keys(client: FlaskClient, cast: Cast, path: str) -> None:
    alice = cast.player("alice")
    _, other = cast.key(alice.account_id)
    key = {"Idempotency-Key": f"invoice-{uuid.uuid4()}"}
    first = client.post(path, json=ASKED[path], headers={**alice.auth, **key})
    again = client.post(path, json=ASKED[path], headers={"Authorization": f"Bearer {other}", **key})
    assert (again.data, again.headers["Idempotency-Replayed"]) == (first.data, "true")


def test_a_lost_answer_never_points_at_a_childs_job(client: FlaskClient, cast: Cast, scene: Scene) -> None:
    key = {"Idempotency-Key": f"invoice-{uuid.uuid4()}"}
    body = ASKED["/api/v1/jobs"]
    ours = client.post("/api/v1/jobs", json=body, headers={**scene.master.auth, **key}).get_json()["jobId"]
    scene.desk.forward(seconds=1)
    hers = client.post("/api/v1/jobs", json=body, headers={**scene.child.auth, **key}).get_json()["jobId"]
    assert ours != hers
    for name in redis_client.client().keys("answer:*"):
        redis_client.client().delete(name)
    scene.desk.forward(minutes=1)
    for player, job in ((scene.master, ours), (scene.sister, ours), (scene.child, hers)):
        told = client.post("/api/v1/jobs", json=body, headers={**player.auth, **key})
        assert told.get_json()["jobId"] == job


# Rows of the version before


def _migration() -> Any:
    path = settings.PROJECT / "migrations" / "versions" / "0020_idempotency_of_children.py"
    spec = importlib.util.spec_from_file_location("migration_0020", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _migrated() -> None:
    module = _migration()
    with db.transaction() as session, Operations.context(MigrationContext.configure(session.connection())):
        module.upgrade()


def _as_before(account_id: uuid.UUID) -> None:
    """The rows as the version before wrote them: without the calling key on analyses and batches."""
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE idempotency_records SET route = split_part(route, ' by ', 1) "
                "WHERE account_id = :a AND route LIKE 'POST /api/v1/analyze%'"
            ),
            {"a": account_id},
        )


def _routes(account_id: uuid.UUID) -> dict[str, str]:
    with db.reading() as session:
        rows = session.execute(
            sa.text("SELECT key, route FROM idempotency_records WHERE account_id = :a"), {"a": account_id}
        )
        return {row.key: row.route for row in rows}


@pytest.mark.parametrize("path", ["/api/v1/analyze", "/api/v1/analyze/batch"])
def test_rows_of_the_version_before_go_to_the_key_that_wrote_them(
    client: FlaskClient, cast: Cast, path: str
) -> None:
    alice = cast.player("alice")
    child = cast.child(alice)
    answers = {}
    for player, key in ((alice, "of-the-master"), (child, "of-the-child")):
        headers = {**player.auth, "Idempotency-Key": key}
        answers[key] = client.post(path, json=ASKED[path], headers=headers).data
    _as_before(alice.account_id)
    assert set(_routes(alice.account_id).values()) == {f"POST {path}"}
    _migrated()
    _migrated()
    assert _routes(alice.account_id) == {
        "of-the-master": f"POST {path}",
        "of-the-child": f"POST {path} by {child.key_id}",
    }
    before = cast.balance(alice).balance
    for player, key in ((alice, "of-the-master"), (child, "of-the-child")):
        again = client.post(path, json=ASKED[path], headers={**player.auth, "Idempotency-Key": key})
        assert (again.data, again.headers["Idempotency-Replayed"]) == (answers[key], "true")
    assert cast.balance(alice).balance == before, "nothing is charged again"
    met = client.post(path, json=CHANGED[path], headers={**alice.auth, "Idempotency-Key": "of-the-child"})
    assert met.status_code == 200, "the master meets nothing of the child's"


def test_rows_that_nobody_can_be_told_to_have_written_go_where_an_account_has_children(
    client: FlaskClient, cast: Cast
) -> None:
    alice, mallory = cast.player("alice"), cast.player("mallory")
    cast.child(alice)
    for player in (alice, mallory):
        for key in ("running-one", "charged-one"):
            headers = {**player.auth, "Idempotency-Key": key}
            assert client.post("/api/v1/analyze", json={"text": LEASE}, headers=headers).status_code == 200
        with db.transaction() as session:
            session.execute(
                sa.text(
                    "UPDATE idempotency_records SET charged_at = NULL, running_until = :later "
                    "WHERE account_id = :a AND key = 'running-one'"
                ),
                {"a": player.account_id, "later": clock.now() + timedelta(minutes=1)},
            )
    _migrated()
    assert set(_routes(alice.account_id)) == {"charged-one"}
    assert set(_routes(mallory.account_id)) == {"running-one", "charged-one"}
