"""Judge whether words and law bear out a statement, by code alone. Pure, no tables.

Invariant: no verdict here rests on a model's word; what cannot be established is refused (decision 013).
"""

from app.analysis.support.authority import UNCHECKED, Support, Verdict, approves, support
from app.analysis.support.quotation import Departure, Document, QuotedSpan, unsound
from app.analysis.support.restatement import departure, speaks_of

__all__ = [
    "UNCHECKED",
    "Departure",
    "Document",
    "QuotedSpan",
    "Support",
    "Verdict",
    "approves",
    "departure",
    "speaks_of",
    "support",
    "unsound",
]
