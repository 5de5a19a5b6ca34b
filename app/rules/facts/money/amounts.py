"""Read money and percentages: value, currency, what for, how often, and words against figures.

Invariant: an amount is read only where a currency (or a percent sign) stands beside it, so that account
numbers, articles, dates and areas are never taken for money.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Final, Literal

import re2

from app.rules.facts.keyword_index import KeywordMatcher, KeywordMatches, vocabulary
from app.rules.facts.money.currencies import AFTER, BEFORE, is_shared, read_currency
from app.rules.facts.sections import Block, block_at
from app.rules.facts.tongues import readers
from app.text.bilingual import Language
from app.text.expressions import compiled
from app.text.numerals import Numeral, read_figure, read_numeral
from app.text.sentences import FoldedText, fold

AmountKind = Literal["money", "percentage"]
Purpose = Literal[
    "rent", "deposit", "guarantee", "price", "salary", "penalty", "interest", "fee", "principal",
    "compensation", "tax", "expenses", "claim", "cap", "insurance", "instalment", "fine", "capital",
    "discount", "index", "other",
]  # fmt: skip
Period = Literal["hour", "day", "week", "month", "quarter", "half_year", "year", "once"]
AmountFlag = Literal["words_mismatch", "ambiguous_currency"]

_FIGURE: Final = r"\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,6}|'\d{1,2})?"
_THOUSANDS: Final = r"mill(?:on|ones)(?: de)?|millions?|billion|mil|thousand"
# A lone letter after the figure is a scale only where it touches it ("$2.5m"): "$500 M.N." is five hundred.
_SCALE_BEHIND: Final = rf"(?:(?: ?(?:{_THOUSANDS})|mm?|k)\b\.?)"
_SCALE: Final = rf"(?: ?(?:{_THOUSANDS}|mm?|k)\b\.?)"
# Groups: 1 sign, 2 figure, 3 scale, 4 second sign; or 5 figure, 6 scale, 7 sign. By number, for speed.
_MONEY: Final = compiled(
    rf"({BEFORE}) ?({_FIGURE})({_SCALE_BEHIND})?(?: ?({AFTER}))?"
    rf"|\b({_FIGURE})(?:[.,] ?-+)?({_SCALE})?(?: \)| de)? ?({AFTER})"
)
_PERCENT: Final = compiled(rf"\b(?P<figure>{_FIGURE}) ?\)? ?(?:%|por ?ciento\b|per ?cent\b|percent\b)")
_WORD_TAIL: Final = compiled(
    rf"^(?: ?\( ?(?P<inner>{_FIGURE})(?:[.,]-)? ?\))?(?: con (?P<parts>\d{{2}})/100)?(?: ?de)? ?"
    rf"(?P<currency>{AFTER})"
    r"(?:,?(?: con| y| and)? (?P<cents>[a-z]{2,14}(?: y [a-z]{3,7}|[ -][a-z]{3,7})?|\d{1,2}) (?:centimos?"
    r"|centavos?|cents?|pence)\b(?: de euro)?)?"
)
_PERCENT_TAIL: Final = compiled(
    r"^(?P<half> y medio| and a half)? ?(?:por ?ciento|por cien|per ?cent|percent)\b"
)
# "Tres coma veinticinco por ciento": what stands between the whole part and its decimals.
_DECIMALS: Final = compiled(r"^ (?:coma|con|punto|point) $")
_LINK: Final = compiled(
    r"(?: (?:mensuales|anuales|brutos|netos|al mes|al ano|per month|per annum|monthly|a year)){0,2}"
    r"[ ,]{0,3}[\[(-]? ?(?:i\.e\.,? |es decir,? |o sea,? |son )?"
)
_CLOSING: Final = compiled(r"^(?: ?(?:con )?\d{2}/100)?(?: ?m\.? ?n\.?)?[)\]]?")
_SCALES: Final = {"mi": 10**6, "b": 10**9, "m": 10**6, "k": 1000, "t": 1000}

PURPOSE_CUES: Final = KeywordMatcher[Purpose](vocabulary("keywords.toml", "amount_purposes"))
_PERIOD_CUES: Final = KeywordMatcher[Period](vocabulary("keywords.toml", "amount_periods"))


_STATED: Final = compiled(
    r"^[)., ]{0,4}(?:mas iva,? )?(?:en concepto de|por concepto de|en calidad de|a titulo de|como"
    r"|as(?: an?)?|by way of|for) "
    r"(?:la |el |the |an? )?"
)
# Farther on in the sentence only these words still speak of the amount itself.
_LABELLED: Final = compiled(
    r"\b(?:en concepto de|por concepto de|a titulo de|by way of) (?:la |el |the |an? |una? )?"
)
_AS: Final = compiled(r"\b(?:como|as) (?:la |el |an? |una? )?")
_OF: Final = compiled(r"^ (?:de|of) $")
# "3.000 euros más IVA" is no tax, and neither is the amount that comes next.
TAX_ASIDE: Final = compiled(
    r"(?:\b(?:mas|plus|excluding|including|sin|excl\.|incl\.) (?:el |of )?|[+] ?)(?:iva|igic|vat"
    r"|tax(?:es)?)\b"
    r"|\b(?:iva|igic|vat)(?: no)? (?:incluido|excluido|included|excluded|aparte)\b"
)
_JOINED: Final = compiled(r" (?:de |of )?")
_APART: Final = compiled(r"[;:(]| y | e | and |, (?:con|y|mas|with|plus) ")
# "La cuota anual de 2027 es de 418 euros por semana": how often it is due stands beside its name, and what
# follows the figure says for what it is reckoned.
_DUE_EACH: Final = compiled(
    r"\b(?:cuotas?|canon|tasa|tarifa|gastos|aportacion|fees?|charges?|dues)(?: de [a-z]+)? "
    r"(?P<each>anual(?:es)?|semestral(?:es)?|trimestral(?:es)?|mensual(?:es)?)\b[^.;:,\n]{0,60}"
    r"\b(?:es|son|era|sera|seran|asciende|importa) ?(?:de |a |en )?$"
    r"|\b(?P<each_en>annual|yearly|quarterly|monthly) (?:[a-z]+ )?(?:fee|charge|dues)\b[^.;:,\n]{0,60}"
    r"\b(?:is|are|was|will be) $"
)
_DUE: Final[Mapping[str, Period]] = {
    "a": "year", "y": "year", "s": "half_year", "t": "quarter", "q": "quarter", "m": "month"
}  # fmt: skip
# "Equivalentes a dos mensualidades de renta" measures an amount; it does not say what the amount is for.
# "Para gastos del hogar, la suma de": what a sum that is lent is meant for.
_MEANT_FOR: Final = compiled(
    r"\b(?:para|for) (?:los |sus |the |atender |cubrir |sufragar )?(?:gastos|expenses)(?: [a-z]+){0,4},? "
    r"(?:la|una|the|a) (?:suma|cantidad|sum|amount)\b"
)
_CLOSE: Final = 60
_NEXT: Final = 12
_MEASURE: Final = compiled(
    r"\b(?:mensualidad(?:es)?|anualidad(?:es)?|mes(?:es)?|dias?|anos?|cuotas?|months?'?s?'?|weeks?'?s?'?"
    r"|years?'?s?'?)"
    r"(?: of| de)?(?: la| el| the| su)? (?:renta|alquiler|salario|sueldo|canon|honorarios|rent|salary|wages"
    r"|pay|fees?)\b"
)
_PER: Final = compiled(r"^(?: brutos| netos)? ?/ ?(hora|hour|h|dia|day|mes|month|ano|year)\b")
_PER_UNITS: Final[dict[str, Period]] = {"h": "hour", "d": "day", "m": "month", "a": "year", "y": "year"}


@dataclass(frozen=True, slots=True)
class Amount:
    """Money or a percentage: `text[start:end] == quote`.

    `value` is in units of `currency` (ISO 4217), or in per cent when `kind` is "percentage" (`currency` is
    None then). `words_value` is the value spelt in words where both are written; when the two differ the
    flag is "words_mismatch" and `value` is that of the figures. "ambiguous_currency": the sign ($, pesos)
    names several currencies and the jurisdiction does not settle it; `currency` is None. `purpose` and
    `period` are as far as the words beside it say.
    """

    quote: str
    start: int
    end: int
    kind: AmountKind
    value: Decimal
    currency: str | None
    purpose: Purpose = "other"
    period: Period | None = None
    words_value: Decimal | None = None
    flag: AmountFlag | None = None


def extract_amounts(source: FoldedText, blocks: tuple[Block, ...] = ()) -> tuple[Amount, ...]:
    """Return every amount of money and percentage in order, none overlapping.

    The heading of its block in `blocks` says what an amount is for where its own sentence does not.
    """
    figures = [*_figures(source), *_percent_figures(source)]
    words = list(_words(source))
    found = sorted([*figures, *words], key=lambda amount: (amount.start, -amount.end))
    merged: list[Amount] = []
    for amount in found:
        last = merged[-1] if merged else None
        if last is not None and amount.start < last.end:
            continue
        if last is not None and (pair := _pair(source, last, amount)) is not None:
            merged[-1] = pair
            continue
        merged.append(amount)
    measured = _MEANT_FOR.sub(_masked, _MEASURE.sub(_masked, source.folded))
    foreign = readers(source.tongue) if source.foreign else None
    purposes, periods_of = (foreign.purposes, foreign.periods) if foreign else (PURPOSE_CUES, _PERIOD_CUES)
    cues = {
        "percentage": purposes.find(measured),
        "money": purposes.find(TAX_ASIDE.sub(_masked, measured)),
    }
    periods = periods_of.find(source.folded)
    explained = []
    used = 0
    for at, amount in enumerate(merged):
        following = merged[at + 1].start if at + 1 < len(merged) else len(source.text)
        block = block_at(blocks, amount.start)
        purpose, used = _purpose(source, amount, (used, following), cues[amount.kind], block)
        period = _period(source, amount, (merged[at - 1].end if at else 0, following), periods)
        explained.append(
            amount
            if (purpose, period) == ("other", None)
            else replace(amount, purpose=purpose, period=period)
        )
    return tuple(explained)


def _masked(found: re2._Match) -> str:
    return "." * len(found.group())


def _figures(source: FoldedText) -> Iterator[Amount]:
    folded = source.folded
    for match in _MONEY.finditer(folded):
        sign, figure, scale, also, *suffixed = match.group(1, 2, 3, 4, 5, 6, 7)
        start, end = match.span()
        if figure is None:
            figure, scale, sign = suffixed
        elif also is not None and is_shared(sign):
            sign = also  # "$1,000 USD": the second sign is the precise one
        value = read_figure(figure)
        if scale is not None and folded[end : end + 1] == "/":
            # "$ 1.200.000 m/cte": the letter belongs to what follows.
            start, end = match.start(), match.end(2 if match.group(2) else 5)
            scale = None
        # Digits on two lines are two numbers; digits after "1.", "3/" or "-" belong to a longer notation.
        if value is None or (" " in figure and "\n" in source.cased[start:end]):
            continue
        if start and folded[start].isalpha() and folded[start - 1].isalpha():
            continue  # "mars 2026" names a month and no pesos
        if start > 1 and folded[start - 1] in ".,/-'" and folded[start - 2].isdigit():
            continue
        code = read_currency(sign, source.jurisdiction)
        flag: AmountFlag | None = None if code else "ambiguous_currency"
        quote = source.text[start:end]
        yield Amount(quote, start, end, "money", value * _scaled(scale), code, flag=flag)


def _scaled(scale: str | None) -> int:
    if scale is None:
        return 1
    word = scale.strip(" .")
    if word.startswith("mil") and not word.startswith("mill"):
        return 1000
    return _SCALES.get(word[:2]) or _SCALES[word[0]]


def _percent_figures(source: FoldedText) -> Iterator[Amount]:
    patterns = (_PERCENT, readers(source.tongue).percent_figure) if source.foreign else (_PERCENT,)
    for pattern in patterns:
        for match in pattern.finditer(source.folded):
            value = read_figure(match["figure"], percentage=True)
            if value is not None:
                start, end = match.span()
                yield Amount(source.text[start:end], start, end, "percentage", value, None)


def _words(source: FoldedText) -> Iterator[Amount]:
    text, folded = source.text, source.folded
    for language, written in zip(source.languages, source.numerals, strict=True):
        before: Numeral | None = None
        for numeral in written:
            whole, before = before, numeral
            start, value = numeral.start, Decimal(numeral.value)
            rest = folded[numeral.end : numeral.end + 120]
            percent = _PERCENT_TAIL.match(rest)
            if source.foreign and (part := readers(source.tongue).percent_words.match(rest)) is not None:
                end = numeral.end + part.end()
                yield Amount(text[start:end], start, end, "percentage", value, None, words_value=value)
                continue
            if percent is not None:
                end = numeral.end + percent.end()
                if percent["half"]:
                    value += Decimal("0.5")
                elif whole is not None and _DECIMALS.match(folded[whole.end : start]):
                    start, value = whole.start, whole.value + value.scaleb(-len(str(numeral.value)))
                yield Amount(text[start:end], start, end, "percentage", value, None, words_value=value)
                continue
            tail = _WORD_TAIL.match(rest)
            if tail is None:
                continue
            value += _cents(tail["cents"] or tail["parts"], language)
            end = numeral.end + tail.end()
            code = read_currency(tail["currency"], source.jurisdiction)
            flag: AmountFlag | None = None if code else "ambiguous_currency"
            amount = Amount(text[start:end], start, end, "money", value, code, words_value=value, flag=flag)
            inner = read_figure(tail["inner"]) if tail["inner"] is not None else None
            yield amount if inner is None else _compared(amount, inner)


def _cents(words: str | None, language: Language) -> Decimal:
    """Return hundredths spelt or written after the currency; nothing when they are not a number below 100."""
    if words is None:
        return Decimal(0)
    value = int(words) if words.isdigit() else read_numeral(words, language)
    return Decimal(value) / 100 if value is not None and value < 100 else Decimal(0)


def _compared(amount: Amount, figure: Decimal) -> Amount:
    differs = amount.words_value is not None and figure != amount.words_value
    return replace(amount, value=figure, flag="words_mismatch" if differs else amount.flag)


def _pair(source: FoldedText, first: Amount, second: Amount) -> Amount | None:
    """Return the two notations of one amount, "OCHOCIENTOS EUROS (800 €)", as one.

    It is None where they are two amounts.
    """
    one_in_words = (first.words_value is None) != (second.words_value is None)
    between = source.folded[first.end : second.start]
    if first.kind != second.kind or not one_in_words or ("(" not in between and "-" not in between):
        return None
    if len(between) > 32 or not _LINK.fullmatch(between):
        return None
    end = second.end + _CLOSING.match(source.folded[second.end : second.end + 24]).end()
    words, figure = (first, second) if first.words_value is not None else (second, first)
    joined = replace(
        words, quote=source.text[first.start : end], start=first.start, end=end,
        currency=figure.currency or words.currency, flag=figure.flag and words.flag,
    )  # fmt: skip
    return _compared(joined, figure.value)


def _heading_purpose(block: Block | None, source: FoldedText) -> Purpose:
    heading = fold(block.heading) if block is not None else ""
    cues = readers(source.tongue).purposes if source.foreign else PURPOSE_CUES
    cue = cues.find(heading).before(len(heading), 0)
    return cue[0] if cue else "other"


def _purpose(
    source: FoldedText,
    amount: Amount,
    between: tuple[int, int],
    cues: KeywordMatches[Purpose],
    block: Block | None,
) -> tuple[Purpose, int]:
    """Return what an amount is for, and where the words that say so end, if they follow it.

    `between` holds where such words of the amount before ended, and where the next amount begins.
    "En concepto de fianza" decides, else a word close before, else "… de fianza" right after, else the
    heading of its clause, else the nearest word of the sentence before, else after.
    """
    used, following = between
    floor, ceiling = source.window(amount.start, amount.end, 140, 140)
    floor, ceiling = max(floor, min(used, amount.start)), max(amount.end, min(ceiling, following))
    # "a) 19.800 euros, como señal; b) 178.200 euros": each item of a list speaks for itself.
    floor = max(floor, source.folded.rfind("; ", floor, amount.start) + 1)
    ahead = source.folded[amount.end : ceiling]
    stated = _STATED.match(ahead)
    labels = [stated] if stated is not None else []
    labels += [*islice(_LABELLED.finditer(ahead), 1), *islice(_AS.finditer(ahead), 2)]
    for label in labels:
        first = cues.after(amount.end + label.end(), ceiling)
        if first is not None and first[1] <= 1:
            return first[0], amount.end + label.end() + first[1] + 3
    before, after = cues.before(amount.start, floor), cues.after(amount.end, min(ceiling, amount.end + 60))
    of = after is not None and _OF.match(source.folded[amount.end : amount.end + after[1]]) is not None
    if after is not None and of:
        used = amount.end + after[1] + 3
    if before is not None and before[1] <= _CLOSE:
        return before[0], used
    if after is not None and of:
        return after[0], used
    purpose = _heading_purpose(block, source)
    if purpose != "other":
        return purpose, used
    if before is not None:
        return before[0], used
    if after is None or after[0] == "tax" or _APART.search(source.folded[amount.end : amount.end + after[1]]):
        # "1.210 € (IVA incluido)" is a price; "430 euros, con un interés del 3 %" is not the interest.
        return "other", used
    sentence_end = source.window(amount.end, amount.end, 0, 200)[1]
    owner = cues.before(following, amount.end) if following <= sentence_end else None
    if owner is not None and owner[0] == after[0] and owner[1] <= _NEXT:
        return "other", used  # "10.000 euros, en 24 cuotas de 430 euros": the word speaks of the next amount
    return after[0], used


def _period(
    source: FoldedText, amount: Amount, between: tuple[int, int], cues: KeywordMatches[Period]
) -> Period | None:
    """Return the nearest word for how often: up to 45 characters after the figure, or 25 before it.

    A word right before the figure ("salario diario de") tells what the figure is, and goes first.

    `between` holds where the amount before ends and the next one begins.
    """
    floor, ceiling = source.window(amount.start, amount.end, 60, 45)
    floor, ceiling = max(floor, between[0]), max(amount.end, min(ceiling, between[1]))
    due = _DUE_EACH.search(source.folded[max(between[0], amount.start - 140) : amount.start])
    if due is not None:
        return _DUE[(due["each"] or due["each_en"])[0]]
    slash = _PER.match(source.folded[amount.end : ceiling])
    if slash is not None:
        return _PER_UNITS[slash.group(1)[0]]
    after, before = cues.after(amount.end, ceiling), cues.before(amount.start, floor)
    if after is not None and _APART.search(source.folded[amount.end : amount.end + after[1]]):
        after = None
    if before is not None:
        between_them = source.folded[amount.start - before[1] : amount.start]
        if _JOINED.fullmatch(between_them):
            return before[0]  # "un salario diario de 462 pesos, por semana": paid weekly, and reckoned by day
        if (
            set(between_them) & set(",;(")
            or ".." in between_them
            or " y " in between_them
            or " and " in between_them
        ):
            before = None
    if before is not None and before[1] <= 25 and (after is None or before[1] < after[1]):
        return before[0]
    return after[0] if after else None
