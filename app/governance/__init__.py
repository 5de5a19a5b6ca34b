"""Governance: the audit trail, one metadata record per analysis, chained by hash per account.

Owns `audit_records`, `audit_heads`. Invariant: a record is never changed, its `seq` has no gap within its
account, and its hash covers its content and the hash of the record before it. No document or analysis text.
"""

from app.governance.bundle import FORMAT, LEFT_OUT, SECTIONS, bundle
from app.governance.trail import Entry, appending, record_of, records, verify_chain

__all__ = [
    "FORMAT",
    "LEFT_OUT",
    "SECTIONS",
    "Entry",
    "appending",
    "bundle",
    "record_of",
    "records",
    "verify_chain",
]
