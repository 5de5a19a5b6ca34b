"""Place the words, figures and parties of a statement among the words that it quotes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.analysis.support.grammar import OUTSIDERS
from app.analysis.support.roles import RANKS
from app.analysis.support.subject_checks import WEAK, SubjectChecks
from app.analysis.support.words import (
    Token,
    Value,
    alike,
    concepts_of,
    everyday,
    is_content,
    synonyms_of,
    word_set,
)

_FRAME = word_set("frame")
_HEADED = 70
_COMPARING = word_set("comparing") | word_set("surpassing")
_ONLY = word_set("only")
_HALF_DAY = 12
_HOURS = frozenset(
    {"noche", "tarde", "madrugada", "mediodia", "am", "pm", "morning", "afternoon", "evening", "horas"}
)
_HEADING = 4
# A heading ends with no semicolon: what stands before one is a clause of its own.
_FEWEST_BEFORE = 2
# Everyday groups whose members are about one matter and are not one thing: a mother is no sister.
_DIFFERENT_THINGS = frozenset(
    f"everyday:{group}" for group in ("family", "age", "noon_night", "vehicle", "guarantee", "pledge")
)


@dataclass(frozen=True, slots=True)
class Item:
    """A word, figure or party of the statement at token `at`, and its places among the words quoted.

    `places` are ranks among the items of the quotations; `beside` tells that it stands only in the heading
    or the sentence quoted; an item with neither is new.
    """

    at: int
    sort: str
    places: tuple[int, ...]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A word or figure of the quotations: its token, its clause, and the figure's value."""

    token: Token
    clause: int
    concepts: frozenset[str]
    everyday: frozenset[str]
    value: Value | None = None


