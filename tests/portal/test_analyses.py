"""The audit trail as the portal shows it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import psycopg

from app import governance
from app.platform import db, settings
from tests.cast import Player
from tests.portal.conftest import Visitor, analysed, colleague

Make = Callable[[Player], Visitor]


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
    assert "The chain is whole" in page
    assert "3 records" in page
    assert "<h1>" in page


def test_htmx_gets_the_verdict_alone(member: Make, alice: Player) -> None:
    analysed(alice)
    part = member(alice).get("/portal/analyses/chain", headers={"HX-Request": "true"}).text
    assert "The chain is whole" in part
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
    assert "0 records" in visitor.get("/portal/analyses/chain").text
