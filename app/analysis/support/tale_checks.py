"""Check limits, rhythms and opposites that a statement leaves out or tells otherwise. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.analysis.support.grammar import CONDITIONS, NEGATIONS, PROVISOS, is_future, marks_of, modality_of
from app.analysis.support.quotation import HONORIFICS, Discrepancy
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.words import Token, concepts_of, is_content, is_unit, word_set

_ONLY = word_set("only")
_EACH = frozenset({"cada", "every", "each"})
_PER = frozenset({"al", "a", "por", "per"})
_ALREADY = frozenset({"ya", "already"})
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ad|id|ed)[oa]?s?")
_REPRESENTED = re.compile(r"representad|represented")
_BY = frozenset({"por", "by"})
# What somebody does who acts for another.
_ACTS_FOR = re.compile(
    r"represent|firm|sign|act[uú]|apoder|administr|abogad|lawyer|attorney|nombre|behalf|president|direct|presid"
)
_OPPOSITES = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (r"acept|aprob|aprueb|accept|approv", r"rechaz|deneg|denieg|negativ|desestim|reject|refus"),
        (r"beneficio$|ganancia|profit|gain", r"perdidas?$|loss"),
        (r"sub[aei]|aument|increment|increas|rise", r"baj[ae]|dismin|reduc|decreas|fall"),
    )
)
_SEGMENT_ENDS = frozenset({";", ".", "y", "and"})
_NAME_WORDS = 2
_CUT_AT = frozenset({";", ".", ":"})
# A quotation that breaks off less than so many words before its clause ends is not looked behind.
_FEW_LEFT = 2


class TaleChecks(QuotedStatement):
    """Checks of what stands beside the words that a statement restates."""

    def _untold(self) -> Discrepancy | None:
        """Compare what the checks of single words do not see."""
        if self._limit_left_out() or self._cut_short() or self._other_exception():
            return Discrepancy.EXCEPTION
        if self._other_rhythm():
            return Discrepancy.FIGURE
        if self._opposed():
            return Discrepancy.POLARITY
        if self._done_already():
            return Discrepancy.OTHER_MATTER
        if self._names_exchanged():
            return Discrepancy.ROLE
        return Discrepancy.PARTY if self._stands_for_another() else None

    def _names_exchanged(self) -> bool:
        """Tell whether more of what the statement says of a person is quoted beside another name."""
        stated = {one.text for one in self.said.tokens if one.kind == "word"}
        said = [one for one in self.said.tokens if is_content(one)]
        beside = list(self._names_quoted())
        own = [(name, words) for name, words in beside if name <= stated]
        rivals = [words for name, words in beside if not name & stated]
        if not own or not rivals:
            return False
        names = frozenset().union(*(name for name, _ in own))
        told = [one for one in said if one.text not in names]

        def shared(words: Sequence[Token]) -> int:
            found = frozenset(c for one in concepts_of(words) for c in one)
            return sum(self._found(one, self.said_concepts_of(one), words, found) for one in told)

        return max(shared(words) for words in rivals) > max(shared(words) for _, words in own)

    def _names_quoted(self) -> Iterator[tuple[frozenset[str], Sequence[Token]]]:
        """Yield each person's name in the quotations with the words of its segment."""
        for piece in self.pieces:
            segment: list[Token] = []
            for token in [*piece, None]:
                if token is not None and token.text not in _SEGMENT_ENDS:
                    segment.append(token)
                    continue
                name = self._name_in(segment)
                if len(name) >= _NAME_WORDS:
                    yield name, [one for one in segment if one.text not in name]
                segment = []

    def _name_in(self, segment: Sequence[Token]) -> frozenset[str]:
        """Return the words of the name behind a form of address."""
        for at, token in enumerate(segment):
            if token.text in HONORIFICS:
                found = []
                for one in segment[at + 1 :]:
                    if one.kind != "word" or not self.document.text[one.start].isupper():
                        break
                    found.append(one.text)
                return frozenset(found)
        return frozenset()

    def _limit_left_out(self) -> bool:
        """Tell whether "signs only as a witness" became "signs"."""
        if self._said_denials.denying or CONDITIONS.places(self.said.tokens):
            return False
        for piece in self.pieces:
            for at, token in enumerate(piece):
                if token.text not in _ONLY or at == 0:
                    continue
                before = piece[at - 1]
                ahead = [one for one in piece[at + 1 : at + 5] if is_content(one)][:2]
                if (
                    is_content(before)
                    and ahead
                    and self._stated_says(before)
                    and not any(self._stated_says(one) for one in ahead)
                ):
                    return True
        return False

    def _other_exception(self) -> bool:
        """Tell whether the statement excepts another thing than the quotation does."""
        ours, theirs = (
            list(_excepted(self.said.tokens)),
            [one for piece in self.pieces for one in _excepted(piece)],
        )
        if not ours or not theirs:
            return False
        words = [one for behind in theirs for one in behind]
        found = frozenset(c for one in concepts_of(words) for c in one)
        return any(
            behind
            and not any(
                self._found(one, self.said_concepts_of(one), words, found)
                or one.text in {w.text for w in words}
                for one in behind
            )
            for behind in ours
        )

    def _cut_short(self) -> bool:
        """Tell whether a quotation breaks off where its clause goes on to deny or to make a condition."""
        if self._label or self._said_denials.denying or CONDITIONS.places(self.said.tokens):
            return False
        for one, piece in zip(self.quoted, self.pieces, strict=True):
            _, end = self.document.sentence(one.start, one.end)
            rest: list[Token] = []
            for token in self.document.tokens(one.end, end):
                if token.start < one.end:
                    continue
                if token.text in _CUT_AT:
                    break
                rest.append(token)
            words = [token for token in rest if token.kind == "word"]
            if len(words) < _FEW_LEFT or not piece or rest[0].kind == "mark":
                continue
            last = max((at for at, token in enumerate(piece) if token.text in _CUT_AT), default=-1)
            open_part = piece[last + 1 :]
            if (
                last >= 0
                and not modality_of(open_part)
                and (
                    any(token.text in NEGATIONS for token in rest)
                    or PROVISOS.places(rest)
                    or list(marks_of(rest, exceptions=True))
                    or modality_of(rest) & {"must"}
                )
            ):
                return True
        return False

    def _other_rhythm(self) -> bool:
        """Tell whether "every two months" became "two a month", or the reverse."""
        for first, second in ((self.said.tokens, self.tokens), (self.tokens, self.said.tokens)):
            rare, often = set(_every(first)), set(_times(second))
            if rare & often and not rare & set(_every(second)):
                return True
        return False

    def _opposed(self) -> bool:
        """Tell whether the statement accepts what the quotation refuses, and neither denies it."""
        for one, other in _OPPOSITES:
            for ours, theirs in ((one, other), (other, one)):
                if (
                    self._has(self.said.tokens, ours)
                    and not self._has(self.said.tokens, theirs)
                    and self._has(self.tokens, theirs)
                    and not self._said_has_not(ours)
                    and not self._quotes_not(theirs)
                    and not self._has_last(ours)
                ):
                    return True
        return False

    @staticmethod
    def _has(tokens: Sequence[Token], words: re.Pattern[str]) -> bool:
        return any(one.kind == "word" and words.match(one.text) for one in tokens)

    def _has_last(self, words: re.Pattern[str]) -> bool:
        """Tell whether the last clause quoted has one of `words`."""
        last = [piece for piece in self.pieces if piece]
        cut = max((at for at, one in enumerate(last[-1]) if one.text in _CUT_AT), default=-1) if last else -1
        return bool(last) and self._has(last[-1][cut + 1 :], words)

    def _said_has_not(self, words: re.Pattern[str]) -> bool:
        denials = self._said_denials
        return any(words.match(self.said.tokens[at].text) for at in denials.reached if denials.denied(at))

    def _quotes_not(self, words: re.Pattern[str]) -> bool:
        denials = self._quoted_denials
        return any(words.match(self.tokens[at].text) for at in denials.reached if denials.denied(at))

    def _done_already(self) -> bool:
        """Tell whether what the quotation says was done is to be done by the statement."""
        if not any(is_future(one) for one in self.said.tokens) or any(
            one.text in _ALREADY for one in self.said.tokens
        ):
            return False
        return bool(self.said.values) and any(
            token.text in _ALREADY and at + 1 < len(piece) and _PARTICIPLE.fullmatch(piece[at + 1].text)
            for piece in self.pieces
            for at, token in enumerate(piece)
        )

    def _stands_for_another(self) -> bool:
        """Tell whether the statement says of who represents somebody what is said of the one represented."""
        if any(_ACTS_FOR.match(one.text) for one in self.said.tokens):
            return False
        for piece in self.pieces:
            for at, token in enumerate(piece):
                if (
                    not _REPRESENTED.match(token.text)
                    or at + 2 >= len(piece)
                    or piece[at + 1].text not in _BY
                ):
                    continue
                names = [
                    one
                    for one in piece[at + 2 : at + 10]
                    if one.kind == "word"
                    and self.document.text[one.start].isupper()
                    and one.text not in HONORIFICS
                ]
                first = next(
                    (one for one in self.said.tokens if one.kind == "word" and is_content(one)), None
                )
                if first is not None and any(one.text == first.text for one in names):
                    return True
        return False


def _excepted(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield what stands behind each exception, up to where its clause ends."""
    for at in marks_of(tokens, exceptions=True):
        behind = []
        for one in tokens[at + 1 : at + 14]:
            if one.text in _CUT_AT or one.text == ",":
                break
            if is_content(one) or one.kind in ("number", "date"):
                behind.append(one)
        yield behind


def _every(tokens: Sequence[Token]) -> Iterator[object]:
    """Yield each number of "every two months"."""
    for at in range(len(tokens) - 2):
        if tokens[at].text in _EACH and tokens[at + 1].figure is not None and is_unit(tokens[at + 2]):
            yield tokens[at + 1].figure


def _times(tokens: Sequence[Token]) -> Iterator[object]:
    """Yield each number of "two visits a month"."""
    for at, token in enumerate(tokens):
        if token.figure is None:
            continue
        for place in range(at + 1, min(at + 4, len(tokens) - 1)):
            if tokens[place].text in _PER and is_unit(tokens[place + 1]):
                yield token.figure
