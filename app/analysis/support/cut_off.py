"""Check that what a quotation cuts off its sentence, or a ceiling in it, does not limit what is told. Pure.

Source: decision 121. A quotation may end before "antes del 1 de mayo", or begin behind "Save for fraud,",
"propone" and "denegar": what it leaves of its sentence is read with it. A ceiling ("up to $190 a night") and
"once" limit what they stand with, in whatever words and language the rest is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from app.analysis.support.aligned_words import AlignedWords
from app.analysis.support.grammar import CONDITIONS, Phrases, marks_of
from app.analysis.support.quotation import Discrepancy, QuotedSpan
from app.analysis.support.roles import bound_of
from app.analysis.support.words import Token, is_content

_TIMES: Final = frozenset(
    {
        "antes",
        "before",
        "hasta",
        "until",
        "durante",
        "during",
        "mientras",
        "while",
        "unless",
        "salvo",
        "excepto",
    }
)
_STOPS: Final = frozenset({",", ";", ":", ".", "(", ")"})
# Verbs by which somebody only proposes or refuses what follows at once.
_REFUSES: Final = re.compile(
    r"(?:deneg|denieg|desestim|rechaz|inadmit)[a-z]*|den(?:y|ies|ied)|refus(?:e|es|ed)|reject(?:s|ed)?"
)
_PROPOSES: Final = re.compile(
    r"prop(?:on|us|uest)[a-z]*|solicit(?:a|an|o|aron|ar)|pid(?:e|en|io|ieron)|sug[ie][er][a-z]*|proposes?|proposed"
    r"|requests?|requested|suggests?|suggested|asks?|asked"
)
# How near a verb stands before what it governs, and how near to the beginning of its clause.
_NEAR: Final = 3
_OPENING: Final = 1
_EACH: Final = Phrases(
    ("each", "time"), ("every", "time"), ("cada", "vez"), ("whenever",), ("siempre", "que")
)
_ANY_EACH: Final = frozenset({"cada", "each", "every", "whenever", "siempre"})
_CEILED: Final = ("money", "percent", "number")


class CutOffLimits(AlignedWords):
    """A statement beside what its quotations leave of their sentences."""

    def cut_off(self) -> Discrepancy | None:
        """Return why a part of a sentence that is not quoted makes a statement mislead, or `None`."""
        found = [self._cut_from(one) for one in self.quoted if self._tells(one)]
        return found[0] if found and all(found) else None

    def ceiling_untold(self) -> bool:
        """Tell whether a ceiling, or "once", that stands with what is told is left out."""
        if _EACH.places(self.said.tokens) and not any(one.text in _ANY_EACH for one in self.sentences):
            return True
        told = {place for one in self._items for place in one.places}
        for rank, target in enumerate(self._targets):
            value = target.value
            if value is None or value.kind not in _CEILED or rank in told or not rank:
                continue
            tokens = self._clause_tokens[target.clause]
            if (
                self._limited_by(rank) in told
                and bound_of(tokens, value) == "most"
                and not any(one.kind == value.kind and value.is_said_by(one) for one in self.said.values)
            ):
                return True
        return False

    def _limited_by(self, rank: int) -> int:
        """Return the word or figure before a ceiling and the words that make it one; -1 where none."""
        clause = self._targets[rank].clause
        for place in range(rank - 1, -1, -1):
            target = self._targets[place]
            if target.clause != clause:
                return -1
            if target.value is not None or (is_content(target.token) and target.token.text not in _BOUNDS):
                return place
        return -1

    def _tells(self, span: QuotedSpan) -> bool:
        return any(
            self._stated_says(one)
            for one in self.document.tokens(span.start, span.end)
            if is_content(one) or one.figure is not None
        )

    def _cut_from(self, span: QuotedSpan) -> Discrepancy | None:
        start, end = self.document.sentence(span.start, span.end)
        before = [one for one in self.document.tokens(start, span.start) if one.end <= span.start]
        behind = [one for one in self.document.tokens(span.end, end) if one.start >= span.end]
        if behind and behind[0].text in _TIMES:
            run = _up_to_mark(behind)
            if not self._any_told(run):
                return Discrepancy.LIMIT
        if not before:
            return None
        if before[-1].text == ",":
            lead = before[:-1]
            cut = max((at + 1 for at, one in enumerate(lead) if one.text in (";", ":", ".")), default=0)
            lead = lead[cut:]
            commas = [at for at, one in enumerate(lead) if one.text == ","]
            if commas and self._takes_back(lead[: commas[-1]]):
                return Discrepancy.GOVERNED  # "propone, por medio de su representante, …"
            if not lead:
                return None
            excepting = bool(list(marks_of(lead[:_NEAR], exceptions=True))) or bool(CONDITIONS.at(lead, 0))
            if excepting and "," not in {one.text for one in lead} and not self._any_told(lead):
                return Discrepancy.EXCEPTION
            return None
        return Discrepancy.GOVERNED if self._takes_back(_behind_mark(before)) else None

    def _takes_back(self, before: Sequence[Token]) -> bool:
        """Tell whether what stands right before refuses or merely proposes, and it is not told."""
        near = [*before[:_OPENING], *before[-_NEAR:]]
        return any(
            any(verb.fullmatch(one.text) for one in near)
            and not any(verb.fullmatch(one.text) for one in self.said.tokens)
            for verb in (_REFUSES, _PROPOSES)
        )

    def _any_told(self, tokens: Sequence[Token]) -> bool:
        return any(self._stated_says(one) for one in tokens if is_content(one) or one.figure is not None)


_BOUNDS: Final = frozenset(
    {
        "maximo",
        "maxima",
        "tope",
        "limite",
        "maximum",
        "cap",
        "limit",
        "total",
        "capped",
        "exceeding",
        "superar",
    }
)


def _up_to_mark(tokens: Sequence[Token]) -> Sequence[Token]:
    stop = next((at for at, one in enumerate(tokens) if one.text in _STOPS), len(tokens))
    return tokens[:stop]


def _behind_mark(tokens: Sequence[Token]) -> Sequence[Token]:
    last = max((at + 1 for at, one in enumerate(tokens) if one.text in _STOPS), default=0)
    return tokens[last:]
