"""A new client in one form: organization, keys and brand together, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from app import branding, tenancy
from app.platform.postgres import db
from tests.cast import LEASE, Cast, Player
from tests.portal.activities import done
from tests.portal.conftest import PortalClient, colleague, tight
from tests.portal.organizations import organizations_of

Make = Callable[[Player], PortalClient]

PAGE = "/portal/organizations/client"
_SECRET = re.compile(r'id="new-key-(\d)">(svc_[0-9A-Za-z]{38})<')
_ONCE = re.compile(r'name="once" value="([^"]+)"')
FORM: dict[str, object] = {
    "name": "Despacho Ribera",
    "keys-0-label": "Gestoría Llanes",
    "keys-0-cap": "200",
    "keys-0-days": "365",
    "keys-1-label": "Asesoría Peñalver",
    "scopes": ["analyze"],
}
BRAND = {"brand_name": "Ribera", "brand_color": "#7a2e4d", "brand_email": "ayuda@ribera.example"}


def send(visitor: PortalClient, **changes: object) -> tuple[int, str]:
    found = _ONCE.search(visitor.get(PAGE).text)
    assert found
    form = {name: value for name, value in {**FORM, "once": found[1], **changes}.items() if value is not None}
    answer = visitor.send(PAGE, form)
    return answer.status_code, unescape(answer.text)


def keys_of(player: Player) -> list[tenancy.ApiKey]:
    with db.reading() as session:
        return list(tenancy.keys_of(session, player.account_id))


def test_everything_is_made_at_once_and_shown_once(member: Make, alice: Player) -> None:
    visitor = member(alice)
    before = done(alice)[0].seq
    status, page = send(visitor, **BRAND)
    assert status == 200
    assert "At most 200 credits a month" in tight(page)
    (organization,) = organizations_of(alice)
    found = {
        key.child_label or key.name: key for key in keys_of(alice) if key.organization_id == organization.id
    }
    assert set(found) == {"Despacho Ribera", "Gestoría Llanes", "Asesoría Peñalver"}
    master, first, second = (
        found[name] for name in ("Despacho Ribera", "Gestoría Llanes", "Asesoría Peñalver")
    )
    assert (master.role, set(master.scopes)) == ("master", set(tenancy.SCOPES))
    assert (first.monthly_credit_cap, (first.expires_at - first.created_at).days) == (200, 365)  # type: ignore[operator]
    assert (second.monthly_credit_cap, second.expires_at, second.scopes) == (None, None, ["analyze"])
    secrets = dict(_SECRET.findall(page))
    assert secrets.keys() == {"0", "1", "2"}
    for number, key in (("0", master), ("1", first), ("2", second)):
        assert secrets[number].startswith(key.key_prefix)
    with db.reading() as session:
        brand = branding.get(session, alice.account_id, master.id)
    assert (brand.branding, brand.partner_brand_name, brand.partner_primary_color) == (
        "partner", "Ribera", "#7a2e4d",
    )  # fmt: skip
    answer = visitor.client.post(
        "/api/v1/analyze", json={"text": LEASE}, headers={"Authorization": f"Bearer {secrets['1']}"}
    )
    assert answer.status_code == 200
    acts = [one.action for one in done(alice) if one.seq > before]
    assert sorted(acts) == ["branding.changed", *["key.created"] * 3, "organization.created"]


def test_a_key_at_hand_becomes_the_master(member: Make, alice: Player) -> None:
    status, page = send(member(alice), key=str(alice.key_id))
    assert status == 200
    assert dict(_SECRET.findall(page)).keys() == {"1", "2"}
    assert next(key for key in keys_of(alice) if key.id == alice.key_id).role == "master"


def test_a_form_sent_twice_makes_one_client(member: Make, alice: Player) -> None:
    visitor = member(alice)
    assert send(visitor, once="the-same-form")[0] == 200
    assert send(visitor, once="the-same-form")[0] == 303
    assert len(organizations_of(alice)) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": " "}, "Enter a name for the organization."),
        ({"keys-0-label": "", "keys-1-label": "", "keys-0-cap": "", "keys-0-days": ""}, "Enter a label"),
        ({"keys-0-label": ""}, "Enter a label"),
        ({"keys-1-label": "x"}, "at least 2 characters"),
        ({"keys-1-label": "y" * 81}, "at most 80 characters"),
        ({"keys-5-label": "Sixth", "keys-5-cap": "-1"}, "Enter a whole number from 0"),
        ({"keys-0-days": "3651"}, "Enter a whole number of days"),
        ({"scopes": None}, "Choose at least one permission."),
        ({"scopes": ["admin"]}, "Choose from the list."),
        ({"tier": "platinum"}, "Choose a tier of your plan."),
        ({**BRAND, "brand_name": ""}, "Enter the brand name."),
        ({**BRAND, "brand_color": "red"}, "hexadecimal"),
        ({**BRAND, "brand_email": "nobody"}, "Enter an e-mail address"),
        ({"key": "no such key"}, "Choose another."),
        ({"key": "00000000-0000-0000-0000-000000000001"}, "Choose another."),
    ],
)
def test_a_wrong_field_makes_nothing(
    member: Make, alice: Player, wrong: dict[str, object], words: str
) -> None:
    before = len(keys_of(alice))
    status, page = send(member(alice), **wrong)
    assert status == 422
    assert words in page
    assert "Nothing was created." in page
    assert (len(keys_of(alice)), organizations_of(alice)) == (before, [])


def test_what_fails_last_takes_back_what_came_before(
    member: Make, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("the brand cannot be saved")

    visitor, before = member(alice), len(keys_of(alice))
    monkeypatch.setattr(branding, "save", refuse)
    assert send(visitor, **BRAND, once="a-form")[0] == 500
    assert (len(keys_of(alice)), organizations_of(alice)) == (before, [])
    monkeypatch.undo()
    # The form was not used up by its failure.
    assert send(visitor, **BRAND, once="a-form")[0] == 200


def test_a_master_cannot_be_one_twice_nor_a_strangers(
    member: Make, alice: Player, mallory: Player, cast: Cast
) -> None:
    cast.child(alice)
    for key in (alice.key_id, mallory.key_id):
        status, page = send(member(alice), key=str(key))
        assert (status, "Choose another." in page) == (422, True)


def test_a_compliance_officer_makes_no_clients(member: Make, alice: Player) -> None:
    assert member(colleague(alice, "compliance")).get(PAGE).status_code == 403
