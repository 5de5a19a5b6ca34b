"""Mails to members, written in the transaction of their cause and sent by a worker.

Owns `outgoing_mails` and `notification_settings`. Invariants: a mail is stored encrypted and is deleted once
it was sent or cannot be sent; no API answer waits for a mail server, and `ask` takes the same time whether an
address is known or not, so that an answer does not reveal it.
"""

from app.mail.inbox import InboxMail, inbox_mails, may_read
from app.mail.outbox import LetterRequest, MailMessage, ask, ask_all, can_send, post, send_due
from app.mail.subscriptions import (
    KINDS,
    Choice,
    Kind,
    choices,
    choose,
    erase,
    is_wanted,
    notify,
    read_unsubscribe_token,
    unsubscribe_token,
)

__all__ = [
    "KINDS",
    "Choice",
    "InboxMail",
    "Kind",
    "LetterRequest",
    "MailMessage",
    "ask",
    "ask_all",
    "can_send",
    "choices",
    "choose",
    "erase",
    "inbox_mails",
    "is_wanted",
    "may_read",
    "notify",
    "post",
    "read_unsubscribe_token",
    "send_due",
    "unsubscribe_token",
]
