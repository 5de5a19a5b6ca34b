"""API keys in the portal."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

import pytest
import sqlalchemy as sa

from app import tenancy, usage
from app.platform import clock
from app.platform.postgres import db
from app.portal.keys.api_keys import SHOWN
from app.usage.rollup import insert_calls
from app.webhooks.models import Event
from tests.cast import LEASE, Cast, Player
from tests.portal.conftest import PortalClient, colleague, tight

Make = Callable[[Player], PortalClient]

NEW = "/portal/keys/new"
FORM: dict[str, object] = {"name": "Case files", "tier": "standard", "scopes": ["analyze"], "expires": ""}
_ONCE = re.compile(r'name="once" value="([^"]+)"')
_PLAINTEXT = re.compile(r'id="new-key">(svc_[0-9A-Za-z]{38})<')


def keys_of(player: Player) -> list[tenancy.ApiKey]:
    with db.reading() as session:
        return list(tenancy.keys_of(session, player.account_id))


def create(visitor: PortalClient, **changes: object) -> tuple[int, str]:
    found = _ONCE.search(visitor.get(NEW).text)
    assert found
    answer = visitor.send("/portal/keys", {**FORM, "once": found[1], **changes}, on=NEW)
    return answer.status_code, answer.text


def test_a_new_key_is_shown_once_and_works(member: Make, alice: Player) -> None:
    visitor = member(alice)
    status, page = create(visitor)
    assert status == 200
    shown = _PLAINTEXT.search(page)
    assert shown
    key = shown[1]
    assert f"Authorization: Bearer {key}" in page
    answer = visitor.client.post(
        "/api/v1/analyze", json={"text": "x"}, headers={"Authorization": f"Bearer {key}"}
    )
    assert answer.status_code == 422  # let in, and told that the text is too short
    listed = visitor.get("/portal/keys").text
    assert key not in listed
    assert key[:12] in listed


def test_the_ready_request_really_analyses(member: Make, alice: Player) -> None:
    visitor = member(alice)
    _, page = create(visitor)
    shown = re.search(r"-d &#39;(\{.*?\})&#39;", page, re.S)
    assert shown
    body = shown[1].replace("&#34;", '"')
    key = _PLAINTEXT.search(page)
    assert key
    answer = visitor.client.post(
        "/api/v1/analyze",
        data=body.encode(),
        content_type="application/json",
        headers={"Authorization": f"Bearer {key[1]}"},
    )
    assert answer.status_code == 200


def test_sending_the_form_twice_makes_one_key(member: Make, alice: Player) -> None:
    visitor, before = member(alice), len(keys_of(alice))
    once = uuid.uuid4().hex
    assert create(visitor, once=once)[0] == 200
    assert create(visitor, once=once)[0] == 303
    assert len(keys_of(alice)) == before + 1
    assert "has already created its key" in visitor.get("/portal/keys").text


def test_a_refused_form_can_be_mended_and_sent_again(member: Make, alice: Player) -> None:
    visitor = member(alice)
    once = uuid.uuid4().hex
    assert create(visitor, once=once, name="")[0] == 422
    assert create(visitor, once=once)[0] == 200


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"name": ""}, "Enter a name for the key."),
        ({"name": "   "}, "Enter a name for the key."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"name": "a\x00b"}, "on one line"),
        ({"scopes": []}, "Choose at least one permission"),
        ({"scopes": ["analyze", "root"]}, "Choose from the list."),
        ({"tier": "platinum"}, "Choose a tier of your plan."),
        ({"expires": "2001-01-01"}, "Choose a date from today"),
        ({"expires": "9999-12-31"}, "Choose a date from today"),
        ({"expires": "tomorrow"}, "Enter the date as year-month-day"),
    ],
)
def test_a_wrong_field_is_named_and_makes_no_key(
    member: Make, alice: Player, changes: dict[str, object], complaint: str
) -> None:
    before = len(keys_of(alice))
    status, page = create(member(alice), **changes)
    assert status == 422
    assert complaint in page
    assert len(keys_of(alice)) == before


def test_a_key_works_to_the_end_of_its_last_day(member: Make, alice: Player) -> None:
    last = clock.today() + timedelta(days=30)
    create(member(alice), expires=last.isoformat())
    assert keys_of(alice)[0].expires_at == datetime.combine(last + timedelta(days=1), time(), UTC)


def test_a_name_is_text_and_never_markup(member: Make, alice: Player) -> None:
    visitor = member(alice)
    _, page = create(visitor, name="<script>alert(1)</script>")
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert(1)" not in visitor.get(f"/portal/keys/{keys_of(alice)[0].id}/revoke").text


def test_revoking_asks_first_and_says_what_will_happen(member: Make, alice: Player) -> None:
    page = member(alice).get(f"/portal/keys/{alice.key_id}/revoke").text
    assert "This cannot be undone." in page
    assert "401 KEY_REVOKED" in page
    assert keys_of(alice)[0].active


def test_a_revoked_key_is_cut_off_at_once_and_stays_listed(member: Make, alice: Player) -> None:
    visitor = member(alice)
    path = f"/portal/keys/{alice.key_id}/revoke"
    assert visitor.send(path, {}).location == "/portal/keys"
    refused = visitor.client.post("/api/v1/analyze", json={"text": LEASE}, headers=alice.auth)
    assert refused.status_code == 401
    assert refused.get_json()["code"] == "KEY_REVOKED"
    page = visitor.get("/portal/keys").text
    assert "has been revoked" in page
    assert alice.key[:12] in page
    assert visitor.get(path).location == f"/portal/keys/{alice.key_id}"


def test_keys_are_listed_newest_first(member: Make, alice: Player) -> None:
    visitor = member(alice)
    for name in ("first of two", "second of two"):
        create(visitor, name=name)
    page = visitor.get("/portal/keys").text
    assert page.index("second of two") < page.index("first of two")


def test_mallory_cannot_see_or_revoke_alices_key(member: Make, alice: Player, mallory: Player) -> None:
    visitor = member(mallory)
    path = f"/portal/keys/{alice.key_id}/revoke"
    assert visitor.get(path).status_code == 404
    answer = visitor.client.post(path, data={"csrf_token": visitor.token(NEW)})
    assert answer.status_code == 404
    assert keys_of(alice)[0].active
    assert alice.key[:12] not in visitor.get("/portal/keys").text


@pytest.mark.parametrize(("role", "allowed"), [("admin", True), ("developer", True), ("compliance", False)])
def test_keys_are_for_those_who_manage_them(
    member: Make, alice: Player, role: tenancy.Role, allowed: bool
) -> None:
    visitor = member(colleague(alice, role))
    for path in ("/portal/keys", NEW, f"/portal/keys/{alice.key_id}/revoke"):
        assert visitor.get(path).status_code == (200 if allowed else 403), path
    home = visitor.get("/portal/")
    assert ("/portal/keys" in home.text) is allowed
    if not allowed:
        token = visitor.token("/portal/")
        for path in ("/portal/keys", f"/portal/keys/{alice.key_id}/revoke"):
            assert visitor.client.post(path, data={"csrf_token": token, **FORM}).status_code == 403
        assert [key.active for key in keys_of(alice)] == [True]


def test_a_key_says_when_it_was_last_used(member: Make, alice: Player) -> None:
    used = clock.now() - timedelta(days=400)
    with db.transaction() as session:
        tenancy.record_key_use(session, {alice.key_id: used})
    visitor = member(alice)
    for path in ("/portal/keys", f"/portal/keys/{alice.key_id}"):
        assert f" {used.year}, " in visitor.get(path).text


def test_a_key_about_to_stop_is_marked(member: Make, alice: Player) -> None:
    visitor = member(alice)
    create(visitor, expires=(clock.today() + timedelta(days=3)).isoformat(), name="Short")
    assert "Expires soon" in visitor.get("/portal/keys").text
    assert "“Short” expires soon" in visitor.get("/portal/").text


def told(player: Player) -> list[tuple[str, str]]:
    """What the bus said of the player's keys: event and key, oldest first."""
    with db.reading() as session:
        rows = session.scalars(
            sa.select(Event)
            .where(Event.account_id == player.account_id, Event.type.startswith("apikey."))
            .order_by(Event.seq)
        )
        return [(row.type, row.payload["apiKeyId"]) for row in rows]


