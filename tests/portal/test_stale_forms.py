"""Forms older than what is saved write nothing; wrong fields are named at the top, and one has the focus."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
import sqlalchemy as sa

from app import analysis, branding, mail, sso, tenancy, webhooks
from app.platform import clock
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.conftest import PortalClient, colleague

Make = Callable[[Player], PortalClient]
SEEN = re.compile(r'name="seen" value="([0-9a-f]{24})"')


def _edited(cast: Cast, player: Player) -> dict[str, tuple[str, dict[str, object], dict[str, object], str]]:
    """Each editing form: its page, what one tab saves, what the other does, and a word of the first."""
    child = cast.child(player)
    invited = colleague(player, "developer")
    with db.transaction() as session:
        (organization,) = tenancy.organizations_of(session, player.account_id)
        (member_id,) = [
            row.id for row in tenancy.members_of(session, player.account_id) if row.email == invited.email
        ]
        webhook = webhooks.register(
            session,
            player.account_id,
            player.key_id,
            url="https://192.0.2.7/in",
            events=webhooks.SUBSCRIBABLE,
            description=None,
            now=clock.now(),
        ).row.id
        organization_id = organization.id
    other, _ = cast.key(player.account_id)
    sub_key = f"/portal/organizations/{organization_id}/keys/{child.key_id}"
    zone = {"time_zone": "UTC"}
    return {
        "key": (f"/portal/keys/{other}", {"name": "Newer"}, {"name": "Older"}, 'value="Newer"'),
        "sub-key": (
            sub_key,
            {"label": "Newer", "scopes": "analyze"},
            {"label": "Older", "scopes": "analyze"},
            'value="Newer"',
        ),
        "organization": (
            f"/portal/organizations/{organization_id}/edit",
            {"name": "Newer"},
            {"name": "Older"},
            'value="Newer"',
        ),
        "webhook": (
            f"/portal/webhooks/{webhook}/edit",
            {"events": "credits.low", "description": "Newer"},
            {"events": "credits.low", "description": "Older"},
            'value="Newer"',
        ),
        "account": ("/portal/account", {"name": "Newer", **zone}, {"name": "Older", **zone}, 'value="Newer"'),
        "branding": (
            f"/portal/branding?key={player.key_id}",
            {"branding": "partner", "partner_brand_name": "Newer"},
            {"branding": "partner", "partner_brand_name": "Older"},
            'value="Newer"',
        ),
        "member": (
            f"/portal/team/{member_id}",
            {"role": "admin"},
            {"role": "compliance"},
            'value="admin" checked',
        ),
        "mails": ("/portal/profile/mails", {"kinds": "cap"}, {"kinds": "balance"}, 'value="cap" checked'),
        "policy": (
            "/portal/policies/set?scope=user",
            {"state": "on"},
            {"state": "off"},
            'value="on" checked',
        ),
    }


def test_the_second_of_two_tabs_saves_nothing_and_is_shown_what_the_first_saved(
    cast: Cast, alice: Player, member: Make
) -> None:
    visitor = member(alice)
    for name, (path, newer, older, shown) in _edited(cast, alice).items():
        seen = SEEN.findall(visitor.get(path).text)
        assert seen, name
        assert visitor.send(path, {**newer, "seen": seen[0]}).status_code == 303, name
        answer = visitor.send(path, {**older, "seen": seen[0]})
        assert answer.status_code == 409, name
        assert "This was changed after you opened the page." in answer.text, name
        assert shown in answer.text, name
        assert 'value="Older"' not in answer.text, name
        # What it was shown now is current.
        assert visitor.send(path, {**older, "seen": SEEN.findall(answer.text)[0]}).status_code == 303, name
    with db.reading() as session:
        assert branding.get(session, alice.account_id, alice.key_id).partner_brand_name == "Older"


def test_a_threshold_that_another_tab_set_is_not_overwritten(alice: Player, member: Make) -> None:
    visitor, path, on = member(alice), "/portal/credits/threshold", "/portal/credits"
    seen = SEEN.findall(visitor.get(on).text)[0]
    assert visitor.send(path, {"threshold": "41", "seen": seen}, on=on).status_code == 303
    late = visitor.send(path, {"threshold": "42", "seen": seen}, on=on)
    assert late.status_code == 409
    assert 'value="41"' in late.text
    assert "This was changed after you opened the page." in late.text


def test_a_kind_of_mail_ended_by_its_link_is_not_begun_again_by_an_older_page(
    alice: Player, member: Make
) -> None:
    visitor = member(alice)
    seen = SEEN.findall(visitor.get("/portal/profile/mails").text)[0]
    with db.transaction() as session:
        found = tenancy.find_member(session, alice.email)
        assert found is not None
        mail.choose(session, alice.account_id, found.id, {"cap": False})
    everything = {"kinds": list(mail.KINDS), "seen": seen}
    assert visitor.send("/portal/profile/mails", everything).status_code == 409
    with db.reading() as session:
        assert not mail.is_wanted(session, alice.account_id, found.id, "cap")


def test_an_own_engine_and_a_provider_are_not_replaced_by_an_older_page(alice: Player, member: Make) -> None:
    visitor = member(alice)
    forms: tuple[tuple[str, dict[str, object]], ...] = (
        (
            "/portal/account/engines",
            {"node": "A", "spoken": "openai", "model": "gpt-own", "api_key": "sk-000000000000"},
        ),
        (
            "/portal/account/sign-on",
            {
                "issuer": "https://login.firm.example", "client_id": "x", "role": "developer",
                "current": alice.password,
            },
        ),
    )  # fmt: skip
    seen = [SEEN.findall(visitor.get(path).text)[0] for path, _form in forms]
    with db.transaction() as session:
        chosen = analysis.own_engines.Chosen("A", "openai", "gpt-newer", None, "responses", "sk-000000000000")
        analysis.own_engines.storage.keep(session, alice.account_id, chosen, tested_at=clock.now())
        sso.save_connection(
            session, alice.account_id, issuer="https://newer.example", client_id="y", client_secret=None,
            role="admin", now=clock.now(),
        )  # fmt: skip
    for (path, form), version, newer in zip(forms, seen, ("gpt-newer", "https://newer.example"), strict=True):
        # A provider is asked before anything is compared: what it answers is not the matter here.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sso, "check_issuer", lambda issuer: None)
            answer = visitor.send(path, {**form, "seen": version})
        assert answer.status_code == 409, path
        assert newer in answer.text, path


def test_of_two_forms_sent_at_one_moment_one_is_saved(cast: Cast, alice: Player, member: Make) -> None:
    first, second = member(alice), member(alice)
    for name, (path, newer, older, _shown) in _edited(cast, alice).items():
        seen = SEEN.findall(first.get(path).text)[0]
        second.get(path)
        with ThreadPoolExecutor(2) as threads, db.transaction() as session:
            form = f"{alice.account_id} {path.split('?')[0]}"
            turn = sa.text("SELECT pg_advisory_xact_lock(hashtextextended('forms:' || :form, 0))")
            session.execute(turn, {"form": form})
            sent = [
                threads.submit(visitor.send, path, {**values, "seen": seen})
                for visitor, values in ((first, newer), (second, older))
            ]
            assert not wait(sent, timeout=0.3).done, name
            session.commit()
            assert sorted(one.result().status_code for one in sent) == [303, 409], name


def test_a_refused_or_previewed_form_still_notices_what_another_tab_saved(
    cast: Cast, alice: Player, member: Make
) -> None:
    visitor = member(alice)
    wrong: dict[str, dict[str, object]] = {
        "key": {"name": ""},
        "sub-key": {"label": "x" * 999, "scopes": "analyze"},
        "account": {"name": "", "time_zone": "UTC"},
        "branding": {"branding": "partner", "partner_brand_name": "Older", "do": "preview"},
    }
    edited = _edited(cast, alice)
    for name, values in wrong.items():
        path, newer, older, _shown = edited[name]
        seen = SEEN.findall(visitor.get(path).text)[0]
        assert visitor.send(path, {**newer, "seen": seen}).status_code == 303, name
        again = visitor.send(path, {**values, "seen": seen})
        assert again.status_code in (200, 422), name
        kept = SEEN.findall(again.text)[0]
        assert kept == seen, name
        assert visitor.send(path, {**older, "seen": kept}).status_code == 409, name


def test_options_beside_a_refused_name_are_current(alice: Player, member: Make) -> None:
    visitor = member(alice)
    name, options = SEEN.findall(visitor.get("/portal/account").text)
    refused = visitor.send("/portal/account", {"name": "", "time_zone": "UTC", "seen": name})
    assert SEEN.findall(refused.text) == [name, options]


def test_options_changed_in_another_tab_are_not_undone(alice: Player, cast: Cast, member: Make) -> None:
    visitor = member(alice)
    _name, seen = SEEN.findall(visitor.get("/portal/account").text)
    on = "/portal/account"
    visitor.send("/portal/account/options", {"mask_names": "y", "seen": seen}, on=on)
    late = visitor.send("/portal/account/options", {"mask_names": "n", "seen": seen}, on=on)
    assert late.status_code == 409
    assert cast.caller(alice).mask_names is True


def test_wrong_fields_are_named_at_the_top_and_the_first_has_the_focus(alice: Player, member: Make) -> None:
    page = member(alice).send("/portal/keys", {"name": "", "tier": "standard"}, on="/portal/keys/new").text
    summary = page.split('role="alert"')[1].split("</ul>")[0]
    assert 'href="#name"' in summary
    assert 'href="#scopes-err"' in summary
    for aim in re.findall(r'href="#([\w-]+)"', summary):
        assert f'id="{aim}"' in page
    assert len(re.findall(r"<[^>]*\sautofocus", page)) == 1
    assert re.search(r'<input[^>]*id="name"[^>]*aria-invalid="true" autofocus', page)


def test_every_form_of_several_fields_names_what_is_wrong_and_leads_there(
    cast: Cast, alice: Player, member: Make
) -> None:
    visitor = member(alice)
    forms: dict[str, tuple[str, dict[str, object], list[str]]] = {
        "/portal/team/invitations": ("/portal/team", {"email": "", "role": "king"}, ["email", "role-err"]),
        "/portal/analyses/documents": ("", {"from": "2026-02-01", "to": "2026-01-01"}, ["to"]),
        "/portal/credits/threshold": ("/portal/credits", {"threshold": "some"}, ["threshold"]),
        "/portal/profile/password": (
            "/portal/profile",
            {"current": "", "password": ""},
            ["current", "password"],
        ),
        "/portal/account/close": ("", {"name": "", "current": ""}, ["name", "current"]),
        "/portal/organizations/client": (
            "",
            {"name": "", "keys-0-label": "", "keys-0-cap": "many", "scopes": "query"},
            ["name", "keys-0-label", "keys-0-cap"],
        ),
        "/portal/compare": ("", {"language": "fr"}, []),
        "/portal/analyse": ("", {"text": "short"}, []),
    }
    for path, (on, form, wrong) in forms.items():
        answer = visitor.send(path, form, on=on or path)
        assert answer.status_code == 422, path
        summary = answer.text.split('role="alert"')[1].split("</ul>")[0]
        aims = re.findall(r'href="#([\w-]+)"', summary)
        assert aims, path
        for aim in (*aims, *wrong):
            assert f'id="{aim}"' in answer.text, (path, aim)
        assert not wrong or aims == wrong, path
        assert len(re.findall(r"<[^>]*\sautofocus", answer.text)) <= 1, path


def test_an_invitation_that_no_longer_works_says_what_to_do(alice: Player, stranger: Make) -> None:
    with db.transaction() as session:
        email = f"new-{uuid.uuid4().hex[:10]}@example.com"
        link, token = tenancy.one_time_links.invite(
            session, alice.account_id, email=email, role="developer", now=clock.now()
        )
        link.expires_at = clock.now()
    visitor = stranger(alice)
    for path, said in ((f"/portal/join/{token}", "It was valid until"), ("/portal/join/x", "has been used")):
        answer = visitor.get(path)
        assert answer.status_code == 404
        assert said in answer.text
        assert "ask the colleague who invited you" in answer.text
        assert alice.email not in answer.text


def test_only_a_link_of_the_page_that_has_expired_is_told_of(alice: Player, app: object) -> None:
    now = clock.now()
    with db.transaction() as session:
        found = tenancy.one_time_links.begin_reset(session, alice.email, now=now)
        assert found is not None
        _link, token = found
        later = now + tenancy.one_time_links.LASTS["reset"]
        told = [
            tenancy.one_time_links.expired(session, token, kinds, now=at) is not None
            for kinds, at in ((("invitation",), later), (("reset",), now), (("reset",), later))
        ]
    assert told == [False, False, True]
