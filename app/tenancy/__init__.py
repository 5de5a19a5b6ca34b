"""Tenants: accounts, the members who sign in, the API keys that call.

Owns the tables `accounts`, `members`, `api_keys`. Invariant: a key's plaintext exists once, in the answer
that creates it; the database holds its SHA-256 only, and a revoked or expired key is refused on the next
request, because every request reads the row.
"""

from app.tenancy.accounts import create_account, get_account, set_options
from app.tenancy.keys import (
    NewKey,
    create_key,
    keys_of,
    revoke_key,
    set_monthly_cap,
)
from app.tenancy.members import (
    Role,
    authenticate,
    find_member,
    get_member,
    set_password,
)
from app.tenancy.models import Account, ApiKey, Member
from app.tenancy.principal import SCOPES, TIERS, Caller, KeyRole, Scope, Tier, identify
from app.tenancy.tokens import digest

__all__ = [
    "SCOPES",
    "TIERS",
    "Account",
    "ApiKey",
    "Caller",
    "KeyRole",
    "Member",
    "NewKey",
    "Role",
    "Scope",
    "Tier",
    "authenticate",
    "create_account",
    "create_key",
    "digest",
    "find_member",
    "get_account",
    "get_member",
    "identify",
    "keys_of",
    "revoke_key",
    "set_monthly_cap",
    "set_options",
    "set_password",
]
