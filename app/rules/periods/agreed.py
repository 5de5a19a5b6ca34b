"""Compute the periods that a contract itself agrees: its end, its notices, what runs from its signature.

A day is told only with the words that agree the period and those that date its beginning. A period of which
the contract does not say from when it runs has no last day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from app.deadlines import Unit, add_months, civil, term_end
from app.rules.draft import Family
from app.rules.facts.context import of_earlier_relation
from app.rules.facts.document_facts import Facts
from app.rules.facts.evidence import passage
from app.rules.facts.time.date_ranges import is_term
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.durations import DeadlineUnit, Length, lengths
from app.rules.periods import agreed_words as words
from app.rules.periods.bases import Anchor, Bases
from app.text.bilingual import LANGUAGES, Bilingual
from app.text.expressions import group_span
from app.text.numerals import numerals, read_numeral
from app.text.sentences import FoldedText

_LONGEST_NUMERAL = 60


@dataclass(frozen=True, slots=True)
class Count:
    """How a day was counted: a length of time on from a day, or back from it."""

    day: date
    number: int
    unit: str
    back: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """A day computed from words of the document: what it is, how it was counted, and the words.

    `assumed` says what the day supposes, such as that the contract ends as agreed;
    `other` is the day by the other usage, where terms of contracts are counted in two.
    """

    id: str
    what: Bilingual
    due: date
    since: date
    formula: Count | Bilingual
    quotes: tuple[str, ...]
    assumed: Bilingual | None = None
    other: date | None = None

    @property
    def stated(self) -> bool:
        """Tell whether the document states the day itself."""
        return self.formula == words.STATED


@dataclass(frozen=True, slots=True)
class _Day:
    """The first or last day of the contract, with the words that give it."""

    day: date
    quote: str
    formula: Count | None = None
    start: int = -1


class _Reader:
    """Reader of the periods of one contract."""

    def __init__(self, facts: Facts, bases: Bases, kind: str) -> None:
        self.kind = kind
        self.source = facts.source
        self.facts = facts
        self.whole = [item for item in facts.dates if item.iso is not None]
        self.signature = bases.first("signature")
        self.handover = bases.first("handover")
        self.lengths = list(lengths(self.source))
        self.begun: _Day | None = None
        self.start = self._start()
        self.end = self._end()

    # The contract's own days

    def _start(self) -> _Day | None:
        """Return the first day of the contract: stated, else that of its signature where it says so."""
        for at, item in enumerate(self.whole):
            if self._earlier(item.start):
                continue
            following = self.whole[at + 1] if at + 1 < len(self.whole) else None
            ranged = following is not None and is_term(self.source, item.start, item.end, following.start)
            if (
                ranged
                and following is not None
                and self.signature is not None
                and _iso(following) <= self.signature.day
            ):
                continue  # an earlier contract
            before = self.source.before(item.start, 110)
            told = words.STARTS.search(before) is not None and words.NOT_A_TERM.search(before[-45:]) is None
            if ranged or told or words.START_BEHIND.search(self.source.after(item.end, 90)) is not None:
                return _Day(_iso(item), self._quote(item.start, item.end), start=item.start)
        return None

    def _end(self) -> _Day | None:
        """Return the last day of the contract: stated, else its first day and its length."""
        begun = self.start or self._signed()
        computed = self._computed_end()
        found: list[_Day] = []
        for at, item in enumerate(self.whole):
            if self._earlier(item.start) or any(
                day is not None and _iso(item) <= day.day for day in (begun, self.signature)
            ):
                continue
            before = self.source.before(item.start, 160)
            ranged = at > 0 and is_term(
                self.source, self.whole[at - 1].start, self.whole[at - 1].end, item.start
            )
            # "Nueve meses, hasta el 31 de mayo": the end of the length beside it, whatever it is of.
            ends_it = computed is not None and abs((_iso(item) - computed.day).days) <= 1
            told = (
                words.ENDS.search(before) is not None
                and (ends_it or words.END_OF_CONTRACT.search(before) is not None)
                and words.NOT_THE_END.search(before) is None
            )
            lent = self.kind in words.LENT and self._is_return(before)
            if ranged or told or lent:
                found.append(_Day(_iso(item), self._quote(item.start, item.end), start=item.start))
        if found:
            first = found[0]
            # "Por un año, hasta el 31 de mayo …, prorrogable hasta cinco": the first end is that of the term.
            near = [one for one in found if computed is not None and abs((one.day - computed.day).days) <= 1]
            return near[0] if near else first if computed is None or len(found) == 1 else computed
        return computed

    @staticmethod
    def _is_return(before: str) -> bool:
        """Tell whether the words before a day say that all that was lent is given back on it."""
        found = words.RETURNED.search(before)
        return found is not None and words.IN_PARTS.search(found[0]) is None

    def _computed_end(self) -> _Day | None:
        for length in self.lengths:
            if not self._is_term(length):
                continue
            quote = self._quote(length.start, length.end)
            behind = self.source.after(length.end, 60)
            around = self.source.before(length.start, 120) + behind
            begun = self.start
            if words.FROM_SIGNING.search(around) is not None:
                begun = self._signed() or begun
            elif (named := self._named_behind(length)) is not None:
                begun = named
            elif words.RUNS_FROM.match(behind) is not None and words.FROM_START.match(behind) is None:
                continue  # from a day that the document does not give
            if begun is None:
                begun = self._signed()
            if begun is None:
                return None
            self.begun = begun
            # What is lent for a year from 1 May is due on 1 May; a lease of a year ends on 30 April.
            due = _counted(begun.day, length, inclusive=self.kind not in words.LOANS)
            if due is None:
                return None
            return _Day(due, quote, _formula(begun.day, length, "+"), length.start)
        return None

    def _named_behind(self, length: Length) -> _Day | None:
        """Return the day that the words right behind a length count it from: "desde el 1 de mayo"."""
        for item in self.whole:
            if not 0 <= item.start - length.end <= 45:
                continue
            if words.RUNS_FROM_DATE.match(self.source.folded[length.end : item.start + 1]) is not None:
                return _Day(_iso(item), self._quote(item.start, item.end), start=item.start)
        return None

    def _is_term(self, length: Length) -> bool:
        if length.unit == "hour" or length.number > 1_000:
            return False
        before = self.source.before(length.start, 110)
        behind = self.source.after(length.end, 60)
        named = words.TERM_BEFORE.search(before) is not None
        heading = self.source.folded[max(length.start - 40, 0) : length.start]
        table = words.TABLE_TERM.search(heading) is not None
        bare = before.strip(" .:-") == "" and words.TERM_BEHIND.search(behind) is not None
        lent = (
            self.kind in words.LENT
            and words.RETURNED_AFTER.search(before) is not None
            and words.OF_SIGNING.match(behind) is not None
        )
        if lent:
            return not self._earlier(length.start)
        if not (named or table or bare):
            return False
        if words.NOT_A_TERM.search(before[-70:]) is not None or self._earlier(length.start):
            return False
        return words.AFTER_TERM.match(behind) is None

    def _signed(self) -> _Day | None:
        if self.signature is None:
            return None
        return _Day(
            self.signature.day,
            self._quote(self.signature.start, self.signature.end),
            start=self.signature.start,
        )

    def _earlier(self, offset: int) -> bool:
        return of_earlier_relation(self.source, offset, contract=True)

    def _quote(self, start: int, end: int) -> str:
        first, last = passage(self.source, start, end, 180)
        return self.source.text[first:last]

    # What the contract agrees

    def term(self) -> Iterator[Period]:
        """Yield the end of the contract."""
        end = self.end
        if end is None:
            return
        begun = self.begun or self.start or self._signed()
        formula = end.formula or words.STATED
        quotes: tuple[str, ...] = (end.quote,)
        assumed = None
        if end.formula is not None and begun is not None:
            quotes = tuple(dict.fromkeys((end.quote, begun.quote)))
            signed = self._signed()
            if (
                signed is not None
                and begun.start == signed.start
                and self.start is None
                and words.FROM_SIGNING.search(_folded(self.source, end.quote)) is None
            ):
                assumed = words.COUNTED_FROM_SIGNING
        since = begun.day if begun is not None else end.day
        what, other = words.TERM_END, None
        if end.formula is not None:
            if self.kind == "nda":
                what = words.DUTIES
            elif self.kind not in words.LOANS:
                other = end.day + timedelta(days=1)
        yield Period("term_end", what, end.day, since, formula, quotes, assumed, other)

    def notices(self) -> Iterator[Period]:
        """Yield the last day to oppose a renewal: the end of the contract less the notice."""
        end = self.end
        if end is None:
            return
        for length in self.lengths:
            if length.unit == "hour":
                continue
            first, last = self.source.sentence(length.start)
            sentence = self.source.folded[max(first, length.start - 260) : min(last, length.end + 160)]
            near = self.source.folded[max(first, length.start - 70) : min(last, length.end + 70)]
            ahead = self._clear(length.end, min(last, length.end + 45))
            if words.NOTICE.search(self.source.folded[length.end : ahead]) is None and (
                words.NOTICE_BEFORE.search(self.source.before(length.start, 45)) is None
            ):
                continue
            renewal = words.RENEWAL.search(sentence) is not None
            at_end = (
                words.AT_END.search(self.source.folded[length.end : min(last, length.end + 90)]) is not None
            )
            if not (renewal or (at_end and words.TELLS_END.search(sentence) is not None)):
                continue
            if words.OTHER_NOTICE.search(near) is not None and not (
                renewal and words.OPPOSES.search(sentence) is not None
            ):
                continue
            if words.EACH_RENEWAL.match(self.source.after(length.end, 40)) is not None:
                continue
            due = _back(end.day, length)
            if due is None or (self.signature is not None and due <= self.signature.day):
                continue
            quote = self._quote(length.start, length.end)
            yield Period(
                "renewal_notice",
                words.LAST_NOTICE,
                due,
                end.day,
                _formula(end.day, length, "-"),
                tuple(dict.fromkeys((quote, end.quote))),
                None if end.formula is None else words.END_COMPUTED,
            )

    def _clear(self, start: int, end: int) -> int:
        """Return how far from `start` towards `end` the words reach before another length of time."""
        return min((one.start for one in self.lengths if start <= one.start < end), default=end)

    def from_days(self) -> Iterator[Period]:
        """Yield the periods that run from the signature, the first day or the handover."""
        for length in self.lengths:
            if length.unit == "hour" or length.number > 1_000:
                continue
            begun = self._runs_from(length)
            if begun is None:
                continue
            due = _counted(begun.day, length, inclusive=False)
            if due is None or self._earlier(length.start):
                continue
            what = self._what(length)
            if self._loses(length):
                continue  # "la acción caducará a los diez días": nothing has happened that it could run from
            if what is None:
                what = words.AGREED
            quotes = tuple(dict.fromkeys((self._quote(length.start, length.end), begun.quote)))
            formula = _formula(begun.day, length, "+")
            yield Period("agreed", what, due, begun.day, formula, quotes)
            yield from self._cliffs(length, begun, what)

    def _runs_from(self, length: Length) -> _Day | None:
        behind = self.source.after(length.end, 130)
        before = self.source.before(length.start, 150)
        if words.BACKWARDS.match(behind) is not None or self._is_term(length):
            return None
        match = words.FROM.match(behind)
        if match is not None:
            told = behind[match.end() :]
            event = behind[: match.end() + 70]
            head = told[:60].partition(",")[0]
            if (other := words.OF_ELSE.search(head)) is not None:
                return self._event_day(other[0], length)
            if words.SIGNING.match(f" {head}") is not None or words.TODAY_IS.match(told) is not None:
                return self._signed()
            if words.STARTING.match(f" {head}") is not None:
                # A contract without a first day of its own begins when it is signed.
                return self.start
            if words.HANDING.match(f" {head}") is not None and self.handover is not None:
                at = self.handover
                return _Day(at.day, self._quote(at.start, at.end))
            named = next(
                (item for item in self.whole if 0 <= item.start - length.end <= match.end() + 12), None
            )
            if named is not None and words.RUNS_FROM_DATE.match(event) is not None:
                return _Day(_iso(named), self._quote(named.start, named.end))
            return None
        if words.TODAY.search(before + behind) is not None and words.CLIFF.search(before) is None:
            return self._signed()
        return None

    def _event_day(self, event: str, length: Length) -> _Day | None:
        """Return the one day that the document gives for an event, after its own and outside the period."""
        same = next((one for one in words.EVENTS if one.search(event) is not None), None)
        if same is None or words.EACH_TIME.search(self.source.before(length.start, 90)) is not None:
            return None
        found: dict[date, _Day] = {}
        for item in self.whole:
            first, last = self.source.sentence(item.start)
            sentence = self.source.folded[max(first, item.start - 160) : min(last, item.end + 80)]
            signed = self.signature is not None and _iso(item) <= self.signature.day
            if signed or first <= length.start < last or same.search(sentence) is None:
                continue
            found[_iso(item)] = _Day(_iso(item), self._quote(item.start, item.end), start=item.start)
        return next(iter(found.values())) if len(found) == 1 else None

    def _cliffs(self, length: Length, begun: _Day, what: Bilingual) -> Iterator[Period]:
        """Yield what falls due inside a longer period: "un 25 % al cumplirse doce meses"."""
        for other in self.lengths:
            if not 0 < other.start - length.end <= 120:
                continue
            if words.CLIFF.search(self.source.before(other.start, 40)) is None:
                continue
            due = _counted(begun.day, other, inclusive=False)
            if due is None:
                continue
            yield Period(
                "agreed",
                Bilingual(f"primera parte: {what.es}", f"first part: {what.en}"),
                due,
                begun.day,
                _formula(begun.day, other, "+"),
                (self._quote(other.start, other.end), begun.quote),
            )

    def _what(self, length: Length) -> Bilingual | None:
        first, last = self.source.sentence(length.start)
        sentence = self.source.folded[max(first, length.start - 200) : min(last, length.end + 160)]
        return next(
            (what for words, what in words.FROM_DATE_WHAT if words.search(sentence) is not None), None
        )

    def _loses(self, length: Length) -> bool:
        """Tell whether a period is that of an action, which is lost after it."""
        first, last = self.source.sentence(length.start)
        near = self.source.folded[max(first, length.start - 90) : min(last, length.end + 60)]
        return words.ACTION.search(near) is not None

    def after_end(self) -> Iterator[Period]:
        """Yield what binds after the contract: until when, if it ends as agreed."""
        end = self.end
        if end is None:
            return
        for length in self.lengths:
            if length.unit not in ("month", "year") or length.number > 1_000:
                continue
            first, last = self.source.sentence(length.start)
            low, high = max(first, length.start - 200), min(last, length.end + 160)
            before, behind = self.source.folded[low : length.start], self.source.folded[length.end : high]
            if (
                words.AFTER_END.search(behind[:70]) is None
                and words.AFTER_END.search(before[-90:]) is None
                and words.MORE.match(behind) is None
            ):
                continue
            what = next(
                (name for words, name in words.AFTER_WHAT if words.search(before + behind) is not None), None
            )
            due = _counted(end.day, length, inclusive=False)
            if what is None or due is None:
                continue
            quotes = tuple(dict.fromkeys((self._quote(length.start, length.end), end.quote)))
            yield Period(
                "after_end", what, due, end.day, _formula(end.day, length, "+"), quotes, words.IF_IT_ENDS
            )

    def anniversaries(self) -> Iterator[Period]:
        """Yield the anniversaries of the first day that the contract names."""
        begun = self.start or self._signed()
        if begun is None:
            return
        for match in words.ON_ANNIVERSARY.finditer(self.source.folded):
            if (
                words.STARTING.match(" " + match["of"]) is None
                and words.SIGNING.match(" " + match["of"]) is None
            ):
                continue
            years = next(
                at for at, words in enumerate(words.ORDINALS, start=1) if match["count"] in words.split()
            )
            length = Length(match.start(), match.end(), years, "year", False)
            due = _counted(begun.day, length, inclusive=False)
            if due is None:
                continue
            what = self._what(length) or words.ANNIVERSARY
            quotes = tuple(dict.fromkeys((self._quote(match.start(), match.end()), begun.quote)))
            yield Period("agreed", what, due, begun.day, _formula(begun.day, length, "+"), quotes)

    def trial(self) -> Iterator[Period]:
        """Yield the end of a trial period: from the first day of the contract."""
        begun = self.start
        if begun is None:
            return
        for length in self.lengths:
            near = self.source.before(length.start, 60) + self.source.after(length.end, 40)
            if (
                length.unit == "hour"
                or words.TRIAL.search(near) is None
                or words.NO_TRIAL.search(near) is not None
            ):
                continue
            due = _counted(begun.day, length, inclusive=True)
            if due is None:
                continue
            quotes = tuple(dict.fromkeys((self._quote(length.start, length.end), begun.quote)))
            yield Period(
                "trial_end", words.TRIAL_END, due, begun.day, _formula(begun.day, length, "+"), quotes
            )
            return

    def instalments(self) -> Iterator[Period]:
        """Yield the last of a number of monthly payments of which the first is dated."""
        folded = self.source.folded
        for match in words.INSTALMENTS.finditer(folded):
            count = (
                int(match["count"])
                if match["count"].isdigit()
                else _ending_at(folded, group_span(match, "count")[1])
            )
            first, last = self.source.sentence(match.start())
            sentence = folded[max(first, match.start() - 60) : min(last, match.end() + 120)]
            if not count or not 1 < count <= 600 or words.NOT_MONTHLY.search(sentence) is not None:
                continue
            begun = next(
                (
                    item
                    for item in self.whole
                    if 0 < item.start - match.end() < 260
                    and item.start < last + 1
                    and words.FIRST_ONE.search(folded[match.end() - 1 : item.start]) is not None
                ),
                None,
            )
            if begun is None:
                continue
            stated = next(
                (
                    item
                    for item in self.whole
                    if begun.end <= item.start <= min(last, begun.end + 90)
                    and words.LAST_ONE.search(folded[begun.end : item.start]) is not None
                ),
                None,
            )
            if stated is not None:
                stated_words = (self._quote(stated.start, stated.end),)
                told = words.STATED
                yield Period(
                    "last_instalment", words.LAST_PAYMENT, _iso(stated), _iso(begun), told, stated_words
                )
                return
            due = add_months(_iso(begun), count - 1)
            formula = Bilingual(
                f"{count} pagos mensuales, el primero el {_day_es(_iso(begun))}",
                f"{count} monthly payments, the first on {_day_en(_iso(begun))}",
            )
            quotes = tuple(
                dict.fromkeys((self._quote(match.start(), match.end()), self._quote(begun.start, begun.end)))
            )
            yield Period("last_instalment", words.LAST_PAYMENT, due, _iso(begun), formula, quotes)
            return

    def review(self) -> Iterator[Period]:
        """Yield the first review of an interest rate that is fixed at the beginning."""
        day = self._signed()
        match = words.FIXED_RATE.search(self.source.folded)
        if (
            day is None
            or match is None
            or words.REVISED.search(self.source.folded[match.end() : match.end() + 500]) is None
        ):
            return
        count: int | None = 1
        unit = "year"
        for counted, named in (("count", "unit"), ("count2", "unit2")):
            if match[named] is not None:
                unit = "month" if match[named].startswith("m") else "year"
                spelt = match[counted]
                count = 1 if not spelt else int(spelt) if spelt.isdigit() else _numeral(spelt)
        if not count or count > 40:
            return
        length = Length(match.start(), match.end(), count, "month" if unit == "month" else "year", False)
        due = _counted(day.day, length, inclusive=False)
        if due is not None:
            quotes = (self._quote(match.start(), min(match.start() + 40, match.end())), day.quote)
            yield Period(
                "rate_review",
                words.REVIEW,
                due,
                day.day,
                _formula(day.day, length, "+"),
                quotes,
                words.COUNTED_FROM_SIGNING,
            )


@dataclass(frozen=True, slots=True)
class Contract:
    """The periods that a contract agrees, and the days of its document with its own first and last day."""

    periods: tuple[Period, ...]
    bases: Bases


def read_contract(facts: Facts, bases: Bases, family: Family, kind: str) -> Contract:
    """Compute the days on which the periods agreed in a contract end, each once; none for other documents.

    Args:
        facts: what the document states.
        bases: the days from which periods run; `start` and `end` are added to them.
        family: the family of its kind.
        kind: its kind.
    """
    if family not in ("contract", "unknown") or kind in words.NO_CONTRACT:
        return Contract((), bases)
    reader = _Reader(facts, bases, kind)
    found: dict[tuple[str, date], Period] = {}
    for period in (
        *reader.term(),
        *reader.notices(),
        *reader.trial(),
        *reader.from_days(),
        *reader.anniversaries(),
        *reader.instalments(),
        *reader.review(),
        *reader.after_end(),
    ):
        found.setdefault((period.what.en, period.due), period)
    days = dict(bases.days)
    begun, signed = reader.start, bases.first("signature")
    # A home is handed over when the lease begins, where the document names no other day.
    if (
        begun is not None
        and begun.start >= 0
        and not bases.get("handover")
        and (signed is None or begun.day > signed.day)
    ):
        days["lease_start"] = (Anchor(begun.day, begun.start, begun.start + 1),)
    for part, day in (("start", reader.start), ("end", reader.end)):
        if day is not None and day.start >= 0:
            days[part] = (Anchor(day.day, day.start, day.start + 1),)
    return Contract(tuple(found.values()), Bases(days))


def _iso(item: DateMention) -> date:
    assert item.iso is not None
    return date.fromisoformat(item.iso)


def _folded(source: FoldedText, quote: str) -> str:
    at = source.text.find(quote)
    return source.folded[at : at + len(quote) + 60] if at >= 0 else ""


def _counted(start: date, length: Length, *, inclusive: bool) -> date | None:
    """Return the last day of a period; `inclusive` counts its first day, as terms of contracts do."""
    unit = length.unit
    if unit in ("hour", "window") or (unit == "year" and length.number > words.LONGEST_YEARS):
        return None
    try:
        counted = term_end if inclusive else civil
        return counted(start, length.number, _unit(unit)).due
    except ValueError:
        return None


def _back(end: date, length: Length) -> date | None:
    """Return the day that lies a period before the end of the contract."""
    if length.unit in ("month", "year"):
        months = length.number * (12 if length.unit == "year" else 1)
        return add_months(end, -months) if months <= 600 else None
    if length.unit in ("day", "natural_day", "week") and length.number <= 1_000:
        return end - timedelta(days=length.number * (7 if length.unit == "week" else 1))
    return None


def _unit(unit: DeadlineUnit) -> Unit:
    assert unit not in ("hour", "window")
    return unit  # type: ignore[return-value]


def _formula(day: date, length: Length, sign: str) -> Count:
    return Count(day, length.number, length.unit, back=sign == "-")


def _day_es(day: date) -> str:
    return f"{day:%d/%m/%Y}"


def _day_en(day: date) -> str:
    return day.isoformat()


def _numeral(spelt: str) -> int | None:
    return read_numeral(spelt, "es") or read_numeral(spelt, "en")


def _ending_at(folded: str, end: int) -> int | None:
    """Return the number in words that ends at `end`, with all its words: 360 of "trescientas sesenta"."""
    words = folded[max(end - _LONGEST_NUMERAL, 0) : end]
    found = [one for language in LANGUAGES for one in numerals(words, language) if one.end == len(words)]
    return min(found, key=lambda one: one.start).value if found else None
