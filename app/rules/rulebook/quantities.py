"""Find the quantities that rules compare: how much rent, how long a term, which interest.

A quantity is read only where one of its labels and a value of its measure stand in the same sentence, and it
keeps the words it was read from, so that every conclusion can quote them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

import re2

from app.deadlines import add_months
from app.rules.document import Document, Span
from app.rules.facts.money.amounts import Amount
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.deadlines import Deadline
from app.rules.facts.time.durations import lengths
from app.rules.facts.time.timetable import weekly_timetable
from app.rules.rulebook.schema import Measure, Term
from app.text import linear
from app.text.bilingual import Language
from app.text.numerals import numerals

_UNITS = {
    "dia": "day", "day": "day", "jornada": "day", "semana": "week", "week": "week", "mes": "month",
    "mensualidad": "month", "month": "month", "ano": "year", "anualidad": "year", "year": "year",
}  # fmt: skip
_DAYS = {"day": Decimal(1), "week": Decimal(7), "month": Decimal(365) / 12, "year": Decimal(365)}
# A number in figures or words, perhaps again in figures in brackets, perhaps qualified, and its unit.
_DURATION = linear.compile(
    rb"\b(?:(?P<figure>\d{1,4})|(?P<word>[a-z]+))(?:\s*\(\s*(?P<inner>\d{1,4})\s*\))?['s]{0,2}"
    rb"(?:\s+\(?(?P<quality>naturales|natural|habiles|laborables|calendar|working|business|full|consecutive)\)?)?"
    rb"\s+(?:(?:primer[oa]s|proxim[oa]s|siguientes|ultim[oa]s)\s+)?\(?(?P<unit>dias?|days?|jornadas|semanas?|weeks?|mes(?:es)?|mensualidad(?:es)?|months?|anos?|"
    rb"anualidad(?:es)?|years?)\b\)?'?(?:\s+\(?(?P<quality2>naturales|habiles|laborables)\b)?"
)
_LANGUAGES: tuple[Language, ...] = ("es", "en")
# The term that two dates state ("del 1 de marzo de 2026 al …"), by kind of document.
_BY_DATES = {"employment": "fixed_term", "housing_lease": "lease_term"}
_LONGEST_NUMERAL = 60
_NAMES_WHAT_PRECEDES = linear.compile(
    rb"\b(?:en concepto de|a titulo de|como|as|by way of|in concept of|euros de|eur de)\s+"
    rb"(?:la\s+|una\s+|el\s+|an?\s+|the\s+)?"
    rb"(?:legal\s+|security\s+)?$"
)
_RENT = "rent"
# "1 770 euros, soit trois mois de loyer": so many months of a rent are not the rent.
_MONTHS_OF = linear.compile(
    rb"[,( ]{0,3}(?:soit|ou seja|ossia|pari a|das sind|entspricht|entsprechend|equivalentes? a|igual a"
    rb"|that is|being)"
    rb" (?:[a-z0-9]+ ){1,2}(?:mois|meses|mensilita|monat[a-z]*|months?)\b"
)
_HOURS = linear.compile(rb"\b(\d{1,3})(?:\s*\([a-z ]{1,30}\))?\s*(?:horas|hours|h\b)")
_HOURS_WRITTEN = linear.compile(rb"\b([a-z]+)(?:\s*\([a-z0-9 ]{1,30}\))?\s+(?:horas|hours)\b")
# "horas extraordinarias, hasta un máximo de 110 al año": the unit is the label itself.
_OF_THEM = linear.compile(
    rb"\b(?:maximo de|hasta|maximum of|up to)\s+(\d{1,3})\s+(?:al ano|anuales|a year|per year|annually)"
)
_PERIOD_NAMES = {b"anual": "year", b"mensual": "month", b"al mes": "month", b"diari": "day", b"dia": "day"}
_PERIOD_WORD = linear.compile(rb"\b(?:anual|mensual|al mes|diari[oa]|dia\b)")
_WORKING = (b"habiles", b"laborables", b"working", b"business")
# How many periods a year has, for rates of interest.
PER_YEAR: Mapping[str, int] = {"day": 365, "month": 12}
_RATE_AFTER = linear.compile(
    rb"[ ,]{0,2}(?:\([0-9_, %]{1,12}\) ?)?(?:de interes )?(?:nominal )?"
    rb"(mensual(?:es)?|al mes|cada mes|por (?:cada )?mes|a month|per month|monthly|diari[oa]|al dia"
    rb"|por (?:cada )?dia|a day|per day)\b"
)
_RATE_BEFORE = linear.compile(rb"\b(mensual|monthly|diari[oa]|daily) (?:del?|of|at) (?:un |a )?$")
_BY_DAY = linear.compile(rb"dia|day|daily")
_BY_YEAR = linear.compile(rb"\b(?:anual|al ano|por ano|a year|per year|per annum|yearly)")
_LATER = 260  # how far from its label a value may stand inside a sentence
_BESIDE = 90  # how far a day may stand from the words that say what happened on it
_EARLIER = 160  # "delivers 2,300 euros, that is two months of rent, as a deposit"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value of the document. Money in its currency (per `period` if stated), percent, hours, or time.

    A day is its number in the calendar of Python (`date.toordinal`). A duration is `number` of `unit` ("day",
    "week", "month", "year"); `value` is then its length in days, a month counting as a twelfth of 365 days.
    `working` says that its days are working days.
    """

    term: str
    measure: Measure
    value: Decimal
    quote: str
    span: Span
    currency: str | None = None
    period: str | None = None
    number: int | None = None
    unit: str | None = None
    working: bool = False

    @property
    def day(self) -> date:
        """Return the day that a quantity of measure "date" stands for."""
        return date.fromordinal(int(self.value))

    @property
    def months(self) -> Decimal:
        """Return a duration in months, exact where it is written in months or years."""
        if self.number is not None and self.unit == "month":
            return Decimal(self.number)
        if self.number is not None and self.unit == "year":
            return Decimal(self.number * 12)
        return self.value / _DAYS["month"]

    @property
    def monthly(self) -> Decimal:
        """Return money per month: a yearly amount divided by twelve, anything else as it stands."""
        return self.value / 12 if self.period == "year" else self.value


