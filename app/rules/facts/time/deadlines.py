"""Read periods and deadlines: what for, how long, from when, and the last day where it can be told.

A last day is computed only when the document itself states the day from which the period runs; the rule
that was applied goes with it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final, Literal

from app import deadlines as calendars
from app.deadlines import Calendar, Computation, Rule
from app.rules.facts.keyword_index import KeywordMatches
from app.rules.facts.sections import Block, block_at
from app.rules.facts.time.date_ranges import is_term, length_between
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.durations import DeadlineUnit, Length, lengths
from app.rules.facts.time.monthly import monthly_days
from app.rules.facts.time.procedural import ProceduralPeriod, named_periods, periods_by_key
from app.rules.facts.time.purposes import (
    PURPOSES,
    DeadlinePurpose,
    heading_purpose,
    is_named,
    nearest_purpose,
)
from app.rules.facts.time.triggers import TriggerKind, read_trigger
from app.text.expressions import compiled
from app.text.sentences import FoldedText, fold

Bound = Literal["min", "max"]
DeadlineFlag = Literal["words_mismatch", "end_mismatch", "below_legal_minimum"]

_AFTER_ORDINARY: Final = compiled(
    r"^(?:'s?|s')? ?(?:rent|salary|pay|wages|de edad|de experiencia|de salario|old|de antiguedad"
    r"|de servicio|of age|de fianza)"
    r"|^ (?:por (?:cada )?(?:ano|mes)|de sueldo|de indemnizacion)"
    r"|^ (?:de (?:honorarios|canon|cuotas?|remuneracion(?:es)?)|for (?:every|each)|por cada) "
    r"|^ (?:semanales|a la semana|por semana|diarias|al dia|de trabajo|per week|a week|per day|de prision)"
)
_BEFORE_ORDINARY: Final = compiled(
    r"(?:mayor(?:es)? de|menor(?:es)? de|edad de|aged|hace|jornada\D{0,30}|turno\D{0,20}|euribor a|cada) $"
)
# "Se cobrará un mes", "pays three months": a price in months, and no time.
_CHARGED: Final = compiled(
    r"\b(?:cobra\w*|factura(?:ra)?n?|(?:pag|abon)(?:ara|aran|ando|a|an)|charges?|charged|pays?)"
    r"(?: (?:ademas|also|hasta|up to|otr[oa]s?|un|una))* ?$"
)
# "Condiciones vigentes desde el 3 de agosto": the months of each customer's contract run from another day.
_OF_TERMS: Final = compiled(
    r"\b(?:version|condiciones|terminos|tarifas|bases|terms|conditions|prices)\b[^.;]{0,60}"
    r"\b(?:vigentes?|aplica\w*|rigen|regiran|valid[oa]s?|desde|a partir"
    r"|in force|effective|apply|valid|from)\b[^.;]{0,30}$"
    r"|\b(?:rigen|regiran|vigentes)\b[^.;]{0,20}$"
)
_PRICED_UNITS: Final = frozenset({"month", "year"})
_LIMITING: Final = compiled(
    r"\b(?:plazo|dentro de|en el termino|termino|durante|period[oe]?|within|antelacion|preaviso|notice"
    r"|duracion|term|after|"
    r"siguientes?|dura|durara|durante|lasts?|desde|a partir|a contar|contad\w{1,2}|como maximo|como minimo"
    r"|al menos|minimo|maximo"
    r"|prorrog\w{1,7}|renew\w{0,5}|"
    r"at least|no later|not less than|from|of the|prior|previo|anticipacion|superior|inferior"
    r"|transcurrid\w{1,2}|for|vigencia|por|to|para|antes|prescri\w{1,6}|caduca\w{0,4}|permanencia|garantia"
    r"|prueba|hasta)\b"
)
_RETURNED: Final = compiled(
    r"\b(?:devol|devuel|destru|entreg|return|destroy)[a-z]*\b[^.;]{0,60}"
    r"(?:confidential information|informacion confidencial)[^.;]{0,30}$"
)
_WEAK_TERM: Final = compiled(r"por un (?:periodo|plazo) de|for a period of|(?:plazo|vigencia|term): ?$")
_BACKWARDS: Final = compiled(r"before|antes|anterior")
_NEAR: Final = 60
_RANGE_GAP: Final = 40
_ADMINISTRATIVE: Final = compiled(r"ley 39/2015|procedimiento administrativo comun|via administrativa")
_COURT: Final = compiled(
    r"\b(?:juzgado|tribunal de instancia|audiencia provincial|letrad[oa] de la administracion)\b"
)
_MIN: Final = compiled(
    r"(?:al menos|como minimo|minim[oa](?: de)?|no inferior a|at least|not less than|minimum(?: of)?"
    r"|no less than) ?(?:un plazo de |a )?$"
)
_MAX: Final = compiled(
    r"(?:como maximo|maxim[oa](?: de)?|no superior a|no mas de|at most|not more than|no later than"
    r"|maximum(?: of)?|within|dentro de(?: los| un plazo de)?) ?$"
)
_PERIOD_STARTS: Final[dict[str, TriggerKind]] = {
    "notification": "notification", "effect": "start", "delivery": "delivery",
}  # fmt: skip
_TAX_WINDOW: Final = compiled(
    r"\b(?:art(?:iculo|\.)) 62(?:\.| ?, ?apartado )([25])\b[^;]{0,60}(?:ley general tributaria|lgt|58/2003)"
)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A period or a recurring day: `text[start:end] == quote`.

    `number` of `unit` ("day" is unqualified; "window": `number` is None, the law gives calendar days to pay).
    `trigger` is the literal words from which it runs ("desde la notificación"), `trigger_kind` their sense.
    `start_date` is the day the document states for that trigger and `due` the last day, both ISO dates or
    None; `rules` how `due` was counted. `days` is (first, last) day of each month where `recurrence` is
    "monthly". `bound` tells a minimum from a maximum. `procedural` is the key of a period in
    data/procedural_es.toml that the words name, `basis` its article.
    """

    quote: str
    start: int
    end: int
    purpose: DeadlinePurpose
    number: int | None
    unit: DeadlineUnit
    trigger: str | None = None
    trigger_kind: TriggerKind | None = None
    start_date: str | None = None
    due: str | None = None
    rules: tuple[Rule, ...] = ()
    bound: Bound | None = None
    recurrence: Literal["monthly"] | None = None
    days: tuple[int, int] | None = None
    procedural: str | None = None
    basis: str | None = None
    flags: tuple[DeadlineFlag, ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    """What else is known of the document when a period is read."""

    dates: Sequence[DateMention]
    date_starts: list[int]
    blocks: tuple[Block, ...]
    cues: KeywordMatches[DeadlinePurpose]
    periods: KeywordMatches[str]
    only: dict[str, DateMention]

    def dates_in(self, start: int, end: int) -> Sequence[DateMention]:
        """Return the dates that begin in `start:end`, twenty at most."""
        first = bisect_left(self.date_starts, start)
        return self.dates[first : min(bisect_left(self.date_starts, end), first + 20)]


def extract_deadlines(
    source: FoldedText, dates: Sequence[DateMention], blocks: tuple[Block, ...] = ()
) -> tuple[Deadline, ...]:
    """Return every period and recurring day, in order.

    `dates` and `blocks` are those of the same document.
    """
    if source.foreign:
        return tuple(
            Deadline(source.text[one.start : one.end], one.start, one.end, "other", one.number, one.unit)
            for one in lengths(source)
            if one.unit != "hour"
        )
    cues = PURPOSES.find(source.folded)
    recurring = [*_recurring(source, cues), *_tax_windows(source, dates)]
    taken = sorted((item.start, item.end) for item in recurring)
    known = _Known(
        dates, [item.start for item in dates], blocks, cues, named_periods(source), _only_dates(dates)
    )
    found = list(recurring)
    for length in lengths(source):
        at = bisect_left(taken, (length.end, 0))
        if at and taken[at - 1][1] > length.start:
            continue
        if (deadline := _deadline(source, length, known)) is not None:
            found.append(deadline)
    terms = [item for item in found if item.purpose == "term" and item.bound is None]
    found += _ranges(source, dates, terms)
    return tuple(sorted(found, key=lambda item: item.start))


def _only_dates(dates: Sequence[DateMention]) -> dict[str, DateMention]:
    """Return for each role its date where the document states exactly one."""
    stated: dict[str, DateMention] = {}
    several: set[str] = set()
    for item in dates:
        if item.iso is None:
            continue
        if item.role in stated and stated[item.role].iso != item.iso:
            several.add(item.role)
        stated.setdefault(item.role, item)
    return {role: item for role, item in stated.items() if role not in several}


def _deadline(source: FoldedText, length: Length, known: _Known) -> Deadline | None:
    before, after = source.before(length.start, 200), source.after(length.end, 160)
    if _AFTER_ORDINARY.match(after) or _BEFORE_ORDINARY.search(before):
        return None
    if (
        length.unit in _PRICED_UNITS
        and _CHARGED.search(before)
        and not after.startswith((" despues", " after"))
    ):
        return None
    trigger = read_trigger(source, length, known.dates_in)
    purpose = nearest_purpose(source, length.start, length.end, known.cues)
    if purpose == "confidentiality" and _RETURNED.search(before):
        purpose = "repayment"  # "shall return all Confidential Information within ten days"
    heading = heading_purpose(block_at(known.blocks, length.start))
    if purpose == "other" and _WEAK_TERM.search(before[-40:]):
        purpose = "term"
    elif heading != "other" and (purpose == "other" or not is_named(source, length, known.cues)):
        purpose = heading
    if purpose == "term" and trigger is not None and trigger.kind == "termination":
        # "Los tres años siguientes a su terminación": what comes after the contract is not its term.
        purpose = heading if heading != "term" else "other"
    limited = before.endswith((" en ", " en los ", ": ")) or _LIMITING.search(before[-60:] + " " + after[:60])
    if trigger is None and (purpose == "other" or not limited):
        return None
    near = known.dates_in(*source.sentence(length.start))
    kind = trigger.kind if trigger else None
    begins = trigger.names if trigger and trigger.names else _start(purpose, kind, near, known.only)
    if trigger is not None and begins is not None and begins is not trigger.names:
        # A date among the trigger's own words that was not taken as the start is the date of something else.
        begins = None if length.end <= begins.start < trigger.end + _NEAR else begins
    if trigger is not None and (_BACKWARDS.match(fold(trigger.words)) or trigger.of_another):
        begins = trigger.names
    if trigger is not None and _BACKWARDS.match(fold(trigger.words)):
        begins = None
    if begins is not None and begins not in near and _OF_TERMS.search(source.before(begins.start, 90)):
        begins = None
    if kind == "delivery" and purpose == "repayment":
        begins = None  # the keys are given back at the end: not the delivery that the document dates
    period = _procedural(source, length, known.periods)
    if begins is None and trigger is None and period is not None:
        begins = _start(purpose, _PERIOD_STARTS.get(period.starts), near, known.only)
    bound: Bound | None = "min" if _MIN.search(before) else "max" if _MAX.search(before) else None
    # A minimum says when a thing cannot end yet, not when it ends.
    computation = _computed(source, length, purpose, period, begins, kind) if bound != "min" else None
    flags: list[DeadlineFlag] = ["words_mismatch"] if length.mismatch else []
    if period is not None and _below(length, period):
        flags.append("below_legal_minimum")
    stated = {item.iso for item in near if item.role == "end" and item.iso} if purpose == "term" else set()
    if computation is not None and len(stated) == 1 and not _same_end(stated.pop(), computation.due):
        flags.append("end_mismatch")
    end = trigger.end if trigger else _range_end(source, length, near) if purpose == "term" else length.end
    return Deadline(
        quote=source.text[length.start : end],
        start=length.start,
        end=end,
        purpose=purpose,
        number=length.number,
        unit=length.unit,
        trigger=trigger.words if trigger else None,
        trigger_kind=kind,
        start_date=begins.iso if begins and computation else None,
        due=computation.due.isoformat() if computation else None,
        rules=computation.rules if computation else (),
        bound=bound,
        procedural=period.key if period else None,
        basis=period.basis if period else None,
        flags=tuple(flags),
    )


def _range_end(source: FoldedText, length: Length, near: Sequence[DateMention]) -> int:
    """Return where "un año, del 1 de octubre de 2026 al …" ends: its dates are part of the term."""
    for first, second in pairwise(near):
        if (
            0 <= first.start - length.end <= _RANGE_GAP
            and "." not in source.folded[length.end : first.start]
            and is_term(source, first.start, first.end, second.start)
        ):
            return second.end
    return length.end


def _ranges(
    source: FoldedText, dates: Sequence[DateMention], terms: Sequence[Deadline]
) -> Iterator[Deadline]:
    """Yield a term given by its two dates alone, with the length that they make."""
    told = sorted(source.sentence(item.start) for item in terms)
    for first, second in pairwise(dates):
        if first.iso is None or second.iso is None or (first.role, second.role) != ("start", "end"):
            continue
        if not is_term(source, first.start, first.end, second.start):
            continue
        sentence = source.sentence(first.start)
        at = bisect_left(told, sentence)
        length = length_between(date.fromisoformat(first.iso), date.fromisoformat(second.iso))
        if length is not None and (at == len(told) or told[at] != sentence):
            number, unit = length
            yield Deadline(
                source.text[first.start : second.end], first.start, second.end, "term", number, unit,
                start_date=first.iso, due=second.iso,
            )  # fmt: skip


def _start(
    purpose: DeadlinePurpose,
    kind: TriggerKind | None,
    near: Sequence[DateMention],
    only: dict[str, DateMention],
) -> DateMention | None:
    """Return the one date the document states for the trigger; None when it states none or several."""
    role = {
        "notification": "notification",
        "receipt": "notification",
        "signature": "signature",
        "start": "start",
        "delivery": "delivery",
    }.get(kind or "")
    if purpose == "term" and role is None:
        if kind not in {None, "other"}:
            return None
        starts = [item for item in near if item.role == "start" and item.iso]
        if len({item.iso for item in starts}) == 1:
            return starts[0]
        role = "start" if kind is None else None
    if role is None:
        return None
    return only.get(role)


def _procedural(source: FoldedText, length: Length, cues: KeywordMatches[str]) -> ProceduralPeriod | None:
    """Return the period fixed by law that the sentence names nearest before (else right after) its length.

    A length other than the law's means that another rule governs, unknown here: no period is named then,
    save where the law sets a minimum and the document goes below it.
    """
    floor, ceiling = source.window(length.start, length.end, 200, 120)
    cue = cues.before(length.start, floor) or cues.after(length.end, ceiling)
    period = periods_by_key().get(cue[0]) if cue is not None else None
    if period is None or not (_agrees(length, period) or _below(length, period)):
        return None
    return period


def _below(length: Length, period: ProceduralPeriod) -> bool:
    return period.minimum and length.unit in {"day", "natural_day"} and length.number < period.number


def _agrees(length: Length, period: ProceduralPeriod) -> bool:
    plain_days = length.unit == "day" and period.unit in {"natural_day", "business_day"}
    return length.number == period.number and (length.unit == period.unit or plain_days)


def _computed(
    source: FoldedText,
    length: Length,
    purpose: DeadlinePurpose,
    period: ProceduralPeriod | None,
    begins: DateMention | None,
    kind: TriggerKind | None,
) -> Computation | None:
    if begins is None or begins.iso is None or length.unit in {"hour", "window"}:
        return None
    start, unit = date.fromisoformat(begins.iso), length.unit
    assert unit != "hour"
    assert unit != "window"
    try:
        if purpose in {"term", "probation"}:
            term = calendars.term_end(start, length.number, unit)
            return term if source.jurisdiction == "ES" else Computation(term.due, (), term.due)
        if source.jurisdiction != "ES":
            return None
        if period is None:
            count = _calendar(source, purpose, kind)
            return calendars.COUNTING[count](start, length.number, unit, ()) if count else None
        if unit == "day" and period.calendar != "administrative":
            unit = period.unit
        due = calendars.COUNTING[period.calendar](start, length.number, unit, ())
    except ValueError:
        return None
    if period.august == "unsettled" and _meets_recess(start, due.due):
        return None
    return due


def _calendar(source: FoldedText, purpose: DeadlinePurpose, kind: TriggerKind | None) -> Calendar | None:
    """Return how a period that no rule names is counted.

    Between parties by the Civil Code; else only where the law is plain.
    """
    official = kind in {"notification", "receipt"} or purpose in {"appeal", "answer", "filing"}
    if not official:
        return "civil"
    if purpose not in {"appeal", "filing"} and _ADMINISTRATIVE.search(source.folded):
        return None if _COURT.search(source.folded) else "administrative"
    return None


def _meets_recess(first: date, last: date) -> bool:
    return (last - first).days > 300 or any(
        calendars.is_court_recess(date.fromordinal(day))
        for day in range(first.toordinal(), last.toordinal() + 1)
    )


def _same_end(stated: str, computed: date) -> bool:
    """Tell whether two last days of a term are the same by either usage.

    A term from 1 September may be said to end on 31 August or on 1 September.
    """
    return 0 <= date.fromisoformat(stated).toordinal() - computed.toordinal() <= 1


def _recurring(source: FoldedText, cues: KeywordMatches[DeadlinePurpose]) -> Iterator[Deadline]:
    for item in monthly_days(source):
        yield Deadline(
            quote=source.text[item.start : item.end],
            start=item.start,
            end=item.end,
            purpose=nearest_purpose(source, item.start, item.end, cues),
            number=item.last - item.first + 1,
            unit="business_day" if item.business else "day",
            recurrence="monthly",
            days=(item.first, item.last),
        )


def _tax_windows(source: FoldedText, dates: Sequence[DateMention]) -> Iterator[Deadline]:
    """Yield payment windows of art. 62.2 and 62.5 LGT where the document refers to them."""
    if source.jurisdiction != "ES":
        return
    stated = {item.iso for item in dates if item.role == "notification" and item.iso}
    for match in _TAX_WINDOW.finditer(source.folded):
        enforced = match.group(1) == "5"
        start, end = match.span()
        start_date = next(iter(stated)) if len(stated) == 1 else None
        due = calendars.tax_payment(date.fromisoformat(start_date), enforced=enforced) if start_date else None
        yield Deadline(
            source.text[start:end], start, end, "payment", None, "window", None, "notification", start_date,
            due.due.isoformat() if due else None, due.rules if due else (),
            procedural="apremio_pago" if enforced else "liquidacion_voluntaria",
            basis="art. 62.5 LGT" if enforced else "art. 62.2 LGT",
        )  # fmt: skip
