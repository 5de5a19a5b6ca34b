"""Addresses of the authorization server, and the documents that describe it (RFC 8414, RFC 9728). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from authlib.common.security import is_secure_transport

from app.tenancy import Scope

CONNECT = "/api/mcp/connect"
ISSUER = "/oauth"
AUTHORIZE = "/portal/authorize"
SERVER_METADATA = f"/.well-known/oauth-authorization-server{ISSUER}"
RESOURCE_METADATA = f"/.well-known/oauth-protected-resource{CONNECT}"
# In the order in which they are listed; a client that names none asks for all.
SCOPES: tuple[Scope, ...] = ("mcp", "query", "analyze")
# What a client without a token is told to ask for: what works with the tools is chosen on the consent page.
CHALLENGE_SCOPE: Scope = "mcp"


@dataclass(frozen=True, slots=True)
class Site:
    """The service as clients reach it.

    Args:
        base: Public base address without a slash at the end; from the settings, not from a request.
        name: Name of the service.
        key_prefix: First characters of keys and tokens.
    """

    base: str
    name: str
    key_prefix: str

    @property
    def is_secure(self) -> bool:
        """Whether OAuth may be spoken at this address: over https, or on the own computer (RFC 8252)."""
        return bool(is_secure_transport(self.base))

    @property
    def issuer(self) -> str:
        """The identifier of the authorization server."""
        return f"{self.base}{ISSUER}"

    @property
    def audience(self) -> str:
        """The resource for which all tokens are."""
        return f"{self.base}{CONNECT}"

    @property
    def resource_metadata(self) -> str:
        """The address of the metadata of the resource (RFC 9728, section 3.1)."""
        parts = urlsplit(self.audience)
        return f"{parts.scheme}://{parts.netloc}/.well-known/oauth-protected-resource{parts.path}"


def challenge(site: Site, error: str | None = None) -> str:
    """Return the header `WWW-Authenticate` of a refusal (RFC 6750, section 3; RFC 9728, section 5.1).

    Args:
        site: The service.
        error: `invalid_token` or `insufficient_scope`; `None` where no token was sent.
    """
    parts = [f'error="{error}"'] if error else []
    parts += [f'resource_metadata="{site.resource_metadata}"', f'scope="{CHALLENGE_SCOPE}"']
    return f"Bearer {', '.join(parts)}"


def of_resource(site: Site) -> dict[str, Any]:
    """Return the metadata of the protected resource (RFC 9728)."""
    return {
        "resource": site.audience,
        "authorization_servers": [site.issuer],
        "scopes_supported": list(SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": site.name,
    }


def of_server(site: Site) -> dict[str, Any]:
    """Return the metadata of the authorization server (RFC 8414)."""
    return {
        "issuer": site.issuer,
        "authorization_endpoint": f"{site.base}{AUTHORIZE}",
        "token_endpoint": f"{site.issuer}/token",
        "registration_endpoint": f"{site.issuer}/register",
        "revocation_endpoint": f"{site.issuer}/revoke",
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": True,
    }
