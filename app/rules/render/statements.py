"""Write facts, clauses, risks and checklists as statements, in the language of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any

from app.rules.document import Document
from app.rules.draft import Family, Lock, Section, Statement
from app.rules.facts.certainty import (
    is_before,
    is_sure_date,
    is_sure_period,
)
from app.rules.facts.context import of_earlier_relation
from app.rules.facts.document_facts import Facts
from app.rules.facts.evidence import passage
from app.rules.facts.obligations import Obligation
from app.rules.facts.provided import (
    granted,
    is_denied,
    limits,
    merely_told,
    names_law,
    of_law,
    time_of_day,
)
from app.rules.facts.sections import Block, block_at
from app.rules.facts.time.dates import DateMention
from app.rules.facts.time.deadlines import Deadline
from app.rules.facts.time.durations import lengths
from app.rules.periods import from_service, statutory
from app.rules.periods.agreed import Count, Period
from app.rules.periods.bases import Anchor, Bases, Stated, Upcoming
from app.rules.periods.from_service import Counted
from app.rules.periods.interest import BASIS, DebtInterest
from app.rules.render import wording
from app.rules.render.advice import is_mere_check, parties_to, worded
from app.rules.render.amounts import AmountWriter
from app.rules.render.contested import Contested
from app.rules.render.stated_facts import cites, of_deadline
from app.rules.render.telling_words import (
    NOT_YET,
    OF_LAW,
    PARAGRAPH,
    RECITALS,
    REMEDY,
    STAMPED,
    TAKES_EFFECT,
    is_no_party,
)
from app.rules.rulebook.clauses import MissingClause, PresentClause
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.risks import Finding
from app.rules.rulebook.schema import ChecklistItem, Pattern, Term
from app.text.bilingual import Bilingual, Language, pick
from app.text.sentences import fold

_stated = partial(Statement, origin="rules")

_ASIDE = (", salvo festivos autonómicos o locales", ", regional and local holidays aside")
_ASIDE_ABROAD = (", salvo cierres y festivos locales", ", closings and local holidays aside")
_OF_CONSUMERS = "consumer_terms"
_CLAUSE_QUOTE = 140  # enough to find the clause; the risks quote what matters in full
_BEGUN_BEFORE = timedelta(days=60)  # work begins before the paper is signed, not by more
_AT_MOST = 24  # of each kind of fact; a reader wants the main ones, and the note says that some were left out


class StatementWriter:
    """Writer of statements about one document in one language."""

    def __init__(
        self, document: Document, facts: Facts, language: Language, family: Family, bases: Bases | None = None
    ) -> None:
        self.document = document
        self.bases = bases if bases is not None else Bases({})
        self.facts = facts
        self.language = language
        self.family = family
        self.omitted = 0
        self._told: set[str] = set()  # last days already given by a rule of law, not to be repeated
        self._agreed: set[str] = set()  # last days already given by the periods of a contract
        self._agreed_told = False  # whether the periods of a contract are told by `agreed`
        self._heading = next((block for block in facts.sections if block.style == "title"), None)
        self._computed: list[tuple[str, int, str]] = []  # words and lengths of which a day is told
        self._remedies_told = False  # whether the law's own time to appeal is told with its last day
        self.contested = Contested(document.text)

    def parties(self) -> Iterator[Statement]:
        """Yield one statement for each party, with its part where the document gives one."""
        seen: set[str] = set()
        for party in self.facts.parties:
            same = self.facts.source.tongue == self.language
            # "Los arrendatarios" are several: of one of them the plain name of the part is said.
            if is_no_party(self.facts.source, party, self.family):
                continue
            shared = party.role is not None and party.role_key and party.role.strip().lower().endswith("s")
            written = party.role if same and not shared else None
            label = wording.role(party.role_key, written, self.language)
            label = label or pick(self.language, "Interviniente", "Party named")
            key = f"{label}|{party.name.casefold()}"
            if key in seen:
                continue
            seen.add(key)
            identifier = f", {party.identifier}" if party.identifier else ""
            text = wording.sentence(f"{label}: {party.name}{identifier}")
            facts = {"role": party.role_key or ""}
            yield _stated(Section.PARTIES, text, quotes=(party.quote,), proposed=Lock.L1, facts=facts)

    def dates(self) -> Iterator[Statement]:
        """Yield one statement for each different date and role."""
        seen: set[tuple[str, str]] = set()
        roles = [self._date_role(item) for item in self.facts.dates]
        named = {item.iso for item, role in zip(self.facts.dates, roles, strict=True) if role != "other"}
        for item, role in zip(self.facts.dates, roles, strict=True):
            if item.iso is None or (role, item.iso) in seen or (role == "other" and item.iso in named):
                continue
            if self.family == "contract" and self.earlier(item.start):
                continue
            if STAMPED.search(self.facts.source.before(item.start, 40)) is not None:
                continue
            if role == "other" and self._abroad and OF_LAW.search(self.facts.source.before(item.start, 200)):
                continue
            seen.add((role, item.iso))
            label = wording.DATE_ROLES.get(role, wording.DATE_ROLES["other"]).in_(self.language)
            day = wording.day(item.iso, self.language)
            plain = f"{wording.DATE_ROLES['other'].in_(self.language)}: {day}." if role != "other" else None
            quote = self.facts.passage(item, 140)
            yield _stated(
                Section.DATES,
                f"{label}: {day}.",
                quotes=(quote,),
                proposed=Lock.L1,
                facts={"role": role, "date": item.iso},
                plain=plain,
            )

    def _date_role(self, item: DateMention) -> str:
        """Return what a day is of, "other" where the words leave it open or a risk is about it."""
        if self.earlier(item.start) or not self._dated(item):
            return "other"
        if item.role == "start" and not self.contract:
            # "Presta servicios desde 2014", "notificado el acuerdo de inicio": nothing of this takes effect.
            return "start" if TAKES_EFFECT.search(self.facts.source.before(item.start, 60)) else "other"
        tells = self.family in ("pleading", "ruling")
        if item.role == "end" and (
            tells or (self.contested.quotes_time(item.start, item.end) and not self.contract)
        ):
            return "other"
        if item.role in ("start", "end") and self.family == "contract" and self._before_signing(item):
            return "other"
        return item.role

    def _before_signing(self, item: DateMention) -> bool:
        """Tell whether a first or last day is another contract's: it lies long before the signature."""
        signed = self.bases.first("signature")
        if signed is None or item.iso is None:
            return False
        day = date.fromisoformat(item.iso)
        return day < signed.day - (_BEGUN_BEFORE if item.role == "start" else timedelta())

    @property
    def contract(self) -> bool:
        """Tell whether the document is a contract, or may be one."""
        return self.family in ("contract", "unknown")

    def _dated(self, item: DateMention) -> bool:
        return is_sure_date(self.facts.source, self.facts.sections, item)

    def earlier(self, offset: int) -> bool:
        """Tell whether the fact at `offset` belongs to an earlier relation.

        Such a fact plays no part in this one.
        """
        contract = self.family == "contract"
        return of_earlier_relation(self.facts.source, offset, contract=contract)

    def amounts(self, quantities: Mapping[str, Quantity], terms: Iterable[Term]) -> Iterator[Statement]:
        """Yield one statement for each different amount and purpose.

        It is named as the rules name it, if they do.
        """
        yield from AmountWriter(self.facts, self.language, self.family).write(quantities, terms)

    @property
    def _abroad(self) -> bool:
        return self.facts.source.jurisdiction[:2] != "ES"

    def deadlines(self) -> Iterator[Statement]:
        """Yield one statement for each period.

        One whose last day was computed names the rules of counting.
        """
        seen: set[tuple[object, ...]] = set()
        for item in self.facts.deadlines:
            if item.due in self._told or self._said_otherwise(item):
                continue
            contested = item.days is None and self.contested.quotes_time(item.start, item.end)
            if item.due is not None and (
                contested or item.due in self._agreed or not self._counted_surely(item)
            ):
                if self.earlier(item.start):
                    continue
                item = replace(item, due=None, start_date=None, rules=())
            sure = (item.due is not None and not self._is_named_nearby(item)) or is_sure_period(
                self.facts.source, self.facts.sections, item, contract=self.contract
            )
            purpose = item.purpose if sure else "other"
            key = (purpose, item.number, item.unit, item.trigger, item.due, item.days)
            if key in seen:
                continue
            seen.add(key)
            label = wording.DEADLINE_PURPOSES.get(purpose, wording.DEADLINE_PURPOSES["other"])
            quote = self.facts.passage(item, 180)
            length = wording.length(item.number, item.unit, item.days, self.language)
            facts = of_deadline(item, purpose)
            served = from_service.last_day(item, self.facts, self.family, self.bases)
            if served is not None and served.last.isoformat() in self._told:
                served = None
            remedy = self._remedies_told and REMEDY.search(fold(quote)) is not None
            if contested and purpose == "other":
                continue  # the risk tells it with its words
            if not contested and remedy and item.due is None and purpose not in _OF_REMEDIES:
                continue  # the law's own time, told apart, is that of the remedy
            if contested or (remedy and item.due is None):
                yield self._as_written(label.in_(self.language), length, quote, facts, contested=contested)
                continue
            if served is not None:
                yield self._from_service(label.in_(self.language), length, quote, served, item)
                continue
            if item.due is None and (
                (purpose == "other" and not self._limits(item)) or self._is_computed(item, quote)
            ):
                continue
            if item.due is None and purpose == "other" and self._is_nobodys(item):
                continue
            if item.due is None:
                text = f"{label.in_(self.language)}: {length}."
                # "Antes del día 5" is not the fifth.
                proposed = Lock.L4 if item.days and is_before(self.facts.source, item.start) else Lock.L1
                unnamed = wording.DEADLINE_PURPOSES["other"].in_(self.language)
                plain = f"{unnamed}: {length}." if purpose != "other" and self._limits(item) else ""
                yield _stated(
                    Section.DEADLINES, text, quotes=(quote,), proposed=proposed, facts=facts, plain=plain
                )
                continue
            self._told.add(item.due)
            due = wording.day(item.due, self.language)
            since = wording.day(item.start_date, self.language) if item.start_date else ""
            counted = (
                pick(self.language, f", contado desde el {since}", f", counted from {since}") if since else ""
            )
            # A civil term runs through holidays; any other last day depends on them.
            civil = all(rule.key.startswith(("civil", "term")) for rule in item.rules)
            aside = "" if civil else pick(self.language, *_ASIDE)
            text = f"{label.in_(self.language)}: {length}{counted}; " + pick(
                self.language, f"termina el {due}{aside}.", f"it ends on {due}{aside}."
            )
            citations = tuple(
                dict.fromkeys([*filter(None, [item.basis]), *(rule.basis for rule in item.rules)])
            )
            yield _stated(Section.DEADLINES, text, quotes=(quote,), citations=citations, facts=facts)

    def _is_nobodys(self, item: Deadline) -> bool:
        """Tell whether a length of time without a name is no time that the document gives anybody."""
        if self.facts.source.foreign:
            return False
        given = self.contract or granted(self.facts.source, item.start)
        return not given or names_law(self.facts.source, item.start, item.end)

    def _is_named_nearby(self, item: Deadline) -> bool:
        """Tell whether a counted period of a contract has its name only from words somewhere before it."""
        return self.contract and item.purpose in _NAMED_NEARBY and not self.facts.source.foreign

    def _said_otherwise(self, item: Deadline) -> bool:
        """Tell whether a length of time is what others provide, or recounts, or is denied: no period of this.

        One with its last day is of the document all the same, unless it is a law's.
        """
        source = self.facts.source
        if source.foreign:
            return False
        if item.unit == "hour" and time_of_day(source, item.start):
            return True
        if item.due is not None:
            return False
        return (
            (
                of_law(source, item.start)
                and not from_service.last_day(item, self.facts, self.family, self.bases)
            )
            or merely_told(source, item.start, item.end)
            or is_denied(source, item.start)
        )

    def _limits(self, item: Deadline) -> bool:
        """Tell whether a period of no named purpose is at least the time within which something is done."""
        told = item.days is None and (item.trigger is not None or item.purpose != "other")
        return told and limits(self.facts.source, item.start, item.end)

    def _is_computed(self, item: Deadline, quote: str) -> bool:
        """Tell whether the last day of the same period is told already."""
        return any(
            number == item.number and unit == item.unit and (quote in words or words in quote)
            for words, number, unit in self._computed
        )

    def _as_written(
        self, label: str, length: str, quote: str, facts: dict[str, str], *, contested: bool
    ) -> Statement:
        """Return the statement of a period that the document gives and the law does not: without a day."""
        text = f"{label}, {pick(self.language, 'según el documento', 'by the document')}: {length}"
        text += (_SEE_RISKS if contested else _LAW_APART).in_(self.language)
        return _stated(Section.DEADLINES, text, quotes=(quote,), facts=facts)

    def _from_service(
        self, label: str, length: str, quote: str, counted: Counted, item: Deadline
    ) -> Statement:
        """Return the statement of a period set by the document, counted from the day of its service."""
        anchor, last = counted.anchor, counted.last
        since, due = (wording.day(one.isoformat(), self.language) for one in (anchor.day, last))
        self._told.add(last.isoformat())
        aside = pick(self.language, *_ASIDE) if counted.holidays else ""
        text = f"{label}: {length}; " + pick(
            self.language,
            f"si corre desde que se notificó, el {since}, termina el {due}{aside}.",
            f"if it runs from service on {since}, it ends on {due}{aside}.",
        )
        quotes = tuple(dict.fromkeys((quote, self._anchored(anchor))))
        facts = of_deadline(item, item.purpose) | {
            "since": anchor.day.isoformat(),
            "until": last.isoformat(),
        }
        citations = tuple(dict.fromkeys([*filter(None, [item.basis]), *counted.law]))
        return _stated(Section.DEADLINES, text, quotes=quotes, citations=citations, facts=facts)

    def _counted_surely(self, item: Deadline) -> bool:
        """Tell whether the day from which a period was counted is the one it runs from.

        It is where the period's own words name it, or both of its days. Else the day was taken for its role
        alone: that must be the service of this act, and a contract's own periods are told by `agreed`.
        """
        if item.rules == ():
            own = self.bases.first("signature")
            past = own is not None and item.due is not None and item.due <= own.day.isoformat()
            return not past and not self.earlier(item.start)
        if item.trigger is None and NOT_YET.search(fold(self.facts.passage(item, 240))) is not None:
            return False
        if item.trigger_kind == "date":
            return True
        if from_service.runs_from_another(self.facts, item):
            return False
        if self.contract:
            return not self._agreed_told
        if item.trigger_kind not in ("notification", "receipt"):
            return True
        served = next(filter(None, map(self.bases.first, from_service.SERVICES)), None)
        return served is not None and served.day.isoformat() == item.start_date

    def obligations(self, obligations: Iterable[Obligation]) -> Iterator[Statement]:
        """Yield one statement for each duty, in the words of the document."""
        for item in obligations:
            bearer = item.bearer.in_(self.language)
            text = pick(self.language, f"Obliga {bearer}.", f"Binds {bearer}.")
            if self.contested.covers(item.span.start, item.span.end):
                text = pick(
                    self.language,
                    f"Dice obligar {bearer} (véanse los riesgos).",
                    f"Purports to bind {bearer} (see the risks).",
                )
            quote = self.document.text[item.span.start : item.span.end]
            if len(quote) > 320:
                quote = quote[:320].rsplit(maxsplit=1)[0]
            facts = {"bearer": item.bearer.en}
            yield _stated(Section.OBLIGATIONS, text, quotes=(quote,), proposed=Lock.L1, facts=facts)

    def present(self, clauses: Sequence[PresentClause], risks: Sequence[Statement]) -> Iterator[Statement]:
        """Yield where each clause stands, with its words.

        Those that a risk quotes already are not quoted again.
        """
        quoted = [quote for risk in risks for quote in risk.quotes[:1]]
        for item in clauses:
            where = self.where(item.span.start)
            text = f"{item.clause.name.in_(self.language)}{f': {where}' if where else ''}"
            quote = self.document.quote(item.span, limit=_CLAUSE_QUOTE)
            words = self.document.words(item.span)
            told = any(quote in other or other in quote for other in quoted)
            if told and len(words) <= _CLAUSE_QUOTE and sum(map(str.isalnum, words)) > 2:
                text += pick(self.language, " (véanse los riesgos)", " (see the risks)")
                quote = words
            text = f"{text}."
            # Words about it under another heading are no clause about it: told, but not vouched for.
            proposed = Lock.L1 if item.named else Lock.L4
            facts = {"clause": item.clause.id}
            yield _stated(Section.CLAUSES_PRESENT, text, quotes=(quote,), proposed=proposed, facts=facts)

    def missing(self, clauses: Sequence[MissingClause]) -> Iterator[Statement]:
        """Yield what was expected and not found, and what the law then supplies, where the rules state it."""
        for item in clauses:
            name = item.clause.name.in_(self.language)
            text = pick(self.language, f"{name}: no se ha encontrado.", f"{name}: not found.")
            citations: tuple[str, ...] = ()
            if item.absence is not None and item.absence.text is not None:
                text = f"{text} {item.absence.text.in_(self.language)}"
                citations = cites(item.absence.basis)
            facts = {"clause": item.clause.id}
            yield _stated(Section.CLAUSES_MISSING, text, citations=citations, facts=facts)

    def notes_on_clauses(
        self, clauses: Sequence[PresentClause], kind: str, risks: Sequence[Statement]
    ) -> Iterator[Statement]:
        """Yield what the law says about clauses that are present, unless a risk names its article already."""
        named = {citation for risk in risks for citation in risk.citations}
        for item in clauses:
            if item.clause.note is None or kind not in item.clause.note_kinds:
                continue
            if not named & set(cites(item.clause.note_basis)):
                text = f"{item.clause.name.in_(self.language)}: {item.clause.note.in_(self.language)}"
                facts = {"clause": item.clause.id}
                yield _stated(Section.REASONING, text, citations=cites(item.clause.note_basis), facts=facts)

    def checklist(self, items: Iterable[ChecklistItem], branch: str) -> Iterator[Statement]:
        """Yield the questions of the branch that the document leaves open."""
        name = wording.BRANCHES[branch].in_(self.language)
        head = pick(self.language, f"Por comprobar (rama {name}):", f"To be checked ({name} branch):")
        for item in items:
            if self._says(item.patterns) or (item.when and not self._says(item.when)):
                continue
            question = item.question.in_(self.language)
            facts = {"question": item.id}
            yield _stated(Section.REASONING, f"{head} {question}", citations=cites(item.basis), facts=facts)

    def _says(self, patterns: Iterable[Pattern]) -> bool:
        return any(self.document.find(pattern.compiled) is not None for pattern in patterns)

    def risk(self, finding: Finding) -> Statement:
        """Return the statement of a risk: what the document does, why it matters, on which law."""
        risk = finding.risk
        title, text = self._title(finding), self._filled(risk.text, finding)
        quotes = [quantity.quote for quantity in finding.comparison.evidence]
        quotes += [self.document.quote(span) for span in finding.spans]
        critical = risk.critical and not finding.alike
        return _stated(
            Section.RISKS,
            f"{title} {text}",
            quotes=tuple(dict.fromkeys(quotes)),
            citations=cites(risk.basis),
            proposed=Lock.L5C if critical else Lock.L4,
            severity=risk.severity,
            reason=text if critical else None,
            facts={"rule": risk.id} | ({"found_by": "likeness"} if finding.alike else {}),
        )

    def legal_deadline(self, finding: Finding) -> Statement | None:
        """Return the statement of a period that the law sets for such a document.

        Its last day is told where its first is known, else which datum is missing; None where the rule is
        silent without it.
        """
        risk = finding.risk
        text = f"{self._filled(risk.title, finding)} {self._filled(risk.text, finding)}"
        counted = statutory.count(risk.parameters, self.bases)
        if statutory.met(risk.parameters, counted, self.bases):
            return None
        facts = {"rule": risk.id}
        quotes: list[str] = []
        for one in counted:
            text += f" {self._dated_period(risk.parameters, one)}"
            self._told.update(day.isoformat() for day in one.days)
            quotes.append(self._anchored(one.since))
        if counted:
            facts |= {"since": counted[0].since.day.isoformat(), "until": counted[0].days[0].isoformat()}
            self._remedies_told |= REMEDY.search(fold(risk.title.es)) is not None
        elif risk.parameters.get("silent"):
            return None
        elif (name := statutory.missing(risk.parameters)) is not None:
            text += pick(
                self.language,
                f" Falta un dato para calcular el último día: {name.es}.",
                f" A datum is missing to compute the last day: {name.en}.",
            )
        return _stated(
            Section.DEADLINES,
            text,
            quotes=tuple(dict.fromkeys(quotes)),
            citations=cites(risk.basis),
            facts=facts,
        )

    def _dated_period(self, parameters: Mapping[str, Any], counted: statutory.Counted) -> str:
        """Return the sentence with the days that come of a period."""
        slots = {"since": wording.day(counted.since.day.isoformat(), self.language)}
        for at, day in enumerate(counted.days, start=1):
            slots[f"d{at}"] = wording.day(day.isoformat(), self.language)
        if parameters["calendar"] == "personal_action":
            told = wording.LIMITATION if len(counted.days) == 1 else wording.LIMITATION_SUSPENDED
        else:
            told = Bilingual(**parameters["dated"]) if "dated" in parameters else wording.COUNTED
        text = told.in_(self.language).format_map(slots)
        return text + self._aside(parameters["calendar"]) + "."

    def _aside(self, calendar: str) -> str:
        """Return which days may still move the last day of a period under a calendar."""
        if calendar in statutory.CIVIL or calendar.endswith(":civil"):
            return ""
        return pick(self.language, *(_ASIDE_ABROAD if ":" in calendar else _ASIDE))

    def _anchored(self, anchor: Anchor) -> str:
        first, last = passage(self.facts.source, anchor.start, anchor.end, 140)
        return self.facts.source.text[first:last]

    def agreed(self, periods: Iterable[Period]) -> Iterator[Statement]:
        """Yield the days that the periods agreed in a contract end on, with how each was counted."""
        self._agreed_told = True
        for period in periods:
            if isinstance(period.formula, Count):
                self._computed.append((period.quotes[0], period.formula.number, period.formula.unit))
            contested = self._contests(period)
            if period.id == "after_end" and self._is_void(period):
                continue
            if period.id == "agreed" and period.due.isoformat() in self._told:
                continue  # the law's own period for the same act
            if period.id not in _OF_THE_TERM and self._contests(period, grave=True):
                continue  # "until 13 June no work may be taken" is no day to heed where the clause is void
            self._agreed.add(period.due.isoformat())
            day = wording.day(period.due.isoformat(), self.language)
            text = f"{wording.sentence(period.what.in_(self.language))[:-1]}: {day}"
            if period.other is not None:
                self._agreed.add(period.other.isoformat())
                other = wording.day(period.other.isoformat(), self.language)
                text += pick(
                    self.language,
                    f" (el {other} si se cuenta de fecha a fecha)",
                    f" ({other} from date to date)",
                )
            formula = self._formula(period.formula)
            text += pick(self.language, f". Cálculo: {formula}.", f". Computed: {formula}.")
            if period.assumed is not None:
                text += f" {period.assumed.in_(self.language)}"
            if contested:
                text += pick(self.language, " Véanse los riesgos.", " See the risks.")
            facts = {
                "role": period.id,
                "since": period.since.isoformat(),
                "until": period.due.isoformat(),
            }
            law = () if period.stated else ("art. 5.1 CC",)
            yield _stated(Section.DEADLINES, text, quotes=period.quotes, citations=law, facts=facts)

    def _is_void(self, period: Period) -> bool:
        """Tell whether a grave risk is about what binds after the contract."""
        at = self.document.text.find(period.quotes[0])
        return at >= 0 and self.contested.covers(at, at + len(period.quotes[0]), grave=True)

    def _contests(self, period: Period, *, grave: bool = False) -> bool:
        """Tell whether a risk is about the time that a period is counted by."""
        words = period.quotes[0]
        at = self.document.text.find(words)
        if at < 0:
            return False
        start, end = self._place(period, at, at + len(words))
        return self.contested.quotes_time(start, end, grave=grave)

    def _place(self, period: Period, start: int, end: int) -> tuple[int, int]:
        """Return where the length that a period is counted by stands in its words, or all of them."""
        if isinstance(period.formula, Count):
            for one in lengths(self.facts.source):
                if start <= one.start and one.end <= end and one.number == period.formula.number:
                    return one.start, one.end
        return start, end

    def interest(self, debts: Iterable[DebtInterest]) -> Iterator[Statement]:
        """Yield the interest on each debt by the rates of law, with the sum behind it."""
        untold = True
        for debt in debts:
            counted = debt.interest
            if not counted.stretches:
                if not untold:
                    continue  # that the rate is missing is told once
                untold = False
            name = _INTEREST[debt.kind].in_(self.language)
            principal = wording.money(counted.principal, "EUR", self.language)
            last = counted.until if counted.unknown is None else counted.unknown - timedelta(days=1)
            days = (counted.since + timedelta(days=1), last)
            first, until = (wording.day(one.isoformat(), self.language) for one in days)
            text = pick(self.language, f"{name} sobre {principal}", f"{name} on {principal}")
            facts = {"role": f"interest_{debt.kind}", "since": counted.since.isoformat()}
            if counted.stretches:
                due = wording.money(counted.due, "EUR", self.language)
                summed = " + ".join(
                    f"{principal} × {wording.percent(one.rate, self.language)} × {one.days} / 365"
                    for one in counted.stretches
                )
                text += pick(
                    self.language,
                    f", del {first} al {until}: {due}. Cálculo: {summed}.",
                    f", from {first} to {until}: {due}. Computed: {summed}.",
                )
                facts |= {"until": last.isoformat(), "value": f"{counted.due}"}
                facts["source"] = ", ".join(one.source for one in counted.stretches)
            else:
                text += "."
            if counted.unknown is not None:
                day = wording.day(counted.unknown.isoformat(), self.language)
                text += pick(
                    self.language,
                    f" Falta un dato: el tipo oficial desde el {day}.",
                    f" A datum is missing: the official rate from {day}.",
                )
            quotes = (self.facts.passage(debt.amount, 160), self._anchored(debt.anchor))
            law = BASIS[debt.kind]
            yield _stated(
                Section.AMOUNTS,
                text,
                quotes=tuple(dict.fromkeys(quotes)),
                citations=(law,),
                facts=facts,
            )

    def _formula(self, formula: Count | Bilingual) -> str:
        if isinstance(formula, Bilingual):
            return formula.in_(self.language)
        day = pick(self.language, f"{formula.day:%d/%m/%Y}", formula.day.isoformat())
        length = wording.duration(formula.number, formula.unit, self.language)
        return f"{day} {'−' if formula.back else '+'} {length}"

    def upcoming(self, dates: Iterable[Upcoming]) -> Iterator[Statement]:
        """Yield the dates without year that come next after the day of the document."""
        for item in dates:
            day, since = (wording.day(one.isoformat(), self.language) for one in (item.day, item.since))
            text = pick(
                self.language,
                f"Fecha señalada sin año: {day}, la primera después de la del documento ({since}).",
                f"Day named without year: {day}, the first after that of the document ({since}).",
            )
            first, last = passage(self.facts.source, item.start, item.end, 140)
            quote = self.facts.source.text[first:last]
            facts = {"role": "upcoming", "since": item.since.isoformat(), "until": item.day.isoformat()}
            yield _stated(Section.DEADLINES, text, quotes=(quote,), facts=facts)

    def stated_days(self, days: Iterable[Stated]) -> Iterator[Statement]:
        """Yield the days that the document sets as limits and that nothing else told."""
        for item in days:
            iso = item.day.isoformat()
            if iso in self._told or iso in self._agreed or self.contested.quotes_time(item.start, item.end):
                continue
            self._told.add(iso)
            day = wording.day(iso, self.language)
            text = pick(
                self.language, f"Día que fija el documento: {day}.", f"Day set by the document: {day}."
            )
            first, last = passage(self.facts.source, item.start, item.end, 140)
            quote = self.facts.source.text[first:last]
            facts = {"role": "stated", "until": iso}
            yield _stated(Section.DEADLINES, text, quotes=(quote,), proposed=Lock.L1, facts=facts)

    def advice(
        self, findings: Sequence[Finding], missing: Sequence[MissingClause], kind: str
    ) -> Iterator[Statement]:
        """Yield what to do about each risk, then about each missing clause that has advice; nothing twice.

        The law behind it stands with the risk or the missing clause and is not repeated. `kind` is the
        document's.
        """
        seen: set[str] = set()
        for finding in findings:
            risk = finding.risk
            if risk.section == "deadlines" and is_mere_check(risk.advice):
                continue
            text = worded(
                risk.advice._replace(**{self.language: self._filled(risk.advice, finding)}),
                self._title(finding),
                parties_to(risk.kinds, kind) if risk.section == "risks" else None,
                self.language,
                risk.severity,
                void=_OF_CONSUMERS in risk.kinds and self.document.source.jurisdiction[:2] != "US",
            )
            if text not in seen:
                seen.add(text)
                yield _stated(Section.RECOMMENDATIONS, text, facts={"rule": risk.id})
        for item in missing:
            if item.absence is None or item.absence.advice is None:
                continue
            text = worded(item.absence.advice, "", parties_to((), kind), self.language)
            if text not in seen:
                seen.add(text)
                yield _stated(Section.RECOMMENDATIONS, text, facts={"clause": item.clause.id})

    def where(self, offset: int) -> str:
        """Return the block in which `offset` stands, as the document numbers it; empty if unknown."""
        if self.family != "contract":
            return ""
        block = block_at(self.facts.sections, offset)
        # The first heading is the title of the document: it says nothing about where.
        if block is None or block.style == "preamble" or (block.style == "title" and block is self._heading):
            return ""
        if block.style == "title" and RECITALS.search(fold(block.heading)) is not None:
            return ""  # where no clause is numbered, all of them would stand "in the recitals"
        if block is self.facts.sections[-1] and PARAGRAPH.search(self.document.text, block.start, offset):
            return ""  # what follows the last numbered clause is no part of it
        return self._named(block)

    def _named(self, block: Block) -> str:
        label = " ".join(block.label.split()).strip(" .:-–—")
        heading = block.heading if len(block.heading) <= 60 else ""
        if not label:
            return pick(self.language, f"en «{heading}»", f"under “{heading}”") if heading else ""
        if block.noun or len(label) > 24:
            return label
        if block.style == "ordinal":
            # "Segunda" is a clause, "segundo" a recital or a fact.
            noun = "apartado" if label.lower().endswith("o") else "cláusula"
            return pick(self.language, f"{noun} {label.lower()}", f"clause “{label}”")
        if label.endswith("ª"):
            return pick(self.language, f"cláusula {label}", f"clause {label}")
        return pick(self.language, f"apartado {label}", f"section {label}")

    def first(self, statements: Iterator[Statement]) -> list[Statement]:
        """Return the first statements, as many as an answer shows; count the others in `omitted`."""
        taken = list(statements)
        self.omitted += max(len(taken) - _AT_MOST, 0)
        return taken[:_AT_MOST]

    def _title(self, finding: Finding) -> str:
        """Return what a risk says of the document.

        Likeness of words is no proof: it is told as what seems to be, and vouched for by nobody.
        """
        title = self._filled(finding.risk.title, finding)
        if finding.alike and not pick(self.language, _TELLS_ES, _TELLS_EN).search(title):
            return f"{_SEEMS.in_(self.language)} {wording.lower_first(title)}"
        return title

    def _filled(self, text: Bilingual, finding: Finding) -> str:
        found = finding.comparison
        return text.in_(self.language).format_map(
            {
                "of": wording.quantity(found.of, self.language) if found.of else "",
                "to": wording.quantity(found.to, self.language) if found.to else "",
                "times": wording.plain(found.times, self.language) if found.times is not None else "",
                "limit": wording.number(found.limit, self.language) if found.limit is not None else "",
                "until": wording.day(found.until.isoformat(), self.language) if found.until else "",
            }
        )