def find_quantities(
    document: Document,
    amounts: Sequence[Amount],
    terms: Iterable[Term],
    kind: str,
    dates: Sequence[DateMention] = (),
    periods: Sequence[Deadline] = (),
) -> Mapping[str, Quantity]:
    """Return the quantities of `terms` that a document of `kind` states, by the id of their term.

    A period whose words give it a purpose that a term `excludes` is no duration of that term: the three
    months of notice are not the term of payment, though whoever gives none "shall pay" a sum.
    """
    found: dict[str, Quantity] = {}
    for term in terms:
        if kind not in term.kinds:
            continue
        if term.timetable:
            quantity = _of_timetable(document, term)
        elif term.beside:
            quantity = _beside(document, dates, term)
        elif term.total:
            quantity = _total(document, amounts, term)
        else:
            others = [Span(item.start, item.end) for item in periods if item.purpose in term.excludes]
            quantity = _find(document, amounts, term, dates, others)
        if quantity is not None:
            found[term.id] = quantity
    return found


def with_ranges(
    document: Document, quantities: Mapping[str, Quantity], periods: Sequence[Deadline], kind: str
) -> Mapping[str, Quantity]:
    """Return `quantities` and the term of the contract where only its first and last day are stated."""
    term = _BY_DATES.get(kind)
    first_day, last_day = quantities.get("contract_start"), quantities.get("contract_end")
    if term == "fixed_term" and term not in quantities and first_day and last_day:
        return {**quantities, **_between(first_day, last_day)}
    stated = [item for item in periods if item.purpose == "term" and item.start_date and item.due]
    if term is None or term in quantities or not stated:
        return quantities
    first = stated[0]
    if first.number is None or first.unit not in _DAYS:
        return quantities
    span = Span(first.start, first.end)
    value = _DAYS[first.unit] * first.number
    quote = document.quote(span)
    ranged = Quantity(term, "duration", value, quote, span, number=first.number, unit=first.unit)
    return {**quantities, term: ranged}


