"""Organizations and child keys in the portal."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from app import tenancy
from app.platform import clock
from app.platform.postgres import db
from app.portal.keys.organizations import SHOWN
from tests.cast import LEASE, Cast, Player
from tests.portal.calls import called
from tests.portal.conftest import PortalClient, colleague, tight
from tests.portal.organizations import organizations_of

Make = Callable[[Player], PortalClient]

PLAINTEXT = re.compile(r'id="new-key">(svc_[0-9A-Za-z]{38})<')
_ONCE = re.compile(r'name="once" value="([^"]+)"')


def keys_of(player: Player) -> dict[uuid.UUID, tenancy.ApiKey]:
    with db.reading() as session:
        return {key.id: key for key in tenancy.keys_of(session, player.account_id)}


def issue(visitor: PortalClient, organization_id: uuid.UUID, **changes: object) -> Any:
    on = f"/portal/organizations/{organization_id}/keys/new"
    found = _ONCE.search(visitor.get(on).text)
    assert found
    form: dict[str, object] = {
        "label": "Gestoría",
        "scopes": ["analyze"],
        "cap": "",
        "days": "",
        "once": found[1],
    }
    return visitor.send(f"/portal/organizations/{organization_id}/keys", {**form, **changes}, on=on)


def issued(visitor: PortalClient, organization_id: uuid.UUID, **changes: object) -> tuple[uuid.UUID, str]:
    """A new child key's id and plaintext."""
    page = issue(visitor, organization_id, **changes).text
    shown = PLAINTEXT.search(page)
    assert shown
    newest = next(key for key in keys_of(visitor.player).values() if key.role == "child")
    assert shown[1].startswith(newest.key_prefix)
    return newest.id, shown[1]


def call(visitor: PortalClient, key: str) -> tuple[int, str | None]:
    answer = visitor.client.post(
        "/api/v1/analyze", json={"text": LEASE}, headers={"Authorization": f"Bearer {key}"}
    )
    return answer.status_code, answer.get_json().get("code")


def test_a_key_on_its_own_becomes_the_master(member: Make, alice: Player) -> None:
    visitor = member(alice)
    assert "No organizations yet" in visitor.get("/portal/organizations").text
    answer = visitor.send(
        "/portal/organizations",
        {"name": " Despacho <i>Ribera</i> ", "description": "", "key": str(alice.key_id)},
        on="/portal/organizations/new",
    )
    (made,) = organizations_of(alice)
    assert answer.location == f"/portal/organizations/{made.id}"
    assert made.name == "Despacho <i>Ribera</i>"
    assert keys_of(alice)[alice.key_id].role == "master"
    assert "<i>Ribera" not in visitor.get("/portal/organizations").text
    assert "An organization needs its own master key" in visitor.get("/portal/organizations/new").text


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"name": ""}, "Enter a name for the organization."),
        ({"name": "x"}, "at least 2 characters"),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"description": "x" * 301}, "at most 300 characters"),
        ({"key": ""}, "Choose its master key."),
    ],
)
def test_a_wrong_field_is_named_and_makes_no_organization(
    member: Make, alice: Player, changes: dict[str, object], complaint: str
) -> None:
    form = {"name": "Firm", "description": "", "key": str(alice.key_id), **changes}
    answer = member(alice).send("/portal/organizations", form, on="/portal/organizations/new")
    assert answer.status_code == 422
    assert complaint in answer.text
    assert organizations_of(alice) == []


def test_a_master_is_no_master_twice_and_five_are_enough(member: Make, alice: Player, cast: Cast) -> None:
    visitor = member(alice)
    form: dict[str, object] = {"name": "Firm", "key": str(alice.key_id)}
    on = "/portal/organizations/new"
    for count in range(6):
        key_id = cast.key(alice.account_id)[0]
        last = visitor.send("/portal/organizations", {**form, "key": str(key_id)}, on=on)
        assert last.status_code == (303 if count < 5 else 422)
    assert "at most five organizations" in last.text
    master = next(key for key in keys_of(alice).values() if key.role == "master")
    again = visitor.send("/portal/organizations", {**form, "key": str(master.id)}, on=on)
    assert "already belongs to an organization" in again.text


