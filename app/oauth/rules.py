"""Rules for redirect URIs and resource indicators. Pure."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

_LONGEST = 1000
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_NETLOC = re.compile(r"(?:[A-Za-z0-9.-]+|\[::1\])(?::[0-9]{1,5})?")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,39}")
# They run code, show what the sender wrote, or lead to a file or another protocol instead of an application.
_FORBIDDEN = frozenset({
    "about", "blob", "chrome", "content", "data", "file", "filesystem", "ftp", "intent", "jar", "javascript",
    "mailto", "mhtml", "ms-its", "sms", "tel", "vbscript", "view-source", "ws", "wss", "x-javascript",
})  # fmt: skip
_DEFAULT_PORTS = {"https": 443, "http": 80}


def wrong_redirect(uri: object) -> str | None:
    """Return why a client may not register `uri` as a redirect URI; `None` where it may.

    Accepted are https addresses, http addresses of the own computer (RFC 8252, section 7.3), and schemes of
    applications such as `cursor://` (section 7.1).
    """
    if not isinstance(uri, str) or not 1 <= len(uri) <= _LONGEST:
        return f"must be a string of 1 to {_LONGEST} characters"
    if not uri.isascii() or not uri.isprintable() or set(uri) & set(" \"'<>\\^`{|};,"):
        return "must be an absolute URI without blanks, quotes or brackets"
    if "#" in uri:
        return "must not have a fragment"
    parts = _split(uri)
    if parts is None or not _SCHEME.fullmatch(parts.scheme):
        return "must be an absolute URI"
    if parts.scheme in ("http", "https"):
        if not _NETLOC.fullmatch(parts.netloc):
            return "must name a host, without user or password"
        if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            return "must use https unless it leads to the own computer (localhost, 127.0.0.1, [::1])"
        return None
    if parts.scheme in _FORBIDDEN:
        return f"must not use the scheme {parts.scheme}:"
    if not uri[len(parts.scheme) + 1 :].startswith("/"):
        return "must have a path after the scheme, such as app.example:/callback"
    return None


def redirects_alike(registered: str, asked: str) -> bool:
    """Return whether `asked` is the registered redirect URI; the port of the own computer may differ.

    Everything else is compared exactly (RFC 8252, section 7.3; RFC 9700, section 2.1).
    """
    if registered == asked:
        return True
    if wrong_redirect(registered) or wrong_redirect(asked):
        return False
    one, other = urlsplit(registered), urlsplit(asked)
    return (
        one.scheme == other.scheme == "http"
        and (one.hostname, one.path, one.query) == (other.hostname, other.path, other.query)
        and one.hostname in _LOOPBACK
    )


def form_action(uri: str) -> str:
    """Return the source that the policy of the consent page must allow, for the redirect that ends it.

    Args:
        uri: A redirect URI that `wrong_redirect` accepts.
    """
    parts = urlsplit(uri)
    # A source of a policy cannot name an IPv6 address.
    if parts.scheme in ("http", "https") and "[" not in parts.netloc:
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:"


def host_of(uri: str) -> str:
    """Return the host of a URI for display, or the scheme of one that opens a native application."""
    parts = urlsplit(uri)
    if parts.scheme in ("http", "https"):
        return parts.hostname or ""
    return f"{parts.scheme}://"


def is_loopback(uri: str) -> bool:
    """Return whether a redirect URI leads to the own computer of the person."""
    parts = urlsplit(uri)
    return parts.scheme == "http" and parts.hostname in _LOOPBACK


def is_resource(given: str, audience: str) -> bool:
    """Return whether a resource indicator (RFC 8707) means `audience`.

    Clients send it exactly, with a slash at the end, or as the origin alone.
    """
    wanted, parts = urlsplit(audience), _split(given)
    if parts is None or parts.query or "#" in given or "@" in parts.netloc:
        return False
    return _origin(parts) == _origin(wanted) and parts.path.rstrip("/") in ("", wanted.path.rstrip("/"))


def is_document_address(client_id: str) -> bool:
    """Return whether a client id is the address of a client id metadata document.

    It is an https URL with a path, without fragment, user, or dot segments.
    """
    parts = _split(client_id)
    return (
        parts is not None
        and client_id.startswith("https://")
        and wrong_redirect(client_id) is None
        and parts.path not in ("", "/")
        and not {".", ".."} & set(parts.path.split("/"))
    )


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _origin(parts: SplitResult) -> tuple[str, str, int | None]:
    return parts.scheme, parts.hostname or "", parts.port or _DEFAULT_PORTS.get(parts.scheme)
