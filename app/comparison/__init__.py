"""Compare two versions of a contract: clauses, words, values and risks, each version analysed as any text.

Owns `comparisons`. Invariants: the words of all clauses are both versions, code point by code point; a
comparison is charged once, after both analyses, with an audit record for each; its answer and texts rest
sealed, readable by the key that made it, and past its time it does not exist.

`compare_versions` and what it returns are pure. `find` gives the row of a comparison to its key,
`find_for_member` to a member, `open_kept` what is sealed of it; `sweep` runs in a transaction, `discard`
after its commit.
"""

from app.comparison.changes import CHANGES, JOINED, ClauseChange, Place, count_changes
from app.comparison.errors import SameVersions, UnknownComparison
from app.comparison.kept import (
    KeptComparison,
    discard,
    erase,
    find,
    find_for_member,
    open_kept,
    sweep,
)
from app.comparison.models import Comparison
from app.comparison.risks import Risk, RiskChanges, match_risks
from app.comparison.service import CREDITS, Version, compare_and_charge
from app.comparison.tracked import linear_runs, tracked_docx
from app.comparison.values import ValueChange
from app.comparison.versions import Side, Versions, compare_versions, risk_of

__all__ = [
    "CHANGES",
    "CREDITS",
    "JOINED",
    "ClauseChange",
    "Comparison",
    "KeptComparison",
    "Place",
    "Risk",
    "RiskChanges",
    "SameVersions",
    "Side",
    "UnknownComparison",
    "ValueChange",
    "Version",
    "Versions",
    "compare_and_charge",
    "compare_versions",
    "count_changes",
    "discard",
    "erase",
    "find",
    "find_for_member",
    "linear_runs",
    "match_risks",
    "open_kept",
    "risk_of",
    "sweep",
    "tracked_docx",
]
