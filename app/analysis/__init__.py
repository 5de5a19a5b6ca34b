"""Analysis: from a client's text to a report whose every lock was earned.

Owns no table. Invariant: no `[L1]` without words that stand in the document, no lock token or audit marker
that this package did not issue, no text outside this process but anonymised, no charge without an answer.
"""

from app.analysis import given_analysis, sandbox, text_checks
from app.analysis.batch import CONCURRENCY_DEFAULT, CONCURRENCY_MAX, DOCUMENTS_MAX, Batch, BatchItem, Result
from app.analysis.batch import run as run_batch
from app.analysis.billing import announce_cap
from app.analysis.given_analysis import STATEMENTS_MAX
from app.analysis.job_adapter import Finished, analyse, analyse_item, batch_answer, charge, quality
from app.analysis.jurisdiction.assessment import Preview, preview
from app.analysis.pipeline import sends_text_outside
from app.analysis.request import AUTO, BRANCHES, LANGUAGES, MODES, AnalysisRequest, Branch, Mode, price
from app.analysis.service import Outcome, run
from app.analysis.startup import check_settings, warm_up

__all__ = [
    "AUTO",
    "BRANCHES",
    "CONCURRENCY_DEFAULT",
    "CONCURRENCY_MAX",
    "DOCUMENTS_MAX",
    "LANGUAGES",
    "MODES",
    "STATEMENTS_MAX",
    "AnalysisRequest",
    "Batch",
    "BatchItem",
    "Branch",
    "Finished",
    "Mode",
    "Outcome",
    "Preview",
    "Result",
    "analyse",
    "analyse_item",
    "announce_cap",
    "batch_answer",
    "charge",
    "check_settings",
    "given_analysis",
    "preview",
    "price",
    "quality",
    "run",
    "run_batch",
    "sandbox",
    "sends_text_outside",
    "text_checks",
    "warm_up",
]
