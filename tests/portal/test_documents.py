"""Documents of the audit trail in the portal: ordered, watched, downloaded, made again, deleted."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa
from pypdf import PdfReader
from werkzeug.test import TestResponse

from app import governance
from app.dev.system_packages import PDF
from app.governance.documents import export_requests, leases, sync_export
from app.governance.models import AuditDocument
from app.platform import clock, redis_client
from app.platform.postgres import db
from tests.cast import Player
from tests.portal.conftest import PortalClient, analysed, colleague

pytestmark = pytest.mark.skipif(
    not PDF.is_met(),
    reason=f"no text layout libraries on this machine: apt-get install {' '.join(PDF.packages)}",
)

Make = Callable[[Player], PortalClient]
PATH = "/portal/analyses/documents"


@pytest.fixture(autouse=True)
def nothing_waits(app: object) -> Iterator[None]:
    """What another test left would be made first, whatever module it is of."""
    _forget_documents()
    yield
    _forget_documents()


def _forget_documents() -> None:
    with db.transaction() as session:
        session.execute(sa.delete(AuditDocument))


def order(visitor: PortalClient, **form: object) -> TestResponse:
    today = clock.today()
    return visitor.send(PATH, {"from": str(today - timedelta(days=30)), "to": str(today), **form})


def test_a_compliance_officer_orders_watches_and_downloads_a_document(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(colleague(alice, "compliance"))
    page = order(visitor).location
    assert re.fullmatch(PATH + "/[0-9a-f-]{36}", page)
    waiting = visitor.get(page).text
    assert "Waiting in the queue" in waiting
    assert '<noscript><meta http-equiv="refresh"' in waiting
    claim = db.atomically(lambda session: leases.take(session, worker="w1", now=clock.now()))
    assert claim is not None
    db.atomically(lambda session: leases.progress(session, claim, "chain", 1200, 5000))
    part = visitor.get(page, headers={"HX-Request": "true"}).text
    assert "Recomputing the hashes of the chain" in part
    assert "1,200 of 5,000" in part
    assert 'hx-trigger="every 1500ms"' in part
    assert "<html" not in part
    # The stage is announced where it is new, its count never.
    assert 'role="status"' in part
    seen = re.search(r'hx-get="([^"]+)"', part)
    assert seen
    assert 'role="status"' not in visitor.get(seen[1], headers={"HX-Request": "true"}).text
    governance.release("w1")
    assert governance.make_due("w2")
    ready = visitor.get(page, headers={"HX-Request": "true"}).text
    assert "The document is ready" in ready
    assert "hx-get" not in ready
    assert "1 analysis" in ready
    answer = visitor.get(page + ".pdf")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    assert answer.headers["Cache-Control"] == "no-store"
    assert len(PdfReader(io.BytesIO(answer.data)).attachments) == 2
    listed = visitor.get(PATH).text
    assert "1 order<" in listed
    assert f'href="{page}.pdf"' in listed


def test_a_period_that_is_too_long_for_now_leads_to_the_order(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_export, "AT_ONCE_MAX", 1)
    for _ in range(2):
        analysed(alice)
    visitor, today = member(alice), clock.today()
    query = f"from={today}&to={today}&key={alice.key_id}&flagged=1"
    plain = f"from={today}&to={today}&key={alice.key_id}"
    assert visitor.get(f"/portal/analyses/period.pdf?{query}").mimetype == "application/pdf"
    answer = visitor.get(f"/portal/analyses/period.pdf?{plain}")
    assert (answer.status_code, answer.location) == (303, f"{PATH}?{plain}")
    form = visitor.get(answer.location).text
    assert form.count(f'value="{today}"') == 2
    assert f'value="{alice.key_id}" selected' in form


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"from": "2026-02-01", "to": "2026-01-01"}, "The last day is before the first day."),
        ({"from": "", "to": "2026-01-01"}, "Choose the first day."),
        ({"from": "2026-01-01", "to": "soon"}, "Not a valid date value"),
        (
            {"from": "2026-01-01", "to": "2026-02-01", "key": "Nobody"},
            "No key has this name or prefix.",
        ),
    ],
)
def test_a_form_that_makes_no_sense_is_shown_again(
    member: Make, alice: Player, form: dict[str, object], words: str
) -> None:
    answer = member(alice).send(PATH, form)
    assert answer.status_code == 422
    assert words in answer.text


def test_too_many_analyses_and_too_many_documents_are_said(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        analysed(alice)
    visitor = member(alice)
    for days in range(export_requests.OPEN_MAX):
        assert order(visitor, to=str(clock.today() + timedelta(days=days))).status_code == 303
    busy = order(visitor, flagged="1")
    assert busy.status_code == 422
    assert "3 documents of this account are already being generated" in busy.text
    with db.transaction() as session:
        session.execute(sa.delete(AuditDocument))
    monkeypatch.setattr(export_requests, "RECORDS_MAX", 2)
    assert "and this period has more" in order(visitor).text


def test_files_that_take_up_all_the_room_are_to_be_deleted_first(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = member(alice)
    page = order(visitor).location
    governance.make_due("w1")
    monkeypatch.setattr(export_requests, "KEPT_MAX", 1_000)
    full = order(visitor, flagged="1")
    assert full.status_code == 422
    assert "use all the storage" in full.text
    visitor.send(page + "/delete", {}, on=page)
    assert order(visitor, flagged="1").status_code == 303


def test_a_failed_document_says_why_and_is_made_again(member: Make, alice: Player) -> None:
    visitor = member(alice)
    page = order(visitor).location
    claim = db.atomically(lambda session: leases.take(session, worker="w1", now=clock.now()))
    assert claim is not None
    db.atomically(lambda session: leases.fail(session, claim, "ATTEMPTS_EXHAUSTED", now=clock.now()))
    shown = visitor.get(page).text
    assert "The document could not be generated" in shown
    assert "Failed after 3 attempts" in shown
    assert "ATTEMPTS_EXHAUSTED" in shown
    assert visitor.get(page + ".pdf").location == page
    anew = visitor.send(page + "/again", {}, on=page).location
    assert anew != page
    assert visitor.get(page).status_code == 404
    governance.make_due("w1")
    assert "The document is ready" in visitor.get(anew).text
    assert visitor.send(anew + "/again", {}, on=anew).location == anew, "there is nothing to make again"


def test_a_file_that_redis_lost_is_said_and_made_again(member: Make, alice: Player) -> None:
    visitor = member(alice)
    page = order(visitor).location
    governance.make_due("w1")
    for name in redis_client.client().scan_iter(match="audit:*"):
        redis_client.client().delete(name)
    assert visitor.get(page + ".pdf").location == page
    assert "The document was lost" in visitor.get(page).text
    assert "lost" in visitor.get(PATH).text
    assert visitor.send(page + "/again", {}, on=page).location != page


def test_a_document_is_deleted_with_its_file(member: Make, alice: Player) -> None:
    visitor = member(alice)
    page = order(visitor).location
    governance.make_due("w1")
    assert list(redis_client.client().scan_iter(match="audit:*"))
    answer = visitor.send(page + "/delete", {}, on=page)
    assert answer.location == PATH
    assert "The document has been deleted" in visitor.get(PATH).text
    assert visitor.get(page).status_code == 404
    assert list(redis_client.client().scan_iter(match="audit:*")) == []


def test_another_accounts_document_is_unknown(member: Make, alice: Player, mallory: Player) -> None:
    page = order(member(alice)).location
    governance.make_due("w1")
    stranger = member(mallory)
    own = order(stranger).location
    assert page.rpartition("/")[2] not in stranger.get(PATH).text
    for path in (page, page + ".pdf"):
        assert stranger.get(path).status_code == 404
    for path in (page + "/again", page + "/delete"):
        assert stranger.send(path, {}, on=own).status_code == 404


def test_closing_the_account_destroys_its_documents(member: Make, alice: Player) -> None:
    visitor = member(alice)
    order(visitor)
    governance.make_due("w1")
    closed = visitor.send("/portal/account/close", {"current": alice.password, "name": "alice"})
    assert closed.status_code == 303, closed.text
    with db.reading() as session:
        assert session.scalar(sa.select(sa.func.count()).select_from(AuditDocument)) == 0
