"""Enforcement policies in the portal: which one holds, what it would have withheld, who may set it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from app import tenancy
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, analysed, colleague, tight

Make = Callable[[Player], PortalClient]
LIST, SET = "/portal/policies", "/portal/policies/set"


def put(visitor: PortalClient, state: str, status: int = 303, **target: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in target.items())
    answer = visitor.send(f"{SET}?{query}", {"state": state} if state else {})
    assert answer.status_code == status, answer.text
    return answer.text


def held(player: Player) -> tenancy.EnforcementPolicy | None:
    with db.reading() as session:
        found = tenancy.enforcement.of_key(session, player.account_id, player.key_id)
        session.expunge_all()
    return found


def test_without_a_policy_everything_is_delivered(member: Make, alice: Player) -> None:
    page = tight(member(alice).get(LIST).text)
    assert "not set: delivers" in page
    assert "no policy" in page


def test_a_policy_of_the_account_holds_for_its_keys_on_the_next_request(
    member: Make, alice: Player, cast: Cast
) -> None:
    visitor = member(alice)
    put(visitor, "on", scope="user")
    found = held(alice)
    assert found
    assert (found.scope, found.enabled, found.version) == ("user", True, 1)
    assert cast.caller(alice).enforcement.enabled
    assert "policy of the account" in visitor.get(LIST).text


def test_the_narrowest_policy_holds(member: Make, alice: Player, cast: Cast) -> None:
    organization = cast.organization(alice)
    child = cast.child(alice, organization)
    visitor = member(alice)
    put(visitor, "on", scope="user")
    put(visitor, "off", scope="organization", target=organization)
    assert not cast.caller(alice).enforcement.enabled
    assert not cast.caller(child).enforcement.enabled
    assert "policy of its organization" in visitor.get(LIST).text
    put(visitor, "on", scope="api_key", target=child.key_id)
    assert cast.caller(child).enforcement.enabled
    assert not cast.caller(alice).enforcement.enabled
    page = tight(visitor.get(LIST).text)
    assert "its own policy" in page
    wider = visitor.get(f"{SET}?scope=api_key&target={alice.key_id}").text
    assert "a wider policy holds, which delivers" in wider


def test_the_dry_run_counts_what_the_policy_would_hold_for(member: Make, alice: Player, cast: Cast) -> None:
    key_id, key = cast.key(alice.account_id)
    other = replace(alice, key_id=key_id, key=key)
    for player, citations in ((alice, {"not_found": 1}), (alice, {"verified": 1}), (other, {"mismatch": 2})):
        analysed(player, citations=citations)
    analysed(alice, citations={"derogated": 1}, ago=timedelta(days=31))
    visitor = member(alice)
    page = visitor.get(f"{SET}?scope=user").text
    assert "Of 3 analyses under 2 keys, it would have withheld 2." in page
    assert "66.7%" in page
    assert f"key={key_id}" in page
    assert (
        "Of 2 analyses under 1 keys, it would have withheld 1."
        in visitor.get(f"{SET}?scope=api_key&target={alice.key_id}").text
    )
    # A key with a policy of its own is none of the account's any more.
    put(visitor, "off", scope="api_key", target=key_id)
    page = visitor.get(f"{SET}?scope=user").text
    assert "Of 2 analyses under 1 keys, it would have withheld 1." in page
    assert held(alice) is None, "looking saves nothing"


def test_a_dry_run_without_analyses_says_so(member: Make, alice: Player) -> None:
    assert "There were no analyses under this policy" in member(alice).get(f"{SET}?scope=user").text


def test_nothing_is_saved_without_a_choice(member: Make, alice: Player) -> None:
    visitor = member(alice)
    for state in ("", "maybe"):
        put(visitor, state, 422, scope="user")
    assert held(alice) is None


@pytest.mark.parametrize(
    "query", ["", "scope=organization", "scope=api_key", "scope=planet", "scope=api_key&key=zz"]
)
def test_a_policy_for_nothing_leads_back_to_the_list(member: Make, alice: Player, query: str) -> None:
    answer = member(alice).get(f"{SET}?{query}")
    assert (answer.status_code, answer.location) == (303, LIST)


@pytest.mark.parametrize(("role", "status"), [("admin", 303), ("developer", 403), ("compliance", 403)])
def test_owners_and_administrators_set_policies_and_everybody_reads_them(
    member: Make, alice: Player, role: tenancy.Role, status: int
) -> None:
    visitor = member(colleague(alice, role))
    page = visitor.get(LIST)
    assert page.status_code == 200
    assert (f'href="{SET}' in page.text) is (status == 303)
    token = visitor.token("/portal/profile")
    sent = visitor.client.post(f"{SET}?scope=user", data={"csrf_token": token, "state": "on"})
    assert sent.status_code == status
    assert (held(alice) is not None) is (status == 303)


def test_what_is_anothers_is_not_there(member: Make, alice: Player, mallory: Player, cast: Cast) -> None:
    organization = cast.organization(alice)
    visitor = member(mallory)
    token = visitor.token("/portal/profile")
    for scope, target in (
        ("organization", organization), ("organization", uuid.uuid4()), ("organization", "x"),
        ("api_key", alice.key_id), ("api_key", uuid.uuid4()),
    ):  # fmt: skip
        path = f"{SET}?scope={scope}&target={target}"
        assert visitor.get(path).status_code == 404
        assert visitor.client.post(path, data={"csrf_token": token, "state": "on"}).status_code == 404
    assert held(alice) is None


def test_what_was_withheld_is_counted(member: Make, alice: Player) -> None:
    from app import webhooks

    with db.transaction() as session:
        webhooks.publish(
            session,
            alice.account_id,
            "output.withheld",
            {**webhooks.CATALOGUE["output.withheld"].example},
            now=clock.now(),
        )
    assert "1 analysis withheld in the last 30 days" in member(alice).get(LIST).text
