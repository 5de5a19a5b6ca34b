"""Tell why a statement was refused for its wording, and compare its restatement with it. Pure (decision 095).

A restatement says the same in the words of the document. It may claim less, or quote more; it is no other
statement and no correction: it keeps what code recognised of the original, exchanges no figure, party, name
or duty for another, quotes the passages that were told and does not deny what the original affirms. Its lock
is assigned by the same judge as any other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Final

from app.analysis import support
from app.analysis.checks import proposed_wording
from app.analysis.checks.locks import DowngradeReason, JudgedStatement
from app.analysis.support import QuotedSpan
from app.analysis.support.clock_times import ClockTime, clock_times
from app.analysis.support.grammar import mentions_of, modality_of, persons_of
from app.analysis.support.party_checks import GETTING, GIVING
from app.analysis.support.quote_finder import QuoteFinder
from app.analysis.support.roles import bound_of
from app.analysis.support.words import (
    Token,
    Value,
    Words,
    alike,
    concepts_of,
    is_content,
    read,
    stems,
    synonyms_of,
    word_set,
)
from app.rules import Lock, Statement

# A statement of the model that is refused for one of these may be right in other words.
WORDING: Final = frozenset(
    {
        DowngradeReason.NOT_FOUND,
        DowngradeReason.CUT,
        DowngradeReason.SHORT,
        DowngradeReason.CLIPPED,
        DowngradeReason.GOVERNED,
        DowngradeReason.EXCEPTION,
        DowngradeReason.LIMIT,
        DowngradeReason.FIGURE,
        DowngradeReason.ROLE,
        DowngradeReason.PARTY,
        DowngradeReason.MODALITY,
        DowngradeReason.POLARITY,
        DowngradeReason.OTHER_MATTER,
        DowngradeReason.BEYOND,
    }
)
# Statements of one round, sentences told besides those quoted, and characters of a passage.
_MOST, _MOST_ELSEWHERE, _PASSAGE = 80, 2, 1_200
# Of the words that code recognised, the share that a restatement keeps.
_KEPT: Final = 0.5
_FEWEST_SHARED: Final = 2
_ONLY: Final = word_set("only")
_SHE: Final = frozenset({"she", "her", "hers", "he", "him", "they", "them", "ella"})
_PLACES: Final = ("agent", "to", "of")
_BOTH: Final = 2
_SCOPE: Final = "scope_word:"
_OPPOSITE: Final = frozenset({("least", "most"), ("most", "least"), ("more", "less"), ("less", "more")})
_DAYS: Final = {
    "working": frozenset({"habil", "habiles", "laborable", "laborables", "working", "business"}),
    "calendar": frozenset({"natural", "naturales", "corrido", "corridos", "calendar"}),
}
_ENDS: Final = {
    "least": frozenset({"minimo", "minima", "minimum", "least"}),
    "most": frozenset({"maximo", "maxima", "maximum", "most"}),
}
# Reasons that may stand over a list, farther from the quotation than its neighbours.
_OVER: Final = frozenset({DowngradeReason.GOVERNED, DowngradeReason.EXCEPTION})
# Reasons for which the right words may stand elsewhere in the document.
_ELSEWHERE: Final = frozenset(
    {
        DowngradeReason.NOT_FOUND,
        DowngradeReason.FIGURE,
        DowngradeReason.PARTY,
        DowngradeReason.ROLE,
        DowngradeReason.OTHER_MATTER,
        DowngradeReason.BEYOND,
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What code found about one statement that it refused for its wording. `repr` shows no text.

    Attributes:
        statement: its place among those judged, from 0.
        reason: why it was refused.
        words: its words, figures and parties that have no place in the quotation.
        passages: where the sentences of the document stand that the model is told.
        left_out: words of the quotation that limit it and that the statement leaves out.
        proposed: literal words of the document that say as much and would earn the lock; empty where none do.
    """

    statement: int
    reason: DowngradeReason
    words: tuple[str, ...]
    passages: tuple[QuotedSpan, ...]
    left_out: tuple[str, ...] = ()
    proposed: str = ""

    def __repr__(self) -> str:
        return f"<Refusal of {self.statement}: {self.reason.name}>"


