"""Refuse a statement that tells the opposite of its quotation in the words of the quotation. Pure.

Source: decision 126. All words of such a statement have a place in the quotation: Monday for Tuesday, "or"
for "and", the shelf under the bench for that above it, what the first half of a sentence gives to one thing
told of the thing of the second half, the condition told as the consequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from app.analysis.support.grammar import CONDITIONS, EXCEPTIONS, NEGATIONS, PROHIBITED, PROVISOS
from app.analysis.support.left_out import LeftOutLimits
from app.analysis.support.quotation import HONORIFICS
from app.analysis.support.words import Lexicon, Token, Value, is_content, is_unit, word_set
from app.platform.data_files import Filled, read_file

_DATA: Final = Path(__file__).with_name("data")
_ARTICLES: Final = frozenset({"el", "la", "los", "las", "the", "un", "una", "unos", "unas", "a", "an", "lo"})
_AND: Final = frozenset({"y", "e", "and"})
_OR: Final = frozenset({"o", "u", "or"})
_JOINTS: Final = _AND | _OR | {",", ";", ":", "pero", "but", "ni", "nor"}
_DENYING: Final = NEGATIONS | PROHIBITED | {"ni", "nor"}
_PREPOSITIONS: Final = word_set("prepositions")
# "In the hall" and "outside the hall"; with what is between them and the noun.
_RELATIONS: Final = (
    (frozenset({"in", "inside", "within", "dentro", "en"}), frozenset({"outside", "beyond", "fuera"})),
    (frozenset({"sobre", "encima", "above", "over", "on"}), frozenset({"bajo", "debajo", "under", "below"})),
    (frozenset({"favor", "for"}), frozenset({"contra", "against"})),
)
_LINKS: Final = _ARTICLES | HONORIFICS | {"de", "del", "of", "su", "sus", "its", "his", "her", "their"}
_RANGES: Final = frozenset({"entre", "between", "from", "de", "desde"})
_NEAR = 4


@cache
def _closed() -> Lexicon:
    return Lexicon(read_file(_DATA / "closed.toml", dict[str, dict[str, Filled]]))


class _Slot(NamedTuple):
    """A word of a clause at token `at`, the place that it has there, and whether the statement tells it."""

    at: int
    kind: str
    told: bool


class OppositeWords(LeftOutLimits):
    """A statement beside a quotation of which it may tell the opposite in its own words."""

    def tells_opposite(self) -> bool:
        """Tell whether a word, a joint, a preposition, a half or a condition is told for its opposite."""
        return not self._label and (
            self._closed_word_exchanged()
            or self._joint_exchanged()
            or self._relation_exchanged()
            or self._halves_mixed()
            or self._condition_crossed()
        )

    @cached_property
    def _quoted_closed(self) -> list[frozenset[str]]:
        return _closed().of_each(self.tokens)

    def _closed_word_exchanged(self) -> bool:
        """Tell whether the quotation has another word of a class than the statement, or has it elsewhere."""
        said = _closed().of_each(self.said.tokens)
        if not any(said):
            return False
        if self._range_turned(said):
            return True
        around = [c for found in _closed().of_each(self.around) for c in found]
        written = {c for found in self._quoted_closed for c in found}
        known = written | set(around) | _months(self._quoted_values)
        classes = {one.partition(":")[0] for one in written}
        for at, own in enumerate(said):
            if not own or _inside(self.said.tokens[at], self.said.values):
                continue
            kinds = {one.partition(":")[0] for one in own}
            if not own & known:
                if kinds & classes:
                    return True
            elif self._beside_another(at, own):
                return True
        return False

    def _range_turned(self, said: Sequence[frozenset[str]]) -> bool:
        """Tell whether "between June and September" became "between September and June"."""
        tokens = self.said.tokens
        theirs = [min(one) for one in self._quoted_closed if one]
        places = [at for at, one in enumerate(said) if one and not _inside(tokens[at], self.said.values)]
        for first, second in pairwise(places):
            if second - first > _NEAR or first == 0 or tokens[first - 1].text not in _RANGES:
                continue
            mine = [min(said[first]), min(said[second])]
            kind = mine[0].partition(":")[0]
            written = [one for one in theirs if one.startswith(f"{kind}:")]
            if mine != written and mine == written[::-1]:
                return True
        return False

    @cached_property
    def _quoted_values(self) -> list[Value]:
        return [value for one in self.quoted for value in self.document.values(one.start, one.end)]

    def _beside_another(self, at: int, own: frozenset[str]) -> bool:
        """Tell whether the word behind stands, in the quotation, only behind another word of the class."""
        kinds = {one.partition(":")[0] for one in own} - {"rank"}
        follower = next((one for one in self._items if at < one.at <= at + _NEAR and one.places), None)
        if follower is None or any(
            one.kind == "mark" or one.text in _JOINTS for one in self.said.tokens[at + 1 : follower.at]
        ):
            return False
        starts = {self._targets[place].token.start for place in follower.places}
        near = [False, False]
        for place, found in enumerate(self._quoted_closed):
            if not any(one.partition(":")[0] in kinds for one in found):
                continue
            ahead = self.tokens[place + 1 : place + 1 + _NEAR]
            if any(one.start in starts for one in ahead):
                near[bool(found & own)] = True
        return near[0] and not near[1]

    def _joint_exchanged(self) -> bool:
        """Tell whether two things joined by "and" are told joined by "or", or the reverse."""
        denied = any(one.text in _DENYING for one in (*self.said.tokens, *self.tokens))
        if denied:
            return False
        placed = [one for one in self._items if one.places]
        for first, second in pairwise(placed):
            said = _joint(self.said.tokens[first.at + 1 : second.at])
            if not said:
                continue
            written = {
                _joint(self._between(one, other))
                for one in first.places
                for other in second.places
                if other == one + 1
            } - {""}
            if written and said not in written:
                return True
        return False

    def _between(self, one: int, other: int) -> list[Token]:
        start, end = self._targets[one].token.end, self._targets[other].token.start
        return [token for token in self.tokens if start <= token.start < end]

    def _relation_exchanged(self) -> bool:
        """Tell whether what stands outside, under or against a thing is told as inside, above or for it."""
        for item in self._items:
            if len(item.places) != 1 or item.sort not in ("word", "name", "party"):
                continue
            target = self._targets[item.places[0]]
            tokens = self._clause_tokens[target.clause]
            mine = _leading(self.said.tokens, item.at)
            theirs = _leading(tokens, tokens.index(target.token))
            for pair in _RELATIONS:
                for one, other in (pair, pair[::-1]):
                    if mine & one and theirs & other and not mine & other and not theirs & one:
                        return True
        return False

    def _halves_mixed(self) -> bool:
        """Tell whether the statement joins a thing of one half with what the other half says of its own.

        "The hulls twice a year and the ropes once a month": of the words with the same place in their halves,
        one pair is told of the first and another of the second.
        """
        if any(one.text in _JOINTS for one in self.said.tokens):
            return False
        words = {one.text for one in self.said.tokens}
        closed = {c for found in _closed().of_each(self.said.tokens) for c in found}
        for clause in self._clauses_used:
            tokens = self._clause_tokens[clause]
            slots = self._slots(tokens, words, closed)
            for cut in [at for at, one in enumerate(tokens) if one.text in _AND | _OR]:
                first = [one for one in slots if one.at < cut]
                second = [one for one in slots if one.at > cut]
                told = {
                    mine.told
                    for kind in {one.kind for one in second}
                    for mine, other in zip(_of_kind(first, kind), _of_kind(second, kind), strict=False)
                    if mine.told != other.told
                }
                if len(told) > 1:
                    return True
        return False

    def _slots(self, tokens: Sequence[Token], words: set[str], closed: set[str]) -> list[_Slot]:
        """Return the words and figures of a clause, each with its place in it, and whether it is told."""
        found: list[_Slot] = []
        classes = _closed().of_each(tokens)
        for at, token in enumerate(tokens):
            told = token.start in self._told_starts
            value = next((one for one in self._quoted_values if one.start <= token.start < one.end), None)
            if value is not None:
                if value.start == token.start:
                    found.append(_Slot(at, f"value {value.kind}", told))
                continue
            if classes[at]:
                kind = min(classes[at]).partition(":")[0]
                if not (found and found[-1].kind == kind and found[-1].at == at - 1):
                    found.append(_Slot(at, kind, bool(classes[at] & closed)))
                continue
            if is_unit(token):
                found.append(_Slot(at, "unit", token.text in words))
                continue
            if not is_content(token) or self._is_of_party(token):
                continue
            kind = _place_of(tokens, at)
            if kind:
                found.append(_Slot(at, kind, told))
        return found

    def _condition_crossed(self) -> bool:
        """Tell whether words of the condition or exception are told of the consequence, or the reverse."""
        mine = _conditional(self.said.tokens)
        if not mine:
            return False
        for clause in self._clauses_used:
            tokens = self._clause_tokens[clause]
            theirs = _conditional(tokens)
            if not theirs:
                continue
            moved: set[tuple[bool, bool]] = set()
            for item in self._items:
                if len(item.places) != 1 or self._targets[item.places[0]].clause != clause:
                    continue
                written = tokens.index(self._targets[item.places[0]].token) in theirs
                if (item.at in mine) != written:
                    moved.add((item.sort == "party", written))
            if any({(party, True), (party, False)} <= moved for party in (True, False)):
                return True
        return False


def _of_kind(slots: Sequence[_Slot], kind: str) -> list[_Slot]:
    """Return the words of one place, the last first: what both halves share stands before the first."""
    return [one for one in reversed(slots) if one.kind == kind]


def _place_of(tokens: Sequence[Token], at: int) -> str:
    """Return what leads a noun: its preposition, or an article alone; nothing for another word."""
    for one in reversed(tokens[max(0, at - 3) : at]):
        if one.text in ("del", "al"):
            return "noun de" if one.text == "del" else "noun a"
        if one.text not in _ARTICLES:
            if one.text in _PREPOSITIONS:
                return f"noun {one.text}"
            break
    return "noun" if at and tokens[at - 1].text in _ARTICLES else ""


def _inside(token: Token, values: Sequence[Value]) -> bool:
    return any(one.start <= token.start < one.end for one in values)


_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip


def _months(values: Sequence[Value]) -> set[str]:
    return {f"month:{_MONTHS[day.month - 1]}" for one in values for day in one.days}


def _joint(tokens: Sequence[Token]) -> str:
    """Return "and" or "or" where that is what stands between two words, with articles at most."""
    joints = [one.text for one in tokens if one.text in _AND | _OR]
    if len(joints) != 1 or any(
        one.text not in _LINKS and one.text not in _AND | _OR and one.text not in _PREPOSITIONS
        for one in tokens
    ):
        return ""
    return "and" if joints[0] in _AND else "or"


def _leading(tokens: Sequence[Token], at: int) -> frozenset[str]:
    """Return the words between a noun and the word that claims something before it."""
    found: set[str] = set()
    for one in reversed(tokens[max(0, at - 4) : at]):
        if one.kind != "word":
            break
        found.add(one.text)
        if one.text not in _LINKS:
            break
    return frozenset(found)


def _conditional(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the places of the words that a condition or exception has, from its mark to the next comma."""
    found: set[int] = set()
    marks = {*CONDITIONS.places(tokens), *PROVISOS.places(tokens)}
    marks |= {at for at, one in enumerate(tokens) if one.text in EXCEPTIONS}
    for at in marks:
        end = next(
            (place for place in range(at, len(tokens)) if tokens[place].text in (",", ";")), len(tokens)
        )
        found.update(range(at, end))
    return frozenset(found) if len(found) < len(tokens) else frozenset()
