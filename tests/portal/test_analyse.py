"""A text analysed in the browser: accepted as a job, read with its evidence, kept nowhere."""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from app import tenancy
from app.jobs.execution import runner
from app.platform import clock, redis_client
from app.platform.postgres import db
from app.portal.analysis.report_view import read, statement
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]


def _form(visitor: PortalClient, **changes: object) -> dict[str, object]:
    return {
        "text": LEASE,
        "jurisdiction": "ES",
        "branch": "civil",
        "language": "es",
        "mode": "standard",
        "key": str(visitor.player.key_id),
        "once": clock.now().isoformat(),
        **changes,
    }


def _sent(visitor: PortalClient, **changes: object) -> str:
    answer = visitor.send("/portal/analyse", _form(visitor, **changes))
    assert answer.status_code == 303, answer.text
    return str(answer.location)


def _work_off(path: str) -> None:
    """Do what a work-horse does, here and now."""
    assert runner.run(uuid.UUID(path.rpartition("/")[2]), "test-worker")


def test_a_text_becomes_a_job_and_its_result_is_read(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    path = _sent(visitor, mode="deep")
    assert "Waiting in the queue" in visitor.get(path).text
    _work_off(path)
    page = visitor.get(path)
    assert page.status_code == 200
    assert "Second check" in page.text
    assert "12345678Z" in page.text, "identifiers are put back for the reader"
    assert page.text.count('<details class="proof"') > 5
    assert "DNI (ES)" in page.text
    # An English page around a Spanish analysis: each says which it is, for those who have it read aloud.
    assert '<html lang="en"' in page.text
    assert 'reading" lang="es">' in page.text
    assert '<p class="hint" lang="en">' in page.text
    assert '<q class="said">' in page.text
    assert "<b>Qué hacer:</b>" in page.text
    link = re.search(r'href="(/portal/analyses/\d+\.pdf)"', page.text)
    assert link
    document = visitor.get(link[1])
    assert document.mimetype == "application/pdf"
    assert cast.balance(alice).balance == 98
    markdown = visitor.get(f"{path}/download.md")
    assert markdown.text.startswith("# Análisis")
    assert visitor.get(f"{path}/download.json").json["mode"] == "deep"  # type: ignore[index]
    assert visitor.get(f"{path}/download.exe").status_code == 404
    assert "Tomás" not in _everything()


def _everything() -> str:
    with db.reading() as session:
        return str(session.scalar(sa.text("SELECT coalesce(string_agg(j::text, ''), '') FROM jobs j")))


def test_another_accounts_analysis_is_unknown(member: Make, alice: Player, mallory: Player) -> None:
    path = _sent(member(alice))
    theirs = member(mallory)
    for where in (path, f"{path}/download.md"):
        assert theirs.get(where).status_code == 404
    assert theirs.send(f"{path}/cancel", {}, on="/portal/analyse").status_code == 404


def test_one_form_starts_one_analysis(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    form = _form(visitor)
    first, second = (visitor.send("/portal/analyse", form) for _ in range(2))
    assert (first.status_code, second.location) == (303, "/portal/analyse")
    assert cast.balance(alice).held == 1


def test_what_waits_is_cancelled(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    path = _sent(visitor)
    assert visitor.send(f"{path}/cancel", {}, on="/portal/analyse").status_code == 303
    assert cast.balance(alice).held == 0
    assert "Cancelled" in visitor.get(path).text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"text": "short"}, "50 to 50"),
        ({"text": "x" * 500_001}, "50 to 500"),
        ({"text": "a\x00" * 60}, "not plain text"),
        ({"mode": "wild"}, "one of the two"),
        ({"jurisdiction": "XX"}, "Not a valid choice"),
        ({"text": "", "file": (io.BytesIO(b"%PDF-1.7 " + b"x" * 100), "a.pdf")}, "It is damaged"),
        ({"text": "", "file": (io.BytesIO(b"PK\x03\x04" + b"x" * 100), "a.docx")}, "It is damaged"),
    ],
)
def test_a_wrong_field_is_named(
    member: Make, cast: Cast, alice: Player, changes: dict[str, object], words: str
) -> None:
    answer = member(alice).send("/portal/analyse", _form(PortalClient(None, alice), **changes))  # type: ignore[arg-type]
    assert answer.status_code == 422
    assert words in answer.text
    assert cast.balance(alice).held == 0


