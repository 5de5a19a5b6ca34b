"""Event bus and webhooks: events are stored with their cause and delivered to subscribed endpoints.

Owns `events`, `announcements`, `watches`, `event_horizons`, `webhook_endpoints`, `webhook_deliveries`.
Invariants: an event, or the announcement that becomes an event of each account, exists if and only if its
cause was committed; each event has one delivery for each active endpoint that subscribed to it, of what is
announced to all only where the account watches it; an open delivery is attempted until it succeeds or its
retries are used up, whichever process dies; the address is checked at each connection; no row holds text of a
document.
"""

from app.webhooks.claims import ATTEMPTS, longest_overdue, open_deliveries
from app.webhooks.deliveries import Attempt, Detail, Entry, Log, detail, forget, log, redrive, send_test
from app.webhooks.endpoints import (
    MAX_PER_KEY,
    OVERLAP,
    NewEndpoint,
    change,
    check_url,
    deactivated,
    delete,
    forget_old_secrets,
    get,
    listed,
    of_account,
    of_member,
    register,
    rotate,
)
from app.webhooks.event_bus.broadcasts import announce, spread
from app.webhooks.event_bus.catalogue import CATALOGUE, DEFAULT_EVENTS, SUBSCRIBABLE, EventType
from app.webhooks.event_bus.catalogue_docs import as_markdown, as_openapi
from app.webhooks.event_bus.feed import (
    CursorExpired,
    Page,
    count_events,
    erase,
    events,
    events_between,
    forget_events,
)
from app.webhooks.event_bus.outbox import publish, publishing
from app.webhooks.event_bus.rate_limit_alert import SUSTAINED_MINUTES, refused
from app.webhooks.models import Endpoint, Event, Watch
from app.webhooks.sender import Sender
from app.webhooks.verification import Outcome, Verdict, verify
from app.webhooks.watches import MAX_PER_ACCOUNT as MAX_WATCHES
from app.webhooks.watches import Subject, announced, watched
from app.webhooks.watches import add as watch
from app.webhooks.watches import change as change_watch
from app.webhooks.watches import get as watch_of
from app.webhooks.watches import listed as watches_of
from app.webhooks.watches import remove as unwatch

__all__ = [
    "ATTEMPTS",
    "CATALOGUE",
    "DEFAULT_EVENTS",
    "MAX_PER_KEY",
    "MAX_WATCHES",
    "OVERLAP",
    "SUBSCRIBABLE",
    "SUSTAINED_MINUTES",
    "Attempt",
    "CursorExpired",
    "Detail",
    "Endpoint",
    "Entry",
    "Event",
    "EventType",
    "Log",
    "NewEndpoint",
    "Outcome",
    "Page",
    "Sender",
    "Subject",
    "Verdict",
    "Watch",
    "announce",
    "announced",
    "as_markdown",
    "as_openapi",
    "change",
    "change_watch",
    "check_url",
    "count_events",
    "deactivated",
    "delete",
    "detail",
    "erase",
    "events",
    "events_between",
    "forget",
    "forget_events",
    "forget_old_secrets",
    "get",
    "listed",
    "log",
    "longest_overdue",
    "of_account",
    "of_member",
    "open_deliveries",
    "publish",
    "publishing",
    "redrive",
    "refused",
    "register",
    "rotate",
    "send_test",
    "spread",
    "unwatch",
    "verify",
    "watch",
    "watch_of",
    "watched",
    "watches_of",
]
