"""Alerts of an account: shares of a cap or of the credits that are spent, keys that are about to expire.

Owns `alerts`. Invariant: each is told once, by an event in the same transaction as the note that it was told,
and by a mail to each member who wants its kind (`app.mail`).
"""

from app.alerts.alerts import erase, forget, tell_due

__all__ = ["erase", "forget", "tell_due"]
