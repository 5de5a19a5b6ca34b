"""Audit trail: one metadata record per analysis, hash-chained per account.

Owns `audit_records`, `audit_heads`, `chain_checks`, `audit_documents`. Invariants: a record is never changed,
its `seq` has no gap within its account, its hash covers its content and the hash of the record before it, and
the columns used for listing repeat that content; only the database function `append_audit_record` moves a
head. The file of a document is stored encrypted only, in Redis, and its key is deleted when it expires. No
text of documents or analyses is stored.

The document of one analysis is made synchronously (`analysis_document`), that of a period by a worker:
`order` requests it in a transaction, `find` returns its progress, `file_of` its file; `make_due` is the
worker's part.
"""

from app.governance import chain_check, enforcement, outputs
from app.governance.account_export import FORMAT, LEFT_OUT, LISTS, SECTIONS, bundle, member_bundle
from app.governance.analysis_record import AnalysisRecord, analysis_record
from app.governance.attestation import content_hash
from app.governance.audit_list import analysis_at, known_hash, of_request, page, search
from app.governance.audit_log import Entry, Filter, appending, record_of, records, select
from app.governance.chain import ChainVerdict, length_of_chain, verify_chain
from app.governance.documents.export_requests import (
    CODES,
    OPEN_MAX,
    RECORDS_MAX,
    again,
    chosen_days,
    delete,
    delete_all,
    discard,
    file_of,
    find,
    is_kept,
    listing,
    order,
    sweep,
)
from app.governance.documents.pdf_worker import EVERY_S, make_due, release
from app.governance.documents.signature import check_settings, signed
from app.governance.documents.sync_export import analysis_document, period_at_once
from app.governance.models import AuditDocument, AuditRecord
from app.governance.reviews import (
    DECISIONS,
    Decision,
    Review,
    Reviewer,
    decisions,
    review,
    reviewed_hashes,
    reviews_of,
)
from app.governance.signing_keys import rotate as rotate_key
from app.governance.transparency.anchors import anchor_head
from app.governance.transparency.log import AnchorVerdict, append_round, check_account, check_log

__all__ = [
    "CODES",
    "DECISIONS",
    "EVERY_S",
    "FORMAT",
    "LEFT_OUT",
    "LISTS",
    "OPEN_MAX",
    "RECORDS_MAX",
    "SECTIONS",
    "AnalysisRecord",
    "AnchorVerdict",
    "AuditDocument",
    "AuditRecord",
    "ChainVerdict",
    "Decision",
    "Entry",
    "Filter",
    "Review",
    "Reviewer",
    "again",
    "analysis_at",
    "analysis_document",
    "analysis_record",
    "anchor_head",
    "append_round",
    "appending",
    "bundle",
    "chain_check",
    "check_account",
    "check_log",
    "check_settings",
    "chosen_days",
    "content_hash",
    "decisions",
    "delete",
    "delete_all",
    "discard",
    "enforcement",
    "file_of",
    "find",
    "is_kept",
    "known_hash",
    "length_of_chain",
    "listing",
    "make_due",
    "member_bundle",
    "of_request",
    "order",
    "outputs",
    "page",
    "period_at_once",
    "record_of",
    "records",
    "release",
    "review",
    "reviewed_hashes",
    "reviews_of",
    "rotate_key",
    "search",
    "select",
    "signed",
    "sweep",
    "verify_chain",
]
