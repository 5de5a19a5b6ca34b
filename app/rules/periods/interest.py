"""Compute simple interest on a debt by the rates that the law fixed for each day, and show the sum.

Invariant: no rate is guessed; where a day has none in the data, the sum ends on the day before, and
that day is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Annotated, Final, Literal

from pydantic import Field

from app.platform.data_files import Entry, NotBlank, read_entry
from app.rules.facts.document_facts import Facts
from app.rules.facts.keyword_index import table
from app.rules.facts.money.amounts import Amount
from app.rules.periods.bases import Anchor, Bases
from app.text.expressions import compiled

RateKind = Literal["legal", "tax", "commercial"]
# What obliges to pay interest at a rate, as a lawyer cites it.
BASIS: Final[Mapping[RateKind, str]] = {
    "legal": "art. 1108 CC",
    "commercial": "art. 7.2 de la Ley 3/2004, de 29 de diciembre",
}
_FILE: Final = "interest.toml"
_CENT: Final = Decimal("0.01")
_COMMERCIAL: Final = compiled(r"\b3/2004\b|\bmorosidad\b")
_LEGAL: Final = compiled(r"\binteres(?:es)? legal(?:es)?\b|\b1[._]?108\b|\blegal interest\b")
_AT_MOST: Final = 8


class _Rate(Entry):
    """The rates of a stretch of days, in per cent a year."""

    from_: date = Field(alias="from")
    to: date
    legal: Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")] | None = None
    tax: Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")] | None = None
    commercial: Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")] | None = None
    source: NotBlank


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many days at one rate, and the reference of what fixed it."""

    days: int
    rate: Decimal
    source: str


@dataclass(frozen=True, slots=True)
class Interest:
    """Interest on a debt from the day after `since` to `until`, or to the day before `unknown`, if any."""

    principal: Decimal
    since: date
    until: date
    stretches: tuple[Stretch, ...]
    due: Decimal
    unknown: date | None = None


@dataclass(frozen=True, slots=True)
class DebtInterest:
    """The interest on one debt of a document, at one kind of rate, with where its words stand."""

    kind: RateKind
    interest: Interest
    amount: Amount
    anchor: Anchor


@cache
def _rates() -> tuple[_Rate, ...]:
    return tuple(read_entry(_Rate, f"{_FILE}: rate", row) for row in table(_FILE)["rate"])


def interest(principal: Decimal, since: date, until: date, kind: RateKind) -> Interest:
    """Return simple interest from the day after `since` to `until`, each day at its rate, a year of 365 days.

    Raises:
        ValueError: unless `until` is later than `since`.
    """
    if until <= since:
        raise ValueError(f"{until} is not later than {since}")
    day, total = since + timedelta(days=1), Decimal(0)
    stretches: list[Stretch] = []
    while day <= until:
        row = next((one for one in _rates() if one.from_ <= day <= one.to and getattr(one, kind)), None)
        if row is None:
            return Interest(principal, since, until, tuple(stretches), total.quantize(_CENT), day)
        last = min(row.to, until)
        rate = Decimal(getattr(row, kind))
        days = (last - day).days + 1
        total += principal * rate / 100 * days / 365
        if stretches and stretches[-1].rate == rate:
            stretches[-1] = Stretch(stretches[-1].days + days, rate, f"{stretches[-1].source}, {row.source}")
        else:
            stretches.append(Stretch(days, rate, row.source))
        day = last + timedelta(days=1)
    return Interest(principal, since, until, tuple(stretches), total.quantize(_CENT))


def on_debts(facts: Facts, bases: Bases) -> Iterator[DebtInterest]:
    """Yield the interest on each debt that a demand or a claim dates, where it says of which kind."""
    own = bases.first("written")
    if own is None:
        return
    kind: RateKind
    if _COMMERCIAL.search(facts.source.folded) is not None:
        kind = "commercial"
    elif _LEGAL.search(facts.source.folded) is not None:
        kind = "legal"
    else:
        return
    for anchor in bases.get("debt_due")[:_AT_MOST]:
        amount = _of(facts.amounts, facts, anchor)
        if amount is not None and own.day > anchor.day:
            yield DebtInterest(kind, interest(amount.value, anchor.day, own.day, kind), amount, anchor)


def _of(amounts: Sequence[Amount], facts: Facts, anchor: Anchor) -> Amount | None:
    """Return the one sum of euros on the line of a date, else in its sentence; None if several."""
    text = facts.source.text
    line = text.rfind("\n", 0, anchor.start) + 1, text.find("\n", anchor.end)
    for first, last in (
        (line[0], line[1] if line[1] >= 0 else len(text)),
        facts.source.sentence(anchor.start),
    ):
        found = [one for one in amounts if first <= one.start < last and one.kind == "money"]
        if len(found) == 1 and found[0].currency == "EUR" and found[0].period is None:
            return found[0]
        if found:
            return None
    return None
