"""Find which clauses a document contains, and which of those expected in its kind are missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import re2

from app.rules.clause_types import SURE
from app.rules.document import Document, Span, compile_pattern
from app.rules.draft import Family
from app.rules.facts.context import of_earlier_relation
from app.rules.facts.provided import is_denied, law_says
from app.rules.facts.sections import Block
from app.rules.rulebook.denials import denied
from app.rules.rulebook.quantities import Quantity
from app.rules.rulebook.schema import Absence, Clause, Pattern, Risk, Rulebook
from app.text import linear

# Clauses that drafters put under one heading.
_TOGETHER = (
    frozenset({"jurisdiction", "governing_law", "arbitration"}),
    frozenset({"price", "payment", "rent_update", "default_interest"}),
    frozenset({"duration", "renewal", "termination", "withdrawal", "notice"}),
    frozenset({"confidentiality", "confidential_information", "return_of_information"}),
    frozenset({"interest", "repayment", "early_repayment", "default_interest", "apr"}),
    frozenset({"exclusivity", "territory", "non_compete"}),
    frozenset({"job", "workplace", "working_hours", "holidays", "trial_period"}),
)
_MOST_TOLD = 8
_DETAILED = 6000  # characters; a shorter document leaves lesser matters to the law on purpose
_HEADING_REACH = 160
_RUN_ON_TITLE = re.compile(rb"[ .)_o:-]{0,6}([a-z][a-z ,'/-]{2,60})[.:\n]")
# What says something is no title: "Default interest is 40% per annum".
_SAYS = linear.compile(rb"[0-9%]|\b(?:is|are|shall|will|may|es|son|sera|seran|debera|podra|podran|se)\b")
# "No se constituye depósito"; not "no más tarde de".
_NOT_BEFORE = linear.compile(
    rb"\b(?:no|ni|tampoco) (?:se |le |les |lo )?(?:[a-z]+[aeo]n?|ha|han|es|son|consta|hay) (?:[a-z]{2,4} )?$"
)
_DEFINITION = compile_pattern('[a-z ]{2,40}" (means|shall mean|significa)\\b')
# What may stand in a sentence before the words that open it: a number, a letter, an article.
_OPENING = linear.compile(
    rb"[^a-z]{0,12}(?:[a-z][).] )?(?:(?:el|la|los|las|the|o|a|os|as|le|les|il|lo|i|gli|der|die|das) |l')?"
)
# "Tarifverträge finden keine Anwendung": a clause that says that there is no such clause.
_EXCLUDED = linear.compile(
    rb"[^.;]{0,40}\b(?:keine(?:rlei)? anwendung|nicht anwendbar|(?:does|do|shall) not apply"
    rb"|no (?:se )?(?:aplica|rige)"
    rb"|ne s'applique|non si applica|nao se aplica|(?:is|are) (?:not stated|excluded))"
)
_SPAIN = "ES"


@dataclass(frozen=True, slots=True)
class PresentClause:
    """A clause that stands in the document at `span`."""

    clause: Clause
    span: Span
    # Whether the words stand under no heading that names another clause.
    named: bool = True
    # Whether they are the heading that names it.
    headed: bool = False


@dataclass(frozen=True, slots=True)
class MissingClause:
    """A clause expected in such a document and not found, with what the rules say about that."""

    clause: Clause
    absence: Absence | None

    @property
    def weight(self) -> int:
        """Return 1 for essential, 2 for useful, 3 for of interest in a detailed document only."""
        return self.absence.weight if self.absence is not None else 2


def survey(
    document: Document,
    rulebook: Rulebook,
    kind: str,
    quantities: Mapping[str, Quantity],
    headings: Sequence[Span] = (),
) -> tuple[tuple[PresentClause, ...], tuple[MissingClause, ...]]:
    """Return the clauses that are present in a document of `kind`, and those missing.

    Those present come in order of appearance.

    `quantities` are those the document states, by term; `headings` are where its headings stand. A rule
    with `kinds` is looked for in those kinds only; one without, in every kind of contract, where it is
    either expected or simply found.
    """
    headed = _headed(document, rulebook, headings)
    present: list[PresentClause] = []
    missing: list[MissingClause] = []
    for clause in rulebook.clauses:
        if not _applies(clause, kind, rulebook):
            continue
        span = locate(document, clause, headings) or _stated(clause, quantities)
        if span is not None:
            named = _is_named(clause, span, headings, headed)
            present.append(PresentClause(clause, span, named, span in headings))
        elif kind in clause.expected and _wanted(document, clause):
            missing.append(MissingClause(clause, clause.absence(kind)))
    present.sort(key=lambda item: item.span.start)
    return tuple(present), tuple(missing)


def locate(document: Document, clause: Clause, headings: Sequence[Span] = ()) -> Span | None:
    """Return where `clause` stands.

    That is under the heading that names it, failing that where a pattern matches, and failing that where the
    classifier is sure that it has one of the clause's types.

    Sentences with its exceptions do not count, and a definition only if there is nothing else.
    """
    if not _says(document, clause.waived):
        for heading in headings:
            words = document.folded[heading.start : heading.end]
            if any(p.compiled.search(words) for p in clause.headings) and not _any(
                document, clause.unless, heading
            ):
                return heading
    excluded = (*clause.unless, *clause.waived)
    defined: Span | None = None
    for pattern in clause.patterns:
        for span in document.find_all(pattern.compiled, limit=8):
            sentence = document.sentence(span)
            if _any(document, excluded, sentence):
                continue
            if document.find(_DEFINITION, sentence.start, sentence.end) is None:
                return span
            defined = defined or span
    if defined is None and clause.clause_types:
        parts = document.clauses_of(clause.clause_types, SURE)
        return next((part for part in parts if not _any(document, excluded, document.sentence(part))), None)
    return defined


def surely_present(
    document: Document, present: Sequence[PresentClause], family: Family = "contract"
) -> tuple[PresentClause, ...]:
    """Return the clauses of which not only a word but the whole sentence speaks.

    "Ni las que competan a la deudora" is no ban on competing, "la mediación de seguros" no way to settle
    disputes, and words under the heading of another clause are a part of that one: a clause named that is not
    there misleads, one left out is still found by its reader. Under another law than Spain's, whose words for
    clauses are known less well, a clause that no heading names is told only where its words open their
    sentence.
    """
    # A clause of a contract may deny: "no update". What an act or a claim denies to have, it lacks.
    parts = family not in ("contract", "unknown")
    sure = []
    abroad = document.source.jurisdiction[:2] != _SPAIN
    for one in present:
        if one.headed:
            if one.clause.headed_with and not _any(
                document, one.clause.headed_with, document.clause(one.span)
            ):
                continue
        elif not one.named and not document.source.foreign:
            continue
        elif abroad:
            opening = (p for p in (one.span, *_places(document, one.clause)) if _opens(document, p))
            meant = (place for place in opening if _is_meant(document, one.clause, place, parts=parts))
            span = next(meant, None)
            if span is None:
                continue
            one = replace(one, span=span)
        elif not _is_meant(document, one.clause, one.span, parts=parts):
            places = _places(document, one.clause)
            meant = (place for place in places if _is_meant(document, one.clause, place, parts=parts))
            span = next(meant, None)
            if span is None:
                continue
            one = replace(one, span=span)
        sure.append(one)
    return tuple(sorted(sure, key=lambda one: one.span.start))


def _opens(document: Document, span: Span) -> bool:
    """Tell whether words open their sentence, and it does not go on to exclude what they name."""
    start = document.sentence(span).start
    if _OPENING.fullmatch(document.folded, start, span.start) is None:
        return False
    return _EXCLUDED.match(document.folded, span.end) is None


def _places(document: Document, clause: Clause) -> Iterator[Span]:
    """Yield the other places where words of a clause stand."""
    excluded = (*clause.unless, *clause.waived)
    for pattern in clause.patterns:
        for span in document.find_all(pattern.compiled, limit=8):
            if not _any(document, excluded, document.sentence(span)):
                yield span


def _is_meant(document: Document, clause: Clause, span: Span, *, parts: bool) -> bool:
    sentence = document.sentence(span)
    if clause.told_with and not _any(document, clause.told_with, sentence):
        return False
    if not parts and of_earlier_relation(document.source, span.start, contract=True):
        return False
    if (clause.absent_if_denied or parts) and (
        denied(document, span, sentence)
        or is_denied(document.source, span.start)
        or _NOT_BEFORE.search(document.folded[max(sentence.start, span.start - 40) : span.start]) is not None
    ):
        return False
    if law_says(document.source, span.start):
        return False
    return not clause.senses or document.source.foreign or document.seems(span, clause.senses)


def heading_spans(document: Document, blocks: Sequence[Block]) -> tuple[Span, ...]:
    """Return where the headings of the numbered or titled blocks stand.

    The title of the document is left out.
    """
    spans = []
    for block in blocks[1:] if blocks and blocks[0].style == "title" else blocks:
        if block.style == "preamble":
            continue
        reach = min(block.start + _HEADING_REACH, block.end)
        if block.heading:
            start = document.text.find(block.heading, block.start, reach)
            if start >= 0:
                spans.append(Span(start, start + len(block.heading)))
            continue
        # "2. What is confidential. Any information ...": the title runs on into the text.
        label = document.text.find(block.label, block.start, reach) if block.label else -1
        found = _RUN_ON_TITLE.match(document.folded, label + len(block.label), reach) if label >= 0 else None
        if found is not None:
            spans.append(Span(found.start(1), found.end(1)))
    return tuple(span for span in spans if _SAYS.search(document.folded, span.start, span.end) is None)


class _Names:
    """Every word by which a heading names a clause, searched in one pass."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.clauses = clauses  # kept, so that no other tuple takes its place in memory
        self._ids: list[str] = []
        self._set = re2.Set.SearchSet()
        for clause in clauses:
            for pattern in (*clause.headings, *clause.patterns):
                self._set.Add(pattern.compiled.pattern)
                self._ids.append(clause.id)
        self._set.Compile()

    def of(self, words: bytes) -> frozenset[str]:
        """Return the ids of the clauses that a heading names."""
        return frozenset(self._ids[at] for at in self._set.Match(words) or ())


