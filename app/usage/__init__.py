"""Usage: metering of every call made with a key, and reports over up to a year.

Owns `usage_calls` (one row per call, kept `USAGE_RAW_DAYS`), `usage_days` and `usage_months` (the daily and
monthly roll-ups). A call gets its id and enters a Redis stream before its answer is sent; a worker moves
entries from the stream to PostgreSQL and acknowledges them after the commit. Invariants: no answered call is
lost when a process is killed; a call that is moved twice counts once; rows and roll-ups change in one
statement and so always agree.
"""

from app.usage.consumer import drain
from app.usage.csv_export import neutral, sheet
from app.usage.key_totals import Sums, of_keys, of_organization, of_organizations, together
from app.usage.meter import path_template, record
from app.usage.periods import GRANULARITIES, Granularity
from app.usage.query import Family, Question, ask, ask_of_account
from app.usage.recent_calls import latest
from app.usage.rollup import Call, enter, erase, forget
from app.usage.rollup_repair import mend
from app.usage.usage_report import Figures, Report, endpoints, report

__all__ = [
    "GRANULARITIES",
    "Call",
    "Family",
    "Figures",
    "Granularity",
    "Question",
    "Report",
    "Sums",
    "ask",
    "ask_of_account",
    "drain",
    "endpoints",
    "enter",
    "erase",
    "forget",
    "latest",
    "mend",
    "neutral",
    "of_keys",
    "of_organization",
    "of_organizations",
    "path_template",
    "record",
    "report",
    "sheet",
    "together",
]
