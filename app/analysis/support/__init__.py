"""Judge whether words and law bear out a statement, by code alone. Pure, no tables.

Invariant: no verdict here rests on a model's word; what cannot be established is refused (decision 013).
"""

from app.analysis.support.authority import UNCHECKED, Support, Verdict, approves, support
from app.analysis.support.quotation import Discrepancy, Document, QuotedSpan, unsound
from app.analysis.support.restatement import (
    denies,
    discrepancy,
    governor,
    left_out,
    speaks_of,
    unplaced_words,
)

__all__ = [
    "UNCHECKED",
    "Discrepancy",
    "Document",
    "QuotedSpan",
    "Support",
    "Verdict",
    "approves",
    "denies",
    "discrepancy",
    "governor",
    "left_out",
    "speaks_of",
    "support",
    "unplaced_words",
    "unsound",
]