def test_everything_done_to_a_key_is_told_on_the_bus(member: Make, alice: Player) -> None:
    visitor = member(alice)
    create(visitor)
    row = keys_of(alice)[0]
    path = f"/portal/keys/{row.id}"
    assert visitor.send(path, {"name": "Renamed"}).status_code == 303
    assert visitor.send(path, {"name": "Renamed"}).status_code == 303  # which changes nothing
    assert f'<a class="btn btn--quiet" href="{path}">' in visitor.get(f"{path}/rotate").text
    assert visitor.send(f"{path}/rotate", {"overlap": "0"}).status_code == 200
    for _ in range(2):
        visitor.client.post(f"{path}/revoke", data={"csrf_token": visitor.token(NEW)})
    names = ["created", "updated", "updated", "revoked"]
    assert told(alice) == [(f"apikey.{name}", str(row.id)) for name in names]


def test_a_new_key_says_who_created_it_until_they_have_left(member: Make, alice: Player) -> None:
    other = colleague(alice, "developer")
    create(member(other))
    visitor, row = member(alice), keys_of(alice)[0]
    for path in ("/portal/keys", f"/portal/keys/{row.id}"):
        assert other.email in visitor.get(path).text
    assert row.created_by is not None
    with db.transaction() as session:
        tenancy.remove_member(session, alice.account_id, row.created_by)
    assert "a former member" in visitor.get("/portal/keys").text


