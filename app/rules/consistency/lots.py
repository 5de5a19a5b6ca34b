"""Compute the lots of a divorce, and what makes them equal, where the agreement says that they are halves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from app.rules.consistency.fault import Context, Fault
from app.rules.consistency.tables import Row, Table, find_tables
from app.rules.document import Span
from app.rules.facts.money.amounts import Amount
from app.rules.render import wording
from app.text.bilingual import Bilingual

_PROPERTY = re.compile(r"\b(?:gananciales?|ganancial|sociedad conyugal|regimen economico)\b")
_DEBT = re.compile(r"\b(?:pasivo|hipotec[a-z]*|prestamos?|deudas?|creditos? pendientes?|cargas?)\b")
_EVENED = re.compile(
    r"\b(?:igualar|compensa[a-z]*|equilibrar|salga perjudicad[oa]|completar (?:el|su) (?:lote|haber)"
    r"|diferencia (?:de|entre) (?:lotes|adjudicaciones)|exceso de adjudicacion)\b"
)
_PAYS = re.compile(r"\b(?:entregara|abonara|pagara|compensara|satisfara|entrega|abona)\b")
_GIVEN = re.compile(
    r"\b(?:se (?:le )?adjudican?|corresponden?|se atribuyen?) (?:en pleno dominio )?a ((?:don|dona|d\.|"
    r"d\.a)? ?[a-z]{3,})"
)
_STOPS = frozenset(["con", "por", "una", "del", "los", "las"])
_AWAY = 900


def find_uneven_lots(context: Context) -> Iterator[Fault]:
    """Yield an inventory of common property whose lots, with what is paid on top, are not two halves."""
    source = context.facts.source
    if _PROPERTY.search(source.folded) is None:
        return
    money = [one for one in context.facts.amounts if one.kind == "money" and one.currency]
    for table in find_tables(source, money):
        paid = next(
            (
                one
                for one in money
                if table.end < one.start < table.end + _AWAY
                and _EVENED.search(source.folded[max(table.end, one.start - 220) : one.end + 60])
                and _PAYS.search(source.folded[max(table.end, one.start - 160) : one.start])
            ),
            None,
        )
        if paid is None:
            continue
        shares = _by_column(table) or _by_words(context, table, paid)
        if shares is None:
            continue
        fault = _compared(context, table, shares, paid)
        if fault is not None:
            yield fault
        return


def _value(row: Row, *, after_debts: bool) -> Decimal:
    value = row.cells[-1].value
    return -abs(value) if after_debts or _DEBT.search(row.label) else value


def _items(context: Context | None, table: Table) -> list[tuple[Row, Decimal]]:
    """Return the rows that are items, debts negative, each with its value."""
    items: list[tuple[Row, Decimal]] = []
    for row in table.rows:
        if not row.total and not row.label.startswith("haber") and len(row.cells) == 1:
            items.append((row, _value(row, after_debts=False)))
    return items


def _by_column(table: Table) -> dict[str, Decimal] | None:
    """Return what each of two persons gets, where the last column names who gets each row."""
    shares: dict[str, Decimal] = {}
    for row, value in _items(None, table):
        if not row.words:
            return None
        name = row.words[-1].split()[-1]
        shares[name] = shares.get(name, Decimal(0)) + value
    return shares if len(shares) == 2 else None


def _by_words(context: Context, table: Table, paid: Amount) -> dict[str, Decimal] | None:
    """Return what each of two persons gets, where it is said in sentences ("se adjudica a … la vivienda")."""
    source, document = context.facts.source, context.document
    items = _items(context, table)
    shares: dict[str, Decimal] = {}
    left = dict(enumerate(items))
    for found in _GIVEN.finditer(source.folded, table.end, min(paid.end, table.end + _AWAY)):
        sentence = document.sentence(Span(found.start(), found.end()))
        words = source.folded[found.end() : sentence.end]
        name = found[1].split()[-1]
        got = Decimal(0)
        for at, (row, value) in list(left.items()):
            named = [word for word in re.findall(r"[a-z]{4,}", row.label) if word not in _STOPS]
            debt = _DEBT.search(row.label) is not None and _DEBT.search(words) is not None
            if (named and re.search(rf"\b{named[0]}\b", words)) or debt:
                got += value
                del left[at]
        shares[name] = shares.get(name, Decimal(0)) + got
    return shares if len(shares) == 2 and not left and all(shares.values()) else None


def _compared(context: Context, table: Table, shares: dict[str, Decimal], paid: Amount) -> Fault | None:
    (one, most), (other, least) = sorted(shares.items(), key=lambda item: -item[1])
    half, due = (most + least) / 2, (most - least) / 2
    if abs(due - paid.value) <= max(Decimal(50), due / 50):
        return None
    source = context.facts.source
    names = {name: _name(context, name) for name in (one, other)}
    whole, each, gets, lacks, stated = (
        wording.money(value, paid.currency, context.language)
        for value in (most + least, half, least, due, paid.value)
    )
    short = wording.money(abs(due - paid.value), paid.currency, context.language)
    start, end = context.document.sentence(Span(paid.start, paid.end)).start, paid.end
    del source
    return Fault(
        "lots",
        "high",
        Bilingual(
            es=f"Los lotes de la liquidación no son iguales: el haber es de {whole} y la mitad, {each}; a "
            f"{names[other]} se le adjudican {gets} y le faltan {lacks}, pero la compensación pactada es de "
            f"{stated} ({short} de diferencia). El haber de la sociedad de gananciales se divide por mitad; "
            f"la "
            "partición que lesione en más de la cuarta parte puede rescindirse.",
            en=f"The lots are not equal: the estate is {whole} and half of it {each}; {names[other]} is "
            f"given "
            f"{gets} and lacks {lacks}, but the payment agreed to even them is {stated} ({short} apart). "
            f"Common "
            "property is divided by halves; a partition that harms by more than a quarter may be rescinded.",
        ),
        Bilingual(
            es=f"Corregir la compensación a {lacks} o cambiar las adjudicaciones antes de firmar.",
            en=f"Correct the payment to {lacks} or change the lots before signing.",
        ),
        (table.rows[0].span, Span(start, end)),
        ("art. 1404 CC", "art. 1074 CC") if context.spanish else (),
    )


def _name(context: Context, folded: str) -> str:
    """Return a name as the document writes it."""
    found = re.search(rf"\b{re.escape(folded)}\b", context.facts.source.folded)
    return context.document.text[found.start() : found.end()] if found else folded.title()