def refusals(judged: Sequence[JudgedStatement], finder: QuoteFinder) -> tuple[Refusal, ...]:
    """Return what a model may restate of its own statements, in order, 80 at most.

    Args:
        judged: the statements of a draft with their locks.
        finder: the document that they are about.
    """
    sentences: _Sentences | None = None
    found: list[Refusal] = []
    for place, one in enumerate(judged):
        if len(found) == _MOST:
            break
        if one.statement.origin != "model" or one.withdrawn or one.lowered not in WORDING:
            continue
        if "part" in one.statement.facts or (one.quotations and not one.evidence):
            continue  # words of an article, which is not the document's
        quoted = [QuotedSpan(item.start, item.end) for item in one.evidence]
        passages = [_around(span, finder) for span in quoted]
        if one.lowered in _OVER and (over := support.governor(one.statement.text, quoted, finder.document)):
            passages.append(over)
        if one.lowered in _ELSEWHERE:
            sentences = sentences or _Sentences(finder)
            passages += sentences.nearest(one.statement.text, passages)
        words = support.unplaced_words(one.statement.text, quoted, finder.document) if quoted else ()
        limits: tuple[str, ...] = ()
        if one.lowered is DowngradeReason.LIMIT:
            limits = support.left_out(one.statement.text, quoted, finder.document)
        if passages:
            refusal = Refusal(place, one.lowered, words, tuple(dict.fromkeys(passages)), limits)
            found.append(replace(refusal, proposed=_proposed(one.statement, refusal, finder)))
    return tuple(found)


def _proposed(statement: Statement, refusal: Refusal, finder: QuoteFinder) -> str:
    """Return the shortest literal clause that would replace a statement if the model told it so."""
    if statement.citations:
        return ""  # no clause of the document says what the law provides
    document = finder.document
    for clause in proposed_wording.clauses(statement.text, refusal.passages, document):
        text = proposed_wording.wording(clause, document)
        again = replace(statement, text=text, quotes=(document.text[clause.start : clause.end],))
        if (
            is_restatement(again, statement, refusal, finder)
            and support.discrepancy(text, [clause], document, aligned=True) is None
            # What is cut off must not limit what is left.
            and support.discrepancy(text, [_sentences_at(clause, document)], document, aligned=True) is None
        ):
            return text
    return ""


def _sentences_at(span: QuotedSpan, document: support.Document) -> QuotedSpan:
    return QuotedSpan(*document.sentence(span.start, span.end))


def accepted(
    again: JudgedStatement, original: JudgedStatement, refusal: Refusal, finder: QuoteFinder
) -> bool:
    """Tell whether a restatement replaces the statement: it earned a lock, and says the same.

    Args:
        again: the restatement, judged.
        original: the statement as it was judged first.
        refusal: what the model was told about it.
        finder: the document.
    """
    return (
        again.lock is not Lock.L4
        and not again.withdrawn
        and is_restatement(again.statement, original.statement, refusal, finder)
    )


def is_restatement(restated: Statement, original: Statement, refusal: Refusal, finder: QuoteFinder) -> bool:
    """Tell whether `restated` says the same as `original` about the passages that were told.

    Args:
        restated: what a model answers.
        original: the statement that was refused.
        refusal: what the model was told about it.
        finder: the document.
    """
    for quote in restated.quotes:
        stands = finder.find(quote)
        if stands is None or not any(
            one.start < stands.end and stands.start < one.end for one in refusal.passages
        ):
            return False
    if not restated.quotes or _exchanges_figure(restated.text, original.text):
        return False
    if _exchanges_measure(restated.text, original.text):
        return False
    if not _keeps_words(restated.text, original.text, refusal.words):
        return False
    if _drops_name(original.text, refusal.words, finder.document) or _drops_scope(
        restated.text, original.text, refusal.words
    ):
        return False
    if _exchanges_party(restated.text, original.text, finder.document) or _exchanges_mode(
        restated.text, original.text
    ):
        return False
    return not support.denies(original.text, restated.text)


def _around(span: QuotedSpan, finder: QuoteFinder) -> QuotedSpan:
    """Return the sentences of a quotation with the one before and the one behind, where these are short."""
    document = finder.document
    start, end = document.sentence(span.start, span.end)
    first = document.reading.sentence(start - 1)[0] if start else start
    last = document.reading.sentence(end)[1] if end < len(document.text) else end
    if end - first <= _PASSAGE:
        start = first
    if last - start <= _PASSAGE:
        end = last
    return QuotedSpan(start, end)


