"""The audit trail as the portal shows it."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlencode

import psycopg
import pytest
import rfc8785
import sqlalchemy as sa
from pypdf import PdfReader
from werkzeug.test import TestResponse

from app import branding, governance, tenancy
from app.platform import clock, settings
from app.platform.postgres import db
from app.tenancy.models import Activity
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, analysed, colleague

Make = Callable[[Player], PortalClient]


def test_an_analysis_is_shown_as_metadata(member: Make, alice: Player) -> None:
    analysed(alice)
    page = member(alice).get("/portal/analyses").text
    with db.reading() as session:
        record = governance.records(session, alice.account_id)[0]
    for words in ("test key", "Mexico", "Commercial law", "Deep", "3 verified", "1 not verifiable"):
        assert words in page
    assert record.hash[:12] in page
    assert ">L2-J<" not in page.split("What the locks mean")[0]


def test_the_newest_analysis_comes_first(member: Make, alice: Player) -> None:
    analysed(alice, ago=timedelta(days=3))
    analysed(alice, ago=timedelta(days=1))
    page = member(alice).get("/portal/analyses").text
    assert page.index("Record 2") < page.index("Record 1")


def test_an_empty_trail_says_what_will_be_there(member: Make, alice: Player) -> None:
    page = member(alice).get("/portal/analyses").text
    assert "No analyses yet" in page
    assert "See the first steps" in page


def test_a_whole_chain_is_said_to_be_whole(member: Make, alice: Player) -> None:
    for _ in range(3):
        analysed(alice)
    page = member(alice).get("/portal/analyses/chain").text
    assert "The chain is intact" in page
    assert "3 records" in page
    assert "<h1>" in page


def test_htmx_gets_the_verdict_alone(member: Make, alice: Player) -> None:
    analysed(alice)
    part = member(alice).get("/portal/analyses/chain", headers={"HX-Request": "true"}).text
    assert "The chain is intact" in part
    assert "<html" not in part


def test_a_changed_record_breaks_the_chain(member: Make, alice: Player) -> None:
    analysed(alice)
    forged = analysed(alice)
    # What somebody with the keys to the database could do.
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute(
            "UPDATE audit_records SET content = jsonb_set(content, '{credits}', '9') WHERE id = %s",
            [forged.analysis_id],
        )
    page = member(alice).get("/portal/analyses/chain").text
    assert "The chain is broken" in page
    assert str(forged.analysis_id) in page


def test_a_compliance_officer_reads_the_trail(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(colleague(alice, "compliance"))
    assert "Mexico" in visitor.get("/portal/analyses").text
    assert visitor.get("/portal/analyses/chain").status_code == 200


def test_mallory_sees_nothing_of_alices_trail(member: Make, alice: Player, mallory: Player) -> None:
    analysed(alice)
    visitor = member(mallory)
    assert "No analyses yet" in visitor.get("/portal/analyses").text
    assert "There are no records" in visitor.get("/portal/analyses/chain").text


def _pdf(answer: TestResponse) -> PdfReader:
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf"), answer.text
    return PdfReader(io.BytesIO(answer.data))


def _text(document: PdfReader) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in document.pages))


def test_a_document_of_one_analysis_carries_its_record(member: Make, alice: Player) -> None:
    entry = analysed(alice)
    document = _pdf(member(colleague(alice, "compliance")).get("/portal/analyses/1.pdf"))
    text = _text(document)
    for words in (
        "Commercial law",
        "ES_DNI × 2",
        "verified × 3",
        entry.request_id,
        "1 hashes were recomputed",
    ):
        assert words in text
    (attached,) = document.attachments["audit_records.json"]
    found = json.loads(attached)["records"]
    assert [one["content"]["analysisId"] for one in found] == [str(entry.analysis_id)]
    canonical = rfc8785.dumps(found[0]["content"]).decode()
    hashed = f"{found[0]['previousHash']}:{found[0]['seq']}:{canonical}"
    assert hashlib.sha256(hashed.encode()).hexdigest() == found[0]["hash"], "as the document says"


def test_last_months_flagged_analyses_are_one_document(member: Make, alice: Player) -> None:
    for days, citations in ((2, {"not_found": 1}), (2, {"verified": 4}), (9, {"derogated": 2})):
        analysed(alice, ago=timedelta(days=days), citations=citations)
    visitor, today = member(alice), clock.today()
    span = {"from": str(today - timedelta(days=5)), "to": str(today), "flagged": "1"}
    page = visitor.get("/portal/analyses?" + urlencode(span)).text
    assert (page.count("Record 1"), page.count("Record 2<")) == (2, 0)
    document = _pdf(visitor.get("/portal/analyses/period.pdf?" + urlencode(span)))
    found = json.loads(document.attachments["audit_records.json"][0])["records"]
    assert [one["seq"] for one in found] == [1]
    assert str(today) in _text(document)
    nothing = visitor.get("/portal/analyses?from=2020-01-01&to=2020-01-02").text
    assert "No matches" in nothing
    assert _text(_pdf(visitor.get("/portal/analyses/period.pdf?from=2020-01-01&to=2020-01-02")))
    assert visitor.get("/portal/analyses/period.pdf").status_code == 303


def test_it_is_issued_under_the_partners_name(member: Make, cast: Cast, alice: Player) -> None:
    with db.transaction() as session:
        body = {
            "branding": "partner",
            "partner_brand_name": "Bufete Aldaba",
            "partner_legal_name": "Aldaba SLP",
        }
        branding.save(session, cast.caller(alice), body, now=clock.now())
    analysed(alice)
    text = _text(_pdf(member(alice).get("/portal/analyses/1.pdf")))
    assert "Bufete Aldaba" in text
    assert "Aldaba SLP" in text


def test_documents_name_reviews_with_who_and_what_was_decided(member: Make, alice: Player) -> None:
    entries = [analysed(alice) for _ in range(3)]
    ann = colleague(alice, "developer")
    with db.reading() as session:
        records = [governance.analysis_at(session, alice.account_id, seq) for seq in (1, 2)]
        session.expunge_all()
        (member_id,) = [
            one.id for one in tenancy.members_of(session, alice.account_id) if one.email == ann.email
        ]
    by = governance.Reviewer(member_id=member_id)
    for record, decision in ((records[0], "rejected"), (records[0], "corrected"), (records[1], "accepted")):
        with db.transaction() as session:
            governance.review(session, record, decision, by=by, final_hash=None, now=clock.now())
    assert entries[2].request_id != entries[0].request_id
    visitor = member(alice)
    single = _text(_pdf(visitor.get("/portal/analyses/1.pdf")))
    assert single.index("rejected, ") < single.index("corrected, ")
    assert ann.email in single.replace(" ", "")
    assert "not reviewed" in _text(_pdf(visitor.get("/portal/analyses/3.pdf")))
    today = clock.today()
    period = _text(_pdf(visitor.get(f"/portal/analyses/period.pdf?from={today}&to={today}")))
    summary = period.split("Review by people")[1]
    # The newest decision of each counts, and those without one.
    assert re.match(r" Newest decision Number accepted 1 corrected 1 not reviewed 1 ", summary), summary[:200]
    assert period.count(ann.email) == 2
    with db.transaction() as session:
        tenancy.remove_member(session, alice.account_id, member_id)
    assert "a former member" in _text(_pdf(visitor.get("/portal/analyses/1.pdf")))


def test_another_accounts_document_is_unknown(member: Make, alice: Player, mallory: Player) -> None:
    analysed(alice)
    assert member(mallory).get("/portal/analyses/1.pdf").status_code == 404


def test_a_long_list_is_paged(member: Make, alice: Player) -> None:
    for _ in range(52):
        analysed(alice)
    visitor = member(alice)
    first = visitor.get("/portal/analyses").text
    assert "Record 52" in first
    assert "Record 2<" not in first
    assert "Record 2<" in visitor.get("/portal/analyses?before=3").text


def test_a_long_chain_is_verified_by_a_worker_when_somebody_asks(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(governance.chain_check, "AT_ONCE", 2)
    for _ in range(5):
        analysed(alice)
    visitor, path = member(alice), "/portal/analyses/chain"
    assert "Not verified recently" in visitor.get(path).text
    assert visitor.send(path, {}).location == path
    assert "being verified" in visitor.get(path).text
    governance.chain_check.verify_due()
    assert "The chain is intact" in visitor.get(path).text
    with psycopg.connect(settings.current().database_url.get_secret_value()) as connection:
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("UPDATE audit_heads SET seq = seq + 1 WHERE account_id = %s", [alice.account_id])
    visitor.send(path, {})
    governance.chain_check.verify_due()
    assert "The record at position 6 is missing." in visitor.get(path).text


def test_a_page_that_begins_at_no_number_begins_at_the_newest(member: Make, alice: Player) -> None:
    for before in ("\u00b2", "\u0661", "-1", "x"):
        assert member(alice).get("/portal/analyses", query_string={"before": before}).status_code == 200


def test_the_sheet_notes_what_was_understood_and_nothing_that_was_typed(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(alice)
    asked = {"from": "2020-01-01", "key": "Zurriaga against Pérez", "q": "zurriaga", "flagged": "1"}
    visitor.get(f"/portal/analyses.csv?{urlencode(asked)}")
    visitor.get(f"/portal/analyses.csv?key={alice.key_id}")
    with db.reading() as session:
        noted = [
            row.details
            for row in session.scalars(
                sa.select(Activity)
                .where(Activity.account_id == alice.account_id, Activity.action == "export.downloaded")
                .order_by(Activity.seq)
            )
        ]
    assert noted == [
        {"export": "analyses", "from": "2020-01-01", "flagged": "1"},
        {"export": "analyses", "key": str(alice.key_id)},
    ]


def test_a_search_offers_no_sheet_and_a_null_character_is_no_error(member: Make, alice: Player) -> None:
    analysed(alice)
    analysed(alice)
    visitor = member(alice)
    assert "analyses.csv" in visitor.get("/portal/analyses").text
    assert "analyses.csv" not in visitor.get("/portal/analyses?q=nothing").text
    for page in ("/portal/analyses", "/portal/analyses.csv"):
        for query in ("q=%00", "key=%00", "q=a%00b", "key=a%00b"):
            assert visitor.get(f"{page}?{query}").status_code == 200, (page, query)
