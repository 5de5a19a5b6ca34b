"""Keys at work: what a master does to its tree, and members to the keys at its top, each with its event.

Owns no table; keys and organizations are tenancy's. Invariant: a key is never created, changed or cut off
here without its `apikey.*` event in the same transaction.
"""

from app.organizations import keyring
from app.organizations.announcing import announce
from app.organizations.tree import change, cut_off, dissolve, found, issue, rotate

__all__ = ["announce", "change", "cut_off", "dissolve", "found", "issue", "keyring", "rotate"]
