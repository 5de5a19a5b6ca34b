"""Compute the periods of a document and compare them with the dates that it states beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from app.deadlines import add_months
from app.rules.consistency.fault import Context, Fault
from app.rules.document import Span
from app.rules.facts.time.dates import DateMention
from app.rules.render import wording
from app.text.bilingual import Bilingual
from app.text.numerals import read_numeral

_NUMBER = r"(?P<number>\d{1,3}|[a-z]{3,12}(?: y [a-z]{3,6})?)(?: ?\(\d{1,3}\))?"
_PAYMENTS = re.compile(
    r"\b(?P<number>\d{1,3}|[a-z]{3,14}(?: (?:y )?[a-z]{3,14}){0,3})(?: ?\(\d{1,3}\))? "
    r"(?:recibos|cuotas|mensualidades|plazos mensuales|pagos mensuales|monthly (?:instalments|payments))\b"
)
_EACH_MONTH = re.compile(r"\b(?:mensual(?:es)?|mensualidades|(?:de )?cada mes|por meses|monthly)\b")
_FIRST = re.compile(
    r"\b(?:la primera|el primero|empezando|comenzando|a partir del?|desde|the first|starting|"
    r"beginning)\b[^.;\d]{0,30}$"
)
_LAST = re.compile(
    r"\b(?:la ultima|el ultimo|conclu[a-z]+|finaliza[a-z]*|termina[a-z]*|vence[a-z]*|hasta|the last|"
    r"ends?)\b[^.;\d]{0,30}$"
)
_WITHIN = re.compile(
    rf"\b{_NUMBER} (?P<unit>dias|meses|anos|days|months)(?: (?P<kind>naturales|habiles|laborables))? "
    r"(?:siguientes|posteriores|contados|a contar|desde|from|after)[^.;\d]{0,24}"
    r"\b(?:hoy|la firma|este (?:contrato|documento|acto)|la (?:presente )?fecha|el dia de hoy|today|"
    r"signature|the date hereof)\b"
)
_LIMIT = re.compile(
    r"\b(?:como tope|tope|fecha limite|a mas tardar|no mas tarde del?|(?:en todo caso )?antes del?|hasta el|"
    r"como maximo|at the latest|no later than|before)\b[^;\d]{0,24}$"
)
_EFFECT = re.compile(r"\b(?:con )?efectos?(?: (?:del|desde el|de|al|el))?(?: dia)?[ ,]{0,2}$")
_JOINED = re.compile(
    r"\b(?:fecha de (?:ingreso|alta|incorporacion)|ingreso en la empresa|te incorporaste|se incorporo|"
    r"ingreso usted"
    r"|(?:viene|vienes) prestando servicios|prestas? (?:sus |tus )?servicios|trabajas? (?:en|"
    r"para)[^.;\d]{0,40})"
    r"[^.;\d]{0,50}$"
)
_COUNTED = re.compile(
    r"\bantiguedad (?:computada|considerada|reconocida|aplicada|a efectos)[^.;\d]{0,30}[. ]*$"
)
_OF_DEFAULT = re.compile(r"\b(?:vencid|impag|incumpl|reclam)")


def find_wrong_periods(context: Context) -> Iterator[Fault]:
    """Yield instalments that do not end as said, two limits for one act, effects in the past."""
    yield from _instalments(context)
    yield from _two_limits(context)
    yield from _backdated(context)
    yield from _seniority(context)


def _count(written: str) -> int | None:
    """Return the number that some words end in, as long as it is: "las doscientas cuarenta" gives 240."""
    if written.isdigit():
        return int(written)
    words = written.split()
    read = (read_numeral(" ".join(words[first:]), "es") for first in range(len(words)))
    return next((number for number in read if number is not None), None)


def _day(item: DateMention) -> date:
    return date.fromisoformat(item.iso or "")


def _instalments(context: Context) -> Iterator[Fault]:
    source, language = context.facts.source, context.language
    dates = [one for one in context.facts.dates if one.iso]
    for found in _PAYMENTS.finditer(source.folded):
        number = _count(found["number"])
        near = [one for one in dates if found.start() < one.start < found.end() + 420]
        text = source.folded[found.start() : found.end() + 420]
        rest = text[: near[0].start - found.start()] if near else text
        unpaid = _OF_DEFAULT.search(rest) or re.search(r"\b(?:seguidas|alternas|sucesivas impagadas)\b", rest)
        if number is None or not 3 <= number <= 480 or unpaid or _EACH_MONTH.search(text[:260]) is None:
            continue
        first = next((one for one in near if _FIRST.search(source.folded[one.start - 50 : one.start])), None)
        last = next(
            (
                one
                for one in near
                if first is not None
                and one.start > first.end
                and _LAST.search(source.folded[first.end : one.start])
            ),
            None,
        )
        if first is None or last is None:
            continue
        begins, ends = _day(first), _day(last)
        apart = (ends.year - begins.year) * 12 + ends.month - begins.month
        if number - 1 <= apart <= number:
            continue
        due = add_months(begins, number - 1)
        start, computed, stated = (wording.day(one.isoformat(), language) for one in (begins, due, ends))
        yield Fault(
            "term",
            "medium",
            Bilingual(
                es=f"El plazo es contradictorio: {number} pagos mensuales desde el {start} acaban el "
                f"{computed}, y "
                f"el documento dice que terminan el {stated}. Las cláusulas se interpretan unas por otras, y "
                f"la "
                "oscuridad no favorece a quien la causó.",
                en=f"The term contradicts itself: {number} monthly payments from {start} end on {computed}, "
                f"and the "
                f"document says that they end on {stated}. Obscurity does not favour the party who caused "
                f"it.",
            ),
            Bilingual(
                es="Aclarar por escrito la fecha del último pago: de ella dependen la mora y el vencimiento.",
                en="Settle the date of the last payment in writing: default depends on it.",
            ),
            (Span(found.start(), first.end), Span(last.start, last.end)),
            ("art. 1285 CC", "art. 1288 CC") if context.spanish else (),
        )
        return


def _two_limits(context: Context) -> Iterator[Fault]:
    source, language = context.facts.source, context.language
    signed = context.facts.dated("contract") if context.family == "contract" else None
    if signed is None:
        return
    for found in _WITHIN.finditer(source.folded):
        number = _count(found["number"])
        if number is None or found["kind"] in ("habiles", "laborables"):
            continue
        day = date.fromisoformat(signed)
        unit = found["unit"]
        due = (
            day + timedelta(days=number)
            if unit in ("dias", "days")
            else add_months(day, number * (12 if unit == "anos" else 1))
        )
        clause = context.document.clause(Span(found.start(), found.end()))
        for item in context.facts.dates:
            if not item.iso or not found.end() < item.start < min(found.end() + 160, clause.end):
                continue
            if _LIMIT.search(source.folded[found.end() : item.start]) is None:
                continue
            if (
                _OF_DEFAULT.search(source.folded[found.end() : item.start])
                or abs((_day(item) - due).days) <= 1
            ):
                break
            computed, stated = wording.day(due.isoformat(), language), wording.day(item.iso, language)
            first, last = source.text[found.start() : found.end()], item.quote
            yield Fault(
                "limits",
                "medium",
                Bilingual(
                    es=f"Hay dos plazos distintos para lo mismo: «{' '.join(first.split())}» termina el "
                    f"{computed}, y "
                    f"el límite que se indica es el {stated}. Es ambiguo cuándo se incumple; las cláusulas "
                    f"se "
                    "interpretan unas por otras.",
                    en=f"There are two limits for the same act: “{' '.join(first.split())}” ends on "
                    f"{computed}, and "
                    f"the limit stated is {stated}. When default begins is unclear.",
                ),
                Bilingual(
                    es="Dejar una sola fecha, y decir qué ocurre si pasa.",
                    en="Leave one date only, and say what happens when it has passed.",
                ),
                (Span(found.start(), found.end()), Span(item.start, item.start + len(last))),
                ("art. 1281 CC", "art. 1285 CC") if context.spanish else (),
            )
            return


def _backdated(context: Context) -> Iterator[Fault]:
    """Find a dismissal that takes effect before the day of the letter."""
    if context.kind not in ("dismissal_letter", "objective_dismissal", "settlement_receipt"):
        return
    source, language = context.facts.source, context.language
    dates = [one for one in context.facts.dates if one.iso]
    effects = next(
        (one for one in dates if _EFFECT.search(source.folded[max(0, one.start - 40) : one.start])), None
    )
    written = next((one for one in dates if one.role in ("signature", "delivery", "notification")), None)
    if effects is None or written is None or _day(effects) >= _day(written):
        return
    if not context.spanish:
        return
    earlier, letter = (wording.day(one.iso or "", language) for one in (effects, written))
    yield Fault(
        "backdated",
        "high",
        Bilingual(
            es=f"El despido se comunica el {letter} con efectos del {earlier}, fecha anterior: la extinción "
            f"no puede "
            "tener efectos retroactivos, y hasta la entrega de la carta se deben el salario, el alta y la "
            "cotización.",
            en=f"The dismissal is notified on {letter} with effect from {earlier}, an earlier day: it cannot "
            f"take "
            "effect retroactively, and wages and contributions are due until the letter was delivered.",
        ),
        Bilingual(
            es="Pedir que se corrija la fecha de efectos y se liquiden los días trabajados; el plazo para "
            "impugnar "
            "se cuenta desde la fecha en que el despido fue efectivo.",
            en="Have the date of effect corrected and the days worked paid.",
        ),
        (Span(effects.start, effects.end), Span(written.start, written.end)),
        ("art. 55.1 ET",),
    )


def _seniority(context: Context) -> Iterator[Fault]:
    """Find a severance counted from a day later than the one on which the letter says that work began."""
    if context.kind not in (
        "dismissal_letter",
        "objective_dismissal",
        "settlement_receipt",
        "contract_end_notice",
    ):
        return
    source, language = context.facts.source, context.language
    dates = [one for one in context.facts.dates if one.iso]

    def first(pattern: re.Pattern[str]) -> DateMention | None:
        return next(
            (one for one in dates if pattern.search(source.folded[max(0, one.start - 90) : one.start])), None
        )

    joined, counted = first(_JOINED), first(_COUNTED)
    if joined is None or counted is None or not context.spanish:
        return
    if (_day(counted) - _day(joined)).days < 31:
        return
    began, taken = (wording.day(one.iso or "", language) for one in (joined, counted))
    yield Fault(
        "seniority",
        "high",
        Bilingual(
            es=f"La indemnización se calcula con una antigüedad del {taken} y el mismo documento dice que la "
            f"relación "
            f"empezó el {began}: si no hubo interrupción faltan años de servicio en "
            "el cálculo.",
            en=f"The severance is counted from {taken}, and the same document says that work began on "
            f"{began}: without "
            "a break, years of service are missing.",
        ),
        Bilingual(
            es="Pedir la vida laboral y recalcular la indemnización desde la primera fecha.",
            en="Ask for the record of employment and compute the severance again from the first day.",
        ),
        (Span(joined.start, joined.end), Span(counted.start, counted.end)),
        ("art. 53.1.b) ET",) if "52.c" in source.folded or "objetiv" in source.folded else ("art. 56.1 ET",),
    )
