"""Define what a rule is: kinds of document, quantities, clauses, risks and checklists.

Every rule that states law names its legal basis: the norm, the article, and the citation as lawyers write it.
The types here are what a file is validated against (decision 051); `loader` reads the files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, PlainValidator, ValidationInfo, field_validator, model_validator

from app.platform.data_files import DataFileError, Entry, FromList, NotBlank, Wording, Words
from app.rules.document import Expression
from app.rules.draft import Family, Severity
from app.rules.pattern_set import PatternFilter, PatternSet, read_together
from app.text.bilingual import Bilingual

Measure = Literal["money", "duration", "percent", "hours", "date", "count"]
Branch = Literal[
    "civil",
    "penal",
    "laboral",
    "mercantil",
    "contencioso",
    "constitucional",
    "familia",
    "internacional",
]
RuleFileError = DataFileError

_BOE: Final = re.compile(r"BOE-A-\d{4}-\d{1,6}")
_CELEX: Final = re.compile(r"3\d{4}[RLD]\d{4}")
_NORM: Final = re.compile(r"[A-Z]{2}(?:-[A-Z]{2,3})?:\S+")
_SLOTS: Final = frozenset({"of", "to", "times", "limit", "until"})
_SLOT: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A source pattern of a rule file and its expression."""

    source: str
    compiled: Expression


