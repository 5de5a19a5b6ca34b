"""A key that opens nothing is not said to work, and the reason said is the true one: on each page."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from app import organizations, tenancy
from app.platform import clock
from app.platform.postgres import db
from app.portal.web.display import status_labels
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, tight

Make = Callable[[Player], PortalClient]
ORGANIZATION = tuple[Player, Player, uuid.UUID]


def _change(player: Player, **values: Any) -> None:
    with db.transaction() as session:
        row = tenancy.own_key(session, player.account_id, player.key_id)
        for name, value in values.items():
            setattr(row, name, value)


def _past() -> Any:
    return clock.now() - timedelta(minutes=1)


def _delete_organization(master: Player, organization: uuid.UUID) -> None:
    with db.transaction() as session:
        organizations.delete(session, Cast.caller(master), organization, now=clock.now())


# What is done to master, child and organization; the child's standing; what its call is answered.
STATES: dict[str, tuple[Callable[[Player, Player, uuid.UUID], None], tenancy.KeyEnd | None, str | None]] = {
    "alive": (lambda m, c, o: None, None, None),
    "revoked": (lambda m, c, o: _change(c, revoked_at=_past()), "revoked", "KEY_REVOKED"),
    "expired": (lambda m, c, o: _change(c, expires_at=_past()), "expired", "KEY_EXPIRED"),
    "master revoked": (lambda m, c, o: _change(m, revoked_at=_past()), "master_revoked", "KEY_REVOKED"),
    "master expired": (lambda m, c, o: _change(m, expires_at=_past()), "master_expired", "KEY_EXPIRED"),
    "organization deleted": (
        lambda m, c, o: _delete_organization(m, o), "organization_deleted", "KEY_REVOKED",
    ),
    "expired, and its master revoked": (
        lambda m, c, o: (_change(c, expires_at=_past()), _change(m, revoked_at=_past()))[0],
        "master_revoked", "KEY_REVOKED",
    ),
    "revoked, then its organization deleted": (
        lambda m, c, o: (_change(c, revoked_at=_past()), _delete_organization(m, o))[0],
        "revoked", "KEY_REVOKED",
    ),
}  # fmt: skip


@pytest.fixture
def firm(cast: Cast, alice: Player) -> ORGANIZATION:
    """A master, its child, their organization."""
    organization = cast.organization(alice)
    return alice, cast.child(alice, organization), organization


def _tag(page: str, child: Player) -> str:
    """The state in the child's row of a list."""
    row = page.split(f"{child.key[:12]}…")[1].split("</tr>")[0]
    return row.split('class="tag')[1].split("</span>")[0].rpartition("</svg>")[2]


@pytest.mark.parametrize("state", STATES)
def test_every_page_says_of_a_child_what_its_next_call_is_answered(
    client: FlaskClient, member: Make, cast: Cast, firm: ORGANIZATION, state: str
) -> None:
    master, child, organization = firm
    visitor = member(master)
    act, end, code = STATES[state]
    act(master, child, organization)
    answer = client.get("/api/v1/usage", headers=child.auth)
    assert (answer.get_json().get("code") if answer.status_code == 401 else None) == code
    with db.reading() as session:
        row = tenancy.key_of(session, master.account_id, child.key_id)
        found = tenancy.key_statuses(session, master.account_id, [row], now=clock.now())[child.key_id]
    assert found.end == end
    said = str(status_labels.KEY_ENDS[end]) if end else "Works"
    assert _tag(visitor.get("/portal/keys").text, child) == said
    if "deleted" not in state:
        inside = "Suspended" if end == "revoked" else said
        home = f"/portal/organizations/{organization}"
        assert _tag(visitor.get(home).text, child) == inside
        page = visitor.get(f"{home}/keys/{child.key_id}").text
        assert page.split('class="tag')[1].split("</span>")[0].endswith(inside)
        assert ("Works" in page.split("<dl")[0].split('class="tag')[1]) is (end is None)


@pytest.mark.parametrize("state", STATES)
def test_counts_filters_and_pickers_know_it_too(
    member: Make, cast: Cast, firm: ORGANIZATION, state: str
) -> None:
    master, child, organization = firm
    visitor = member(master)
    act, end, _ = STATES[state]
    act(master, child, organization)
    now = clock.now()
    with db.reading() as session:
        states = {
            wanted: {
                row.id
                for row in tenancy.keys_page(
                    session, master.account_id, tenancy.KeyFilter(state=wanted), now=now, limit=50
                ).rows
            }
            for wanted in tenancy.KEY_STATES
        }
        counts = tenancy.count_keys(session, master.account_id, now=now)
    assert [len(states[name]) for name in tenancy.KEY_STATES] == [
        counts.in_use,
        counts.expired,
        counts.revoked,
    ]
    kind = "in_use" if end is None else "expired" if end.endswith("expired") else "revoked"
    assert [name for name, ids in states.items() if child.key_id in ids] == [kind]
    new = visitor.get("/portal/webhooks/new").text
    assert (str(child.key_id) in new) is (end is None), "only a key in use may be chosen for a webhook"
    every = tight(visitor.get("/portal/usage").text)
    option = every.split(f'value="{child.key_id}"')[1].split("</option>")[0]
    assert option.endswith(f"({status_labels.key_end(tenancy.KeyStatus(end, None))})" if end else "…")


def test_the_overview_names_no_dead_child_as_the_key_to_call_with(
    member: Make, cast: Cast, firm: ORGANIZATION
) -> None:
    master, child, _ = firm
    visitor = member(master)
    assert (
        child.key[:12] in visitor.get("/portal/docs").text
        or master.key[:12] in visitor.get("/portal/docs").text
    )
    _change(master, revoked_at=clock.now())
    page = visitor.get("/portal/").text
    assert child.key[:12] not in page
    assert master.key[:12] not in page


def test_a_child_stops_soon_with_its_master(member: Make, firm: ORGANIZATION) -> None:
    master, child, organization = firm
    visitor = member(master)
    _change(master, expires_at=clock.now() + timedelta(days=2))
    assert _tag(visitor.get("/portal/keys").text, child) == "Expires soon"
    assert _tag(visitor.get(f"/portal/organizations/{organization}").text, child) == "Expires soon"


def test_an_organization_whose_master_expired_says_so(member: Make, firm: ORGANIZATION) -> None:
    master, _, _ = firm
    visitor = member(master)
    _change(master, expires_at=_past())
    assert "expired: no child key works" in visitor.get("/portal/organizations").text


def test_a_webhook_of_a_dead_child_says_that_nothing_is_sent(
    client: FlaskClient, member: Make, firm: ORGANIZATION
) -> None:
    master, child, _ = firm
    visitor = member(master)
    made = client.post("/api/v1/webhooks", json={"url": "https://93.184.215.14/in"}, headers=child.auth)
    _change(master, revoked_at=clock.now())
    assert "master revoked: nothing is sent" in visitor.get("/portal/webhooks").text
    page = visitor.get(f"/portal/webhooks/{made.get_json()['id']}").text
    assert "Its API key does not work: master revoked." in page


def test_the_reasons_are_said_in_spanish(member: Make, firm: ORGANIZATION) -> None:
    master, child, _ = firm
    visitor = member(master)
    visitor.client.set_cookie("language", "es")
    _change(master, revoked_at=clock.now())
    assert _tag(visitor.get("/portal/keys").text, child) == "Principal revocada"