def test_a_rotated_key_is_shown_once_and_the_old_secret_opens_as_long_as_chosen(
    member: Make, alice: Player
) -> None:
    visitor, path = member(alice), f"/portal/keys/{alice.key_id}/rotate"
    assert visitor.send(path, {"overlap": "9000"}).status_code == 422
    page = visitor.send(path, {"overlap": "168"}).text
    shown = _PLAINTEXT.search(page)
    assert shown
    assert shown[1] not in visitor.get(f"/portal/keys/{alice.key_id}").text
    for key in (shown[1], alice.key):
        answer = visitor.client.get("/api/v1/credits/ledger", headers={"Authorization": f"Bearer {key}"})
        assert answer.status_code == 200
    row = keys_of(alice)[0]
    assert row.previous_until is not None
    assert abs(row.previous_until - clock.now() - timedelta(days=7)) < timedelta(minutes=5)


def test_a_revoked_key_gets_no_new_secret(member: Make, alice: Player) -> None:
    visitor = member(alice)
    visitor.send(f"/portal/keys/{alice.key_id}/revoke", {})
    answer = visitor.get(f"/portal/keys/{alice.key_id}/rotate")
    assert answer.location == f"/portal/keys/{alice.key_id}"


def test_sub_keys_are_listed_and_changed_with_their_organization(
    member: Make, alice: Player, cast: Cast
) -> None:
    organization_id = cast.organization(alice)
    child = cast.child(alice, organization_id)
    visitor = member(alice)
    there = f"/portal/organizations/{organization_id}/keys/{child.key_id}"
    assert there in visitor.get("/portal/keys").text
    for path, place in (("", there), ("/rotate", f"{there}/rotate"), ("/revoke", f"{there}/cut-off")):
        assert visitor.get(f"/portal/keys/{child.key_id}{path}").location == place
    assert "its 1 child key stops working too" in visitor.get(f"/portal/keys/{alice.key_id}/revoke").text


def test_calls_of_the_last_thirty_days_stand_beside_each_key(member: Make, alice: Player) -> None:
    calls = [
        usage.Call(clock.now() - timedelta(days=ago), alice.account_id, alice.key_id, "/x", 200, 5, 0)
        for ago in (0, 1, 40)
    ]
    db.atomically(lambda session: insert_calls(session, calls))
    page = tight(member(alice).get("/portal/keys").text)
    assert re.search(r'data-label="Calls in 30 days"><span>2</span>', page)


def test_many_keys_are_leafed_through_and_searched(member: Make, alice: Player, cast: Cast) -> None:
    made = [cast.key(alice.account_id)[0] for _ in range(SHOWN)]
    visitor = member(alice)
    with db.transaction() as session:
        tenancy.rename_key(session, tenancy.own_key(session, alice.account_id, made[0]), "100 % Ribera_1")
        tenancy.revoke_key(session, made[-1], now=clock.now(), account_id=alice.account_id)
    first = visitor.get("/portal/keys").text
    older = re.search(r'href="(/portal/keys\?after=[^"]+)" rel="next"', first)
    assert older
    second = visitor.get(older[1]).text
    shown = [set(re.findall(r'href="/portal/keys/([0-9a-f-]{36})"', page)) for page in (first, second)]
    assert [len(part) for part in shown] == [SHOWN, 1]
    assert shown[0] | shown[1] == {str(key_id) for key_id in (*made, alice.key_id)}
    assert shown[1] == {str(made[-1])}  # what is revoked comes last
    for query, found in (
        ("q=ribera_1", {made[0]}),
        ("q=100+%25", {made[0]}),
        ("q=_%25", set()),
        (f"q={alice.key}", {alice.key_id}),
        ("state=revoked", {made[-1]}),
        ("role=master", set()),
    ):
        page = visitor.get(f"/portal/keys?{query}").text
        links = set(re.findall(r'href="/portal/keys/([0-9a-f-]{36})"', page))
        assert links == {str(key_id) for key_id in found}, query


def test_mallory_can_neither_read_rename_nor_rotate_alices_key(
    member: Make, alice: Player, mallory: Player
) -> None:
    visitor, path = member(mallory), f"/portal/keys/{alice.key_id}"
    before = keys_of(alice)[0]
    token = visitor.token(NEW)
    for place in (path, f"{path}/rotate"):
        assert visitor.get(place).status_code == 404
        form = {"csrf_token": token, "name": "Mine", "overlap": "0"}
        assert visitor.client.post(place, data=form).status_code == 404
    after = keys_of(alice)[0]
    assert (after.name, after.key_hash) == (before.name, before.key_hash)
    assert visitor.get(f"/portal/keys?after={alice.key_id}").text.count(alice.key[:12]) == 0
