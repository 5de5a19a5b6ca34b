"""Compare the quantities of a document, as a risk rule may ask by name.

Each returns what it compared, or None when the rule does not apply: a quantity that the document does not
state is never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from app.deadlines import COUNTING, labour_urgent, tax_payment
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.severance import (
    MINIMUM_WAGE,
    Severance,
    in_fourteen,
    severance,
    unfair_dismissal,
    yearly_pay,
)

Quantities = Mapping[str, Quantity]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a check found: the quantities it stands on, and what else the wording names.

    That may be a ratio, a limit, or the last day of a period.
    """

    of: Quantity | None = None
    to: Quantity | None = None
    times: Decimal | None = None
    limit: Decimal | None = None
    until: date | None = None

    @property
    def evidence(self) -> tuple[Quantity, ...]:
        """Return the quantities whose words prove the comparison; a figure of the law has none."""
        return tuple(quantity for quantity in (self.of, self.to) if quantity is not None and quantity.quote)


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


def ratio_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find one sum below `limit` times another, and at least `least` times it where that is given."""
    one, other = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    if one is None or other is None or not _same_money(one, other) or other.value <= 0:
        return None
    if one.value >= other.value * Decimal(str(parameters["limit"])) - Decimal("0.01"):
        return None
    least = _number(parameters, "least")
    if least is not None and one.value < other.value * least:
        return None
    return Comparison(of=one, to=other, times=(one.value / other.value * 100).quantize(Decimal("0.1")))


def rate_below_compounded(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a yearly rate (`of`) below what a nominal one (`to`) amounts to when it is paid each month.

    A difference of two hundredths of a point is left to rounding.
    """
    stated, nominal = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    if stated is None or nominal is None or not 1 < nominal.value < 100:
        return None
    yearly = ((1 + nominal.value / 1200) ** 12 - 1) * 100
    if stated.value >= yearly - Decimal("0.02"):
        return None
    return Comparison(of=stated, to=nominal, limit=yearly.quantize(Decimal("0.01")))


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


def value_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a figure below `limit`, and at least `least` where that is given."""
    quantity = quantities.get(parameters["of"])
    if quantity is None or quantity.value >= Decimal(str(parameters["limit"])):
        return None
    least = _number(parameters, "least")
    if least is not None and quantity.value < least:
        return None
    return Comparison(of=quantity, limit=Decimal(str(parameters["limit"])))


_PER_YEAR = {
    "day": Decimal(365),
    "week": Decimal(365) / 7,
    "month": Decimal(12),
    "year": Decimal(1),
}


def _figure(quantities: Quantities, parameters: Mapping[str, Any]) -> Any | None:
    """Return the figure of law that holds on the day of `since`, else on that of the document."""
    day = (_day(quantities, parameters, "since") if "since" in parameters else None) or _day(
        quantities, {"dated": parameters.get("dated")}, ""
    )
    return next((one for one in parameters["rates"] if day is not None and one.holds_on(day)), None)


def pay_below_rate(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find pay below `times` (1 if not given) the figure of law that `rate` names, such as a minimum wage.

    Pay and figure are compared by the year, a month as a twelfth of it or as `month_days`; the figure of an
    hour by the hours of the week that the term `hours` states, if it does. Where these are fewer than
    `full_week`, any other figure is reduced in proportion. `of` names terms in order of preference; the day
    is that of the term `since`, else that of the document.
    """
    pay = next((quantities[term] for term in parameters["of"] if term in quantities), None)
    rate = _figure(quantities, parameters)
    if pay is None or rate is None or pay.currency != rate.currency or pay.period is None:
        return None
    hours = quantities.get(parameters.get("hours", ""))
    per_year = dict(_PER_YEAR)
    if "month_days" in parameters:
        per_year["month"] = per_year["day"] / Decimal(parameters["month_days"])
    if "hour" in (rate.per, pay.period):
        if hours is None and rate.per != pay.period:
            return None
        per_year["hour"] = (hours.value if hours is not None else Decimal(1)) * per_year["week"]
    if pay.period not in per_year or rate.per not in per_year:
        return None
    least = Decimal(rate.value) * per_year[rate.per] * Decimal(str(parameters.get("times", 1)))
    full = _number(parameters, "full_week")
    if full is not None and hours is not None and hours.value < full and rate.per != "hour":
        least = least * hours.value / full
    if pay.value * per_year[pay.period] >= least - Decimal("0.01"):
        return None
    return Comparison(of=pay, limit=(least / per_year[pay.period]).quantize(Decimal("0.01")))


