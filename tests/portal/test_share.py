"""A result shared by a link: who is let in, who is not, and what they are told."""

from __future__ import annotations

import html
import re
import uuid
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from app import sharing, tenancy
from app.platform.postgres import db
from tests.cast import Cast, Player
from tests.portal.activities import done
from tests.portal.conftest import PortalClient, colleague
from tests.sharing.finished import SECRET, finished_job

Make = Callable[[Player], PortalClient]


def shared(visitor: PortalClient, job: uuid.UUID, audience: str) -> tuple[str, str]:
    """Make a link on its page; return its path and its password."""
    page = visitor.send(f"/portal/analyse/{job}/share", {"audience": audience, "hours": "4"})
    assert page.status_code == 200, page.text
    secrets = [html.unescape(one) for one in re.findall(r'<code class="secret"[^>]*>([^<]+)<', page.text)]
    path = re.sub(r"^https?://[^/]+", "", secrets[0])
    # Shown this once.
    assert path not in visitor.get(f"/portal/analyse/{job}/share").text
    return path, secrets[1] if audience == "password" else ""


def test_somebody_without_account_reads_it_with_the_password(
    cast: Cast, alice: Player, member: Make, stranger: Make
) -> None:
    path, password = shared(member(alice), finished_job(cast, alice), "password")
    reader = stranger(alice)
    asked = reader.get(path)
    assert (asked.status_code, SECRET in asked.text, alice.name in asked.text) == (200, False, False)
    assert 'name="robots" content="noindex' in asked.text
    wrong = reader.send(path, {"password": "bbbb-bbbb-bbbb"})
    assert (wrong.status_code, SECRET in wrong.text) == (401, False)
    assert reader.send(path, {"password": password.upper()}).status_code == 303
    page = reader.get(path)
    assert SECRET in page.text
    assert "Reduce it to one month." in page.text
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cache-Control"] == "no-store"
    assert "/portal/analyse/" not in page.text, "it leads to nothing else of the account"
    # Another browser is asked again.
    assert SECRET not in stranger(alice).get(path).text
    opened = next(one for one in done(alice) if one.action == "result.opened")
    assert opened.actor_kind == "visitor"


def test_a_link_for_members_opens_for_members_of_any_role_and_nobody_else(
    cast: Cast, alice: Player, mallory: Player, member: Make, stranger: Make
) -> None:
    path, _ = shared(member(alice), finished_job(cast, alice), "members")
    outside = stranger(alice).get(path)
    assert (outside.status_code, outside.location) == (303, f"/portal/sign-in?next={path}")
    assert SECRET in member(colleague(alice, "compliance")).get(path).text
    theirs = member(mallory)
    for answer in (theirs.get(path), theirs.send(path, {"password": "x"}, on="/portal/keys/new")):
        assert (answer.status_code, SECRET in answer.text) == (404, False)


def test_who_signs_out_has_to_sign_in_again(cast: Cast, alice: Player, member: Make) -> None:
    visitor = member(alice)
    path, _ = shared(visitor, finished_job(cast, alice), "members")
    assert SECRET in visitor.get(path).text
    visitor.sign_out()
    assert visitor.get(path).status_code == 303


def test_an_ended_link_shuts_also_for_who_has_opened_it(
    cast: Cast, alice: Player, member: Make, stranger: Make
) -> None:
    visitor, job = member(alice), finished_job(cast, alice)
    path, password = shared(visitor, job, "password")
    reader = stranger(alice)
    assert reader.send(path, {"password": password}).status_code == 303
    assert SECRET in reader.get(path).text
    page = visitor.get(f"/portal/analyse/{job}/share").text
    assert "opened 1 time" in page
    end = re.search(r'action="(/portal/analyse/[^"]+/end)"', page)
    assert end
    assert visitor.send(end[1], {}, on=f"/portal/analyse/{job}/share").status_code == 303
    shut = reader.get(path)
    assert (shut.status_code, SECRET in shut.text) == (404, False)
    assert shut.headers["X-Robots-Tag"].startswith("noindex")
    assert {one.action for one in done(alice)} >= {"result.shared", "result.opened", "result.link_ended"}


def test_wrong_passwords_shut_a_link_for_everybody(
    cast: Cast, alice: Player, member: Make, stranger: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.portal.analysis.share.TRIES_PER_MINUTE", 1000)
    path, password = shared(member(alice), finished_job(cast, alice), "password")
    reader = stranger(alice)
    token = reader.token(path)
    answers = [
        reader.client.post(path, data={"csrf_token": token, "password": f"bbbb-bbbb-bbb{n}"}).status_code
        for n in range(sharing.TRIES_MAX)
    ]
    assert answers == [401] * sharing.TRIES_MAX
    last = reader.client.post(path, data={"csrf_token": token, "password": password})
    assert (last.status_code, SECRET in last.text) == (404, False)


def test_guessing_is_slowed_and_a_made_up_link_is_like_an_ended_one(
    cast: Cast, alice: Player, member: Make, stranger: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.portal.analysis.share.TRIES_PER_MINUTE", 2)
    reader = stranger(alice)
    assert [
        reader.get(f"/portal/shared/{name}").status_code for name in ("x", "a" * 43, "%00", "%ED%A0%80")
    ] == [404] * 4
    path, _ = shared(member(alice), finished_job(cast, alice), "password")
    answers = [reader.send(path, {"password": "bbbb"}).status_code for _ in range(3)]
    assert answers == [401, 401, 429]


def test_the_form_refuses_what_it_does_not_offer(cast: Cast, alice: Player, member: Make) -> None:
    visitor, job = member(alice), finished_job(cast, alice)
    for form in (
        {"audience": "world", "hours": "4"},
        {"audience": "members", "hours": "999"},
        {"audience": ""},
    ):
        assert visitor.send(f"/portal/analyse/{job}/share", dict(form)).status_code == 422
    with db.reading() as session:
        assert not session.scalar(
            sa.select(sa.func.count()).where(sharing.ResultLink.account_id == alice.account_id)
        )
    officer = member(colleague(alice, "compliance"))
    assert officer.get(f"/portal/analyse/{job}/share").status_code == 403


def test_a_member_who_signs_out_or_leaves_has_to_give_the_password_too(
    cast: Cast, alice: Player, member: Make
) -> None:
    developer = colleague(alice, "developer")
    visitor, reader = member(alice), member(developer)
    path, _ = shared(visitor, finished_job(cast, alice), "password")
    for one in (visitor, reader):
        assert SECRET in one.get(path).text
    visitor.sign_out()
    with db.transaction() as session:
        found = tenancy.find_member(session, developer.email)
        assert found is not None
        tenancy.remove_member(session, alice.account_id, found.id)
    for one in (visitor, reader):
        asked = one.get(path)
        assert (asked.status_code, SECRET in asked.text) == (200, False)
        assert 'name="password"' in asked.text


def test_no_page_of_a_link_is_kept_indexed_or_named_to_other_sites(
    cast: Cast, alice: Player, member: Make, stranger: Make
) -> None:
    path, password = shared(member(alice), finished_job(cast, alice), "password")
    reader = stranger(alice)
    answers = [
        reader.get(path),
        reader.send(path, {"password": "bbbb-bbbb"}),
        reader.send(path, {"password": password}),
        reader.get(path),
        reader.get("/portal/shared/made-up"),
    ]
    assert [answer.status_code for answer in answers] == [200, 401, 303, 200, 404]
    for answer in answers:
        assert answer.headers["Cache-Control"] == "no-store"
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
