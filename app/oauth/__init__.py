"""OAuth 2.1 for assistants: clients, consent, tokens, and whom a token stands for (decision 061).

Owns the tables `oauth_clients`, `oauth_grants` and `oauth_tokens`. Invariants: a grant acts through an
API key of its own, so that limits, caps, metering and revocation are those of keys; codes and tokens are
kept as SHA-256 alone; every token is for one audience, the tool server's address `/api/mcp/connect`.
"""

from app.oauth.clients import WrongMetadata, document_is_due, keep_document, read_document
from app.oauth.grants import Consent, account_of, erase, forget, identify
from app.oauth.metadata import CHALLENGE_SCOPE, SCOPES, Site, challenge
from app.oauth.models import OAuthClient
from app.oauth.rules import form_action, host_of, is_loopback
from app.oauth.server import AuthorizationRequest, AuthorizationServer, OAuthResponse, PendingAuthorization

__all__ = [
    "CHALLENGE_SCOPE",
    "SCOPES",
    "AuthorizationRequest",
    "AuthorizationServer",
    "Consent",
    "OAuthClient",
    "OAuthResponse",
    "PendingAuthorization",
    "Site",
    "WrongMetadata",
    "account_of",
    "challenge",
    "document_is_due",
    "erase",
    "forget",
    "form_action",
    "host_of",
    "identify",
    "is_loopback",
    "keep_document",
    "read_document",
]
