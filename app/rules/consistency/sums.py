"""Compute the sums, instalments and percentages that a document states, and find those that do not add up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from app.rules.consistency.fault import Context, Fault, find_in
from app.rules.consistency.tables import Cell, Row, Table, Unit, find_tables
from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.money.amounts import Amount
from app.rules.render import wording
from app.text.bilingual import Bilingual, Language
from app.text.numerals import read_numeral

_DEDUCTED = re.compile(
    r"\b(?:irpf|retencion(?:es)?|deduccion(?:es)?|descuentos?|a deducir|menos|anticipos?|seguridad social"
    r"|cotizacion(?:es)?|pasivo|hipoteca|prestamo|deudas?|cargas?|withholding|deduct[a-z]*|discount|less)\b"
)
_INSTALMENTS = compile_pattern(
    "\\b([0-9]{1,3})( ?\\([a-z ]{2,30}\\))? (cuotas|plazos|mensualidades|pagos|instalments|installments|"
    "payments)"
    "( (mensuales|iguales|anuales|trimestrales|consecutiv[oa]s|sucesiv[oa]s|y|monthly|equal|consecutive|"
    "annual|and)){0,5},?"
    "( (de|por importe de|por un importe de|of)( (cada una|cada uno|each))?)? ?$"
)
_IN_ALL = compile_pattern(
    "\\b(total(es|izan)?|en total|que suman|suman|sumando|lo que hace|en conjunto|in total|totalling|"
    "totaling|"
    "adding up to|amounting in all to)( (de|a|un|la suma de|the sum of|of)){0,3} ?:?( unos?)? ?$"
)
_BASE = compile_pattern("^ ?(del?|sobre|of|on)( (la|el|los|las|un|una|the|its|su))?[^.;0-9]{0,50}$")
_RESULT = compile_pattern(
    "^[^.;0-9]{0,20}\\b(es decir|esto es|o sea|lo que equivale|equivalentes?|que ascienden?|lo que supone|"
    "i_e|that is|"
    "amounting|resultando|lo que da)\\b[^.;0-9]{0,30}$"
)
# What a list of sums is said to make up, right before it.
_MADE_OF = re.compile(
    r"\b(?:se (?:abona|paga|satisfa|distribu|repart|desembols|entrega|compon|desglos|descompon)[a-z]*"
    r"|distribuid[oa]s?|repartid[oa]s?|desglosad[oa]s?|a saber|forma de pago|calendario de pagos"
    r"|(?:segun|con arreglo a|conforme a)l? (?:el |los |las )?siguientes?"
    r"|siguientes (?:plazos|pagos|partidas|conceptos)|payable as follows|made up of|broken down|as follows)"
    r"[^.;]{0,90}:?\s*$"
)
_PARTS_OF = re.compile(
    r"\b(\d{1,3}(?:[.,]\d{3})*|[a-z]{3,12}(?: [a-z]{3,14}){0,4}) (?:participaciones|acciones|shares)\b"
)
_SHARED_OUT = re.compile(r"participaci|accion|porcentaje|cuota|reparto|capital|soci[oa]|distribu|share|owner")
_CLAIMED = re.compile(
    r"\b(?:suma de las (?:anteriores )?partidas|partidas del hecho|saldo pendiente|saldo deudor|se adeudan?"
    r"|total (?:reclamad[oa]|adeudad[oa])|cantidad (?:total )?(?:reclamada|adeudada)|cuantia[^.]{0,30}se fija"
    r"|condene[^.]{0,90}(?:pagar|abonar|satisfacer))\b"
)
_ON_ACCOUNT = re.compile(
    r"\b(?:a cuenta\b|pago parcial|pagos? parciales|ingres[oa]\b|ingresado|entrego a cuenta|on account)"
)
_REQUIRED = re.compile(
    r"\b(?:importe|suma|cantidad|deuda) total\b[^.;\d]{0,60}$|\btotal (?:a|que se) [^.;\d]{0,60}$"
)
_CENT = Decimal("0.01")
_REACH = 90
_FAR = Decimal("0.25")


def find_wrong_sums(context: Context) -> Iterator[Fault]:
    """Yield totals, instalments and percentages that are not what their parts make."""
    amounts = context.facts.amounts
    money = [item for item in amounts if item.kind == "money" and item.currency]
    tables = find_tables(context.facts.source, amounts)
    for table in tables:
        yield from _totals(context, table)
        yield from _across(context, table)
        if not any(row.total for row in table.rows):
            yield from _introduced(context, table, money)
            yield from _shared_out(context, table)
            yield from _claimed(context, table, money)
    yield from _required(context, tables, money)
    yield from _credited(context, tables)
    yield from _instalments(context.document, money, context.language)
    yield from _percentages(context.document, amounts, context.language)


def _totals(context: Context, table: Table) -> Iterator[Fault]:
    """Compare each line that says to be a total with the lines before it, column by column."""
    items: list[Row] = []
    totals: list[Row] = []
    for row in table.rows:
        if not row.total:
            items.append(row)
            continue
        for cell in row.cells:
            fault = _total(context, items, table.rows[: table.rows.index(row)], totals, row, cell)
            if fault is not None:
                yield fault
                break
        totals.append(row)
        items = []


def _total(
    context: Context,
    items: Sequence[Row],
    earlier: Sequence[Row],
    totals: Sequence[Row],
    row: Row,
    cell: Cell,
) -> Fault | None:
    alone = len(row.cells) == 1
    beneath = [one for one in items if any(part.under(cell) for part in one.cells)]
    if alone and len(beneath) >= 2:
        items = beneath  # what stands in another column adds up to something else
    found = [one.cell_under(cell, alone=alone) for one in items]
    if len(items) < 2 or None in found:
        return None
    parts = [one for one in found if one is not None]
    if not _alike([*parts, cell]):
        return None
    before = [one.cell_under(cell, alone=alone) for one in totals]
    carried = [one.value for one in before if one is not None]
    signed = [-abs(part.value) if _minus(one) else part.value for one, part in zip(items, parts, strict=True)]
    plain = sum((part.value for part in parts), Decimal(0))
    made = sum(signed, Decimal(0))
    everything = [one.cell_under(cell, alone=alone) for one in earlier if not one.total]
    whole = sum((one.value for one in everything if one is not None), Decimal(0))
    right = {plain, made, whole, *(plain + one for one in carried), *(made + one for one in carried)}
    right |= {one - plain for one in carried} | {sum(carried, Decimal(0)), sum(carried, plain)}
    if any(_close(one, cell.value) for one in right):
        return None
    shown = made if made != plain and abs(made - cell.value) < abs(plain - cell.value) else plain
    values = signed if shown == made else [part.value for part in parts]
    if not _near(shown, cell.value):
        return None
    return _wrong(context, values, shown, cell.value, cell.unit, [items[0].span, row.span])


def _minus(row: Row) -> bool:
    return _DEDUCTED.search(row.label) is not None


def _alike(cells: Sequence[Cell]) -> bool:
    """Tell whether figures measure the same; a currency may be written at one of them only."""
    units = {cell.unit for cell in cells}
    return len(units) == 1 or (units <= {"money", "plain"}) or units == {"plain", "whole"}


def _across(context: Context, table: Table) -> Iterator[Fault]:
    """Find the row whose last figure is not the sum of the others, where it is in two other rows or more."""
    rows = [row for row in table.rows if len(row.cells) >= 3]
    good: list[Row] = []
    bad: list[Row] = []
    for row in rows:
        *parts, last = row.cells
        if not _alike(row.cells):
            continue
        fits = _close(sum((part.value for part in parts), Decimal(0)), last.value)
        (good if fits else bad).append(row)
    if len(good) >= 2 and len(bad) == 1:
        *parts, last = bad[0].cells
        values = [part.value for part in parts]
        made = sum(values, Decimal(0))
        if _near(made, last.value):
            yield _wrong(context, values, made, last.value, last.unit, [bad[0].span])


def _introduced(context: Context, table: Table, money: Sequence[Amount]) -> Iterator[Fault]:
    """Compare a list with the sum that the words right before it say it makes: "se abonará así: …"."""
    source = context.facts.source
    before = source.folded[max(0, table.start - 420) : table.start]
    cells = [row.cells[-1] for row in table.rows if row.cells]
    if (
        _MADE_OF.search(before) is None
        or not _alike(cells)
        or {one.unit for one in cells} <= {"percent", "whole"}
    ):
        return
    stated = [one for one in money if table.start - 420 <= one.start < table.start]
    made = sum((one.value for one in cells), Decimal(0))
    if not stated or any(_close(made, one.value) for one in stated):
        return
    whole = max(stated, key=lambda one: one.value)
    if _near(made, whole.value) and not any(_close(one.value, whole.value) for one in cells):
        spans = [Span(whole.start, whole.end), table.rows[0].span]
        yield _wrong(
            context, [one.value for one in cells], made, whole.value, "money", spans, whole.currency or "EUR"
        )


def _shared_out(context: Context, table: Table) -> Iterator[Fault]:
    """Find shares that do not make up the whole: not 100 %, or not as many as there are."""
    source = context.facts.source
    head = source.folded[max(0, table.start - 420) : table.start]
    if _SHARED_OUT.search(head[-300:]) is None or len(table.rows) < 2:
        return
    told: list[tuple[str, str]] = []
    spans: list[Span] = []
    language = context.language
    per_cent = [cell for row in table.rows for cell in row.cells if cell.unit == "percent"]
    share = sum((cell.value for cell in per_cent), Decimal(0))
    if len(per_cent) == len(table.rows) and 60 <= share <= 140 and abs(share - 100) > Decimal("0.5"):
        number = wording.number(share, language)
        told.append(
            (f"los porcentajes suman {number} %, no 100 %", f"the percentages add up to {number}%, not 100%")
        )
        spans += [table.rows[0].span, table.rows[-1].span]
    units = [row.cells[0] for row in table.rows if row.cells and row.cells[0].unit in ("whole", "plain")]
    made = sum((cell.value for cell in units), Decimal(0))
    if len(units) == len(table.rows):
        for found in _PARTS_OF.finditer(head):
            there = _count(found[1])
            if there is not None and there != made and _near(made, there):
                one, all_of_them = wording.number(made, language), wording.number(there, language)
                told.append(
                    (
                        f"las partes del cuadro suman {one} y el documento dice que son {all_of_them}",
                        f"the units of the table add up to {one}, and the document says there are "
                        f"{all_of_them}",
                    )
                )
                start = max(0, table.start - 420)
                spans = [Span(start + found.start(), start + found.end()), *(spans or [table.rows[0].span])]
                break
    if told:
        yield Fault(
            "shares",
            "high",
            Bilingual(
                es=f"El reparto no cuadra: {'; '.join(es for es, _ in told)}.",
                en=f"The shares do not make up the whole: {'; '.join(en for _, en in told)}.",
            ),
            Bilingual(
                es="Comprobar cuántas partes tiene cada uno, en el Registro o en el libro de socios: de ello "
                "dependen votos, precio y mayorías.",
                en="Check how many parts each holds, in the register: votes, price and majorities depend on "
                "it.",
            ),
            tuple(spans[:3]),
            ("art. 90 LSC",) if context.spanish and re.search("participaciones|acciones", head) else (),
        )


def _count(written: str) -> Decimal | None:
    if written[0].isdigit():
        return Decimal(re.sub(r"\D", "", written))
    words = written.split()
    for first in range(len(words)):
        value = read_numeral(" ".join(words[first:]), "es")
        if value is not None:
            return Decimal(value)
    return None


def _claimed(context: Context, table: Table, money: Sequence[Amount]) -> Iterator[Fault]:
    """Compare a list with what a claim or a demand later says it makes, payments on account taken off."""
    if context.family not in ("pleading", "letter"):
        return
    source = context.facts.source
    cells = [row.cells[-1] for row in table.rows if row.cells]
    if not _alike(cells) or not {one.unit for one in cells} <= {"money", "plain"}:
        return
    made = sum((one.value for one in cells), Decimal(0))
    later = [one for one in money if one.start > table.end]
    paid = [one for one in later if _ON_ACCOUNT.search(source.folded[max(0, one.start - 60) : one.end + 30])]
    less = made - sum((one.value for one in paid), Decimal(0))
    for one in later:
        before = source.folded[max(0, one.start - 160) : one.start]
        around = before + source.folded[one.end : one.end + 60]
        if one in paid or _CLAIMED.search(around) is None:
            continue
        if any(_close(one.value, right) for right in (made, less)):
            return
        taken = bool(paid) and re.search(r"descont|deduc|abonado", before) is not None
        right = less if taken else made
        if abs(one.value - right) <= right * Decimal("0.75"):
            values = [cell.value for cell in cells] + ([-item.value for item in paid] if taken else [])
            spans = [table.rows[0].span, Span(one.start, one.end)]
            yield _wrong(context, values, right, one.value, "money", spans, one.currency or "EUR")
            return


def _required(context: Context, tables: Sequence[Table], money: Sequence[Amount]) -> Iterator[Fault]:
    """Compare a total in a sentence with the total of the table above and what was added to it since."""
    source = context.facts.source
    for table in tables:
        last = table.rows[-1]
        if not last.total or not last.cells:
            continue
        base = last.cells[-1]
        later = [one for one in money if table.end < one.start <= table.end + 600]
        for at, one in enumerate(later):
            if _REQUIRED.search(source.folded[max(0, one.start - 90) : one.start]) is None:
                continue
            added = [item for item in later[:at] if not _close(item.value, base.value)]
            made = base.value + sum((item.value for item in added), Decimal(0))
            known = {
                base.value,
                made,
                *(base.value + item.value for item in added),
                *(i.value for i in added),
            }
            if added and not any(_close(one.value, right) for right in known) and _slip(made, one.value):
                values = [base.value, *(item.value for item in added)]
                spans = [last.span, Span(one.start, one.end)]
                yield _wrong(context, values, made, one.value, "money", spans, one.currency or "EUR")
            break


def _slip(made: Decimal, stated: Decimal) -> bool:
    """Tell whether two sums differ as a slip of the pen does: by a digit, or by two that changed places."""
    one, other = f"{made:.2f}", f"{stated:.2f}"
    different = [at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]]
    if len(one) != len(other) or not different:
        return False
    first, last = different[0], different[-1]
    return len(different) == 1 or (
        len(different) == 2 and last == first + 1 and one[first] == other[last] and one[last] == other[first]
    )


def _credited(context: Context, tables: Sequence[Table]) -> Iterator[Fault]:
    """Find a payment on account of an item that is still claimed whole."""
    if context.family not in ("pleading", "letter"):
        return
    source, document = context.facts.source, context.document
    for table in tables:
        for row in table.rows:
            reference = re.match(r"[a-z]{0,4}[-/ ]?\d{2,4}[-/]\d{2,6}", row.label)
            if reference is None or not row.cells or row.total:
                continue
            owed = row.cells[-1]
            for found in re.finditer(re.escape(reference[0]), source.folded):
                if found.start() <= table.end and found.start() >= table.start:
                    continue
                sentence = document.sentence(Span(found.start(), found.end()))
                words = source.folded[sentence.start : sentence.end]
                paid = [
                    item
                    for item in context.facts.amounts
                    if item.kind == "money" and sentence.start <= item.start < sentence.end
                ]
                if len(paid) != 1 or paid[0].value >= owed.value or "a cuenta" not in words:
                    continue
                rest = owed.value - paid[0].value
                if any(_close(item.value, rest) for item in context.facts.amounts):
                    continue
                part, whole, left = (
                    wording.money(value, paid[0].currency, context.language)
                    for value in (paid[0].value, owed.value, rest)
                )
                label = source.text[row.span.start : row.span.end].split()[0]
                yield Fault(
                    "credited",
                    "high",
                    Bilingual(
                        es=f"Consta un pago a cuenta de {part} imputado a {label} y, sin descontarlo, se "
                        f"reclama "
                        f"entera ({whole}): de esa partida quedarían {left}. Quien debe varias deudas puede "
                        "declarar al pagar a cuál se aplica el pago.",
                        en=f"A payment of {part} on account of {label} is stated, and the whole of it "
                        f"({whole}) is "
                        f"claimed without deducting it: {left} would be left. A debtor of several debts may "
                        f"say "
                        "to which a payment goes.",
                    ),
                    Bilingual(
                        es="Exigir que se descuente y pedir el extracto en que consta el pago.",
                        en="Have it deducted and ask for the statement of account that shows the payment.",
                    ),
                    (row.span, Span(paid[0].start, paid[0].end)),
                    ("art. 1172 CC",) if context.spanish else (),
                )
                return


def _instalments(document: Document, money: Sequence[Amount], language: Language) -> Iterator[Fault]:
    """Compare "12 cuotas de 100 €" with "en total 1.300 €" in the same sentence."""
    for one in money:
        counted = find_in(document, _INSTALMENTS, one.start - _REACH, one.start)
        if counted is None:
            continue
        digits = document.folded[counted.start : counted.start + 3]
        number = int(bytes(digit for digit in digits if 48 <= digit <= 57))
        sentence = document.sentence(Span(one.start, one.end))
        for other in money:
            named = find_in(document, _IN_ALL, max(other.start - _REACH, sentence.start), other.start)
            if other is one or not sentence.start <= other.start < sentence.end or named is None:
                continue
            product = number * one.value
            if other.currency == one.currency and not _close(product, other.value):
                made = wording.money(product, one.currency, language)
                each = wording.money(one.value, one.currency, language)
                stated = wording.money(other.value, other.currency, language)
                yield _told(
                    f"{number} pagos de {each} son {made}, y el total que se indica es {stated}.",
                    f"{number} payments of {each} make {made}, and the total stated is {stated}.",
                    [Span(one.start, one.end), Span(other.start, other.end)],
                )


def _percentages(document: Document, amounts: Sequence[Amount], language: Language) -> Iterator[Fault]:
    """Compute "el 10 % de 1.200 euros, es decir, 150 euros"."""
    for (share, base), (_, result) in pairwise(pairwise(amounts)):
        if share.kind != "percentage" or base.kind != "money" or result.kind != "money":
            continue
        between = (
            find_in(document, _BASE, share.end, base.start),
            find_in(document, _RESULT, base.end, result.start),
        )
        if base.currency != result.currency or None in between:
            continue
        computed = (base.value * share.value / 100).quantize(_CENT)
        if not _close(computed, result.value):
            percent = wording.number(share.value, language)
            made, of, stated = (
                wording.money(value, base.currency, language)
                for value in (computed, base.value, result.value)
            )
            yield _told(
                f"El {percent} % de {of} son {made}, y el documento indica {stated}.",
                f"{percent}% of {of} is {made}, and the document states {stated}.",
                [Span(base.start, base.end), Span(result.start, result.end)],
            )


def _close(one: Decimal, other: Decimal) -> bool:
    """Return whether two sums differ by rounding at most."""
    return abs(one - other) <= max(Decimal("0.05"), abs(other) * Decimal("0.0005"))


def _near(made: Decimal, stated: Decimal) -> bool:
    """Return whether a sum is near enough to what is stated that one must be meant to be the other."""
    return stated != 0 and abs(made - stated) <= abs(stated) * _FAR


def _wrong(
    context: Context,
    parts: Sequence[Decimal],
    made: Decimal,
    stated: Decimal,
    unit: Unit,
    spans: Sequence[Span],
    currency: str = "EUR",
) -> Fault:
    """Say that parts do not make what is stated; in a claim, which must be for an exact sum, with the law."""
    language = context.language
    listed = " + ".join(wording.number(value, language) for value in parts).replace("+ -", "- ")
    difference = abs(made - stated)
    total, told, gap = (
        wording.money(value, currency, language)
        if unit in ("money", "plain")
        else wording.number(value, language) + (" %" if unit == "percent" else "")
        for value in (made, stated, difference)
    )
    citations: tuple[str, ...] = ()
    if context.spanish:
        if context.family == "pleading":
            citations = ("art. 253 LEC", "art. 219 LEC")
        elif context.kind in ("payment_demand",):
            citations = ("art. 812 LEC",)
        elif context.family == "act":
            citations = (
                ("art. 220 LGT",)
                if context.kind in ("tax_assessment", "enforcement_order", "tax_penalty")
                else ()
            )
        elif context.kind in ("consumer_terms",):
            citations = ("art. 80.1.a) TRLGDCU",)
        elif context.family == "contract":
            citations = ("art. 1281 CC", "art. 1288 CC")
    return _told(
        f"Las partidas suman {total} ({listed}) y el total que se indica es {told}: la diferencia es de "
        f"{gap}.",
        f"The items add up to {total} ({listed}), and the total stated is {told}: the difference is {gap}.",
        spans,
        citations,
    )


def _told(es: str, en: str, spans: Sequence[Span], citations: tuple[str, ...] = ()) -> Fault:
    return Fault(
        "sum",
        "medium",
        Bilingual(es=es, en=en),
        Bilingual(
            es="Aclarar por escrito qué cifra es la correcta antes de firmar, pagar o impugnar.",
            en="Settle in writing which figure is right before signing, paying or challenging.",
        ),
        tuple(spans),
        citations,
    )
