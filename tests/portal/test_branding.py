"""Branding in the portal: the form, what is seen before it is saved, and who may."""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from PIL import Image

from app import branding, tenancy
from app.platform import settings
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.brands import FORM, PAGE, send
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]


def saved(player: Player) -> branding.Branding:
    with db.reading() as session:
        return branding.get(session, player.account_id, player.key_id)


def logo_is(player: Player, state: str, *, reason: str | None = None, image: bytes | None = None) -> None:
    """The logo as a worker would have left it."""
    with db.transaction() as session:
        session.execute(
            sa.text(
                "UPDATE branding_logos SET state = :state, reason = :reason, image = :image, width = 40, "
                "height = 20, fetched_at = now(), next_attempt_at = NULL WHERE api_key_id = :key"
            ),
            {"state": state, "reason": reason, "image": image, "key": player.key_id},
        )


def preview(visitor: PortalClient, **changes: object) -> str:
    form = {"csrf_token": visitor.token(PAGE), **FORM, **changes}
    answer = visitor.client.post(PAGE, data=form, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return answer.text


def face(page: str, mode: str) -> str:
    return page.split(f'id="h-{mode}"')[1].split("</section>")[0]


def test_a_partner_saves_and_the_children_inherit(member: Make, alice: Player, cast: Cast) -> None:
    child = cast.child(alice)
    visitor = member(alice)
    assert "and the 1 child key that inherits it" in visitor.get(PAGE).text
    answer = send(visitor)
    assert answer.location == f"{PAGE}?key={alice.key_id}"
    page = visitor.get(answer.location).text
    assert "to 2 keys" in page
    assert 'value="Ibáñez &amp; Soler"' in page
    assert saved(alice).partner_primary_color == "#1f4e79"
    shown = visitor.client.get("/api/v1/branding", headers=child.auth).get_json()
    assert shown["partner_brand_name"] == "Ibáñez & Soler"


def test_an_emptied_field_is_cleared(member: Make, alice: Player) -> None:
    visitor = member(alice)
    send(visitor)
    send(visitor, branding="none", partner_brand_name=" ", partner_website="")
    assert (saved(alice).branding, saved(alice).partner_brand_name) == ("none", None)
    assert saved(alice).partner_website is None
    assert saved(alice).partner_legal_name == FORM["partner_legal_name"]


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("branding", "loud", "Choose one of the three."),
        ("partner_brand_name", "", "Enter the brand name."),
        ("partner_brand_name", "x" * 81, "at most 80 characters"),
        ("partner_brand_name", "Ibáñez\u202eSoler", "on one line"),
        ("partner_legal_name", "x" * 201, "at most 200 characters"),
        ("partner_primary_color", "red", "six hexadecimal digits"),
        ("partner_primary_color", "#aabbcc\n", "six hexadecimal digits"),
        ("partner_primary_color", "\r\n#aabbcc", "six hexadecimal digits"),
        ("partner_primary_color", "#aabbcc\x00", "six hexadecimal digits"),
        ("partner_primary_color", "#aabb\u0661\u0662", "six hexadecimal digits"),
        ("partner_website", "https://www.example.com/\n", "Enter a full URL"),
        ("partner_support_email", "a@example.com\n", "Enter an e-mail address"),
        ("partner_support_email", "nobody", "Enter an e-mail address"),
        ("partner_logo_url", "logo.png", "Enter a full URL"),
        ("partner_logo_url", "https://127.0.0.1/logo.png", "This URL is not allowed"),
        ("partner_website", "http://www.example.com/", "This URL is not allowed"),
        ("partner_website", "https://169.254.169.254/", "This URL is not allowed"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_saved(
    member: Make, alice: Player, field: str, value: str, complaint: str
) -> None:
    answer = send(member(alice), **{field: value})
    assert answer.status_code == 422
    beside = re.search(rf'id="{field}-err">(.*?)</p>', answer.text, re.DOTALL)
    assert beside
    assert complaint in beside[1]
    assert saved(alice) == branding.Branding()


def test_a_preview_shows_the_three_modes_and_saves_nothing(member: Make, alice: Player) -> None:
    name = settings.current().service_name
    page = preview(member(alice))
    assert "<html" not in page
    assert "Not saved" in page
    modes = re.findall(r'<h3 id="h-(\w+)"', page)
    assert modes[0] == "partner"
    assert sorted(modes) == ["nexus", "none", "partner"]
    assert "Canned answer of <mark>Ibáñez &amp; Soler</mark>, written by hand" in face(page, "partner")
    assert name not in face(page, "partner")
    assert f"Canned answer of <mark>{name}</mark>" in face(page, "nexus")
    assert "<mark>" not in face(page, "none")
    assert name not in face(page, "none").split("Sample analysis")[1]
    assert all("SERVICE-AUDIT-TRAIL-BEGIN" in face(page, mode) for mode in modes)
    foot = face(page, "partner").split("E-mail footer")[1]
    assert "soporte@ibanez-soler.example" in foot
    assert "https://www.ibanez-soler.example/" in foot
    assert saved(alice) == branding.Branding()


def test_without_scripts_a_button_previews(member: Make, alice: Player) -> None:
    answer = send(member(alice), do="preview")
    assert answer.status_code == 200
    assert "Not saved" in answer.text
    assert 'value="#1f4e79"' in answer.text
    assert saved(alice) == branding.Branding()


def test_a_preview_says_at_the_field_what_is_wrong(member: Make, alice: Player) -> None:
    answer = send(member(alice), do="preview", partner_primary_color="#12")
    assert answer.status_code == 422
    assert 'id="partner_primary_color-err"' in answer.text


def test_colours_are_applied_and_a_faint_one_is_warned_about(member: Make, alice: Player) -> None:
    visitor = member(alice)
    faint = preview(visitor, partner_primary_color="#FFD400")
    assert "This colour is hard to read on white." in faint
    ink = branding.readable("#ffd400")
    assert f"#ffd400 → {ink}" in faint
    assert f'fill="{ink}"' in face(faint, "partner")
    assert 'fill="#ffd400"' in face(faint, "partner")
    assert 'fill="#ffd400"' not in face(faint, "nexus")
    # Black upon yellow, white upon navy.
    assert 'fill="#000000"' in face(faint, "partner")
    strong = preview(visitor)
    assert "hard to read" not in strong
    assert "sufficient for text." in strong
    assert 'fill="#ffffff"' in face(strong, "partner")


def test_what_a_client_could_write_stays_text(member: Make, alice: Player) -> None:
    page = preview(member(alice), partner_brand_name='"><script>alert(1)</script>')
    assert "<script" not in page
    wrong = preview(member(alice), partner_primary_color='"/><script>')
    assert "<script" not in wrong


@pytest.mark.parametrize(
    ("mode", "named", "mark"),
    [
        ("nexus", "Candado", 'class="logo__mark" aria-hidden'),
        ("partner", "Ibáñez &amp; Soler", 'class="logo__mark logo__mark--own"'),
        ("none", "alice", None),
    ],
)
def test_the_portal_appears_as_the_preview_shows(
    member: Make, alice: Player, mallory: Player, mode: str, named: str, mark: str | None
) -> None:
    visitor = member(alice)
    send(visitor, branding=mode, partner_brand_name="Ibáñez & Soler")
    for path in ("/portal/", "/portal/keys"):
        page = visitor.get(path).text
        above = page[page.index('<header class="top">') : page.index("</header>")]
        assert f'<span class="logo__name">{named}</span>' in above
        assert f"· {named}</title>" in page
        assert ("logo__mark" in above) is (mark is not None)
        if mark:
            assert mark in above
        assert ("Candado API" in page) is (mode == "nexus")
    assert f'<span class="logo__name">{named}</span>' in face(visitor.get(PAGE).text, mode)
    assert "Soler" not in member(mallory).get("/portal/").text


def test_the_logo_says_how_it_stands(member: Make, alice: Player) -> None:
    visitor = member(alice)
    assert "None. Documents show the brand name instead." in visitor.get(PAGE).text
    assert visitor.get(f"{PAGE}/logo").status_code == 404
    send(visitor, partner_logo_url="https://www.ibanez-soler.example/logo.png")
    assert "The logo is being fetched." in visitor.get(PAGE).text
    logo_is(alice, "failed", reason="it is not a PNG or JPEG that can be decoded")
    assert "it is not a readable PNG or JPEG" in visitor.get(PAGE).text
    drawn = io.BytesIO()
    Image.new("RGB", (40, 20), "#1f4e79").save(drawn, "PNG")
    logo_is(alice, "ready", image=drawn.getvalue())
    page = visitor.get(PAGE).text
    assert "40 by 20 pixels" in page
    assert "/portal/branding/logo" in face(page, "partner")
    assert "/portal/branding/logo" not in face(page, "nexus")
    picture = visitor.get(f"{PAGE}/logo?key={alice.key_id}")
    assert (picture.data, picture.mimetype) == (drawn.getvalue(), "image/png")


def test_the_agreement_is_there_once_a_legal_name_is_saved(member: Make, alice: Player) -> None:
    visitor = member(alice)
    assert "Save a legal name first" in visitor.get(PAGE).text
    assert visitor.get(f"{PAGE}/agreement.es").status_code == 409
    send(visitor)
    for language, name in (("es", "contrato"), ("en", "data-processing")):
        path = f"{PAGE}/agreement.{language}?key={alice.key_id}"
        assert path in visitor.get(PAGE).text
        answer = visitor.get(path)
        assert answer.data.startswith(b"%PDF")
        assert name in answer.headers["Content-Disposition"]
    assert visitor.get(f"{PAGE}/agreement.fr").status_code == 404


def test_the_record_of_processing_is_there_once_a_legal_name_is_saved(member: Make, alice: Player) -> None:
    visitor = member(alice)
    assert visitor.get(f"{PAGE}/processing-record.es").status_code == 409
    send(visitor)
    for language, name in (("es", "registro-de"), ("en", "record-of")):
        path = f"{PAGE}/processing-record.{language}?key={alice.key_id}"
        assert path in visitor.get(PAGE).text
        answer = visitor.get(path)
        assert answer.data.startswith(b"%PDF")
        assert name in answer.headers["Content-Disposition"]
    assert visitor.get(f"{PAGE}/processing-record.fr").status_code == 404


def test_each_key_of_its_own_has_its_own(member: Make, alice: Player, cast: Cast) -> None:
    other, _ = cast.key(alice.account_id)
    visitor = member(alice)
    path = f"{PAGE}?key={other}"
    assert send(visitor, path, partner_brand_name="Other").status_code == 303
    assert saved(alice) == branding.Branding()
    assert 'value="Other"' in visitor.get(path).text
    assert "for this key only" in visitor.get(path).text


def test_another_tenants_key_a_child_and_no_key_are_not_found(
    member: Make, alice: Player, mallory: Player, cast: Cast
) -> None:
    child = cast.child(alice)
    visitor = member(alice)
    token = visitor.token(PAGE)
    assert "No key has this name" in visitor.get(f"{PAGE}?key=nobody").text
    for key in (mallory.key_id, child.key_id, uuid.uuid4(), "nobody"):
        for path in (*(() if key == "nobody" else (PAGE,)), f"{PAGE}/logo", f"{PAGE}/agreement.es"):
            assert visitor.get(f"{path}?key={key}").status_code == 404, path
        form = {"csrf_token": token, **FORM}
        assert visitor.client.post(f"{PAGE}?key={key}", data=form).status_code == 404
    assert saved(mallory) == branding.Branding()


def test_without_a_key_there_is_nothing_to_brand(member: Make, alice: Player) -> None:
    with db.transaction() as session:
        session.execute(
            sa.text("UPDATE api_keys SET revoked_at = now() WHERE account_id = :account"),
            {"account": alice.account_id},
        )
    assert "Create an API key first" in member(alice).get(PAGE).text


@pytest.mark.parametrize(("role", "allowed"), [("admin", True), ("developer", True), ("compliance", False)])
def test_branding_is_for_those_who_manage_keys(
    member: Make, alice: Player, role: tenancy.Role, allowed: bool
) -> None:
    send(member(alice))
    visitor = member(colleague(alice, role))
    for path in (PAGE, f"{PAGE}/agreement.es"):
        assert visitor.get(path).status_code == (200 if allowed else 403), path
    form = {**FORM, "partner_brand_name": role, "csrf_token": visitor.token("/portal/")}
    assert visitor.client.post(PAGE, data=form).status_code == (303 if allowed else 403)
    assert (saved(alice).partner_brand_name == role) is allowed


def test_branding_speaks_spanish(member: Make, alice: Player) -> None:
    visitor = member(alice)
    visitor.client.set_cookie("language", "es")
    page = send(visitor, do="preview").text
    assert "Aún sin guardar" in page
    assert "Respuesta de muestra de <mark>Ibáñez &amp; Soler</mark>, escrita a mano" in page
    assert "Quién habla en un análisis" in page
