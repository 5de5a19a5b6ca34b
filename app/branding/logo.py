"""Logos: requested when the URL is saved, downloaded once in the background, stored as PNG.

The result of a download is stored only while its lease is valid and the URL unchanged (decision 048).
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast

import sqlalchemy as sa

from app.branding import picture
from app.branding.models import BrandLogo
from app.branding.picture import NotALogo, Picture
from app.platform import clock, log, safe_http
from app.platform.lease_queue import Lease, LeaseQueue
from app.platform.postgres import db, rls

State = Literal["wanted", "ready", "failed"]

_logger = log.logger("branding")

# In the place of the URL, where the logo was uploaded.
UPLOADED = "upload:"
_TIMEOUT_S = 10.0
_QUEUE = LeaseQueue(
    id=BrandLogo.api_key_id,
    token=BrandLogo.attempts,
    due=BrandLogo.next_attempt_at,
    length=timedelta(seconds=60),
    # After a failure that may pass. Then the logo is given up until it is saved again.
    waits=(timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6)),
)
# Saving a logo again starts its count of attempts over, so the end of the lease is part of the fence.
_STILL_OURS = "t.account_id = %(account)s AND t.url = %(url)s AND t.next_attempt_at = %(until)s"
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
    uploaded: bool = False

    def __repr__(self) -> str:
        return f"<Logo {self.state}>"


class _TransientFailure(Exception):
    """A transient failure: another attempt may succeed."""


def want(
    session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID, url: str | None, *, now: datetime
) -> None:
    """Request the download of the logo at `url`; `None` deletes one that came from a URL.

    A logo that is stored or requested already is left alone; one that failed is tried again. The caller has
    locked the configuration of the key.
    """
    row = session.scalar(_of(account_id, key_id).with_for_update())
    if url is None:
        if row is not None and row.url != UPLOADED:
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


def put(
    session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID, image: Picture, *, now: datetime
) -> None:
    """Store an uploaded logo in place of the present one.

    It stays until another is uploaded, it is removed, or a URL is saved. The caller has locked the
    configuration of the key.
    """
    row = session.scalar(_of(account_id, key_id).with_for_update())
    if row is None:
        row = BrandLogo(api_key_id=key_id, account_id=account_id)
        session.add(row)
    row.url, row.state, row.reason, row.attempts = UPLOADED, "ready", None, 0
    row.next_attempt_at, row.fetched_at = None, now
    row.image, row.width, row.height = image.data, image.width, image.height
    session.flush()


def drop_uploaded(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> bool:
    """Delete an uploaded logo; return whether there was one."""
    row = session.scalar(_of(account_id, key_id).with_for_update())
    if row is None or row.url != UPLOADED:
        return False
    session.delete(row)
    session.flush()
    return True


def logo_of(session: db.Session, account_id: uuid.UUID, key_id: uuid.UUID) -> Logo | None:
    """Return the logo of a solo or master key; `None` where its branding names none."""
    row = session.scalar(_of(account_id, key_id))
    if row is None:
        return None
    return Logo(
        cast(State, row.state),
        row.reason,
        row.fetched_at,
        row.image,
        row.width,
        row.height,
        row.url == UPLOADED,
    )


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
class _LogoClaim:
    lease: Lease
    account_id: uuid.UUID
    url: str
    attempt: int
    until: datetime


@dataclass(frozen=True, slots=True)
class _FetchResult:
    picture: Picture | None = None
    reason: str | None = None
    for_good: bool = False


def _claim(now: datetime) -> _LogoClaim | None:
    with rls.as_system():
        db.atomically(lambda session: _give_up_exhausted(session, now))
        row = db.atomically(lambda session: _QUEUE.claim(session, now=now))
    if row is None:
        return None
    return _LogoClaim(_QUEUE.lease_of(row), row.account_id, row.url, row.attempts, row.next_attempt_at)


def _give_up_exhausted(session: db.Statements, now: datetime) -> None:
    """Give up logos whose last attempt died with its worker."""
    while (row := _QUEUE.lock_exhausted(session, now=now)) is not None:
        reason = row.reason or "the attempts to fetch it did not come to an end"
        _QUEUE.close(session, _QUEUE.lease_of(row), state="failed", reason=reason)


def _attempt(url: str, allow_hosts: Collection[str]) -> _FetchResult:
    try:
        return _FetchResult(picture.redrawn(_download(url, allow_hosts)))
    except _TransientFailure as error:
        return _FetchResult(reason=str(error))
    except (safe_http.AddressNotAllowed, safe_http.ResponseTooLarge, NotALogo) as error:
        return _FetchResult(reason=str(error), for_good=True)
    except safe_http.RequestFailed as error:
        return _FetchResult(reason=error.reason)


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
        raise NotALogo("the URL redirects to another; use the URL of the image itself")
    message = f"the server answered with status {answer.status}"
    if answer.status in (408, 425, 429) or answer.status >= 500:
        raise _TransientFailure(message)
    raise NotALogo(message)


def _settle(claimed: _LogoClaim, result: _FetchResult, now: datetime) -> bool:
    """Store the result of an attempt; return `False` where the logo changed or another worker has it."""
    picture, again = result.picture, _QUEUE.retry_at(claimed.attempt, now)
    fence: dict[str, Any] = {
        "where": _STILL_OURS,
        "values": {"account": claimed.account_id, "url": claimed.url, "until": claimed.until},
    }

    def write(session: db.Statements) -> bool:
        if picture is not None:
            return _QUEUE.close(
                session,
                claimed.lease,
                state="ready",
                reason=None,
                fetched_at=now,
                image=picture.data,
                width=picture.width,
                height=picture.height,
                **fence,
            )
        if result.for_good or again is None:
            return _QUEUE.close(session, claimed.lease, state="failed", reason=result.reason, **fence)
        return _QUEUE.release(session, claimed.lease, due=again, reason=result.reason, **fence)

    with rls.acting_for(claimed.account_id):
        written = db.atomically(write)
    if written:
        _logger.info(
            "logo fetched" if picture else "logo not fetched",
            account=str(claimed.account_id),
            reason=result.reason,
        )
    return written


def _of(account_id: uuid.UUID, key_id: uuid.UUID) -> sa.Select[BrandLogo]:
    return sa.select(BrandLogo).where(BrandLogo.api_key_id == key_id, BrandLogo.account_id == account_id)
