"""Put a model's draft on the floor of the rules': nothing of theirs is lost, nothing is said twice. Pure.

Whatever a model answers, the risks, periods, sums and checks that code found stand in the answer in their own
words. A statement of the model that makes the same point is left out, and so is a day or a sum that it
reckoned where code has reckoned one (decision 070).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.analysis.support import Discrepancy, Document, QuotedSpan, discrepancy, likeness, words
from app.analysis.support.quote_finder import QuoteFinder
from app.citations import extract
from app.rules import Draft, Section, Statement, figures
from app.text.bilingual import Language, pick

# By section of a model's statement, those of the rules' that may make its point. A risk is more than the
# general period, the missing clause or the question that rests on the same article.
_MAKES_POINT_OF: Final[Mapping[Section, frozenset[Section]]] = {
    Section.RISKS: frozenset({Section.RISKS}),
    Section.CLAUSES_MISSING: frozenset({Section.CLAUSES_MISSING, Section.RISKS}),
    Section.REASONING: frozenset({Section.REASONING, Section.RISKS, Section.CLAUSES_MISSING}),
}
_RECKONED: Final = frozenset({Section.DEADLINES, Section.AMOUNTS})
_FIGURED: Final = _RECKONED | {Section.DATES}
# Characters of the document that two quotations have in common, or the whole of the shorter.
_COMMON: Final = 24
# Shares of the words of the shorter statement that the other has too, by what else they have in common: words
# of the document and a paragraph or an article of a law (decision 070 says how they were chosen).
_AT_PLACE_BY_PARAGRAPH: Final = 0.25
_AT_PLACE_BY_ARTICLE: Final = 0.4
_BY_PARAGRAPH: Final = 0.4
_AT_PLACE: Final = 0.5
_BY_ARTICLE: Final = 0.65
_BY_WORDS: Final = 0.6
_SAME_FACT: Final = 0.6
_SAID: Final = 0.8
# Facts by which what is said of a statement of the rules is known.
_NAMES: Final = ("rule", "clause", "defect", "inconsistency")
_MANY: Final = 4  # statements of one draft
# A statement that differs so from the words of the document says something else of them.
_OTHERWISE: Final = frozenset(
    {Discrepancy.FIGURE, Discrepancy.PARTY, Discrepancy.MODALITY, Discrepancy.POLARITY}
)

# The norm, the article and its paragraphs: ("ES:ley:29/1994", "36", "5").
_Article = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A statement with what it is compared by: the words, articles and places of the document."""

    statement: Statement
    gist: tuple[frozenset[str], ...]
    law: frozenset[_Article]
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """A draft on its floor.

    Attributes:
        draft: the statements of the rules in their order, then what the model adds.
        same: by statement of the model that makes a point of the rules', that statement of theirs.
        outdone: statements of the model with a result where code has reckoned another.
    """

    draft: Draft
    same: Mapping[Statement, Statement]
    outdone: tuple[Statement, ...]


def merge(
    floor: Draft, proposed: Draft, finder: QuoteFinder, jurisdiction: str, language: Language
) -> Merged:
    """Return `proposed`, a model's draft, with every statement of `floor`, the rules' draft of the document.

    Args:
        floor: what the rules found; all of it stands in the result as it is.
        proposed: what the model answered about the same document.
        finder: the document, anonymised as both drafts are.
        jurisdiction: whose law citations are read under.
        language: of the notes.
    """
    reader = _Reader(finder, jurisdiction)
    told = _distinct([reader.read(one) for one in floor.statements])
    reckoned = [one for one in told if one.statement.section in _RECKONED and _is_reckoned(one.statement)]
    known = figures("\n".join((finder.document.text, *(one.text for one in floor.statements))), jurisdiction)
    added: list[Statement] = []
    same: dict[Statement, Statement] = {}
    outdone: list[Statement] = []
    moved: dict[str, Statement] = {}
    for statement in proposed.statements:
        one = reader.read(statement)
        issue, part = statement.facts.get("issue", ""), statement.facts.get("part")
        if part is not None and issue in moved:
            # What is said of a risk that the rules tell too is said of theirs, where it says more.
            head = moved[issue]
            twin = next((other.statement for other in told if _says(one, other, head, part)), None)
            if twin is None:
                facts = {name: value for name, value in head.facts.items() if name in _NAMES}
                added.append(replace(statement, facts={**facts, "part": part}))
            else:
                same[statement] = twin
            continue
        twin = _twin(one, told, finder.document) if part in (None, "recommendation") else None
        if twin is not None:
            same[statement] = twin
            if issue and part is None:
                moved[issue] = twin
        elif (
            statement.section in _RECKONED
            and any(_met(one, other) for other in reckoned)
            and figures(statement.text, jurisdiction).beyond(known)
        ):
            outdone.append(statement)
        else:
            added.append(statement)
    draft = replace(
        proposed,
        document_kind=proposed.document_kind or floor.document_kind,
        summary=proposed.summary or floor.summary,
        statements=(*floor.statements, *added),
        modules=(*proposed.modules, *floor.modules[:1]),
        # The first note of the rules is about an analysis by them alone.
        notes=(*proposed.notes, *_notes(floor, added, same, outdone, language), *floor.notes[1:]),
    )
    return Merged(draft, same, tuple(outdone))


