"""Page of the service state, for anybody: what works, is slow or away. No figures, no data of tenants."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

import psycopg
import sqlalchemy as sa
from flask import make_response, render_template
from flask_babel import lazy_gettext as _
from werkzeug.wrappers import Response

from app import jobs, webhooks
from app.platform import clock, redis_client
from app.platform.postgres import db, rls
from app.portal.web.blueprints import front
from app.portal.web.display.status_labels import Tag
from app.portal.web.session import access

State = Literal["works", "slow", "away"]
# A page that anybody may ask for asks the stores so often at most.
FRESH_S = 10.0
# From when on a delivery that is due counts as late, and all of them as standing still.
_LATE, _STANDING = timedelta(minutes=2), timedelta(minutes=15)
_AWAY = (sa.exc.SQLAlchemyError, psycopg.Error, redis_client.Unavailable)
_TAGS = {
    "works": Tag("ok", "ok", _("works")),
    "slow": Tag("warn", "clock", _("slow")),
    "away": Tag("bad", "bad", _("unavailable")),
}
_HEADINGS = {
    "works": _("Everything works"),
    "slow": _("Parts of the service are slow"),
    "away": _("Parts of the service are unavailable"),
}
_ADVICE = {
    "works": _("All parts of the service answer as they should."),
    "slow": _("Requests are accepted but take longer than usual. Nothing is lost or charged twice."),
    "away": _("Try again in a few minutes. Requests that were already accepted are not lost."),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the service: its name, what it is for, and its state as a label."""

    name: Any
    purpose: Any
    state: State

    @property
    def tag(self) -> Tag:
        """The label of its state."""
        return _TAGS[self.state]


class _Cache:
    """The states as they were found at most `FRESH_S` seconds ago, for all visitors of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: tuple[State, ...] = ()
        self._until = 0.0

    def get(self) -> tuple[State, ...]:
        """Return the states in the order of the page."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._found = tuple(map(_checked, (_requests, _analyses, _deliveries)))
                self._until = time.monotonic() + FRESH_S
            return self._found

    def forget(self) -> None:
        """Look again at the next visit."""
        with self._lock:
            self._until = 0.0


CACHE = _Cache()


@front.get("/status")
@access.public
def service_status() -> Response:
    """Show the state of the service; 503 where a part of it is away."""
    parts = _parts(CACHE.get())
    worst = next(state for state in ("away", "slow", "works") if state in {part.state for part in parts})
    page = make_response(
        render_template(
            "portal/home/status.html",
            parts=parts,
            heading=_HEADINGS[worst],
            advice=_ADVICE[worst],
            tag=_TAGS[worst],
            at=clock.now(),
        ),
        503 if worst == "away" else 200,
    )
    page.headers["Cache-Control"] = "no-store"
    return page


def _parts(states: Sequence[State]) -> list[Part]:
    names = (
        (_("API and this site"), _("requests, sign-in, answers")),
        (_("Analyses in the background"), _("jobs, files, long documents")),
        (_("Webhook deliveries"), _("notifications to your addresses")),
    )
    return [Part(name, purpose, state) for (name, purpose), state in zip(names, states, strict=True)]


def _checked(check: Callable[[], State]) -> State:
    try:
        return check()
    except _AWAY:
        return "away"


def _requests() -> State:
    db.ping()
    redis_client.ping()
    return "works"


def _analyses() -> State:
    with rls.as_system(), db.reading() as session:
        pace = jobs.queue_pace(session, now=clock.now())
    redis_client.ping()
    return "away" if pace == "standing" else "slow" if pace == "slow" else "works"


def _deliveries() -> State:
    with rls.as_system(), db.reading() as session:
        overdue = webhooks.longest_overdue(session, now=clock.now())
    return "away" if overdue >= _STANDING else "slow" if overdue >= _LATE else "works"