def interest_above_rate(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a yearly rate of interest above `times` (1 if not given) the rate of law that `rate` names.

    `plus` are points added to it. The day is that of the term `since`, else that of the document.
    """
    stated, rate = quantities.get(parameters["of"]), _figure(quantities, parameters)
    if stated is None or rate is None or rate.per != "percent":
        return None
    limit = Decimal(rate.value) * Decimal(str(parameters.get("times", 1))) + (
        _number(parameters, "plus") or 0
    )
    if stated.value <= limit:
        return None
    return Comparison(of=stated, limit=limit.quantize(Decimal("0.01")))


def sum_above_rate(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a sum of money above `times` (1 if not given) the figure of law that `rate` names."""
    stated, rate = quantities.get(parameters["of"]), _figure(quantities, parameters)
    if stated is None or rate is None or stated.currency != rate.currency:
        return None
    limit = Decimal(rate.value) * Decimal(str(parameters.get("times", 1)))
    return Comparison(of=stated, limit=limit) if stated.value > limit else None


def duration_above_in_short_term(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a duration longer than `months` where the contract states a `term` of at most `up_to` months."""
    term = quantities.get(parameters.get("term", ""))
    if term is None or term.months > Decimal(parameters["up_to"]):
        return None
    return duration_above(quantities, parameters)


def _day(quantities: Quantities, parameters: Mapping[str, Any], name: str) -> date | None:
    """Return the day that a parameter names, or the day of the document where it names none."""
    if name in parameters:
        quantity = quantities.get(parameters[name])
        return quantity.day if quantity is not None and quantity.measure == "date" else None
    dated = parameters.get("dated")
    return date.fromisoformat(dated) if isinstance(dated, str) else None


def _days_between(quantities: Quantities, parameters: Mapping[str, Any]) -> int | None:
    since, until = _day(quantities, parameters, "since"), _day(quantities, parameters, "until")
    return None if since is None or until is None else (until - since).days


def _of_days(quantities: Quantities, parameters: Mapping[str, Any], days: int) -> Comparison:
    stated = [quantities[parameters[name]] for name in ("since", "until") if name in parameters]
    since = _day(quantities, parameters, "since")
    until = since + timedelta(days=parameters["days"]) if since is not None else None
    return Comparison(
        of=stated[0], to=stated[-1] if len(stated) > 1 else None, times=Decimal(days), until=until
    )


def days_between_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find more than `days` days from `since` to `until`; one of them may be the day of the document."""
    days = _days_between(quantities, parameters)
    if days is None or days <= parameters["days"]:
        return None
    return _of_days(quantities, parameters, days)


def days_between_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find fewer than `days` days from `since` to `until`, and at least `least` where that is given.

    One of both may be the day of the document. Where `after` is given, the `until` must be later than so many
    days after the day that `begun` names.
    """
    days = _days_between(quantities, parameters)
    if days is None or days >= parameters["days"] or days < parameters.get("least", days):
        return None
    if "begun" in parameters:
        begun, until = _day(quantities, parameters, "begun"), _day(quantities, parameters, "until")
        if begun is None or until is None or (until - begun).days <= parameters["after"]:
            return None
    return _of_days(quantities, parameters, days)


def _severance(quantities: Quantities, parameters: Mapping[str, Any]) -> Severance | None:
    """Return what is due by the pay, the first and the last day of service that the document states."""
    salary = quantities.get(parameters.get("salary", ""))
    pay = yearly_pay(salary) if salary is not None else None
    since = _day(quantities, parameters, "since") if "since" in parameters else None
    until = _day(quantities, parameters, "until") or _day(quantities, {"dated": parameters.get("dated")}, "")
    if pay is None or since is None or until is None or until <= since:
        return None
    if parameters["days"] == 33:
        return unfair_dismissal(pay, since, until)
    return severance(pay, since, until, parameters["days"], parameters.get("most"))


def severance_below(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a compensation below what so many `days` of pay for each year of service amount to.

    `of` is the compensation, `salary` the pay, `since` and `until` the days of service (the day of the
    document where the last is not stated), `most` the limit in months' pay. A difference of two per cent is
    left alone.
    """
    offered = quantities.get(parameters["of"])
    salary = quantities.get(parameters.get("salary", ""))
    if offered is None or salary is None or not _same_money(offered, salary):
        return None
    if offered.period in ("hour", "day", "month"):
        return None  # the pay read twice; "por año de servicio" says no more than how it is counted
    due = _severance(quantities, parameters)
    if due is None or offered.value >= due.due * Decimal("0.98"):
        return None
    return Comparison(of=replace(offered, period=None), to=salary, times=Decimal(due.months), limit=due.due)


def severance_unstated(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a compensation that is not stated while pay and service are, and what it amounts to."""
    salary = quantities.get(parameters.get("salary", ""))
    if salary is None or parameters["of"] in quantities:
        return None
    due = _severance(quantities, parameters)
    if due is None:
        return None
    return Comparison(of=salary, times=Decimal(due.months), limit=due.due)


def leave_settled_short(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find leave paid on leaving shorter than what accrued in the year of the last day of service.

    `natural` calendar days accrue a year, from the first of January or from the first day of service if
    later; two days less are left alone.
    """
    settled = quantities.get(parameters["of"])
    until = _day(quantities, parameters, "until")
    if settled is None or settled.number is None or settled.unit != "day" or settled.working or until is None:
        return None
    since = max(_day(quantities, parameters, "since") or date.min, date(until.year, 1, 1))
    accrued = Decimal(parameters["natural"] * ((until - since).days + 1)) / 365
    if settled.number >= accrued - 2:
        return None
    return Comparison(of=settled, limit=accrued.quantize(Decimal("0.1")))


def wage_below_minimum(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a yearly or monthly wage below the national minimum of the year of the contract.

    A monthly one is taken to be paid fourteen times unless its words say otherwise. Where the working week
    (`hours`) is stated and shorter than forty hours, the minimum is reduced in proportion; with
    `hours_known`, nothing is found where it is not stated, as in part-time work.
    """
    wage = next((quantities[term] for term in parameters["of"] if term in quantities), None)
    if wage is None or wage.currency != "EUR" or wage.period not in ("month", "year"):
        return None
    begun = _day(quantities, parameters, "since") if "since" in parameters else None
    signed = _day(quantities, {"dated": parameters.get("dated")}, "")
    minimum = MINIMUM_WAGE.get((begun or signed or date.min).year)
    if minimum is None:
        return None
    yearly = minimum * 14
    hours = quantities.get(parameters.get("hours", ""))
    if hours is None and parameters.get("hours_known"):
        return None
    if hours is not None and hours.value < 40:
        yearly = yearly * hours.value / 40
    pay = wage.value
    if wage.period == "month":
        words = wage.quote.lower()
        spread = "prorrat" in words or "doce pagas" in words or "12 pagas" in words
        pay = wage.value * (12 if spread and not in_fourteen(wage) else 14)
    if pay >= yearly:
        return None
    return Comparison(of=wage, limit=yearly.quantize(Decimal("0.01")))


def dismissal_action_late(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a dismissal challenged after twenty working days, counted without local holidays.

    `since` is the day of the dismissal, `filed` that of the request for conciliation. Where only the day of
    the claim is known, thirty working days more are granted, the longest that conciliation takes.
    """
    ended = quantities.get(parameters.get("since", ""))
    if ended is None or ended.measure != "date":
        return None
    filed = quantities.get(parameters.get("filed", ""))
    last = labour_urgent(ended.day, 20 if filed is not None else 50, "business_day").due
    acted = filed.day if filed is not None else _day(quantities, {"dated": parameters.get("dated")}, "")
    if acted is None or acted <= last:
        return None
    return Comparison(of=ended, to=filed)


def _first(quantities: Quantities, terms: Sequence[str], after: date = date.min) -> Quantity | None:
    """Return the first of the days named that the document states, and that is later than `after`."""
    stated = (quantities[term] for term in terms if term in quantities)
    return next((one for one in stated if one.measure == "date" and one.day > after), None)


def _last_day(parameters: Mapping[str, Any], since: date) -> date:
    """Return the last day of the period that begins after `since`, under the calendar of the rule."""
    if parameters["calendar"] == "tax_payment":
        return tax_payment(since, enforced=bool(parameters["enforced"])).due
    return COUNTING[parameters["calendar"]](since, parameters["number"], parameters["unit"], ()).due


def _period(quantities: Quantities, parameters: Mapping[str, Any]) -> tuple[Comparison, date, date] | None:
    """Return the days compared, the later of both, and the last day of the period from the earlier one.

    `since` and `until` name days in order of preference.
    """
    names = [name for name in ("since", "until") if isinstance(parameters.get(name), (list, tuple))]
    if len(names) < 2:
        return None
    since = _first(quantities, parameters["since"])
    until = None if since is None else _first(quantities, parameters["until"], since.day)
    if since is None or until is None:
        return None
    last = _last_day(parameters, since.day)
    return Comparison(of=since, to=until, until=last), until.day, last


def after_last_day(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find that something (`until`) was done after the last day of a period that runs from `since`.

    Where `grace` is given, more than so many days after it: a local holiday may move the last day.
    """
    found = _period(quantities, parameters)
    if found is None or (found[1] - found[2]).days <= parameters.get("grace", 0):
        return None
    return found[0]


def before_last_day(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find that something (`until`) was done, or falls due, before the last day of a period from `since`."""
    found = _period(quantities, parameters)
    return found[0] if found is not None and found[1] < found[2] else None


# Shares of each band of a minimum wage above the first (art. 607.2 LEC); of the rest, nine tenths.
_SEIZED_SHARES = (Decimal("0.3"), Decimal("0.5"), Decimal("0.6"), Decimal("0.75"))


def withheld_above_scale(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find more withheld of a monthly wage or pension than may be seized; `limit` is what may be."""
    withheld, wage = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    dated = _day(quantities, {"dated": parameters.get("dated")}, "")
    if withheld is None or wage is None or not _same_money(withheld, wage) or dated is None:
        return None
    minimum = MINIMUM_WAGE.get(dated.year)
    if minimum is None or withheld.value >= wage.value:
        return None
    rest, seizable = wage.value - minimum, Decimal(0)
    for share in (*_SEIZED_SHARES, None):
        band = max(rest if share is None else min(rest, minimum), Decimal(0))
        seizable += band * (Decimal("0.9") if share is None else share)
        rest -= band
    if withheld.value <= seizable * Decimal("1.01"):
        return None
    return Comparison(of=withheld, to=wage, limit=seizable.quantize(Decimal("0.01")))


def count_above(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a number (of points, say) above another; `times` is the first and `limit` the second."""
    one, other = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    if one is None or other is None or one.value <= other.value:
        return None
    return Comparison(of=one, times=one.value, limit=other.value)


def sums_differ(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find a sum (`of`) that is not the one its parts make (`to`)."""
    one, other = quantities.get(parameters["of"]), quantities.get(parameters["to"])
    if one is None or other is None or one.value == other.value:
        return None
    return Comparison(of=one, to=other, limit=abs(one.value - other.value))


def stated(quantities: Quantities, parameters: Mapping[str, Any]) -> Comparison | None:
    """Find that the document states `of`, and `to` where that is given."""
    one, other = quantities.get(parameters["of"]), quantities.get(parameters.get("to", ""))
    return None if one is None or ("to" in parameters and other is None) else Comparison(of=one, to=other)


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
    "ratio_below": ratio_below,
    "rate_below_compounded": rate_below_compounded,
    "daily_penalty_above": daily_penalty_above,
    "value_below": value_below,
    "pay_below_rate": pay_below_rate,
    "interest_above_rate": interest_above_rate,
    "sum_above_rate": sum_above_rate,
    "duration_above_in_short_term": duration_above_in_short_term,
    "days_between_above": days_between_above,
    "days_between_below": days_between_below,
    "severance_below": severance_below,
    "severance_unstated": severance_unstated,
    "leave_settled_short": leave_settled_short,
    "wage_below_minimum": wage_below_minimum,
    "dismissal_action_late": dismissal_action_late,
    "after_last_day": after_last_day,
    "before_last_day": before_last_day,
    "withheld_above_scale": withheld_above_scale,
    "count_above": count_above,
    "sums_differ": sums_differ,
    "stated": stated,
    "always": always,
}
