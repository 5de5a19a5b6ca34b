"""Governance: the audit trail, one metadata record per analysis, chained by hash per account.

Owns `audit_records`, `audit_heads`. Invariant: a record is never changed, its `seq` has no gap within its
account, and its hash covers its content and the hash of the record before it. No document or analysis text.
"""

from app.governance import checking
from app.governance.audit_document import RECORDS_MAX, Subject, audit_document
from app.governance.bundle import FORMAT, LEFT_OUT, SECTIONS, bundle
from app.governance.listing import page
from app.governance.models import AuditRecord
from app.governance.trail import (
    ChainVerdict,
    Entry,
    Filter,
    appending,
    record_of,
    records,
    select,
    verify_chain,
)

__all__ = [
    "FORMAT",
    "LEFT_OUT",
    "RECORDS_MAX",
    "SECTIONS",
    "AuditRecord",
    "ChainVerdict",
    "Entry",
    "Filter",
    "Subject",
    "appending",
    "audit_document",
    "bundle",
    "checking",
    "page",
    "record_of",
    "records",
    "select",
    "verify_chain",
]
