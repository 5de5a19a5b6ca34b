"""Server-side sessions in Redis. The cookie holds a random id; Redis stores its SHA-256 as the key.

A session is read at its first use, so that responses which need none (errors, documents, the API) never query
Redis. An ended session stays ended: a request that was running when it ended cannot restore it, because an
existing session is only overwritten, never created again under its old id.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from flask import Flask, Request, Response, request
from flask.sessions import SessionInterface, SessionMixin
from werkzeug.exceptions import ServiceUnavailable

from app.platform import clock, redis_client
from app.platform.web import http

COOKIE = "session"
SIGNED_IN = "_user_id"

# Pages before sign-in keep a CSRF token and no more: their sessions are many and short.
_VISITOR_TTL_S = 3600
# Names of sessions that ended are dropped from a member's list when it is read; the list itself ends alone.
_INDEX_TTL_S = 90 * 24 * 3600
# What a page asks for by itself does not count as use, else an open page would never be signed out.
_UNATTENDED = {"/portal/first-steps"}


def _name(token: str) -> str:
    return "session:" + hashlib.sha256(token.encode()).hexdigest()


class ServerSession(SessionMixin):
    """A session as a mapping, saved with the response. `renew()` ends it and begins another."""

    modified = False

    def __init__(self, token: str | None, ttl_s: int | None) -> None:
        self.token = token
        self.retired: str | None = None
        self._ttl_s = ttl_s
        self._values: dict[str, Any] | None = None

    def renew(self) -> None:
        """Delete the session, on the server too, and continue under a new id."""
        if self.token is not None:
            self.retired, self.token = self.token, None
        self._values = {}
        self.modified = True

    @property
    def content(self) -> dict[str, Any]:
        """The values, read from Redis at first use."""
        if self._values is None:
            found = _load(self.token, self._ttl_s) if self.token else None
            if found is None:
                # An id that we do not know is never adopted: somebody else may have chosen it.
                self.token = None
            self._values = found or {}
        return self._values

    @property
    def name(self) -> str | None:
        """The key of this session in Redis, if it is stored."""
        return _name(self.token) if self.token else None

    @property
    def seen(self) -> SessionInfo | None:
        """When and where this session began, once a member signed in."""
        return _seen(self.name or "", self.content)

    def describe(self, *, since: datetime, agent: str, address: str | None) -> None:
        """Record when and where the session began, for the member's list of sessions."""
        self["seen"] = [clock.iso(since), agent[:300], address]

    def __getitem__(self, key: str) -> Any:
        return self.content[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.content[key] = value
        self.modified = True

    def __delitem__(self, key: str) -> None:
        del self.content[key]
        self.modified = True

    def __iter__(self) -> Iterator[str]:
        return iter(self.content)

    def __len__(self) -> int:
        return len(self.content)


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session in the member's list."""

    name: str
    since: datetime
    agent: str
    address: str | None


def sessions_of(member_id: uuid.UUID) -> list[SessionInfo]:
    """Return the member's active sessions, newest first."""
    client, index = redis_client.client(), _index(member_id.hex)
    names = sorted(_text(name) for name in cast(set[bytes], client.smembers(index)))
    if not names:
        return []
    raw = cast(list[bytes | None], client.mget(names))
    gone = [name for name, value in zip(names, raw, strict=True) if value is None]
    if gone:
        client.srem(index, *gone)
    found = [_seen(name, json.loads(value)) for name, value in zip(names, raw, strict=True) if value]
    return sorted((one for one in found if one is not None), key=lambda one: one.since, reverse=True)


def end_sessions(member_id: uuid.UUID, *, only: str | None = None, but: str | None = None) -> int:
    """End the member's sessions: all, one by name (`only`), or all except one (`but`); return how many."""
    client, index = redis_client.client(), _index(member_id.hex)
    names = [_text(name) for name in cast(set[bytes], client.smembers(index))]
    chosen = [name for name in names if name != but and only in (None, name)]
    if not chosen:
        return 0
    client.srem(index, *chosen)
    client.delete(*chosen)
    return len(chosen)


def _index(member: str) -> str:
    return f"sessions-of:{member}"


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name


def _seen(name: str, values: dict[str, Any]) -> SessionInfo | None:
    found = values.get("seen")
    return SessionInfo(name, datetime.fromisoformat(found[0]), found[1], found[2]) if found else None


def _load(token: str, ttl_s: int | None) -> dict[str, Any] | None:
    if ttl_s is None:
        raw = redis_client.client().get(_name(token))
    else:
        raw = redis_client.client().getex(_name(token), ex=ttl_s)
    if not isinstance(raw, bytes):
        return None
    found = json.loads(raw)
    return found if isinstance(found, dict) else None


class RedisSessions(SessionInterface):
    """Flask's session interface for the portal's paths; elsewhere a session is empty and not saved."""

    def __init__(self, hours: int) -> None:
        self._ttl_s = hours * 3600

    def cookie_name(self, request: Request) -> str:
        """Return the cookie's name, with `__Host-` over TLS: no other host can set or read such a cookie."""
        return f"__Host-{COOKIE}" if http.is_secure() else COOKIE

    def open_session(self, app: Flask, request: Request) -> ServerSession:
        """Return the session of the request's cookie, not yet read from Redis."""
        if request.path != "/" and not request.path.startswith("/portal"):
            return ServerSession(None, None)
        token = request.cookies.get(self.cookie_name(request), "")
        return ServerSession(token or None, None if request.path in _UNATTENDED else self._ttl_s)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Save a modified session; without Redis the response becomes a 503 page."""
        assert isinstance(session, ServerSession)
        if not session.modified:
            return
        try:
            self._save(session, response)
        except redis_client.Unavailable:
            # Flask has no error handling left at this point; the answer itself becomes the error page.
            away = http.http_error(ServiceUnavailable("The service is briefly unavailable. Try again."))
            response.status_code = away.status_code
            response.set_data(away.get_data())
            response.headers["Content-Type"] = away.headers["Content-Type"]
            response.headers.pop("Location", None)

    def _save(self, session: ServerSession, response: Response) -> None:
        client, cookie = redis_client.client(), self.cookie_name(request)
        values = session.content
        if session.retired is not None:
            client.delete(_name(session.retired))
        secure = http.is_secure()
        if not values:
            # What was taken out last is gone on the server as well: it may have been good for one use.
            if session.token is not None:
                client.delete(_name(session.token))
            if session.retired is not None or session.token is not None:
                response.delete_cookie(cookie, secure=secure, httponly=True, samesite="Lax")
            return
        raw = json.dumps(values)
        ttl_s = self._ttl_s if SIGNED_IN in values else _VISITOR_TTL_S
        if session.token is not None:
            client.set(_name(session.token), raw, ex=ttl_s, xx=True)
            return
        token = secrets.token_urlsafe(32)
        client.set(_name(token), raw, ex=ttl_s)
        if SIGNED_IN in values:
            index = _index(str(values[SIGNED_IN]).partition(".")[0])
            client.sadd(index, _name(token))
            client.expire(index, _INDEX_TTL_S)
        response.set_cookie(cookie, token, path="/", secure=secure, httponly=True, samesite="Lax")
