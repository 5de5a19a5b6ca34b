"""The logo: fetched once in the background, kept as bytes, and said why it cannot be had."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask
from PIL import Image

from app import branding
from app.branding import logo
from app.branding.models import BrandLogo
from app.platform import clock
from app.platform.postgres import db
from tests.branding.pictures import made
from tests.cast import Cast, Player
from tests.platform.listener import Listener


def answer(status: int = 200, body: bytes = b"", head: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n%s\r\n%s" % (status, len(body), head, body)


@contextmanager
def serving(what: bytes) -> Iterator[Listener]:
    server = Listener(lambda stream: stream.sendall(what))
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def alice(cast: Cast, app: Flask) -> Player:
    with db.transaction() as session:
        # The task serves every tenant: what other tests left would be fetched here.
        session.execute(sa.delete(BrandLogo))
    return cast.player("alice")


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Set the clock of the task forward."""
    began: list[datetime] = []

    def set_forward(by: timedelta) -> None:
        began[:] = began or [clock.now()]
        monkeypatch.setattr(logo.clock, "now", lambda: began[0] + by)

    return set_forward


def _save(cast: Cast, who: Player, **changes: str | None) -> None:
    with db.transaction() as session:
        branding.save(session, cast.caller(who), changes, now=clock.now())


def _logo(who: Player) -> branding.Logo | None:
    with db.reading() as session:
        return branding.logo_of(session, who.account_id, who.key_id)


def _fetch() -> int:
    return branding.fetch_due(allow_hosts=["127.0.0.1"])


def _url(server: Listener, path: str = "/logo.png") -> str:
    return f"http://127.0.0.1:{server.port}{path}"


def test_it_is_fetched_once_after_the_save_and_kept(cast: Cast, alice: Player) -> None:
    with serving(answer(200, made((4000, 400)))) as server:
        _save(cast, alice, partner_logo_url=_url(server))
        wanted = _logo(alice)
        assert wanted is not None
        assert (wanted.state, wanted.data, server.asked) == ("wanted", None, [])
        assert [_fetch(), _fetch()] == [1, 0]
        assert len(server.asked) == 1
        assert b"Accept: image/png, image/jpeg" in server.asked[0]
    found = _logo(alice)
    assert found is not None
    assert found.data is not None
    assert (found.state, found.reason, found.width, found.height) == ("ready", None, 1200, 120)
    with Image.open(io.BytesIO(found.data)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 120))


def test_saving_the_same_url_again_fetches_nothing_and_another_url_replaces_it(
    cast: Cast, alice: Player
) -> None:
    with serving(answer(200, made())) as server:
        _save(cast, alice, partner_logo_url=_url(server))
        _fetch()
        _save(cast, alice, partner_logo_url=_url(server), partner_website="https://93.184.215.14/")
        _save(cast, alice, branding="none")
        assert _fetch() == 0
        kept = _logo(alice)
        assert kept is not None
        assert kept.state == "ready"
        _save(cast, alice, partner_logo_url=_url(server, "/new.png"))
        waiting = _logo(alice)
        assert waiting is not None
        assert (waiting.state, waiting.data) == ("wanted", None)
        assert _fetch() == 1
        assert server.asked[-1].startswith(b"GET /new.png ")


def test_clearing_the_url_forgets_the_logo(cast: Cast, alice: Player) -> None:
    with serving(answer(200, made())) as server:
        _save(cast, alice, partner_logo_url=_url(server))
        _fetch()
        _save(cast, alice, partner_logo_url=None)
    assert _logo(alice) is None


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (answer(404), "the server answered with status 404"),
        (answer(302, head=b"Location: http://127.0.0.1/\r\n"), "redirects to another"),
        (answer(200, b"<html></html>"), "not a PNG or JPEG"),
        (answer(200, b""), "not a PNG or JPEG"),
        (answer(200, b"x" * 2_000_001), "larger than 2000000 bytes"),
    ],
)
def test_what_will_not_pass_is_given_up_at_once_and_said(
    cast: Cast, alice: Player, reply: bytes, reason: str
) -> None:
    with serving(reply) as server:
        _save(cast, alice, partner_logo_url=_url(server))
        assert [_fetch(), _fetch()] == [1, 0]
        found = _logo(alice)
        assert found is not None
        assert found.state == "failed"
        assert reason in (found.reason or "")
        # SaveResult again, it is tried again.
        _save(cast, alice, partner_logo_url=_url(server))
        assert _fetch() == 1


