"""Fold a document for the patterns of rule files, offset for offset, and cut it into sentences.

Patterns in the rule files are plain lower-case words without accents; `Document.folded` is the document in
that same shape, one ASCII byte per character of the original, so that a match found in it is a slice of
the original text. All scanning is linear in the length of the text, whatever the text is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import re2

from app.rules import clause_types
from app.rules.word_places import FoldedSentences, WordPlaces
from app.text import memory
from app.text.normalize import RULES
from app.text.sentences import FoldedText

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.rules.clause_types.part_words import PartWords

# The initial of a company's form keeps its dot: "Acme, S.L."
_INITIAL = re.compile(rb"(?:^|[^a-z])[a-z]\.\Z")
# Pounds and paragraphs are folded to a question mark: one before a figure ("£900", "§ 5") ends no sentence.
_SENTENCE = re.compile(rb"[^.;?!]+(?:\?(?=\?? ?\d)[^.;?!]*)*")
# Where one clause ends and the next begins: a blank line, or a line that opens with a number or an ordinal.
_CLAUSE_LIMIT = re2.compile(
    rb"\n *\n|\n *(?:(?:clausula|estipulacion|pacto|articulo|clause|section|article|artigo|articolo)\s"
    rb"|[?] ?[0-9]"
    rb"|[0-9]{1,2}(?:[.][0-9]{1,2}){0,3} ?[.):-]|[0-9]{1,2}(?:[.][0-9]{1,2}){1,3} "
    rb"|(?:(?:decimo|vigesimo) ?)?(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|undecim"
    rb"|duodecim|vigesim|unic)[oa] ?[.:)-])"
)
_CLAUSE_REACH = 1_200  # characters each side of a sentence: a document without clauses is not one clause

# Folded text is ASCII, and of a match only its place is asked: both make automata smaller.
PATTERN_OPTIONS = re2.Options()
PATTERN_OPTIONS.never_capture = True
PATTERN_OPTIONS.encoding = re2.Options.Encoding.LATIN1

_GAP = "[^.;]*?"
_ANYWHERE = re2._Anchor.UNANCHORED
_NOWHERE = (-1, -1)
_HEADING_WORDS = 5
_LONGEST_WORDS = 400
_KEPT_FOR = 300_000  # characters of documents for which automata are kept: some seventy of 4,000
# What is classified at once: a shorter sentence goes with the next one, of which it is the heading; a longer
# one is read in parts.
_SHORTEST_PART, _LONGEST_PART = 40, 700
_SEEN = 0.4  # the least probability by which a type is seen in words that a pattern found already


def fold(source: FoldedText) -> bytes:
    """Fold a document by the profile `RULES` and mark with "." where its sentences end, and nothing else.

    Every other full stop becomes "_". Where a sentence ends without one, at a blank line, a bullet or a
    numbered clause, the white space after it becomes ".". Each character of the document is one ASCII byte.
    """
    folded = RULES.fold(source.text).encode("ascii")
    marked = bytearray(folded.replace(b".", b"_"))
    for start, end in pairwise(source.limits):
        last = start + len(folded[start:end].rstrip(b" \n-"))
        stopped = folded[last - 1 : last] == b"." and last > start
        if stopped and not (last < end and _INITIAL.search(folded, max(start, last - 3), last)):
            marked[last - 1] = ord(".")
        elif last < end:
            marked[last] = ord(".")
    return bytes(marked)


class Expression(re2._Regexp):  # type: ignore[misc]  # re2 comes without types
    """A pattern of a rule file, which is compiled when it is first looked for: most never are.

    Attributes:
        place: where `pattern_set` keeps the words that it needs: a part of its index, and a place there.
    """

    place: tuple[int, int] = (-1, -1)

    def __init__(self, source: str) -> None:
        """Take a pattern as `compile_pattern` describes it.

        Raises:
            ValueError: when it is not written as patterns are.
        """
        if source != source.lower() and not re.fullmatch(r"(?:[^A-Z]|\\[bBdDsSwW]|E)*", source):
            raise ValueError(f"pattern must be written in lower case: {source!r}")
        if not source.replace("…", "").isascii():
            raise ValueError(f"pattern must be written without accents: {source!r}")
        self._source = source
        expression = source.replace(" ?", r"\s*").replace(" ", r"\s+").replace("…", _GAP)
        self._pattern = expression.encode("ascii")

    @cached_property
    def _regexp(self) -> Any:
        """The compiled form, under the name by which all of re2's methods ask for it."""
        found = re2._re2.RE2(self._pattern, PATTERN_OPTIONS)
        if not found.ok():
            raise ValueError(f"pattern does not compile: {self._source!r}: {found.error()}")
        _AUTOMATA.add(self)
        return found

    def forget(self) -> None:
        """Let go of the compiled form: the next search compiles it again."""
        self.__dict__.pop("_regexp", None)

    def span(self, folded: bytes, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
        """Return where the first match in a part of folded text is, or None.

        Quicker than `search`: most searches find nothing.
        """
        end = len(folded) if end is None else min(end, len(folded))
        if start > end:
            return None
        found: tuple[int, int] = self._regexp.Match(_ANYWHERE, folded, max(start, 0), end)[0]
        return None if found == _NOWHERE else found

    def check(self) -> Expression:
        """Return the expression itself, compiled.

        Raises:
            ValueError: with the reason, when it is not valid.
        """
        self._regexp  # noqa: B018
        return self


class _Automata:
    """The compiled forms of expressions, which are let go when they have read many characters.

    RE2 adds to the automaton of an expression what each text needs that none before it did, and takes nothing
    away until 8 MB are full. Much of it serves one text only (decision 115).
    """

    def __init__(self) -> None:
        self._compiled: list[Expression] = []
        self._characters = 0

    def add(self, expression: Expression) -> None:
        """Take note of an expression that was compiled."""
        self._compiled.append(expression)

    def read(self, characters: int) -> None:
        """Take note that a text of so many characters will be searched."""
        self._characters += characters
        if self._characters >= _KEPT_FOR:
            self._characters = characters
            # Who searches by one at this moment holds it until it is done.
            forgotten, self._compiled = self._compiled, []
            for expression in forgotten:
                expression.forget()
            memory.give_back()


_AUTOMATA = _Automata()


def compile_pattern(source: str) -> Expression:
    """Compile a pattern of a rule file as a linear-time expression over folded text.

    Written in lower case without accents; a blank stands for any white space, including a line break, and
    "…" for any words inside the same sentence, and " ?" for white space or none. Raises `ValueError` with the
    reason when it is not valid.
    """
    return Expression(source).check()


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands: `text[start:end]`."""

    start: int
    end: int


class Document:
    """One document under analysis: its text, its folded bytes, its sentences."""

    def __init__(self, text: str, source: FoldedText | None = None) -> None:
        # Readers of facts cut the same text into the same sentences: what they found is taken over.
        _AUTOMATA.read(len(text))
        self.text = text
        self.source = source or FoldedText(text)
        self.folded = fold(self.source)
        self._absent: set[Expression] = set()
        self.folded_sentences = FoldedSentences(self.folded)
        self.word_places: dict[int, WordPlaces] = {}  # what `pattern_set` found, by part of its index

    @property
    def whole(self) -> Span:
        """Return all of the document."""
        return Span(0, len(self.folded))

    @cached_property
    def _starts(self) -> list[int]:
        return [found.start() for found in _SENTENCE.finditer(self.folded)]

    @cached_property
    def _limits(self) -> list[int]:
        # Not of `self.folded`, where the marks of sentences have taken the place of line breaks.
        folded = RULES.fold(self.text).encode("ascii")
        return [found.start() for found in _CLAUSE_LIMIT.finditer(folded)]

    @cached_property
    def _ends(self) -> list[int]:
        return [found.end() for found in _SENTENCE.finditer(self.folded)]

    def sentences(self) -> list[Span]:
        """Return every sentence, trimmed, in order."""
        return [self._trim(Span(a, b)) for a, b in zip(self._starts, self._ends, strict=True)]

    def find(self, pattern: Expression, start: int = 0, end: int | None = None) -> Span | None:
        """Return the first match of `pattern` in `text[start:end]`, or None.

        Matches of no width do not count.
        """
        if pattern in self._absent:
            return None
        for first, last in self._stretches(pattern, start, end):
            found = pattern.span(self.folded, first, last)
            if found is not None and found[0] < found[1]:
                return Span(*found)
        return None

    def find_all(self, pattern: Expression, limit: int = 12) -> list[Span]:
        """Return at most `limit` matches of `pattern`, in order."""
        spans: list[Span] = []
        if pattern in self._absent:
            return spans
        find, folded = pattern.span, self.folded
        for position, end in self._stretches(pattern):
            while (found := find(folded, position, end)) is not None and found[0] < found[1]:
                spans.append(Span(*found))
                if len(spans) == limit:
                    return spans
                position = found[1]
        return spans

    def may_hold(self, pattern: Expression, start: int = 0, end: int | None = None) -> bool:
        """Tell whether the words that `pattern` needs stand in `text[start:end]`, as near as they must."""
        return next(iter(self._stretches(pattern, start, end)), None) is not None

    def _stretches(
        self, pattern: Expression, start: int = 0, end: int | None = None
    ) -> Iterable[tuple[int, int]]:
        """Return the parts of `text[start:end]` in which `pattern` is to be looked for, in order."""
        start, end = max(start, 0), len(self.folded) if end is None else min(end, len(self.folded))
        part, place = pattern.place
        words = self.word_places.get(part)
        # A pattern that no filter was given, or that needs no words, may stand anywhere.
        return ((start, end),) if words is None else words.stretches(place, start, end)

    def rule_out(self, patterns: Iterable[Expression]) -> None:
        """Take note that `patterns` match nothing in the document, so that they are not looked for."""
        self._absent.update(patterns)

    def sentence(self, span: Span) -> Span:
        """Return the sentence or sentences that `span` stands in, trimmed."""
        first = max(bisect_right(self._starts, span.start) - 1, 0)
        last = max(bisect_right(self._starts, max(span.end - 1, span.start)) - 1, first)
        if not self._starts:
            return span
        return self._trim(Span(min(self._starts[first], span.start), max(self._ends[last], span.end)))

    def clause(self, span: Span) -> Span:
        """Return the clause that `span` stands in: between two blank lines or numbered lines, trimmed.

        Whole sentences, and at most some 1,200 characters of them before and after the sentence of `span`.
        """
        sentence = self.sentence(span)
        at = bisect_right(self._limits, sentence.start)
        start = self._limits[at - 1] if at else 0
        end = self._limits[at] if at < len(self._limits) else len(self.folded)
        if sentence.start - start > _CLAUSE_REACH:
            start = self._starts[bisect_right(self._starts, sentence.start - _CLAUSE_REACH)]
        if end - sentence.end > _CLAUSE_REACH:
            end = self._ends[bisect_right(self._ends, sentence.end + _CLAUSE_REACH) - 1]
        return self._trim(Span(min(start, sentence.start), max(end, sentence.end)))

    def clauses_of(self, types: Sequence[str], least: float) -> list[Span]:
        """Return the parts of the document that provide one of `types`, the most probable first.

        Args:
            types: ids of types of clause (`app.rules.clause_types`).
            least: the least probability that counts.

        Raises:
            WeightsError: when the classifier has not learnt from the exemplars at hand.
        """
        if self.source.foreign:
            return []  # it has learnt from clauses in Spanish and English
        parts, probabilities = self._classified
        known = clause_types.classifier().types
        best = probabilities[:, [known.index(one) for one in types]].max(axis=1, initial=0.0)
        # Ties stay in the order of the document.
        order = sorted((at for at in range(len(parts)) if best[at] >= least), key=lambda at: -best[at])
        return [parts[at] for at in order]

    def seems(self, span: Span, types: Sequence[str]) -> bool:
        """Tell whether the classifier sees one of some types of clause in the part that `span` begins in."""
        parts, probabilities = self._classified
        at = next((at for at, part in enumerate(parts) if part.start <= span.start < part.end), None)
        if at is None:
            return False
        known = clause_types.classifier().types
        return bool(probabilities[at, [known.index(one) for one in types]].max(initial=0.0) >= _SEEN)

    @cached_property
    def parts(self) -> list[Span]:
        """The document in parts of one provision or statement each, as far as sentences tell."""
        parts: list[Span] = []
        pending: int | None = None
        for sentence in self.sentences():
            start = sentence.start if pending is None else pending
            if sentence.end - start < _SHORTEST_PART:
                pending = start
                continue
            pending = None
            parts += self._cut_up(Span(start, sentence.end))
        if pending is not None:
            parts += self._cut_up(self._trim(Span(pending, len(self.folded))))
        return parts

    @cached_property
    def part_words(self) -> PartWords:
        """The words of `parts`."""
        # Loaded when asked for: commands that read the rules and analyse nothing need not load numpy.
        from app.rules.clause_types.part_words import PartWords

        return PartWords(self.folded, [(part.start, part.end) for part in self.parts], self.source.tongue)

    @cached_property
    def _classified(self) -> tuple[list[Span], NDArray[np.float32]]:
        """Return the parts of the document and the probability of each type of clause for each."""
        return self.parts, clause_types.classifier().probabilities(self.part_words)

    def _cut_up(self, span: Span) -> list[Span]:
        """Return a sentence in parts of equal length, each short enough for one provision; none if empty."""
        length = span.end - span.start
        if not length:
            return []
        pieces = -(-length // _LONGEST_PART)
        cuts = [span.start]
        for piece in range(1, pieces):
            cut = span.start + length * piece // pieces
            blank = self.folded.find(b" ", cut, cut + 30)
            cuts.append(blank if blank >= 0 else cut)
        return [Span(a, b) for a, b in pairwise([*cuts, span.end])]

    def following(self, sentence: Span) -> Span | None:
        """Return the sentence after `sentence`, or None at the end."""
        index = bisect_right(self._starts, max(sentence.end - 1, sentence.start))
        if index >= len(self._starts):
            return None
        return self._trim(Span(self._starts[index], self._ends[index]))

    def quote(self, span: Span, limit: int = 280) -> str:
        """Return words of the document around `span`.

        They are an exact slice of it, of some `limit` characters at most.

        A heading is quoted with the sentence that follows it; a long sentence is cut at word boundaries
        around `span`.
        """
        sentence = self.sentence(span)
        if len(self.folded[sentence.start : sentence.end].split()) <= _HEADING_WORDS:
            after = self.following(sentence)
            if after is not None and after.start - sentence.end < 12 and self._leads(sentence, after):
                sentence = Span(sentence.start, self._cut(sentence.start, after.end, limit))
        if sentence.end - sentence.start > limit:
            sentence = self._narrow(sentence, span, limit)
        sentence = self._trim(sentence)
        return self.text[sentence.start : sentence.end]

    def words(self, span: Span) -> str:
        """Return the whole words that `span` touches, an exact slice of the document."""
        start, end = span.start, span.end
        while start > 0 and end - start < _LONGEST_WORDS and self.text[start - 1 : start + 1].isalnum():
            start -= 1
        length = len(self.text)
        while end < length and end - start < _LONGEST_WORDS and self.text[end - 1 : end + 1].isalnum():
            end += 1
        return self.text[start:end]

    def _leads(self, sentence: Span, after: Span) -> bool:
        """Tell whether a short sentence may be the heading of the next.

        It is where both share a line, or where it has one of its own.
        """
        if "\n" not in self.text[sentence.end : after.start]:
            return True
        line = self.text.rfind("\n", max(sentence.start - 40, 0), sentence.start) + 1
        return not any(map(str.isalpha, self.text[line : sentence.start]))

    def _cut(self, start: int, end: int, limit: int) -> int:
        """Return an end at a word boundary such that `start:end` is at most `limit` long."""
        if end - start <= limit:
            return end
        blank = self.folded.rfind(b" ", start + limit - 30, start + limit)
        return blank if blank > start else start + limit

    def _narrow(self, sentence: Span, span: Span, limit: int) -> Span:
        room = max(limit - (span.end - span.start), 0)
        start = max(sentence.start, span.start - room // 3)
        end = min(sentence.end, max(start + limit, start + 1))
        if start > sentence.start:
            blank = self.folded.find(b" ", start, min(start + 30, end))
            start = blank + 1 if blank >= 0 else start
        if end < sentence.end:
            blank = self.folded.rfind(b" ", max(end - 30, start + 1), end)
            end = blank if blank > start else end
        return Span(start, end)

    def _trim(self, span: Span) -> Span:
        start, end = span.start, span.end
        while start < end and self.folded[start] in b" \n\"'-*_.:,":
            start += 1
        while end > start and self.folded[end - 1] in b" \n-*:,":
            end -= 1
        return Span(start, end)