class AlignedWords(SubjectChecks):
    """A statement of which each word has its places in the quotation."""

    @cached_property
    def _targets(self) -> list[Target]:
        """The words and figures of the quotations, in order."""
        found: list[Target] = []
        clause = 0
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            values = self.document.values(one.start, one.end)
            own, common = concepts_of(piece), everyday(piece)
            seen: set[int] = set()
            ends = self._ends(piece)
            for at, token in enumerate(piece):
                value = next((v for v in values if v.start <= token.start < v.end), None)
                if value is not None:
                    if value.start not in seen:
                        seen.add(value.start)
                        found.append(Target(token, clause, frozenset(), frozenset(), value))
                elif at in ends:
                    clause += 1
                elif is_content(token) or own[at] or common[at]:
                    found.append(Target(token, clause, own[at], common[at]))
            clause += 1
        return found

    @cached_property
    def _items(self) -> list[Item]:
        """The words and figures of the statement that claim something, with their places."""
        found: list[Item] = []
        seen: set[int] = set()
        parties = self.document.parties
        for at, token in enumerate(self.said.tokens):
            value = next((v for v in self.said.values if v.start <= token.start < v.end), None)
            if value is not None:
                if value.start not in seen:
                    seen.add(value.start)
                    places = tuple(
                        rank
                        for rank, target in enumerate(self._targets)
                        if target.value is not None
                        and (value.is_said_by(target.value) or self._same_hour(at, value, target.value))
                    )
                    found.append(Item(at, value.kind, places))
                continue
            own = self.said_concepts[at]
            key = parties.key(token.text, own) if token.kind == "word" else ""
            party = any(c.startswith("party:") for c in own) or bool(key)
            if not party and not self._is_claim(at, own):
                continue
            places = self._places(at, own, key)
            sort = "party" if party else "name" if self._is_name(token) else "word"
            found.append(Item(at, sort, places, not places and self._explained_beside(at, own)))
        return found

    def _same_hour(self, at: int, said: Value, written: Value) -> bool:
        """Tell whether "nine in the evening" is 21:00."""
        later = {one.text for one in self.said.tokens[at + 1 : at + 4]} & {
            "noche",
            "tarde",
            "evening",
            "afternoon",
            "pm",
        }
        return (
            bool(later)
            and said.kind == written.kind == "number"
            and written.figure - said.figure == _HALF_DAY
        )

    def _places(self, at: int, own: frozenset[str], key: str) -> tuple[int, ...]:
        """Return the ranks where a word stands: in its own form or, where it does not, in other words."""
        token = self.said.tokens[at]
        if key or any(c.startswith("party:") for c in own):
            return tuple(
                rank
                for rank, target in enumerate(self._targets)
                if target.value is None and self._same_party(token, own, key, target)
            )
        exact = [
            rank
            for rank, target in enumerate(self._targets)
            if target.value is None
            and (
                token.text == target.token.text
                or (is_content(target.token) and alike(token.text, target.token.text))
            )
        ]
        return tuple(exact) or tuple(
            rank
            for rank, target in enumerate(self._targets)
            if target.value is None
            and (
                own & target.concepts
                or (self._said_everyday[at] & target.everyday) - _DIFFERENT_THINGS
                or synonyms_of(token) & synonyms_of(target.token)
            )
        )

    def _same_party(self, token: Token, own: frozenset[str], key: str, target: Target) -> bool:
        if key and self.document.parties.are_two_people(token.text, target.token.text):
            return False
        if token.text == target.token.text or (
            key and self.document.parties.key(target.token.text, target.concepts) == key
        ):
            return True
        return any(c.startswith("party:") for c in own & target.concepts)

    def _explained_beside(self, at: int, own: frozenset[str]) -> bool:
        token = self.said.tokens[at]
        return (
            self._may_be_left_out(at)
            or bool(own & self.confirmed)
            or self._party_there(token)
            or self._found(token, own, self._beside_words, self._beside_concepts)
            or self._found(token, own & self.title_concepts, self.title, self.title_concepts)
        )

    @cached_property
    def _beside_words(self) -> list[Token]:
        """The words of the sentences quoted and of the heading that they stand under."""
        found = [one for one in self.sentences if one.kind == "word"]
        for one in self.quoted:
            start, _ = self.document.sentence(one.start, one.end)
            text = self.document.text
            line = text.rfind("\n", 0, start) + 1
            above = text.rfind("\n", 0, max(0, len(text[:line].rstrip()))) + 1
            for begin, end in ((line, min(start, line + _HEADED)), (above, len(text[:line].rstrip()))):
                if begin < end <= begin + 2 * _HEADED:
                    found += [token for token in self.document.tokens(begin, end) if token.kind == "word"]
        return found

    @cached_property
    def _beside_concepts(self) -> frozenset[str]:
        return frozenset(c for found in concepts_of(self._beside_words) for c in found)

    def _may_be_left_out(self, at: int) -> bool:
        """Tell whether a word claims nothing by itself: what is told with it is compared elsewhere."""
        text = self.said.tokens[at].text
        if self._label and self.said.tokens[at].start < self.statement.rindex(":"):
            return True  # compared as the role of the value
        return any(text in words for words in (_FRAME, WEAK, _COMPARING, _HOURS, _ONLY, RANKS))

    @cached_property
    def _clauses_used(self) -> list[int]:
        return sorted({self._targets[rank].clause for one in self._items for rank in one.places})

    def _covered(self, clause: int) -> int:
        """Count the words of the statement that have a place in a clause of the quotations."""
        return sum(any(self._targets[rank].clause == clause for rank in one.places) for one in self._items)

    @cached_property
    def _clause_tokens(self) -> list[list[Token]]:
        """The tokens of each clause of the quotations."""
        found: list[list[Token]] = []
        for piece in self.pieces:
            found.append([])
            ends = self._ends(piece)
            for at, token in enumerate(piece):
                if at in ends:
                    found.append([])
                else:
                    found[-1].append(token)
        return found

    def _ends(self, piece: Sequence[Token]) -> set[int]:
        """Return where a clause of a quotation ends: not behind a heading or an abbreviation."""
        found: set[int] = set()
        last = 0
        for at, token in enumerate(piece[:-1]):
            after = self.document.text[token.end : piece[at + 1].start + 1]
            stop = token.text == ";" or (token.text == "." and after[:1].isspace() and after[-1:].isupper())
            words = sum(one.kind == "word" for one in piece[last:at])
            if stop and words > (_FEWEST_BEFORE if token.text == ";" else _HEADING):
                found.add(at)
                last = at
        return found

    @cached_property
    def _halves(self) -> set[int]:
        """The clauses that a semicolon parts from the one before."""
        found: set[int] = set()
        clause = 0
        for piece in self.pieces:
            for at in sorted(self._ends(piece)):
                clause += 1
                if piece[at].text == ";":
                    found.add(clause)
            clause += 1
        return found

    @cached_property
    def _quote_of(self) -> list[int]:
        """Which quotation each clause belongs to."""
        return [at for at, piece in enumerate(self.pieces) for _ in range(len(self._ends(piece)) + 1)]

    def _target_sort(self, rank: int) -> str:
        target = self._targets[rank]
        if target.value is not None:
            return target.value.kind
        parties = {c.removeprefix("party:") for c in target.concepts if c.startswith("party:")} - OUTSIDERS
        if parties or self.document.parties.key(target.token.text, target.concepts):
            return "party"
        return "word"
