"""Operations on keys and organizations, each with its `apikey.*` event.

Owns no table; keys and organizations belong to tenancy. Invariant: a key is never created, changed or revoked
here without its event in the same transaction.
"""

from app.organizations import account_keys
from app.organizations.key_events import announce
from app.organizations.key_tree import change, cut_off, dissolve, found, issue, rotate

__all__ = ["account_keys", "announce", "change", "cut_off", "dissolve", "found", "issue", "rotate"]
