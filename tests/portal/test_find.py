"""The search of the portal: pages, keys and records of the member's own account and role."""

from __future__ import annotations

from collections.abc import Callable

from tests.cast import Player
from tests.portal.conftest import PortalClient, analysed, colleague

Make = Callable[[Player], PortalClient]


def test_pages_keys_and_records_are_found_and_nobody_elses(
    member: Make, alice: Player, mallory: Player
) -> None:
    entry = analysed(alice)
    visitor = member(alice)
    assert "/portal/webhooks" in visitor.get("/portal/find?q=webh").text.split("<main")[1]
    key = f"/portal/keys/{alice.key_id}"
    assert key in visitor.get(f"/portal/find?q={alice.key[:12]}").text
    record = f"/portal/find?q={entry.analysis_id}"
    assert "/portal/analyses/1" in visitor.get(record).text
    stranger = member(mallory)
    assert key not in stranger.get(f"/portal/find?q={alice.key[:12]}").text
    assert "/portal/analyses/1" not in stranger.get(record).text.split("<main")[1]
    for odd in ("%00", "%25", "a" * 500, "'%3B--"):
        assert visitor.get(f"/portal/find?q={odd}").status_code == 200


def test_a_role_finds_what_it_may_open(member: Make, alice: Player) -> None:
    officer = member(colleague(alice, "compliance"))
    page = officer.get("/portal/find").text.split("<main")[1]
    assert "/portal/analyses" in page
    assert "/portal/webhooks" not in page
    assert str(alice.key_id) not in officer.get(f"/portal/find?q={alice.key[:12]}").text
