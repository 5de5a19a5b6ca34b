"""Compute when periods end, and by which rule of Spain or another country. Pure; owns no tables.

Invariant: where a holiday is not known, the computed day may be too early, never too late.
"""

from app.deadlines.abroad import Counted
from app.deadlines.abroad import count as count_abroad
from app.deadlines.calculation import (
    PAYMENTS,
    REGIMES,
    RULES,
    UNITS,
    Calculation,
    calculate,
    calculate_payment,
    fits,
)
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
    contribution_payment,
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
    "PAYMENTS",
    "REGIMES",
    "REGIONS",
    "RULES",
    "UNITS",
    "Calculation",
    "Calendar",
    "Computation",
    "Counted",
    "Limitation",
    "Region",
    "Rule",
    "Unit",
    "add_months",
    "administrative",
    "calculate",
    "calculate_payment",
    "civil",
    "contentious",
    "contribution_payment",
    "count_abroad",
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
