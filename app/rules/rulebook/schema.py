"""What a rule is: kinds of document, quantities, clauses, risks and checklists, as the rule files state them.

Every rule that states law names its legal basis: the BOE identifier of the norm, the article, and the
citation as lawyers write it. `rulefiles` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import re2

from app.rules.draft import Family, Severity, Text

Measure = Literal["money", "duration", "percent", "hours"]


class RuleFileError(ValueError):
    """A rule file is wrong; the message names the file, the rule and the field."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The legal basis of a rule: norm, article without its paragraphs, and how a lawyer cites it.

    `words` are a few literal words of that article, by which a test confirms that the law says what the rule
    relies on.
    """

    boe: str
    article: str
    cite: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A source pattern of a rule file and its compiled form."""

    source: str
    compiled: re2._Regexp


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document and the words by which it is known."""

    id: str
    name: Text
    family: Family
    branches: tuple[str, ...]
    titles: tuple[Pattern, ...]
    signals: tuple[Pattern, ...]
    against: tuple[Pattern, ...]
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A quantity that rules reason with (rent, deposit, trial period) and the labels it is written under."""

    id: str
    name: Text
    measure: Measure
    kinds: tuple[str, ...]
    labels: tuple[Pattern, ...]
    unless: tuple[Pattern, ...]
    headline: bool
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Absence:
    """What follows when a clause is missing in some kinds of document: the default of the law, and advice.

    `weight`: 1 essential to such a document, 2 useful, 3 a silence worth telling only in a detailed document.
    """

    kinds: tuple[str, ...]
    weight: int
    text: Text
    advice: Text | None
    basis: tuple[Basis, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A kind of clause, or a formal requirement of a pleading or an act: how found, where expected.

    It is present where one of `patterns` matches (none of `unless` or `waived` in the same sentence), where a
    quantity of `terms` is stated, or under a heading that one of `headings` matches. A document in which
    `waived` matches deals with the clause by excluding it: then it is neither present nor missing. It counts
    as missing only where one of `when`, if given, stands in the document, and none of `excused`.
    """

    id: str
    name: Text
    patterns: tuple[Pattern, ...]
    headings: tuple[Pattern, ...]
    unless: tuple[Pattern, ...]
    waived: tuple[Pattern, ...]
    when: tuple[Pattern, ...]
    excused: tuple[Pattern, ...]
    terms: tuple[str, ...]
    kinds: tuple[str, ...]
    expected: tuple[str, ...]
    absences: tuple[Absence, ...]
    note: Text | None
    note_kinds: tuple[str, ...]
    note_basis: tuple[Basis, ...]
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]

    def absence(self, kind: str) -> Absence | None:
        """The rule on absence that covers `kind`, if any."""
        return next((absence for absence in self.absences if kind in absence.kinds), None)


@dataclass(frozen=True, slots=True)
class Risk:
    """A clause that is void, abusive or doubtful, and why.

    Found by `patterns` (none of `unless` in the same sentence, none of `elsewhere` in the whole document), by
    `check`, a comparison implemented in `checks.py` with `parameters` from the file, or, where both are
    given, by both together. `flags` are circumstances of the document that must hold, or must not where they
    begin with "!". It is not told where a rule of `yields_to` is met, which says the same and more, nor of a
    document dated before `in_force_from`, the day its law came into force.
    """

    id: str
    kinds: tuple[str, ...]
    flags: tuple[str, ...]
    yields_to: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    unless: tuple[Pattern, ...]
    elsewhere: tuple[Pattern, ...]
    check: str
    parameters: Mapping[str, Any]
    section: Literal["risks", "deadlines"]
    severity: Severity
    critical: bool
    title: Text
    text: Text
    advice: Text
    basis: tuple[Basis, ...]
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]
    in_force_from: date | None = None


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """A question that a specialist of the branch asks of such a document, and the words that answer it.

    It is asked only of documents in which one of `when`, if given, matches.
    """

    id: str
    branch: str
    families: tuple[str, ...]
    kinds: tuple[str, ...]
    question: Text
    when: tuple[Pattern, ...]
    patterns: tuple[Pattern, ...]
    basis: tuple[Basis, ...]
    examples: tuple[str, ...]

    def applies(self, branch: str, kind: str, family: str) -> bool:
        """Whether the question belongs to that branch and to documents of that kind and family."""
        if branch != self.branch or (self.families and family not in self.families):
            return False
        return not self.kinds or kind in self.kinds


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules, validated."""

    version: str
    kinds: tuple[Kind, ...]
    terms: tuple[Term, ...]
    clauses: tuple[Clause, ...]
    risks: tuple[Risk, ...]
    checklist: tuple[ChecklistItem, ...]

    @property
    def size(self) -> int:
        """How many rules there are, kinds of document and quantities included."""
        return sum(map(len, (self.kinds, self.terms, self.clauses, self.risks, self.checklist)))

    def kind(self, kind_id: str) -> Kind:
        """The kind with that id. Raises `KeyError` for an unknown one."""
        for kind in self.kinds:
            if kind.id == kind_id:
                return kind
        raise KeyError(kind_id)

    def bases(self) -> Iterator[Basis]:
        """Every legal basis named anywhere in the rules."""
        for clause in self.clauses:
            yield from clause.note_basis
            for absence in clause.absences:
                yield from absence.basis
        for risk in self.risks:
            yield from risk.basis
        for item in self.checklist:
            yield from item.basis
