"""Letters to members: written in the transaction of what they are about, sent by the worker.

Owns `outgoing_mails`. Invariant: a letter rests sealed and is deleted once it has left or cannot leave; an
answer never waits for a mail server, so it tells nobody whether an address is known.
"""

from app.mail.inbox import Kept, kept
from app.mail.outbox import Letter, can_send, post, round_

__all__ = ["Kept", "Letter", "can_send", "kept", "post", "round_"]
