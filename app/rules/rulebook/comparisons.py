"""Compare the quantities of a document, as a risk rule may ask by name.

Each returns what it compared, or None when the rule does not apply: a quantity that the document does not
state is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from app.rules.rulebook.quantities import Quantity

Quantities = Mapping[str, Quantity]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a check found: the quantities it stands on, and a ratio or limit where the wording names one."""

    of: Quantity | None = None
    to: Quantity | None = None
    times: Decimal | None = None
    limit: Decimal | None = None

    @property
    def evidence(self) -> tuple[Quantity, ...]:
        """Return the quantities whose words prove the comparison."""
        return tuple(quantity for quantity in (self.of, self.to) if quantity is not None)


Check = Callable[[Quantities, Mapping[str, Any]], Comparison | None]


def _same_money(one: Quantity, other: Quantity) -> bool:
    return one.currency is not None and one.currency == other.currency


def _number(parameters: Mapping[str, Any], name: str) -> Decimal | None:
    value = parameters.get(name)
    return None if value is None else Decimal(str(value))


def _months_of_rent(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find how many months of rent a sum of money, or a number of monthly payments, amounts to."""
    rent = quantities.get(parameters["rent"])
    money = quantities.get(parameters["money"])
    if money is not None and rent is not None and rent.monthly > 0 and _same_money(money, rent):
        # A sum equal to the rent itself is most likely the rent read twice; it breaks no limit either way.
        return Comparison(of=money, to=rent, times=(money.value / rent.monthly).quantize(Decimal("0.01")))
    months = quantities.get(parameters["months"])
    if months is not None and months.unit == "month":
        return Comparison(of=months, times=months.months)
    return None


def months_of_rent_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find more than `limit` months of rent, and at most `at_most` where that is given.

    Where `term` is given, contracts that state a longer one than `up_to` months are left alone.
    """
    term = quantities.get(parameters.get("term", ""))
    if term is not None and term.months > Decimal(parameters["up_to"]):
        return None
    found = _months_of_rent(quantities, parameters)
    ceiling = _number(parameters, "at_most")
    if found is None or found.times is None or found.times <= Decimal(str(parameters["limit"])):
        return None
    return None if ceiling is not None and found.times > ceiling else found


def months_of_rent_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find fewer than `limit` months of rent."""
    found = _months_of_rent(quantities, parameters)
    if found is None or found.times is None or found.times >= Decimal(str(parameters["limit"])):
        return None
    return found


def duration_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a duration shorter than `months` (or `days`)."""
    quantity = quantities.get(parameters["of"])
    if quantity is None or quantity.measure != "duration":
        return None
    if "days" in parameters:
        return Comparison(of=quantity) if quantity.value < Decimal(parameters["days"]) else None
    return Comparison(of=quantity) if quantity.months < Decimal(parameters["months"]) else None


def duration_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a duration longer than `months` (or `days`), and at most `at_most_months` where that is given."""
    quantity = quantities.get(parameters["of"])
    if quantity is None or quantity.measure != "duration":
        return None
    ceiling = _number(parameters, "at_most_months")
    if ceiling is not None and quantity.months > ceiling:
        return None
    if "days" in parameters:
        # Written in months, a month counts as thirty days: "two months" is not above sixty days.
        days = Decimal(30) * quantity.months if quantity.unit in ("month", "year") else quantity.value
        return Comparison(of=quantity) if days > Decimal(parameters["days"]) else None
    return Comparison(of=quantity) if quantity.months > Decimal(parameters["months"]) else None


def leave_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find leave shorter than `natural` calendar days.

    Where it is counted in working days, shorter than `working` of those.
    """
    quantity = quantities.get(parameters["of"])
    if quantity is None or quantity.number is None or quantity.unit != "day":
        return None
    least = parameters["working"] if quantity.working else parameters["natural"]
    return Comparison(of=quantity) if quantity.number < least else None


def value_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a figure above `limit`.

    Above `ceiling` it is taken for something else and no conclusion is drawn.
    """
    quantity = quantities.get(parameters["of"])
    if quantity is None or quantity.value <= Decimal(str(parameters["limit"])):
        return None
    ceiling = _number(parameters, "ceiling")
    if ceiling is not None and quantity.value > ceiling:
        return None
    return Comparison(of=quantity, limit=Decimal(str(parameters["limit"])))


def value_at_most(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a figure of `limit` or less."""
    quantity = quantities.get(parameters["of"])
    if quantity is None or quantity.value > Decimal(str(parameters["limit"])):
        return None
    return Comparison(of=quantity, limit=Decimal(str(parameters["limit"])))


def points_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a percentage more than `points` points above another."""
    one, other = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    if one is None or other is None or one.value - other.value <= Decimal(str(parameters["points"])):
        return None
    return Comparison(of=one, to=other, times=one.value - other.value)


def ratio_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find one sum above `limit` times another, with a cent of tolerance."""
    one, other = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    if one is None or other is None or not _same_money(one, other) or other.value <= 0:
        return None
    if one.value <= other.value * Decimal(str(parameters["limit"])) + Decimal("0.01"):
        return None
    return Comparison(of=one, to=other, times=(one.value / other.value * 100).quantize(Decimal("0.1")))


def daily_penalty_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a sum per day above `limit` times one day's rent, a month counting as thirty days."""
    penalty, rent = quantities.get(parameters["of"]), quantities.get(parameters["rent"])
    if penalty is None or penalty.period != "day" or rent is None or not _same_money(penalty, rent):
        return None
    if rent.monthly <= 0:
        return None
    times = penalty.value * 30 / rent.monthly
    if times <= Decimal(str(parameters["limit"])):
        return None
    return Comparison(of=penalty, times=times.quantize(Decimal("0.1")))


def always(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Apply to every document of the kind."""
    return Comparison()


CHECKS: Mapping[str, Check] = {
    "months_of_rent_above": months_of_rent_above,
    "months_of_rent_below": months_of_rent_below,
    "duration_below": duration_below,
    "duration_above": duration_above,
    "leave_below": leave_below,
    "value_above": value_above,
    "value_at_most": value_at_most,
    "points_above": points_above,
    "ratio_above": ratio_above,
    "daily_penalty_above": daily_penalty_above,
    "always": always,
}
