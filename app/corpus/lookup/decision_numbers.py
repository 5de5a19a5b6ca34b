"""Read and write the normal forms of Spanish decisions that are cited by their court's number. Pure.

"STS 747/2022, de 20 de septiembre" is number 747 of the year of one of the chambers of the Supreme Court, of
which each counts from one: `ES:TS:747/2022`, with its chamber `ES:TS:4:747/2022`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_COURTS: Final = ("TS", "AN", "TC")
_CITED: Final = re.compile(
    rf"ES:(?P<court>{'|'.join(_COURTS)})(?::(?P<chamber>\d))?:(?P<order>A?)(?P<number>\d{{1,5}}/\d{{4}})"
)
_NUMBER: Final = re.compile(r"\d{1,5}/\d{4}")
_CHAMBERS: Final = (
    ("civil", "1"),
    ("penal", "2"),
    ("contencioso", "3"),
    ("social", "4"),
    ("militar", "5"),
)


class DecisionNumber(NamedTuple):
    """The number of a decision; `chamber` a word of its name, empty where it is not told."""

    court: str
    chamber: str
    is_order: bool
    number: str


def cited(canonical: str) -> DecisionNumber | None:
    """Return the number that a normal form has, `None` where it is of another kind."""
    found = _CITED.fullmatch(canonical)
    if found is None:
        return None
    chamber = next((word for word, digit in _CHAMBERS if digit == found["chamber"]), "")
    return DecisionNumber(found["court"], chamber, bool(found["order"]), found["number"])


def forms(canonical: str, number: str | None, kind: str, place: str) -> tuple[str, ...]:
    """Return the normal forms by number of a loaded decision: without its chamber and, of the TS, with it.

    Args:
        canonical: its normal form, which names its court.
        number: as its row has it, "747/2022"; another form names nothing.
        kind: `auto` for an order.
        place: its court and chamber in words.
    """
    court = canonical.split(":")[1]
    if court not in _COURTS or not _NUMBER.fullmatch(number or ""):
        return ()
    first, _, year = (number or "").partition("/")
    own = f"{'A' if kind == 'auto' else ''}{int(first)}/{year}"
    digit = next((digit for word, digit in _CHAMBERS if word in place.lower()), "") if court == "TS" else ""
    return (f"ES:{court}:{own}", *([f"ES:{court}:{digit}:{own}"] if digit else ()))
