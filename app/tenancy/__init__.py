"""Tenants: accounts, the members who sign in, the API keys that call, organizations of keys.

Owns the tables `accounts`, `members`, `api_keys`, `organizations`, `ip_allowlist`. Invariant: a key's
plaintext exists once, in the answer that creates it; the database holds its SHA-256 only, and a revoked or
expired key, or a child of one, is refused on the next request, because every request reads the row.
"""

from app.tenancy import links, second_factor
from app.tenancy.accounts import (
    close_account,
    create_account,
    describe,
    get_account,
    set_options,
    set_plan,
)
from app.tenancy.allowlist import allow_address, allowed_addresses, covers, disallow_address
from app.tenancy.keys import (
    NewKey,
    create_key,
    keys_of,
    own_key,
    revoke_key,
    rotate_key,
    set_monthly_cap,
    touched,
)
from app.tenancy.members import (
    ROLES,
    Role,
    authenticate,
    change_role,
    choose_password,
    find_member,
    get_member,
    members_of,
    password_is,
    remove_member,
    set_password,
)
from app.tenancy.models import Account, AllowedAddress, ApiKey, Member, OneTimeLink, Organization
from app.tenancy.organizations import (
    create_organization,
    delete_organization,
    governed,
    keys_in,
    organizations_of,
    owner_of,
    visible_organizations,
)
from app.tenancy.principal import SCOPES, TIERS, Caller, KeyRole, Scope, Tier, as_key, identify
from app.tenancy.subkeys import SUB_KEYS_MAX, UNSET, change_sub_key, create_sub_key, sub_key
from app.tenancy.tokens import digest

__all__ = [
    "ROLES",
    "SCOPES",
    "SUB_KEYS_MAX",
    "TIERS",
    "UNSET",
    "Account",
    "AllowedAddress",
    "ApiKey",
    "Caller",
    "KeyRole",
    "Member",
    "NewKey",
    "OneTimeLink",
    "Organization",
    "Role",
    "Scope",
    "Tier",
    "allow_address",
    "allowed_addresses",
    "as_key",
    "authenticate",
    "change_role",
    "change_sub_key",
    "choose_password",
    "close_account",
    "covers",
    "create_account",
    "create_key",
    "create_organization",
    "create_sub_key",
    "delete_organization",
    "describe",
    "digest",
    "disallow_address",
    "find_member",
    "get_account",
    "get_member",
    "governed",
    "identify",
    "keys_in",
    "keys_of",
    "links",
    "members_of",
    "organizations_of",
    "own_key",
    "owner_of",
    "password_is",
    "remove_member",
    "revoke_key",
    "rotate_key",
    "second_factor",
    "set_monthly_cap",
    "set_options",
    "set_password",
    "set_plan",
    "sub_key",
    "touched",
    "visible_organizations",
]