def _total(document: Document, amounts: Sequence[Amount], term: Term) -> Quantity | None:
    """Return the sum of the amounts beside the labels of `term`, quoted where the first stands.

    A sum that is written again elsewhere (in an annex, a receipt) counts once.
    """
    found: dict[Decimal, Quantity] = {}
    for label in term.labels:
        for span in document.find_all(label.compiled, limit=8):
            sentence = document.sentence(span)
            if any(document.find(p.compiled, sentence.start, sentence.end) for p in term.unless):
                continue
            quantity = _amount(document, amounts, term, span, sentence)
            if quantity is not None:
                found.setdefault(quantity.value, quantity)
    if not found:
        return None
    first = min(found.values(), key=lambda quantity: quantity.span.start)
    same = [quantity.value for quantity in found.values() if quantity.currency == first.currency]
    return replace(first, value=sum(same, Decimal(0)), period=None)


def _between(first: Quantity, last: Quantity) -> Mapping[str, Quantity]:
    """Return the term of a contract between its first and last day, in months where these are whole."""
    days = (last.day - first.day).days + 1
    if days < 2:
        return {}
    months = round(days * 12 / 365)
    whole = months > 0 and abs((add_months(first.day, months) - last.day).days) <= 1
    number, unit = (months, "month") if whole else (days, "day")
    value = _DAYS[unit] * number
    return {
        "fixed_term": Quantity(
            "fixed_term", "duration", value, last.quote, last.span, number=number, unit=unit
        )
    }


def _of_timetable(document: Document, term: Term) -> Quantity | None:
    """Return the hours of a week, of the longest day or of the rest between days, by the timetable."""
    table = weekly_timetable(document)
    hours = None if table is None else getattr(table, term.timetable)
    if table is None or hours is None:
        return None
    return Quantity(term.id, "hours", hours, document.quote(table.span), table.span)


def _find(
    document: Document,
    amounts: Sequence[Amount],
    term: Term,
    dates: Sequence[DateMention],
    others: Sequence[Span],
) -> Quantity | None:
    for label in term.labels:
        for span in document.find_all(label.compiled, limit=8):
            sentence = document.sentence(span)
            if any(document.find(p.compiled, sentence.start, sentence.end) for p in term.unless):
                continue
            if term.measure == "date":
                quantity = _day(document, dates, term, span, sentence)
            else:
                quantity = _value(document, amounts, term, span, sentence, others)
            if quantity is not None:
                return quantity
    return None


def _value(
    document: Document,
    amounts: Sequence[Amount],
    term: Term,
    label: Span,
    sentence: Span,
    others: Sequence[Span],
) -> Quantity | None:
    if term.measure in ("money", "percent"):
        return _amount(document, amounts, term, label, sentence)
    if term.measure == "hours":
        return _hours(document, term, label, sentence)
    return _duration(document, term, label, sentence, others)