@pytest.mark.parametrize("reply", [answer(503), answer(429), b""])
def test_what_may_pass_is_tried_again_later_and_in_the_end_given_up(
    cast: Cast, alice: Player, at: Callable[[timedelta], None], reply: bytes
) -> None:
    with serving(reply) as server:
        _save(cast, alice, partner_logo_url=_url(server))
        tried = []
        for by in (0, 0.5, 1.1, 5, 12, 60, 80, 400, 460, 100_000):
            at(timedelta(minutes=by))
            tried.append(_fetch())
        assert tried == [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    found = _logo(alice)
    assert found is not None
    assert (found.state, found.data, bool(found.reason)) == ("failed", None, True)


@pytest.mark.parametrize("url", ["https://localhost/logo.png", "http://127.0.0.1:1/", "https://[::1]/"])
def test_an_address_that_became_one_of_ours_is_not_dialled(cast: Cast, alice: Player, url: str) -> None:
    # SaveResult past the check on purpose: a name may lead elsewhere by the time of the fetch.
    _save(cast, alice, partner_logo_url=url)
    assert branding.fetch_due() == 1
    found = _logo(alice)
    assert found is not None
    assert (found.state, "needed" in (found.reason or "") or "https" in (found.reason or "")) == (
        "failed",
        True,
    )


def test_a_result_for_a_url_that_is_no_longer_the_one_is_thrown_away(cast: Cast, alice: Player) -> None:
    _save(cast, alice, partner_logo_url="https://93.184.215.14/old.png")
    claimed = logo._claim(clock.now())
    assert claimed is not None
    _save(cast, alice, partner_logo_url="https://93.184.215.14/new.png")
    assert not logo._settle(claimed, logo._FetchResult(reason="too late", for_good=True), clock.now())
    found = _logo(alice)
    assert found is not None
    assert (found.state, found.reason) == ("wanted", None)


def test_a_result_from_before_a_change_and_back_is_thrown_away(cast: Cast, alice: Player) -> None:
    urls = [f"https://93.184.215.14/{name}.png" for name in ("first", "second", "first")]
    _save(cast, alice, partner_logo_url=urls[0])
    late = logo._claim(clock.now())
    assert late is not None
    for url in urls[1:]:
        _save(cast, alice, partner_logo_url=url)
    again = logo._claim(clock.now())
    assert again is not None
    # Saving starts the count of attempts over, so both are the first.
    assert again.lease == late.lease
    assert not logo._settle(late, logo._FetchResult(reason="too late", for_good=True), clock.now())
    assert logo._settle(again, logo._FetchResult(reason="in time", for_good=True), clock.now())


def test_a_logo_over_which_every_worker_died_is_given_up(cast: Cast, alice: Player) -> None:
    _save(cast, alice, partner_logo_url="https://93.184.215.14/logo.png")
    now: datetime = clock.now()
    for _ in range(5):
        assert logo._claim(now) is not None
        now += timedelta(seconds=60)
    assert logo._claim(now) is None
    found = _logo(alice)
    assert found is not None
    assert (found.state, bool(found.reason)) == ("failed", True)


def test_a_strangers_account_has_no_logo_by_another_ones_key(cast: Cast, alice: Player) -> None:
    _save(cast, alice, partner_logo_url="https://93.184.215.14/logo.png")
    with db.reading() as session:
        assert branding.logo_of(session, uuid.uuid4(), alice.key_id) is None
