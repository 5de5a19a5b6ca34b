"""Keys at work: what a master does to its tree, and members to the keys at its top, each with its event.

Owns no table; keys and organizations are tenancy's. Invariant: a key is never created, changed or cut off
here without its `apikey.*` event in the same transaction.
"""

from app.organizations import account_keys
from app.organizations.key_events import announce
from app.organizations.key_tree import change, cut_off, dissolve, found, issue, rotate

__all__ = ["account_keys", "announce", "change", "cut_off", "dissolve", "found", "issue", "rotate"]
