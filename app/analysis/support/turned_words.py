"""Tell whether a statement turns round what its quotation says in the same words. Pure.

Source: decision 116. "From seven to four" becomes "from four to seven", "A prevails over B" becomes "B
prevails over A", who stands behind "to the" becomes the one who acts: every word stands in the quotation,
with the preposition of the other, or on the other side of the verb.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from app.analysis.support.aligned_words import AlignedWords, Item
from app.analysis.support.grammar import (
    BEING,
    CONDITIONS,
    DETERMINERS,
    EXCEPTIONS,
    NEGATIONS,
    PROVISOS,
    is_verb,
)
from app.analysis.support.quotation import HONORIFICS
from app.analysis.support.words import Token, stems, word_set

_ARTICLES: Final = frozenset({"el", "la", "los", "las", "the", "un", "una", "unos", "unas", "an", "lo"})
_SAME: Final = {"del": "de", "al": "a", "of": "de", "to": "a", "from": "de", "e": "y"}
_ALSO: Final = frozenset({"entre", "between", "over", "sobre", "ante", "contra", "against", "under", "above"})
_PREPOSITIONS: Final = word_set("prepositions") | _ALSO
# A verb by which the one who stands behind "a" acts: "corresponde a la Arrendataria".
_ACTS_BEHIND: Final = (
    "correspond", "incumb", "compet", "oblig", "autoriz", "permit", "prohib", "encarg", "toca", "facult",
    "exig", "ordena", "condena", "impon", "allow", "require", "oblige", "entitle", "authori", "prohibit",
    "belong", "due", "impid", "reconoc", "conced", "atribu", "cargo", "contrat", "design", "nombr", "adjudic",
    "appoint", "cuenta",
)  # fmt: skip
_RECEIVING: Final = frozenset({"a", "con", "with", "over", "sobre"})
_DEPTH: Final = 2
_UNIVERSAL: Final = frozenset(
    {"cualquier", "cualquiera", "nadie", "ningun", "ninguno", "ninguna", "any", "anyone", "anybody", "nobody"}
)
_IF: Final = frozenset({"si", "if"})
_CONDITIONAL: Final = frozenset(
    {"cuando", "when", "caso", "case", "quien", "quienes", "siempre", "mediante", "previo", "previa", "where"}
    | {"sin", "without", "once", "vez", "provided", "who", "whoever", "hasta", "until"}
    | {"failure", "falta", "impago", "incumplimiento", "default", "breach"}
)
# "Until 30 November" is not "after 30 November".
_UP_TO: Final = frozenset({"until", "till", "hasta", "before", "by", "antes"})
_FROM_ON: Final = frozenset({"after", "from", "since", "desde", "tras", "despues"})
_VALUES: Final = ("number", "money", "date", "percent", "period")
_JOINTS: Final = frozenset({",", ";", "y", "e", "and", "o", "or", "pero", "but", "si", "if", "que", "which"})
_REACH: Final = 12
_NOUNS_BEFORE: Final = _ARTICLES | _PREPOSITIONS | DETERMINERS | HONORIFICS


def _words_before(tokens: Sequence[Token], at: int) -> list[Token]:
    """Return the words before a value, the nearest first, without articles and forms of address."""
    found = [one for one in tokens[max(0, at - 5) : at] if one.text not in _ARTICLES]
    while (
        found
        and found[-1].text in ("of", "de", "del")
        and len(found) > 1
        and found[-2].text in ("despues", "antes")
    ):
        found.pop()
    return found[::-1]


_BY: Final = frozenset({"por", "by"})


class _Role(NamedTuple):
    """The prepositions that govern a word, inmost first, and whether it stands before the verb."""

    governed: tuple[str, ...]


class TurnedWords(AlignedWords):
    """A statement beside a quotation in which the same words may have other functions."""

    def _widens(self) -> bool:
        """Tell whether the statement says "any", "nobody", "if" of words that say nothing of the kind."""
        said = {one.text for one in self.said.tokens}
        written = {one.text for one in self.sentences}
        if (
            said & _UNIVERSAL
            and not written & _UNIVERSAL
            and not any(one in NEGATIONS for one in said & written)
        ):
            return True
        best = max(self._clauses_used, key=self._covered, default=None)
        conditional = any(
            one.text in _IF and self.statement[one.start : one.end].lower() in _IF for one in self.said.tokens
        )  # not "pero sí el robo"
        if not conditional or best is None:
            return False
        tokens = self._clause_tokens[best]
        return not (
            {one.text for one in tokens} & (_IF | EXCEPTIONS | _CONDITIONAL)
            or CONDITIONS.places(tokens)
            or PROVISOS.places(tokens)
        )

    def _turns_words(self) -> bool:
        """Tell whether two words have exchanged their prepositions or their sides of the verb."""
        placed = [
            one
            for one in self._items
            if len(one.places) == 1
            and one.sort in ("word", "name", "party", "number", "money", "date", "percent", "period")
        ]
        named = [one for one in placed if one.sort not in ("word", "name") or self._is_noun_in_both(one)]
        for first, second in combinations(named, 2):
            if self._clause_quoted(first) != self._clause_quoted(second) or first.places == second.places:
                continue
            if self._functions_exchanged(first, second):
                return True
        return (
            self._acts_who_receives(placed)
            or self._sides_exchanged()
            or self._joins_halves()
            or self._agents_exchanged()
            or any(self._is_bounded_otherwise(one) for one in placed if one.sort in _VALUES)
        )

    def _is_bounded_otherwise(self, item: Item) -> bool:
        """Tell whether "until" a day became "after" it, or "six of the forty-two" all forty-two."""
        target = self._targets[item.places[0]]
        tokens = self._clause_tokens[target.clause]
        said, written = (
            _words_before(self.said.tokens, item.at),
            _words_before(tokens, tokens.index(target.token)),
        )
        for first, second in ((_UP_TO, _FROM_ON), (_FROM_ON, _UP_TO)):
            if said[:1] and said[0].text in first and written[:1] and written[0].text in second:
                return True
        part = written[1:2] if written[:1] and written[0].text in ("de", "of") else []
        return (
            bool(part)
            and (part[0].kind == "number" or part[0].figure is not None)
            and not any(
                one.text == part[0].text or one.figure == part[0].figure
                for one in self.said.tokens
                if one.figure is not None or one.kind == "number"
            )
        )

    def _agents_exchanged(self) -> bool:
        """Tell whether "represented by A" of B became "represented by B" of A."""
        said = self.said.tokens
        words = {one.text for one in said}
        for at, token in enumerate(said):
            if token.text not in _BY or at == 0:
                continue
            own = self._name_at(said, at + 1, self.statement)
            for tokens in self._clause_tokens if own else ():
                agents = [
                    (place, self._name_at(tokens, place + 1, self.document.text))
                    for place in range(1, len(tokens))
                    if tokens[place].text in _BY
                ]
                if any(not agent.isdisjoint(own) for _, agent in agents):
                    continue  # "by A or, in her absence, by B"
                if any(
                    agent & words and stems(tokens[place - 1].text) & stems(said[at - 1].text)
                    for place, agent in agents
                ):
                    return True
        return False

    def _name_at(self, tokens: Sequence[Token], at: int, text: str) -> set[str]:
        """Return the words in capitals that stand at `at`, behind an article or a form of address."""
        found: set[str] = set()
        for one in tokens[at:]:
            if one.kind == "word" and text[one.start].isupper() and one.text not in HONORIFICS:
                found.add(one.text)
            elif one.text not in HONORIFICS and one.text not in _ARTICLES:
                break
        return found

    def _joins_halves(self) -> bool:
        """Tell whether a statement without a joint takes a word or party from each half at a semicolon."""
        if self._label or any(one.text in _JOINTS for one in self.said.tokens):
            return False
        clauses: dict[int, int] = {}
        for one in self._items:
            own = {self._targets[place].clause for place in one.places}
            if len(own) == 1:
                clauses[own.pop()] = one.at
        return any(
            one + 1 == other and other in self._halves and self._quote_of[one] == self._quote_of[other]
            for one in clauses
            for other in clauses
        )

    def _sides_exchanged(self) -> bool:
        """Tell whether two parties have exchanged their sides of a verb: "A grants B", "B, who grants A"."""
        for one, verb, other in zip(self._items, self._items[1:], self._items[2:], strict=False):
            if (one.sort, verb.sort, other.sort) != ("party", "word", "party"):
                continue
            if not one.places or not all(len(item.places) == 1 for item in (verb, other)):
                continue
            if _governing(self.said.tokens, one.at) or _governing(self.said.tokens, other.at):
                continue
            first, middle, last = one.places[-1], verb.places[0], other.places[0]
            if any(last < place < middle for place in one.places):
                continue
            acted = self._targets[middle].token
            tokens = self._clause_tokens[self._targets[middle].clause]
            if not last < middle < first or stems(self.said.tokens[verb.at].text).isdisjoint(
                stems(acted.text)
            ):
                continue
            at = tokens.index(acted)
            passive = any(
                token.text in BEING or token.text in ("lo", "la", "le", "los", "las")
                for token in tokens[max(0, at - 2) : at]
            )
            if not passive and not _governing(tokens, tokens.index(self._targets[first].token)):
                return True
        return False

    def _clause_quoted(self, item: Item) -> int:
        return self._targets[item.places[0]].clause

    def _is_noun_in_both(self, item: Item) -> bool:
        """Tell whether a word is a form of the one quoted, and a noun in both texts by what leads it."""
        tokens = self._clause_tokens[self._clause_quoted(item)]
        quoted = self._targets[item.places[0]].token
        own = self.said.tokens[item.at]
        if stems(own.text).isdisjoint(stems(quoted.text)):
            return False
        return _is_led(self.said.tokens, item.at) and _is_led(tokens, tokens.index(quoted))

    def _functions_exchanged(self, first: Item, second: Item) -> bool:
        tokens = self._clause_tokens[self._clause_quoted(first)]
        mine = [_governing(self.said.tokens, one.at) for one in (first, second)]
        theirs = [_governing(tokens, self._place_in(tokens, one)) for one in (first, second)]
        if mine[0] == theirs[1] and mine[1] == theirs[0] and mine[0] != mine[1]:
            # "Paid by A to B", "A pays B": the agent of a passive.
            if {"by", "por"} & {one for found in (*mine, *theirs) for one in found}:
                return False
            return first.sort == second.sort or {first.sort, second.sort} <= {"word", "name", "party"}
        return False

    def _place_in(self, tokens: Sequence[Token], item: Item) -> int:
        return tokens.index(self._targets[item.places[0]].token)

    def _acts_who_receives(self, placed: Sequence[Item]) -> bool:
        """Tell whether who stands behind "to the" in the quotation stands before the same verb, and acts."""
        first = placed[0] if placed else None
        if first is None or first.sort not in ("party", "word", "name") or self._label:
            return False
        said = self.said.tokens
        if any(one.kind == "mark" for one in said[: first.at]) or _governing(said, first.at):
            return False
        tokens = self._clause_tokens[self._clause_quoted(first)]
        at = self._place_in(tokens, first)
        governed = _governing(tokens, at)
        if not governed or governed[0] not in _RECEIVING:
            return False
        verb = next(
            (
                one
                for one in self._items
                if one.at > first.at and one.sort == "word" and said[one.at - 1].text not in _NOUNS_BEFORE
            ),
            None,
        )
        before = [place for place in verb.places if place < first.places[0]] if verb else []
        if verb is None or not before or verb.at - first.at > _REACH:
            return False
        acted, own = self._targets[before[-1]].token, said[verb.at]
        if self._targets[before[-1]].clause != self._clause_quoted(first):
            return False
        if stems(own.text).isdisjoint(stems(acted.text)):
            return False
        passive = any(one.text in BEING or one.text == "se" for one in said[first.at : verb.at])
        if passive:
            return False
        return not any(one.text.startswith(_ACTS_BEHIND) for one in tokens[:at])


def _is_led(tokens: Sequence[Token], at: int) -> bool:
    if is_verb(tokens[at]):
        return False
    before = tokens[at - 1].text if at else ""
    return before in _ARTICLES or before in _PREPOSITIONS or before in DETERMINERS or before in _SAME


def _governing(tokens: Sequence[Token], at: int) -> tuple[str, ...]:
    """Return the prepositions that govern the word at `at`, inmost first: "el precio [de la] opción"."""
    found: list[str] = []
    place = at
    while len(found) < _DEPTH:
        place -= 1
        while place >= 0 and (
            tokens[place].text in _ARTICLES | HONORIFICS
            or (tokens[place].text in DETERMINERS and tokens[place].text not in _PREPOSITIONS)
        ):
            place -= 1
        if place < 0 or tokens[place].text not in _PREPOSITIONS | _SAME.keys():
            break
        key = _SAME.get(tokens[place].text, tokens[place].text)
        found.append(key)
        if key != "de" or place == 0 or tokens[place - 1].kind != "word":
            break
        place -= 1
    return tuple(found)
