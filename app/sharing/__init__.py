"""Links to the result of an analysis: for members of its account, or for anybody who has the password.

Owns `result_links`. Invariants: a link never outlives the result, the account, the job or the membership of
its maker; its row holds neither token, password nor content, and the result is read from its sealed store
each time; after `TRIES_MAX` wrong passwords a link opens no more (decision 097).
"""

from app.sharing.links import (
    HOURS,
    LINKS_MAX,
    TRIES_MAX,
    NewLink,
    count_opening,
    end,
    erase,
    find,
    links_of,
    make,
    passes,
    sweep,
)
from app.sharing.models import Audience, ResultLink

__all__ = [
    "HOURS",
    "LINKS_MAX",
    "TRIES_MAX",
    "Audience",
    "NewLink",
    "ResultLink",
    "count_opening",
    "end",
    "erase",
    "find",
    "links_of",
    "make",
    "passes",
    "sweep",
]
