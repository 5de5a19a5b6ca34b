"""Analyse a client's document: from its text to a report whose every lock was earned.

Owns the table `own_engines`. Invariant: no `[L1]` without words that stand in the document, no lock token or
audit marker that this package did not issue, no text outside this process but anonymised, no charge without
an answer.
"""

from app.analysis import own_engines, sandbox, text_checks
from app.analysis.answer.audit_block import audit_block
from app.analysis.answer.layout import section_called, severity_called
from app.analysis.batch import (
    CONCURRENCY_DEFAULT,
    CONCURRENCY_MAX,
    DOCUMENTS_MAX,
    Batch,
    analyse_batch_and_charge,
)
from app.analysis.billing import ChargeReference, announce_cap, charge, citation_quality, credit_hold, settle
from app.analysis.cpu_lock import CPU_LOCK
from app.analysis.draft import given_analysis
from app.analysis.draft.given_analysis import STATEMENTS_MAX
from app.analysis.jurisdiction.assessment import Preview, preview
from app.analysis.pipeline import by_rules_alone, sends_text_outside
from app.analysis.progress import STAGES, Progress, ProgressRecorder, Stage, recording
from app.analysis.request import (
    AUTO,
    BRANCHES,
    LANGUAGES,
    LONG_TEXT_MAX,
    MODES,
    TEXT_MAX,
    TEXT_MIN,
    AnalysisRequest,
    BatchItem,
    Branch,
    Mode,
    Source,
    price,
    units,
)
from app.analysis.responses import batch_answer, origin_header, single_answer
from app.analysis.result import AnalysisResult
from app.analysis.sanitize import prose, scalar
from app.analysis.service import analyse, analyse_and_charge, analyse_item
from app.analysis.startup import check_settings, warm_up

__all__ = [
    "AUTO",
    "BRANCHES",
    "CONCURRENCY_DEFAULT",
    "CONCURRENCY_MAX",
    "CPU_LOCK",
    "DOCUMENTS_MAX",
    "LANGUAGES",
    "LONG_TEXT_MAX",
    "MODES",
    "STAGES",
    "STATEMENTS_MAX",
    "TEXT_MAX",
    "TEXT_MIN",
    "AnalysisRequest",
    "AnalysisResult",
    "Batch",
    "BatchItem",
    "Branch",
    "ChargeReference",
    "Mode",
    "Preview",
    "Progress",
    "ProgressRecorder",
    "Source",
    "Stage",
    "analyse",
    "analyse_and_charge",
    "analyse_batch_and_charge",
    "analyse_item",
    "announce_cap",
    "audit_block",
    "batch_answer",
    "by_rules_alone",
    "charge",
    "check_settings",
    "citation_quality",
    "credit_hold",
    "given_analysis",
    "origin_header",
    "own_engines",
    "preview",
    "price",
    "prose",
    "recording",
    "sandbox",
    "scalar",
    "section_called",
    "sends_text_outside",
    "settle",
    "severity_called",
    "single_answer",
    "text_checks",
    "units",
    "warm_up",
]
