"""Put into plain strings what a statement's facts hold: of an amount, of a period, of a legal basis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.rules.facts.money.amounts import Amount
from app.rules.facts.time.deadlines import Deadline
from app.rules.rulebook.schema import Basis


def of_amount(item: Amount, role: str, bound: str | None) -> dict[str, str]:
    """Return the facts of an amount: what it is for, its value, its unit and how often it is due."""
    unit = "%" if item.kind == "percentage" else item.currency or ""
    facts = {"role": role, "value": f"{item.value.normalize():f}", "unit": unit}
    return facts | _given(per=item.period, bound=bound)


def sum_of(facts: Mapping[str, str]) -> tuple[str, str, str]:
    """Return what makes two amounts the same sum: value, unit and bound."""
    return facts["value"], facts["unit"], facts.get("bound", "")


def of_deadline(item: Deadline, purpose: str) -> dict[str, str]:
    """Return the facts of a period.

    They are what it is for, its length or its days of the month, its first and last day.
    """
    days = "-".join(map(str, item.days)) if item.days else None
    length = f"{item.number} {item.unit}" if item.number is not None else item.unit
    facts = {"role": purpose} | ({"days": days} if days else {"length": length})
    return facts | _given(since=item.start_date, until=item.due)


def _given(**facts: str | None) -> dict[str, str]:
    return {name: value for name, value in facts.items() if value is not None}


def cites(bases: Iterable[Basis]) -> tuple[str, ...]:
    """Return the citations of legal bases, each once."""
    return tuple(dict.fromkeys(basis.cite for basis in bases))