_NAMES: dict[int, _Names] = {}


def _headed(document: Document, rulebook: Rulebook, headings: Sequence[Span]) -> list[frozenset[str]]:
    """Return the clauses of the rulebook that each heading names, by their ids."""
    names = _NAMES.get(id(rulebook.clauses))
    if names is None:
        names = _NAMES[id(rulebook.clauses)] = _Names(rulebook.clauses)
    return [names.of(document.folded[span.start : span.end]) for span in headings]


def _is_named(clause: Clause, span: Span, headings: Sequence[Span], headed: Sequence[frozenset[str]]) -> bool:
    """Tell whether the heading that `span` stands under names the clause, one that goes with it, or none."""
    near = next((group for group in _TOGETHER if clause.id in group), frozenset({clause.id}))
    above = [names for one, names in zip(headings, headed, strict=True) if one.start <= span.start]
    return not above or not above[-1] or bool(near & above[-1])


def worth_telling(
    missing: Sequence[MissingClause], length: int, *, by_law: bool = False
) -> tuple[MissingClause, ...]:
    """Return the most relevant of what is missing, the weightiest first.

    Args:
        missing: what was expected and not found.
        length: characters of the document; lesser matters are told of a long one only.
        by_law: whether only that is told of which the rules say what the law then supplies. So it is in
            another country than Spain: its words for a clause are known less well, and what was not heard
            is not missing.
    """
    told = [
        item
        for item in missing
        if (item.weight < 3 or length >= _DETAILED) and not (by_law and not _supplied(item))
    ]
    return tuple(sorted(told, key=lambda item: item.weight)[:_MOST_TOLD])


