"""Check that what a statement says together stands together in the words quoted. Pure.

Two quotations, or two clauses of one, may hold every word of a statement and still not say it: who signs
stands in one, the office of somebody else in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from app.analysis.support.grammar import marks_of
from app.analysis.support.quotation import Discrepancy
from app.analysis.support.subject_checks import SubjectChecks
from app.analysis.support.words import Token, concepts_of, is_content, word_set

# Where a clause that can stand alone ends: no blank and capital letter follow the point of an abbreviation.
_SEGMENT = re.compile(r"(?<=[a-z0-9)€%»”\"])\.(?=\s+[A-ZÁÉÍÓÚÑ«“\"¿])|;|\n\s*\n|\s{4,}|(?<=\d\.ª) ")
# What joins two claims of one statement.
_JOINED = frozenset({",", ";", "y", "e", "and", "pero", "but", "mientras", "while", "o", "or", "ni", "nor"})
# What grants in the face of something: "even if" takes back an exception.
CONCESSIONS = word_set("concessions")


# Behind "although", what is so: "although it may", "aunque sí".
_CONTRASTING = frozenset(
    {"no", "not", "si", "may", "can", "puede", "pueden", "podra", "debe", "must", "solo", "only", "ni"}
)
_STOPS = frozenset({",", ";", ".", ":"})
_CONCEDED = 12


class _Segment(NamedTuple):
    """A clause of the words quoted: its tokens and what they mean."""

    tokens: Sequence[Token]
    concepts: frozenset[str]


class PlaceChecks(SubjectChecks):
    """Checks of where the words of a statement stand in its quotations."""

    def _one_place(self) -> Discrepancy | None:
        """Refuse a statement that takes a person or figure of one clause quoted for that of another."""
        if len(self._segments) < 2:
            return None
        found = [at for at in self._anchors if any(self._stands_in(at, one) for one in self._segments)]
        if self._exchanged(found):
            parts = list(self._joined(found))
            if len(parts) < 2 or any(self._exchanged(part) for part in parts):
                return Discrepancy.ROLE
        return None

    def _exchanged(self, anchors: Sequence[int]) -> bool:
        """Tell whether the clause that says what is claimed has others where it has not these.

        A subject may stand in the sentence before; where the clause has one of its own, it is another.
        """
        # Where the words stand that say what is claimed, not those that name of whom or how much.
        claimed = [at for at in anchors if self._sort_of(at) is None]
        shared = [sum(self._stands_in(at, one) for at in claimed) for one in self._segments]
        return bool(claimed) and all(
            self._rivalled(anchors, one)
            for one, number in zip(self._segments, shared, strict=True)
            if number == max(shared)
        )

    def _sort_of(self, at: int) -> str | None:
        return self._sort(self.said.tokens[at], self.statement, self.said_concepts[at])

    def _rivalled(self, anchors: Sequence[int], segment: _Segment) -> bool:
        for at in anchors:
            sort = self._sort_of(at)
            if sort is None or self._stands_in(at, segment):
                continue
            for token in segment.tokens:
                own = concepts_of([token])[0]
                if sort == self._sort(token, self.document.text, own) and not self._is_stated(token, own):
                    return True
        return False

    def _is_stated(self, token: Token, own: frozenset[str]) -> bool:
        parties = _parties(own)
        if parties:
            return any(parties & found for found in self.said_concepts)
        return self._stated_says(token)

    @staticmethod
    def _sort(token: Token, text: str, own: frozenset[str]) -> str | None:
        """Return what a word can be exchanged with: a person, number or date; `None` where it is neither."""
        if token.kind in ("number", "date"):
            return token.kind
        if _parties(own):
            return "person"
        before = text[: token.start].rstrip()[-1:]
        named = text[token.start].isupper() and (before not in ".:;!?\n" or not before)
        return "person" if named and not own and is_content(token) else None

    def _joined(self, anchors: Sequence[int]) -> Iterator[Sequence[int]]:
        """Yield the words of each clause of the statement."""
        part: list[int] = []
        tokens = self.said.tokens
        for at in range(len(tokens)):
            if tokens[at].text in _JOINED:
                if part:
                    yield part
                part = []
            elif at in anchors:
                part.append(at)
        if part:
            yield part

    @cached_property
    def _anchors(self) -> list[int]:
        """The places of words and figures of the statement that claim something."""
        return [
            at
            for at, token in enumerate(self.said.tokens)
            if (is_content(token) or token.kind in ("number", "date")) and not self._stands_for_matter(token)
        ]

    def _stands_in(self, at: int, segment: _Segment) -> bool:
        token = self.said.tokens[at]
        if token.kind != "word":
            return any(
                token.text == one.text or token.figure == one.figure is not None for one in segment.tokens
            )
        own = self.said_concepts[at]
        parties = _parties(own)
        if parties:  # that both lend and borrow makes nobody the other
            return bool(parties & segment.concepts) or any(token.text == one.text for one in segment.tokens)
        return self._found(token, own, segment.tokens, segment.concepts)

    @cached_property
    def _segments(self) -> list[_Segment]:
        """The clauses of the quotations that can stand alone."""
        found = []
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            text = self.document.text[one.start : one.end]
            cuts = [match.start() + one.start for match in _SEGMENT.finditer(text)]
            last = 0
            for cut in [*cuts, one.end]:
                part = [token for token in piece[last:] if token.start < cut]
                last += len(part)
                if any(is_content(token) for token in part):
                    found.append(_Segment(part, frozenset(c for own in concepts_of(part) for c in own)))
        return found

    def _concedes(self) -> Discrepancy | None:
        """Refuse "even if" where it takes back an exception, or what it concedes is not quoted."""
        tokens = self.said.tokens
        for at, token in enumerate(tokens):
            if token.text not in CONCESSIONS:
                continue
            behind = _until_stop(tokens, at + 1)
            conceded = [one for one in behind if is_content(one) or one.kind == "number"]
            if not conceded or any(one.text in _CONTRASTING for one in behind):
                continue
            excepted = [
                one
                for piece in self.pieces
                for place in marks_of(piece, exceptions=True)
                for one in _until_stop(piece, place + 1)
            ]
            words = frozenset(c for own in concepts_of(excepted) for c in own)
            taken = sum(self._found(one, self.said_concepts_of(one), excepted, words) for one in conceded)
            there = sum(
                self._found(one, self.said_concepts_of(one), self.tokens, self.quoted_all) for one in conceded
            )
            if (excepted and 2 * taken >= len(conceded)) or (
                2 * there < len(conceded) and not any(one.text in CONCESSIONS for one in self.sentences)
            ):
                return Discrepancy.EXCEPTION
        return None


def _until_stop(tokens: Sequence[Token], start: int) -> list[Token]:
    found = []
    for one in tokens[start : start + _CONCEDED]:
        if one.text in _STOPS:
            break
        found.append(one)
    return found


def _parties(concepts: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in concepts if one.startswith("party:"))
