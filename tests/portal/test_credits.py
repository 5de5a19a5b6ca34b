"""Credits in the portal: balance, pace, mark and ledger."""

from __future__ import annotations

import csv
import io
import re
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest

from app import credits, tenancy
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import PortalClient, colleague, tight

Make = Callable[[Player], PortalClient]


def granted(player: Player, *amounts: int, description: str = "top-up") -> None:
    with db.transaction() as session:
        for amount in amounts:
            credits.grant(session, player.account_id, amount, now=clock.now(), description=description)


def spent(player: Player, amount: int = 1, *, ago: timedelta = timedelta()) -> None:
    """A charge in the ledger, made some time ago."""
    with db.transaction() as session:
        held = credits.hold(
            session, player.account_id, amount, api_key_id=player.key_id, now=clock.now(), ttl_s=60
        )
        charge = session.take(
            credits.capturing(
                player.account_id,
                held,
                amount,
                now=clock.now() - ago,
                operation="analyze",
                reference_type="analysis",
                reference_id=str(uuid.uuid4()),
            )
        )
        assert charge


def rows(page: str) -> int:
    return page.count('<th scope="row"')


def test_the_page_says_how_long_the_credits_last(member: Make, alice: Player) -> None:
    granted(alice, 900)
    called(alice, 40, ago=timedelta(days=3))
    page = tight(member(alice).get("/portal/credits").text)
    assert '<dd class="big">1,000</dd>' in page
    assert '<dd class="big">100 days</dd>' in page  # 40 in four days
    assert '<dd class="big">10</dd>' in page


def test_a_new_account_learns_what_will_be_here(member: Make, cast: Cast) -> None:
    page = member(cast.player("poor", credit=0)).get("/portal/credits").text
    assert "No entries" in page
    assert "no spending" in page
    assert "below your threshold of 20" in page


def test_the_mark_is_set_and_shown(member: Make, alice: Player) -> None:
    visitor = member(alice)
    assert visitor.send("/portal/credits/threshold", {"threshold": "750"}, on="/portal/credits").location
    assert Cast.balance(alice).low_threshold == 750
    page = visitor.get("/portal/credits").text
    assert "The threshold has been set." in page
    assert "below your threshold of 750" in page
    assert 'value="750"' in page


@pytest.mark.parametrize("typed", ["", "-1", "1.5", "many", "1000000001", "99999999999999", "²"])
def test_a_wrong_mark_is_said_at_its_field(member: Make, alice: Player, typed: str) -> None:
    answer = member(alice).send("/portal/credits/threshold", {"threshold": typed}, on="/portal/credits")
    assert answer.status_code == 422
    assert 'id="threshold-err"' in answer.text
    assert Cast.balance(alice).low_threshold == 20


def test_the_ledger_is_paged_without_a_gap(member: Make, alice: Player) -> None:
    granted(alice, *range(1, 121))
    visitor, path, seen = member(alice), "/portal/credits", []
    for _ in range(3):
        page = visitor.get(path).text
        seen += re.findall(r"\+([\d,]+)</span>", page)
        found = re.search(r'href="([^"]+)" rel="next"', page)
        path = found[1].replace("&amp;", "&") if found else ""
    assert path == ""
    assert seen == [str(n) for n in range(120, 0, -1)] + ["100"]


def test_the_ledger_is_filtered_by_kind_key_and_days(member: Make, alice: Player, cast: Cast) -> None:
    other, _ = cast.key(alice.account_id)
    spent(alice, 3)
    spent(alice, 4, ago=timedelta(days=9))
    visitor, today = member(alice), clock.today()
    for query, count in (
        ("", 3),
        ("kind=consumption", 2),
        ("kind=purchase", 1),
        ("kind=refund", 0),
        ("kind=nonsense", 3),
        (f"api_key_id={alice.key_id}", 2),
        (f"api_key_id={other}", 0),
        (f"from={today - timedelta(days=1)}", 2),
        (f"to={today - timedelta(days=1)}", 1),
        (f"from={today - timedelta(days=9)}&to={today - timedelta(days=9)}&kind=consumption", 1),
        ("to=9999-12-31", 3),
    ):
        page = visitor.get(f"/portal/credits?{query}").text
        assert rows(page) == count, query
        sheet = visitor.get(f"/portal/credits.csv?{query}").text
        assert len(sheet.splitlines()) == count + 1, query


@pytest.mark.parametrize("query", ["from=2026-02-01&to=2026-01-01", "from=soon"])
def test_a_wrong_range_is_said_at_its_field(member: Make, alice: Player, query: str) -> None:
    answer = member(alice).get(f"/portal/credits?{query}")
    assert answer.status_code == 422
    assert 'id="from-err"' in answer.text
    assert member(alice).get(f"/portal/credits.csv?{query}").status_code == 400


def test_the_csv_holds_every_row_and_runs_no_formula(member: Make, alice: Player) -> None:
    granted(alice, *[1] * 1001, description='=HYPERLINK("https://evil.example")')
    answer = member(alice).get("/portal/credits.csv?kind=purchase")
    assert "attachment" in answer.headers["Content-Disposition"]
    found = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(found) == 1002
    assert found[0]["description"].startswith("'=HYPERLINK")
    assert (found[0]["balance_after"], found[-1]["amount"]) == ("1101", "100")


def test_another_tenants_key_and_rows_are_not_there(member: Make, alice: Player, mallory: Player) -> None:
    granted(alice, 77_777)
    visitor = member(mallory)
    for key in (alice.key_id, uuid.uuid4()):
        for page in ("credits", "credits.csv"):
            assert visitor.get(f"/portal/{page}?api_key_id={key}").status_code == 404
    searched = visitor.get(f"/portal/credits?api_key_id={alice.key[:12]}")
    assert searched.status_code == 422
    assert "No key has this name or prefix." in searched.text
    assert visitor.get(f"/portal/credits.csv?api_key_id={alice.key[:12]}").status_code == 400
    assert "77,777" not in visitor.get("/portal/credits").text
    assert "77777" not in visitor.get("/portal/credits.csv").text


def test_a_place_that_is_none_is_refused(member: Make, alice: Player) -> None:
    assert member(alice).get("/portal/credits?before=%C3%B1").status_code == 400


@pytest.mark.parametrize(("role", "allowed"), [("admin", True), ("compliance", False)])
def test_credits_are_for_those_who_manage_keys(
    member: Make, alice: Player, role: tenancy.Role, allowed: bool
) -> None:
    visitor = member(colleague(alice, role))
    for path in ("/portal/credits", "/portal/credits.csv"):
        assert visitor.get(path).status_code == (200 if allowed else 403), path
    answer = visitor.send("/portal/credits/threshold", {"threshold": "5"}, on="/portal/")
    assert answer.status_code == (303 if allowed else 403)
    assert Cast.balance(alice).low_threshold == (5 if allowed else 20)


def test_credits_speak_spanish(member: Make, alice: Player) -> None:
    granted(alice, 5000)
    visitor = member(alice)
    visitor.client.set_cookie("language", "es")
    page = visitor.get("/portal/credits").text
    assert "+5.000" in page
    assert "Comprados" in page