class _Sentences:
    """The sentences of a document by the words that stand in them."""

    def __init__(self, finder: QuoteFinder) -> None:
        document = finder.document
        self._length = len(document.text)
        self._starts = sorted({0, *document.reading.limits})
        self._holding: defaultdict[str, set[int]] = defaultdict(set)
        for token in document.words.tokens:
            if is_content(token) or token.kind in ("number", "date"):
                number = bisect_right(self._starts, token.start) - 1
                for stem in stems(token.text):
                    self._holding[stem].add(number)

    def nearest(self, text: str, known: Sequence[QuotedSpan]) -> list[QuotedSpan]:
        """Return the sentences outside of `known` that have most words of `text`, two at most."""
        shared: Counter[int] = Counter()
        for token in read(text).tokens:
            if is_content(token) or token.kind in ("number", "date"):
                shared.update(
                    {number for stem in stems(token.text) for number in self._holding.get(stem, ())}
                )
        found: list[QuotedSpan] = []
        for number, count in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            span = self._span(number)
            if count < _FEWEST_SHARED or len(found) == _MOST_ELSEWHERE:
                break
            if span.end - span.start <= _PASSAGE and not any(
                one.start < span.end and span.start < one.end for one in known
            ):
                found.append(span)
        return found

    def _span(self, number: int) -> QuotedSpan:
        end = self._starts[number + 1] if number + 1 < len(self._starts) else self._length
        return QuotedSpan(self._starts[number], end)


def _exchanges_figure(restated: str, original: str) -> bool:
    """Tell whether a text has a figure that the other lacks in place of one of the same kind that it has."""
    new, old = read(restated), read(original)
    new_times, old_times = clock_times(new.tokens), clock_times(old.tokens)
    if new_times and old_times:
        if {one.minutes for one in new_times} != {one.minutes for one in old_times}:
            return True
        new_values, old_values = _besides(new.values, new_times), _besides(old.values, old_times)
    else:
        new_values, old_values = new.values, old.values
    missing = {one.kind for one in old_values if not _said(one, new.values)}
    added = {one.kind for one in new_values if not _said(one, old.values)}
    return bool(missing & added)


def _exchanges_measure(restated: str, original: str) -> bool:
    """Tell whether a maximum became a minimum, working days calendar days, or "from 5 to 7" "from 7 to 5"."""
    new, old = read(restated), read(original)
    if any(
        (bound_of(new.tokens, one), bound_of(old.tokens, other)) in _OPPOSITE
        for one in new.values
        for other in old.values
        if one.figure == other.figure
    ):
        return True
    for pair in (_DAYS, _ENDS):
        named = [
            {name for name, words in pair.items() if not words.isdisjoint(token.text for token in one.tokens)}
            for one in (new, old)
        ]
        if len(named[0]) == len(named[1]) == 1 and named[0] != named[1]:
            return True
    new_times, old_times = ([one.minutes for one in clock_times(words.tokens)] for words in (new, old))
    if new_times != old_times and sorted(new_times) == sorted(old_times):
        return True
    turned = {(second, first) for first, second in _spans_of(old)}
    return any(one in turned and one[0] != one[1] for one in _spans_of(new))


def _spans_of(words: Words) -> set[tuple[Decimal, Decimal]]:
    """Return the two figures of each "from 5 to 7"."""
    return {
        (first.figure, second.figure)
        for first, second in pairwise(words.values)
        if [one.text for one in words.tokens if first.end <= one.start < second.start] in (["a"], ["to"])
    }


def _besides(values: Iterable[Value], times: Sequence[ClockTime]) -> tuple[Value, ...]:
    """Return the values that are no part of a time of day."""
    return tuple(one for one in values if not any(time.start <= one.start < time.end for time in times))


def _exchanges_party(restated: str, original: str, document: support.Document) -> bool:
    """Tell whether a text names one party of the document in the place of another.

    Who receives by one text and who gives by the other are not exchanged, where there are but two. A letter
    speaks to its reader, of whom a statement says "she".
    """
    new, old = _placed(restated, document), _placed(original, document)
    added, gone = set(new) - set(old), set(old) - set(new)
    if any(one.text in _SHE for one in read(original).tokens):
        added -= {document.parties.person("you")}
    exchanged = len(document.parties.all) == _BOTH and _way(restated) * _way(original) < 0
    acting, acted = _agents(new), _agents(old)
    if acting and set(new) & acted and not acting & acted and not exchanged:
        return True  # who pays by one text is paid by the other
    return bool(added) and bool(gone) and not exchanged


def _agents(placed: Mapping[str, Collection[str]]) -> set[str]:
    """Return the parties that only act in a text."""
    return {key for key, places in placed.items() if set(places) == {"agent"}}


def _placed(text: str, document: support.Document) -> dict[str, set[str]]:
    """Return which parties of the document a text names, speaks for or speaks to, and in which places."""
    tokens, parties = read(text).tokens, document.parties
    concepts = concepts_of(tokens)
    keys = [
        parties.key(token.text, own) if token.kind == "word" else ""
        for token, own in zip(tokens, concepts, strict=True)
    ]
    found: dict[str, set[str]] = {key: set() for key in keys if key}
    for one in mentions_of(tokens, lambda token: bool(parties.key(token.text, ()))):
        if keys[one.at]:
            found[keys[one.at]].add(one.place)
    for person, places in persons_of(tokens).items():
        if spoken := parties.person(person):
            found.setdefault(spoken, set()).update(_PLACES if "any" in places else places)
    # Who is named where no place was read may stand in any.
    return {key: places or set(_PLACES) for key, places in found.items()}


