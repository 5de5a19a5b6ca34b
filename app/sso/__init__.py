"""Single sign-on of an account's members at its own OpenID Connect provider (docs/single-sign-on.md).

Owns `sso_connections`, `sso_domains` and `sso_identities`. Invariants: a provider signs in members of its own
account alone, by an address that it has verified; an address without a member becomes one only where the
account has proved the domain or has invited it; a domain is proved by one account at a time; the client
secret rests sealed, and every request to a provider goes through the safe fetcher.
"""

from app.sso.accounts import SignOnRefused, admit, count_people, erase, may_come_back
from app.sso.connections import (
    JOINING_ROLES,
    add_domain,
    check_domain,
    client_of,
    connection_of,
    connection_of_domain,
    domains_of,
    get_connection,
    note_tested,
    remove_connection,
    remove_domain,
    require,
    save_connection,
    txt_record,
)
from app.sso.models import SsoConnection, SsoDomain
from app.sso.protocol import LASTS_S, Attempt, Client, Identity, ProviderFailed, begin, check_issuer, finish

__all__ = [
    "JOINING_ROLES",
    "LASTS_S",
    "Attempt",
    "Client",
    "Identity",
    "ProviderFailed",
    "SignOnRefused",
    "SsoConnection",
    "SsoDomain",
    "add_domain",
    "admit",
    "begin",
    "check_domain",
    "check_issuer",
    "client_of",
    "connection_of",
    "connection_of_domain",
    "count_people",
    "domains_of",
    "erase",
    "finish",
    "get_connection",
    "may_come_back",
    "note_tested",
    "remove_connection",
    "remove_domain",
    "require",
    "save_connection",
    "txt_record",
]