def test_a_long_text_is_priced_before_it_is_sent_and_charged_so(
    member: Make, cast: Cast, alice: Player
) -> None:
    visitor = member(alice)
    text = f"{LEASE}\n\n" + "Las partes se reúnen de nuevo para tratar de sus cosas. " * 1800
    page = visitor.send("/portal/analyse", _form(visitor, text=text, mode="wild"))
    assert page.status_code == 422
    assert re.findall(r'<span data-prices="\[[^"]+\]">([^<]+)</span>', page.text) == [
        "3 credits",
        "6 credits",
    ]
    short = visitor.get("/portal/analyse").text
    assert re.findall(r'<span data-prices="\[[^"]+\]">([^<]+)</span>', short) == ["1 credit", "2 credits"]
    path = _sent(visitor, text=text)
    assert cast.balance(alice).held == 3
    _work_off(path)
    assert cast.balance(alice).balance == 97


def test_a_file_is_read_in_the_encodings_of_offices(member: Make, alice: Player) -> None:
    for number, encoding in enumerate(("utf-8", "utf-8-sig", "cp1252")):
        file = (io.BytesIO(LEASE.encode(encoding)), "contrato.txt")
        _sent(member(alice), text="", file=file, once=f"file {number}")


def test_without_credits_or_under_a_cap_it_says_so(member: Make, cast: Cast) -> None:
    poor = cast.player("poor", credit=1)
    visitor = member(poor)
    answer = visitor.send("/portal/analyse", _form(visitor, mode="deep"))
    assert "do not have enough credits" in answer.text
    with db.transaction() as session:
        tenancy.set_monthly_cap(session, poor.key_id, 0)
    assert "monthly cap" in visitor.send("/portal/analyse", _form(visitor)).text


def test_a_compliance_officer_analyses_nothing(member: Make, alice: Player) -> None:
    assert member(colleague(alice, "compliance")).get("/portal/analyse").status_code == 403


def test_samples_cost_nothing(member: Make, cast: Cast, alice: Player) -> None:
    visitor = member(alice)
    names = re.findall(r"/portal/analyse/samples/(\w+)", visitor.get("/portal/analyse").text)
    assert len(set(names)) == 6
    for name in set(names):
        page = visitor.get(f"/portal/analyse/samples/{name}")
        assert page.status_code == 200
        assert 'details class="proof"' in page.text
    assert visitor.get("/portal/analyse/samples/other").status_code == 404
    assert cast.balance(alice).balance == 100
    assert redis_client.client().keys("job:*") == []


def test_statements_are_taken_apart() -> None:
    found = statement(
        "- **Medio.** La fianza es alta. «1.800 euros» «900 euros» (Base: art. 36.1 LAU; art. 36.5 LAU) [L4]"
    )
    assert (found.label, found.text, found.lock) == ("Medio", "La fianza es alta.", "L4")
    assert (found.quotes, found.basis) == (("1.800 euros", "900 euros"), "art. 36.1 LAU; art. 36.5 LAU")
    assert found.said == "1.800 euros"
    advice = statement("- *Qué hacer:* Reducir la fianza. [L4]")
    assert (advice.opening, advice.text, advice.lock) == ("Qué hacer:", "Reducir la fianza.", "L4")
    plain = statement("- Dice «sí» y calla.")
    assert (plain.text, plain.lock, plain.quotes) == ("Dice «sí» y calla.", None, ("sí",))
    assert plain.said == ""


def test_a_reading_loses_no_line() -> None:
    text = "# T\n\nLead.\n\n## A\n\n- one [L1]\n\nbetween\n\n## B\n\n- two\n\n"
    text += "SERVICE-AUDIT-TRAIL-BEGIN\nx: 1\nSERVICE-AUDIT-TRAIL-END\n"
    found = read(text)
    assert (found.title, found.lead) == ("T", ("Lead.",))
    assert [(part.title, len(part.statements), part.paragraphs) for part in found.parts] == [
        ("A", 1, ("between",)),
        ("B", 1, ()),
    ]
    assert found.trail.startswith("SERVICE-AUDIT-TRAIL-BEGIN")


def test_the_form_tells_under_which_law_before_anything_is_charged(member: Make, alice: Player) -> None:
    visitor = member(alice)
    told = visitor.send("/portal/analyse/law", _form(visitor, jurisdiction="auto"), on="/portal/analyse")
    assert told.status_code == 200, told.text
    assert "Spain" in told.text
    blank = _form(visitor, jurisdiction="auto", text="")
    empty = visitor.send("/portal/analyse/law", blank, on="/portal/analyse")
    assert empty.status_code == 200
    assert "<b>" not in empty.text
