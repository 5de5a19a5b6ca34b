"""Logos: requested when the URL is saved, downloaded once in the background, stored as PNG.

A worker claims a due logo by setting its next attempt to the end of a lease, so that the logo of a killed
worker is due again by itself. The result is stored only while the lease is valid and the URL unchanged.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, cast

import sqlalchemy as sa
from sqlalchemy.orm import load_only

from app.branding import picture
from app.branding.models import BrandLogo
from app.branding.picture import NotALogo, Picture
from app.platform import clock, log, safe_http
from app.platform.postgres import db, rls

State = Literal["wanted", "ready", "failed"]

_logger = log.logger("branding")

_TIMEOUT_S = 10.0
_LEASE = timedelta(seconds=60)
# After a failure that may pass: 1 min, 10 min, 1 h, 6 h. Then the logo is given up until it is saved again.
_WAITS = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))
_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Logo:
    """State of a logo. `reason` says in plain words why it is missing; `data` is a PNG."""

    state: State
    reason: str | None
    fetched_at: datetime | None
    data: bytes | None
    width: int | None
    height: int | None

    def __repr__(self) -> str:
        return f"<Logo {self.state}>"


class _Passing(Exception):
    """A transient failure: another attempt may succeed."""


def want(
    session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID, url: str | None, *, now: datetime
) -> None:
    """Request the download of the logo at `url`; `None` deletes the present one.

    A logo that is stored or requested already is left alone; one that failed is tried again. The caller has
    locked the configuration of the key.
    """
    row = session.scalar(_of(account_id, key_id).with_for_update())
    if url is None:
        if row is not None:
            session.delete(row)
            session.flush()
        return
    if row is not None and row.url == url and row.state != "failed":
        return
    if row is None:
        row = BrandLogo(api_key_id=key_id, account_id=account_id)
        session.add(row)
    row.url, row.state, row.reason, row.attempts = url, "wanted", None, 0
    row.next_attempt_at, row.fetched_at = now, None
    row.image = row.width = row.height = None
    session.flush()


def logo_of(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> Logo | None:
    """Return the logo of a solo or master key; `None` where its branding names none."""
    row = session.scalar(_of(account_id, key_id))
    if row is None:
        return None
    return Logo(cast(State, row.state), row.reason, row.fetched_at, row.image, row.width, row.height)


def fetch_due(*, allow_hosts: Collection[str] = ()) -> int:
    """Download the logos that are due, at most 20; return how many results were stored.

    `allow_hosts` exempts hosts from the address rules, for tests.
    """
    done = 0
    for _ in range(_AT_ONCE):
        claimed = _claim(clock.now())
        if claimed is None:
            break
        done += _settle(claimed, _attempt(claimed.url, allow_hosts), clock.now())
    return done


@dataclass(frozen=True, slots=True)
class _Claimed:
    key_id: uuid.UUID
    account_id: uuid.UUID
    url: str
    attempts: int
    lease: datetime


@dataclass(frozen=True, slots=True)
class _Result:
    picture: Picture | None = None
    reason: str | None = None
    for_good: bool = False


def _claim(now: datetime) -> _Claimed | None:
    with rls.as_system(), db.transaction() as session:
        row = session.scalar(
            sa.select(BrandLogo)
            .options(load_only(BrandLogo.account_id, BrandLogo.url, BrandLogo.attempts))
            .where(BrandLogo.next_attempt_at <= now)
            .order_by(BrandLogo.next_attempt_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        if row is None:
            return None
        lease = now + _LEASE
        row.next_attempt_at = lease
        return _Claimed(row.api_key_id, row.account_id, row.url, row.attempts, lease)


def _attempt(url: str, allow_hosts: Collection[str]) -> _Result:
    try:
        return _Result(picture.redrawn(_download(url, allow_hosts)))
    except _Passing as error:
        return _Result(reason=str(error))
    except (safe_http.AddressNotAllowed, safe_http.ResponseTooLarge, NotALogo) as error:
        return _Result(reason=str(error), for_good=True)
    except safe_http.RequestFailed as error:
        return _Result(reason=error.reason)


def _download(url: str, allow_hosts: Collection[str]) -> bytes:
    answer = safe_http.send(
        "GET",
        url,
        headers={"Accept": "image/png, image/jpeg", "User-Agent": "branding-logo/1"},
        timeout_s=_TIMEOUT_S,
        max_bytes=picture.DOWNLOAD_MAX,
        allow_hosts=allow_hosts,
    )
    if answer.status == 200:
        return answer.body
    if 300 <= answer.status < 400:
        raise NotALogo("the address redirects to another; give the address of the image itself")
    message = f"the server answered with status {answer.status}"
    if answer.status in (408, 425, 429) or answer.status >= 500:
        raise _Passing(message)
    raise NotALogo(message)


def _settle(claimed: _Claimed, result: _Result, now: datetime) -> int:
    """Store the result of an attempt; return 0 where the logo changed or another worker has it."""
    with rls.acting_for(claimed.account_id), db.transaction() as session:
        row = session.scalar(
            _of(claimed.account_id, claimed.key_id)
            .where(BrandLogo.url == claimed.url, BrandLogo.next_attempt_at == claimed.lease)
            .with_for_update()
        )
        if row is None:
            return 0
        row.attempts = claimed.attempts + 1
        if result.picture is not None:
            row.state, row.reason, row.next_attempt_at, row.fetched_at = "ready", None, None, now
            row.image = result.picture.data
            row.width, row.height = result.picture.width, result.picture.height
        elif result.for_good or row.attempts > len(_WAITS):
            row.state, row.reason, row.next_attempt_at = "failed", result.reason, None
        else:
            row.reason, row.next_attempt_at = result.reason, now + _WAITS[row.attempts - 1]
    _logger.info(
        "logo fetched" if result.picture else "logo not fetched",
        account=str(claimed.account_id),
        reason=result.reason,
    )
    return 1


def _of(account_id: uuid.UUID, key_id: uuid.UUID) -> sa.Select[BrandLogo]:
    return sa.select(BrandLogo).where(BrandLogo.api_key_id == key_id, BrandLogo.account_id == account_id)
