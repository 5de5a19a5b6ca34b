"""Compare two versions of a contract."""

from app.comparison.changes import ClauseChange, Place, count_changes
from app.comparison.risks import Risk, RiskChanges, match_risks
from app.comparison.values import ValueChange
from app.comparison.versions import Versions, compare_versions, risk_of

__all__ = [
    "ClauseChange",
    "Place",
    "Risk",
    "RiskChanges",
    "ValueChange",
    "Versions",
    "compare_versions",
    "count_changes",
    "match_risks",
    "risk_of",
]