def _amount(
    document: Document, amounts: Sequence[Amount], term: Term, label: Span, sentence: Span
) -> Quantity | None:
    wanted = "money" if term.measure == "money" else "percentage"
    inside = [
        a
        for a in amounts
        if a.kind == wanted
        and sentence.start <= a.start < sentence.end
        and a.value > 0
        and not (term.id == _RENT and _MONTHS_OF.match(document.folded, a.end))
    ]
    after = [a for a in inside if label.start <= a.start <= label.end + _LATER]
    before = [a for a in inside if label.start - _EARLIER <= a.start < label.start]
    if before and _NAMES_WHAT_PRECEDES.search(document.folded[max(label.start - 30, 0) : label.start]):
        after = []
    chosen = after[0] if after else before[-1] if before else None
    if chosen is None:
        return None
    value = chosen.value
    period: str | None = chosen.period
    if term.measure == "percent" and "interest" in term.id:
        # Rates are compared by the year: "2,5 % mensual" is 30 % nominal.
        period = _rate_period(document, chosen)
        value *= PER_YEAR.get(period or "", 1)
    return Quantity(
        term=term.id,
        measure=term.measure,
        value=value,
        quote=document.quote(Span(min(label.start, chosen.start), max(label.end, chosen.end))),
        span=Span(chosen.start, chosen.end),
        currency=chosen.currency,
        period=period or (_label_period(document, label) if term.period_of_label else None),
    )


def _rate_period(document: Document, rate: Amount) -> str | None:
    """Return how often a rate of interest falls due, where words right beside it say so."""
    after = document.folded[rate.end : rate.end + 28]
    before = document.folded[max(rate.start - 28, 0) : rate.start]
    if _BY_YEAR.search(after) or _BY_YEAR.search(before):
        return None
    found = _RATE_AFTER.match(after) or _RATE_BEFORE.search(before)
    return None if found is None else "day" if _BY_DAY.search(found[1]) else "month"


def _label_period(document: Document, label: Span) -> str | None:
    """Return the period that the words of a label, or those right after it, name: "salario bruto anual"."""
    match = _PERIOD_WORD.search(document.folded, label.start, min(label.end + 40, len(document.folded)))
    return next((_PERIOD_NAMES[stem] for stem in _PERIOD_NAMES if match and match[0].startswith(stem)), None)


def _duration(
    document: Document, term: Term, label: Span, sentence: Span, others: Sequence[Span]
) -> Quantity | None:
    """Return the first duration after a label in its sentence, else before it, save `others`."""
    after = Span(label.start, min(sentence.end, label.end + _LATER))
    before = Span(max(sentence.start, label.start - 60), label.start)
    if document.source.foreign:
        return _foreign_duration(document, term, label, (after, before))
    for part in (after, before):
        position = part.start
        while (match := _DURATION.search(document.folded, position, part.end)) is not None:
            position = match.end()
            number = _number(document, match)
            if number and not any(one.start < match.end() and match.start() < one.end for one in others):
                return _measured(document, term, label, match, number)
    return None


def _foreign_duration(document: Document, term: Term, label: Span, parts: Sequence[Span]) -> Quantity | None:
    """Return the first length of time in some parts of a document that is not in Spanish or English."""
    found = list(lengths(document.source))
    for part in parts:
        for one in found:
            unit = "day" if one.unit.endswith("day") else one.unit
            if part.start <= one.start < part.end and unit in _DAYS:
                return Quantity(
                    term=term.id,
                    measure="duration",
                    value=_DAYS[unit] * one.number,
                    quote=document.quote(Span(min(label.start, one.start), max(label.end, one.end))),
                    span=Span(one.start, one.end),
                    number=one.number,
                    unit=unit,
                    working=one.unit == "business_day",
                )
    return None


def _measured(document: Document, term: Term, label: Span, match: re2._Match, number: int) -> Quantity:
    written = match.group(b"unit").decode("ascii")
    unit = next(unit for stem, unit in _UNITS.items() if written.startswith(stem))
    quality = match.group(b"quality") or match.group(b"quality2") or b""
    return Quantity(
        term=term.id,
        measure="duration",
        value=_DAYS[unit] * number,
        quote=document.quote(Span(min(label.start, match.start()), max(label.end, match.end()))),
        span=Span(match.start(), match.end()),
        number=number,
        unit=unit,
        working=quality in _WORKING or written.startswith("jornada"),
    )


def _number(document: Document, match: re2._Match) -> int | None:
    """Return the number of a match.

    It is read from its figures, or from the whole numeral in words that ends where its word ends.
    """
    figure = match.group(b"inner") or match.group(b"figure")
    if figure:
        return int(figure)
    if match.group(b"word") in (b"a", b"an"):
        return 1
    return _numeral(document, match.start() + len(match.group(b"word")))


