"""Tell the values that a contract states, so that those of two versions can be compared. Pure.

Money, percentages, dates, lengths of time, days of the month and the names of the parties, as the readers of
facts find them, each with a plain value that does not depend on how it is written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from app.rules.facts.document_facts import Facts
from app.rules.facts.money.amounts import Amount
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.deadlines import Deadline
from app.rules.facts.time.durations import Length, lengths
from app.rules.render import wording
from app.text.bilingual import LANGUAGES, Bilingual

ValueKind = Literal["money", "percentage", "date", "duration", "day_of_month", "party"]
VALUE_KINDS: tuple[ValueKind, ...] = get_args(ValueKind)

# The article of the nouns by which values are named; of others it is "el".
_FEMININE: Final = frozenset(
    [
        "renta", "garantía", "penalización", "indemnización", "cuota", "multa", "cantidad", "duración",
        "prórroga", "subsanación", "entrega", "contestación", "prescripción", "confidencialidad",
        "conservación", "presentación", "fianza", "fecha", "parte", "persona", "empresa", "devolución",
        "aseguradora",
    ]
)  # fmt: skip
_ARTICLES: Final = {
    **dict.fromkeys(_FEMININE, "la"),
    "honorarios": "los",
    "gastos": "los",
    "vacaciones": "las",
    "no": "",
}
_LAST_DAY: Final = 31
_DIGITS: Final = re.compile(r"\d+")
_WHOLE_PART: Final = re.compile(r"(?<![\d.,])(\d{1,4})[.,]\Z")
_LONGEST_WHOLE, _THOUSAND = 6, 3


@dataclass(frozen=True, slots=True)
class StatedValue:
    """One value: `text[start:end] == quote`.

    Attributes:
        kind: what it is.
        quote: the words of the document.
        start: offset of the first of them, in code points.
        end: offset behind the last of them.
        value: a plain form: a decimal number, an ISO 8601 date or duration, "1-5" for days of the month, a
            name with its blanks tidied.
        unit: the currency (ISO 4217) and how often, such as "EUR month"; of days, whether they are business
            or calendar days; of a party, its part.
        role: what it is for, "other" where the words beside it do not say.
        subject: the same as the subject of a sentence: "la renta", "the rent".
        said: how a reader is told the value: "1.000 € al mes", "€1,000 per month".
    """

    kind: ValueKind
    quote: str
    start: int
    end: int
    value: str
    unit: str
    role: str
    subject: Bilingual
    said: Bilingual

    def same(self, other: StatedValue) -> bool:
        """Return whether both state the same value."""
        return (self.kind, self.value, self.unit) == (other.kind, other.value, other.unit)


def read_values(facts: Facts) -> tuple[StatedValue, ...]:
    """Return the values that a document states, in order; one of a party at the first place it is named."""
    periods = {(item.start, item.end): item for item in facts.deadlines}
    found = [
        *map(_of_amount, facts.amounts),
        *(_of_date(item) for item in facts.dates if item.iso is not None),
        *_of_lengths(facts, periods),
        *(_of_days(item) for item in facts.deadlines if item.days is not None),
        *_of_parties(facts),
    ]
    return tuple(sorted(found, key=lambda item: (item.start, item.end)))


def _of_amount(item: Amount) -> StatedValue:
    unit = " ".join(filter(None, (item.currency, item.period)))
    # "A penalty of 2 per cent": a percentage is named by itself unless its words say what it is for.
    subject = _subject(wording.PURPOSES[item.purpose])
    if item.purpose == "other" and item.kind == "percentage":
        subject = Bilingual("el porcentaje", "the percentage")
    return StatedValue(
        item.kind, item.quote, item.start, item.end, f"{item.value.normalize():f}", unit, item.purpose,
        subject,
        Bilingual(*(wording.amount(item, language) for language in LANGUAGES)),
    )  # fmt: skip


def _of_date(item: DateMention) -> StatedValue:
    assert item.iso is not None
    iso = item.iso
    return StatedValue(
        "date", item.quote, item.start, item.end, iso, "", item.role, _subject(wording.DATE_ROLES[item.role]),
        Bilingual(f"el {wording.day(iso, 'es')}", wording.day(iso, "en")),
    )  # fmt: skip


def _of_lengths(facts: Facts, periods: dict[tuple[int, int], Deadline]) -> Iterator[StatedValue]:
    starts = sorted(periods)
    for item in lengths(facts.source):
        known = periods.get((item.start, item.end)) or _around(item, periods, starts)
        purpose = known.purpose if known is not None else "other"
        letter, time = {"hour": ("H", "T"), "week": ("W", ""), "month": ("M", ""), "year": ("Y", "")}.get(
            item.unit, ("D", "")
        )
        unit = item.unit.removesuffix("_day") if item.unit in ("business_day", "natural_day") else ""
        start, number, said = _whole_number(facts.source.text, item)
        yield StatedValue(
            "duration", facts.source.text[start : item.end], start, item.end, f"P{time}{number}{letter}",
            unit, purpose, _subject(wording.DEADLINE_PURPOSES[purpose]), said,
        )  # fmt: skip


def _whole_number(text: str, item: Length) -> tuple[int, str, Bilingual]:
    """Return where the number of a length begins, the number, and the length as it is told.

    A length such as "38,5 horas" was read from behind its comma.
    """
    rest = _DIGITS.match(text, item.start)
    whole = _WHOLE_PART.search(text[max(item.start - _LONGEST_WHOLE, 0) : item.start])
    if rest is None or whole is None:
        said = Bilingual(*(wording.duration(item.number, item.unit, language) for language in LANGUAGES))
        return item.start, str(item.number), said
    start = item.start - len(whole[0])
    # Three figures behind the sign are thousands.
    number = f"{whole[1]}{'' if len(rest[0]) == _THOUSAND else '.'}{rest[0]}"
    words = " ".join(text[start : item.end].split())
    return start, number, Bilingual(words, words)


def _around(
    item: Length, periods: dict[tuple[int, int], Deadline], starts: list[tuple[int, int]]
) -> Deadline | None:
    """Return the period whose words hold those of a length."""
    at = bisect_right(starts, (item.start, item.end)) - 1
    if at < 0 or starts[at][1] < item.end:
        return None
    return periods[starts[at]]


def _of_days(item: Deadline) -> StatedValue:
    assert item.days is not None
    first, last = item.days
    said = Bilingual(f"el día {first} de cada mes", f"day {first} of each month")
    if first != last:
        said = Bilingual(
            f"los días {first} a {last} de cada mes" if last < _LAST_DAY else f"a partir del día {first}",
            f"days {first} to {last} of each month" if last < _LAST_DAY else f"from day {first}",
        )
    return StatedValue(
        "day_of_month", item.quote, item.start, item.end, f"{first}-{last}", "", item.purpose,
        _subject(wording.DEADLINE_PURPOSES[item.purpose]), said,
    )  # fmt: skip


def _of_parties(facts: Facts) -> Iterator[StatedValue]:
    for item in facts.parties:
        role = item.role_key or "other"
        named = wording.ROLES.get(role, Bilingual("interviniente", "person named"))
        yield StatedValue(
            "party", item.quote, item.start, item.end, item.name, role, role, _subject(named),
            Bilingual(item.name, item.name),
        )  # fmt: skip


def _subject(name: Bilingual) -> Bilingual:
    """Return a name with its definite article, as the subject of a sentence."""
    es = wording.lower_first(name.es)
    article = _ARTICLES.get(es.split(maxsplit=1)[0], "el")
    return Bilingual(f"{article} {es}".strip(), f"the {wording.lower_first(name.en)}")
