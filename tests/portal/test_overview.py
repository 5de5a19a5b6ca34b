"""The overview: first steps, then what happened."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from app import credits, tenancy, usage, webhooks
from app.platform import clock
from app.platform.postgres import db
from app.tenancy.keys.lifecycle import set_monthly_cap
from tests.cast import Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import PortalClient, analysed, colleague, tight

Make = Callable[[Player], PortalClient]


def test_first_steps_give_a_request_with_the_visitors_own_prefix(member: Make, alice: Player) -> None:
    page = member(alice).get("/portal/").text
    assert "First steps" in page
    assert f"Authorization: Bearer {alice.key[:12]}…" in page
    assert alice.key not in page


def test_the_open_page_notices_the_first_analysis(member: Make, alice: Player) -> None:
    visitor = member(alice)
    waiting = visitor.get("/portal/first-steps")
    assert (waiting.status_code, waiting.headers.get("HX-Refresh")) == (204, None)
    analysed(alice)
    assert visitor.get("/portal/first-steps").headers["HX-Refresh"] == "true"
    page = visitor.get("/portal/").text
    assert 'id="first-curl"' not in page
    assert "hx-get" not in page.split('id="h-s"')[0].split("<section")[-1]
    assert "Latest analyses" in page


def test_each_first_step_says_what_is_missing_and_where_until_all_are_done(
    member: Make, alice: Player
) -> None:
    visitor = member(alice)
    page = tight(visitor.get("/portal/").text)
    assert "1 of 5 done" in page
    for where in ("/portal/analyse", "/portal/webhooks/new", "/portal/team", "/portal/profile/second-factor"):
        assert f'href="{where}"' in page.split('id="h-s"')[1].split("</section>")[0], where
    analysed(alice)
    colleague(alice, "developer")
    with db.transaction() as session:
        webhooks.register(
            session,
            alice.account_id,
            alice.key_id,
            url="https://hooks.example.com/x",
            events=["credits.low"],
            description=None,
            now=clock.now(),
        )
    assert "4 of 5 done" in tight(visitor.get("/portal/").text)
    with db.transaction() as session:
        me = tenancy.find_member(session, alice.email)
        assert me
        me.totp_secret = b"sealed"
    assert "First steps" not in visitor.get("/portal/").text


def test_first_steps_are_put_away_for_oneself_alone(member: Make, alice: Player) -> None:
    visitor, other = member(alice), member(colleague(alice, "developer"))
    page = tight(other.get("/portal/").text)
    # A developer invites nobody.
    assert "of 4 done" in page
    assert visitor.send("/portal/first-steps/hide", {}, on="/portal/").status_code == 303
    page = visitor.get("/portal/").text
    assert "First steps" not in page
    assert "No analyses yet" in page
    assert "First steps" in other.get("/portal/").text


def test_an_open_page_of_somebody_signed_out_goes_to_the_form(stranger: Make, alice: Player) -> None:
    answer = stranger(alice).get("/portal/first-steps", headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == "/portal/sign-in"


def test_held_credits_are_not_available(member: Make, alice: Player) -> None:
    with db.transaction() as session:
        credits.hold(session, alice.account_id, 77, api_key_id=alice.key_id, now=clock.now(), ttl_s=60)
    page = member(alice).get("/portal/").text
    assert '<dd class="big">23</dd>' in page
    assert "77 more are on hold" in page


def test_low_credits_and_broken_citations_stand_under_attention(member: Make, cast: Cast) -> None:
    poor = cast.player("poor", credit=3)
    analysed(poor, citations={"verified": 1, "not_found": 2})
    page = member(poor).get("/portal/").text
    assert "Credits are low" in page
    assert "1 analysis has citations to check" in page


def test_the_last_month_is_compared_with_the_one_before(member: Make, alice: Player) -> None:
    now = clock.now()
    # All on one day, whatever the hour.
    calls = [(timedelta(days=1, microseconds=n), 200, 40) for n in range(30)]
    calls += [(timedelta(days=2), 422, 9)] * 2
    calls += [(timedelta(days=40, minutes=n), 200, 900) for n in range(16)]
    entered = [
        usage.Call(
            now - ago, alice.account_id, alice.key_id, "/api/v1/analyze", status, ms, int(status == 200)
        )
        for ago, status, ms in calls
    ]
    with db.transaction() as session:
        usage.insert_calls(session, entered)
    page = member(alice).get("/portal/").text
    assert "100% more than the 30 days before" in page
    assert "2 calls, was 0%" in page
    assert "faster than before" in page
    # 100 credits, 30 of them spent since yesterday.
    assert "Will last 6 days at the current rate" in page
    assert "Credits will run out soon" in page
    assert '<span class="mono">/api/v1/analyze</span>' in page


def test_a_key_near_its_cap_stands_under_attention(member: Make, alice: Player) -> None:
    with db.transaction() as session:
        set_monthly_cap(session, alice.key_id, 10)
    called(alice, 7)
    visitor = member(alice)
    assert "monthly cap" not in visitor.get("/portal/").text
    called(alice, 2)
    page = visitor.get("/portal/").text
    assert "has spent 90% of its monthly cap" in page
    assert "9 of 10 credits" in page
    called(alice, 1)
    page = visitor.get("/portal/").text
    assert "has reached its monthly cap" in page
    assert "what costs credits is refused until the month ends" in page


def test_a_webhook_that_fails_stands_under_attention(member: Make, alice: Player) -> None:
    with db.transaction() as session:
        made = webhooks.register(
            session,
            alice.account_id,
            alice.key_id,
            url="https://hooks.example.com/x",
            events=["credits.low"],
            description=None,
            now=clock.now(),
        )
        made.row.last_failure_at = clock.now()
    visitor = member(alice)
    assert "A webhook is failing" in visitor.get("/portal/").text
    with db.transaction() as session:
        row = webhooks.of_member(session, alice.account_id, made.row.id)
        row.last_delivery_at = clock.now() + timedelta(seconds=1)
    assert "A webhook is failing" not in visitor.get("/portal/").text


def test_the_menu_offers_what_the_role_may_enter(member: Make, alice: Player) -> None:
    everything = member(alice).get("/portal/").text
    assert all(
        f'href="/portal/{name}"' in everything for name in ("keys", "team", "usage", "analyses", "docs")
    )
    little = member(colleague(alice, "compliance")).get("/portal/", follow_redirects=True).text
    assert all(f'href="/portal/{name}"' not in little for name in ("keys", "team", "usage", "credits"))
    assert 'href="/portal/analyses"' in little
    assert "Credits available" not in little


def test_a_compliance_officer_lands_on_the_audit_trail(member: Make, alice: Player) -> None:
    analysed(alice)
    visitor = member(colleague(alice, "compliance"))
    landed = visitor.get("/portal/", follow_redirects=True)
    assert landed.request.path == "/portal/analyses"
    assert "Mexico" in landed.text
    menu = tight(landed.text).split('id="nav"')[1].split("</nav>")[0]
    sections = re.findall(r'<li><a href="([^"]+)"', menu)
    assert sections == [
        "/portal/law",
        "/portal/watches",
        "/portal/analyses",
        "/portal/activity",
        "/portal/policies",
        "/portal/docs",
    ]


def test_nobody_sees_another_tenants_analyses(member: Make, alice: Player, mallory: Player) -> None:
    analysed(alice)
    assert "First steps" in member(mallory).get("/portal/").text
