"""Outbox of mails: storing them, and sending those that are due."""

from __future__ import annotations

import json
import smtplib
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from app.mail import inbox, smtp
from app.mail.models import OutgoingMail
from app.platform import clock, crypto, log, settings
from app.platform.lease_queue import LeaseLost, LeaseQueue
from app.platform.postgres import db, rls

# The lease is longer than a mail server can keep us waiting. No letter waits longer than this for another
# attempt, and then it is given up: its link would soon be stale.
QUEUE = LeaseQueue(
    id=OutgoingMail.id,
    token=OutgoingMail.attempts,
    due=OutgoingMail.next_attempt_at,
    length=timedelta(minutes=5),
    waits=(timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(minutes=30)),
)
_AT_ONCE = 20

_logger = log.logger("mail")

# What to write, in terms of the function that composes the mail.
LetterRequest = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MailMessage:
    """A plain-text mail to one recipient. `repr` shows neither its text nor its address.

    Attributes:
        to: Address of the recipient.
        subject: One line.
        text: Plain text.
        sender: Display name beside the service's own address; empty for the address alone, `None` for the
            setting's name.
        reply_to: Address for replies, `None` for none.
        unsubscribe: URL that ends mails of this kind by one click (RFC 8058), `None` for none.
    """

    to: str
    subject: str
    text: str
    sender: str | None = None
    reply_to: str | None = None
    unsubscribe: str | None = None

    def __repr__(self) -> str:
        return f"<MailMessage of {len(self.text)} characters>"


Composer = Callable[[db.Session, LetterRequest], MailMessage | None]


def can_send() -> bool:
    """Return whether mails can be sent, or shown on the local inbox page."""
    config = settings.current()
    return bool(config.smtp_url.get_secret_value() or config.mail_inbox)


def post(session: Session, letter: MailMessage, *, account_id: uuid.UUID | None, now: datetime) -> None:
    """Store a mail in the caller's transaction; a worker sends it. Does nothing where no mail can be sent."""
    _put(session, _as_values(letter), account_id=account_id, now=now)


def ask(session: Session, wish: LetterRequest, *, now: datetime) -> None:
    """Request a mail that the worker composes, if there is one to write.

    The same statement runs whether the recipient is known or not, so the caller learns nothing from the time
    it takes.
    """
    _put(session, {"wish": dict(wish)}, account_id=None, now=now)


def ask_all(
    session: Session,
    wishes: Iterable[LetterRequest],
    *,
    account_id: uuid.UUID | None = None,
    now: datetime,
) -> None:
    """Request several mails at once, as `ask` does one.

    Where the transaction acts for an account, `account_id` names it: row-level security lets it write no
    other rows.
    """
    _put_all(session, [{"wish": dict(wish)} for wish in wishes], account_id=account_id, now=now)


def _put(
    session: Session, content: Mapping[str, object], *, account_id: uuid.UUID | None, now: datetime
) -> None:
    _put_all(session, [content], account_id=account_id, now=now)


def _put_all(
    session: Session,
    contents: Iterable[Mapping[str, object]],
    *,
    account_id: uuid.UUID | None,
    now: datetime,
) -> None:
    if not can_send():
        return
    for content in contents:
        mail_id = uuid.uuid4()
        sealed = _seal(mail_id, content)
        session.add(
            OutgoingMail(
                id=mail_id, account_id=account_id, sealed=sealed, created_at=now, next_attempt_at=now
            )
        )
    session.flush()


def _as_values(letter: MailMessage) -> dict[str, Any]:
    """Return the fields of a mail; without `unsubscribe` where unused, which older workers do not know."""
    found = asdict(letter)
    return found if letter.unsubscribe else {name: found[name] for name in found if name != "unsubscribe"}


def _seal(mail_id: uuid.UUID, content: Mapping[str, object]) -> bytes:
    return crypto.seal(_key(), json.dumps(content).encode(), context=mail_id.bytes)


@rls.as_system()
def send_due(compose: Composer) -> int:
    """Send the mails that are due, at most 20; return how many were sent or given up. For the worker.

    No transaction is open while a mail is sent. A mail that a killed worker was sending leaves after its
    lease (decision 048).

    Args:
        compose: Writes a requested mail, in a transaction; returns `None` where there is none to write.
    """
    for _ in range(_AT_ONCE):
        if db.atomically(_give_up_exhausted) is None:
            break
    sent = 0
    for _ in range(_AT_ONCE):
        row = db.atomically(lambda session: QUEUE.claim(session, now=clock.now()))
        if row is None:
            break
        sent += _try(row, compose)
    return sent


def _give_up_exhausted(session: db.Statements) -> uuid.UUID | None:
    """Delete a mail whose last attempt ended with its worker; return its id."""
    row = QUEUE.lock_exhausted(session, now=clock.now())
    if row is None:
        return None
    QUEUE.delete(session, QUEUE.lease_of(row))
    _logger.error("letter given up: the worker ended at every attempt", mail=str(row.id))
    return QUEUE.lease_of(row).id


def _try(row: Any, compose: Composer) -> bool:
    lease = QUEUE.lease_of(row)
    try:
        letter = _letter(row, compose)
        if letter is None:
            return False
        _send(letter)
    except LeaseLost:
        return False
    except crypto.Unreadable:
        _logger.error("a letter cannot be read any more, SECRET_KEY has changed", mail=str(row.id))
    except ValueError as error:
        # What no mail can be made of, such as a line break in a subject: it must not stop those behind it.
        _logger.error("letter given up: no mail can be made of it", mail=str(row.id), exc_info=error)
    except (OSError, smtplib.SMTPException) as error:
        now = clock.now()
        again = QUEUE.retry_at(row.attempts, now)
        if again is not None and not _for_good(error):
            db.atomically(lambda session: QUEUE.release(session, lease, due=again))
            _logger.warning("letter not sent, will be tried again", mail=str(row.id), exc_info=error)
            return False
        _logger.error("letter given up", mail=str(row.id), exc_info=error)
    return db.atomically(lambda session: QUEUE.delete(session, lease))


def _letter(row: Any, compose: Composer) -> MailMessage | None:
    """Return the mail of a claimed row; `None` where there is none to write.

    Raises:
        LeaseLost: Another worker has claimed the row since.
        crypto.Unreadable: The row was encrypted with another `SECRET_KEY`.
        ValueError: The content is no mail.
    """
    content = json.loads(crypto.unseal(_key(), bytes(row.sealed), context=row.id.bytes))
    if "wish" not in content:
        return MailMessage(**content)
    lease = QUEUE.lease_of(row)
    with db.transaction() as session:
        found = compose(session, content["wish"])
        if found is None:
            QUEUE.delete(session, lease)
            return None
        # What was composed is what is sent, however often it is tried: it holds a link.
        if not QUEUE.write(session, lease, sealed=_seal(row.id, _as_values(found))):
            raise LeaseLost
    return found


def _send(letter: MailMessage) -> None:
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
            unsubscribe=letter.unsubscribe,
        )


def _for_good(error: Exception) -> bool:
    """Return whether the server refused with 5xx, which is permanent (RFC 5321, 4.2.1)."""
    refused = getattr(error, "recipients", {}) or {}
    codes = [code for code, _ in refused.values()] or [getattr(error, "smtp_code", 0)]
    return all(500 <= code < 600 for code in codes)


def _key() -> bytes:
    return crypto.service_key(settings.current().secret_key.get_secret_value(), "mail")