def _way(text: str) -> int:
    """Return 1 where the only verbs of exchange of a text are of getting, -1 of giving, 0 otherwise."""
    words = [one.text for one in read(text).tokens if one.kind == "word"]
    return any(map(GETTING.match, words)) - any(map(GIVING.match, words))


def _exchanges_mode(restated: str, original: str) -> bool:
    """Tell whether one text says "must" where the other says "may"; "only A may" says that it must be A."""
    if any(one.text in _ONLY for text in (restated, original) for one in read(text).tokens):
        return False
    new, old = modality_of(read(restated).tokens), modality_of(read(original).tokens)
    return any(
        "must" in one and "may" not in one and "may" in other and "must" not in other
        for one, other in ((new, old), (old, new))
    )


def _drops_name(original: str, unplaced: Sequence[str], document: support.Document) -> bool:
    """Tell whether a text has a name without a place in the document's words that is no party's."""
    for word in unplaced:
        at = original.find(word)
        inside = original[:at].rstrip()[-1:] not in ("", ".", ":", "!", "?")
        if not inside or not word[:1].isupper() or any(one.isdigit() for one in word):
            continue
        if not _names_party(original, at, at + len(word), document):
            return True
    return False


def _drops_scope(restated: str, original: str, unplaced: Sequence[str]) -> bool:
    """Tell whether a text lacks "all", "only", "always" that another says without a place for it."""
    new = {c for found in concepts_of(read(restated).tokens) for c in found}
    new_words = {token.text for token in read(restated).tokens}
    alone = {token.text for word in unplaced for token in read(word).tokens}
    tokens = read(original).tokens
    return any(
        token.text in alone
        and token.text not in new_words
        and not {c for c in own if c.startswith(_SCOPE)} <= new
        for token, own in zip(tokens, concepts_of(tokens), strict=True)
    )


def _names_party(text: str, start: int, end: int, document: support.Document) -> bool:
    """Tell whether the capital letters that run through `start:end` are the name of a party."""
    words = [one for one in read(text).tokens if one.kind == "word"]
    own = [at for at, one in enumerate(words) if start <= one.start < end]
    if not own:
        return False
    first, last = own[0], own[-1]
    while (
        first > 0 and text[words[first - 1].start].isupper() and _adjoin(text, words[first - 1 : first + 1])
    ):
        first -= 1
    while (
        last + 1 < len(words)
        and text[words[last + 1].start].isupper()
        and _adjoin(text, words[last : last + 2])
    ):
        last += 1
    run = [one.text for one in words[first : last + 1]]
    if any(document.parties.key(words[at].text, concepts_of([words[at]])[0]) for at in own):
        return True
    return any(set(run) <= party.names and len(run) > 1 for party in document.parties.all)


def _adjoin(text: str, pair: Sequence[Token]) -> bool:
    return not text[pair[0].end : pair[1].start].strip()


def _said(value: Value, among: Iterable[Value]) -> bool:
    return any(value.is_said_by(other) or other.is_said_by(value) for other in among)


def _keeps_words(restated: str, original: str, unplaced: Sequence[str]) -> bool:
    """Tell whether a text has at least half of the words of another, without those that had no place."""
    left_out = {token.text for word in unplaced for token in read(word).tokens}
    old, new = read(original).tokens, read(restated).tokens
    old_concepts, new_concepts = concepts_of(old), concepts_of(new)
    recognised = [at for at, one in enumerate(old) if _counts(one) and one.text not in left_out]
    others = [at for at, one in enumerate(new) if _counts(one)]
    if not recognised:
        return False
    every = frozenset().union(*(new_concepts[at] for at in others)) if others else frozenset()
    synonyms = frozenset(s for at in others for s in synonyms_of(new[at]))
    kept = sum(
        bool(old_concepts[at] & every)
        or bool(synonyms_of(old[at]) & synonyms)
        or any(_same_word(old[at], new[other]) for other in others)
        for at in recognised
    )
    return kept >= _KEPT * len(recognised)


def _same_word(one: Token, other: Token) -> bool:
    return alike(one.text, other.text) or (one.figure is not None and one.figure == other.figure)


def _counts(token: Token) -> bool:
    return is_content(token) or token.kind in ("number", "date")