def _says(one: _Read, other: _Read, head: Statement, part: str) -> bool:
    """Tell whether the rules say the part of an issue whose risk is their `head`: the law, or the advice."""
    if other.statement is head:
        return part == "rule" or _alike(one, other) >= _SAID
    theirs = {name: other.statement.facts.get(name) for name in _NAMES if name in head.facts}
    advice = bool(theirs) and all(head.facts[name] == value for name, value in theirs.items())
    return part == "recommendation" and advice and _alike(one, other) >= _BY_PARAGRAPH


def _is_reckoned(statement: Statement) -> bool:
    """Tell whether code worked out the result of a statement, not only read it."""
    return "until" in statement.facts or ("value" in statement.facts and "since" in statement.facts)


def _distinct(told: Sequence[_Read]) -> list[_Read]:
    """Return statements without the articles that many of them rest on, such as that on what is void."""
    counted = Counter(article for one in told for article in one.law)
    return [
        replace(one, law=frozenset(each for each in one.law if counted[each] < _MANY) or one.law)
        for one in told
    ]


def _twin(one: _Read, told: Sequence[_Read], document: Document) -> Statement | None:
    """Return the statement of the rules whose point a model's statement makes, the likest of several."""
    found = [(_alike(one, other), at) for at, other in enumerate(told) if _same(one, other, document)]
    return told[max(found, key=lambda best: (best[0], -best[1]))[1]].statement if found else None


def _same(one: _Read, other: _Read, document: Document) -> bool:
    section, theirs = one.statement.section, other.statement.section
    if section in _FIGURED:
        # Of two days or sums that differ neither is the other's double.
        return section is theirs and _told_by(one, other) and (_same_point(one, other) or _met(one, other))
    if theirs in _MAKES_POINT_OF.get(section, ()) and _same_point(one, other):
        return True
    if section is not theirs or section is Section.RISKS:
        return False
    if section in (Section.OBLIGATIONS, Section.CLAUSES_PRESENT) and _met(one, other):
        # Theirs are told in the words of the document: who reads these otherwise makes another point.
        places = [QuotedSpan(*place) for place in other.places]
        return discrepancy(one.statement.text, places, document) not in _OTHERWISE
    return _alike(one, other) >= _SAME_FACT


def _told_by(one: _Read, other: _Read) -> bool:
    """Tell whether the other states every value of a statement that has one."""
    values, theirs = (words.read(each.statement.text).values for each in (one, other))
    return bool(values) and all(any(value.is_said_by(stated) for stated in theirs) for value in values)


def _same_point(one: _Read, other: _Read) -> bool:
    place = _met(one, other)
    if any(_within(a, b) or _within(b, a) for a in one.law for b in other.law):
        least = _AT_PLACE_BY_PARAGRAPH if place else _BY_PARAGRAPH
    elif {article[:2] for article in one.law} & {article[:2] for article in other.law}:
        least = _AT_PLACE_BY_ARTICLE if place else _BY_ARTICLE
    else:
        least = _AT_PLACE if place else _BY_WORDS
    return _alike(one, other) >= least


def _within(one: _Article, other: _Article) -> bool:
    """Tell whether an article, or a paragraph of it, is the other or part of it."""
    return one[: len(other)] == other


def _alike(one: _Read, other: _Read) -> float:
    """Return the share of the words of the shorter statement that the longer has in any form."""
    return likeness.alike(one.gist, other.gist)


def _met(one: _Read, other: _Read) -> bool:
    """Tell whether two statements quote the same words of the document."""
    return any(
        min(end, last) - max(start, first) >= min(_COMMON, end - start, last - first)
        for start, end in one.places
        for first, last in other.places
    )


class _Reader:
    """Reader of statements about one document; what they cite is read once."""

    def __init__(self, finder: QuoteFinder, jurisdiction: str) -> None:
        self._finder, self._jurisdiction = finder, jurisdiction
        self._cited: dict[str, frozenset[_Article]] = {}

    def read(self, statement: Statement) -> _Read:
        text = statement.text
        written = statement.citations if statement.origin == "rules" else (*statement.citations, text)
        for citation in statement.citations:
            text = text.replace(citation, " ")
        found = (self._finder.find(quote) for quote in statement.quotes)
        return _Read(
            statement,
            likeness.gist(text),
            frozenset().union(*map(self._articles, written)),
            tuple((one.start, one.end) for one in found if one is not None),
        )

    def _articles(self, written: str) -> frozenset[_Article]:
        found = self._cited.get(written)
        if found is None:
            found = self._cited[written] = frozenset(
                (norm, *article.split("."))
                for one in extract(written, self._jurisdiction)
                for name in one.canonical
                for norm, cited, article in (name.rpartition(":art"),)
                if cited
            )
        return found


def _notes(
    floor: Draft,
    added: Sequence[Statement],
    same: Mapping[Statement, Statement],
    outdone: Sequence[Statement],
    language: Language,
) -> tuple[str, ...]:
    number, more = len(floor.statements), len(added)
    twice = sum("part" not in one.facts for one in same)
    notes = [
        pick(
            language,
            f"{number} afirmaciones son de las reglas ({floor.model}) y {more} las añade el modelo; "
            f"{twice} del modelo repetían las de las reglas y se dicen una sola vez.",
            f"{number} statements are of the rules ({floor.model}) and the model adds {more}; {twice} of the "
            "model repeated those of the rules and are told once.",
        )
    ]
    if outdone:
        notes.append(
            pick(
                language,
                f"El modelo dio {len(outdone)} resultados distintos de los que calcula el código: valen los "
                "del código, con su fórmula.",
                f"The model gave {len(outdone)} results other than those that code computes: those of code "
                "stand, with their formula.",
            )
        )
    return tuple(notes)
