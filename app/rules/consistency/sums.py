"""Compute the sums, instalments and percentages that a document states, and find those that do not add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from app.rules.consistency.fault import Fault, find_in
from app.rules.document import Document, Span, compile_pattern
from app.rules.facts.money.amounts import Amount
from app.rules.render import wording
from app.text.bilingual import Bilingual, Language

_TOTAL = compile_pattern(
    "^[^a-z0-9]*(importe total|suma total|total|suma|liquido a percibir|a pagar|total amount|sum|amount "
    "due)\\b"
)
_PART_TOTAL = compile_pattern("^[^a-z0-9]*(subtotal|base imponible|sub-total)\\b")
_DEDUCTED = compile_pattern(
    "\\b(irpf|retencion|deduccion|descuento|a deducir|menos|anticipo|seguridad social|cotizacion|withholding|"
    "deduct[a-z]*|discount|less)\\b"
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
_CENT = Decimal("0.01")
_REACH = 90


def find_wrong_sums(document: Document, amounts: Sequence[Amount], language: Language) -> Iterator[Fault]:
    """Yield totals, instalments and percentages that are not what their parts make."""
    money = [item for item in amounts if item.kind == "money" and item.currency]
    yield from _lists(document, money, language)
    yield from _instalments(document, money, language)
    yield from _percentages(document, amounts, language)


def _lists(document: Document, money: Sequence[Amount], language: Language) -> Iterator[Fault]:
    """Compare a line "Total: …" with the lines of one amount each before it."""
    items: list[tuple[Amount, Decimal]] = []
    for start, end in _lines(document.text):
        inside = [item for item in money if start <= item.start < end]
        if not document.text[start:end].strip():
            continue
        if len(inside) != 1 or inside[0].end - start > 200:
            items = []
            continue
        amount = inside[0]
        if find_in(document, _TOTAL, start, end) is not None:
            same = all(item.currency == amount.currency for item, _ in items)
            plain = sum((item.value for item, _ in items), Decimal(0))
            signed = sum((value for _, value in items), Decimal(0))
            if len(items) >= 2 and same and not any(_close(one, amount.value) for one in (plain, signed)):
                parts = " + ".join(wording.number(item.value, language) for item, _ in items)
                total = wording.money(plain, amount.currency, language)
                stated = wording.money(amount.value, amount.currency, language)
                yield _wrong(
                    f"Las partidas suman {total} ({parts}) y el total que se indica es {stated}.",
                    f"The items add up to {total} ({parts}), and the total stated is {stated}.",
                    [items[0][0], amount],
                )
            items = []
        elif find_in(document, _PART_TOTAL, start, end) is not None:
            items = []
        else:
            deducted = document.find(_DEDUCTED, start, end) is not None
            items.append((amount, -amount.value if deducted else amount.value))


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
                yield _wrong(
                    f"{number} pagos de {each} son {made}, y el total que se indica es {stated}.",
                    f"{number} payments of {each} make {made}, and the total stated is {stated}.",
                    [one, other],
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
            yield _wrong(
                f"El {percent} % de {of} son {made}, y el documento indica {stated}.",
                f"{percent}% of {of} is {made}, and the document states {stated}.",
                [base, result],
            )


def _close(one: Decimal, other: Decimal) -> bool:
    """Return whether two sums differ by rounding at most."""
    return abs(one - other) <= max(Decimal("0.05"), abs(other) * Decimal("0.0005"))


def _wrong(es: str, en: str, items: Sequence[Amount]) -> Fault:
    return Fault(
        "sum",
        "medium",
        Bilingual(es=es, en=en),
        Bilingual(
            es="Aclarar por escrito qué cifra es la correcta antes de firmar, pagar o impugnar.",
            en="Settle in writing which figure is right before signing, paying or challenging.",
        ),
        tuple(Span(item.start, item.end) for item in items),
    )


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)
