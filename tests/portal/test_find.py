"""The search of the portal: pages, keys and records of the member's own account and role."""

from __future__ import annotations

from collections.abc import Callable

from app import usage
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import PortalClient, analysed, colleague

Make = Callable[[Player], PortalClient]


def test_pages_keys_and_records_are_found_and_nobody_elses(
    cast: Cast, member: Make, alice: Player, mallory: Player
) -> None:
    entry = analysed(alice)
    visitor = member(alice)
    assert "/portal/webhooks" in visitor.get("/portal/find?q=webh").text.split("<main")[1]
    key = f"/portal/keys/{alice.key_id}"
    assert key in visitor.get(f"/portal/find?q={alice.key[:12]}").text
    record = f"/portal/find?q={entry.analysis_id}"
    assert "/portal/analyses/1" in visitor.get(record).text
    called(alice, request_id="req_of-alice-alone")
    with db.reading() as session:
        (call,) = usage.log(session, alice.account_id, usage.CallFilter(), limit=1)
    for asked in ("req_of-alice-alone", "req_of-al"):
        assert f'href="/portal/requests/{call.id}"' in visitor.get(f"/portal/find?q={asked}").text
    organization = f"/portal/organizations/{cast.organization(alice, 'Ibáñez')}"
    assert f'href="{organization}"' in visitor.get("/portal/find?q=ibanez").text
    stranger = member(mallory)
    assert organization not in stranger.get("/portal/find?q=ibanez").text
    assert str(call.id) not in stranger.get("/portal/find?q=req_of-alice-alone").text
    assert key not in stranger.get(f"/portal/find?q={alice.key[:12]}").text
    assert "/portal/analyses/1" not in stranger.get(record).text.split("<main")[1]
    # Signs of a pattern find what has them in its name, which is nothing here.
    for odd in ("%00%25", "%25", "_", "%25%25%25%25%25%25", "______", "a" * 500, "'%3B--", "%5C"):
        answer = visitor.get(f"/portal/find?q={odd}")
        assert answer.status_code == 200, odd
        assert "/portal/keys/" not in answer.text.split("<main")[1], odd
    assert "<script>alert" not in visitor.get("/portal/find?q=<script>alert(1)</script>").text


def test_a_role_finds_what_it_may_open(member: Make, alice: Player) -> None:
    officer = member(colleague(alice, "compliance"))
    page = officer.get("/portal/find").text.split("<main")[1]
    assert "/portal/analyses" in page
    assert "/portal/webhooks" not in page
    assert str(alice.key_id) not in officer.get(f"/portal/find?q={alice.key[:12]}").text
    called(alice, request_id="req_of-alice-alone")
    assert "/portal/requests/" not in officer.get("/portal/find?q=req_of-alice-alone").text


def test_pages_below_those_of_the_menu_are_found_by_who_may_open_them(member: Make, alice: Player) -> None:
    owner, developer = member(alice), member(colleague(alice, "developer"))
    for path, is_for_all in (
        ("/portal/account/sign-on", False), ("/portal/account/engines", False),
        ("/portal/profile/mails", True),
        ("/status", True), ("/docs", True), ("/portal/analyses/documents", True),
    ):  # fmt: skip
        assert f'href="{path}"' in owner.get("/portal/find").text, path
        assert (f'href="{path}"' in developer.get("/portal/find").text.split("<main")[1]) == is_for_all, path
