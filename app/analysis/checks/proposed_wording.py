"""Cut from a document the literal clauses that hold what a statement says. Pure (decision 121).

A clause begins with its sentence or behind a semicolon and ends at a semicolon, at a comma or with its
sentence. Nothing is rewritten: what is cut stands in the document character by character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from app.analysis.support import Document, QuotedSpan
from app.analysis.support.grammar import language_of
from app.analysis.support.words import Token, Value, Words, alike, concepts_of, is_content, read, synonyms_of

# Sentences that are tried, and characters and words of a clause.
_SENTENCES: Final = 2
_LONGEST, _FEWEST_WORDS = 500, 3
# Clauses are judged until one earns the lock: of so many none did, and none will.
_MOST: Final = 8
# Of the words and figures of a statement, a clause has more than this share.
_RECOGNISED: Final = 0.5
_STOPS: Final = frozenset({".", ")", "º", "ª", "°", "-", "—"})


def clauses(statement: str, passages: Sequence[QuotedSpan], document: Document) -> Iterator[QuotedSpan]:
    """Yield clauses with every figure, and most recognised words, of a statement: the shortest first.

    A document in another language has none: its words would have to be translated.

    Args:
        statement: what was refused for its wording.
        passages: where the sentences stand that may be cut, the most likely first.
        document: what it is about.
    """
    said = read(statement)
    written = [one for span in passages for one in document.tokens(span.start, span.end)]
    if language_of(said.tokens) != language_of(written):
        return
    wanted = [one for one in said.tokens if is_content(one)]
    sentences = dict.fromkeys(span for passage in passages for span in _sentences(passage, document))
    ranked = sorted(sentences, key=lambda one: -_share(wanted, said.values, one, document))
    found = [clause for sentence in ranked[:_SENTENCES] for clause in _cut(sentence, wanted, said, document)]
    yield from islice(found, _MOST)


def wording(span: QuotedSpan, document: Document) -> str:
    """Return a clause as a sentence: its own words, with a capital letter and a full stop."""
    words = " ".join(document.text[span.start : span.end].split())
    return f"{words[:1].upper()}{words[1:]}."


def _sentences(passage: QuotedSpan, document: Document) -> Iterator[QuotedSpan]:
    at = passage.start
    while at < passage.end:
        _, end = document.sentence(at, at + 1)
        tokens = _unnumbered(document.tokens(at, end))
        if tokens:
            yield QuotedSpan(tokens[0].start, end)
        at = end


def _unnumbered(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens without the number or letter of a clause that they begin with: "4.2.", "b)"."""
    at = 0
    while at + 1 < len(tokens) and (
        tokens[at].kind == "mark"
        or (tokens[at + 1].text in _STOPS and (tokens[at].kind == "number" or len(tokens[at].text) == 1))
    ):
        at += 1
    return tokens[at:]


def _cut(sentence: QuotedSpan, wanted: Sequence[Token], said: Words, document: Document) -> list[QuotedSpan]:
    """Return the clauses of a sentence that hold as much of a statement as the whole does, shortest first."""
    values = said.values
    tokens = document.tokens(sentence.start, sentence.end)
    starts = [tokens[0].start] if tokens else []
    starts += [other.start for one, other in pairwise(tokens) if one.text == ";"]
    ends = [
        before.end for before, one in pairwise(tokens) if one.text in (";", ",") and before.kind != "mark"
    ]
    last = next((one for one in reversed(tokens) if one.text not in (".", ";", ",", ":")), None)
    ends += [last.end] if last else []
    whole = _share(wanted, values, sentence, document)
    if whole <= _RECOGNISED * (len(wanted) + len(values)):
        return []  # about something else
    spans = [
        QuotedSpan(start, end) for start in starts for end in ends if start < end and end - start <= _LONGEST
    ]
    return sorted(
        (
            one
            for one in dict.fromkeys(spans)
            if sum(token.kind == "word" for token in document.tokens(one.start, one.end)) >= _FEWEST_WORDS
            and _share(wanted, values, one, document) == whole
            and _has_figures(values, one, document)
        ),
        key=lambda one: one.end - one.start,
    )


def _has_figures(values: Sequence[Value], span: QuotedSpan, document: Document) -> bool:
    here = document.values(span.start, span.end)
    return all(any(one.is_said_by(other) or other.is_said_by(one) for other in here) for one in values)


def _share(wanted: Sequence[Token], values: Sequence[Value], span: QuotedSpan, document: Document) -> int:
    """Count the words and figures of a statement that stand in a span in any form or in other words."""
    here = [one for one in document.tokens(span.start, span.end) if is_content(one)]
    known = frozenset(c for found in concepts_of(here) for c in found)
    same = frozenset(s for one in here for s in synonyms_of(one))
    figures = document.values(span.start, span.end)
    said = [
        bool(own & known)
        or bool(synonyms_of(one) & same)
        or any(alike(one.text, other.text) for other in here)
        for one, own in zip(wanted, concepts_of(wanted), strict=True)
    ]
    return sum(said) + sum(any(one.is_said_by(other) for other in figures) for one in values)
