"""Check that a statement does not exchange two things that its quotation tells apart. Pure.

Source: decision 109. All words of such a statement stand in the quotation; it turns what stands between
them: "with" for "without", "before" for "after", "A and not B" for "B and not A", or it deals out to each
thing one of the figures that the quotation gives to all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from app.analysis.support.aligned_words import AlignedWords, Item
from app.analysis.support.grammar import DETERMINERS, bearers_of, is_verb, persons_of
from app.analysis.support.parties import ANY_COMPANY
from app.analysis.support.words import Token, alike, is_content

_WITH: Final = frozenset({"con", "with", "mediando"})
_WITHOUT: Final = frozenset({"sin", "without"})
_EARLIER: Final = frozenset({"antes", "before", "anterior", "prior", "previa", "previo", "previamente"})
_LATER: Final = frozenset({"despues", "after", "tras", "posterior", "posteriormente", "luego"})
_OPPOSED: Final = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (r"primer[oa]?s?$|first$", r"ultim[oa]s?$|last$"),
        (r"earlier$|sooner$", r"later$"),
        (
            r"enter[oa]s?$|integr[oa]s?$|integramente$|whole$|entire$|full$",
            r"descont|deduc|deducing$|menos$|less$",
        ),
    )
)
_AHEAD: Final = _EARLIER | {
    "hasta",
    "until",
    "antelacion",
    "advance",
    "sin",
    "without",
    "by",
    "within",
    "dentro",
}
_AND: Final = frozenset({"y", "e", "and"})
_RESPECTIVELY: Final = frozenset({"respectivamente", "respectively"})
_NOT: Final = frozenset({"no", "not"})
_OF: Final = frozenset({"de", "of"})
_STOPS: Final = frozenset({",", ";", ".", ":"})
_FIGURES: Final = ("money", "date", "percent", "period")
_TWO: Final = 2
_NEAR: Final = 4


class ExchangeChecks(AlignedWords):
    """Checks of things exchanged within the words quoted."""

    def _exchanges_things(self) -> bool:
        """Tell whether the statement turns what stands between words that are all quoted."""
        return (
            self._with_for_without()
            or self._before_for_after()
            or self._opposite_word()
            or self._comes_before()
            or self._quality_of_another()
            or self._denies_the_other()
            or self._deals_out()
            or self._acts_by_a_modifier()
            or self._subject_of_another_sentence()
            or self._subject_beside()
        )

    def _with_for_without(self) -> bool:
        """Tell whether "without an excuse" became "with an excuse", or the reverse."""
        for mine, theirs in ((_WITH, _WITHOUT), (_WITHOUT, _WITH)):
            other = _governed_by(self.tokens, theirs)
            same = _governed_by(self.tokens, mine)
            for one in _governed_by(self.said.tokens, mine):
                if any(alike(one.text, word.text) for word in other) and not any(
                    alike(one.text, word.text) for word in same
                ):
                    return True
        return False

    def _before_for_after(self) -> bool:
        """Tell whether "A before B" became "A after B" in the same order of the two."""
        said = {one.text for one in self.said.tokens}
        quoted = {one.text for one in self.tokens}
        for mine, theirs in ((_EARLIER, _LATER), (_LATER, _EARLIER)):
            if said & mine and quoted & theirs and not said & theirs and not quoted & mine:
                return self._in_order(mine, theirs)
        return False

    def _opposite_word(self) -> bool:
        """Tell whether the statement has a word, and the quotation only its opposite: "first", "last"."""
        for pair in _OPPOSED:
            for mine, theirs in (pair, pair[::-1]):
                if (
                    _has(self.said.tokens, mine)
                    and not _has(self.said.tokens, theirs)
                    and _has(self.tokens, theirs)
                    and not _has(self.tokens, mine)
                ):
                    return True
        return False

    def _comes_before(self) -> bool:
        """Tell whether the statement puts an act before another, and the quotation has no such word."""
        if any(one.text in _AHEAD - {"within", "dentro"} for one in self.tokens):
            return False
        dated = {one.start for one in self.said.values}
        for at, token in enumerate(self.said.tokens[:-1]):
            if token.text not in ("before", "antes"):
                continue
            behind = [one for one in self.said.tokens[at + 1 : at + 1 + _NEAR] if one.text not in _STOPS]
            if not any(one.start in dated or one.figure is not None for one in behind):
                return True
        return False

    def _quality_of_another(self) -> bool:
        """Tell whether a thing has the quality that the quotation gives to another: "the front door"."""
        told = {place for one in self._items for place in one.places}
        for first, second in pairwise(self._items):
            if second.at != first.at + 1 or len(first.places) != 1 or len(second.places) != 1:
                continue
            own, other = first.places[0], second.places[0]
            beside = own + 1
            if other <= beside or beside in told or beside >= len(self._targets):
                continue
            thing, quality = self._targets[own].token, self._targets[beside].token
            place = self.tokens.index(thing)
            between = self.tokens[place + 1 : self.tokens.index(self._targets[other].token)]
            if (
                place + 1 < len(self.tokens)
                and self.tokens[place + 1] is quality
                and is_content(quality)
                and not self._is_act(quality)
                and not self._is_act(self._targets[other].token)
                and any(one.text in _AND for one in between)
            ):
                return True
        return False

    def _is_act(self, token: Token) -> bool:
        """Tell whether a word of the quotation is a verb; "trasera" is no future."""
        return is_verb(token) and not self.document.text[token.start : token.end].lower().endswith("ra")

    def _in_order(self, mine: frozenset[str], theirs: frozenset[str]) -> bool:
        """Tell whether what stands before and behind the word of order is the same in both texts."""
        cut = next(at for at, one in enumerate(self.said.tokens) if one.text in mine)
        border = next(one.start for one in self.tokens if one.text in theirs)
        sides: list[tuple[bool, bool]] = [
            (item.at > cut, self._targets[item.places[0]].token.start > border)
            for item in self._items
            if len(item.places) == 1
        ]
        kept = sum(first == second for first, second in sides)
        return 2 * kept > len(sides)

    def _denies_the_other(self) -> bool:
        """Tell whether "A and not B" became "B and not A", where B is only a pronoun."""
        for piece in self.pieces:
            for at, behind in _contrasted(piece):
                if any(is_content(one) for one in behind):
                    continue
                main = [one for one in piece[:at] if is_content(one)][-_TWO:]
                for _, denied in _contrasted(self.said.tokens):
                    if any(alike(one.text, other.text) for one in denied for other in main[-1:]):
                        return True
        return False

    def _deals_out(self) -> bool:
        """Tell whether two things that the quotation joins get one each of the figures that it joins."""
        if any(one.text in _RESPECTIVELY for one in (*self.tokens, *self.said.tokens)):
            return False
        for sort in _FIGURES:
            figures = [one for one in self._items if one.sort == sort and len(one.places) == 1]
            for first, second in pairwise(figures):
                heads = [self._thing_of(one, figures) for one in (first, second)]
                if None in heads or not self._parted(first, second):
                    continue
                a, b = (one.places[0] for one in heads if one is not None)
                lowest, highest = sorted((first.places[0], second.places[0]))
                if a != b and self._joined_here(a, b) and (max(a, b) < lowest or min(a, b) > highest):
                    return True
        return False

    def _thing_of(self, figure: Item, figures: Sequence[Item]) -> Item | None:
        """Return the noun that the statement gives a figure to: the first word of its clause."""
        start = max((one.at for one in figures if one.at < figure.at), default=-1)
        words = [
            one
            for one in self._items
            if start < one.at < figure.at and one.sort == "word" and len(one.places) == 1
        ]
        return words[0] if words else None

    def _parted(self, first: Item, second: Item) -> bool:
        return any(
            one.text in _AND or one.text in _STOPS for one in self.said.tokens[first.at + 1 : second.at]
        )

    def _joined_here(self, one: int, other: int) -> bool:
        """Tell whether two words of the quotation are joined by "and", with nothing but articles between."""
        first, second = sorted((self._targets[one].token.start, self._targets[other].token.start))
        between = [token for token in self.tokens if first < token.start < second]
        return (
            len(between) <= _NEAR
            and any(token.text in _AND or token.text == "," for token in between)
            and not any(is_content(token) for token in between)
        )

    def _borne_by_another(self) -> bool:
        """Tell whether the quotation puts a burden on somebody whom the statement does not name."""
        named = [one for one in self._items if one.sort == "party"]
        if not named or any(one.places for one in named):
            return False
        keys = {self._key(self.said.tokens[one.at]) for one in named}
        return any(
            not self.document.text[bearer.start].isupper()
            and self._key(bearer) not in keys
            and not any(alike(bearer.text, one.text) for one in self.said.tokens)
            for piece in self.pieces
            for bearer in bearers_of(piece)
        )

    def _key(self, token: Token) -> str:
        return self.document.parties.key(token.text, self.said_concepts_of(token)) or token.text

    def _subject_of_another_sentence(self) -> bool:
        """Tell whether the subject is quoted in one sentence, and what it does in another with its own."""
        first = self._items[0] if self._items else None
        if first is None or not first.places or self._label or len(self._items) <= _TWO:
            return False
        best = max(self._clauses_used, key=self._covered)
        own = {self._targets[place].clause for place in first.places}
        if best in own or any(self._in_own_form(clause) > 1 for clause in own):
            return False
        return first.sort == "word" and self._has_own_subject(best)

    def _in_own_form(self, clause: int) -> int:
        """Count the words of the statement that a clause of the quotation has, not in other words."""
        return sum(
            any(
                self._targets[place].clause == clause
                and alike(self.said.tokens[one.at].text, self._targets[place].token.text)
                for place in one.places
            )
            for one in self._items
        )

    def _subject_beside(self) -> bool:
        """Tell whether a noun from another sentence stands in the place of the subject quoted."""
        beside = [
            one
            for one in self._items
            if one.sort == "word" and one.beside and not one.places and not self._may_be_left_out(one.at)
        ]
        if not beside or self._label or not self._clauses_used:
            return False
        at = beside[0].at
        named = at > 0 and self.said.tokens[at - 1].text in DETERMINERS
        return named and self._has_own_subject(max(self._clauses_used, key=self._covered))

    def _has_own_subject(self, clause: int) -> bool:
        """Tell whether a clause of the quotation begins with a noun of which the statement does not speak."""
        lead = next((rank for rank, one in enumerate(self._targets) if one.clause == clause), None)
        if lead is None or lead in {place for one in self._items for place in one.places}:
            return False
        token = self._targets[lead].token
        at = self.tokens.index(token)
        before = self.tokens[at - 1].text if at else ""
        return (
            before in DETERMINERS
            and is_content(token)
            and token.text not in ANY_COMPANY
            and not any(alike(token.text, one.text) for one in self.said.tokens)
        )

    def _acts_by_a_modifier(self) -> bool:
        """Tell whether the subject of the statement is quoted only within "coches de empresa"."""
        first = self._items[0] if self._items else None
        if first is None or first.sort not in ("party", "word") or len(self._items) == 1 or self._label:
            return False
        if "we" in persons_of(self.sentences):
            return False  # "we shall send the works council a copy": the company
        named = any(one.startswith(("party:", "general:company")) for one in self.said_concepts[first.at])
        return named and self._only_a_modifier(first)

    def _only_a_modifier(self, item: Item) -> bool:
        """Tell whether a word only tells, in the quotation, of what sort a thing is: "coches de empresa"."""
        return bool(item.places) and all(
            self._targets[place].token.text in ANY_COMPANY and self._is_bare(self._targets[place].token)
            for place in item.places
        )

    def _is_bare(self, token: Token) -> bool:
        at = self.tokens.index(token)
        return at > 1 and self.tokens[at - 1].text in _OF and is_content(self.tokens[at - 2])


def _has(tokens: Sequence[Token], words: re.Pattern[str]) -> bool:
    return any(words.match(one.text) for one in tokens)


def _governed_by(tokens: Sequence[Token], words: frozenset[str]) -> list[Token]:
    """Return the first words that claim something behind each of `words`."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        if token.text in words:
            for one in tokens[at + 1 : at + 1 + _NEAR]:
                if one.text in _STOPS:
                    break
                if is_content(one):
                    found.append(one)
                    break
    return found


def _contrasted(tokens: Sequence[Token]) -> list[tuple[int, Sequence[Token]]]:
    """Return where "and not …" stands, with what it denies."""
    found: list[tuple[int, Sequence[Token]]] = []
    for at in range(len(tokens) - 1):
        if (tokens[at].text in _AND or tokens[at].text == ",") and tokens[at + 1].text in _NOT:
            stop = next((p for p in range(at + 2, len(tokens)) if tokens[p].text in _STOPS), len(tokens))
            found.append((at, tokens[at + 2 : stop]))
    return found
