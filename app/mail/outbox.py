"""The outbox: letters waiting to leave, and the chore that sends them."""

from __future__ import annotations

import json
import smtplib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Session

from app.mail import inbox, smtp
from app.mail.models import OutgoingMail
from app.platform import clock, crypto, log, settings
from app.platform.postgres import bulk, db, rls

# After these waits a letter is given up: its link would soon be stale.
WAITS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=30))
_AT_ONCE = 20

_logger = log.logger("mail")

# What somebody asked for, in words of whoever composes the letter.
Wish = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Letter:
    """Plain text to one reader. `repr` shows no link and no address.

    `sender` is the name beside the service's own address, and `reply_to` where answers go, where those are
    not the settings'; an empty `sender` shows the address alone.
    """

    to: str
    subject: str
    text: str
    sender: str | None = None
    reply_to: str | None = None

    def __repr__(self) -> str:
        return f"<Letter of {len(self.text)} characters>"


Composer = Callable[[db.Session, Wish], Letter | None]


def can_send() -> bool:
    """Whether letters can leave, or are at least shown at the local page."""
    config = settings.current()
    return bool(config.smtp_url.get_secret_value() or config.mail_inbox)


def post(session: Session, letter: Letter, *, account_id: uuid.UUID | None, now: datetime) -> None:
    """Put a letter in the outbox, in the caller's transaction; nothing happens where none can leave."""
    _put(session, asdict(letter), account_id=account_id, now=now)


def ask(session: Session, wish: Wish, *, now: datetime) -> None:
    """Ask for a letter that the worker composes, if there is one to write.

    Whoever asks learns nothing of it: to ask takes the same statement, and the same time, whether the reader
    is known or not.
    """
    _put(session, {"wish": dict(wish)}, account_id=None, now=now)


def _put(
    session: Session, content: Mapping[str, object], *, account_id: uuid.UUID | None, now: datetime
) -> None:
    if not can_send():
        return
    row = OutgoingMail(id=uuid.uuid4(), account_id=account_id, created_at=now, next_attempt_at=now)
    _seal(row, content)
    session.add(row)
    session.flush()


def _seal(row: OutgoingMail, content: Mapping[str, object]) -> None:
    row.sealed = crypto.seal(_key(), json.dumps(content).encode(), context=row.id.bytes)


@rls.as_system()
def round_(compose: Composer) -> int:
    """Send what is due, each letter in a transaction of its own; how many left. For the worker.

    `compose` writes the letter that was asked for; `None` where there is none to write.
    """
    sent = 0
    for _ in range(_AT_ONCE):
        with db.transaction() as session:
            row = session.scalar(
                sa.select(OutgoingMail)
                .where(OutgoingMail.next_attempt_at <= clock.now())
                .order_by(OutgoingMail.next_attempt_at)
                .limit(1)
                # The lock is held while it is sent: another worker takes the next one.
                .with_for_update(skip_locked=True)
            )
            if row is None:
                break
            sent += _try(session, row, compose)
    return sent


def _try(session: db.Session, row: OutgoingMail, compose: Composer) -> bool:
    try:
        content = json.loads(crypto.unseal(_key(), row.sealed, context=row.id.bytes))
        if "wish" in content:
            found = compose(session, content["wish"])
            if found is None:
                session.delete(row)
                return False
            content = asdict(found)
            # What was composed is what is sent, however often it is tried: it holds a link.
            _seal(row, content)
        _send(Letter(**content))
    except crypto.Unreadable:
        _logger.error("a letter cannot be read any more, SECRET_KEY has changed", mail=str(row.id))
    except ValueError as error:
        # What no mail can be made of, such as a line break in a subject: it must not stop those behind it.
        _logger.error("letter given up: no mail can be made of it", mail=str(row.id), exc_info=error)
    except (OSError, smtplib.SMTPException) as error:
        if row.attempts < len(WAITS) and not _for_good(error):
            row.next_attempt_at = clock.now() + WAITS[row.attempts]
            row.attempts += 1
            _logger.warning("letter not sent, will be tried again", mail=str(row.id), exc_info=error)
            return False
        _logger.error("letter given up", mail=str(row.id), exc_info=error)
    session.delete(row)
    return True


def _send(letter: Letter) -> None:
    config = settings.current()
    url = config.smtp_url.get_secret_value()
    if config.mail_inbox:
        inbox.keep(letter.to, letter.subject, letter.text)
    if url:
        smtp.send(
            url,
            sender=smtp.named(config.mail_from, letter.sender),
            to=letter.to,
            subject=letter.subject,
            text=letter.text,
            reply_to=letter.reply_to,
        )


def _for_good(error: Exception) -> bool:
    """A refusal with 5xx (RFC 5321, 4.2.1) stays one."""
    refused = getattr(error, "recipients", {}) or {}
    codes = [code for code, _ in refused.values()] or [getattr(error, "smtp_code", 0)]
    return all(500 <= code < 600 for code in codes)


def _key() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), "mail")


def erase(session: db.Statements, account_id: uuid.UUID) -> int:
    """Delete the letters of a closed account that have not left; return how many."""
    return bulk.erase(session, ("outgoing_mails",), account_id)
