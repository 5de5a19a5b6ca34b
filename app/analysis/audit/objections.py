"""Judge what a model objects to: code decides whether an objection counts. Pure (decision 072).

An objection names a statement of the draft, a passage of the document or of the law that node A was told,
and words of that passage. One that names what does not exist is dropped, and so is one whose passage supports
the statement. It is upheld where code, comparing statement and words, finds that they disagree; otherwise it
stays open: node A is asked, and no lock changes for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from app.analysis import support
from app.analysis.audit.finding import FindingType
from app.analysis.audit.passages import Passage, of_document, of_law
from app.analysis.checks.locks import JudgedStatement
from app.analysis.support import Discrepancy, Verdict, likeness
from app.analysis.support.quote_finder import QuoteFinder
from app.rules import Lock, Section, Severity, Source

Fault = Literal[
    "misread", "figure", "party", "exception", "authority", "repealed", "foreign", "overclaim", "omission"
]
Action = Literal["amend", "lower", "withdraw", "none"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
ACTIONS: tuple[Action, ...] = get_args(Action)
TYPES: Final[Mapping[Fault, FindingType]] = {
    "misread": "hallucination",
    "figure": "hallucination",
    "party": "hallucination",
    "exception": "weak_reasoning",
    "authority": "citation_error",
    "repealed": "citation_error",
    "foreign": "citation_error",
    "overclaim": "weak_reasoning",
    "omission": "missing_clause",
}
Standing = Literal["upheld", "open"]

# The words of the document say something else than a statement about the same matter.
_AGAINST: Final = frozenset(
    {
        Discrepancy.EXCEPTION,
        Discrepancy.FIGURE,
        Discrepancy.ROLE,
        Discrepancy.PARTY,
        Discrepancy.MODALITY,
        Discrepancy.POLARITY,
    }
)
# Sections whose statements only restate the document.
_FACTUAL: Final = frozenset(
    {Section.AMOUNTS, Section.DATES, Section.OBLIGATIONS, Section.PARTIES, Section.CLAUSES_PRESENT}
)
# What a passage that says the same as the statement answers.
_ANSWERED: Final[frozenset[Fault]] = frozenset({"misread", "figure", "party"})
# Share of the words of the shorter of two texts that the other has, too, where both are about the same.
_SAME_MATTER: Final = 0.5


@dataclass(frozen=True, slots=True)
class Objection:
    """What a model objects to, read back but not judged. `repr` shows no text.

    Attributes:
        statement: the place of the statement in the draft, from 0; `None` for what the draft leaves out.
        passage: id of the passage that shows it.
        words: of that passage.
        fault: what is wrong.
        severity: how much it matters.
        reason: in a sentence or two.
        action: what node B would do.
    """

    statement: int | None
    passage: str
    words: str
    fault: Fault
    severity: Severity
    reason: str
    action: Action

    def __repr__(self) -> str:
        return f"<Objection {self.fault} to {self.statement}>"


@dataclass(frozen=True, slots=True)
class JudgedObjection:
    """An objection that names what exists, with the passage and what code found."""

    objection: Objection
    passage: Passage
    standing: Standing


class Judge:
    """Judge of objections to the statements of one draft about one document."""

    def __init__(self, document: str, sources: Sequence[Source]) -> None:
        self.document = tuple(of_document(document))
        self.law = tuple(of_law(sources))
        self._passages = {one.id: one for one in (*self.law, *self.document)}
        self._finder = QuoteFinder(document)

    def passage(self, name: str) -> Passage | None:
        """Return the passage of that id, written with or without its brackets."""
        return self._passages.get(name.strip(" []"))

    def kept(
        self, objections: Sequence[Objection], judged: Sequence[JudgedStatement]
    ) -> tuple[JudgedObjection, ...]:
        """Return the objections that count, each with what code found; the others are dropped.

        Args:
            objections: what a model objects to.
            judged: the statements of the draft, with their locks.
        """
        found: dict[tuple[object, ...], JudgedObjection] = {}
        for one in objections:
            passage = self.passage(one.passage)
            if passage is None or passage.find(one.words) is None or not one.reason:
                continue
            if one.statement is None:
                if one.fault == "omission":
                    found.setdefault((None, passage.id, one.reason), JudgedObjection(one, passage, "open"))
                continue
            if not 0 <= one.statement < len(judged):
                continue
            standing = self.standing(one, judged[one.statement])
            if standing is not None:
                key = (one.statement, one.fault, passage.id)
                found.setdefault(key, JudgedObjection(one, passage, standing))
        return tuple(found.values())

    def standing(self, objection: Objection, judged: JudgedStatement) -> Standing | None:
        """Say what an objection to a statement is worth; `None` where its own passage answers it."""
        passage = self.passage(objection.passage)
        found = passage.find(objection.words) if passage is not None else None
        if passage is None or found is None:
            return None
        if passage.start is None:
            return self._by_law(objection, judged, passage)
        span = support.QuotedSpan(passage.start + found.start, passage.start + found.end)
        return self._by_document(objection, judged, span)

    def _by_law(self, objection: Objection, judged: JudgedStatement, passage: Passage) -> Standing | None:
        verdict = self._support(judged, passage.text)
        if verdict == "contradicted":
            return "upheld"
        if verdict == "supported" and objection.fault in (*_ANSWERED, "authority"):
            return None
        return "open"

    def _by_document(
        self, objection: Objection, judged: JudgedStatement, span: support.QuotedSpan
    ) -> Standing | None:
        statement = judged.statement
        stands = self._finder.document.text[span.start : span.end]
        own = any(one.start < span.end and span.start < one.end for one in judged.evidence)
        discrepancy = support.discrepancy(statement.text, [span], self._finder.document)
        if discrepancy is None or (own and judged.lock is Lock.L1):
            return None if objection.fault in _ANSWERED else "open"
        # What a rule says beyond the words it quotes is its author's reading, told as such.
        if statement.origin == "model" and discrepancy in _AGAINST:
            if own and statement.section in _FACTUAL:
                return "upheld"
            if likeness.alike(likeness.gist(statement.text), likeness.gist(stands)) >= _SAME_MATTER:
                return "upheld"
        return "upheld" if self._support(judged, stands) == "contradicted" else "open"

    def _support(self, judged: JudgedStatement, passage: str) -> Verdict:
        statement = judged.statement
        return support.support(
            statement.text,
            " \n".join(statement.quotes),
            passage,
            reason=statement.reason or "",
            citations=statement.citations,
            title=self._finder.title,
            document=self._finder.document.words.values,
        ).verdict
