"""Letters to members: written in the transaction of what they are about, sent by the worker.

Owns `outgoing_mails`. Invariant: a letter rests sealed and is deleted once it has left or cannot leave; an
answer never waits for a mail server, nor for the question whether there is a letter to write (`ask`), so it
tells nobody whether an address is known.
"""

from app.mail.inbox import Kept, kept, may_read
from app.mail.outbox import Letter, Wish, ask, can_send, erase, post, round_

__all__ = [
    "Kept",
    "Letter",
    "Wish",
    "ask",
    "can_send",
    "erase",
    "kept",
    "may_read",
    "post",
    "round_",
]
