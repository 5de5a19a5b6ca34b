"""Operations on keys and organizations, each with its `apikey.*` event.

Owns no table; keys and organizations belong to tenancy. Invariant: a key is never created, changed or revoked
here without its event in the same transaction.
"""

from app.organizations import account_keys
from app.organizations.clients import NewClient, WantedKey, create_client
from app.organizations.sub_keys import (
    announce,
    change_sub_key,
    create,
    create_sub_key,
    delete,
    revoke_sub_key,
    rotate_sub_key,
)

__all__ = [
    "NewClient",
    "WantedKey",
    "account_keys",
    "announce",
    "change_sub_key",
    "create",
    "create_client",
    "create_sub_key",
    "delete",
    "revoke_sub_key",
    "rotate_sub_key",
]