_OF_REMEDIES = frozenset({"appeal", "filing", "answer", "limitation"})
_NAMED_NEARBY = frozenset({"completion", "delivery", "payment"})
_SEE_RISKS = Bilingual(" (véanse los riesgos).", " (see the risks).")
_LAW_APART = Bilingual(
    ". Los plazos de la ley y sus últimos días se dan aparte.",
    ". The periods of the law and their last days are given apart.",
)
# Periods of the contract itself, whose days matter whatever a risk says of them.
_OF_THE_TERM = frozenset({"term_end", "renewal_notice", "last_instalment", "rate_review"})
_SEEMS = Bilingual("Parece que", "It seems that")
# A title that already says so is not made to say it twice.
_TELLS_ES = re.compile(r"\bparecen?\b", re.IGNORECASE)
_TELLS_EN = re.compile(
    r"\b(?:seems?|apparently|looks like|appears? (?:to|made|time-barred))\b", re.IGNORECASE
)
_INTEREST = {
    "legal": Bilingual("Interés legal del dinero", "Legal interest of money"),
    "commercial": Bilingual(
        "Interés de demora legal de operaciones comerciales (tipo del Banco Central Europeo más ocho puntos)",
        "Statutory default interest of commercial transactions (European Central Bank rate plus eight)",
    ),
}
