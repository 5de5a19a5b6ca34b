"""Check that nothing which stands before a quotation takes its words back, and is left out. Pure.

Source: decision 109. Words of a document are the document's own only where nothing governs them: a clause
before a colon ("En caso de impago: …"), the introduction of their list ("No se admitirán:"), a sentence that
announces them ("The following terms no longer apply."), the title over them, somebody who merely claims or
proposes them, or a sentence behind that takes back "this clause". A statement that tells what governs is
compared like any other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import Final

from app.analysis.support.denial import LACKING
from app.analysis.support.grammar import (
    ACKNOWLEDGED,
    CONDITIONS,
    DETERMINERS,
    EXCEPTIONS,
    MAY,
    NEGATIONS,
    PAST,
    PROHIBITED,
    Phrases,
    is_future,
    is_verb,
    marks_of,
)
from app.analysis.support.paragraphs import Head
from app.analysis.support.quotation import Discrepancy, QuotedSpan
from app.analysis.support.quoted_statement import QuotedStatement
from app.analysis.support.words import Token, is_content, is_unit, word_set


class _Place(Enum):
    """Where governing words stand: over a list, before a colon, in a sentence before, in a title, behind."""

    COLON = auto()
    RUN_IN = auto()
    ANNOUNCED = auto()
    TITLE = auto()
    BEHIND = auto()


_ANNOUNCING: Final = word_set("announcing")
_TIMES: Final = word_set("announced_times")
# Verbs by which the parties or a court make what follows their own: "acuerdan:", "we agree as follows:".
_ADOPTING: Final = word_set("adopting")
_ALLEGING: Final = word_set("alleging")
_SAID_ALLEGED: Final = re.compile(
    r"sost[eu]|alega|aduc|aduj|argu|preten|prop[ou]|sug[ie]r|solicit|p[ei]di|pide|petic|reclam|interesa|instad?|denunci"
    r"|asegur|afirm|segun$|opini|juicio|oferta|ofrec|supuest|presunt|claim|alleg|contend|assert|maintain|suggest|request"
    r"|ask|according|offer|opinion|would|submit|seek"
)
_VOID: Final = word_set("voided")
_IN_ITS_PLACE: Final = re.compile(r"sustitu|reemplaz|redact|modific|replac|amend|substitut|ersetz|remplac")
# "que sustituyen a las del acuerdo anterior, hoy sin efecto": what is void is the other text.
_TAKING_ITS_PLACE: Final = re.compile(
    r"(?:sustituy|reemplaz|substitu|rempla|erset)[a-z]*(?:e|en|an|a|ent|t|iscono|isce)|replaces?|supersedes?|annuls?|anulan?|derogan?"
)
_BY: Final = frozenset({"por", "by", "con", "with", "asi", "as", "durch", "par", "da", "dal"})
_NO: Final = frozenset({"no", "nao", "non"})
_NOT: Final = frozenset(
    {"not", "ne", "nicht", "ningun", "ninguno", "ninguna", "neither", "nunca", "nobody", "tampoco"}
)
_BEHIND_NO: Final = word_set("denied_verbs")
_PARTICIPLE: Final = re.compile(
    r"[a-z]{2,}(?:ad|id|ed)[oa]?s?|(?:vist|hech|escrit|inclus|inclos|compris)[oaei]?s?"
)
_INFINITIVE: Final = re.compile(r"[a-z]{2,}(?:ar|er|ir)(?:se|l[aeo]s?)?")
_EXCLUDING: Final = re.compile(r"exclu[iy]|exclus(?:ion|oe)|exclud|esclus[oi]|ausgeschlossen")
_OLD: Final = word_set("old_wording")
_TEXTS: Final = word_set("wordings")
_WHERE_IT_SAYS: Final = Phrases(
    ("donde", "dice"), ("donde", "decia"), ("donde", "pone"), ("donde", "ponia"), ("where", "it", "says"),
    ("where", "it", "said"), ("where", "it", "read"), ("used", "to", "read"), ("onde", "se", "le"),
    ("onde", "se", "lia"),
)  # fmt: skip
_FORMER: Final = word_set("former")
_EXAMPLE: Final = word_set("examples")
_MORE_CONDITIONS: Final = Phrases(
    ("en", "cas", "de"), ("in", "caso", "di"), ("im", "falle"), ("falls",), ("wenn",), ("em", "caso"),
    ("si",), ("unless",), ("a", "falta", "de"), ("failing",), ("should",), ("para", "el", "caso"),
)  # fmt: skip
_THAT: Final = frozenset({"que", "that", "dass", "che"})
_THIS: Final = word_set("pointing")
_PARTS: Final = word_set("parts_of_text")
_APPLYING: Final = re.compile(
    r"aplic|regir|rige|regira|appl|effect|efecto|vigen|vigor|force|parte$|part$|valid|obliga|bind"
)
_ONLY: Final = word_set("only")
_DENYING: Final = NEGATIONS | EXCEPTIONS | PROHIBITED | LACKING
_NEAR: Final = 6
_QUOTING: Final = frozenset({"«", "“", '"', "'"})
_CLOSING: Final = frozenset({"»", "”", '"', "'"})
_THESE: Final = frozenset(
    {"esto", "estas", "estos", "este", "esta", "these", "this", "aquellas", "aquellos", "tales"}
)
_POINTED: Final = 4
# Of the conditions, those that a title may set: "Cuándo cobrará" is a question.
_IN_TITLE: Final = Phrases(
    ("en", "caso"), ("si",), ("en", "el", "supuesto"), ("if",), ("in", "case"),
    ("in", "the", "event"), ("unless",),
)  # fmt: skip
_ENOUGH: Final = 0.5
_LONGEST_HEAD: Final = 600


_AS_FOLLOWS: Final = Phrases(
    ("a", "continuacion"), ("que", "sigue"), ("que", "siguen"), ("as", "follows"), ("what", "follows"),
)  # fmt: skip
_VOID_PHRASES: Final = Phrases(
    ("sin", "efecto"), ("no", "longer"), ("ya", "no"), ("sem", "efeito"), ("sans", "effet"),
    ("senza", "effetto"), ("of", "no", "effect"), ("no", "effect"), ("dejan", "de"), ("deja", "de"),
    ("dejaran", "de"), ("dejara", "de"), ("cease", "to"), ("ceases", "to"), ("ausser", "kraft"), ("lapsed",),
    ("por", "no", "puesta"), ("por", "no", "puestas"),
)  # fmt: skip


class GoverningChecks(QuotedStatement):
    """Checks of what governs the words quoted from outside of their clause.

    `governor` is where the words stand that the last check found to govern them, and untold.
    """

    governor: QuotedSpan | None = None

    def governed(self, *, conditions: bool = True) -> Discrepancy | None:
        """Return why words that govern the quotation make the statement misleading, or `None`.

        Args:
            conditions: whether a condition that governs must be told as well.
        """
        best = self._best_units
        found = [self._governs(one, conditions) for one in best]
        return found[0] if found and all(found) else None

    @cached_property
    def _best_units(self) -> list[Sequence[Token]]:
        """The parts of the quotations that have most words of the statement."""
        units = [unit for piece in self.pieces for unit in self._units(piece)]
        if len(units) < 2:
            return units
        shares = [sum(self._counts(one) for one in unit) for unit in units]
        most = max(shares)
        return [unit for unit, share in zip(units, shares, strict=True) if share == most]

    def _counts(self, token: Token) -> bool:
        return (is_content(token) or token.kind in ("number", "date")) and self._stated_says(token)

    def _units(self, piece: Sequence[Token]) -> Iterator[Sequence[Token]]:
        """Yield the sentences of a quotation, each cut behind its colons."""
        limits = self.document.reading.limits
        unit: list[Token] = []
        for token in piece:
            if unit and (
                bisect_right(limits, unit[0].start) != bisect_right(limits, token.start)
                or self._is_colon(unit[-1])
            ):
                yield unit
                unit = []
            unit.append(token)
        if unit:
            yield unit

    def _is_colon(self, token: Token) -> bool:
        return token.text == ":" and not self.document.text[token.end : token.end + 1].isalnum()

    def _governs(self, unit: Sequence[Token], conditions: bool) -> Discrepancy | None:
        """Return what the words over a part of a quotation make of a statement that does not tell them."""
        if self._alleged_within(unit) or self._read_so_once(unit):
            return Discrepancy.GOVERNED
        for tokens, place in self._over(unit[0].start, unit[-1].end):
            if place is not _Place.BEHIND and self._adopts(tokens):
                continue
            if place is _Place.RUN_IN and self._explained(tokens, unit):
                continue
            if tokens:
                self.governor = QuotedSpan(tokens[0].start, tokens[-1].end)
            if self._taken_back(tokens, place):
                return Discrepancy.GOVERNED
            if conditions and self._on_condition(tokens, place):
                return Discrepancy.EXCEPTION
        self.governor = None
        return None

    def _over(self, start: int, end: int) -> Iterator[tuple[Sequence[Token], _Place]]:
        """Yield the words that may govern what stands at `start:end`, with their place."""
        document = self.document
        first, last = document.sentence(start, end)
        before = document.tokens(max(first, start - _LONGEST_HEAD), start)
        colon = next((at for at in range(len(before) - 1, -1, -1) if self._is_colon(before[at])), None)
        if colon is not None:
            yield before[:colon], _Place.RUN_IN
        paragraphs = document.paragraphs
        own = paragraphs.at(start)
        yield from self._announced_before(paragraphs.span(own)[0], first, start)
        for head in paragraphs.over(start):
            yield from self._of_head(head)
        yield from self._behind(last, own)

    def _of_head(self, head: Head) -> Iterator[tuple[Sequence[Token], _Place]]:
        """Yield the last sentence of what stands over a list, or a title."""
        start = max(head.start, head.end - _LONGEST_HEAD)
        if head.title:
            yield self.document.tokens(start, head.end), _Place.TITLE
            return
        tokens = self.document.tokens(start, head.end)
        if not tokens:
            return
        first = self.document.sentence(tokens[-1].start, head.end)[0]
        tokens = [one for one in tokens if one.start >= first]
        yield tokens, _Place.COLON if tokens[-1:] and tokens[-1].text == ":" else _Place.ANNOUNCED

    def _announced_before(
        self, paragraph: int, first: int, start: int
    ) -> Iterator[tuple[Sequence[Token], _Place]]:
        """Yield the sentences of a paragraph before the one at `first`, and quotations left open there."""
        text = self.document.text
        at = max(paragraph, first - 4 * _LONGEST_HEAD)
        while at < first:
            end = min(self.document.sentence(at, at + 1)[1], first)
            if end <= at:
                return
            tokens = [one for one in self.document.tokens(at, end) if one.start >= at]
            opened = max(text.rfind("«", at, end), text.rfind("“", at, end))
            colon = next((place for place, one in enumerate(tokens) if self._is_colon(one)), None)
            if (
                colon is not None
                and opened > tokens[colon].start
                and not any(sign in text[opened:start] for sign in "»”")
            ):
                yield tokens[:colon], _Place.RUN_IN
            yield tokens, _Place.ANNOUNCED
            at = end

    def _behind(self, last: int, own: int) -> Iterator[tuple[Sequence[Token], _Place]]:
        """Yield the sentences behind, in the paragraph and the next, that speak of "this clause"."""
        paragraphs = self.document.paragraphs
        _, end = paragraphs.span(own)
        places = [last] if last < end else []
        start, stop = paragraphs.span(own + 1)
        if stop:
            places.append(start)
        for place in places:
            begins, ends = self.document.sentence(place, place + 1)
            tokens = self.document.tokens(max(begins, place), ends)
            said = [one for one in tokens[:_NEAR] if one.kind == "word"]
            if not said or said[0].text not in _THIS | {"lo"}:
                continue
            if any(one.text in _PARTS for one in said[1:4]):
                yield tokens, _Place.BEHIND

    def _explained(self, tokens: Sequence[Token], unit: Sequence[Token]) -> bool:
        """Tell whether a sentence that denies ends at the colon, and what follows says what holds instead."""
        before = self.document.text[: unit[0].start].rstrip()[-1:]
        if before in _QUOTING or unit[0].text in _QUOTING or _announces(tokens) or _dates_back(tokens):
            return False
        if CONDITIONS.places(tokens) or any(one.text in _ALLEGING | _VOID for one in tokens):
            return False
        if any(one.text in _THESE for one in tokens[-_POINTED:]):
            return False
        opens = unit[0].text in DETERMINERS or bool(
            self.document.parties.key(unit[0].text, self.said_concepts_of(unit[0]))
        )
        return opens and any(is_verb(one) for one in unit) and not is_verb(tokens[-1])

    def _adopts(self, tokens: Sequence[Token]) -> bool:
        """Tell whether behind a comma, or at first, the parties or a court make what follows their own."""
        comma = max((at for at, one in enumerate(tokens) if one.text == ","), default=-1)
        return any(one.text in _ADOPTING for one in tokens[comma + 1 :]) and not any(
            one.text in _NO | _NOT for one in tokens[comma + 1 :]
        )

    def _taken_back(self, tokens: Sequence[Token], place: _Place) -> bool:
        """Tell whether words deny, except, void, allege or date back what follows, and it is not told."""
        if place is _Place.BEHIND:
            return self._ends_or_limits(tokens) and not self._tells_denial()
        if place is _Place.ANNOUNCED and not _announces(tokens):
            return False
        if _denies(tokens, place) or _excepts(tokens) or self._voids(tokens):
            return not self._tells_denial() and not self._repeats(tokens, _VOID)
        if _alleges(tokens, place):
            return not self._tells_allegation()
        if _dates_back(tokens):
            return not any(one.text in PAST | _FORMER | _OLD for one in self.said.tokens)
        if any(one.text in _EXAMPLE for one in tokens):
            return not any(one.text in _EXAMPLE for one in self.said.tokens)
        return False

    def _tells_denial(self) -> bool:
        return any(
            one.text in _DENYING or one.text in _VOID or _EXCLUDING.match(one.text)
            for one in self.said.tokens
        )

    def _tells_allegation(self) -> bool:
        return any(one.text in _ALLEGING or _SAID_ALLEGED.match(one.text) for one in self.said.tokens)

    def _repeats(self, tokens: Sequence[Token], words: frozenset[str]) -> bool:
        return any(one.text in words and self._stated_says(one) for one in tokens)

    def _voids(self, tokens: Sequence[Token]) -> bool:
        """Tell whether words say that what follows is void or gone, and not what stands in its place."""
        taking = next((at for at, one in enumerate(tokens) if _TAKING_ITS_PLACE.fullmatch(one.text)), None)
        if taking is not None and any(one.text in _ANNOUNCING for one in tokens[:taking]):
            tokens = tokens[:taking]
        if not any(one.text in _VOID for one in tokens) and not _VOID_PHRASES.places(tokens):
            return False
        replaced = next((at for at, one in enumerate(tokens) if _IN_ITS_PLACE.match(one.text)), None)
        return replaced is None or not any(one.text in _BY for one in tokens[replaced:])

    def _ends_or_limits(self, tokens: Sequence[Token]) -> bool:
        """Tell whether a sentence says of "this clause" that it does not apply, or only for a time."""
        if self._voids(tokens):
            return True
        denied = list(marks_of(tokens, negations=True)) + [
            at for at, one in enumerate(tokens) if one.text in _ONLY
        ]
        return any(
            _APPLYING.match(one.text)
            for at in denied
            for one in [*tokens[max(0, at - 3) : at], *tokens[at + 1 : at + 1 + _NEAR]]
        )

    def _on_condition(self, tokens: Sequence[Token], place: _Place) -> bool:
        """Tell whether words make a condition of what follows, and the statement makes none."""
        if (
            place in (_Place.ANNOUNCED, _Place.BEHIND)
            or self._label
            or any(one.text in "?¿" for one in tokens)
        ):
            return False
        said = self.said.tokens
        if CONDITIONS.places(said) or ACKNOWLEDGED.places(said) or _MORE_CONDITIONS.places(said):
            return False
        first = next((at for at, one in enumerate(tokens) if one.kind == "word"), None)
        if first is None:
            return False
        starts = [first] + [at + 1 for at, one in enumerate(tokens[:-1]) if one.text in (",", ")", "-", "—")]
        setting = (_IN_TITLE,) if place is _Place.TITLE else (CONDITIONS, _MORE_CONDITIONS)
        marks = [at for at in starts if any(one.at(tokens, at) for one in setting)]
        return any(not self._restates_behind(tokens, at) for at in marks)

    def _alleged_within(self, unit: Sequence[Token]) -> bool:
        """Tell whether somebody claims in the sentence of a quotation what the statement says is so."""
        if self._tells_allegation():
            return False
        start, _ = self.document.sentence(unit[0].start, unit[-1].end)
        sentence = [*(one for one in self.document.tokens(start, unit[0].start) if one.end <= unit[0].start)]
        sentence += unit
        for at, token in enumerate(sentence):
            if token.text not in _ALLEGING:
                continue
            that = next(
                (p for p in range(at + 1, min(at + 1 + _NEAR, len(sentence))) if sentence[p].text in _THAT),
                None,
            )
            wished = sentence[at + 1] if at + 1 < len(sentence) else None
            if that is None and wished is not None and _INFINITIVE.fullmatch(wished.text):
                that = at  # "propone pintar el portal"
            if that is None or any(one.text in (";", ".") for one in sentence[at:that]):
                continue
            behind = [one for one in sentence[that + 1 :] if one.start >= unit[0].start]
            told = sum(map(self._counts, behind))
            if told and told > sum(map(self._counts, unit)) * _ENOUGH:
                return True
        return False

    def _read_so_once(self, unit: Sequence[Token]) -> bool:
        """Tell whether a quotation is what "where it said «…»" puts in quotation marks."""
        start, end = self.document.sentence(unit[0].start, unit[-1].end)
        sentence = self.document.tokens(start, end)
        for at in _WHERE_IT_SAYS.places(sentence):
            opened = next((one for one in sentence[at:] if one.text in _QUOTING), None)
            if opened is None or opened.start > unit[0].start:
                continue
            closed = next(
                (one for one in sentence if one.start > opened.start and one.text in _CLOSING), None
            )
            if closed is not None and closed.start > unit[0].start:
                return not any(one.text in PAST | _FORMER | _OLD for one in self.said.tokens)
        return False


def _announces(tokens: Sequence[Token]) -> bool:
    """Tell whether a sentence announces what follows: "the following terms", "las condiciones siguientes"."""
    for at, token in enumerate(tokens):
        if token.text not in _ANNOUNCING:
            continue
        near = tokens[max(0, at - 1) : at + 2]
        if any(one.text in _TIMES or is_unit(one) or one.figure is not None for one in near):
            continue
        before = tokens[at - 1].text if at else ""
        if token.text == "following" and before not in ("the", "these", "those", "of"):
            continue
        return True
    return bool(_AS_FOLLOWS.places(tokens))


def _denies(tokens: Sequence[Token], place: _Place) -> bool:
    """Tell whether a head denies what follows: "No se admitirán", "Excluded"; not a label ("No compete")."""
    if any(one.text in PROHIBITED or _EXCLUDING.match(one.text) for one in tokens):
        return True
    verb = any(is_verb(one) or _PARTICIPLE.fullmatch(one.text) for one in tokens)
    for at in marks_of(tokens, negations=True):
        token = tokens[at]
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        behind = next((one.text for one in tokens[at + 1 :] if one.text == ","), None)
        if behind is not None and place is not _Place.ANNOUNCED:
            continue
        if token.text in _NOT:
            return True
        if token.text in _NO and following is not None:
            if (
                following.text in _BEHIND_NO
                or following.text in MAY
                or is_verb(following)
                or is_future(following)
                or _PARTICIPLE.fullmatch(following.text)
                or _INFINITIVE.fullmatch(following.text)
            ):
                return True
            if verb and any(is_verb(one) for one in tokens[at + 1 :]):
                return True
    return False


def _excepts(tokens: Sequence[Token]) -> bool:
    """Tell whether what follows is an exception: "A excepción de lo siguiente", "Salvo:"."""
    for at in marks_of(tokens, exceptions=True):
        behind = tokens[at + 1 :]
        if not any(one.text == "," for one in behind) and (_announces(behind) or len(behind) <= _NEAR):
            return True
    return False


def _alleges(tokens: Sequence[Token], place: _Place) -> bool:
    """Tell whether somebody claims, proposes or asks what follows."""
    if place is _Place.TITLE:
        return False
    last = max((at for at, one in enumerate(tokens) if one.text in _ALLEGING), default=-1)
    if last < 0:
        return False
    behind = tokens[last + 1 :]
    if place is _Place.ANNOUNCED:
        return _announces(behind)
    return (
        len([one for one in behind if one.kind == "word"]) <= _NEAR
        or any(one.text in _THAT for one in behind[:_NEAR])
        or _announces(behind)
    )


def _dates_back(tokens: Sequence[Token]) -> bool:
    """Tell whether a head says that a text read so once, and not that it does."""
    if _WHERE_IT_SAYS.places(tokens):
        return True
    words = {one.text for one in tokens}
    return bool(words & _TEXTS) and bool(words & (_OLD | _FORMER))
