"""Local inbox for development: with `MAIL_INBOX`, mails are logged and kept in Redis for a day."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from app.platform import clock, log, redis_client, settings

_NAME = "mail:inbox"
_KEPT, _KEPT_S = 50, 24 * 3600

_logger = log.logger("mail")


@dataclass(frozen=True, slots=True)
class InboxMail:
    """A mail as the local inbox page shows it."""

    at: datetime
    to: str
    subject: str
    text: str


def keep(to: str, subject: str, text: str) -> None:
    """Log a mail and store it for the local inbox page. For development: the log contains its links."""
    _logger.info("mail", to=to, subject=subject, text=text)
    client = redis_client.client()
    client.lpush(
        _NAME, json.dumps({"at": clock.iso(clock.now()), "to": to, "subject": subject, "text": text})
    )
    client.ltrim(_NAME, 0, _KEPT - 1)
    client.expire(_NAME, _KEPT_S)


def inbox_mails() -> list[InboxMail]:
    """Return the mails of the last day, newest first."""
    raw = redis_client.client().lrange(_NAME, 0, -1)
    assert isinstance(raw, list)
    found = [json.loads(one) for one in raw]
    return [
        InboxMail(datetime.fromisoformat(one["at"]), one["to"], one["subject"], one["text"]) for one in found
    ]


def may_read(host: str | None, address: str | None) -> bool:
    """Return whether a request from `address` with this `Host` header may see the local inbox page.

    Only requests from this machine may, under the name and port that the service was started with. A page of
    another site can point its own name at this machine (DNS rebinding) and read the mails by script, but its
    requests carry that name in `Host`.
    """
    config = settings.current()
    if not config.mail_inbox or address not in ("127.0.0.1", "::1"):
        return False
    public = urlsplit(config.public_url).netloc
    names = {"localhost", "127.0.0.1", "[::1]", f"[{config.host}]" if ":" in config.host else config.host}
    started_for = {f"{name}:{config.port}" for name in names - {"0.0.0.0", "[::]"}}  # noqa: S104 (no name)
    if config.port == 80:
        started_for |= names
    return (host or "").lower() in {*started_for, *([public.lower()] if public else ())}