def test_a_partner_issues_a_sub_key_and_cuts_it_off(member: Make, alice: Player, cast: Cast) -> None:
    organization_id = cast.organization(alice)
    visitor = member(alice)
    key_id, plaintext = issued(visitor, organization_id, cap="500", days="30")
    row = keys_of(alice)[key_id]
    assert (row.child_label, row.monthly_credit_cap, row.scopes) == ("Gestoría", 500, ["analyze"])
    assert row.expires_at is not None
    assert abs(row.expires_at - clock.now() - timedelta(days=30)) < timedelta(minutes=5)
    path = f"/portal/organizations/{organization_id}/keys/{key_id}"
    assert plaintext not in visitor.get(path).text
    assert call(visitor, plaintext) == (200, None)
    called(alice, 7, key_id=key_id)
    assert "It made 7 calls in the last 30 days." in visitor.get(f"{path}/cut-off").text
    assert visitor.send(f"{path}/cut-off", {}).location == path
    assert call(visitor, plaintext) == (401, "KEY_REVOKED")
    page = visitor.get(path).text
    assert "has been suspended. Its next request gets 401" in page
    assert visitor.get(f"{path}/cut-off").location == path
    visitor.send(f"{path}/let-in", {}, on=path)
    assert call(visitor, plaintext) == (200, None)


def test_sending_the_form_twice_makes_one_sub_key(member: Make, alice: Player, cast: Cast) -> None:
    organization_id = cast.organization(alice)
    visitor, once = member(alice), uuid.uuid4().hex
    assert issue(visitor, organization_id, once=once).status_code == 200
    assert issue(visitor, organization_id, once=once).status_code == 303
    assert len(keys_of(alice)) == 2


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"label": ""}, "Enter a label for the key."),
        ({"label": "x"}, "at least 2 characters"),
        ({"scopes": []}, "Choose at least one permission"),
        ({"scopes": ["root"]}, "Choose from the list."),
        ({"cap": "-1"}, "Enter a whole number from 0"),
        ({"cap": "1e3"}, "Enter a whole number from 0"),
        ({"days": "0"}, "from 1 to 3650"),
        ({"days": "3651"}, "from 1 to 3650"),
    ],
)
def test_a_wrong_field_is_named_and_makes_no_sub_key(
    member: Make, alice: Player, cast: Cast, changes: dict[str, object], complaint: str
) -> None:
    answer = issue(member(alice), cast.organization(alice), **changes)
    assert answer.status_code == 422
    assert complaint in answer.text
    assert len(keys_of(alice)) == 1


def test_a_sub_key_may_do_no_more_than_its_master(member: Make, cast: Cast) -> None:
    small = cast.player("small", scopes=("analyze",))
    organization_id = cast.organization(small)
    visitor = member(small)
    assert 'value="query"' not in visitor.get(f"/portal/organizations/{organization_id}/keys/new").text
    answer = issue(visitor, organization_id, scopes=["analyze", "query"])
    assert answer.status_code == 422
    assert "more permissions than its master key" in answer.text


def test_a_sub_key_is_changed_and_its_cap_lifted(member: Make, alice: Player, cast: Cast) -> None:
    organization_id = cast.organization(alice)
    visitor = member(alice)
    key_id, _ = issued(visitor, organization_id, cap="5")
    path = f"/portal/organizations/{organization_id}/keys/{key_id}"
    form = {"label": "Other", "scopes": ["query", "mcp"], "cap": "0"}
    assert visitor.send(path, form).location == path
    row = keys_of(alice)[key_id]
    assert (row.child_label, row.scopes, row.monthly_credit_cap) == ("Other", ["query", "mcp"], 0)
    assert "Cap reached" in visitor.get(path).text
    visitor.send(path, {**form, "cap": ""})
    assert keys_of(alice)[key_id].monthly_credit_cap is None
    refused = visitor.send(path, {**form, "label": ""})
    assert refused.status_code == 422
    assert "Enter a label for the key." in refused.text


