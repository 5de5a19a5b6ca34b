"""Make, find, open and end links to results."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from werkzeug.security import check_password_hash, generate_password_hash

from app import jobs, tenancy
from app.platform.errors import Invalid, NotFound
from app.platform.postgres import bulk
from app.platform.postgres.db import Session, Statements
from app.sharing.models import Audience, ResultLink

# For how long a link may be made, at most until its result expires.
HOURS = (1, 4, 24)
# Links to one result that open at the same time.
LINKS_MAX = 20
# Wrong passwords after which a link is shut for good. A password has 60 random bits.
TRIES_MAX = 10
# Who may make a link may read results; a link of somebody who lost that role is shut.
_MAKERS = ("owner", "admin", "developer")
# Letters and digits that are not mistaken for one another when they are read aloud.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_SWEPT = 500


@dataclass(frozen=True, slots=True)
class NewLink:
    """A new link with its token and its password, if any, which are not kept. `repr` shows neither."""

    row: ResultLink
    token: str
    password: str | None

    def __repr__(self) -> str:
        return f"<NewLink {self.row.id}>"


def make(
    session: Session,
    job: jobs.Job,
    *,
    member_id: uuid.UUID,
    audience: Audience,
    hours: int,
    now: datetime,
) -> NewLink:
    """Create a link to the result of a job that the member may open.

    It expires after `hours`, or with the result if that is earlier.

    Raises:
        NotFound: The job has no result, or no longer.
        Invalid: `LINK_LIMIT`, 422: the result has `LINKS_MAX` links already.
    """
    if job.kind != "analyze" or job.status != "completed" or jobs.expired(job, now=now):
        raise NotFound("There is no result to share: it is not there yet, or it is no longer stored.")
    assert job.result_expires_at is not None, "a result that is stored expires"
    # Two forms at once are counted one after the other.
    session.execute(
        sa.select(jobs.Job.id)
        .where(jobs.Job.id == job.id, jobs.Job.account_id == job.account_id)
        .with_for_update()
    )
    if len(links_of(session, job.account_id, job.id, now=now)) >= LINKS_MAX:
        raise Invalid(
            f"A result can have at most {LINKS_MAX} open links. End one first.",
            status=422,
            code="LINK_LIMIT",
            details={"max": LINKS_MAX},
        )
    token = secrets.token_urlsafe(32)
    password = _new_password() if audience == "password" else None
    row = ResultLink(
        id=uuid.uuid4(),
        account_id=job.account_id,
        job_id=job.id,
        member_id=member_id,
        audience=audience,
        token_hash=_hash(token),
        password_hash=generate_password_hash(password) if password else None,
        tries=0,
        opened=0,
        created_at=now,
        expires_at=min(now + timedelta(hours=hours), job.result_expires_at),
    )
    session.add(row)
    session.flush()
    target = tenancy.activity.Target("job", str(job.id))
    tenancy.activity.record(
        session, job.account_id, "result.shared", target, details={"link": str(row.id), "audience": audience}
    )
    return NewLink(row, token, password)


def links_of(
    session: Session, account_id: uuid.UUID, job_id: uuid.UUID, *, now: datetime
) -> Sequence[ResultLink]:
    """Return the links to a result that have not expired, newest first."""
    return session.scalars(
        sa.select(ResultLink)
        .where(ResultLink.account_id == account_id, ResultLink.job_id == job_id, ResultLink.expires_at > now)
        .order_by(ResultLink.created_at.desc(), ResultLink.id)
    ).all()


def end(session: Session, account_id: uuid.UUID, job_id: uuid.UUID, link_id: uuid.UUID) -> None:
    """Delete a link; it opens nothing from the next request on. Raises `NotFound`."""
    gone = session.scalar(
        sa.delete(ResultLink)
        .where(ResultLink.id == link_id, ResultLink.account_id == account_id, ResultLink.job_id == job_id)
        .returning(ResultLink.id)
    )
    if gone is None:
        raise NotFound("There is no link with this id.")
    target = tenancy.activity.Target("job", str(job_id))
    tenancy.activity.record(session, account_id, "result.link_ended", target, details={"link": str(link_id)})


def find(session: Session, token: str, *, now: datetime) -> tuple[ResultLink, jobs.Job]:
    """Return the link of a token and the job whose result it opens.

    Whose link it is is not known yet: call it in the context of the system (`rls.as_system`). The token is
    the only condition that the caller chooses.

    Raises:
        NotFound: No link opens with this token: it never did, has expired, was ended or shut, its result is
            gone, its account is closed, or who made it may no longer read results.
    """
    link = session.scalar(
        sa.select(ResultLink)
        .join(tenancy.Member, tenancy.Member.id == ResultLink.member_id)
        .join(tenancy.Account, tenancy.Account.id == ResultLink.account_id)
        .where(
            ResultLink.token_hash == _hash(token),
            ResultLink.expires_at > now,
            ResultLink.tries < TRIES_MAX,
            tenancy.Member.account_id == ResultLink.account_id,
            tenancy.Member.role.in_(_MAKERS),
            tenancy.Account.closed_at.is_(None),
        )
    )
    if link is None:
        raise _unknown()
    try:
        job = jobs.find(session, link.account_id, link.job_id)
    except NotFound:
        raise _unknown() from None
    if jobs.expired(job, now=now) or job.status != "completed":
        raise _unknown()
    return link, job


def passes(session: Session, link: ResultLink, password: str) -> bool:
    """Return whether the password of a link is right.

    A try is counted before it is compared, and a right one taken back, so that tries at the same time are
    counted too.
    """
    counted = session.scalar(
        sa.update(ResultLink)
        .where(
            ResultLink.id == link.id,
            ResultLink.account_id == link.account_id,
            ResultLink.tries < TRIES_MAX,
        )
        .values(tries=ResultLink.tries + 1)
        .returning(ResultLink.id)
    )
    if counted is None or link.password_hash is None:
        return False
    if not check_password_hash(link.password_hash, _typed(password)):
        return False
    session.execute(
        sa.update(ResultLink)
        .where(ResultLink.id == link.id, ResultLink.account_id == link.account_id)
        .values(tries=ResultLink.tries - 1)
    )
    return True


def count_opening(session: Session, link: ResultLink) -> None:
    """Count that a reader was let in, and note it in the account's activity."""
    session.execute(
        sa.update(ResultLink)
        .where(ResultLink.id == link.id, ResultLink.account_id == link.account_id)
        .values(opened=ResultLink.opened + 1)
    )
    target = tenancy.activity.Target("job", str(link.job_id))
    tenancy.activity.record(
        session,
        link.account_id,
        "result.opened",
        target,
        details={"link": str(link.id), "audience": link.audience},
    )


