"""Tools that reckon: last days of periods and statutory interest, under Spanish law. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

from app.analysis.tools.finding import Found, Refused, Scope, loaded, name_of
from app.deadlines import operations as deadlines
from app.rules import INTEREST_BASIS, Source, interest
from app.text.bilingual import pick

KINDS: Final = tuple(INTEREST_BASIS)
_MOST: Final = 10**12


def deadline(scope: Scope, given: Mapping[str, Any]) -> Found:
    """Compute the last day of a period."""
    body = loaded(deadlines.PeriodBody(), {**given, "jurisdiction": "ES"})
    found = deadlines.compute_period(body)
    steps = [f"{step['fecha']}: {step['texto']} ({step['norma']})" for step in found["pasos"]]
    ends = pick(scope.language, "Vence el", "It ends on")
    told = [f"{ends} {found['fecha_vencimiento']}.", f"{found['regla_aplicable']}."]
    text = " ".join([*told, *steps, *found["ajustes_aplicados"]])
    law = "; ".join(dict.fromkeys(step["norma"] for step in found["pasos"]))
    return Found((Source(name_of("deadline", *sorted(given.items())), text, law, computed=True),))


def statutory_interest(scope: Scope, given: Mapping[str, Any]) -> Found:
    """Compute simple interest on a debt."""
    principal, kind = given["principal"], given["tipo"]
    if not 0 < principal <= _MOST:
        raise Refused(f"principal: must be above 0 and at most {_MOST}.")
    since, until = _day("desde", given), _day("hasta", given)
    if until <= since:
        raise Refused("hasta: must be later than desde.")
    owed = Decimal(str(principal))
    found = interest(owed, since, until, kind)
    text = ""
    if found.stretches:
        last = until if found.unknown is None else found.unknown - timedelta(days=1)
        summed = " + ".join(
            f"{_euros(owed)} × {one.rate} % × {one.days} / 365 ({one.source})" for one in found.stretches
        )
        due = _euros(found.due)
        text = pick(
            scope.language,
            f"Intereses del {since + timedelta(days=1)} al {last}: {due}. Cálculo: {summed}.",
            f"Interest from {since + timedelta(days=1)} to {last}: {due}. Computed: {summed}.",
        )
    if found.unknown is not None:
        missing = pick(scope.language, "Falta el tipo oficial desde el", "The official rate is missing from")
        text = f"{text} {missing} {found.unknown}.".strip()
    if not found.stretches:
        return Found((), text)
    name = name_of("interest", *sorted(given.items()))
    return Found((Source(name, text, INTEREST_BASIS[kind], computed=True),))


def _day(name: str, given: Mapping[str, Any]) -> date:
    try:
        return date.fromisoformat(given[name])
    except ValueError:
        raise Refused(f"{name}: must be a date such as 2026-11-24.") from None


def _euros(value: Decimal) -> str:
    return f"{value:,.2f}".translate(str.maketrans(",.", ".,")) + " euros"