def _numeral(document: Document, end: int) -> int | None:
    """Return the number in words that ends at `end`."""
    start = max(end - _LONGEST_NUMERAL, 0)
    words = document.folded[start:end].decode("ascii")
    for language in _LANGUAGES:
        found = [numeral for numeral in numerals(words, language) if numeral.end == len(words)]
        if found:
            return found[-1].value
    return None


def _day(
    document: Document, dates: Sequence[DateMention], term: Term, label: Span, sentence: Span
) -> Quantity | None:
    """Return the first whole date after the label in its sentence, or the last just before it."""
    whole = [item for item in dates if item.iso is not None]
    after = [d for d in whole if label.start <= d.start < min(sentence.end, label.end + _LATER)]
    before = [d for d in whole if max(sentence.start, label.start - _EARLIER) <= d.start < label.start]
    chosen = after[0] if after else before[-1] if before else None
    return None if chosen is None else _dated(document, term, chosen, label)


def _beside(document: Document, dates: Sequence[DateMention], term: Term) -> Quantity | None:
    """Return the day nearest to a label of `term`, in its sentence, or failing that a day of its roles."""
    found: list[Quantity] = []
    for label in term.labels:
        for span in document.find_all(label.compiled, limit=8):
            sentence = document.sentence(span)
            if any(document.find(p.compiled, sentence.start, sentence.end) for p in term.unless):
                continue
            whole = [d for d in dates if d.iso and sentence.start <= d.start < sentence.end]
            near = min(whole, key=lambda item: _distance(item, span), default=None)
            if near is None or _distance(near, span) > _BESIDE:
                continue
            found.append(_dated(document, term, near, span))
            if not term.latest:
                return found[0]
    if not found:
        found = [
            _dated(document, term, item, Span(item.start, item.end))
            for item in dates
            if item.iso and item.role in term.roles
        ]
    return max(found, key=lambda quantity: quantity.value, default=None)


def _distance(item: DateMention, label: Span) -> int:
    """Return how many characters lie between a date and a label; one that follows is preferred."""
    if item.start >= label.end:
        return item.start - label.end
    if item.end <= label.start:
        return label.start - item.end + 10
    return max(label.end - item.end, 0) + 10


def _dated(document: Document, term: Term, item: DateMention, label: Span) -> Quantity:
    assert item.iso is not None
    return Quantity(
        term=term.id,
        measure="date",
        value=Decimal(date.fromisoformat(item.iso).toordinal()),
        quote=document.quote(Span(min(label.start, item.start), max(label.end, item.end))),
        span=Span(item.start, item.end),
    )


def _hours(document: Document, term: Term, label: Span, sentence: Span) -> Quantity | None:
    start, end = max(sentence.start, label.start - 20), min(sentence.end, label.end + 160)
    if document.source.foreign:
        found = [one for one in lengths(document.source) if one.unit == "hour" and start <= one.start < end]
        return (
            _of_hours(document, term, label, Span(found[0].start, found[0].end), found[0].number)
            if found
            else None
        )
    match = _HOURS.search(document.folded, start, end) or _OF_THEM.search(document.folded, label.end, end)
    if match is not None:
        hours = int(match.group(1))
    else:
        match = _HOURS_WRITTEN.search(document.folded, start, end)
        hours = _numeral(document, match.end(1)) or 0 if match is not None else 0
    if match is None or hours == 0:
        return None
    return _of_hours(document, term, label, Span(match.start(), match.end()), hours)


def _of_hours(document: Document, term: Term, label: Span, span: Span, hours: int) -> Quantity:
    return Quantity(
        term=term.id,
        measure="hours",
        value=Decimal(hours),
        quote=document.quote(Span(min(label.start, span.start), max(label.end, span.end))),
        span=span,
    )