def _pattern(value: object, info: ValidationInfo) -> Pattern:
    """Return a pattern, compiled unless the validation's context says that it was checked before.

    Raises:
        ValueError: when it is no valid pattern.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text that is not empty")
    try:
        expression = Expression(value)
        return Pattern(
            value, expression.check() if (info.context or {}).get("compiled", True) else expression
        )
    except ValueError as error:
        raise ValueError(f"is wrong: {error}") from error


def _known(context: str) -> AfterValidator:
    """Check that each id of a list is one of those that the validation's context holds under a name."""

    def check(values: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        known = (info.context or {}).get(context)
        for value in values:
            if known is not None and value not in known:
                raise ValueError(f"names {value!r}, which does not exist")
        return values

    return AfterValidator(check)


Patterns = Annotated[tuple[Annotated[Pattern, PlainValidator(_pattern)], ...], FromList]
KindIds = Annotated[Words, _known("kinds")]
TermIds = Annotated[Words, _known("terms")]
ClauseTypeIds = Annotated[Words, _known("clause_types")]


class Basis(Entry):
    """The legal basis of a rule: norm, article without its paragraphs, and how a lawyer cites it.

    The norm is named by its BOE identifier; if it is a regulation, directive or decision of the European
    Union, by its CELEX number; if it is of another country, by its key in the registry of norms ("MX:LFT").
    `words` are a few literal words of that article, by which a test confirms that the law says what the rule
    relies on; those of the European Union are quoted from the English version.

    `read` tells where the article was read: "law", a text of it, which `words` are from; or "knowledge",
    where no text was at hand: then `checked` is the day on which its author was sure of it. `reread` is the
    day on which a second reader compared what the rule tells with the article, in the same text or from
    knowledge.
    """

    boe: str = ""
    celex: str = ""
    key: str = Field(default="", alias="norm")
    article: NotBlank
    cite: NotBlank
    words: str = ""
    read: Literal["law", "knowledge"] = "law"
    checked: date | None = None
    reread: date | None = None

    @property
    def where(self) -> tuple[str, str]:
        """Return the norm and the article, without its paragraphs."""
        return self.boe or self.celex or self.key, self.article

    @field_validator("boe")
    @classmethod
    def _is_an_identifier(cls, boe: str) -> str:
        if not _BOE.fullmatch(boe):
            raise ValueError(f"is not a BOE identifier: {boe!r}")
        return boe

    @field_validator("celex")
    @classmethod
    def _is_a_number_of_secondary_law(cls, celex: str) -> str:
        if not _CELEX.fullmatch(celex):
            raise ValueError(f"is not the CELEX number of a regulation, directive or decision: {celex!r}")
        return celex

    @field_validator("key")
    @classmethod
    def _is_a_key_of_the_registry(cls, key: str) -> str:
        if not _NORM.fullmatch(key):
            raise ValueError(f"is not a key of the registry of norms: {key!r}")
        return key

    @field_validator("cite")
    @classmethod
    def _names_the_article(cls, cite: str, info: ValidationInfo) -> str:
        # Old laws number their articles in words and are cited in figures: "art. 44 LOTC".
        article = info.data.get("article", "")
        if article[:1].isdigit() and article not in cite:
            raise ValueError(f"{cite!r} does not name article {article}")
        return cite

    @model_validator(mode="after")
    def _names_one_norm(self) -> Basis:
        if sum(map(bool, (self.boe, self.celex, self.key))) != 1:
            raise ValueError("must name its norm by one of boe, celex and norm")
        return self

    @model_validator(mode="after")
    def _says_where_it_was_read(self) -> Basis:
        if self.read == "knowledge" and self.checked is None:
            raise ValueError("needs checked, the day on which it was, where read is knowledge")
        if self.key and self.read == "law" and not self.words:
            raise ValueError("needs words of the article, or read knowledge with the day it was checked")
        return self

    @property
    def norm(self) -> str:
        """Return the identifier of the norm: BOE, CELEX or key of the registry."""
        return self.boe or self.celex or self.key


Bases = Annotated[tuple[Basis, ...], FromList]


class Brought(Entry):
    """Another kind, whose rules about clauses are asked too where one of some words stands in a document."""

    kind: NotBlank
    words: Annotated[Patterns, Field(min_length=1)]


class Kind(Entry):
    """A kind of document and the words by which it is known; `brings` names kinds whose rules apply too."""

    id: NotBlank
    name: Wording
    family: Family
    branches: Annotated[tuple[Branch, ...], FromList] = ()
    titles: Patterns = ()
    signals: Patterns = ()
    against: Patterns = ()
    brings: Annotated[tuple[Brought, ...], FromList] = ()
    examples: Words = ()


class Nature(Entry):
    """What a document treats of beside its kind, and the kinds whose rules about clauses are asked for it.

    A document of one of the kinds `of` has it where `least` of `words` stand in it, and none of `unless`.
    A kind may be one that only the law of some countries knows. One of no kinds `of` may be had by any
    document, of a known kind or not: it brings the rules that name it in their `natures`, silences too.
    Any document of one of `families` has it without its words, and none whose kind is of one of the families
    `never`. What it `brings` is asked of documents of no known kind.
    """

    id: NotBlank
    of: Words = ()
    families: Annotated[tuple[Family, ...], FromList] = ()
    never: Annotated[tuple[Family, ...], FromList] = ()
    branches: Annotated[tuple[Branch, ...], FromList] = ()
    brings: Words = ()
    words: Annotated[Patterns, Field(min_length=1)]
    least: Annotated[int, Field(gt=0)] = 1
    unless: Patterns = ()


class Term(Entry):
    """A quantity that rules reason with (rent, deposit, trial period) and the labels it is written under.

    `single`: a contract states it once, so that two values of it contradict each other.
    Money with `total` is the sum of the different amounts that stand beside its labels, one each.
    A date that stands `beside` its label is the one nearest to it on either side; with `latest`, the latest
    of all labels; where no label stands, the latest date that plays one of `roles`.
    Money whose words do not say of which period it is takes it from its label where `period_of_label`.
    A duration has none of the purposes that it `excludes` (facts/time/purposes).
    Hours of a `timetable` are added up from it: of the week, the longest day, the rest between two days.
    """

    id: NotBlank
    name: Wording
    measure: Measure
    kinds: KindIds = ()
    labels: Patterns = ()
    unless: Patterns = ()
    headline: bool = False
    single: bool = False
    total: bool = False
    beside: bool = False
    latest: bool = False
    roles: Words = ()
    excludes: Words = ()
    period_of_label: bool = False
    timetable: Literal["", "week", "day", "rest"] = ""
    examples: Words = ()


class Absence(Entry):
    """What follows when a clause is missing in some kinds of document: the default of the law, and advice.

    `weight`: 1 essential to such a document, 2 useful, 3 a silence worth telling only in a detailed document.
    Without `text` it says no more than that.
    """

    kinds: KindIds = ()
    weight: Literal[1, 2, 3] = 2
    text: Wording | None = None
    advice: Wording | None = None
    basis: Bases = ()


class Clause(Entry):
    """A kind of clause, or a formal requirement of a pleading or an act: how found, where expected.

    It is present where one of `patterns` matches (none of `unless` or `waived` in the same sentence), where a
    quantity of `terms` is stated, under a heading that one of `headings` matches, or where the classifier is
    sure that a sentence provides one of `clause_types`, with the same exceptions. A document in which
    `waived` matches deals with the clause by excluding it: then it is neither present nor missing. It counts
    as missing only where one of `when`, if given, stands in the document, and none of `excused`.

    Words alone do not make a clause: one that stands under no heading of its own is told as present only
    where one of `told_with`, if given, stands in its sentence, where the classifier sees one of `senses` in
    it, and, with `absent_if_denied`, where no negation stands over it ("no se acompaña copia"). One under its
    heading is told where one of `headed_with`, if given, stands in its clause.
    """

    id: NotBlank
    name: Wording
    patterns: Patterns = ()
    clause_types: ClauseTypeIds = ()
    headings: Patterns = ()
    unless: Patterns = ()
    waived: Patterns = ()
    when: Patterns = ()
    excused: Patterns = ()
    terms: TermIds = ()
    told_with: Patterns = ()
    headed_with: Patterns = ()
    senses: ClauseTypeIds = ()
    absent_if_denied: bool = False
    kinds: KindIds = ()
    expected: KindIds = ()
    absences: Annotated[tuple[Absence, ...], FromList] = Field(default=(), alias="absence")
    note: Wording | None = None
    note_kinds: KindIds = ()
    note_basis: Bases = ()
    examples: Words = ()
    counterexamples: Words = ()

    def absence(self, kind: str) -> Absence | None:
        """Return the rule on absence that covers `kind`, if any."""
        return next((absence for absence in self.absences if kind in absence.kinds), None)


class RiskWords(Entry):
    """Further wordings of a risk that another file defines, and what speaks against them alone.

    The conditions of the risk hold for them as for its own; their `unless` does not speak against its own.
    """

    id: NotBlank
    patterns: Patterns = ()
    unless: Patterns = ()
    examples: Words = ()
    counterexamples: Words = ()


class Risk(Entry):
    """What is void, abusive, wrong or dangerous in a document, and why.

    Found by `patterns`: one of them in a sentence, none of `unless` in that sentence, every one of `all_of`
    and none of `unless_clause` in its clause. Words that a negation right before them denies do not count,
    so a pattern that condemns a denial takes the negation in. Or by `clause_types`: a sentence that the
    classifier proposes as one of them, under the same conditions, but `all_of` in that sentence; it never
    decides alone, so `all_of` or `check` must be given. Where both are given, either finds. Or by silence:
    `elsewhere` without these two, none of which stands anywhere. Or by `check`, a comparison implemented in
    `comparisons` with `parameters` from the file. Where several are given, they must all hold, and so must
    every one of `requires` somewhere in the document. With `patterns` or `clause_types`, one of `elsewhere`
    anywhere in the document undoes the rule.

    `resembles` are rules of Spain whose defect is worded alike: where no pattern is met, their passages may
    propose this one (`resemblance`).

    `under` names the state of the United States whose law it states: the document must choose that law, or be
    lived in, worked or performed there (`states`).

    `natures` are those of documents of any kind in which it is asked as well (`natures.toml` of a country).
    It is not told where a rule of the kind says the same of the same words.

    `flags` are circumstances of the document that must hold, or must not where they begin with "!". A risk is
    not told where a rule of `yields_to` is met, which says the same and more, nor of a document dated before
    `in_force_from`, the day its law came into force. Nor is it told of one dated after `in_force_to`, the
    last day of its law: another rule states what came after. A document without a day has that of the
    request. `by_first_day` is of law that governs what is done, whenever it was agreed: of an agreement that
    begins later, that day counts.

    Where `together` is given, it is told only if at least `least` of those rules are met: signs that prove
    something only jointly.

    `further` are wordings of another file, whose patterns stand among its own as well.
    """

    id: NotBlank
    kinds: KindIds = ()
    natures: Annotated[Words, _known("natures")] = ()
    flags: Words = ()
    yields_to: Annotated[Words, _known("risks")] = ()
    together: Annotated[Words, _known("risks")] = ()
    least: Annotated[int, Field(gt=0)] = 2
    patterns: Patterns = ()
    clause_types: ClauseTypeIds = ()
    unless: Patterns = ()
    all_of: Patterns = ()
    unless_clause: Patterns = ()
    requires: Patterns = ()
    under: Literal["", "california", "new york", "texas", "delaware", "delaware company"] = ""
    elsewhere: Patterns = ()
    resembles: Words = ()
    check: str = ""
    parameters: Mapping[str, Any] = Field(default_factory=dict)
    section: Literal["risks", "deadlines"] = "risks"
    severity: Severity
    critical: bool = False
    title: Wording
    text: Wording
    advice: Wording
    basis: Bases
    examples: Words = ()
    counterexamples: Words = ()
    in_force_from: date | None = None
    in_force_to: date | None = None
    by_first_day: bool = False
    further: tuple[RiskWords, ...] = ()

    @property
    def about_clauses(self) -> bool:
        """Return whether the rule is met by words of a clause, and not by silence or figures alone."""
        return bool(self.patterns or self.clause_types)

    @field_validator("check")
    @classmethod
    def _exists(cls, check: str, info: ValidationInfo) -> str:
        known = (info.context or {}).get("checks")
        if check and known is not None and check not in known:
            raise ValueError(f"names {check!r}, which does not exist")
        return check

    @field_validator("critical")
    @classmethod
    def _is_high(cls, critical: bool, info: ValidationInfo) -> bool:
        if critical and info.data.get("severity") not in (None, "high"):
            raise ValueError("needs severity high")
        return critical

    @field_validator("title", "text", "advice")
    @classmethod
    def _has_known_slots(cls, text: Bilingual) -> Bilingual:
        for slot in _SLOT.findall(text.es + text.en):
            if slot not in _SLOTS:
                raise ValueError(f"has the unknown slot {{{slot}}}")
        return text

    @field_validator("basis")
    @classmethod
    def _states_law(cls, basis: tuple[Basis, ...]) -> tuple[Basis, ...]:
        if not basis:
            raise ValueError("is missing: a risk states law")
        return basis

    @model_validator(mode="after")
    def _can_be_found(self) -> Risk:
        if not (self.patterns or self.clause_types or self.check or self.elsewhere):
            raise ValueError("patterns, clause_types, check or elsewhere must be given")
        if self.clause_types and not (self.all_of or self.check):
            raise ValueError("clause_types need all_of or check: the classifier proposes, a rule decides")
        if not self.about_clauses and (self.unless or self.all_of or self.unless_clause):
            raise ValueError(
                "unless, all_of and unless_clause need patterns or clause_types, whose clause they are about"
            )
        return self


class ChecklistItem(Entry):
    """A question that a specialist of the branch asks of such a document, and the words that answer it.

    It is asked only of documents in which one of `when`, if given, matches.
    """

    id: NotBlank
    branch: Branch
    families: Annotated[tuple[Family, ...], FromList] = ()
    kinds: KindIds = ()
    question: Wording
    when: Patterns = ()
    patterns: Patterns = ()
    basis: Bases = ()
    examples: Words = ()

    def applies(self, branch: str, kind: str, family: str) -> bool:
        """Return whether the question belongs to that branch and to documents of that kind and family."""
        if branch != self.branch or (self.families and family not in self.families):
            return False
        return not self.kinds or kind in self.kinds


class KindWords(Entry):
    """Further words of a kind that another file defines: those of a language, or of a country."""

    id: NotBlank
    titles: Patterns = ()
    signals: Patterns = ()
    against: Patterns = ()
    examples: Words = ()


class TermWords(Entry):
    """Further labels of a quantity that another file defines, and further kinds that state it."""

    id: NotBlank
    kinds: KindIds = ()
    labels: Patterns = ()
    unless: Patterns = ()
    examples: Words = ()


class ClauseWords(Entry):
    """Further words of a clause that another file defines, and what the law of a country says of it."""

    id: NotBlank
    patterns: Patterns = ()
    headings: Patterns = ()
    unless: Patterns = ()
    waived: Patterns = ()
    kinds: KindIds = ()
    expected: KindIds = ()
    absences: Annotated[tuple[Absence, ...], FromList] = Field(default=(), alias="absence")
    note: Wording | None = None
    note_kinds: KindIds = ()
    note_basis: Bases = ()
    examples: Words = ()


class Rate(Entry):
    """A figure that the law of a country fixes for a stretch of days: a minimum wage, a rate of interest.

    `value` is money of `currency` per `per`, a percentage a year ("percent"), or a plain number.
    """

    id: NotBlank
    from_: date = Field(alias="from")
    to: date
    value: Annotated[str, Field(pattern=r"^\d+(\.\d+)?$")]
    currency: Annotated[str, Field(pattern=r"^([A-Z]{3})?$")] = ""
    per: Literal["hour", "day", "week", "month", "year", "percent", "number"]
    source: NotBlank
    checked: date

    @model_validator(mode="after")
    def _is_a_stretch_of_days(self) -> Rate:
        if self.from_ > self.to:
            raise ValueError("ends before it begins")
        return self

    def holds_on(self, day: date) -> bool:
        """Return whether it holds on a day."""
        return self.from_ <= day <= self.to


class Exclusion(Entry):
    """A relation that laws leave to another law: no rule that rests first on them is told of its documents.

    A document is of the relation where it is of one of `kinds`, or `least` of `words` stand in it and none of
    `unless`. `basis` is where the laws say so, and `in_force_from` the day from which they do: a document of
    before is not left out. `instead` are laws that hold for the relation alone: no rule that rests first on
    one is told of a document of another relation.
    """

    id: NotBlank
    laws: Annotated[Words, Field(min_length=1)]
    instead: Words = ()
    kinds: KindIds = ()
    words: Annotated[Patterns, Field(min_length=1)]
    least: Annotated[int, Field(gt=0)] = 1
    unless: Patterns = ()
    basis: Annotated[Bases, Field(min_length=1)]
    in_force_from: date | None = None


class Law(Entry):
    """Whose law the files of a folder state: `country.toml`.

    `above` are the codes whose rules hold there too; `languages` are those of its documents beside Spanish
    and English; `names` are the words by which a text names a state of a federation ("US-CA").
    """

    code: Annotated[str, Field(pattern=r"^[A-Z]{2}(-[A-Z]{2})?$")]
    above: Words = ()
    languages: Words = ()
    names: Patterns = ()


@dataclass(frozen=True)
class Rulebook:
    """All rules of the rule files, validated."""

    version: str
    kinds: tuple[Kind, ...]
    terms: tuple[Term, ...]
    clauses: tuple[Clause, ...]
    risks: tuple[Risk, ...]
    checklist: tuple[ChecklistItem, ...]
    codes: tuple[str, ...] = ()
    """Whose law the rules state, the document's own last: `("EU", "PT")`. None where no law is known."""
    rates: tuple[Rate, ...] = ()
    natures: tuple[Nature, ...] = ()
    """What documents treat of beside their kinds; those of Spain are of any kind."""
    exclusions: tuple[Exclusion, ...] = ()
    """The relations to which laws do not apply."""

    @property
    def states_law(self) -> bool:
        """Tell whether the rules state any law."""
        return bool(self.risks)

    @cached_property
    def kind_words(self) -> PatternSet:
        """The signals of each kind and what speaks against it, kind after kind in the order of `kinds`."""
        self._read_together()
        return PatternSet([one.compiled for kind in self.kinds for one in (*kind.signals, *kind.against)])

    def _read_together(self) -> None:
        """Let one pass find the words of all patterns that are looked for in each document."""
        read_together(one.compiled for one in self._looked_for())

    def _looked_for(self) -> Iterator[Pattern]:
        """Yield every pattern that `kind_words`, `kind_titles` and `searches` look for."""
        for kind in self.kinds:
            yield from (*kind.signals, *kind.against, *kind.titles)
        for term in self.terms:
            yield from term.labels
        for clause in self.clauses:
            yield from (*clause.patterns, *clause.waived, *clause.when, *clause.excused)
        for risk in self.risks:
            yield from (*risk.patterns, *risk.requires, *risk.elsewhere)

    @cached_property
    def kind_word_owners(self) -> Sequence[tuple[int, bool]]:
        """The place among `kinds` of whose each of `kind_words` is, and whether it speaks for that kind."""
        return [
            (order, speaks_for)
            for order, kind in enumerate(self.kinds)
            for speaks_for, patterns in ((True, kind.signals), (False, kind.against))
            for _ in patterns
        ]

    @cached_property
    def kind_titles(self) -> PatternSet:
        """The titles of each kind, kind after kind in the order of `kinds`."""
        self._read_together()
        return PatternSet([one.compiled for kind in self.kinds for one in kind.titles])

    @cached_property
    def kind_title_owners(self) -> Sequence[Kind]:
        """Whose title each of `kind_titles` is."""
        return [kind for kind in self.kinds for _ in kind.titles]

    @cached_property
    def risks_of(self) -> Mapping[str, tuple[Risk, ...]]:
        """The risks that each kind may meet, by its id, in the order of `risks`."""
        found: dict[str, list[Risk]] = defaultdict(list)
        for risk in self.risks:
            for kind in dict.fromkeys(risk.kinds):
                found[kind].append(risk)
        return {kind: tuple(risks) for kind, risks in found.items()}

    @cached_property
    def risks_of_nature(self) -> Mapping[str, tuple[Risk, ...]]:
        """The risks that documents of each nature may meet, whatever their kind, by the id of the nature."""
        found: dict[str, list[Risk]] = defaultdict(list)
        for risk in self.risks:
            for nature in dict.fromkeys(risk.natures):
                found[nature].append(risk)
        return {nature: tuple(risks) for nature, risks in found.items()}

    @cached_property
    def nature_searches(self) -> PatternFilter:
        """What the rules by nature look for anywhere in a document."""
        risks = [risk for risk in self.risks if risk.natures]
        patterns = [one for risk in risks for one in (*risk.patterns, *risk.requires, *risk.elsewhere)]
        return PatternFilter([one.compiled for one in patterns])

    @cached_property
    def _searches(self) -> dict[str, PatternFilter]:
        return {}

    def searches(self, kind: str) -> PatternFilter:
        """Return what is looked for anywhere in documents of a kind: quantities, clauses and risks."""
        found = self._searches.get(kind)
        if found is None:
            patterns = [one for term in self.terms if kind in term.kinds for one in term.labels]
            for clause in self.clauses:
                if not clause.kinds or kind in clause.kinds:
                    patterns += (*clause.patterns, *clause.waived, *clause.when, *clause.excused)
            for risk in self.risks_of.get(kind, ()):
                patterns += (*risk.patterns, *risk.requires, *risk.elsewhere)
            found = self._searches[kind] = PatternFilter([one.compiled for one in patterns])
        return found

    @property
    def size(self) -> int:
        """Return how many rules there are, kinds of document and quantities included."""
        return sum(map(len, (self.kinds, self.terms, self.clauses, self.risks, self.checklist)))

    def kind(self, kind_id: str) -> Kind:
        """Return the kind with that id.

        Raises:
            KeyError: for an unknown one.
        """
        for kind in self.kinds:
            if kind.id == kind_id:
                return kind
        raise KeyError(kind_id)

    def bases(self) -> Iterator[Basis]:
        """Yield every legal basis named anywhere in the rules."""
        for clause in self.clauses:
            yield from clause.note_basis
            for absence in clause.absences:
                yield from absence.basis
        for risk in self.risks:
            yield from risk.basis
        for item in self.checklist:
            yield from item.basis
        for exclusion in self.exclusions:
            yield from exclusion.basis
