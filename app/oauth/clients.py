"""Clients: found by their id, read from their metadata document, or registered by themselves (RFC 7591)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.oauth import rules
from app.oauth.models import OAuthClient
from app.platform import safe_http
from app.platform.errors import Invalid

# A registration that nobody consents to; a client whose grants have all ended.
UNUSED, AFTER_USE = timedelta(days=1), timedelta(days=90)
# How long a metadata document is believed without another look.
_FRESH = timedelta(hours=1)
_TIMEOUT_S, _DOCUMENT_BYTES = 5.0, 65_536
_MOST_URIS, _NAME_LENGTH = 20, 80


class WrongMetadata(Invalid):
    """The metadata of a client cannot be accepted.

    `error` is the code of RFC 7591, section 3.2.2.
    """

    def __init__(self, message: str, error: str = "invalid_client_metadata") -> None:
        super().__init__(message)
        self.error = error


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a client: a name for display, and the addresses that codes may be sent to."""

    name: str
    redirect_uris: list[str]


def find(session: Session, client_id: str) -> OAuthClient | None:
    """Return a known client."""
    return session.get(OAuthClient, client_id) if client_id.isprintable() else None


def document_is_due(session: Session, client_id: str, *, now: datetime) -> bool:
    """Return whether a client id is the address of a metadata document that must be read (again)."""
    if not rules.is_document_address(client_id):
        return False
    found = find(session, client_id)
    return found is None or found.fetched_at is None or now - found.fetched_at >= _FRESH


def keep_document(session: Session, client_id: str, read: Metadata, *, now: datetime) -> None:
    """Create or update the client whose metadata document was read."""
    values = {"name": read.name, "redirect_uris": read.redirect_uris, "fetched_at": now}
    query = insert(OAuthClient).values(client_id=client_id, created_at=now, expires_at=now + UNUSED, **values)
    # Another member's consent page may have read it at the same moment.
    session.execute(query.on_conflict_do_update(index_elements=["client_id"], set_=values))


def register(session: Session, given: Mapping[str, Any], *, now: datetime) -> OAuthClient:
    """Register a client with the metadata that it sent. Raises `WrongMetadata`.

    Whatever method of authentication it asked for, it gets none: PKCE and its redirect URI identify it, and a
    secret that anybody can have proves nothing.
    """
    read = _metadata(given)
    made = OAuthClient(
        client_id=f"client-{secrets.token_urlsafe(18)}",
        name=read.name,
        redirect_uris=read.redirect_uris,
        created_at=now,
        expires_at=now + UNUSED,
    )
    session.add(made)
    session.flush()
    return made


def registration(client: OAuthClient) -> dict[str, Any]:
    """Return the answer to a registration (RFC 7591, section 3.2.1)."""
    return {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": client.name,
        "redirect_uris": client.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }


def keep(client: OAuthClient, *, now: datetime) -> None:
    """Put off the day on which a client is forgotten, since it is in use."""
    if client.expires_at < now + AFTER_USE - timedelta(days=1):
        client.expires_at = now + AFTER_USE


def read_document(url: str, *, allow_hosts: Collection[str] = ()) -> Metadata:
    """Fetch the metadata document of a client by the safe fetcher.

    Only a signed-in member's consent page asks for it: nobody else can have the service fetch an address.

    Args:
        url: The client id.
        allow_hosts: Hosts that are exempt from the rules on addresses.

    Raises:
        WrongMetadata: The document cannot be read or accepted.
    """
    try:
        answer = safe_http.send(
            "GET",
            url,
            headers={"Accept": "application/json", "User-Agent": "client-metadata/1"},
            timeout_s=_TIMEOUT_S,
            max_bytes=_DOCUMENT_BYTES,
            allow_hosts=allow_hosts,
        )
    except safe_http.RequestError as error:
        raise WrongMetadata(f"The client's metadata document: {error.public_reason}.") from None
    if answer.status != 200:
        raise WrongMetadata(f"The client's metadata document: answered with status {answer.status}.")
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("client_id") != url:
        raise WrongMetadata(
            "The client's metadata document is no JSON object with its own address as client_id."
        )
    if found.get("token_endpoint_auth_method", "none") != "none":
        raise WrongMetadata(
            "The client's metadata document asks for a method of authentication other than none."
        )
    return _metadata(found)


def _metadata(given: Mapping[str, Any]) -> Metadata:
    uris = given.get("redirect_uris")
    if not isinstance(uris, list) or not 1 <= len(uris) <= _MOST_URIS:
        raise WrongMetadata(
            f"redirect_uris: must be a list of 1 to {_MOST_URIS} URIs.", "invalid_redirect_uri"
        )
    for number, uri in enumerate(uris):
        wrong = rules.wrong_redirect(uri)
        if wrong:
            raise WrongMetadata(f"redirect_uris[{number}]: {wrong}.", "invalid_redirect_uri")
    for field, known in (("grant_types", "authorization_code"), ("response_types", "code")):
        value = given.get(field, [known])
        if not isinstance(value, list) or known not in value:
            raise WrongMetadata(f"{field}: must be a list that contains {known}.")
    name = given.get("client_name", "")
    if not isinstance(name, str):
        raise WrongMetadata("client_name: must be a string.")
    shown = "".join(one for one in name if one.isprintable()).strip()[:_NAME_LENGTH].strip()
    return Metadata(shown or rules.host_of(uris[0])[:_NAME_LENGTH], list(dict.fromkeys(uris)))