def test_rotating_lets_the_old_secret_open_as_long_as_chosen(member: Make, alice: Player, cast: Cast) -> None:
    organization_id = cast.organization(alice)
    visitor = member(alice)
    key_id, first = issued(visitor, organization_id)
    path = f"/portal/organizations/{organization_id}/keys/{key_id}"
    secrets = [first]
    for hours in ("24", "0"):
        once = _ONCE.search(visitor.get(f"{path}/rotate").text)
        assert once
        page = visitor.send(f"{path}/rotate", {"overlap": hours, "once": once[1]}).text
        shown = PLAINTEXT.search(page)
        assert shown
        secrets.append(shown[1])
        assert ("The old one is also valid until" in page) is (hours == "24")
        opens = [call(visitor, secret)[0] for secret in secrets]
        assert opens == ([200, 200] if hours == "24" else [401, 401, 200])
    assert visitor.send(f"{path}/rotate", {"overlap": "0", "once": once[1]}).status_code == 303
    for wrong in ("", "5", "many"):
        answer = visitor.send(f"{path}/rotate", {"overlap": wrong, "once": "x"})
        assert answer.status_code == 422
        assert "Choose one of these." in answer.text


def test_usage_stands_beside_each_sub_key(member: Make, alice: Player, cast: Cast) -> None:
    child = cast.child(alice)
    (organization,) = organizations_of(alice)
    called(alice, 11, key_id=child.key_id)
    called(alice, 2, key_id=child.key_id, status=500, credits=0)
    called(alice, 900, key_id=child.key_id, ago=timedelta(days=40))
    page = tight(member(alice).get(f"/portal/organizations/{organization.id}").text)
    assert '<dd class="big">13</dd>' in page
    assert '<td class="r" data-label="Calls"><span>13</span>' in page
    assert '<td class="r" data-label="Credits"><span>11</span>' in page


def test_many_sub_keys_are_leafed_through_and_searched(member: Make, alice: Player, cast: Cast) -> None:
    organization_id = cast.organization(alice)
    made = [cast.child(alice, organization_id).key_id for _ in range(SHOWN + 1)]
    with db.transaction() as session:
        child = tenancy.own_key(session, alice.account_id, made[3])
        child.child_label = child.name = "50 % Olmo_2"
        tenancy.revoke_key(session, made[-1], now=clock.now(), account_id=alice.account_id)
    visitor, path = member(alice), f"/portal/organizations/{organization_id}"
    link = re.compile(rf'href="{path}/keys/([0-9a-f-]{{36}})"')
    first = visitor.get(path).text
    older = re.search(rf'href="({path}\?[^"]*after=[^"]+)" rel="next"', first)
    assert older
    second = visitor.get(html.unescape(older[1])).text
    shown = [set(link.findall(page)) for page in (first, second)]
    assert [len(part) for part in shown] == [SHOWN, 1]
    assert shown[0] | shown[1] == {str(key_id) for key_id in made}
    assert shown[1] == {str(made[-1])}  # what is cut off comes last
    for query, found in (
        ("q=olmo_2", {made[3]}),
        ("q=%25", {made[3]}),
        ("q=nobody", set()),
        ("state=revoked", {made[-1]}),
    ):
        assert set(link.findall(visitor.get(f"{path}?{query}").text)) == {str(key_id) for key_id in found}


def test_deleting_says_who_is_cut_off_and_keeps_the_master(member: Make, alice: Player, cast: Cast) -> None:
    child = cast.child(alice)
    (organization,) = organizations_of(alice)
    called(alice, 4, key_id=child.key_id)
    path = f"/portal/organizations/{organization.id}/delete"
    visitor = member(alice)
    page = visitor.get(path).text
    assert "1 child key is revoked at once and permanently" in page
    assert "Together they made 4 calls" in page
    assert "Junior" in page
    assert visitor.send(path, {}).location == "/portal/organizations"
    assert call(visitor, child.key) == (401, "KEY_REVOKED")
    assert call(visitor, alice.key) == (200, None)
    assert visitor.get(path).status_code == 404
    assert "1 child key revoked. Usage" in visitor.get("/portal/organizations").text