def sweep(session: Session, *, now: datetime) -> int:
    """Delete up to 500 links of all accounts that have expired; return how many."""
    expired = sa.select(ResultLink.id).where(ResultLink.expires_at <= now).limit(_SWEPT)
    gone = session.scalars(
        sa.delete(ResultLink)
        .where(ResultLink.id.in_(expired.with_for_update(skip_locked=True)))
        .returning(ResultLink.id)
    )
    return len(gone.all())


def erase(session: Statements, account_id: uuid.UUID) -> int:
    """Delete a batch of a closed account's links; return how many."""
    return bulk.erase(session, ("result_links",), account_id)


def _unknown() -> NotFound:
    return NotFound("This link does not open anything, or no longer.", code="LINK_SPENT")


def _hash(token: str) -> bytes:
    # Lone surrogates come from badly coded addresses.
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _new_password() -> str:
    """Return twelve random letters and digits in groups: kfrt-9mdx-q2hn."""
    drawn = "".join(secrets.choice(_LETTERS) for _ in range(12))
    return "-".join((drawn[:4], drawn[4:8], drawn[8:]))


def _typed(password: str) -> str:
    """Return a password as it was made, however it was typed: capitals and gaps do not matter."""
    drawn = "".join(sign for sign in password.lower()[:100] if sign in _LETTERS)
    return "-".join((drawn[:4], drawn[4:8], drawn[8:]))
