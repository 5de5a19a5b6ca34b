"""Work out figures and days that a document leaves to its reader: sums, equal lots, debts out of time.

What is worked out is a quantity like those that a document states, so that rules compare and quote it; it is
there only where the document's own figures lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations

from app.deadlines import add_months
from app.rules.document import Document, Expression, Span, compile_pattern
from app.rules.facts.money.amounts import Amount
from app.rules.facts.time.dates import DateMention
from app.rules.rulebook.quantities import Quantity

_LINE = 170  # characters of a line of a list at most
_TAIL = 40  # what may follow the amount in its line: the name of who takes the item
_LEAST_ITEMS = 3
_MOST_ITEMS = 14
_FIVE_YEARS = 60
_SOON = 6  # months
# Prescription stood still from 14 March to 3 June 2020 (Royal Decree 463/2020, additional provision 4).
_SUSPENDED = timedelta(days=82)
_SUSPENSION_END = date(2020, 6, 4)
_CENT = Decimal("0.01")

_BALANCE = compile_pattern(
    "^[^a-z]*(suma|total|haber|activo|pasivo|remanente|liquido|neto|diferencia|caudal|balance|saldo neto)\\b"
)
_NET = compile_pattern("^[^a-z]*(haber|remanente|caudal|activo neto|liquido|neto)\\b[^.;]{0,40}")
_DEBT = compile_pattern(
    "\\b(hipoteca|prestamo|deuda|credito pendiente|pasivo|pendiente|mortgage|loan|debt)\\b|- ?$"
)
_LIABILITIES = compile_pattern("^[^a-z]*(pasivo|deudas|cargas|liabilities)\\b")
_ASSETS = compile_pattern("^[^a-z]*(activo|bienes|assets)\\b")
_EQUALISED = compile_pattern(
    "(igual|compens|perjudic|exceso|equilibr|nivel|diferencia)[a-z]*…(entreg|abon|pag|satisf|compens)|"
    "(entreg|abon|pag|satisf)[a-z]*…(igual|compens|perjudic|exceso|equilibr|nivel|diferencia)"
)
_NOT_LOTS = compile_pattern("compensatoria|mensual|al mes|alimentos|desequilibrio")
_OF_ITEMS = compile_pattern(
    "suma de (las|los|estas|estos|dichas|todas)|(las|estas|dichas|referidas) partidas|\\bsaldo\\b|descontad|"
    "\\bprincipal\\b|(total|importe total|suma total) (adeudad|reclamad|debid|pendiente)|"
    "(total|importe total|suma total) de (las|la) (factura|deuda)|"
    "(deuda|adeud)[a-z]*…asciende|asciende…(total|deuda|adeud)|the (sum|total) of (the|these|all)|balance due"
)
_WITH_MORE = compile_pattern("interes|costas|gastos de cobro|honorarios|indemnizacion por")
_TOTAL_LINE = compile_pattern("^[^a-z0-9]*(importe total|suma total|total|suma)\\b")
_PAID = compile_pattern(
    "a cuenta|pago parcial|(ingres|abon|pag|transfir|transferi|entreg)(o|aron|ado|ada|encia)\\b|descontad|"
    "paid on account"
)
_DUE = compile_pattern(
    "factura|\\bvenc(e|io|ia|ian|ieron|imiento|id[oa]s?)\\b|adeuda|\\bdeuda|impag|exigible|invoice|overdue|unpaid"
)
_NOT_DUE = compile_pattern(
    "\\bley\\b|sentencia|real decreto|contrato|inscri|escritura|constitu|registr|presente"
)
_INTERRUPTION = compile_pattern(
    "burofax|requeri|reconoci[a-z]* (la|su|esta) deuda|reconocimiento|conciliacion|carta certificada|acuse|"
    "notarial|part[- ]payment|acknowledg|registered letter"
)
_LIST_KINDS = frozenset({"claim", "payment_demand"})


@dataclass(frozen=True, slots=True)
class _Item:
    """A line of a list with its one amount; a debt counts against the rest."""

    amount: Amount
    value: Decimal
    line: Span


def with_reckoned(
    document: Document,
    quantities: Mapping[str, Quantity],
    amounts: Sequence[Amount],
    dates: Sequence[DateMention],
    kind: str,
    written: str | None,
) -> Mapping[str, Quantity]:
    """Return `quantities` and what can be worked out of a document of `kind` written on a day (YYYY-MM-DD).

    "lots_half": half of the net estate where no division of the listed assets is equalised by the sum agreed.
    "items_sum" and "items_stated": what the listed items make, and the other sum that is stated for them.
    "debt_barred" and "debt_near": due days of debts five years old, or about to be; "written": the day of it.
    """
    money = [one for one in amounts if one.kind == "money" and one.currency]
    found: dict[str, Quantity] = {}
    if kind == "divorce_agreement":
        found |= _lots(document, money)
    if kind in _LIST_KINDS:
        found |= _sums(document, money)
        if written is not None:
            found |= _old_debts(document, money, dates, date.fromisoformat(written))
    return {**quantities, **found}


def _lots(document: Document, money: Sequence[Amount]) -> dict[str, Quantity]:
    items, stated = [], None
    liability = False
    for line in _lines(document):
        if document.find(_LIABILITIES, line.start, line.end) is not None:
            liability = True
        elif document.find(_ASSETS, line.start, line.end) is not None:
            liability = False
        one = _only(document, money, line)
        if one is None or _in_sentence(document, one, _EQUALISED):
            continue
        if _opens(document, _NET, line):
            stated = one.value
        elif not _opens(document, _BALANCE, line):
            before = Span(line.start, one.start)
            debt = liability or document.find(_DEBT, before.start, before.end) is not None
            items.append(_Item(one, -one.value if debt else one.value, line))
    paid = [
        one
        for one in money
        if not any(item.line.start <= one.start < item.line.end for item in items)
        and _in_sentence(document, one, _EQUALISED)
        and not _in_sentence(document, one, _NOT_LOTS)
    ]
    net = sum((item.value for item in items), Decimal(0))
    if not _LEAST_ITEMS <= len(items) <= _MOST_ITEMS or not paid or net <= 0:
        return {}
    if len({one.currency for one in [*paid, *(item.amount for item in items)]}) > 1:
        return {}
    if stated is not None and abs(stated - net) > 1:
        return {}  # the list itself is wrong, or not read as it is meant
    half = net / 2
    tolerance = max(half / 100, Decimal(1))
    values = [item.value for item in items]
    for one in paid:
        for size in range(len(values) + 1):
            for lot in combinations(values, size):
                if abs(sum(lot, Decimal(0)) - half - one.value) <= tolerance:
                    return {}
    return {"lots_half": _money(document, "lots_half", half, paid[0])}


def _sums(document: Document, money: Sequence[Amount]) -> dict[str, Quantity]:
    for items in _blocks(document, money):
        total = sum((item.value for item in items), Decimal(0))
        inside = Span(items[0].line.start, items[-1].line.end)
        others = [one for one in money if not inside.start <= one.start < inside.end]
        stated = [
            one
            for one in others
            if one.currency == items[0].amount.currency
            and _in_sentence(document, one, _OF_ITEMS)
            and not _in_sentence(document, one, _WITH_MORE)
            and document.find(_TOTAL_LINE, *_line_of(document, one)) is None
            and one.value > max(item.value for item in items)
        ]
        paid = [one.value for one in others if one not in stated and _in_sentence(document, one, _PAID)][:6]
        makes = [
            total - sum(some, Decimal(0))
            for size in range(len(paid) + 1)
            for some in combinations(paid, size)
        ]
        if stated and not any(abs(one.value - sum_) <= Decimal("0.05") for one in stated for sum_ in makes):
            return {
                "items_sum": _money(document, "items_sum", total, items[0].amount),
                "items_stated": _money(document, "items_stated", stated[0].value, stated[0]),
            }
    return {}


def _old_debts(
    document: Document, money: Sequence[Amount], dates: Sequence[DateMention], written: date
) -> dict[str, Quantity]:
    due = sorted(_due_days(document, money, dates, written), key=lambda pair: pair[0])
    acts = [
        date.fromisoformat(item.iso)
        for item in dates
        if item.iso and item.iso < written.isoformat() and _in_sentence(document, item, _INTERRUPTION)
    ]
    found: dict[str, Quantity] = {}
    for day, item in due:
        later = max((act for act in acts if act > day), default=day)
        ends = _barred_on(later)
        if ends < written:
            found.setdefault("debt_barred", _day(document, "debt_barred", day, item))
        elif later == day >= _SUSPENSION_END and ends < add_months(written, _SOON):
            found.setdefault("debt_near", _day(document, "debt_near", day, item))
    if found:
        any_day = next(iter(found.values()))
        found["written"] = Quantity(
            "written", "date", Decimal(written.toordinal()), any_day.quote, any_day.span
        )
    return found


def _barred_on(since: date) -> date:
    ends = add_months(since, _FIVE_YEARS)
    return ends + _SUSPENDED if since < _SUSPENSION_END else ends


def _due_days(
    document: Document, money: Sequence[Amount], dates: Sequence[DateMention], written: date
) -> Iterator[tuple[date, DateMention]]:
    """Yield the last day of each line of a list of debts, and the days said to be due in prose."""
    whole = [item for item in dates if item.iso and item.iso < written.isoformat()]
    in_lists = set()
    for items in _blocks(document, money, least=1):
        for item in items:
            days = [day for day in whole if item.line.start <= day.start < item.line.end]
            if days and len(document.text[item.line.start : item.line.end].split()) <= 14:
                latest = max(days, key=lambda day: day.iso or "")
                in_lists |= {day.start for day in days}
                yield date.fromisoformat(latest.iso or ""), latest
    for day in whole:
        near = Span(max(document.sentence(Span(day.start, day.end)).start, day.start - 70), day.start)
        if day.start in in_lists or document.find(_DUE, near.start, near.end) is None:
            continue
        if document.find(_NOT_DUE, near.start, near.end) is None and "venc" in _folded(document, near):
            yield date.fromisoformat(day.iso or ""), day


def _blocks(document: Document, money: Sequence[Amount], least: int = _LEAST_ITEMS) -> Iterator[list[_Item]]:
    """Yield runs of consecutive lines with one amount each, down to the first line of another sort."""
    run: list[_Item] = []
    for line in [*_lines(document), Span(len(document.text), len(document.text))]:
        one = _only(document, money, line)
        total = _opens(document, _TOTAL_LINE, line) or _opens(document, _OF_ITEMS, line)
        if one is not None and not total:
            run.append(_Item(one, one.value, line))
            continue
        if len(run) >= least and len({item.amount.currency for item in run}) == 1:
            yield run
        run = []


def _lines(document: Document) -> Iterator[Span]:
    """Yield the lines of a document that are not blank."""
    start = 0
    for line in document.text.splitlines(keepends=True):
        if line.strip():
            yield Span(start, start + len(line.rstrip()))
        start += len(line)


def _only(document: Document, money: Sequence[Amount], line: Span) -> Amount | None:
    """Return the one amount of a line of a list, at its end."""
    inside = [one for one in money if line.start <= one.start < line.end]
    if len(inside) != 1 or line.end - line.start > _LINE or line.end - inside[0].end > _TAIL:
        return None
    return inside[0]


def _line_of(document: Document, one: Amount) -> tuple[int, int]:
    start = document.text.rfind("\n", 0, one.start) + 1
    end = document.text.find("\n", one.start)
    return start, len(document.text) if end < 0 else end


def _opens(document: Document, pattern: Expression, line: Span) -> bool:
    """Tell whether a pattern stands at the beginning of a line, or in it where it names no beginning."""
    return pattern.search(document.folded[line.start : line.end]) is not None


def _in_sentence(document: Document, one: Amount | DateMention, pattern: Expression) -> bool:
    sentence = document.sentence(Span(one.start, one.end))
    return document.find(pattern, sentence.start, sentence.end) is not None


def _folded(document: Document, span: Span) -> str:
    return document.folded[span.start : span.end].decode("ascii")


def _money(document: Document, term: str, value: Decimal, one: Amount) -> Quantity:
    span = Span(one.start, one.end)
    return Quantity(term, "money", value.quantize(_CENT), document.quote(span), span, currency=one.currency)


def _day(document: Document, term: str, day: date, item: DateMention) -> Quantity:
    span = Span(item.start, item.end)
    return Quantity(term, "date", Decimal(day.toordinal()), document.quote(span), span)
