"""Usage: metering of every call made with a key, and reports over up to a year.

Owns `usage_calls` (one row per call, kept `USAGE_RAW_DAYS`: the log of requests, by month), `usage_days` and
`usage_months` (the daily and monthly roll-ups) and `usage_tokens` (tokens of models by day, key, model and
stage). A call gets its id and enters a Redis stream before its answer is sent; a worker moves entries from
the stream to PostgreSQL and acknowledges them after the commit. Invariants: no answered call is lost when a
process is killed; a call that is moved twice counts once; rows and roll-ups change in one statement and so
always agree.
"""

from app.usage.burn_rate import WINDOW as BURN_WINDOW
from app.usage.burn_rate import BurnRate, burn_rate
from app.usage.caps import CapUse, near_caps
from app.usage.consumer import drain
from app.usage.csv_export import escape_formula, export_csv
from app.usage.key_totals import UsageTotals, add_up, of_keys, of_organization, of_organizations
from app.usage.meter import path_template, record
from app.usage.partitions import UsageMonth, drop_old, months, open_months
from app.usage.partitions import attach as attach_month
from app.usage.partitions import detach as detach_month
from app.usage.periods import GRANULARITIES, Granularity
from app.usage.query import OrganizationKeys, ReportQuery, ask, ask_of_account
from app.usage.request_log import OUTCOMES, CallFilter, Outcome, latest, log, logged
from app.usage.rollup import Call, erase, forget, insert_calls
from app.usage.rollup_repair import repair
from app.usage.tokens import ModelTokens, Tokens, record_tokens, tokens
from app.usage.usage_report import ORDERS, Figures, Order, Report, endpoints, report

__all__ = [
    "BURN_WINDOW",
    "GRANULARITIES",
    "ORDERS",
    "OUTCOMES",
    "BurnRate",
    "Call",
    "CallFilter",
    "CapUse",
    "Figures",
    "Granularity",
    "ModelTokens",
    "Order",
    "OrganizationKeys",
    "Outcome",
    "Report",
    "ReportQuery",
    "Tokens",
    "UsageMonth",
    "UsageTotals",
    "add_up",
    "ask",
    "ask_of_account",
    "attach_month",
    "burn_rate",
    "detach_month",
    "drain",
    "drop_old",
    "endpoints",
    "erase",
    "escape_formula",
    "export_csv",
    "forget",
    "insert_calls",
    "latest",
    "log",
    "logged",
    "months",
    "near_caps",
    "of_keys",
    "of_organization",
    "of_organizations",
    "open_months",
    "path_template",
    "record",
    "record_tokens",
    "repair",
    "report",
    "tokens",
]
