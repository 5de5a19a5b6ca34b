"""Mails to members, written in the transaction of their cause and sent by a worker.

Owns `outgoing_mails`. Invariants: a mail is stored encrypted and is deleted once it was sent or cannot be
sent; no API answer waits for a mail server, and `ask` takes the same time whether an address is known or not,
so that an answer does not reveal it.
"""

from app.mail.inbox import InboxMail, inbox_mails, may_read
from app.mail.outbox import LetterRequest, MailMessage, ask, ask_all, can_send, erase, post, send_due

__all__ = [
    "InboxMail",
    "LetterRequest",
    "MailMessage",
    "ask",
    "ask_all",
    "can_send",
    "erase",
    "inbox_mails",
    "may_read",
    "post",
    "send_due",
]
