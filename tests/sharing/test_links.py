"""Links to results: when they open, when no longer, and what is kept of them."""

from __future__ import annotations

import threading
import uuid
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from app import jobs, sharing, tenancy
from app.platform import clock
from app.platform.errors import Invalid, NotFound
from app.platform.postgres import db, rls
from app.tenancy.members import add_member
from tests.cast import Cast, Player
from tests.sharing.finished import SECRET, finished_job


@pytest.fixture
def alice(cast: Cast, app: Flask) -> Player:
    return cast.player("alice")


def owner_of(player: Player) -> uuid.UUID:
    with db.reading() as session:
        return tenancy.members_of(session, player.account_id)[0].id


def made(
    player: Player, job_id: uuid.UUID, audience: sharing.Audience = "password", *, by: uuid.UUID | None = None
) -> sharing.NewLink:
    with db.transaction() as session:
        job = jobs.find(session, player.account_id, job_id)
        maker = by or owner_of(player)
        found = sharing.make(session, job, member_id=maker, audience=audience, hours=4, now=clock.now())
        session.expunge(found.row)
        return found


def opens(token: str, *, now: datetime | None = None) -> bool:
    with rls.as_system(), db.reading() as session:
        try:
            sharing.find(session, token, now=now or clock.now())
        except NotFound:
            return False
        return True


def passes(link: sharing.NewLink, password: str) -> bool:
    with db.transaction() as session:
        return sharing.passes(session, link.row, password)


def test_a_link_opens_until_it_expires_and_never_longer_than_the_result(cast: Cast, alice: Player) -> None:
    link = made(alice, finished_job(cast, alice))
    assert opens(link.token)
    assert not opens(link.token, now=clock.now() + timedelta(hours=4, seconds=1))
    brief = made(alice, finished_job(cast, alice, lasts=timedelta(minutes=5)))
    assert brief.row.expires_at < clock.now() + timedelta(minutes=6)
    gone = made(alice, job := finished_job(cast, alice))
    with db.transaction() as session:
        session.execute(sa.update(jobs.Job).where(jobs.Job.id == job).values(result_key=None))
    assert not opens(gone.token), "a result that is no longer stored has no link"


def test_neither_token_nor_password_nor_content_is_kept(cast: Cast, alice: Player) -> None:
    link = made(alice, finished_job(cast, alice))
    assert link.password is not None
    with db.reading() as session:
        row = str(
            session.scalar(sa.text("SELECT l::text FROM result_links l WHERE id = :i"), {"i": link.row.id})
        )
        noted = str(session.scalar(sa.text("SELECT string_agg(a::text, '') FROM activities a")))
    for kept in (row, noted, repr(link)):
        assert not [word for word in (link.token, link.password, SECRET) if word in kept]


def test_a_link_ends_with_its_owners_word_and_with_the_maker(cast: Cast, alice: Player) -> None:
    job = finished_job(cast, alice)
    ended = made(alice, job)
    with db.transaction() as session:
        sharing.end(session, alice.account_id, job, ended.row.id)
    assert not opens(ended.token)
    with db.transaction() as session:
        colleague = add_member(
            session,
            alice.account_id,
            email=f"bob-{uuid.uuid4().hex}@example.com",
            password=alice.password,
            role="developer",
        ).id
    theirs = made(alice, job, by=colleague)
    assert opens(theirs.token)
    with db.transaction() as session:
        tenancy.get_member(session, colleague).role = "compliance"
    assert not opens(theirs.token), "who may not read results shares none"
    with db.transaction() as session:
        session.execute(sa.delete(tenancy.Member).where(tenancy.Member.id == colleague))
    with db.reading() as session:
        assert [one.id for one in sharing.links_of(session, alice.account_id, job, now=clock.now())] == []


def test_a_closed_account_has_no_links(cast: Cast, alice: Player) -> None:
    link = made(alice, finished_job(cast, alice))
    with db.transaction() as session:
        tenancy.close_account(session, alice.account_id, now=clock.now())
    assert not opens(link.token)


def test_a_password_is_typed_in_any_way_and_another_never_passes(cast: Cast, alice: Player) -> None:
    link = made(alice, finished_job(cast, alice))
    assert link.password is not None
    for typed in (link.password, link.password.upper(), link.password.replace("-", " "), f" {link.password}"):
        assert passes(link, typed)
    for typed in ("", "aaaa-aaaa-aaaa", link.password[:-1], f"{link.password}a", "\ud800", "ñ" * 500):
        assert not passes(link, typed)


def test_guesses_at_the_same_time_are_counted_and_shut_the_link(cast: Cast, alice: Player) -> None:
    link = made(alice, finished_job(cast, alice))
    assert link.password is not None
    guessed: list[bool] = []

    def guess() -> None:
        with rls.acting_for(alice.account_id):
            guessed.append(passes(link, "bbbb-bbbb-bbbb"))

    threads = [threading.Thread(target=guess) for _ in range(sharing.TRIES_MAX + 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert guessed == [False] * (sharing.TRIES_MAX + 4)
    with db.reading() as session:
        assert session.scalar(
            sa.select(sharing.ResultLink.tries).where(sharing.ResultLink.id == link.row.id)
        ) == (sharing.TRIES_MAX)
    assert not passes(link, link.password), "not even the right one opens a link that is shut"
    assert not opens(link.token)


def test_what_is_not_done_cannot_be_shared_nor_too_often(cast: Cast, alice: Player) -> None:
    job = finished_job(cast, alice)
    with db.transaction() as session:
        session.execute(sa.update(jobs.Job).where(jobs.Job.id == job).values(result_expires_at=clock.now()))
    with pytest.raises(NotFound):
        made(alice, job)
    other = finished_job(cast, alice)
    for _ in range(sharing.LINKS_MAX):
        made(alice, other, "members")
    with pytest.raises(Invalid) as refused:
        made(alice, other)
    assert refused.value.code == "LINK_LIMIT"


def test_expired_links_are_swept(cast: Cast, alice: Player) -> None:
    link = made(alice, finished_job(cast, alice))
    with rls.as_system(), db.transaction() as session:
        sharing.sweep(session, now=clock.now() + timedelta(hours=3))
        assert session.get(sharing.ResultLink, link.row.id) is not None
    with rls.as_system(), db.transaction() as session:
        assert sharing.sweep(session, now=clock.now() + timedelta(hours=5)) >= 1
    with db.reading() as session:
        assert session.get(sharing.ResultLink, link.row.id) is None