def test_an_organization_is_renamed(member: Make, alice: Player, cast: Cast) -> None:
    path = f"/portal/organizations/{cast.organization(alice)}"
    visitor = member(alice)
    assert visitor.send(f"{path}/edit", {"name": "x"}).status_code == 422
    assert visitor.send(f"{path}/edit", {"name": "Firm & Sons", "description": "of 1902"}).location == path
    (row,) = organizations_of(alice)
    assert (row.name, row.description) == ("Firm & Sons", "of 1902")


def test_a_revoked_master_is_said(member: Make, alice: Player, cast: Cast) -> None:
    cast.child(alice)
    (organization,) = organizations_of(alice)
    with db.transaction() as session:
        tenancy.revoke_key(session, alice.key_id, now=clock.now())
    page = member(alice).get(f"/portal/organizations/{organization.id}").text
    assert "Its master key is revoked." in page
    assert "Master revoked" in page


def test_mallory_cannot_reach_alices_organization(
    member: Make, alice: Player, mallory: Player, cast: Cast
) -> None:
    child = cast.child(alice)
    (organization,) = organizations_of(alice)
    own = cast.organization(mallory)
    visitor = member(mallory)
    assert "Firm" not in visitor.get("/portal/organizations").text.replace("Firm</a>", "", 1)
    for base in (
        f"/portal/organizations/{organization.id}",
        f"/portal/organizations/{uuid.uuid4()}",
    ):
        for page in ("", "/edit", "/delete", "/keys/new"):
            assert visitor.get(base + page).status_code == 404, page
        for act in ("/edit", "/delete", "/keys"):
            form = {"name": "Mine", "label": "Mine", "scopes": ["analyze"]}
            sent = visitor.send(base + act, form, on="/portal/keys/new")
            assert sent.status_code == 404, act
    for base in (organization.id, own):
        for key_id in (child.key_id, mallory.key_id, uuid.uuid4()):
            path = f"/portal/organizations/{base}/keys/{key_id}"
            for page in ("", "/cut-off", "/rotate"):
                assert visitor.get(path + page).status_code == 404, page
            for act in ("", "/cut-off", "/let-in", "/rotate"):
                form = {"label": "Mine", "scopes": ["analyze"], "overlap": "0"}
                sent = visitor.send(path + act, form, on="/portal/keys/new")
                assert sent.status_code in (404, 409), act
    row = keys_of(alice)[child.key_id]
    assert (row.active, row.child_label) == (True, "Junior")
    stolen = {"name": "Mine", "key": str(alice.key_id)}
    assert visitor.send("/portal/organizations", stolen, on="/portal/keys/new").status_code == 404


@pytest.mark.parametrize(("role", "allowed"), [("developer", True), ("compliance", False)])
def test_organizations_are_for_those_who_manage_keys(
    member: Make, alice: Player, cast: Cast, role: tenancy.Role, allowed: bool
) -> None:
    child = cast.child(alice)
    (organization,) = organizations_of(alice)
    base = f"/portal/organizations/{organization.id}"
    path = f"{base}/keys/{child.key_id}"
    visitor = member(colleague(alice, role))
    pages = ("/portal/organizations", "/portal/organizations/new", base, f"{base}/edit", f"{base}/delete")
    for page in (*pages, f"{base}/keys/new", path, f"{path}/cut-off", f"{path}/rotate"):
        assert visitor.get(page).status_code == (200 if allowed else 403), page
    if not allowed:
        token = {"csrf_token": visitor.token("/portal/")}
        for act in ("/portal/organizations", f"{base}/edit", f"{base}/delete", f"{base}/keys", path):
            assert visitor.client.post(act, data=token).status_code == 403, act
        for act in ("cut-off", "let-in", "rotate"):
            assert visitor.client.post(f"{path}/{act}", data=token).status_code == 403, act


def test_organizations_speak_spanish(member: Make, alice: Player, cast: Cast) -> None:
    cast.child(alice)
    (organization,) = organizations_of(alice)
    visitor = member(alice)
    visitor.client.set_cookie("language", "es")
    assert "Crear organización" in visitor.get("/portal/organizations").text
    assert "Subclaves en uso" in visitor.get(f"/portal/organizations/{organization.id}").text