def _supplied(item: MissingClause) -> bool:
    """Tell whether the rules say what the law supplies for a clause that is missing."""
    return item.absence is not None and item.absence.text is not None


def untold_by(missing: Sequence[MissingClause], risks: Sequence[Risk]) -> tuple[MissingClause, ...]:
    """Return what is missing without what a risk tells already: one that rests on the same article first.

    A clause that is essential to its kind of document is left out only where the very paragraph is the same.
    """
    cited = {basis.cite for risk in risks for basis in risk.basis[:1]}
    articles = {basis.where for risk in risks for basis in risk.basis[:1]}

    def told(item: MissingClause) -> bool:
        first = next(iter(item.absence.basis), None) if item.absence is not None else None
        if first is None:
            return False
        return first.cite in cited or (item.weight > 1 and first.where in articles)

    return tuple(item for item in missing if not told(item))


def _wanted(document: Document, clause: Clause) -> bool:
    if _says(document, clause.waived) or _says(document, clause.excused):
        return False
    return not clause.when or _says(document, clause.when)


def _says(document: Document, patterns: Sequence[Pattern]) -> bool:
    return any(document.find(pattern.compiled) is not None for pattern in patterns)


def _any(document: Document, patterns: Sequence[Pattern], span: Span) -> bool:
    return any(document.find(pattern.compiled, span.start, span.end) is not None for pattern in patterns)


def _stated(clause: Clause, quantities: Mapping[str, Quantity]) -> Span | None:
    return next((quantities[term].span for term in clause.terms if term in quantities), None)


def _applies(clause: Clause, kind: str, rulebook: Rulebook) -> bool:
    if clause.kinds:
        return kind in clause.kinds
    if kind == "unknown":
        return True
    return rulebook.kind(kind).family == "contract"
