"""Compute when periods of Spanish law end, and by which rule. Pure arithmetic on dates; owns no tables.

Invariant: where a holiday is not known, the computed day may be too early, never too late.
"""

from app.deadlines.calculation import REGIMES, RULES, UNITS, Calculation, calculate, fits
from app.deadlines.calendars import (
    COUNTING,
    LONGEST_DAYS,
    REGIONS,
    Calendar,
    Computation,
    Region,
    Rule,
    Unit,
    add_months,
    administrative,
    civil,
    contentious,
    easter,
    is_court_recess,
    is_holiday,
    judicial,
    labour_urgent,
    national_holidays,
    regional_holidays,
    tax_payment,
    term_end,
)
from app.deadlines.limitation import Limitation, personal_action

__all__ = [
    "COUNTING",
    "LONGEST_DAYS",
    "REGIMES",
    "REGIONS",
    "RULES",
    "UNITS",
    "Calculation",
    "Calendar",
    "Computation",
    "Limitation",
    "Region",
    "Rule",
    "Unit",
    "add_months",
    "administrative",
    "calculate",
    "civil",
    "contentious",
    "easter",
    "fits",
    "is_court_recess",
    "is_holiday",
    "judicial",
    "labour_urgent",
    "national_holidays",
    "personal_action",
    "regional_holidays",
    "tax_payment",
    "term_end",
]
